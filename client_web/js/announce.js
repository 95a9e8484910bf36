// What is said to a screen reader. Law: each thing that happened once, in order, as a whole sentence; what another
// seat did is said when it is a result, not at each card.

import { cardName, isPlace, pileName } from "./cards.js";
import { number, t } from "./i18n.js";
import { holeBegins, holeWords, matchWords } from "./match_play.js";
import { seated } from "./state.js";

const KEPT = 12;

/** Puts a sentence into the log for screen readers; a window that is open has its own, all behind it is silent. */
export function say(page, words) {
  const log = [...document.querySelectorAll("dialog[open] .log")].at(-1) ?? page;
  const line = document.createElement("p");
  line.textContent = words;
  log.append(line);
  while (log.children.length > KEPT) log.firstChild.remove();
}

/** A step of a board as a sentence; `after` is the board that it led to. */
export function stepWords([source, target, ...cards], layout, after) {
  const [card] = cards;
  if (source === target) return t("say.turned", { card: cardName(card), pile: pileName(source, layout) });
  const stock = layout.draw?.source;
  const left = (after[stock] ?? []).length;
  if (source === stock) return t("say.drawn", { card: cardName(cards.at(-1)), n: left });
  // A waste that goes back whole is turned over; a draw that is taken back leaves something.
  if (target === stock && !layout.tap_target && !after[source].length && left === cards.length) return t("say.redealt", { n: left });
  if (target === stock) return t("say.undrawn", { n: left });
  if (!layout.tap_target) {
    return t(cards.length > 1 ? "say.moved.block" : "say.moved", { card: cardName(card), n: cards.length, from: pileName(source, layout), to: pileName(target, layout) });
  }
  if (source === layout.tap_target) return t("say.back", { card: cardName(card), pile: pileName(target, layout) });
  if (isPlace(source)) return t("say.played.place", { card: cardName(card), pile: pileName(source, layout) });
  const uncovered = (after[source] ?? []).at(-1);
  return uncovered ? t("say.played", { card: cardName(card), pile: pileName(source, layout), next: cardName(uncovered) })
    : t("say.played.empty", { card: cardName(card), pile: pileName(source, layout) });
}

/** Sentences for what changed from one view to the next by this frame. */
export function sentences(before, after, frame, layout) {
  if (!before || frame.t !== "e") return [];
  const said = [];
  const mine = after.you.seat;
  const { match } = after;
  // Steps that come with a hole's close were made before; they are not news.
  if (match.phase === "playing" && before.match.phase === "playing") {
    for (const step of frame.moved?.[mine] ?? []) said.push(stepWords(step, layout, after.boards[mine]));
  }
  const [is, was] = [after.seats[mine], before.seats[mine]];
  if (is?.state === "stuck" && was?.state !== "stuck" && !is.ended) said.push(t(after.you.undo ? "stuck.undo" : "stuck"));
  for (const [i, seat] of seated(after)) {
    const was = before.seats[i];
    if (!was || was.bot !== seat.bot) said.push(t("say.joined", { name: seat.name }));
    else if (seat.ended && !was.ended && match.phase !== "lobby") {
      said.push(i === mine ? t(`ended.${seat.state}`, { n: seat.cards_left })
        : t(`say.ended.${seat.state}`, { name: seat.name, n: seat.cards_left }));
    } else if (match.phase === "lobby" && seat.ready && !was.ready && i !== mine) said.push(t("say.ready", { name: seat.name }));
  }
  for (const [i, seat] of seated(before)) if (!after.seats[i]) said.push(t("say.left", { name: seat.name }));
  if (match.phase === before.match.phase) return said;
  if (match.phase === "countdown") said.push(t("say.countdown"));
  if (match.phase === "playing") said.push(holeBegins(match));
  const closed = match.card ?? [];
  const news = closed.length > (before.match.card ?? []).length;
  if (match.standing) {
    if (news) said.push(holeWords(closed.at(-1), after.seats, match.options));
    if (news || match.phase === "ended") said.push(matchWords(after));
  } else if (match.phase === "between") said.push(t("result.title", { n: match.hole }));
  if (match.phase === "ended" && !match.standing) {
    const { scoring } = match.options;
    for (const [, seat] of seated(after)) {
      if (seat.place) said.push(t("say.place", { place: seat.place, name: seat.name, score: number(seat.totals[scoring]) }));
    }
  }
  return said;
}
