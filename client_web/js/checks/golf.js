// Golf's part of checking a record, as docs/deals.md says. Law: a second reading of the rules beside the server's; what
// a check of a game gives is said in verify.js.

import { kings, lettersOf, nameOf, replayedByKings } from "./adjacent.js";

const CARDS = 35;

function ruleOf(letters) {
  const found = /^([EFCDRSKL])([12]?)(V?)$/.exec(letters);
  if (!found) return null;
  const [rule, letter, jokers, vacant] = found;
  return { name: nameOf(rule), variant: { ...kings(letter), jokers: Number(jokers), empty_start: vacant === "V" } };
}

function dealt(deck, { empty_start: vacant }) {
  const from = vacant ? CARDS : CARDS + 1;
  return { columns: [0, 1, 2, 3, 4, 5, 6].map((n) => deck.slice(5 * n, 5 * n + 5)), waste: deck.slice(CARDS, from), stock: deck.slice(from) };
}

export default { prefix: "GO", par: 5, full: 350, ruleOf, dealt, jokers: (variant) => variant.jokers, lettersOf, replay: replayedByKings };
