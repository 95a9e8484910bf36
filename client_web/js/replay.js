// A match played again out of its record. Law: pure; no rules of any game: a move says which cards went where, and a
// hole that nobody moved in for a while is made shorter. Times of the axis are ms from the first deal on.

import { gameIn } from "./games.js";
import { cardsIn, moveCards } from "./state.js";

/** The longest that nothing happens on the axis, and the stop between two holes. */
const IDLE_MS = 8000;
const PAUSE_MS = 2000;
/** Ends that come with a seat's last move, not with the hole's close. */
const BY_MOVE = ["cleared", "stuck"];

/** The piles of a hole as they were dealt; the record lists the stock in drawing order, a pile ends with its top. */
export function dealt(hole, layout) {
  const named = (kind, piles) => Object.fromEntries(Object.entries(piles ?? {}).map(([name, cards]) => [`${kind}.${name}`, cards]));
  const columns = Object.fromEntries(hole.columns.map((cards, i) => [`column.${i + 1}`, cards]));
  const places = Object.fromEntries((hole.places ?? []).map((card, i) => [`place.${i + 1}`, [card]]));
  const piles = { ...named("foundation", hole.foundations), ...columns, ...places, waste: hole.waste, reserve: hole.reserve ?? [],
    ...(layout.draw ? { [layout.draw.source]: [...hole.stock].reverse() } : {}) };
  const laid = Object.fromEntries(Object.entries(piles).filter(([pile]) => layout.reading.includes(pile)));
  return { ...laid, ...Object.fromEntries(layout.reading.filter((pile) => !(pile in laid)).map((pile) => [pile, []])) };
}

/** What a recorded move did, as steps [source, target, card, ...]. A draw names cards only, an undo what it took back. */
export function stepsOf([what, , ...words], board, layout) {
  const { source: stock, target: waste } = layout.draw ?? {};
  const steps = words[0] in board ? [] : [[stock, waste]];
  for (let i = 0; i < words.length; i++) {
    if (words[i] in board) steps.push([words[i], words[++i]]);
    else steps.at(-1).push(words[i]);
  }
  // What goes onto the stock or back onto it is turned over as a whole.
  const turned = ([from, to, ...cards]) => [from, to, ...(to === stock ? cards.reverse() : cards)];
  return (what === "undo" ? steps.reverse().map(([from, to, ...cards]) => [to, from, ...cards]) : steps).map(turned);
}

/** How many cards of each pile lie face down after a step: one that turned up, or down again, stayed on its pile. */
const facesAfter = (down, [source, target], undo) => (source === target ? { ...down, [source]: (down[source] ?? 0) + (undo ? 1 : -1) } : down);

/** Whether the cards of a step lie where it takes them from. */
function fits(board, [source, target, ...cards]) {
  const from = board[source];
  if (cards.includes(undefined)) return false;
  return Boolean(from) && target in board && cards.length > 0 && from.length >= cards.length
    && cards.every((card) => from.slice(-cards.length).includes(card));
}

/** What happened in a hole, in order: {at, kind: dealt, move, ended or closed, seat, move, path}. */
function happenings(hole, i) {
  const told = [];
  for (const [seat, hand] of Object.entries(hole.seats)) {
    let last = hole.opened_at;
    hand.moves.forEach((move, k) => {
      last = Math.max(last, move[1]); // a seat's moves stand in their order, whatever their times say
      told.push({ at: last, kind: "move", seat: Number(seat), move, path: `holes[${i}].seats.${seat}.moves[${k}]` });
    });
    if (hand.ended) told.push({ at: Math.max(last, hand.ended.at), kind: "ended", seat: Number(seat), how: hand.ended.how });
  }
  told.sort((a, b) => a.at - b.at);
  const end = Math.max(hole.closed_at ?? 0, told.at(-1)?.at ?? hole.opened_at);
  return [{ at: hole.opened_at, kind: "dealt" }, ...told, ...(hole.closed_at === null ? [] : [{ at: end, kind: "closed" }])];
}

export class Replay {
  /** `laid` gives a hole's layout. `fault` is the path of the first move that can't be drawn, null if all can: what follows of that seat is left out. */
  constructor(record, laid) {
    const layouts = record.holes.map(laid);
    Object.assign(this, { record, layouts, steps: [], holes: [], length: 0, fault: null, frames: new Map() });
    record.holes.forEach((hole, i) => {
      if (i) this.length += PAUSE_MS;
      let before = hole.opened_at;
      this.holes.push({ first: this.steps.length, time: this.length });
      for (const one of happenings(hole, i)) {
        this.length += Math.min(IDLE_MS, Math.max(0, one.at - before));
        before = Math.max(before, one.at);
        this.steps.push({ ...one, hole: i, time: this.length, clock: before - hole.opened_at });
      }
    });
    record.holes.forEach((_, i) => this.framesOf(i, true));
  }

  /** The layout of a hole by its place. */
  layoutOf(hole) {
    return this.layouts[hole];
  }

