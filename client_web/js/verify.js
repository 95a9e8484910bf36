// Checks the record of an ended match, as docs/deals.md says. Law: written from that page alone, a second reading
// beside the server's; it gives the fields that are wrong and touches no page. A game's own part is loaded by its name.
//
// checks/<game>.js gives: prefix (of its codes), decks (2 if so many), par (strokes a hole), full (the app score of a cleared one),
// ruleOf(letters) as {name, variant} or null, lettersOf(name of a rule), jokers(variant), dealt(deck, variant) as the record's
// piles, and replay(hole, variant, undo, moves) as {bad, cleared, stuck, result}: `bad` is the first move that can't be, or -1,
// `result` what it all came to.

import { DECK, canonical, isObject, same } from "./checks/common.js";
import { fromHex, hex, joined, sha256, utf8 } from "./sha256.js";
import { checkFormat } from "./verify_formats.js";
import { checkRounds } from "./verify_spit.js";

export { canonical };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MOST_SKIPPED = 2000;
/** Piles that a hole's deal has in some games only. */
const PILES = ["columns", "places", "waste", "stock", "reserve", "foundations", "face_down"];

// Sums

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
export function sealedCode(record, prefix, rule, hole, attempt = 0) {
  const secret = fromHex(record.secret);
  const seats = Object.keys(record.nonces ?? {}).sort();
  const mix = sha256(joined(utf8("fairway/nonces/2:"), ...seats.map((seat) => joined(Uint8Array.of(Number(seat)), fromHex(record.nonces[seat])))));
  const data = (record.sealing ?? 1) === 1 ? joined(utf8("fairway/hole/1:"), secret, four(hole))
    : joined(utf8("fairway/hole/2:"), secret, mix, four(hole), four(attempt));
  return `${prefix}2-${rule}-${toLetters(number(sha256(data).slice(0, 16)), 28)}`;
}

/** What a code's rule says by the game's check, or null. */
export const ruleOf = (code, game) => game.ruleOf(code.split("-")[1] ?? "");

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
export function deckOf(code, game) {
  const [head, , letters] = code.split("-");
  const jokers = game.jokers(ruleOf(code, game).variant);
  const cards = game.decks === 2 ? [...DECK, ...DECK.map((card) => `${card}2`)] : DECK;
  const deck = [...cards, ...["*1", "*2"].slice(0, jokers)];
  if (head === `${game.prefix}X`) return ofRank(letters, deck);
  return head === `${game.prefix}2` ? shuffled(utf8(jokers ? `${head}-${jokers}-${letters}` : `${head}-${letters}`), deck) : null;
}

/** The game and the rule under which a hole is sealed: those of the options, or of a mix in turn. */
function heldBy({ game, options: { mix, rule } }, i) {
  return mix?.length ? { name: mix[i % mix.length].game, rule: mix[i % mix.length].rule } : { name: game, rule };
}

function checkDeal(record, game, hole, i, wrong) {
  const path = `holes[${i}]`;
  const { deals, winnable } = record.options;
  const { name, rule } = heldBy(record, i);
  if ((record.schema === 4 ? hole.game : record.game) !== name) wrong(`${path}.game`);
  // Whether those passed over can be cleared only a solver finds.
  const skipped = hole.skipped ?? 0;
  if (!Number.isInteger(skipped) || skipped < 0 || skipped > MOST_SKIPPED || (skipped && !winnable)) return wrong(`${path}.skipped`);
  if (hole.code !== (deals[i] ?? sealedCode(record, game.prefix, game.lettersOf(rule), i + 1, skipped))) wrong(`${path}.code`);
  const said = ruleOf(hole.code, game);
  if (!said) return wrong(`${path}.code`);
  if (hole.rule !== said.name) wrong(`${path}.rule`);
  if (record.schema > 1 && !same(hole.variant, said.variant)) wrong(`${path}.variant`);
  const deck = deckOf(hole.code, game);
  if (!deck) return;
  const piles = game.dealt(deck, said.variant);
  for (const name of PILES) {
    if (name in hole !== name in piles || (name in piles && !same(hole[name], piles[name]))) wrong(`${path}.${name}`);
  }
}

// Moves and scores

