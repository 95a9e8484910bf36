// A room's options as a form, each explained in a line. Law: it gathers what the person chose and reads deals off
// a text; whether the choice is allowed is for the server to say.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { gameOf, gameOfDeals, games } from "./games.js";
import { MIX, OPEN, SPIT, inMode, mixFields, playedList, readMix } from "./mix.js";
import { rulesLink } from "./rules.js";
import { readRule, ruleFields } from "./variants.js";

export const DEFAULT_OPTIONS = {
  holes: 9, undo: "plays", seats: 4, hole_seconds: 240,
  spectators: "fair", visibility: "private", help: "off", winnable: false, deals: [], format: "stroke", sudden_death: false,
};

const FLAGS = ["winnable"];
const NUMBERS = ["holes", "seats", "hole_seconds"];
/** The options of a room that a round alone has a use for. */
const ROUND = ["holes", "undo", "hole_seconds"];
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const CHOICES = {
  format: ["stroke", "match"],
  holes: range(1, 18),
  undo: ["off", "plays", "all"],
  seats: range(1, 8),
  hole_seconds: [60, 90, 120, 180, 240, 300, 420, 600, 900, 0],
  spectators: ["fair", "live", "off"],
  visibility: ["private", "public"],
  help: ["off", "hint", "highlight"],
  winnable: [false, true],
};

/** One option's value in words, in a room of this mode. */
export function optionWords(name, value, mode) {
  if (name === "holes") return inMode(mode, "holes.count", { n: value });
  if (name === "seats") return t("seats.count", { n: value });
  if (name === "hole_seconds") {
    if (value === 0) return t("hole_seconds.none");
    return value % 60 ? t("hole_seconds.seconds", { n: value }) : t("hole_seconds.minutes", { n: value / 60 });
  }
  return t(`${name}.${value}`);
}

/** The format in words, with what was added to it. */
export const formatWords = ({ format, sudden_death: more }) =>
  [t(`format.${format}`), ...(more ? [t("match.sudden_death")] : [])].join(" · ");

/** Which score decides, in words; where a game has one only, that is all there is to say. */
export function winsLine({ game, scoring, format, mix, mode }) {
  if (mode === "spit") return t("spit.wins");
  const several = Boolean(mix) || gameOf(game).scorings.length > 1;
  return t(format === "match" ? `match.wins.${several ? scoring : "only"}` : `wins.${scoring}.${several ? "line" : "only"}`);
}

/** The line under an option: what the chosen value means. */
function hint(name, value, mode) {
  if (name === "hole_seconds") return inMode(mode, value === 0 ? "hint.hole_seconds.none" : "hint.hole_seconds");
  return inMode(mode, NUMBERS.includes(name) ? `hint.${name}` : `hint.${name}.${value}`);
}

const isJoker = (card) => card.startsWith("*");

/** Deals out of pasted text: a line with a dash is a code; other lines are cards, up to an empty line or the game's decks. */
export function readDeals(text, game) {
  const deals = [];
  let cards = [];
  const flush = () => {
    if (cards.length) deals.push(cards.join(" "));
    cards = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (!trimmed || /[-‐‑–—]/.test(trimmed)) flush();
    if (!trimmed) continue;
    if (/[-‐‑–—]/.test(trimmed)) {
      deals.push(trimmed.replace(/[‐‑–—]/g, "-"));
      continue;
    }
    const words = trimmed.split(/[\s,;]+/).filter(Boolean);
    // Jokers may stand behind the 52 others.
    if (cards.filter((card) => !isJoker(card)).length >= 52 * gameOf(game).decks && !words.every(isJoker)) flush();
    cards.push(...words);
  }
  flush();
  return deals;
}

/** One option with its line of explanation. */
function row(name, value, choices = CHOICES[name]) {
  const id = `option-${name}`;
  const options = choices.map((choice) =>
    h("option", { value: String(choice), selected: choice === value }, optionWords(name, choice)));
  const select = h("select", { id, name, "data-testid": id, "aria-describedby": `${id}-hint` }, options);
  return h("div", { class: "option" }, h("label", { for: id }, t(`option.${name}`)), select, h("p", { class: "hint", id: `${id}-hint` }, hint(name, value)));
}

