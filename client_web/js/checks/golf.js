// Golf's part of checking a record, as docs/deals.md says. Law: a second reading of the rules beside the server's; what
// a check of a game gives is said in verify.js.

import { RANKS, UNDO_DEPTH, same } from "./common.js";

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

function replay(hole, rule, undo, moves) {
  const piles = Object.fromEntries(hole.columns.map((cards, n) => [`column.${n + 1}`, [...cards]]));
  const [waste, stock] = [[...hole.waste], [...hole.stock]];
  const left = () => Object.values(piles).reduce((n, pile) => n + pile.length, 0);
  const fits = (card) => !waste.length || joins(rule, waste.at(-1), card);
  const plays = () => Object.values(piles).some((pile) => pile.length && fits(pile.at(-1)));
  const counts = { moves: 0, undos: 0 };
  let history = [];
  const can = { play: ([source, target, card]) => target === "waste" && piles[source]?.at(-1) === card && fits(card),
    draw: ([card]) => stock[0] === card && waste.length > 0 && !(rule.draw_only_when_stuck && plays()),
    undo: (cards) => undo !== "off" && same(history.at(-1), cards) && (undo === "all" || cards.length > 1) };
  const bad = moves.findIndex(([what, , ...cards]) => {
    if (!left() || !can[what]?.(cards)) return true;
    if (what === "undo") {
      history.pop();
      const card = waste.pop();
      if (cards.length > 1) piles[cards[0]].push(card);
      else stock.unshift(card);
      counts.undos++;
    } else {
      waste.push(what === "play" ? piles[cards[0]].pop() : stock.shift());
      history = [...history, cards].slice(-UNDO_DEPTH);
      counts.moves++;
    }
    return false;
  });
  const cleared = left() === 0;
  const app = cleared ? 350 : Math.max(0, 10 * (CARDS - left()) - 10 * left());
  return { bad, cleared, stuck: !cleared && !stock.length && !plays(),
    result: { cards_left: left(), stock: stock.length, ...counts, traditional: cleared ? -stock.length : left(), app } };
}

export default { prefix: "GO", par: 5, full: 350, ruleOf, dealt, replay, jokers: (variant) => variant.jokers,
  lettersOf: (rule) => Object.keys(NAMES).find((key) => NAMES[key] === rule) ?? rule };
