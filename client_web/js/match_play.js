// Match play in golf's own words: "2 up", "dormie", "3&2". Law: the server's numbers become whole sentences; who won
// a hole and how the match stands is told, never worked out from scores.

import { seatName, t } from "./i18n.js";
import { inMode } from "./mix.js";

/** Whether a view's match is played hole by hole. */
export const isMatchPlay = (view) => view.match.options.format === "match";

/** Whether the holes are rounds of Spit. */
const isSpit = ({ mode }) => mode === "spit";

/** Holes that a seat is ahead (+) or behind (−). */
const leadOf = ({ leader, up }, seat) => (leader === null ? 0 : leader === seat ? up : -up);

/** How it stands for a seat: "2 up", "3 down", "all square", "dormie". */
export function standingWords(standing, seat) {
  const lead = leadOf(standing, seat);
  if (lead === 0) return t("match.square");
  if (lead > 0 && standing.dormie) return t("match.dormie", { n: lead });
  return t(lead > 0 ? "match.up" : "match.down", { n: Math.abs(lead) });
}

/** How many holes are to play, or that the next one won decides. */
export const leftWords = ({ left, over }, options = {}) => (over ? "" : left ? t(isSpit(options) ? "spit.to_play" : "match.to_play", { n: left }) : t("match.sudden_death"));

/** What a match that is over came to, short: "3&2", "1 up", "hole 20", "halved". */
export function resultWords(standing, { holes, mode }) {
  const { winner, conceded, up, left, thru } = standing;
  if (conceded !== null) return t("match.result.conceded");
  if (winner === null) return t("match.result.halved");
  if (left > 0) return t("match.result.early", { up, left });
  return thru > holes ? inMode(mode, "match.result.extra", { n: thru }) : t("match.up", { n: up });
}

/** For a seat's row: how it stands for it, and at the end what the match came to for the winner. */
export function seatWords(view, seat) {
  const { standing, options } = view.match;
  if (!standing) return "";
  if (!standing.over) return standingWords(standing, seat);
  if (standing.conceded === seat) return t("match.result.conceded");
  return standing.winner === seat && standing.conceded === null || standing.winner === null ? resultWords(standing, options) : "";
}

/** How many of the closed holes a seat has won. */
export const wonWords = ({ match }, seat) => t(isSpit(match.options) ? "spit.rounds_won" : "match.holes_won", { n: (match.card ?? []).filter((record) => record.winner === seat).length });

/** How the match stands or ended, as a sentence for everybody. */
export function matchWords({ match, seats }) {
  const { standing, options } = match;
  if (!standing) return "";
  const name = (seat) => (seats[seat] ? seatName(seats[seat]) : "");
  const { leader, up, left, thru, over, winner, conceded } = standing;
  if (!over) {
    if (leader === null) return t("match.all_square");
    return standing.dormie ? t("match.leads.dormie", { name: name(leader), n: up }) : t("match.leads", { name: name(leader), n: up });
  }
  if (conceded !== null) return t("match.won.conceded", { name: name(winner), other: name(conceded) });
  if (winner === null) return t("match.halved");
  if (left > 0) return t("match.won.early", { name: name(winner), up, left });
  return thru > options.holes ? inMode(options.mode, "match.won.extra", { name: name(winner), n: thru }) : t("match.won.up", { name: name(winner), n: up });
}

/** Who won a closed hole, as a sentence. */
export function holeWords({ hole, winner }, seats, options = {}) {
  if (isSpit(options)) return winner === null ? t("spit.halved", { n: hole }) : t("spit.won", { n: hole, name: seats[winner] ? seatName(seats[winner]) : "" });
  return winner === null ? t("match.hole.halved", { n: hole }) : t("match.hole.won", { n: hole, name: seats[winner] ? seatName(seats[winner]) : "" });
}

/** The standing after the first holes of a card: only their winners are counted. */
export function standingAfter(card, count, options) {
  const winners = card.slice(0, count).map((record) => record.winner).filter((winner) => winner !== null && winner !== undefined);
  const [first] = winners;
  const lead = winners.reduce((sum, winner) => sum + (winner === first ? 1 : -1), 0);
  const leader = lead === 0 ? null : lead > 0 ? first : winners.find((winner) => winner !== first);
  const [up, left] = [Math.abs(lead), Math.max(0, options.holes - count)];
  return { leader, up, left, thru: count, dormie: up > 0 && up === left, over: false, winner: null, conceded: null };
}

/** The title of a hole: its number of so many, or that it is one of sudden death. */
export function holeTitle({ hole, options }) {
  if (isSpit(options)) return t("spit.round", { n: hole });
  return hole > options.holes ? t("hole.extra", { n: hole }) : t("hole.of", { n: hole, holes: options.holes });
}

/** The sentence with which a hole begins; where games are mixed, of which game it is. */
export function holeBegins({ hole, options, game }) {
  if (isSpit(options)) return t("spit.round", { n: hole });
  if (options.mix) return t("say.hole.mix", { n: hole, game: t(`game.${game}`) });
  return hole > options.holes ? t("say.hole.extra", { n: hole }) : t("say.hole", { n: hole, holes: options.holes });
}
