// What a hole and a match came to. Law: numbers and places are the server's; ties share a place; the code and the
// stock appear when the server has shown them.

import { bestLine } from "./best.js";
import { cardWord } from "./cards.js";
import { beatLink, courseLink } from "./course_links.js";
import { copyText } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { number, t, toPar } from "./i18n.js";
import { holeWords, isMatchPlay, leftWords, matchWords, seatWords, wonWords } from "./match_play.js";
import { inMode } from "./mix.js";
import { winsLine } from "./options.js";
import { recordLink } from "./record_file.js";
import { howWord, scorePair, scorecard } from "./scorecard.js";
import { copyResult } from "./share.js";
import { places, seated } from "./state.js";
import { gameName } from "./variants.js";
import { verifiedLine } from "./verified.js";
import { notReady } from "./waiting.js";

/** A deal's code with a button that copies it. */
export function codeLine(app, code) {
  if (!code) return null;
  const copy = async (event) => {
    const done = await copyText(event.currentTarget.parentElement.querySelector(".code"));
    app.say(t(done ? "code.copied" : "room.copy.select"));
  };
  return h("p", { class: "code-line" }, h("span", { class: "hint" }, t("code")), h("span", { class: "code", "data-testid": "code" }, code),
    h("button", { class: "icon-button", "aria-label": t("code.copy"), onclick: copy }, icon("i-copy")));
}

function resultRows(view, record) {
  const { scoring } = view.match.options;
  const rows = seated(view).filter(([i]) => record.scores[i]).map(([i, seat]) => ({ i, seat, score: record.scores[i] }));
  // A hole of match play is won or halved; who gave it up has lost it with any score.
  const rank = isMatchPlay(view) ? rows.map((row) => (record.winner === null || record.winner === row.i ? 1 : 2))
    : places(rows.map((row) => row.score[scoring]), scoring === "traditional");
  return rows.map((row, k) => ({ ...row, place: rank[k] })).sort((a, b) => a.place - b.place || a.i - b.i);
}

/** The panel between two holes (and after the last, above the podium). */
export function holeResult(app) {
  const { view } = app;
  const { match, you } = view;
  const record = (match.card ?? []).at(-1);
  if (!record) return null;
  const rows = resultRows(view, record);
  const { scoring } = match.options;
  const alone = rows.length === 1;
  const waits = match.phase === "between" && match.options.seats > 1;
  return h("section", { class: "result", "data-testid": "hole-result", "aria-label": t("results"), tabindex: -1 },
    h("h2", null, match.standing ? holeWords(record, view.seats, match.options) : t("result.title", { n: record.hole }), match.options.mix ? h("small", { class: "hole-game" }, gameName(record.game)) : null),
    match.standing ? h("p", { class: "match-stands", "data-testid": "match-stands" }, matchWords(view), match.standing.over ? null : h("small", null, leftWords(match.standing, match.options))) : null,
    h("ol", { class: "result-list" }, rows.map(({ i, seat, score, place }) => h("li", { "data-key": `r-${i}`, class: i === you.seat ? "mine" : "" },
      alone ? null : h("span", { class: "place" }, place),
      h("span", { class: "who" }, h("strong", null, seat.name, seat.ghost ? h("small", { class: "tag" }, t("ghost")) : null),
        h("small", null, match.options.mode && score.how === "done" ? null : [howWord(score.how), " · "], score.cards_left ? t("result.left", { n: score.cards_left }) : t("result.stock", { n: score.stock }))),
      h("span", { class: "counts" }, match.options.mode ? null : h("small", null, t("result.moves", { n: score.moves })), score.undos ? h("small", null, t("result.undos", { n: score.undos })) : null),
      h("span", { class: "scores" }, scorePair(scoring, score)),
      match.standing ? h("span", { class: "so-far" }, seatWords(view, i))
        : h("span", { class: "so-far" }, h("small", null, t("total")), number(seat.totals[scoring]), h("small", { class: "to-par" }, toPar(seat.totals.to_par))),
      waits ? h("span", { class: `next-mark ${seat.next ? "yes" : ""}`, role: "img",
        "aria-label": t(seat.next ? "seat.ready" : "seat.not_ready") }, seat.next ? icon("i-check") : null) : null))),
    h("p", { class: "hint" }, winsLine(match.options)),
    match.course?.open ? h("p", { class: "hint" }, t("course.closed")) : null,
    bestLine(app, record.hole),
    match.options.mode ? null : codeLine(app, record.code),
    record.stock?.length ? h("p", { class: "stock-line" }, h("span", { class: "hint" }, t("result.stock_was")), record.stock.map((card) => cardWord(card))) : null);
}

