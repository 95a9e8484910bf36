// Stands on everything that takes the focus, as Tab does, and lists what shows no ring, or one that can't be seen.
// Evaluated by access.py after a key was pressed, so that the browser shows rings.
() => {
  const before = document.activeElement;
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const all = top.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const wrong = new Set();
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className} ${element.dataset.testid ?? ""}`;
  for (const element of all) {
    if (element.tabIndex < 0 || element.matches(":disabled") || !element.checkVisibility({ visibilityProperty: true })) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) {
      wrong.add(`${name(element)} takes no focus`);
      continue;
    }
    // An input that is drawn by its label shows the ring there.
    const drawn = Number(getComputedStyle(element).opacity) === 0 ? [element.closest("label"), element.nextElementSibling] : [element];
    const ringed = drawn.filter(Boolean).some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle === "solid" && parseFloat(outlineWidth) >= 2;
    });
    if (!ringed) wrong.add(`${name(element)} shows no ring`);
  }
  (before === document.body ? document.querySelector("main") : before)?.focus({ preventScroll: true });
  return [...wrong];
}