/** What the form says of each chosen value, as the chosen game says it: of Spit holes are rounds, and in open games nothing is drawn. */
function followMode(box, named) {
  const mode = named === SPIT ? SPIT : gameOf(named).hides ? undefined : OPEN;
  for (const select of box.querySelectorAll("select")) {
    const { name } = select;
    const typed = (value) => (NUMBERS.includes(name) ? Number(value) : value);
    const option = select.closest(".option");
    option.querySelector("label").textContent = inMode(mode, `option.${name}`);
    option.querySelector(".hint").textContent = hint(name, typed(select.value), mode);
    for (const choice of select.options) choice.textContent = optionWords(name, typed(choice.value), mode);
  }
}

/** Match play is for two, and alone can go on when it is level: the form follows the format. */
function followFormat(box) {
  const [format, seats, more, undo, deals, help] = ["format", "seats", "sudden_death", "undo", "deals", "help"].map((name) => box.querySelector(`[name=${name}]`));
  const named = box.parentElement?.querySelector("[name=game]")?.value;
  const isSpit = named === SPIT;
  if (isSpit) format.value = "match";
  for (const field of [format, undo, deals]) field.closest(".option").hidden = isSpit;
  // Its table has no button to ask for help.
  const asked = help.querySelector("[value=hint]");
  asked.hidden = asked.disabled = isSpit;
  if (isSpit && help.value === "hint") help.value = "off";
  const isMatch = format.value === "match";
  more.closest(".option").hidden = !isMatch;
  seats.disabled = isMatch;
  if (isMatch) seats.value = "2";
  box.querySelector("#option-sudden_death-hint").textContent = inMode(named, "hint.sudden_death");
  followMode(box, named);
}

function suddenDeath(chosen) {
  const id = "option-sudden_death";
  return h("div", { class: "option check-option" }, h("label", { for: id }, h("input", { type: "checkbox", id, name: "sudden_death", checked: chosen,
    "data-testid": id, "aria-describedby": `${id}-hint` }), t("option.sudden_death")), h("p", { class: "hint", id: `${id}-hint` }, t("hint.sudden_death")));
}

/** Which game, or several: a row of its own where there are several. */
function gameRow(chosen, changed, spit) {
  if (games().length < 2) return null;
  // What is put together of several says so in its own fields.
  const about = (named) => (games().some(({ name }) => name === named) ? t(`hint.game.${named}`) : "");
  const line = h("p", { class: "hint", id: "option-game-hint" }, about(chosen));
  // In a tab of its own: the form keeps what was chosen, and a room isn't left.
  const rules = h("a", { class: "brief-link", target: "_blank", rel: "noopener", "data-testid": "game-rules" }, t("option.game.rules"));
  const follow = (named) => {
    rules.setAttribute("href", rulesLink(named));
    rules.hidden = named === MIX;
  };
  follow(chosen);
  const select = h("select", { id: "option-game", name: "game", "data-testid": "option-game", "aria-describedby": "option-game-hint", onchange: () => {
    line.textContent = about(select.value);
    follow(select.value);
    changed(select.value);
  } },
    games().map(({ name }) => h("option", { value: name, selected: name === chosen }, t(`game.${name}`))),
    h("option", { value: MIX, selected: chosen === MIX }, t("game.mix")),
    spit ? h("option", { value: SPIT, selected: chosen === SPIT }, t("game.spit")) : null);
  return h("div", { class: "option" }, h("label", { for: "option-game" }, t("option.game")), select, line, rules);
}

/** What belongs to a game alone: which it is, its rules, which score decides and whether deals are solved, where there is a choice. */
function gameFields(value, spit = false) {
  const rules = h("div", { class: "game-rules" });
  const scoring = h("div", { class: "option-slot" });
  const winnable = h("div", { class: "option-slot" });
  const fill = (named, is) => {
    if (named === MIX || named === SPIT) {
      rules.replaceChildren(named === MIX ? mixFields(is.mix) : h("p", { class: "hint" }, t("hint.game.spit")));
      scoring.replaceChildren();
      return winnable.replaceChildren();
    }
    const game = gameOf(named);
    rules.replaceChildren(ruleFields(game, is));
    scoring.replaceChildren(...(game.scorings.length > 1 ? [row("scoring", is.scoring ?? game.scorings[0], game.scorings)] : []));
    return winnable.replaceChildren(...(game.solvable ? [row("winnable", is.winnable ?? false)] : []));
  };
  const chosen = value.mode === SPIT ? SPIT : value.mix && games().length > 1 ? MIX : gameOf(value.game).name;
  fill(chosen, value);
  return { which: gameRow(chosen, (named) => fill(named, {}), spit), rules, scoring, winnable };
}

