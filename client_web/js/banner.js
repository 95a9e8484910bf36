// The line at the top: connection and server. Law: it shows what is, one thing at a time, the gravest first.

import { h, morph } from "./dom.js";
import { t } from "./i18n.js";

/** A blink is not worth a banner. */
const AWAY_SHOWN_MS = 900;
const FLASH_MS = 5000;

export class Banner {
  constructor(element, app) {
    Object.assign(this, { element, app, state: "connecting", status: "ok", away: false, flashed: null, told: "" });
  }

  /** The connection's state changed. */
  connection(state) {
    this.state = state;
    clearTimeout(this.awayTimer);
    if (state === "open") this.away = false;
    else {
      this.awayTimer = setTimeout(() => {
        this.away = true;
        this.draw();
      }, AWAY_SHOWN_MS);
    }
    this.draw();
  }

  /** What the server said about itself: ok, draining or engine_away. */
  server(status) {
    this.status = status;
    this.draw();
  }

  /** A sentence for a few seconds. */
  flash(words) {
    this.flashed = words;
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => {
      this.flashed = null;
      this.draw();
    }, FLASH_MS);
    this.draw();
  }

  parts() {
    const { state } = this;
    if (state === "replaced") {
      return [h("span", null, t("banner.replaced")),
        h("button", { class: "secondary", "data-testid": "play-here", onclick: () => this.app.playHere() }, t("banner.play_here"))];
    }
    if (state === "outdated") return [h("span", null, t("banner.outdated"))];
    if (this.away && state !== "open") return [h("span", { class: "spinner", "aria-hidden": "true" }), h("span", null, t("banner.away"))];
    if (this.status !== "ok") return [h("span", null, t(`banner.${this.status}`))];
    return this.flashed ? [h("span", null, this.flashed)] : [];
  }

  draw() {
    const parts = this.parts();
    this.element.hidden = parts.length === 0;
    this.element.setAttribute("aria-label", t("banner"));
    // Said once when it comes up; a flash is said by whoever asked for it.
    const words = this.flashed ? this.told : parts.find((part) => part.textContent && part.tagName === "SPAN" && !part.className)?.textContent ?? "";
    if (words && words !== this.told) this.app.say(words);
    this.told = words;
    morph(this.element, parts);
  }
}
