// Elements are made here and nowhere else. Law: data becomes text, never markup, and a redraw changes an
// element in place, so that focus, a press in progress and a reader's position survive it.

const SVG = "http://www.w3.org/2000/svg";
/** Under it an element notes which handlers it has: asking it for all that there are takes longer than the rest of a redraw. */
const HANDLERS = Symbol("handlers");
/** What can take the focus by Tab. */
const FOCUSABLE = "button:not(:disabled), a[href], input:not(:disabled), select, textarea, summary";
/** Attributes that belong to the person at the page, not to the drawing code. */
const THEIRS = { DETAILS: "open", DIALOG: "open" };

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element[name] = value;
      (element[HANDLERS] ??= []).push(name);
    }
    else if (name === "css") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** An HTML element. `props`: attributes, `on...` functions, or `css` with custom properties. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element, the same way. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** An icon or suit out of the sprite in index.html; silent to screen readers. */
export function icon(name, className = "icon") {
  return s("svg", { class: className, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("use", { href: `#${name}` }));
}

function sameKind(a, b) {
  if (a.nodeType !== b.nodeType || a.nodeName !== b.nodeName) return false;
  return a.nodeType !== Node.ELEMENT_NODE || a.getAttribute("data-key") === b.getAttribute("data-key");
}

function patch(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const name of old.getAttributeNames()) {
    if (!fresh.hasAttribute(name) && THEIRS[old.nodeName] !== name) old.removeAttribute(name);
  }
  for (const name of old[HANDLERS] ?? []) if (!fresh[HANDLERS]?.includes(name)) old[name] = null;
  for (const name of fresh[HANDLERS] ?? []) old[name] = fresh[name];
  old[HANDLERS] = fresh[HANDLERS];
  morphNodes(old, [...fresh.childNodes]);
}

/** Focuses whatever stands nearest to where an element was: there, before it, else what is around it. */
function focusNear(parent, at) {
  const able = (node) => (node?.matches?.(FOCUSABLE) ? node : node?.querySelector?.(FOCUSABLE));
  const siblings = [...parent.children];
  const next = able(siblings[at]) ?? siblings.slice(0, at).map(able).filter(Boolean).at(-1) ?? parent.closest("[tabindex]");
  next?.focus({ preventScroll: true });
}

/**
 * Makes the children of `parent` look like `children`, keeping every node that can be kept. The focus stays within
 * when what had it goes: on what bears the same test id, else on what stands nearest.
 */
export function morph(parent, children) {
  const active = document.activeElement;
  if (!active || active === document.body || !parent.contains(active)) return morphNodes(parent, children);
  const at = [...parent.children].findIndex((child) => child.contains(active));
  const { testid } = active.dataset;
  morphNodes(parent, children);
  if (active.isConnected && document.activeElement === active) return undefined;
  const same = testid && parent.querySelector(`[data-testid="${testid}"]`);
  if (same && !same.disabled) return same.focus({ preventScroll: true });
  return focusNear(parent, Math.max(0, at));
}

function morphNodes(parent, children) {
  const fresh = children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false)
    .map((c) => (c instanceof Node ? c : document.createTextNode(String(c))));
  let old = parent.firstChild;
  for (const node of fresh) {
    if (!old) {
      parent.append(node);
      continue;
    }
    const next = old.nextSibling;
    if (sameKind(old, node)) patch(old, node);
    else old.replaceWith(node);
    old = next;
  }
  while (old) {
    const next = old.nextSibling;
    old.remove();
    old = next;
  }
}
