// The scorecard: holes down, seats across, both scores against par, the deciding one leading; eighteen holes in two
// nines, match play with the holes won. Law: closed holes only; sums and winners are the server's.

import { openSheet } from "./dialogs.js";
import { h, morph } from "./dom.js";
import { gameOf } from "./games.js";
import { number, seatName, t, toPar } from "./i18n.js";
import { isMatchPlay, matchWords, seatWords, standingAfter, standingWords } from "./match_play.js";
import { winsLine } from "./options.js";
import { watchLink } from "./share.js";
import { drawStanding } from "./standing.js";
import { OTHER, seated } from "./state.js";
import { gameName } from "./variants.js";

const NINE = 9;
const ROUND = 18;

/** The name of a way a hole ended, as a word. */
export const howWord = (how) => t(`how.${how}`);

/** A score pair in the room's order: the deciding one large, the other small, each with its name for readers. */
export function scorePair(scoring, scores) {
  const other = OTHER[scoring];
  // What several games pay has no sum.
  const apart = scoring === "points" && "thru" in scores;
  return [h("span", { class: "lead-score", title: t(`scoring.${scoring}`) }, number(scores[scoring])),
    apart ? null : h("span", { class: "other-score", title: t(`scoring.${other}`) }, number(scores[other]))];
}

/** "−7 thru 4". */
export const runningWords = ({ to_par: value, thru }) => (thru ? t("thru", { par: toPar(value), n: thru }) : t("thru.none"));

/** How a seat stands so far: in match play by holes, else against par. */
export const standsWords = (view, i) => (isMatchPlay(view) ? seatWords(view, i) : runningWords(view.seats[i].totals));

/** Strokes over the best with their sign; they are never under it. */
export const over = (strokes) => h("span", { class: "over-best", title: t("best.over") }, strokes > 0 ? `+${number(strokes)}` : number(strokes));

function cell(view, record, i, best) {
  const { game, mix, mode, scoring } = view.match.options;
  const par = mix || mode ? 0 : gameOf(game).par;
  const score = record?.scores?.[i];
  if (!score) return h("td", { class: "open" }, "·");
  const came = !isMatchPlay(view) ? null : record.winner === null ? "halved" : record.winner === i ? "won" : "lost";
  const under = score.traditional < par;
  return h("td", { class: `${under ? "under" : ""} ${par && score.traditional <= 0 ? "perfect" : ""} ${came ?? ""}`, title: howWord(score.how) },
    scorePair(scoring, score), best === undefined ? null : over(score.traditional - best), came ? h("i", { class: "unseen" }, t(`match.mark.${came}`)) : null);
}

/** How the match stood after a hole, from the viewer's seat; for who watches with the leader's name. */
function stood(view, hole) {
  const { you, seats, match } = view;
  const standing = standingAfter(match.card, hole, match.options);
  if (seats[you.seat]) return standingWords(standing, you.seat);
  return standing.leader === null ? t("match.square") : `${seatName(seats[standing.leader])} ${t("match.up", { n: standing.up })}`;
}

/** Where games are mixed, the hole's own; of those to come too. */
function holeGame({ options: { mix } }, hole) {
  return mix ? h("small", { class: "hole-game" }, gameName(mix[(hole - 1) % mix.length].game)) : null;
}

/** A row under the holes: what it is called, of the best if that was found, and of each seat. */
function footRow(view, name, ofBest, ofSeat, props = {}) {
  return h("tr", props, h("th", { scope: "row" }, name), isSolved(view) ? h("td", { class: "best-cell" }, ofBest) : null,
    seated(view).map(([, seat]) => h("td", null, ofSeat(seat))), isMatchPlay(view) ? h("td", null) : null);
}

/** Whether the bests stand beside what was made: among mixed games they are of some holes, and of another scale. */
const isSolved = ({ match }) => !match.options.mix && Object.keys(match.best ?? {}).length > 0;

/** What the best of these holes add up to, of those where it was found. */
function bestSum(view, holes) {
  const found = holes.map((hole) => view.match.best?.[hole]).filter((strokes) => strokes !== undefined);
  return found.length ? number(found.reduce((all, strokes) => all + strokes, 0)) : "–";
}

