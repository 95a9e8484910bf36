// Mixed games: the order in which holes take them, as a form and in words. Law: it lists what the server's games are and
// gathers what was chosen; whether that can be mixed is for the server to say.

import { h, icon } from "./dom.js";
import { games } from "./games.js";
import { has, t } from "./i18n.js";
import { gameName, gameWords } from "./variants.js";

/** What the choice of the game says where there are several. */
export const MIX = "mix";
/** Two at one table: no game of the list, but a mode of the room. */
export const SPIT = "spit";
/** A game that hides no card: nothing is drawn in it, and boards stay closed until all have ended. */
export const OPEN = "open";
/** A sentence as a room's mode says it: rounds of Spit are no holes. */
export function inMode(mode, key, params) {
  const own = mode === SPIT ? `spit.${key}` : mode === OPEN ? `open.${key}` : key;
  return t(has(own) ? own : key, params);
}
const MOST = 18;

/** All rules that have a name, as {game, rule}. */
const named = () => games().flatMap(({ name, presets }) => Object.keys(presets).map((rule) => ({ game: name, rule })));
const same = (one, other) => one.game === other.game && one.rule === other.rule;

/** One of each game, under its first rule. */
const everyGame = () => games().map(({ name, presets }) => ({ game: name, rule: Object.keys(presets)[0] }));

/** The list in the form: the holes take it from the top, again and again. */
export function mixFields(chosen) {
  const list = h("ol", { class: "mix-list", "data-testid": "mix-list" });
  const add = h("button", { class: "secondary small", type: "button", "data-testid": "mix-add", onclick: () => {
    list.append(row(named()[list.children.length % named().length]));
    number();
    list.lastChild.querySelector("select").focus();
  } }, t("mix.add"));
  const number = () => {
    [...list.children].forEach((item, k) => {
      const [select, remove] = item.querySelectorAll("select, button");
      select.setAttribute("aria-label", t("mix.game", { n: k + 1 }));
      remove.setAttribute("aria-label", t("mix.remove", { n: k + 1 }));
      remove.disabled = list.children.length <= 2;
    });
    add.disabled = list.children.length >= MOST;
  };
  const row = (one) => {
    const all = named().some((other) => same(one, other)) ? named() : [one, ...named()];
    const item = h("li", null,
      h("select", { name: "mix" }, all.map((other) => h("option", { value: `${other.game}:${other.rule}`, selected: same(one, other) }, gameWords(other.game, other)))),
      h("button", { class: "icon-button small", type: "button", onclick: () => {
        item.remove();
        number();
        add.focus();
      } }, icon("i-close")));
    return item;
  };
  list.append(...(chosen?.length ? chosen : everyGame()).map(row));
  number();
  return h("fieldset", { class: "rules mix" }, h("legend", null, t("mix.order")), list, add, h("p", { class: "hint" }, t("hint.mix")));
}

/** What the form says of it, as the wire wants it. */
export const readMix = (data) => data.getAll("mix").map((value) => {
  const [game, rule] = value.split(":");
  return { game, rule };
});

/** The game and the rule of a room, or the names of the games that it mixes. */
export function playedWords(options) {
  if (options.mode === SPIT) return t("game.spit");
  if (!options.mix) return gameWords(options.game, options);
  const names = [...new Set(options.mix.map(({ game }) => gameName(game)))];
  return t("mix.of", { games: new Intl.ListFormat(document.documentElement.lang).format(names) });
}

/** The same in full: the games in their order. */
export const playedList = (options) => (options.mix ? h("ol", { class: "mix-order", "data-testid": "mix-order" }, options.mix.map((one) => h("li", null, gameWords(one.game, one))))
  : playedWords(options));
