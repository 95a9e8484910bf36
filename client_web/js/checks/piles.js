// What the checks of games with foundations share: piles, and a seat's hole played again on them. Law: as common.js.
//
// A game gives play(state, source, target, cards) and draw(state): the steps that a move makes, each as a record names it,
// or null for what its rules don't allow. The first of them is the move; a step from a pile to itself turns its last card.

import { DECK, UNDO_DEPTH, same } from "./common.js";

export const SUITS = [..."SHDC"];
export const isHome = (pile) => pile.startsWith("foundation.");
export const isColumn = (pile) => pile.startsWith("column.");
const homes = (piles) => SUITS.reduce((n, suit) => n + piles[`foundation.${suit}`].length, 0);

/** The piles that a record's hole was dealt, a pile's last card its top, and how many of each lie face down. */
function dealtState(hole) {
  const piles = Object.fromEntries(SUITS.map((suit) => [`foundation.${suit}`, [...(hole.foundations?.[suit] ?? [])]]));
  hole.columns.forEach((cards, i) => (piles[`column.${i + 1}`] = [...cards]));
  return { piles: { ...piles, reserve: [...(hole.reserve ?? [])], waste: [...hole.waste], stock: [...hole.stock].reverse() }, down: { ...hole.face_down } };
}

function step({ piles, down }, [source, target, ...cards]) {
  if (source === target) return { piles, down: { ...down, [source]: down[source] - 1 } };
  const laid = target === "stock" ? [...cards].reverse() : cards;
  return { piles: { ...piles, [source]: piles[source].slice(0, piles[source].length - cards.length), [target]: [...piles[target], ...laid] }, down };
}

/** A draw names its cards only. */
const wordsOf = (what, steps) => (what === "draw" && steps[0][0] === "stock" ? steps[0].slice(2) : steps.flat());

/** Plays a seat's hole again, as verify.js wants it; `points(homes, face down)` is the score of a position. */
export function replayed(hole, undo, moves, { play, draw, points }) {
  let state = dealtState(hole);
  const counts = { moves: 0, undos: 0 };
  const seen = new Set();
  let [history, bound] = [[], 0]; // of the history, up to what showed something first
  const decide = (what, words) => {
    if (what === "draw") return draw(state);
    const [source, target, card] = words;
    const from = state.piles[source];
    const at = from && !["stock"].includes(source) ? from.indexOf(card) : -1;
    if (what !== "play" || at < (state.down[source] ?? 0) || source === target || !(target in state.piles)) return null;
    return play(state, source, target, from.slice(at));
  };
  const bad = moves.findIndex(([what, , ...words]) => {
    if (homes(state.piles) === DECK.length) return true;
    if (what === "undo") {
      const last = history.at(-1);
      if (undo === "off" || !last || !same(last.words, words) || (undo === "plays" && history.length <= bound)) return true;
      history = history.slice(0, -1);
      bound = Math.min(bound, history.length);
      ({ state } = last);
      counts.undos++;
      return false;
    }
    const steps = decide(what, words);
    if (!steps || !same(wordsOf(what, steps), words)) return true;
    const kept = history.slice(1 - UNDO_DEPTH);
    bound = Math.max(0, bound - (history.length - kept.length));
    history = [...kept, { words, state }];
    const shown = steps.filter(([source, target]) => source === target || source === "stock").flatMap(([, , ...cards]) => cards);
    if (shown.some((card) => !seen.has(card))) bound = history.length;
    shown.forEach((card) => seen.add(card));
    state = steps.reduce(step, state);
    counts.moves++;
    return false;
  });
  const home = homes(state.piles);
  const faces = Object.values(state.down).reduce((n, count) => n + count, 0);
  return { bad, cleared: home === DECK.length, stuck: false,
    result: { cards_left: DECK.length - home, stock: state.piles.stock.length, ...counts, traditional: DECK.length - home, app: points(home, faces) } };
}