/** The parts of a card: all holes, or two nines; behind them those of sudden death. */
function parts({ match }) {
  const { holes } = match.options;
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, k) => from + k);
  const round = holes === ROUND ? [{ name: "card.out", nine: 0, holes: range(1, NINE) }, { name: "card.in", nine: 1, holes: range(NINE + 1, ROUND) }]
    : [{ holes: range(1, holes) }];
  const last = Math.max(match.hole ?? 0, (match.card ?? []).length);
  round.at(-1).last = last <= holes;
  return last > holes ? [...round, { title: "match.sudden_death", holes: range(holes + 1, last), last: true }] : round;
}

function head(view) {
  return h("thead", null, h("tr", null, h("th", { scope: "col" }, t(view.match.options.mode ? "spit.round.short" : "hole.short")),
    isSolved(view) ? h("th", { scope: "col", class: "best-head" }, t("best.short")) : null,
    seated(view).map(([i, seat]) => h("th", { scope: "col", class: i === view.you.seat ? "mine" : "", title: seat.name }, h("span", { class: "clip" }, seat.name))),
    isMatchPlay(view) ? h("th", { scope: "col" }, t("card.match")) : null));
}

function foot(view, part) {
  const { scoring } = view.match.options;
  const sums = (of) => (seat) => (of(seat).thru ? scorePair(scoring, of(seat)) : "–");
  const all = Object.keys(view.match.best ?? {});
  return h("tfoot", null,
    part.name ? footRow(view, t(part.name), bestSum(view, part.holes), sums((seat) => seat.nines[part.nine]), { class: "nine" }) : null,
    part.last ? [footRow(view, t("total"), bestSum(view, all), sums((seat) => seat.totals), { class: "total" }),
      footRow(view, t("par.short"), "", (seat) => h("span", { class: "to-par" }, seat.totals.thru ? toPar(seat.totals.to_par) : "–"), { class: "par-row" }),
      isSolved(view) ? footRow(view, t("best.over.short"), "", (seat) => (seat.totals.over_best === null ? "–" : over(seat.totals.over_best)), { "data-testid": "over-best" }) : null] : null);
}

function table(view, part) {
  const { match } = view;
  const best = match.best ?? {};
  const byHole = new Map((match.card ?? []).map((record) => [record.hole, record]));
  return h("table", null, part.title ? h("caption", null, t(part.title)) : null, head(view),
    h("tbody", null, part.holes.map((hole) => h("tr", { class: hole === match.hole && !byHole.has(hole) ? "now" : "", "data-key": `hole-${hole}` },
      h("th", { scope: "row" }, hole, holeGame(match, hole)), isSolved(view) ? h("td", { class: "best-cell" }, best[hole] === undefined ? "·" : number(best[hole])) : null,
      seated(view).map(([i]) => cell(view, byHole.get(hole), i, isMatchPlay(view) ? undefined : best[hole])),
      isMatchPlay(view) ? h("td", { class: "stood" }, h("span", { class: "clip" }, byHole.has(hole) ? stood(view, hole) : "·")) : null))), foot(view, part));
}

/** The card for a view. */
export function scorecard(view) {
  const { match } = view;
  const codes = (match.card ?? []).filter((record) => record.code);
  const shown = parts(view);
  return h("div", { class: `scorecard ${isMatchPlay(view) ? "of-match" : ""}`, "data-testid": "scorecard" },
    match.standing && !match.standing.over ? h("p", { class: "card-stands" }, matchWords(view)) : null,
    h("p", { class: "hint" }, winsLine(match.options)),
    h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": t("scorecard") },
      h("div", { class: "card-parts", "data-parts": seated(view).length > 3 ? 1 : shown.length }, shown.map((part) => table(view, part)))),
    codes.length && !match.options.mode ? h("details", null, h("summary", null, t("scorecard.codes")),
      h("ul", { class: "codes" }, codes.map((record) => h("li", { "data-key": record.hole },
        t("hole.n", { n: record.hole }), " ", h("span", { class: "code" }, record.code))))) : null);
}

/** Opens the card in a window, which follows the match until it is closed. */
export function openScorecard(app) {
  const body = h("div", { class: "scorecard-window" });
  fill(body, app);
  openSheet(t("scorecard"), body, Object.keys(app.view.seats).length > 4 || app.view.match.options.holes === ROUND ? "wide" : "");
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
