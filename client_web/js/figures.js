// The pictures of the rules. Law: they show what rules/<game>.json says, card by card; which card plays where is
// written there and checked against the server's rules, nothing is worked out here.

import { cardName, cardPicture } from "./cards.js";
import { h, icon } from "./dom.js";
import { has, number, t } from "./i18n.js";
import { miniBoard } from "./mini.js";
import { Steps, dealt } from "./steps.js";

const PRESETS = ["easy", "classic", "strict"];

const mark = (yes) => h("span", { class: `mark is-${yes ? "yes" : "no"}` }, icon(yes ? "i-check" : "i-close"), h("span", null, t(yes ? "rules.yes" : "rules.no")));

/** A game's deal as it is laid out. */
function table(_, { data, layout }) {
  const { board } = dealt(data.deal, layout);
  return h("div", { class: "figure-board" }, miniBoard(layout, board, t("rules.step.start")));
}

/** A sentence of the pictures, as the game says it where it has its own. */
const said = (game, key, params) => t(has(`rules.${game}.${key}`) ? `rules.${game}.${key}` : `rules.${key}`, params);

/** A card beside the one that it is played on, and what comes of it. */
function play(card, on, yes, words, under = false) {
  return h("li", { class: yes ? "is-yes" : "is-no" },
    h("span", { class: "pair", "aria-hidden": "true" }, h("span", { class: under ? "is-under" : "" }, cardPicture(card)), icon("i-on"), cardPicture(on)),
    h("span", { class: "figure-words" }, icon(yes ? "i-check" : "i-close"), h("span", null, words)));
}

/** Cards beside the one on the waste, or on a heap that is named: what plays, what is refused and why. */
function plays(_, { data: { game, plays: { on: waste, cards } } }) {
  return h("ul", { class: "figure-plays" }, cards.map(([card, how, on = waste]) => {
    const names = { card: cardName(card), on: cardName(on) };
    return play(card, on, how === "plays", how === "plays" ? said(game, "plays", names) : said(game, "refused", { ...names, why: t(`refused.${how}`) }), how === "blocked");
  }));
}

/** Two cards for one heap: who was first, and what becomes of the other. */
function race(_, { data: { race: { on, first, late, refused } } }) {
  return h("ul", { class: "figure-plays" },
    play(first, on, true, t("rules.spit.race.first", { card: cardName(first), on: cardName(on) })),
    play(late, first, false, t("rules.spit.race.late", { card: cardName(late), top: cardName(first), why: t(`refused.${refused}`) })));
}

/** Both sides of a table for two, and the heaps between them. */
function sides(_, { data, layout }) {
  const [near, far] = data.deal.boards.map((board, i) => Object.entries(board).map(([pile, cards]) => [`${["near", "far"][i]}.${pile}`, cards]));
  const board = { ...Object.fromEntries([...near, ...far]), ...Object.fromEntries(data.deal.tops.map((card, i) => [`heap.${i + 1}`, [card]])) };
  return h("div", { class: "figure-board" }, miniBoard(layout, board, t("rules.step.start")));
}

/** What a round comes to by the cards that both have left. */
function rounds(_, { data }) {
  const head = [t("rules.spit.mine"), t("rules.spit.theirs"), t("rules.spit.comes_to")];
  return h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": t("rules.spit.end.title") }, h("table", { class: "figure-table" },
    h("thead", null, h("tr", null, head.map((words) => h("th", { scope: "col" }, words)))),
    h("tbody", null, data.rounds.map(([mine, theirs, came]) => h("tr", null, h("td", null, number(mine)), h("td", null, number(theirs)), h("td", null, t(`rules.spit.came.${came}`)))))));
}

/** Which end of the row joins under which rule. */
function kings(_, { data }) {
  const row = (title, values) => h("tr", null, h("th", { scope: "row" }, title), values.map((yes) => h("td", null, mark(yes))));
  return h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": t("rules.golf.kings.title") }, h("table", { class: "figure-table" },
    h("thead", null, h("tr", null, h("td", null), PRESETS.map((name) => h("th", { scope: "col" }, t(`rule.golf.${name}`))))),
    h("tbody", null, data.joins.map(([card, on, ...values]) => row(t(`rules.join.${card[0]}${on[0]}`), values)), row(t("rules.draw_with_play"), data.draw_with_play))));
}

/** What a hole comes to. */
function scores(_, { data }) {
  const head = [t("rules.left"), t("rules.stock"), t("scoring.traditional"), t("scoring.app")];
  return h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": t("rules.golf.score.title") }, h("table", { class: "figure-table" },
    h("thead", null, h("tr", null, head.map((words) => h("th", { scope: "col" }, words)))),
    h("tbody", null, data.scores.map((row) => h("tr", null, row.map((value) => h("td", null, number(value))))))));
}

const inRows = { table, play: plays, score: scores };

const FIGURES = {
  tri_peaks: inRows,
  pyramid_golf: inRows,
  spit: { table: sides, play: plays, race, end: rounds },
  golf: { table, play: plays, kings, score: scores, deal: (app, pictured) => new Steps(app, pictured).element },
};

/** The pictures of a game by section, undefined if it has none: (app, {data, layout}) => element. */
export const figureOf = (game) => FIGURES[game];
