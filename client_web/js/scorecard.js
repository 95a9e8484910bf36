// The scorecard: holes down, seats across, both scores against par, the deciding one leading. Law: closed holes
// only; sums are the server's.

import { openSheet } from "./dialogs.js";
import { h, morph } from "./dom.js";
import { gameOf } from "./games.js";
import { number, t, toPar } from "./i18n.js";
import { watchLink } from "./share.js";
import { drawStanding } from "./standing.js";
import { seated } from "./state.js";

/** The name of a way a hole ended, as a word. */
export const howWord = (how) => t(`how.${how}`);

/** A score pair in the room's order: the deciding one large, the other small, each with its name for readers. */
export function scorePair(scoring, { traditional, app }) {
  const pair = { traditional: number(traditional), app: number(app) };
  const other = scoring === "app" ? "traditional" : "app";
  return [h("span", { class: "lead-score", title: t(`scoring.${scoring}`) }, pair[scoring]),
    h("span", { class: "other-score", title: t(`scoring.${other}`) }, pair[other])];
}

/** "−7 thru 4". */
export const runningWords = ({ to_par: value, thru }) => (thru ? t("thru", { par: toPar(value), n: thru }) : t("thru.none"));

/** Which score decides, in words; where a game has one only, that is all there is to say. */
export const winsLine = ({ game, scoring }) => t(`wins.${scoring}.${gameOf(game).scorings.length > 1 ? "line" : "only"}`);

/** Strokes over the best with their sign; they are never under it. */
const over = (strokes) => h("span", { class: "over-best", title: t("best.over") }, strokes > 0 ? `+${number(strokes)}` : number(strokes));

function cell(record, i, { game, scoring }, best) {
  const score = record?.scores?.[i];
  if (!score) return h("td", { class: "open" }, "·");
  const { par } = gameOf(game);
  const under = score.traditional < par;
  return h("td", { class: `${under ? "under" : ""} ${par && score.traditional <= 0 ? "perfect" : ""}`, title: howWord(score.how) }, scorePair(scoring, score),
    best === undefined ? null : over(score.traditional - best));
}

/** The table for a view. */
export function scorecard(view) {
  const { match, you } = view;
  const { scoring } = match.options;
  const seats = seated(view);
  const holes = Array.from({ length: match.options.holes }, (_, k) => k + 1);
  const byHole = new Map((match.card ?? []).map((record) => [record.hole, record]));
  const best = match.best ?? {};
  const solved = Object.keys(best).length > 0;
  const sum = Object.values(best).reduce((all, strokes) => all + strokes, 0);
  const codes = (match.card ?? []).filter((record) => record.code);
  return h("div", { class: "scorecard", "data-testid": "scorecard" },
    h("p", { class: "hint" }, winsLine(match.options)),
    h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": t("scorecard") },
      h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, t("hole.short")),
        solved ? h("th", { scope: "col", class: "best-head" }, t("best.short")) : null,
        seats.map(([i, seat]) => h("th", { scope: "col", class: i === you.seat ? "mine" : "", title: seat.name }, h("span", { class: "clip" }, seat.name))))),
      h("tbody", null, holes.map((hole) => h("tr", { class: hole === match.hole && !byHole.has(hole) ? "now" : "", "data-key": `hole-${hole}` },
        h("th", { scope: "row" }, hole), solved ? h("td", { class: "best-cell" }, best[hole] === undefined ? "·" : number(best[hole])) : null,
        seats.map(([i]) => cell(byHole.get(hole), i, match.options, best[hole]))))),
      h("tfoot", null,
        h("tr", { class: "total" }, h("th", { scope: "row" }, t("total")), solved ? h("td", { class: "best-cell" }, number(sum)) : null, seats.map(([, seat]) => h("td", null, scorePair(scoring, seat.totals)))),
        h("tr", { class: "par-row" }, h("th", { scope: "row" }, t("par.short")), solved ? h("td", null) : null, seats.map(([, seat]) => h("td", null,
          h("span", { class: "to-par" }, seat.totals.thru ? toPar(seat.totals.to_par) : "–")))),
        solved ? h("tr", { "data-testid": "over-best" }, h("th", { scope: "row" }, t("best.over.short")), h("td", null), seats.map(([, seat]) => h("td", null,
          seat.totals.over_best === null ? "–" : over(seat.totals.over_best)))) : null))),
    codes.length ? h("details", null, h("summary", null, t("scorecard.codes")),
      h("ul", { class: "codes" }, codes.map((record) => h("li", { "data-key": record.hole },
        t("hole.n", { n: record.hole }), " ", h("span", { class: "code" }, record.code))))) : null);
}

/** Opens the card in a window, which follows the match until it is closed. */
export function openScorecard(app) {
  const body = h("div", { class: "scorecard-window" });
  fill(body, app);
  openSheet(t("scorecard"), body, Object.keys(app.view.seats).length > 4 ? "wide" : "");
}

/** Brings an open window up to date. */
export function refreshScorecard(app) {
  const body = document.querySelector("dialog[open] .scorecard-window");
  if (body) fill(body, app);
}

function fill(body, app) {
  const standing = body.querySelector(".standing-panel") ?? h("section", { class: "standing-panel", "data-key": "standing" });
  if (!standing.isConnected) body.prepend(standing);
  drawStanding(app, standing);
  const rest = body.querySelector(".card-panel") ?? h("div", { class: "card-panel" });
  if (!rest.isConnected) body.append(rest);
  const { phase } = app.view.match;
  morph(rest, [scorecard(app.view), phase === "ended" || phase === "lobby" ? null : watchLink(app)]);
}
