// The rules of each game as sections of text with pictures. Law: a game is here because the dictionaries of rules/ have
// sentences for it: rules.<game>.name, and rules.<game>.<section>.title and .text in reading order, a line of the text a
// paragraph. Pictures come from rules/<game>.json where there is one; what they show is checked against the server's rules.

import { figureOf } from "./figures.js";
import { h } from "./dom.js";
import { has, keys, t } from "./i18n.js";

/** The games, and modes of a room, that have rules in words, in the order of the dictionary. */
export const games = () => keys().map((key) => /^rules\.(\w+)\.name$/.exec(key)?.[1]).filter(Boolean);

/** A game's sections by name, in reading order. */
const sections = (game) => keys().map((key) => new RegExp(`^rules\\.${game}\\.(\\w+)\\.title$`).exec(key)?.[1]).filter(Boolean);

async function json(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

export class Manual {
  constructor(app, host) {
    Object.assign(this, { app, host });
  }

  /** Shows a game's rules; of one that has none, the first game's. Rejects if they can't be fetched. */
  async open(wanted) {
    const all = games();
    const game = all.includes(wanted) ? wanted : all[0];
    const pictured = await this.pictures(game);
    const others = all.length < 2 ? null : h("nav", { class: "manual-games", "aria-label": t("rules.games") }, all.map((name) =>
      h("button", { class: name === game ? "primary" : "secondary", "aria-current": name === game ? "page" : null, onclick: () => this.open(name) }, t(`rules.${name}.name`))));
    const names = sections(game);
    const jump = (name) => {
      const heading = this.host.querySelector(`#rules-${name}`);
      heading.scrollIntoView({ block: "start" });
      heading.focus({ preventScroll: true });
    };
    this.host.replaceChildren(...[others,
      h("nav", { class: "manual-jumps", "aria-label": t("rules.sections") }, h("ul", null, names.map((name) =>
        h("li", null, h("button", { class: "quiet small", onclick: () => jump(name) }, t(`rules.${game}.${name}.title`)))))),
      ...names.map((name) => this.section(game, name, pictured))].filter(Boolean));
  }

  /** {data, layout} of a game with pictures, null for one without. A table that no board of the page lays out brings its own layout. */
  async pictures(game) {
    if (!figureOf(game)) return null;
    const data = await json(`/rules/${game}.json`);
    return { data, layout: data.layout ?? await json(`/layouts/${game}.json`) };
  }

  section(game, name, pictured) {
    const key = `rules.${game}.${name}`;
    const figure = pictured && figureOf(game)[name];
    const text = has(`${key}.text`) ? t(`${key}.text`).split("\n") : [];
    return h("section", { class: "sheet manual-section", "aria-labelledby": `rules-${name}`, "data-testid": `rules-${name}` },
      h("h2", { id: `rules-${name}`, tabindex: -1 }, t(`${key}.title`)), text.map((line) => h("p", null, line)),
      figure ? figure(this.app, pictured) : null);
  }
}