/** Whether a hole that came to `end` can have ended so; who declares no loss may be done at any time. */
const mayEnd = (game, end, how) => end.cleared === (how === "cleared") && (how !== "stuck" || end.stuck) && (how !== "done" || game.done === true);

function checkSeat(record, game, hole, told, path, wrong) {
  const { points } = told.result ?? {};
  if (record.options.mix && told.result && points !== Math.floor((1000 * told.result.app) / game.full)) wrong(`${path}.result.points`);
  if (!record.options.mix && points !== undefined) wrong(`${path}.result.points`);
  const rule = ruleOf(hole.code, game)?.variant;
  if (!rule) return;
  const end = game.replay(hole, rule, record.options.undo, told.moves);
  if (end.bad >= 0) return wrong(`${path}.moves[${end.bad}]`);
  const { result } = told;
  if (!result) return;
  if (!mayEnd(game, end, result.how)) wrong(`${path}.result.how`);
  for (const [name, value] of Object.entries(end.result)) if (result[name] !== value) wrong(`${path}.result.${name}`);
}

/** The line of a best as it says; that nothing better can be reached only a solver finds. */
function checkBest(hole, game, path, wrong) {
  const { best } = hole;
  if (!best) return;
  if (hole.closed_at === null) return wrong(path);
  const rule = ruleOf(hole.code, game)?.variant;
  if (!rule) return;
  const drawn = ([source, target]) => source === "stock" && target === "waste";
  const end = game.replay(hole, rule, "off", best.line.map((step) => (drawn(step) ? ["draw", 0, ...step.slice(2)] : ["play", 0, ...step])));
  if (end.bad >= 0 || !(end.stuck || end.cleared)) return wrong(`${path}.line`);
  const strokes = end.result.traditional;
  const lower = Object.values(hole.seats).some(({ result }) => result && result.traditional < strokes);
  if (best.strokes !== strokes || lower) wrong(`${path}.strokes`);
}

/** Resolves to the paths of all fields that are wrong, none if all agrees. `seen`: the commitment, and the own seat's nonce, that
 * this page saw or gave before: {commitment, seat, nonce}. Rejects what is no record or newer than this page. */
export async function faults(record, seen = {}) {
  if (!isObject(record) || ![1, 2, 3, 4, 5].includes(record.schema)) throw new Error("not a record that this page knows");
  const names = record.holes.map((_, i) => heldBy(record, i).name);
  if (![record.game, ...names].every((name) => /^[a-z_]+$/.test(name))) throw new Error("not a game that this page knows");
  const games = await Promise.all(names.map(async (name) => (await import(`./checks/${name}.js`)).default));
  const { default: first } = await import(`./checks/${record.game}.js`);
  const found = new Set();
  const wrong = (path) => void found.add(path);
  if (record.schema > 1) checkSums(record, wrong);
  if (hex(sha256(fromHex(record.secret))) !== record.commitment) wrong("secret");
  if (seen.commitment && seen.commitment !== record.commitment) wrong("commitment");
  const given = record.nonces?.[seen.seat];
  if (seen.nonce && given && given !== seen.nonce) wrong(`nonces.${seen.seat}`);
  const { mix, mode } = record.options;
  if ((record.schema === 4) !== Boolean(mix?.length)) wrong("options.mix");
  if ((record.schema === 5) !== (mode === "spit")) wrong("options.mode");
  if (mix?.length && (mix[0].game !== record.game || mix[0].rule !== record.options.rule)) wrong("options.mix");
  if (Boolean(mix) !== (record.options.scoring === "points")) wrong("options.scoring");
  if (record.schema === 5) {
    const codeOf = (i) => sealedCode(record, first.prefix, first.lettersOf(record.options.rule), i + 1);
    checkRounds(record, { codeOf, deckOf: (code) => deckOf(code, first) }, wrong);
  } else record.holes.forEach((hole, i) => {
    const game = games[i];
    if (hole.hole !== i + 1) wrong(`holes[${i}].hole`);
    checkDeal(record, game, hole, i, wrong);
    checkBest(hole, game, `holes[${i}].best`, wrong);
    for (const [seat, told] of Object.entries(hole.seats)) checkSeat(record, game, hole, told, `holes[${i}].seats.${seat}`, wrong);
  });
  checkFormat(record, mix || mode ? 0 : first.par, wrong);
  return [...found];
}
