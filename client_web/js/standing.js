// Who stands where just now. Law: closed holes are the server's sums; the open one counts as if it ended as it stands,
// which every heading says; a seat's holes are a strip of what each came to.

import { botIcon } from "./bots.js";
import { h, icon, morph } from "./dom.js";
import { number, t, toPar } from "./i18n.js";
import { leftWords, seatWords } from "./match_play.js";
import { places, seated } from "./state.js";

const MOVE_MS = 260;

/** Seats with their score so far, the open hole as it stands, best first: [{i, seat, score, place}]. */
export function ranked(view) {
  const { phase, options: { scoring } } = view.match;
  const rows = seated(view).map(([i, seat]) => ({ i, seat, score: seat.totals[scoring] + (phase === "playing" ? seat[scoring] ?? 0 : 0) }));
  const rank = places(rows.map((row) => row.score), scoring === "traditional");
  return rows.map((row, k) => ({ ...row, place: rank[k] })).sort((a, b) => a.place - b.place || a.i - b.i);
}

/** Holes are won, not added up: places say nothing. */
const inMatchPlay = (view) => view.match.options.format === "match";

/** "Place 2 of 4" for a seat; nothing alone, in match play, or before a first card was played. */
export function placeWords(view, i) {
  if (inMatchPlay(view)) return "";
  const rows = ranked(view);
  const mine = rows.find((row) => row.i === i);
  if (!mine || rows.length < 2 || rows.every((row) => row.place === 1)) return "";
  return t("place.of", { place: mine.place, n: rows.length });
}

/** Where the viewer's seat stands, for the bar: in match play by holes, else its place. */
export function standsLine(view) {
  const { match: { standing }, you } = view;
  if (!standing) return h("span", { class: "my-place", "data-testid": "my-place" }, placeWords(view, you.seat));
  return standing.over ? null : h("span", { class: "stands", "data-testid": "stands" }, seatWords(view, you.seat), " · ", leftWords(standing));
}

/** What a hole came to, against par: perfect, under, par, over or far; "" where there is no par. */
export function worth(score, par) {
  if (!par) return "";
  if (score.traditional <= 0) return "perfect";
  if (score.traditional < par) return "under";
  if (score.traditional === par) return "even";
  return score.traditional <= 2 * par ? "over" : "far";
}

/** A seat's holes in a row: what the closed ones came to, the open one outlined, those to come as dots. */
export function holeStrip(view, i, seat) {
  const { match } = view;
  const { holes, scoring } = match.options;
  const par = match.par / holes;
  const byHole = new Map((match.card ?? []).map((record) => [record.hole, record.scores[i]]));
  const squares = Array.from({ length: Math.max(holes, match.hole) }, (_, k) => {
    const score = byHole.get(k + 1);
    const now = k + 1 === match.hole && match.phase === "playing";
    return h("span", { class: score ? `square ${worth(score, par)}` : `square ${now ? "now" : "to-come"}` }, score ? number(score[scoring]) : now ? "·" : "");
  });
  const said = (match.card ?? []).map(({ hole, scores }) => (scores[i] ? t("strip.hole", { n: hole, score: number(scores[i][scoring]) }) : null)).filter(Boolean);
  return h("div", { class: "strip", role: "img", "data-holes": holes > 9 ? "many" : "few",
    "aria-label": t("strip.says", { name: seat.name, holes: said.length ? said.join(", ") : "–" }) }, squares);
}

function row(app, { i, seat, score, place }, open) {
  const { match, you } = app.view;
  const online = app.offlineSince(i) === null;
  return h("li", { class: i === you.seat ? "mine" : "", "data-key": `lb-${i}`, "data-testid": `standing-${i}`, "data-place": place },
    h("span", { class: "place" }, place),
    seat.ghost ? h("span", { class: "ghost-mark", role: "img", "aria-label": t("ghost") }, icon("i-ghost"))
      : h("span", { class: `dot ${online ? "on" : "off"}`, role: "img", "aria-label": t(online ? "presence.online" : "presence.offline") }),
    h("span", { class: "name clip" }, botIcon(seat), seat.name),
    h("span", { class: "thru" }, open && !seat.ended && seat.cards_left !== null ? t("standing.left", { n: seat.cards_left }) : ""),
    h("span", { class: "to-par" }, match.options.scoring === "traditional" && seat.totals.thru ? toPar(seat.totals.to_par) : ""),
    h("b", null, number(score)));
}

/** Lets rows that changed their place glide there; whatever interrupts it finds them where they are. */
function glide(list, before) {
  for (const item of list.children) {
    const was = before.get(item.dataset.key);
    const moved = was === undefined ? 0 : was - item.offsetTop;
    if (moved) item.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
  }
}

/** Draws the standing into `host`; nothing for one alone or where holes are not added up. */
export function drawStanding(app, host) {
  const { view } = app;
  const rows = ranked(view);
  host.hidden = rows.length < 2 || inMatchPlay(view);
  if (host.hidden) return void host.replaceChildren();
  const old = host.querySelector(".leaderboard");
  const still = !old || matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Asking where rows are makes the browser lay the page out, so it is asked only where something will glide.
  const before = still ? null : new Map([...old.children].map((item) => [item.dataset.key, item.offsetTop]));
  const open = view.match.phase === "playing";
  morph(host, [h("h2", null, t("standing")), h("ol", { class: "leaderboard", "data-testid": "leaderboard" }, rows.map((one) => row(app, one, open))),
    h("p", { class: "hint" }, t(open ? "standing.open" : `wins.${view.match.options.scoring}.line`))]);
  if (before) glide(host.querySelector(".leaderboard"), before);
}