/** The line under it: ready for the next hole, and when it starts by itself. */
export function nextRow(app) {
  const { view } = app;
  const { match, you } = view;
  const mine = view.seats[you.seat];
  const alone = match.options.seats === 1;
  const waits = match.starts_at ? h("p", { class: "hint", role: "timer" }, t(match.options.mode ? "spit.next.in" : "next.in"), " ", h("b", { "data-seconds": "starts" }, app.secondsTo(match.starts_at))) : null;
  if (!mine) return waits ? h("div", { class: "next-row" }, waits) : null;
  return h("div", { class: "next-row" }, mine.next && (!alone || match.options.winnable) ? h("p", { class: "hint", "data-testid": "next-waiting" }, waitsFor(app)) : h("button", { class: "primary big", "data-testid": "next",
    onclick: () => app.send({ t: "next", hole: match.hole }) }, t(match.options.mode ? "spit.next" : alone ? "next.alone" : "next")), waits);
}

function waitsFor(app) {
  const names = notReady(app);
  if (!names && app.view.match.options.winnable) return t("winnable.seeking");
  return names ? t("next.waiting.for", { names }) : t("next.waiting");
}

function step(view, [i, seat], scoring) {
  return h("li", { class: `step place-${Math.min(seat.place ?? 9, 4)} ${i === view.you.seat ? "mine" : ""}`, "data-key": `step-${i}`, "data-testid": `podium-${i}`, "data-place": seat.place },
    h("span", { class: "medal" }, seat.place), h("strong", { class: "who" }, seat.name),
    view.match.standing ? h("span", { class: "won-holes" }, wonWords(view, i)) : h("span", { class: "scores" }, scorePair(scoring, seat.totals)),
    h("span", { class: "to-par" }, view.match.standing ? seatWords(view, i) : toPar(seat.totals.to_par)));
}

/** The end of the match: places, the card, and once more. */
export function podium(app) {
  const { view } = app;
  const { match, you } = view;
  const { scoring } = match.options;
  const ranked = seated(view).filter(([, seat]) => seat.place !== null && seat.place !== undefined)
    .sort((a, b) => a[1].place - b[1].place || a[0] - b[0]);
  const winners = ranked.filter(([, seat]) => seat.place === 1).map(([, seat]) => seat.name);
  const alone = ranked.length === 1;
  const title = match.standing ? matchWords(view) : alone ? t("podium.alone", { n: number(ranked[0][1].totals[scoring]) })
    : winners.length === 1 ? t("podium.winner", { name: winners[0] }) : t("podium.tie", { names: new Intl.ListFormat(document.documentElement.lang).format(winners) });
  return h("section", { class: "podium", "data-testid": "podium", tabindex: -1, "aria-label": t("results") },
    h("h2", null, title),
    h("p", { class: "hint" }, match.par ? [t("podium.par", { n: match.par }), " "] : null, winsLine(match.options)),
    h("ol", { class: "steps" }, ranked.map((row) => step(view, row, scoring))),
    h("div", { class: "actions" }, followRow(app), match.card?.length && !match.options.mode ? copyResult(app) : null,
      match.hole && !match.course?.open ? h("a", { class: "link-button secondary", "data-testid": "record-link", href: recordLink(match.id) }, inMode(match.options.mode, "record.open")) : null,
      you.role === "seat" && match.hole && !match.course && !match.options.mode ? h("a", { class: "link-button secondary", "data-testid": "beat-link", href: beatLink(match.id, you.seat) }, t("course.beat")) : null,
      h("button", { class: "quiet", "data-testid": "go-home", onclick: () => app.goHome() }, t("home.back"))),
    match.card?.length && !alone ? h("details", { class: "last-hole" }, h("summary", null, t(match.options.mode ? "spit.last" : "podium.last")), holeResult(app)) : null,
    h("h3", null, t("scorecard")), scorecard(view),
    match.course?.open ? h("p", { class: "hint" }, t("course.closed")) : verifiedLine(app),
    match.commitment ? h("details", null, h("summary", null, t("sealed")), h("p", { class: "hint" }, t("sealed.hint")), h("p", { class: "code small-code" }, match.commitment)) : null,
    you.role === "spectator" ? h("p", { class: "hint" }, t("podium.watching")) : null);
}

function followRow(app) {
  const { match, you } = app.view;
  if (match.course) return h("a", { class: "link-button primary", "data-testid": "course-link", href: courseLink(match.course.id) }, t("course.to_table"));
  const alone = seated(app.view).length === 1;
  if (match.next) {
    return h("button", { class: "primary big", "data-testid": "rematch", onclick: () => app.follow() }, t(you.role === "seat" ? "rematch.follow" : "rematch.watch"));
  }
  if (you.role !== "seat") return null;
  return h("button", { class: "primary big", "data-testid": "rematch", onclick: () => app.rematch() }, t(alone ? "rematch.alone" : "rematch"));
}
