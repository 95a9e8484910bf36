// What the checks of Golf's kin share: exposed cards that go one by one onto the waste, and a seat's hole played again so.
// Law: as common.js.
//
// A game gives fits(top, card), whether a card plays on the waste's top, undefined where it is empty, and draws(plays): whether
// the stock may be drawn from, `plays` asking whether an exposed card plays.

import { RANKS, UNDO_DEPTH, same } from "./common.js";

const NAMES = { E: "easy", C: "classic", S: "strict" };

/** The name of a rule by its letters in a deal code, and back: named ones, else the letters themselves. */
export const nameOf = (letters) => NAMES[letters] ?? letters;
export const lettersOf = (rule) => Object.keys(NAMES).find((key) => NAMES[key] === rule) ?? rule;

/** The fields that a deal code's first rule letter stands for. */
export const kings = (letter) => ({ queen_on_king: "EFCD".includes(letter), king_ace_joined: "EFKL".includes(letter),
  draw_only_when_stuck: "FDSL".includes(letter) });

function joins(rule, under, over) {
  if (under[0] === "*" || over[0] === "*") return true;
  const [a, b] = [RANKS.indexOf(under[0]), RANKS.indexOf(over[0])];
  if (Math.abs(a - b) === 12) return rule.king_ace_joined;
  return Math.abs(a - b) === 1 && !(a === 12 && !rule.queen_on_king);
}

/** Plays a seat's hole again, as verify.js wants it. */
export function replayed(hole, undo, moves, { fits, draws }) {
  const piles = Object.fromEntries(hole.columns.map((cards, n) => [`column.${n + 1}`, [...cards]]));
  const [waste, stock] = [[...hole.waste], [...hole.stock]];
  const left = () => Object.values(piles).reduce((n, pile) => n + pile.length, 0);
  const dealt = left();
  const free = (card) => fits(waste.at(-1), card);
  const plays = () => Object.values(piles).some((pile) => pile.length && free(pile.at(-1)));
  const counts = { moves: 0, undos: 0 };
  let history = [];
  const can = { play: ([source, target, card]) => target === "waste" && piles[source]?.at(-1) === card && free(card),
    draw: ([card]) => stock[0] === card && waste.length > 0 && draws(plays),
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
  return { bad, cleared, stuck: !cleared && !stock.length && !plays(),
    result: { cards_left: left(), stock: stock.length, ...counts, traditional: cleared ? -stock.length : left(), app: Math.max(0, 10 * (dealt - 2 * left())) } };
}

/** The same under Golf's house rules. */
export const replayedByKings = (hole, rule, undo, moves) => replayed(hole, undo, moves,
  { fits: (top, card) => top === undefined || joins(rule, top, card), draws: (plays) => !(rule.draw_only_when_stuck && plays()) });
