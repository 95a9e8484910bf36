// A room's rule in words and as fields of the form. Law: the server names a rule by a preset or by a deal code's
// letters, and tells its fields; here they become words, and choices become what the wire takes.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const PRESETS = ["easy", "classic", "strict"];
const PRESET_OF = { E: "easy", C: "classic", S: "strict" };
/** The fields that a preset decides, and those that may be added to it. */
const DECIDED = ["queen_on_king", "king_ace_joined", "draw_only_when_stuck"];
const ADDED = ["jokers", "empty_start"];
const EASY = { queen_on_king: true, king_ace_joined: true, draw_only_when_stuck: false, jokers: 0, empty_start: false };

const fieldWords = (name, value) =>
  name !== "jokers" ? t(`${name}.${value}`) : value ? t("jokers.count", { n: value }) : t("jokers.none");

/** The preset that a rule goes by, if only jokers and the start differ from it. */
const presetOf = (rule) => (PRESETS.includes(rule) ? rule : PRESET_OF[rule?.[0]]);

/** A rule in words: a preset's name, or each of its fields, and what was added; of a room also that its deals can be won. */
export function ruleWords({ rule, variant, options, winnable = options?.winnable }) {
  const preset = presetOf(rule);
  const added = winnable ? [t("winnable.short")] : [];
  if (!variant) return preset ? t(`rule.${preset}`) : rule;
  const decided = preset ? [t(`rule.${preset}`)] : DECIDED.map((name) => fieldWords(name, variant[name]));
  return [...decided, ...ADDED.filter((name) => variant[name]).map((name) => fieldWords(name, variant[name])), ...added].join(" · ");
}

/** What the rule means, a line for each thing. */
export function ruleHints({ rule, variant }) {
  const preset = presetOf(rule);
  const lines = preset ? [t(`hint.rule.${preset}`)] : [];
  return [...lines, ...ADDED.filter((name) => variant?.[name]).map((name) => t(`hint.${name}`))];
}

function row(name, value, choices) {
  const id = `option-${name}`;
  return h("div", { class: "option" }, h("label", { for: id }, t(`option.${name}`)),
    h("select", { id, name, "data-testid": id, "aria-describedby": `${id}-hint` },
      choices.map((choice) => h("option", { value: String(choice), selected: choice === value }, fieldWords(name, choice)))),
    h("p", { class: "hint", id: `${id}-hint` }, t(`hint.${name}`)));
}

/** The rule's part of the form: the presets, and more rules folded away. */
export function ruleFields({ rule, variant }) {
  const fields = { ...EASY, ...variant };
  const chosen = rule ? presetOf(rule) ?? "own" : variant ? "own" : "easy";
  const tile = (name) => h("label", { class: "tile" },
    h("input", { type: "radio", name: "rule", value: name, checked: name === chosen, "data-testid": `option-rule-${name}` }),
    h("span", { class: "tile-name" }, t(`rule.${name}`)), h("span", { class: "hint" }, t(`hint.rule.${name}`)));
  const own = h("fieldset", { class: "options wide", disabled: chosen !== "own" }, DECIDED.map((name) => row(name, fields[name], [true, false])));
  const more = h("details", { class: "wide", open: chosen === "own" || ADDED.some((name) => fields[name]) },
    h("summary", { "data-testid": "more-rules" }, t("variant.more")),
    h("div", { class: "options" }, row("jokers", fields.jokers, [0, 1, 2]), row("empty_start", fields.empty_start, [false, true]),
      tile("own"), own));
  const all = h("fieldset", { class: "rules", onchange: () => {
    own.disabled = all.querySelector("input[name=rule]:checked").value !== "own";
  } }, h("legend", null, t("option.rule")), h("div", { class: "tiles" }, PRESETS.map(tile)), more);
  return all;
}

/** What the form says of the rule, as the wire wants it: a name with what is added, or all fields. */
export function readRule(data) {
  const rule = data.get("rule");
  const field = (name) => [name, name === "jokers" ? Number(data.get(name)) : data.get(name) === "true"];
  if (rule === "own") return { variant: Object.fromEntries([...DECIDED, ...ADDED].map(field)) };
  return { rule, variant: Object.fromEntries(ADDED.map(field)) };
}