  /** The steps at a time of the axis: the last one that is not later. */
  indexAt(time) {
    let [low, high] = [0, this.steps.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.steps[middle].time <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The clock of a hole at a time of the axis, ms: as it was, so it runs faster where a pause was made shorter. */
  clockAt(time) {
    const index = this.indexAt(time);
    const [step, next] = [this.steps[index], this.steps[index + 1]];
    if (!next || next.hole !== step.hole || next.time === step.time) return step.clock;
    return step.clock + ((time - step.time) / (next.time - step.time)) * (next.clock - step.clock);
  }

  /** The next hole's first step in a direction; backwards first to the beginning of this one. */
  holeFrom(index, direction) {
    const { hole } = this.steps[index];
    const here = this.holes[hole].first;
    if (direction > 0) return this.holes[hole + 1]?.first ?? this.steps.length - 1;
    return index > here ? here : this.holes[Math.max(0, hole - 1)].first;
  }

  /** All seats at a step: {seat: {board, moves, undos, state, left, stock}}, and what moved there as `step`. */
  at(index) {
    const { hole } = this.steps[index];
    return this.framesOf(hole)[index - this.holes[hole].first];
  }

  /** The frames of one hole are kept, of the others they are made again. */
  framesOf(i, onlyLook = false) {
    if (this.frames.has(i)) return this.frames.get(i);
    const frames = this.play(i);
    this.frames.clear();
    if (!onlyLook) this.frames.set(i, frames);
    return frames;
  }

  play(i) {
    const hole = this.record.holes[i];
    const layout = this.layouts[i];
    const board = dealt(hole, layout);
    const left = Object.fromEntries(Object.entries(hole.seats).map(([seat, hand]) => [seat, hand.moves.length]));
    const down = hole.face_down ?? {};
    let seats = Object.fromEntries(Object.keys(hole.seats).map((seat) => [seat, this.seat(layout, board, { down, moves: 0, undos: 0, state: "playing" })]));
    const broken = new Set();
    const { first } = this.holes[i];
    const end = this.holes[i + 1]?.first ?? this.steps.length;
    return this.steps.slice(first, end).map((one) => {
      let step = null;
      const { seat } = one;
      if (one.kind === "move" && !broken.has(seat)) {
        const was = seats[seat];
        const undo = one.move[0] === "undo";
        const steps = stepsOf(one.move, was.board, layout);
        step = steps.at(undo ? -1 : 0);
        let [after, faces] = [was.board, was.down];
        for (const part of steps) {
          if (!fits(after, part)) after = null;
          if (!after) break;
          after = moveCards(after, [part]);
          faces = facesAfter(faces, part, undo);
        }
        if (after) {
          const { result } = hole.seats[seat];
          const state = --left[seat] === 0 && BY_MOVE.includes(result?.how) && !hole.seats[seat].ended ? result.how : "playing";
          seats = { ...seats, [seat]: this.seat(layout, after, { down: faces, moves: was.moves + (undo ? 0 : 1), undos: was.undos + (undo ? 1 : 0), state }) };
        } else {
          this.fault ??= one.path;
          broken.add(seat);
          step = null;
        }
      }
      if (one.kind === "ended") seats = { ...seats, [seat]: { ...seats[seat], state: one.how } };
      if (one.kind === "closed") {
        seats = Object.fromEntries(Object.entries(seats).map(([number, was]) => [number, { ...was, state: hole.seats[number].result?.how ?? was.state }]));
      }
      return { seats, step };
    });
  }

  /** A seat's board as it looked: the stock and what had not turned up yet lie face down, though the record knows them. */
  looked({ board, down }, hole) {
    const hidden = (pile) => (pile === this.layouts[hole].draw?.source ? Infinity : down[pile] ?? 0);
    return Object.fromEntries(Object.entries(board).map(([pile, cards]) => [pile, cards.map((card, i) => (i < hidden(pile) ? "?" : card))]));
  }

  seat(layout, board, more) {
    return { board, left: cardsIn(board, layout.counted), stock: (board[layout.draw?.source] ?? []).length, ...more };
  }

  /** The closed holes' sums of a seat at a step: {thru, traditional, app, points}; the last is of mixed games. */
  totals(seat, index) {
    const step = this.steps[index];
    const closed = this.record.holes.slice(0, step.hole + (step.kind === "closed" ? 1 : 0)).map((hole) => hole.seats[seat]?.result).filter(Boolean);
    const sum = (name) => closed.reduce((total, result) => total + result[name], 0);
    return { thru: closed.length, traditional: sum("traditional"), app: sum("app"), points: sum("points") };
  }
}

/** What the scorecard needs of a record, in the shape of a view. */
export function viewOf(record) {
  const { match: id, options, par, abandoned, standing = null } = record;
  const card = record.holes.filter((hole) => hole.closed_at !== null).map((hole) => ({ hole: hole.hole, game: gameIn(record, hole), winner: hole.winner ?? null, code: hole.code, rule: hole.rule, stock: hole.stock,
    scores: Object.fromEntries(Object.entries(hole.seats).filter(([, hand]) => hand.result).map(([seat, hand]) => [seat, hand.result])) }));
  const solved = record.holes.filter((hole) => hole.best);
  const over = (seat) => (solved.length && !options.mix ? solved.reduce((sum, hole) => sum + (hole.seats[seat]?.result?.traditional ?? hole.best.strokes) - hole.best.strokes, 0) : null);
  const seats = record.seats.map(({ seat, name, place, thru, traditional, app, to_par, points, nines = null }) => [seat, { name, place, nines, totals: { thru, traditional, app, to_par, points, over_best: over(seat) } }]);
  const best = Object.fromEntries(solved.map((hole) => [hole.hole, hole.best.strokes]));
  return { match: { id, options, par, abandoned, standing, card, best, phase: "ended", hole: record.holes.length }, seats: Object.fromEntries(seats),
    you: { role: "spectator", seat: null } };
}
