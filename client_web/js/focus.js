// Where the keyboard is. Law: what had the focus may go, the focus stays on the page: on the window that is open, else
// at the beginning of the page. Who never had it is left alone.

let last = null;

/** Notes what has the focus from now on. */
export function watchFocus() {
  document.addEventListener("focusin", (event) => (last = event.target));
}

/** Puts the focus back on the page if what had it is gone. Called after each drawing, and four times a second. */
export function keepFocus() {
  const active = document.activeElement;
  if (active && active !== document.body) return;
  if (!last || (last.isConnected && last.checkVisibility())) return;
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  (dialog?.querySelector("button") ?? document.querySelector("main"))?.focus({ preventScroll: true });
}
