// The boards for those who watch: all of them, or one large and the others as lines. Law: leader, thru and gap are
// always in sight; a board that is behind its seat's counts says so, and once why.

import { h, icon, morph } from "./dom.js";
import { number, t, toPar } from "./i18n.js";
import { holeTitle, leftWords, matchWords, seatWords } from "./match_play.js";
import { holeResult, nextRow, podium } from "./results.js";
import { dot, seatCard, stateWord } from "./rivals.js";
import { openScorecard, refreshScorecard } from "./scorecard.js";
import { watchLink } from "./share.js";
import { holeStrip, ranked } from "./standing.js";
import { behind, standings } from "./state.js";
import { gameWords } from "./variants.js";

/** What is shown large: nobody, a seat, or whoever leads. */
const LEADER = "leader";

export class Spectate {
  constructor(app) {
    this.app = app;
    this.large = null;
  }

  keep() {
    return { large: this.large };
  }

  mount(root, _, kept) {
    this.large = kept?.large ?? null;
    document.title = t("title.spectate");
    this.main = h("main", { class: "spectate", tabindex: -1 });
    root.replaceChildren(this.main);
    this.update();
  }

  /** Shows a seat large, the leader, or (null, or the same again) all alike. */
  show(large) {
    this.large = this.large === large ? null : large;
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
    const leads = rows.some(([, , gap]) => gap > 0) ? rows[0]?.[0] : ranked(app.view)[0]?.i;
    const large = this.large === LEADER ? leads : this.large in app.view.seats ? this.large : null;
    const lags = rows.some(([i, seat]) => behind(app.view.boards?.[i], seat, app.layout));
    morph(this.main, [this.head(match, rows),
      match.phase === "between" ? h("div", { class: "result-panel in-page" }, holeResult(app), nextRow(app)) : null,
      this.choices(rows),
      h("div", { class: `all-boards ${large === null ? "" : "has-large"}`, "data-count": rows.length }, rows.map((row) => this.board(row, large))),
      h("footer", { class: "spectate-foot" }, lags && match.options.spectators === "fair" ? h("p", { class: "fair", "data-testid": "fair" }, t("spectate.fair")) : null, watchLink(app))]);
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
        h("p", null, t("spectate.watching", { rule: gameWords(match.game, match) }))),
      h("p", { class: "leader", "data-testid": "leader" }, leading, h("small", null, under)),
      h("p", { class: "spectate-clock", "data-clock": "elapsed" }),
      h("button", { class: "icon-button on-felt", "aria-label": t("scorecard"), "data-testid": "open-scorecard", onclick: () => openScorecard(app) }, icon("i-card")),
      h("button", { class: "icon-button on-felt", "aria-label": t("settings"), "data-testid": "settings", onclick: () => app.openSettings() }, icon("i-gear")));
  }

  choices(rows) {
    if (rows.length < 2) return null;
    const choice = (testid, words, pressed, action) => h("button", { class: "control", "data-testid": testid, "aria-pressed": String(pressed), onclick: action }, words);
    return h("nav", { class: "choices-row", "data-key": "choices" },
      choice("watch-all", t("spectate.overview"), this.large === null, () => this.show(null)),
      choice("watch-leader", t("spectate.follow"), this.large === LEADER, () => this.show(LEADER)));
  }

  board([i, seat, gap], large) {
    const { app } = this;
    const { scoring } = app.view.match.options;
    const gapWords = app.view.match.standing ? seatWords(app.view, i) : seat.totals.thru === 0 ? "" : gap === 0 ? t("spectate.leads") : t("spectate.gap", { n: gap });
    const size = large === null ? "" : large === i ? "is-large" : "is-line";
    return h("article", { class: `watched is-${seat.state} ${seat.ended ? "ended" : ""} ${size}`, "data-key": `w-${i}`, "data-testid": `spectate-board-${i}` },
      h("button", { class: "watched-head", "data-testid": `focus-${i}`, "aria-pressed": String(large === i), "aria-label": t("spectate.focus", { name: seat.name }), onclick: () => this.show(i) },
        dot(app, i), h("strong", { class: "clip" }, seat.name), h("span", { class: "rival-state" }, stateWord(seat)),
        h("span", { class: "line-only" }, seat.cards_left === null ? "" : t("standing.left", { n: seat.cards_left }))),
      h("p", { class: "standing" }, h("small", null, t("total")), h("b", null, number(seat.totals[scoring])), h("span", { class: "to-par" }, seat.totals.thru ? toPar(seat.totals.to_par) : ""),
        h("span", { class: "gap" }, gapWords)),
      h("div", { class: "watched-body" }, holeStrip(app.view, i, seat), seatCard(app, i, seat)));
  }

  tick() {
    const { match } = this.app.view;
    const clock = this.main.querySelector("[data-clock=elapsed]");
    if (clock) clock.textContent = this.app.clockWords(match);
    const number = this.main.querySelector("[data-seconds=starts]");
    if (number) number.textContent = this.app.secondsTo(match.starts_at);
  }
}
