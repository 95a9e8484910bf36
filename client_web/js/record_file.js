// A record as it comes from the server or out of a file: bytes in, a record or a named fault out. Law: it bounds what
// it reads and checks the shape that drawing needs; whether the record is right, verify.js says.

/** No record is larger: 8 seats, 18 holes and 600 actions in each come to 5 MiB. */
export const MOST_BYTES = 16 * 1024 * 1024;
const MOST_DEPTH = 20;
const NEWEST = 5;

/** What a link to a record ends with, and the id of a match. */
const LINK = /^#record=(.*)$/;
const ID = /^[0-9a-z]{26}$/;

/** `code` is one of those in docs/protocol.md, "A record that can't be used". */
export class BadRecord extends Error {
  constructor(code, params = {}) {
    super(code);
    Object.assign(this, { code, params });
  }
}

export const recordLink = (match) => `#record=${match}`;

/** The match that an address asks the record of: {id}, or null where it asks for none. */
export function readRecordLink(hash) {
  const found = LINK.exec(hash);
  return found ? { id: found[1] } : null;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const texts = (value) => Array.isArray(value) && value.every((part) => typeof part === "string");
const isMove = (value) => Array.isArray(value) && Number.isFinite(value[1]) && value.length > 2 && texts([value[0], ...value.slice(2)]);
const isEnd = (value) => value === null || (isObject(value) && Number.isFinite(value.at) && typeof value.how === "string");
const isHand = (hand) => isObject(hand) && Array.isArray(hand.moves) && hand.moves.every(isMove) && isEnd(hand.ended)
  && (hand.result === null || (isObject(hand.result) && typeof hand.result.how === "string"));
const isBest = (best) => best === null || best === undefined || (isObject(best) && Number.isInteger(best.strokes) && Array.isArray(best.line) && best.line.every(texts));
const isHole = (hole) => isObject(hole) && typeof hole.code === "string" && Array.isArray(hole.columns) && hole.columns.every(texts)
  && texts(hole.waste) && texts(hole.stock) && Number.isFinite(hole.opened_at) && (hole.closed_at === null || Number.isFinite(hole.closed_at))
  && isBest(hole.best) && isObject(hole.seats) && Object.values(hole.seats).every(isHand);
const isRound = (hole) => isObject(hole) && typeof hole.code === "string" && Number.isFinite(hole.opened_at) && (hole.closed_at === null || Number.isFinite(hole.closed_at))
  && Array.isArray(hole.plays) && hole.plays.every(isMove) && isObject(hole.seats) && Object.values(hole.seats).every((hand) => isHand({ moves: [], ended: null, ...hand }));
const isSeat = (row) => isObject(row) && Number.isInteger(row.seat) && typeof row.name === "string";
const isRecord = (record) => isObject(record.options) && Number.isInteger(record.options.holes) && record.options.holes > 0 && record.options.holes < 100
  && Array.isArray(record.options.deals) && Array.isArray(record.notes) && typeof record.match === "string" && typeof record.secret === "string"
  && Array.isArray(record.seats) && record.seats.every(isSeat) && Array.isArray(record.holes) && record.holes.every(record.options.mode === "spit" ? isRound : isHole);

/** How deep the brackets of a JSON text go, and whether it ends inside one or inside a word: {depth, open}. */
function nesting(text) {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "[" || c === "{") deepest = Math.max(deepest, ++depth);
    else if (c === "]" || c === "}") depth--;
    if (deepest > MOST_DEPTH) break;
  }
  return { depth: deepest, open: quoted || depth > 0 || text.trim() === "" };
}

/** The record in these bytes (an ArrayBuffer). Throws BadRecord. */
export function readRecord(bytes) {
  if (bytes.byteLength > MOST_BYTES) throw new BadRecord("record_large", { most: MOST_BYTES >> 20 });
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadRecord("record_not_json");
  }
  const { depth, open } = nesting(text);
  if (depth > MOST_DEPTH) throw new BadRecord("record_deep");
  let record;
  try {
    record = JSON.parse(text);
  } catch {
    throw new BadRecord(open ? "record_cut" : "record_not_json");
  }
  if (!isObject(record) || !Number.isInteger(record.schema) || record.schema < 1) throw new BadRecord("not_a_record");
  if (record.schema > NEWEST) throw new BadRecord("record_newer");
  if (!isRecord(record)) throw new BadRecord("not_a_record");
  return record;
}

/** Fetches a match's record: its bytes. Throws BadRecord with the server's code, or `unreachable`. */
export async function fetchRecord(id) {
  if (!ID.test(id)) throw new BadRecord("bad_match_id");
  let answer;
  try {
    answer = await fetch(`/api/matches/${id}`);
    if (answer.ok) return await answer.arrayBuffer();
  } catch {
    throw new BadRecord("unreachable");
  }
  const said = await answer.json().catch(() => ({}));
  throw new BadRecord(typeof said.code === "string" ? said.code : "unreachable");
}
