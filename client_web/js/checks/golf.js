// Golf's part of checking a record, as docs/deals.md says. Law: a second reading of the rules beside the server's; what
// a check of a game gives is said in verify.js.

import { replayed } from "./adjacent.js";
import { RANKS } from "./common.js";

const NAMES = { E: "easy", C: "classic", S: "strict" };
const CARDS = 35;

function ruleOf(letters) {
  const found = /^([EFCDRSKL])([12]?)(V?)$/.exec(letters);
  if (!found) return null;
  const [rule, letter, jokers, vacant] = found;
  return { name: NAMES[rule] ?? rule, variant: { queen_on_king: "EFCD".includes(letter), king_ace_joined: "EFKL".includes(letter),
    draw_only_when_stuck: "FDSL".includes(letter), jokers: Number(jokers), empty_start: vacant === "V" } };
}

function dealt(deck, { empty_start: vacant }) {
  const from = vacant ? CARDS : CARDS + 1;
  return { columns: [0, 1, 2, 3, 4, 5, 6].map((n) => deck.slice(5 * n, 5 * n + 5)), waste: deck.slice(CARDS, from), stock: deck.slice(from) };
}

function joins(rule, under, over) {
  if (under[0] === "*" || over[0] === "*") return true;
  const [a, b] = [RANKS.indexOf(under[0]), RANKS.indexOf(over[0])];
  if (Math.abs(a - b) === 12) return rule.king_ace_joined;
  return Math.abs(a - b) === 1 && !(a === 12 && !rule.queen_on_king);
}

const replay = (hole, rule, undo, moves) => replayed(hole, undo, moves,
  { fits: (top, card) => top === undefined || joins(rule, top, card), draws: (plays) => !(rule.draw_only_when_stuck && plays()) });

export default { prefix: "GO", par: 5, ruleOf, dealt, replay, jokers: (variant) => variant.jokers,
  lettersOf: (rule) => Object.keys(NAMES).find((key) => NAMES[key] === rule) ?? rule };
