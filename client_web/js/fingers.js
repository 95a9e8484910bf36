// Presses on the page. Law: while one lasts, nothing moves that it could meet; what waited is drawn once it is over.

/** A click follows its release; what a release lets move must not be moved before that. */
const CLICK_MS = 40;

export class Fingers {
  /** @param released called once the last finger is off `element` */
  constructor(element, released) {
    this.down = new Set();
    this.stop = new AbortController();
    const { signal } = this.stop;
    const off = (event) => {
      if (!this.down.delete(event.pointerId) || this.down.size) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(released, CLICK_MS);
    };
    element.addEventListener("pointerdown", (event) => this.down.add(event.pointerId), { capture: true, signal });
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, off, { capture: true, signal });
    // A button let go outside the window is told by the next move without it, or by the window's own blur.
    addEventListener("pointermove", (event) => event.buttons === 0 && off(event), { capture: true, signal });
    addEventListener("blur", () => {
      for (const pointerId of [...this.down]) off({ pointerId });
    }, { signal });
  }

  get any() {
    return this.down.size > 0;
  }

  destroy() {
    this.stop.abort();
    clearTimeout(this.timer);
  }
}
