// A few words among those who are in the match. Law: what is said is one of a fixed set, shown in the reader's own
// language for a moment and kept nowhere; who mutes them neither sees nor hears them.

import { h, icon, morph } from "./dom.js";
import { t } from "./i18n.js";
import * as store from "./seat_store.js";

const WORDS = ["hello", "good_luck", "well_played", "wow", "ouch", "so_close", "thinking", "thanks"];
const SHOWN_MS = 4000;
const MOST = 3;
const MENU = "reaction-menu";

export class Reactions {
  constructor(app, element) {
    Object.assign(this, { app, element, shown: [] });
  }

  /** A seat said something; what it said before gives way. */
  heard({ seat, reaction }) {
    const name = this.app.view?.seats[seat]?.name;
    if (!name || !WORDS.includes(reaction) || !store.settings().reactions) return;
    const words = t(`reaction.${reaction}`);
    const mine = seat === this.app.view.you.seat;
    const one = { seat, name, words, mine };
    this.shown = [...this.shown.filter((other) => other.seat !== seat), one].slice(-MOST);
    if (!mine) {
      this.app.say(t("reaction.says", { name, words }));
      this.app.sounds.play("reaction");
    }
    setTimeout(() => {
      this.shown = this.shown.filter((other) => other !== one);
      this.draw();
    }, SHOWN_MS);
    this.draw();
  }

  forget() {
    this.shown = [];
    this.draw();
  }

  draw() {
    this.element.hidden = this.shown.length === 0;
    morph(this.element, this.shown.map(({ seat, name, words, mine }) => h("p", { class: mine ? "mine" : "", "data-key": `said-${seat}-${words}`, "data-testid": `said-${seat}` },
      h("b", null, name), " ", words)));
  }
}

/** The button and its menu for a seat; for those who can't say anything, nothing. */
export function reactionMenu(app, className = "") {
  const { view } = app;
  if (view.you.role !== "seat" || view.match.options.seats === 1) return null;
  const say = (reaction) => {
    document.getElementById(MENU)?.hidePopover?.();
    app.connection.send({ t: "react", reaction });
  };
  return h("div", { class: "reactions", "data-key": "reactions" },
    h("button", { class: `icon-button ${className}`, popovertarget: MENU, "aria-label": t("reactions"), "data-testid": "reactions" }, icon("i-talk")),
    h("div", { class: "reaction-menu", id: MENU, popover: "auto" },
      WORDS.map((word) => h("button", { class: "secondary", "data-testid": `react-${word}`, onclick: () => say(word) }, t(`reaction.${word}`)))));
}
