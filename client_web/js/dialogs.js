// Windows over the page. Law: each is a modal <dialog>, closes with Escape, by its button or a press outside, and
// gives the focus back to where it was.

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** Opens a window with a heading and content nodes; returns its dialog. */
export function openSheet(title, content, className = "") {
  const close = () => dialog.close();
  const dialog = h("dialog", { class: `window ${className}`, "aria-labelledby": "window-title", onclick: (event) => {
    if (event.target === dialog) close();
  } }, h("div", { class: "window-body" },
    h("header", { class: "window-head" }, h("h2", { id: "window-title" }, title),
      h("button", { class: "icon-button", "aria-label": t("close"), "data-testid": "close", onclick: close }, icon("i-close"))), content), h("div", { class: "log unseen", role: "log", "aria-live": "polite" }));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks before something final. Resolves true for yes. */
export function ask(question, yes) {
  return new Promise((resolve) => {
    const dialog = openSheet(question, h("div", { class: "actions" },
      h("button", { class: "primary", "data-testid": "confirm", autofocus: true, onclick: () => {
        resolve(true);
        dialog.close();
      } }, yes), h("button", { class: "quiet", "data-testid": "cancel", onclick: () => dialog.close() }, t("cancel"))), "narrow");
    dialog.addEventListener("close", () => resolve(false));
  });
}

/** Closes every window, when the page behind them has become another. */
export function closeSheets() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

/** Copies the text of an element. On plain HTTP there is no clipboard API, so: select it and copy the selection. */
export async function copyText(element) {
  const text = element.textContent;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy");
  }
}
