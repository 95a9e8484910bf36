// The person's settings, remembered in the browser. Law: they change how the page looks and speaks, never the match.

import { openSheet } from "./dialogs.js";
import { h } from "./dom.js";
import { LANGUAGES, current, t } from "./i18n.js";
import * as store from "./seat_store.js";

const SWITCHES = ["interactive", "doubleTap", "placementHelp", "autoPlacement", "fourColours", "largePrint", "sound", "reactions"];

/** Puts theme and card colours on the page. */
export function apply() {
  const { theme, fourColours, largePrint } = store.settings();
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.classList.toggle("four-colours", fourColours);
  document.documentElement.classList.toggle("large-print", largePrint);
}

/** Keeps an automatic theme in step with the system. */
export function followSystem() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
}

/** The language chooser; `onChange(code)`. */
export function languageSelect(onChange) {
  const select = h("select", { "data-testid": "lang", "aria-label": t("setting.language"), class: "lang", onchange: () => onChange(select.value) },
    Object.entries(LANGUAGES).map(([code, label]) => h("option", { value: code, lang: code, selected: code === current() }, label)));
  return select;
}

/** The languages side by side. */
function languageSegments(onChange) {
  return h("div", { class: "segments", role: "radiogroup", "aria-label": t("setting.language") }, Object.entries(LANGUAGES).map(([code, label]) => h("label", null,
    h("input", { type: "radio", name: "language", value: code, "data-testid": `set-lang-${code}`, checked: code === current(), onchange: () => onChange(code) }), h("span", { lang: code }, label))));
}

function switchRow(name, changed) {
  const input = h("input", { type: "checkbox", role: "switch", id: `set-${name}`, "data-testid": `set-${name}`, "aria-describedby": `set-${name}-hint`,
    checked: store.settings()[name], onchange: () => {
      store.remember({ [name]: input.checked });
      apply();
      changed();
    } });
  return h("div", { class: "switch-row" }, h("label", { for: `set-${name}` }, t(`setting.${name}`),
    h("span", { class: "hint", id: `set-${name}-hint` }, t(`setting.${name}.hint`))), input);
}

/** Opens the settings. `onLanguage(code)`, `onRules()`, `changed()` after any other change. */
export function openSettings({ onLanguage, onRules, changed }) {
  const theme = h("div", { class: "segments", role: "radiogroup", "aria-label": t("setting.theme") },
    ["auto", "light", "dark"].map((value) => h("label", null,
      h("input", { type: "radio", name: "theme", value, "data-testid": `theme-${value}`, checked: store.settings().theme === value, onchange: () => {
        store.remember({ theme: value });
        apply();
        changed();
      } }), h("span", null, t(`theme.${value}`)))));
  openSheet(t("settings"), [
    h("div", { class: "setting-row" }, h("span", null, t("setting.language")), languageSegments(onLanguage)),
    h("div", { class: "setting-row" }, h("span", null, t("setting.theme")), theme),
    SWITCHES.map((name) => switchRow(name, changed)),
    h("p", { class: "hint keys" }, t("settings.keys")),
    onRules ? h("button", { class: "secondary", "data-testid": "open-rules", onclick: onRules }, t("rules")) : null,
  ], "settings");
}
