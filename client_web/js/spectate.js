// All boards at once, for those who watch. Law: leader, thru and gap are always in sight; a board that is behind
// its seat's counts says so.

import { h, icon, morph } from "./dom.js";
import { number, t, toPar } from "./i18n.js";
import { holeTitle, leftWords, matchWords, seatWords } from "./match_play.js";
import { holeResult, nextRow, podium } from "./results.js";
import { dot, seatCard, stateWord } from "./rivals.js";
import { openScorecard, refreshScorecard } from "./scorecard.js";
import { standings } from "./state.js";
import { ruleWords } from "./variants.js";

export class Spectate {
  constructor(app) {
    this.app = app;
  }

  mount(root) {
    document.title = t("title.spectate");
    this.main = h("main", { class: "spectate", tabindex: -1 });
    root.replaceChildren(this.main);
    this.update();
  }

  update() {
    const { app } = this;
    const { match } = app.view;
    refreshScorecard(app);
    const rows = standings(app.view);
    if (match.phase === "ended") {
      morph(this.main, [h("div", { class: "result-panel ended" }, podium(app))]);
      return;
    }
    morph(this.main, [this.head(match, rows),
      match.phase === "between" ? h("div", { class: "result-panel in-page" }, holeResult(app), nextRow(app)) : null,
      h("div", { class: "all-boards", "data-count": rows.length }, rows.map((row) => this.board(row)))]);
    this.tick();
  }

  head(match, rows) {
    const { app } = this;
    const { scoring } = match.options;
    const leaders = rows.filter(([, , gap]) => gap === 0);
    const thru = Math.max(0, ...rows.map(([, seat]) => seat.totals.thru));
    const under = match.standing ? leftWords(match.standing) : `${t("spectate.thru", { n: thru })} · ${t(`wins.${scoring}`)}`;
    const second = rows.find(([, , gap]) => gap > 0);
    const leading = match.standing ? matchWords(app.view) : thru === 0 || leaders.length === rows.length ? t("spectate.level")
      : leaders.length > 1 ? t("spectate.tied", { n: leaders.length })
        : t("spectate.leader", { name: leaders[0][1].name, n: second ? second[2] : 0 });
    return h("header", { class: "spectate-head" },
      h("button", { class: "icon-button on-felt", "aria-label": t("home.back"), onclick: () => app.goHome() }, icon("i-back")),
      h("div", { class: "spectate-title" }, h("h1", null, holeTitle(match)),
        h("p", null, t("spectate.watching", { rule: ruleWords(match) }))),
      h("p", { class: "leader", "data-testid": "leader" }, leading, h("small", null, under)),
      h("p", { class: "spectate-clock", "data-clock": "elapsed" }),
      h("button", { class: "icon-button on-felt", "aria-label": t("scorecard"), "data-testid": "open-scorecard", onclick: () => openScorecard(app) }, icon("i-card")),
      h("button", { class: "icon-button on-felt", "aria-label": t("settings"), "data-testid": "settings", onclick: () => app.openSettings() }, icon("i-gear")));
  }

  board([i, seat, gap]) {
    const { app } = this;
    const { scoring } = app.view.match.options;
    const gapWords = app.view.match.standing ? seatWords(app.view, i) : seat.totals.thru === 0 ? "" : gap === 0 ? t("spectate.leads") : t("spectate.gap", { n: gap });
    return h("article", { class: `watched is-${seat.state} ${seat.ended ? "ended" : ""}`, "data-key": `w-${i}`, "data-testid": `spectate-board-${i}` },
      h("header", null, dot(app, i), h("strong", { class: "clip" }, seat.name), h("span", { class: "rival-state" }, stateWord(seat))),
      h("p", { class: "standing" }, h("small", null, t("total")), h("b", null, number(seat.totals[scoring])), h("span", { class: "to-par" }, seat.totals.thru ? toPar(seat.totals.to_par) : ""),
        h("span", { class: "gap" }, gapWords)),
      seatCard(app, i, seat));
  }

  tick() {
    const { match } = this.app.view;
    const clock = this.main.querySelector("[data-clock=elapsed]");
    if (clock) clock.textContent = this.app.clockWords(match);
    const number = this.main.querySelector("[data-seconds=starts]");
    if (number) number.textContent = this.app.secondsTo(match.starts_at);
  }
}
