// Waiting for strangers to play with. Law: the server seats; this page says how long it has been and how many wait, and
// offers bots to whom nobody comes.

import { playNow } from "./begin.js";
import { h, icon, morph } from "./dom.js";
import { clock, t } from "./i18n.js";

const OFFER_AFTER_MS = 10_000;

export class Seeking {
  constructor(app) {
    this.app = app;
    this.source = app.showing;
  }

  mount(root) {
    document.title = t("title.waiting");
    this.main = h("main", { class: "seeking-page", tabindex: -1 });
    root.replaceChildren(this.main);
    this.update();
  }

  update() {
    const { players } = this.app.showing ?? this.source;
    const alone = players < 2;
    this.offered = alone && this.waited() >= OFFER_AFTER_MS;
    morph(this.main, [
      h("header", { class: "room-head" },
        h("button", { class: "icon-button", "aria-label": t("waiting.cancel"), onclick: () => this.app.goHome() }, icon("i-back")),
        h("h1", { class: "grow" }, t("waiting.title"))),
      h("section", { class: "sheet" },
        h("p", { class: "waiting-players", role: "status", "data-testid": "waiting" }, alone ? t("waiting.alone") : t("waiting.players", { n: players })),
        h("p", { class: "hint", "data-testid": "waited" }, t("waiting.for", { time: clock(this.waited()) })),
        this.offered ? h("div", { class: "waiting-offer", role: "status" }, h("p", null, t("waiting.offer")),
          h("button", { class: "primary big", "data-testid": "waiting-bots", onclick: () => this.bots() }, t("waiting.bots"))) : null,
        h("button", { class: "quiet start", "data-testid": "waiting-cancel", onclick: () => this.app.goHome() }, t("waiting.cancel")))]);
  }

  waited() {
    return Math.max(0, this.app.now() - (this.app.showing ?? this.source).since);
  }

  /** Called four times a second: the time runs on, and in the end there is an offer. */
  tick() {
    const line = this.main?.querySelector("[data-testid=waited]");
    if (line) line.textContent = t("waiting.for", { time: clock(this.waited()) });
    const { players } = this.app.showing ?? this.source;
    if (!this.offered && players < 2 && this.waited() >= OFFER_AFTER_MS) this.update();
  }

  bots() {
    const { name } = this.source;
    this.app.goHome();
    playNow(this.app, name);
  }

  /** The server has no place for this page in its queue. */
  fail(error) {
    this.app.goHome();
    this.app.page.fail(error);
  }
}
