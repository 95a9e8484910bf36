// The rules at hand: a page of its own, and the same in a window over a match, which goes on meanwhile. Law: the text,
// its pictures and their code are fetched when somebody asks for them; the first page doesn't carry them.

import { openSheet } from "./dialogs.js";
import { h, icon } from "./dom.js";
import * as i18n from "./i18n.js";

const { t } = i18n;

const LINK = /^#rules(?:=(\w+))?$/;

/** The address of the rules, of one game where one is named: `#rules`, `#rules=canfield`. */
export const rulesLink = (game) => (game ? `#rules=${game}` : "#rules");

/** {game} of such an address, undefined where it names none; null if it is another's. */
export function readRulesLink(hash) {
  const found = LINK.exec(hash);
  return found && { game: found[1] };
}

/** Fills `host` with the rules of a game; resolves to what is to be called when they go. */
async function fill(app, host, game) {
  host.replaceChildren(h("p", { class: "hint" }, t("rules.loading")));
  try {
    const [{ Manual }] = await Promise.all([import("./manual.js"), i18n.loadPart("rules")]);
    const manual = new Manual(app, host);
    await manual.open(game);
  } catch {
    host.replaceChildren(h("p", { class: "form-error", role: "alert", "data-testid": "rules-fault" }, t("error.unreachable")),
      h("button", { class: "secondary", "data-testid": "rules-again", onclick: () => fill(app, host, game) }, t("record.again")));
  }
}

/** Opens the rules over the match. */
export function openRules(app) {
  const host = h("div", { class: "manual" });
  openSheet(t("rules"), host, "wide rules-window");
  const { options, game } = app.view?.match ?? {};
  return fill(app, host, options?.mode ?? game);
}

/** The page. */
export class Rules {
  constructor(app) {
    this.app = app;
  }

  mount(root) {
    document.title = t("title.rules");
    const host = h("div", { class: "manual" });
    root.replaceChildren(h("main", { class: "rules-page", tabindex: -1 },
      h("header", { class: "room-head" },
        h("button", { class: "icon-button", "aria-label": t("home.back"), "data-testid": "home", onclick: () => this.app.goHome() }, icon("i-back")),
        h("h1", { class: "grow" }, t("rules")),
        h("button", { class: "icon-button", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear"))),
      host));
    fill(this.app, host, this.app.showing.game);
  }

  /** Settings changed: colours are the style's, and words come with a page anew. */
  update() {}
}
