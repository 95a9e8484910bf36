// What the checks of games with cards in rows share, as docs/games.md says. Law: a second reading of the rules beside the
// server's; what a check of a game gives is said in verify.js.

import { DECK, RANKS, UNDO_DEPTH, same } from "./common.js";

const NAMES = { J: "joined", A: "apart" };
const CARDS = 28;
const PLACES = Array.from({ length: CARDS }, (_, i) => `place.${i + 1}`);

const rank = (card) => RANKS.indexOf(card[0]);

function ruleOf(letters) {
  return Object.hasOwn(NAMES, letters) ? { name: NAMES[letters], variant: { king_ace_joined: letters === "J" } } : null;
}

/** The check of a game: `prefix`, `par`, `rows` as how many cards each has, `covers(row, i)` as the place in the next row that
 * lies on the left of a place, both from 0, and how many of the first cards are dealt face down. */
export function rowsGame({ prefix, par, rows, covers, down }) {
  const first = rows.map((_, row) => rows.slice(0, row).reduce((n, length) => n + length, 0));
  const on = rows.flatMap((length, row) => Array.from({ length }, (_, i) => {
    if (row === rows.length - 1) return [];
    const left = first[row + 1] + covers(row, i);
    return [PLACES[left], PLACES[left + 1]];
  }));
  const covered = (piles, place) => on[PLACES.indexOf(place)].some((other) => piles[other]);

  function dealt(deck) {
    const faces = Object.fromEntries(PLACES.slice(0, down).map((place) => [place, 1]));
    return { columns: [], places: deck.slice(0, CARDS), waste: [deck[CARDS]], stock: deck.slice(CARDS + 1), ...(down ? { face_down: faces } : {}) };
  }

  function replay(hole, { king_ace_joined: joined }, undo, moves) {
    const fits = (card, { waste }) => [1, ...(joined ? [RANKS.length - 1] : [])].includes(Math.abs(rank(card) - rank(waste.at(-1))));
    let state = { piles: Object.fromEntries(PLACES.map((place, i) => [place, hole.places[i]])), waste: hole.waste, stock: hole.stock, down: { ...hole.face_down } };
    const plays = (at) => PLACES.filter((place) => at.piles[place] && !covered(at.piles, place) && fits(at.piles[place], at));
    const left = (at) => DECK.length - at.waste.length - at.stock.length;
    // The state after a move and the words that a record has for it, or null.
    const play = (place) => {
      if (!plays(state).includes(place)) return null;
      const card = state.piles[place];
      const piles = { ...state.piles, [place]: null };
      const turned = PLACES.filter((other) => state.down[other] && !covered(piles, other));
      const faces = Object.fromEntries(Object.entries(state.down).filter(([other]) => !turned.includes(other)));
      return [{ ...state, piles, waste: [...state.waste, card], down: faces }, [place, "waste", card, ...turned.flatMap((other) => [other, other, piles[other]])],
        turned.map((other) => piles[other])];
    };
    const draw = () => {
      if (!state.stock.length || !left(state)) return null;
      const [card, ...stock] = state.stock;
      return [{ ...state, waste: [...state.waste, card], stock }, [card], [card]];
    };
    const counts = { moves: 0, undos: 0 };
    const seen = new Set();
    let [history, bound] = [[], 0]; // of the history, up to what showed something first
    const bad = moves.findIndex(([what, , ...words]) => {
      if (!left(state)) return true;
      if (what === "undo") {
        const done = history.at(-1);
        if (undo === "off" || !done || !same(done.words, words) || (undo === "plays" && history.length <= bound)) return true;
        history = history.slice(0, -1);
        bound = Math.min(bound, history.length);
        ({ state } = done);
        counts.undos++;
        return false;
      }
      const made = what === "draw" ? draw() : what === "play" ? play(words[0]) : null;
      if (!made || !same(made[1], words)) return true;
      const kept = history.slice(1 - UNDO_DEPTH);
      bound = Math.max(0, bound - (history.length - kept.length));
      history = [...kept, { words, state }];
      if (made[2].some((card) => !seen.has(card))) bound = history.length;
      made[2].forEach((card) => seen.add(card));
      [state] = made;
      counts.moves++;
      return false;
    });
    const cards = left(state);
    const cleared = cards === 0;
    return { bad, cleared, stuck: !cleared && !state.stock.length && !plays(state).length,
      result: { cards_left: cards, stock: state.stock.length, ...counts, traditional: cleared ? -state.stock.length : cards, app: cleared ? 10 * CARDS : Math.max(0, 10 * (CARDS - cards) - 10 * cards) } };
  }

  return { prefix, par, full: 10 * CARDS, ruleOf, dealt, replay, jokers: () => 0, lettersOf: (rule) => Object.keys(NAMES).find((letters) => NAMES[letters] === rule) };
}
