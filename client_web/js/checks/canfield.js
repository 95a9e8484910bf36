// Canfield's part of checking a record, as docs/games.md says. Law: a second reading of the rules beside the server's; what
// a check of a game gives is said in verify.js.

import { RANKS } from "./common.js";
import { SUITS, isColumn, isHome, replayed } from "./piles.js";

const NAMES = { D3: "draw_three", D1: "draw_one" };
const RESERVE = 13;
const COLUMNS = 4;

const rank = (card) => RANKS.indexOf(card[0]);
const isRed = (card) => "HD".includes(card[1]);
/** Whether `over` goes onto `under` in a column: one rank lower, king under ace, of the other colour. */
const joins = (under, over) => rank(over) === (rank(under) + 12) % 13 && isRed(under) !== isRed(over);

function ruleOf(letters) {
  return letters in NAMES ? { name: NAMES[letters], variant: { turned: Number(letters[1]) } } : null;
}

function dealt(deck) {
  const base = deck[RESERVE];
  const columns = deck.slice(RESERVE + 1, RESERVE + 1 + COLUMNS);
  const foundations = Object.fromEntries(SUITS.map((suit) => [suit, suit === base[1] ? [base] : []]));
  return { columns: columns.map((card) => [card]), waste: [], stock: deck.slice(RESERVE + 1 + COLUMNS), reserve: deck.slice(0, RESERVE),
    foundations, face_down: { reserve: RESERVE - 1 } };
}

function goesHome(piles, target, cards) {
  const [card] = cards;
  if (cards.length > 1 || target !== `foundation.${card[1]}`) return false;
  const home = piles[target];
  if (home.length) return home.length < 13 && rank(card) === (rank(home.at(-1)) + 1) % 13;
  return rank(card) === rank(SUITS.map((suit) => piles[`foundation.${suit}`][0]).find(Boolean));
}

function play({ piles }, source, target, cards) {
  const fromHome = isHome(source);
  if (cards.length > 1 && !isColumn(source)) return null;
  if (!cards.every((card, i) => i === 0 || joins(cards[i - 1], card))) return null;
  if (fromHome && SUITS.reduce((n, suit) => n + piles[`foundation.${suit}`].length, 0) === 1) return null;
  const under = piles[target].at(-1);
  const fits = isColumn(target) ? !under || joins(under, cards[0]) : isHome(target) && !fromHome && goesHome(piles, target, cards);
  if (!fits) return null;
  const steps = [[source, target, ...cards]];
  const [top, next] = [piles.reserve.at(-1), piles.reserve.at(-2)];
  const fills = isColumn(source) && cards.length === piles[source].length && top !== undefined;
  if (fills) steps.push(["reserve", source, top]);
  if (next !== undefined && (fills || source === "reserve")) steps.push(["reserve", "reserve", next]);
  return steps;
}

function draw({ piles: { stock, waste } }, turned) {
  if (stock.length) return [["stock", "waste", ...stock.slice(-turned).reverse()]];
  return waste.length ? [["waste", "stock", ...waste]] : null;
}

export default { prefix: "CF", par: 0, full: 255, done: true, ruleOf, dealt, jokers: () => 0,
  lettersOf: (rule) => Object.keys(NAMES).find((letters) => NAMES[letters] === rule),
  replay: (hole, { turned }, undo, moves) => replayed(hole, undo, moves, { play, draw: (state) => draw(state, turned), points: (home) => 5 * (home - 1) }) };
