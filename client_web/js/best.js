// The best line of a hole beside what was played: two boards, one place in both. Law: no rules; it draws steps that it
// was given, from the server or out of a record, and a place that was asked for is said once.

import { stepWords } from "./announce.js";
import { openSheet } from "./dialogs.js";
import { h, icon, morph } from "./dom.js";
import { gameIn, layoutOf } from "./games.js";
import { number, t } from "./i18n.js";
import { miniBoard } from "./mini.js";
import { dealt, stepsOf } from "./replay.js";
import { moveCards, seated } from "./state.js";

/** The boards from a deal on, one more than there are actions; an action is a list of steps. */
function walk(piles, actions, layout) {
  const boards = [piles];
  const words = [t("best.deal")];
  for (const steps of actions) {
    const board = moveCards(boards.at(-1), steps);
    boards.push(board);
    words.push(stepWords(steps.at(-1), layout, board));
  }
  return { boards, words };
}

/** What the stepper shows, from the server's answer: {hole, strokes, best, seats: [{name, mine, strokes, boards, words}]}. */
function fromAnswer({ hole, strokes, piles, line, plays }, { view, layout }) {
  const scores = view.match.card.find((closed) => closed.hole === hole)?.scores ?? {};
  const seats = seated(view).filter(([i]) => plays[i]).map(([i, seat]) => ({ name: seat.name, mine: i === view.you.seat,
    strokes: scores[i]?.traditional, ...walk(piles, plays[i], layout) }));
  return { hole, strokes, layout, best: walk(piles, line.map((step) => [step]), layout), seats };
}

/** The same from a record's hole. */
function fromRecord(record, hole, layout) {
  const stock = layout.draw?.source; // it lay face down, though the record knows it
  const full = dealt(hole, layout);
  const piles = { ...full, [stock]: (full[stock] ?? []).map(() => "?") };
  const seats = record.seats.filter(({ seat }) => hole.seats[seat]).map(({ seat, name }) => {
    let board = piles;
    const actions = hole.seats[seat].moves.map((move) => {
      const steps = stepsOf(move, board, layout);
      board = moveCards(board, steps);
      return steps;
    });
    return { name, mine: false, strokes: hole.seats[seat].result?.traditional, ...walk(piles, actions, layout) };
  });
  return { hole: hole.hole, layout, strokes: hole.best.strokes, best: walk(piles, hole.best.line.map((step) => [step]), layout), seats };
}

class Stepper {
  constructor(app, shown) {
    Object.assign(this, { app, shown, at: 0 });
    this.seat = Math.max(0, shown.seats.findIndex(({ mine }) => mine));
    this.boards = h("div", { class: "best-boards" });
    this.place = h("output", { class: "best-place", "data-testid": "best-place" });
    const button = (name, label, to) => h("button", { class: "control", type: "button", "data-testid": `best-${name}`, "aria-label": label, title: label,
      onclick: () => this.go(to()) }, icon(`i-${name}`));
    this.element = h("div", { class: "best-steps" }, this.boards,
      h("div", { class: "transport-buttons best-buttons" }, button("hole-back", t("best.first"), () => 0), button("step-back", t("replay.back"), () => this.at - 1), this.place,
        button("step-on", t("replay.on"), () => this.at + 1), button("hole-on", t("best.last"), () => this.last())),
      h("p", { class: "hint keys" }, t("best.keys")));
    this.draw();
  }

  last() {
    return Math.max(this.shown.best.boards.length, this.shown.seats[this.seat]?.boards.length ?? 0) - 1;
  }

  go(to) {
    this.at = Math.max(0, Math.min(this.last(), to));
    this.draw();
    this.app.say(`${t("best.step", { n: this.at, all: this.last() })} ${this.words(this.shown.best)}`);
  }

  words({ words }) {
    return words[Math.min(this.at, words.length - 1)];
  }

  side(title, { boards }, said, head) {
    return h("article", { class: "watched best-side" }, h("header", null, head), miniBoard(this.shown.layout, boards[Math.min(this.at, boards.length - 1)], title),
      h("p", { class: "best-words" }, said));
  }

  draw() {
    const { best, strokes, seats } = this.shown;
    const seat = seats[this.seat];
    const choice = seats.length > 1 ? h("select", { "aria-label": t("best.whose"), "data-testid": "best-seat", onchange: (event) => {
      this.seat = Number(event.target.value);
      this.go(this.at);
    } }, seats.map(({ name }, i) => h("option", { value: i, selected: i === this.seat }, name))) : h("strong", { class: "clip" }, seat?.name);
    morph(this.boards, [
      this.side(t("best.line"), best, this.words(best), [h("strong", null, t("best.line")), h("b", { "data-testid": "best-strokes" }, number(strokes))]),
      seat ? this.side(t("board.of", { name: seat.name }), seat, this.words(seat), [choice, h("b", null, seat.strokes === undefined ? "" : number(seat.strokes))]) : null]);
    this.place.textContent = t("best.step", { n: this.at, all: this.last() });
  }

  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last() }[event.key];
    event.stopPropagation(); // a replay behind it has the same keys
    if (to === undefined || event.target.closest("select")) return;
    event.preventDefault();
    this.go(to);
  }
}

function open(app, shown) {
  const stepper = new Stepper(app, shown);
  const dialog = openSheet(t("best.title", { n: shown.hole }), stepper.element, "wide best-window");
  dialog.addEventListener("keydown", (event) => event.key !== "Escape" && stepper.key(event));
}

/** Opens the stepper with what the server answered. */
export const openBest = (app, answer) => open(app, fromAnswer(answer, app));

/** Opens the stepper for a hole of a record that has its best. */
export const openRecordBest = (app, record, hole) => open(app, fromRecord(record, hole, layoutOf(gameIn(record, hole))));

/** The line under a hole's results: the best possible, and the way to step through it. */
export function bestLine(app, hole) {
  const { match } = app.view;
  const strokes = match.best?.[hole];
  if (strokes === undefined) return null;
  const ask = () => app.connection.send({ t: "best" });
  return h("p", { class: "best-line", "data-testid": "best-line" }, h("span", null, t("best.possible"), " ", h("b", null, number(strokes))),
    hole === match.hole ? h("button", { class: "secondary small", type: "button", "data-testid": "open-best", onclick: ask }, t("best.open")) : null);
}
