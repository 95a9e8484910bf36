// Black Hole's part of checking a record, as docs/games.md says. Law: a second reading of the rules beside the server's;
// what a check of a game gives is said in verify.js.

import { replayed } from "./adjacent.js";
import { RANKS } from "./common.js";

const CENTRE = "AS";

function dealt(deck) {
  const cards = deck.filter((card) => card !== CENTRE);
  return { columns: Array.from({ length: 17 }, (_, n) => cards.slice(3 * n, 3 * n + 3)), waste: [CENTRE], stock: [] };
}

function fits(top, card) {
  const away = Math.abs(RANKS.indexOf(top[0]) - RANKS.indexOf(card[0]));
  return away === 1 || away === 12;
}

export default { prefix: "BH", par: 5, full: 510, dealt, jokers: () => 0, lettersOf: () => "J",
  ruleOf: (letters) => (letters === "J" ? { name: "joined", variant: {} } : null),
  replay: (hole, _, undo, moves) => replayed(hole, undo, moves, { fits, draws: () => false }) };
