// A game to go through, position by position. Law: the moves stand in the data with what is published of them; a step is
// said once, by whoever asked for it.

import { stepWords } from "./announce.js";
import { cardName, pileName } from "./cards.js";
import { h, icon, morph } from "./dom.js";
import { t } from "./i18n.js";
import { miniBoard } from "./mini.js";
import { moveCards } from "./state.js";

/** A deal's piles as they are laid out, the stock's top card last; `hidden` is the stock. */
export function dealt({ columns = [], places = [], face_down: down = {}, waste, stock }, layout) {
  const hidden = layout.draw.source;
  const inRows = places.map((card, i) => [`place.${i + 1}`, [down[`place.${i + 1}`] ? "?" : card]]);
  const board = { ...Object.fromEntries([...columns.map((cards, i) => [`column.${i + 1}`, cards]), ...inRows]), waste, [hidden]: [...stock].reverse() };
  return { hidden, board: { ...board, [hidden]: stock.map(() => "?") }, open: board };
}

export class Steps {
  /** @param pictured {data, layout} of the game; `data.deal` as in rules/golf.json */
  constructor(app, { data, layout }) {
    Object.assign(this, { app, layout, deal: data.deal, at: 0 });
    const { open, hidden } = dealt(data.deal, layout);
    this.hidden = hidden;
    this.positions = [{ board: open, step: null }];
    for (const [source, target] of data.deal.line) {
      const { board } = this.positions.at(-1);
      const step = [source, target, board[source].at(-1)];
      this.positions.push({ board: moveCards(board, [step]), step });
    }
    this.build();
    this.draw();
  }

  build() {
    const last = this.positions.length - 1;
    const button = (name, picture, label, to) => h("button", { class: "control", type: "button", "data-testid": `steps-${name}`, "aria-label": label, title: label, onclick: () => this.go(to()) }, icon(picture));
    this.picture = h("div", { class: "figure-board" });
    this.words = h("p", { class: "steps-words", "data-testid": "steps-words" });
    this.source = h("p", { class: "hint", "data-testid": "steps-source" });
    this.cards = h("ul", { class: "codes" });
    this.slider = h("input", { type: "range", class: "scrub", min: 0, max: last, step: 1, value: 0, "data-testid": "steps-slider", "aria-label": t("rules.step.slider"),
      oninput: () => this.go(Number(this.slider.value)) });
    this.element = h("div", { class: "manual-steps", role: "group", "aria-label": t("rules.golf.deal.title"), onkeydown: (event) => this.key(event) },
      this.picture, this.words, this.source, this.slider,
      h("div", { class: "transport-buttons" }, button("first", "i-hole-back", t("rules.step.first"), () => 0), button("back", "i-step-back", t("replay.back"), () => this.at - 1),
        button("on", "i-step-on", t("replay.on"), () => this.at + 1), button("last", "i-hole-on", t("rules.step.last"), () => last)),
      h("details", null, h("summary", null, t("rules.step.words")), this.cards), h("p", { class: "hint keys" }, t("rules.step.keys")));
  }

  /** Goes to a position, and says it; on the slider a reader says it by itself. */
  go(wanted) {
    const at = Math.max(0, Math.min(this.positions.length - 1, wanted));
    if (at === this.at) return;
    this.at = at;
    this.draw();
    if (document.activeElement !== this.slider) this.app.say(this.slider.getAttribute("aria-valuetext"));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target === this.slider) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.positions.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  /** What of this step is published, and what is ours. */
  sourceWords() {
    const { at, deal } = this;
    const drawn = this.positions.slice(1, at + 1).filter(({ step }) => step[0] === this.hidden).length;
    if (deal.positions_published.includes(at)) return t("rules.step.position");
    if (deal.moves_published.includes(at)) return t("rules.step.move");
    return t(this.positions[at].step[0] === this.hidden && drawn > deal.stock_cards_published ? "rules.step.card" : "rules.step.ours");
  }

  draw() {
    const { board, step } = this.positions[this.at];
    const { hidden, layout } = this;
    const shown = { ...board, [hidden]: board[hidden].map(() => "?") };
    const words = step ? t("rules.step.at", { n: this.at, all: this.positions.length - 1, words: stepWords(step, layout, board) }) : t("rules.step.start");
    const source = this.sourceWords();
    morph(this.picture, [miniBoard(layout, shown, words)]);
    this.words.textContent = words;
    this.source.textContent = source;
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", `${words} ${source}`);
    const list = new Intl.ListFormat(document.documentElement.lang, { type: "unit" });
    morph(this.cards, layout.reading.filter((pile) => pile !== hidden && shown[pile]?.length).map((pile) =>
      h("li", { "data-key": pile }, t("rules.step.pile", { pile: pileName(pile, layout), cards: list.format(shown[pile].map(cardName)) }))));
  }
}