/** The fields of a round that somebody plays alone; read by `readRoundOptions`. */
export function roundFields() {
  const { which, rules, scoring } = gameFields({});
  const follow = () => followMode(box, which?.querySelector("select").value);
  const box = h("div", { class: "options", onchange: follow }, scoring, ROUND.map((name) => row(name, DEFAULT_OPTIONS[name])));
  which?.addEventListener("change", follow);
  return [which, rules, box];
}

/** What that form says, as the wire wants it. */
export const readRoundOptions = (data) => readChoices(data, ROUND);

function readChoices(data, names) {
  const game = gameOf(data.get("game"));
  const named = data.get("game");
  const options = named === SPIT ? { mode: SPIT } : named === MIX ? { mix: readMix(data) } : { game: game.name, scoring: data.get("scoring") ?? game.scorings[0], ...readRule(game, data) };
  for (const name of names) {
    const value = data.get(name);
    options[name] = NUMBERS.includes(name) ? Number(value) : FLAGS.includes(name) ? value === "true" : value;
  }
  return options;
}

/** The fields of the form, filled from `options`. Put them into a form and read it with `readOptions`. */
export function optionFields(options) {
  const value = { ...DEFAULT_OPTIONS, ...options };
  const deals = h("textarea", { id: "option-deals", name: "deals", rows: 1, spellcheck: "false", autocapitalize: "off",
    autocomplete: "off", "data-testid": "option-deals", "aria-describedby": "option-deals-hint", class: "code" });
  deals.value = value.deals.join("\n");
  const rows = Object.keys(CHOICES).filter((name) => name !== "winnable").map((name) => row(name, value[name]));
  rows.splice(1, 0, suddenDeath(value.sudden_death));
  const { which, rules, scoring, winnable } = gameFields(value, true);
  const box = h("div", { class: "options", onchange: () => followFormat(box) }, scoring, rows, winnable,
    h("div", { class: "option" }, h("label", { for: "option-deals" }, t("option.deals")), deals,
      h("p", { class: "hint", id: "option-deals-hint" }, t("hint.deals"))));
  which?.addEventListener("change", () => followFormat(box));
  queueMicrotask(() => followFormat(box));
  return [which, rules, box];
}

/** Options without another game than that of the typed deals: a code brings its game along, and ends a mix that it isn't of. */
export function forDeals(options, deals) {
  const typed = gameOfDeals(deals);
  if (options.mode === SPIT) {
    const { mode: _, format: __, seats: ___, ...rest } = options;
    return deals.length ? { ...rest, ...(typed ? { game: typed.name } : {}) } : options;
  }
  if (options.mix) {
    const several = deals.some((deal) => gameOfDeals([deal])?.name !== typed?.name);
    const { mix: _, ...rest } = options;
    return !deals.length || several ? options : { ...rest, ...(typed ? { game: typed.name } : {}) };
  }
  if (!typed || typed.name === gameOf(options.game).name) return options;
  const { game: _, rule: __, variant: ___, scoring: ____, ...rest } = options;
  return { ...rest, game: typed.name };
}

/** What the form says, as the wire wants it. */
export function readOptions(form) {
  const data = new FormData(form);
  const options = readChoices(data, Object.keys(CHOICES));
  // A field that is off says nothing: match play has two seats, and sudden death belongs to it.
  if (options.format === "match") Object.assign(options, { seats: 2, sudden_death: data.has("sudden_death") });
  const deals = options.mode === SPIT ? [] : readDeals(String(data.get("deals") ?? ""), data.get("game"));
  const made = { ...forDeals(options, deals), deals };
  if (deals.length) delete made.holes;
  return made;
}

/** The chosen options as short words in a list, for the room and the lobby. */
export function optionSummary(options) {
  const round = (name) => [inMode(options.mode, `option.${name}`), optionWords(name, options[name], options.mode)];
  return [[t(options.mix ? "mix.order" : "option.rule"), playedList(options)], [t("option.format"), formatWords(options)],
    ...(options.mode === SPIT ? ["holes", "hole_seconds", "spectators", "visibility", "help"] : ["holes", "scoring", "undo", "hole_seconds", "spectators", "visibility", "help"]).map(round)];
}
