// The named rules of a game side by side, to be chosen by one press. Law: it shows which one holds and reports what was
// pressed.

import { h } from "./dom.js";
import { gameOf } from "./games.js";
import { t } from "./i18n.js";

/** @param options {game, rule, variant} that hold now, `choose(preset)`; `name` begins the test ids */
export function ruleChips({ game: named, rule, variant }, choose, name) {
  const game = gameOf(named);
  // With jokers or an empty start it is no longer the named rule.
  const plain = !game.added.some((field) => variant?.[field]);
  return h("div", { class: "segments rule-chips", role: "group", "aria-label": t("option.rule") }, Object.keys(game.presets).map((preset) =>
    h("button", { type: "button", class: "segment", "data-testid": `${name}-${preset}`, "aria-pressed": String(plain && preset === rule), title: t(`hint.rule.${game.name}.${preset}`),
      onclick: () => choose(preset) }, t(`rule.${game.name}.${preset}`))));
}
