// A room's rule in words and as fields of the form. Law: the server names a rule by a preset or by a deal code's
// letters, and tells its fields and what each may be; here they become words, and choices become what the wire takes.

import { h } from "./dom.js";
import { gameOf, games } from "./games.js";
import { t } from "./i18n.js";

const fieldWords = (name, value) =>
  typeof value === "boolean" ? t(`${name}.${value}`) : value ? t(`${name}.count`, { n: value }) : t(`${name}.none`);

/** The fields that a preset decides: all but those that may be added to it. */
const decidedOf = ({ fields, added }) => Object.keys(fields).filter((name) => !added.includes(name));

/** The preset that a rule goes by, if only what may be added differs from it. */
function presetOf(game, { rule, variant }) {
  if (rule in game.presets || !variant) return rule in game.presets ? rule : undefined;
  const decided = decidedOf(game);
  return Object.keys(game.presets).find((name) => decided.every((field) => game.presets[name][field] === variant[field]));
}

/** Whether a rule can be put together that no preset names. */
const hasOwn = (game) => decidedOf(game).reduce((n, name) => n * game.fields[name].length, 1) > Object.keys(game.presets).length;

/** A rule in words: a preset's name, or each of its fields, and what was added; of a room also that its deals can be won. */
export function ruleWords(named, { rule, variant, options, winnable = options?.winnable }) {
  const game = gameOf(named);
  const preset = presetOf(game, { rule, variant });
  if (!variant) return preset ? t(`rule.${game.name}.${preset}`) : rule;
  const decided = preset ? [t(`rule.${game.name}.${preset}`)] : decidedOf(game).map((name) => fieldWords(name, variant[name]));
  return [...decided, ...game.added.filter((name) => variant[name]).map((name) => fieldWords(name, variant[name])), ...(winnable ? [t("winnable.short")] : [])].join(" · ");
}

/** The game's name and its rule; the name is left out where there is one game only. */
export const gameWords = (named, is) => [gameName(named), ruleWords(named, is)].filter(Boolean).join(" · ");

/** The game's name, where the server has more than one. */
export const gameName = (named) => (games().length > 1 ? t(`game.${gameOf(named).name}`) : "");

/** What the rule means, a line for each thing. */
export function ruleHints({ game: named, rule, variant }) {
  const game = gameOf(named);
  const preset = presetOf(game, { rule, variant });
  const lines = preset ? [t(`hint.rule.${game.name}.${preset}`)] : [];
  return [...lines, ...game.added.filter((name) => variant?.[name]).map((name) => t(`hint.${name}`))];
}

function row(name, value, choices) {
  const id = `option-${name}`;
  return h("div", { class: "option" }, h("label", { for: id }, t(`option.${name}`)),
    h("select", { id, name, "data-testid": id, "aria-describedby": `${id}-hint` },
      choices.map((choice) => h("option", { value: String(choice), selected: choice === value }, fieldWords(name, choice)))),
    h("p", { class: "hint", id: `${id}-hint` }, t(`hint.${name}`)));
}

/** The rule's part of a game's form: the presets, and more rules folded away where there are more. */
export function ruleFields(game, { rule, variant }) {
  const [first] = Object.keys(game.presets);
  const fields = { ...game.presets[first], ...variant };
  const chosen = rule || variant ? presetOf(game, { rule, variant }) ?? (hasOwn(game) && variant ? "own" : first) : first;
  const tile = (name, words) => h("label", { class: "tile" },
    h("input", { type: "radio", name: "rule", value: name, checked: name === chosen, "data-testid": `option-rule-${name}` }),
    h("span", { class: "tile-name" }, t(`rule.${words}`)), h("span", { class: "hint" }, t(`hint.rule.${words}`)));
  const own = hasOwn(game) ? h("fieldset", { class: "options wide", disabled: chosen !== "own" },
    decidedOf(game).map((name) => row(name, fields[name], game.fields[name]))) : null;
  const more = own || game.added.length ? h("details", { class: "wide", open: chosen === "own" || game.added.some((name) => fields[name]) },
    h("summary", { "data-testid": "more-rules" }, t("variant.more")),
    h("div", { class: "options" }, Object.keys(game.fields).filter((name) => game.added.includes(name)).map((name) => row(name, fields[name], game.fields[name])),
      own ? [tile("own", "own"), own] : null)) : null;
  const all = h("fieldset", { class: "rules", onchange: () => {
    if (own) own.disabled = all.querySelector("input[name=rule]:checked").value !== "own";
  } }, h("legend", null, t("option.rule")), h("div", { class: "tiles" }, Object.keys(game.presets).map((name) => tile(name, `${game.name}.${name}`))), more);
  return all;
}

/** What the form says of the rule, as the wire wants it: a name with what is added, or all fields. */
export function readRule(game, data) {
  const rule = data.get("rule");
  const field = (name) => [name, game.fields[name].find((choice) => String(choice) === data.get(name))];
  if (rule === "own") return { variant: Object.fromEntries(Object.keys(game.fields).map(field)) };
  return { rule, variant: Object.fromEntries(game.added.map(field)) };
}
