// Double Golf's part of checking a record, as docs/games.md says. Law: a second reading of the rules beside the server's;
// what a check of a game gives is said in verify.js.

import { kings, lettersOf, nameOf, replayedByKings } from "./adjacent.js";

const COLUMNS = 9;
const A_COLUMN = 7;
const CARDS = COLUMNS * A_COLUMN;

const dealt = (deck) => ({ columns: Array.from({ length: COLUMNS }, (_, n) => deck.slice(A_COLUMN * n, A_COLUMN * (n + 1))),
  waste: deck.slice(CARDS, CARDS + 1), stock: deck.slice(CARDS + 1) });

const ruleOf = (letters) => (/^[EFCDRSKL]$/.test(letters) ? { name: nameOf(letters), variant: kings(letters) } : null);

export default { prefix: "DG", decks: 2, par: 1, full: 630, ruleOf, dealt, jokers: () => 0, lettersOf, replay: replayedByKings };
