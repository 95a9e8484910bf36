// What the page knows. Law: pure functions from what the server said; no rules of any game, no page, no socket.
// `fold` over the frames of a match gives, at every version, the server's own view for this viewer.

import { seatName } from "./i18n.js";

/** The score that stands small beside the deciding one: of mixed games, the hole's own. */
export const OTHER = { traditional: "app", app: "traditional", points: "app" };

/** Applies steps [source, target, card, ...] to a board: as many cards as are listed leave the end of source. */
export function moveCards(board, steps) {
  const moved = { ...board };
  for (const [source, target, ...cards] of steps) {
    const from = moved[source] ?? [];
    moved[source] = from.slice(0, Math.max(0, from.length - cards.length));
    moved[target] = [...(moved[target] ?? []), ...cards];
  }
  return moved;
}

/** The view after one frame ("snapshot" or "e"). Never changes the view it was given. */
export function fold(view, frame) {
  if (frame.t === "snapshot") return frame.view;
  const next = { ...view };
  if (frame.match) next.match = { ...next.match, ...frame.match };
  if (frame.card) next.match = { ...next.match, card: [...(next.match.card ?? []), ...frame.card] };
  if (frame.seats) {
    next.seats = { ...next.seats };
    for (const [seat, change] of Object.entries(frame.seats)) {
      if (change === null) delete next.seats[seat];
      else next.seats[seat] = { ...next.seats[seat], ...change };
    }
  }
  if (frame.boards) next.boards = frame.boards; // a new hole: whoever left has none
  if (frame.moved) {
    next.boards = { ...next.boards };
    for (const [seat, steps] of Object.entries(frame.moved)) {
      next.boards[seat] = moveCards(next.boards[seat] ?? {}, steps);
    }
  }
  if (frame.you) next.you = { ...next.you, ...frame.you };
  return next;
}

/** Whether the server offered exactly this play for the confirmed state. */
export function offered(view, { source, target, card }) {
  return (view.you.moves ?? []).some((m) => m[0] === source && m[1] === target && m[2] === card);
}

/**
 * The own board as it is drawn: the confirmed one with the oldest unanswered play on top, if that was offered.
 * Later ones wait for their answer, since what may follow a move only the server knows.
 */
export function drawn(view, pending) {
  const board = view.boards?.[view.you.seat] ?? {};
  const first = pending[0];
  if (first?.t === "play" && offered(view, first)) {
    const from = board[first.source] ?? [];
    return { board: moveCards(board, [[first.source, first.target, ...from.slice(from.indexOf(first.card))]]), ahead: first.card };
  }
  return { board, ahead: null };
}

/** How many cards lie on the piles whose names begin with one of `prefixes`. */
export function cardsIn(board, prefixes) {
  let count = 0;
  for (const [pile, cards] of Object.entries(board ?? {})) if (prefixes.some((prefix) => pile.startsWith(prefix))) count += cards.length;
  return count;
}

/** True if this viewer's copy of the board is behind the seat's live counts. */
export function behind(board, seat, layout) {
  return Boolean(board) && (cardsIn(board, layout.counted) !== seat.cards_left || (board[layout.draw?.source] ?? []).length !== seat.stock);
}

/** Seats that belong to the match's table, in order: [index, seat]. */
export function seated(view) {
  return Object.entries(view.seats).map(([i, seat]) => [Number(i), seat.bot ? { ...seat, name: seatName(seat) } : seat]).sort((a, b) => a[0] - b[0]);
}

/** Seats by the deciding score of the closed holes, best first, with the gap to the leader: [index, seat, gap]. */
export function standings(view) {
  const key = view.match.options.scoring;
  const sign = key === "traditional" ? 1 : -1;
  const rows = seated(view).sort((a, b) => sign * (a[1].totals[key] - b[1].totals[key]) || a[0] - b[0]);
  const best = rows.length ? rows[0][1].totals[key] : 0;
  return rows.map(([i, seat]) => [i, seat, Math.abs(seat.totals[key] - best)]);
}

/** Places of a list of scores with ties sharing one (1, 1, 3); `lower` wins or not. */
export function places(scores, lower) {
  return scores.map((mine) => 1 + scores.filter((other) => (lower ? other < mine : other > mine)).length);
}

/**
 * Plays in a row on the pile that the layout counts them on, after one frame: a draw begins anew, a play taken back
 * counts one less. `count` is what it was before; a snapshot or a new hole tells of no play.
 */
export function chain(count, frame, seat, layout) {
  if (frame.t !== "e" || frame.boards) return 0;
  let plays = count;
  for (const [source, target] of frame.moved?.[seat] ?? []) {
    if (source === layout.draw?.source || target === layout.draw?.source) plays = 0;
    else if (target === layout.chain) plays += 1;
    else if (source === layout.chain) plays = Math.max(0, plays - 1);
  }
  return plays;
}
