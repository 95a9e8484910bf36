// Russian Solitaire's part of checking a record, as docs/games.md says. Law: a second reading of the rules beside the server's;
// what a check of a game gives is said in verify.js.

import { RANKS } from "./common.js";
import { isColumn, isHome, replayed } from "./piles.js";

const NAMES = { C: "classic", R: "relaxed" };
const DEALT = [1, 6, 7, 8, 9, 10, 11];
const DOWN = [0, 1, 2, 3, 4, 5, 6];
const MOST = 20;

const rank = (card) => RANKS.indexOf(card[0]);

function ruleOf(letters) {
  return letters in NAMES ? { name: NAMES[letters], variant: { mixed_suits: letters === "R" } } : null;
}

function dealt(deck) {
  let from = 0;
  const columns = DEALT.map((count) => deck.slice(from, (from += count)));
  const down = Object.fromEntries(DOWN.map((count, i) => [`column.${i + 1}`, count]).filter(([, count]) => count));
  return { columns, waste: [], stock: [], face_down: down };
}

function play({ piles, down }, source, target, cards, mixed) {
  const [card] = cards;
  const fromHome = isHome(source);
  const under = piles[target].at(-1);
  if (cards.length > MOST || (fromHome && cards.length > 1)) return null;
  if (isHome(target)) {
    if (fromHome || cards.length > 1 || target !== `foundation.${card[1]}` || rank(card) !== piles[target].length) return null;
  } else if (!isColumn(target) || (under ? rank(under) !== rank(card) + 1 || (!mixed && under[1] !== card[1]) : card[0] !== "K")) return null;
  const rest = piles[source].length - cards.length;
  const turns = rest > 0 && rest === (down[source] ?? 0);
  return [[source, target, ...cards], ...(turns ? [[source, source, piles[source][rest - 1]]] : [])];
}

export default { prefix: "RU", par: 0, full: 625, done: true, ruleOf, dealt, jokers: () => 0,
  lettersOf: (rule) => Object.keys(NAMES).find((letters) => NAMES[letters] === rule),
  replay: (hole, { mixed_suits: mixed }, undo, moves) => replayed(hole, undo, moves,
    { play: (state, ...move) => play(state, ...move, mixed), draw: () => null, points: (home, faces) => 10 * home + 5 * (21 - faces) }) };
