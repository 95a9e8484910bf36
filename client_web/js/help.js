// What plays, shown where the room allows it. Law: it marks what the server offered and knows no rule; what it shows
// follows from the room's `help`, the same for all seats.

import { cardName } from "./cards.js";
import { t } from "./i18n.js";

const SHOWN_MS = 3500;
const NONE = { cards: new Set(), draw: false };

export class Help {
  /** @param changed called when what is marked has changed by itself */
  constructor(app, changed) {
    Object.assign(this, { app, changed, asked: false });
  }

  get mode() {
    return this.app.view.match.options.help ?? "off";
  }

  /** {cards: Set, draw: bool}: what to mark now; the draw only where no card plays. */
  marks() {
    if (this.mode !== "highlight" && !this.asked) return NONE;
    return this.offered();
  }

  offered() {
    const moves = this.app.view.you.moves ?? [];
    const cards = new Set(moves.filter((move) => move.length > 2).map((move) => move[2])
      .filter((card) => !this.app.commands.names(card)));
    return { cards, draw: cards.size === 0 && moves.some((move) => move.length === 2) };
  }

  /** The person asked: mark it for a moment, and say it. */
  ask() {
    if (this.mode !== "hint") return;
    const { cards, draw } = this.offered();
    const names = new Intl.ListFormat(document.documentElement.lang).format([...cards].map(cardName));
    this.app.say(cards.size ? t("help.says", { cards: names }) : t(draw ? "help.draw" : "help.nothing"));
    this.asked = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.forget(), SHOWN_MS);
    this.changed();
  }

  /** Something was done, or it stood there long enough. */
  forget() {
    if (!this.asked) return;
    clearTimeout(this.timer);
    this.asked = false;
    this.changed();
  }
}
