// The named rules side by side, to be chosen by one press. Law: it shows which one holds and reports what was pressed.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { PRESETS, presetOf } from "./variants.js";

/** @param options {rule, variant} that hold now, `choose(preset)`; `name` begins the test ids */
export function ruleChips({ rule }, choose, name) {
  // The letters of a rule with jokers or an empty start begin with its preset's: it is not that preset.
  const now = PRESETS.includes(rule) || rule?.length === 1 ? presetOf(rule) : null;
  return h("div", { class: "segments rule-chips", role: "group", "aria-label": t("option.rule") }, PRESETS.map((preset) =>
    h("button", { type: "button", class: "segment", "data-testid": `${name}-${preset}`, "aria-pressed": String(preset === now), title: t(`hint.rule.${preset}`),
      onclick: () => choose(preset) }, t(`rule.${preset}`))));
}
