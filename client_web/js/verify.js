// Checks the record of an ended match, as docs/deals.md says. Law: written from that page alone, a second reading
// beside the server's; it gives the fields that are wrong and touches no page.

import { fromHex, hex, joined, sha256, utf8 } from "./sha256.js";
import { checkFormat } from "./verify_formats.js";

const RANKS = "A23456789TJQK";
const DECK = [..."SHDC"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NAMES = { E: "easy", C: "classic", S: "strict" };
const UNDO_DEPTH = 100;
const MOST_SKIPPED = 2000;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const same = (one, other) => canonical(one) === canonical(other);

// Sums

/** JSON in one form only: names in order, no white space, ASCII. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) return `{${Object.keys(value).sort().map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Each field with its path, but for the sums themselves. */
export function leaves(value, path = "", found = []) {
  if (isObject(value) && Object.keys(value).length) {
    for (const [name, part] of Object.entries(value)) {
      if (path || name !== "sums") leaves(part, path ? `${path}.${name}` : name, found);
    }
  } else if (Array.isArray(value) && value.length && value.every(isObject)) {
    value.forEach((part, i) => leaves(part, `${path}[${i}]`, found));
  } else found.push([path, value]);
  return found;
}

export const sumOf = (value) => hex(sha256(utf8(canonical(value)))).slice(0, 16);

function checkSums(record, wrong) {
  const told = { ...record.sums };
  for (const [path, value] of leaves(record)) {
    if (told[path] !== sumOf(value)) wrong(path);
    delete told[path];
  }
  Object.keys(told).forEach(wrong);
}

// Codes and deals

const number = (bytes) => BigInt(`0x${hex(bytes)}`);
const four = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

function toLetters(value, length) {
  let text = "";
  for (let i = 0; i < length; i++, value /= 26n) text = LETTERS[Number(value % 26n)] + text;
  return text;
}

/** The code of a hole, from the secret and the nonces. */
export function sealedCode(record, rule, hole, attempt = 0) {
  const secret = fromHex(record.secret);
  const seats = Object.keys(record.nonces ?? {}).sort();
  const mix = sha256(joined(utf8("fairway/nonces/2:"), ...seats.map((seat) => joined(Uint8Array.of(Number(seat)), fromHex(record.nonces[seat])))));
  const data = (record.sealing ?? 1) === 1 ? joined(utf8("fairway/hole/1:"), secret, four(hole))
    : joined(utf8("fairway/hole/2:"), secret, mix, four(hole), four(attempt));
  return `GO2-${rule}-${toLetters(number(sha256(data).slice(0, 16)), 28)}`;
}

/** What a code's rule says, or null. */
export function ruleOf(code) {
  const found = /^([EFCDRSKL])([12]?)(V?)$/.exec(code.split("-")[1] ?? "");
  if (!found) return null;
  const [rule, letter, jokers, vacant] = found;
  return { name: NAMES[rule] ?? rule, variant: { queen_on_king: "EFCD".includes(letter), king_ace_joined: "EFKL".includes(letter),
    draw_only_when_stuck: "FDSL".includes(letter), jokers: Number(jokers), empty_start: vacant === "V" } };
}

function shuffled(key, deck) {
  let counter = 0;
  let bytes = [];
  const below = (m) => {
    for (;;) {
      if (!bytes.length) bytes = [...sha256(joined(key, four(counter++)))];
      const byte = bytes.shift();
      if (byte < 256 - (256 % m)) return byte % m;
    }
  };
  for (let i = deck.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

function ofRank(letters, deck) {
  let place = [...letters].reduce((value, letter) => value * 26n + BigInt(LETTERS.indexOf(letter)), 0n);
  const digits = deck.map((_, i) => {
    const digit = Number(place % BigInt(i + 1));
    place /= BigInt(i + 1);
    return digit;
  });
  return digits.reverse().map((digit) => deck.splice(digit, 1)[0]);
}

/** The cards of a code in dealing order; null for a published deal, whose cards stand in no formula. */
export function deckOf(code) {
  const [head, , letters] = code.split("-");
  const { jokers } = ruleOf(code).variant;
  const deck = [...DECK, ...["*1", "*2"].slice(0, jokers)];
  if (head === "GOX") return ofRank(letters, deck);
  return head === "GO2" ? shuffled(utf8(jokers ? `GO2-${jokers}-${letters}` : `GO2-${letters}`), deck) : null;
}

function checkDeal(record, hole, i, wrong) {
  const path = `holes[${i}]`;
  const { deals, rule, winnable } = record.options;
  // Whether those passed over can be cleared only a solver finds.
  const skipped = hole.skipped ?? 0;
  if (!Number.isInteger(skipped) || skipped < 0 || skipped > MOST_SKIPPED || (skipped && !winnable)) return wrong(`${path}.skipped`);
  const letter = Object.keys(NAMES).find((key) => NAMES[key] === rule) ?? rule;
  if (hole.code !== (deals[i] ?? sealedCode(record, letter, i + 1, skipped))) wrong(`${path}.code`);
  const said = ruleOf(hole.code);
  if (!said) return wrong(`${path}.code`);
  if (hole.rule !== said.name) wrong(`${path}.rule`);
  if (record.schema > 1 && !same(hole.variant, said.variant)) wrong(`${path}.variant`);
  const deck = deckOf(hole.code);
  if (!deck) return;
  const from = said.variant.empty_start ? 35 : 36;
  if (!same(hole.columns, [0, 1, 2, 3, 4, 5, 6].map((n) => deck.slice(5 * n, 5 * n + 5)))) wrong(`${path}.columns`);
  if (!same(hole.waste, deck.slice(35, from))) wrong(`${path}.waste`);
  if (!same(hole.stock, deck.slice(from))) wrong(`${path}.stock`);
}

// Moves and scores

function joins(rule, under, over) {
  if (under[0] === "*" || over[0] === "*") return true;
  const [a, b] = [RANKS.indexOf(under[0]), RANKS.indexOf(over[0])];
  if (Math.abs(a - b) === 12) return rule.king_ace_joined;
  return Math.abs(a - b) === 1 && !(a === 12 && !rule.queen_on_king);
}

/** Plays a seat's hole again: {bad, left, stock, moves, undos, stuck}; `bad` is the first move that can't be, or -1. */
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
  return { bad, left: left(), stock: stock.length, ...counts, stuck: left() > 0 && !stock.length && !plays() };
}

function checkSeat(record, hole, told, path, wrong) {
  const rule = ruleOf(hole.code)?.variant;
  if (!rule) return;
  const end = replay(hole, rule, record.options.undo, told.moves);
  if (end.bad >= 0) return wrong(`${path}.moves[${end.bad}]`);
  const { result } = told;
  if (!result) return;
  const cleared = end.left === 0;
  if (cleared !== (result.how === "cleared") || (result.how === "stuck" && !end.stuck)) wrong(`${path}.result.how`);
  const due = { cards_left: end.left, stock: end.stock, moves: end.moves, undos: end.undos, traditional: cleared ? -end.stock : end.left,
    app: cleared ? 350 : Math.max(0, 10 * (35 - end.left) - 10 * end.left) };
  for (const [name, value] of Object.entries(due)) if (result[name] !== value) wrong(`${path}.result.${name}`);
}

/** The line of a best as it says; that nothing better can be reached only a solver finds. */
function checkBest(hole, path, wrong) {
  const { best } = hole;
  if (!best) return;
  if (hole.closed_at === null) return wrong(path);
  const rule = ruleOf(hole.code)?.variant;
  if (!rule) return;
  const drawn = ([source, target]) => source === "stock" && target === "waste";
  const end = replay(hole, rule, "off", best.line.map((step) => (drawn(step) ? ["draw", 0, ...step.slice(2)] : ["play", 0, ...step])));
  if (end.bad >= 0 || !(end.stuck || end.left === 0)) return wrong(`${path}.line`);
  const strokes = end.left || -end.stock;
  const lower = Object.values(hole.seats).some(({ result }) => result && result.traditional < strokes);
  if (best.strokes !== strokes || lower) wrong(`${path}.strokes`);
}

/** The paths of all fields that are wrong, none if all agrees. `seen`: the commitment, and the own seat's nonce, that
 * this page saw or gave before: {commitment, seat, nonce}. Throws for what is no record or newer than this page. */
export function faults(record, seen = {}) {
  if (!isObject(record) || ![1, 2, 3].includes(record.schema)) throw new Error("not a record that this page knows");
  const found = new Set();
  const wrong = (path) => void found.add(path);
  if (record.schema > 1) checkSums(record, wrong);
  if (hex(sha256(fromHex(record.secret))) !== record.commitment) wrong("secret");
  if (seen.commitment && seen.commitment !== record.commitment) wrong("commitment");
  const given = record.nonces?.[seen.seat];
  if (seen.nonce && given && given !== seen.nonce) wrong(`nonces.${seen.seat}`);
  record.holes.forEach((hole, i) => {
    if (hole.hole !== i + 1) wrong(`holes[${i}].hole`);
    checkDeal(record, hole, i, wrong);
    checkBest(hole, `holes[${i}].best`, wrong);
    for (const [seat, told] of Object.entries(hole.seats)) checkSeat(record, hole, told, `holes[${i}].seats.${seat}`, wrong);
  });
  checkFormat(record, wrong);
  return [...found];
}
