// What this browser remembers: seats' tokens by match, the person's name and settings. Law: nothing here is needed
// to play; a browser that forbids storage plays on and forgets.

const KEY = "fairway";
const KEPT_SEATS = 30;
const KEPT_PLAYED = 20;
const KEPT_EVENTS = 20;
/** How long the first page offers the way back to a seat. */
const SEAT_OFFERED_MS = 12 * 3600 * 1000;

/** The persons' settings of the rules page with their defaults. */
export const DEFAULTS = {
  interactive: true,
  doubleTap: true,
  placementHelp: true,
  autoPlacement: false,
  fourColours: false,
  largePrint: false,
  sound: false,
  reactions: true,
  theme: "auto",
  language: null,
};

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function write(change) {
  const all = { ...read(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Storage is full or forbidden: the page works without.
  }
}

/** 128 random bits as 32 hex digits (works on plain HTTP, unlike crypto.randomUUID). */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** The events that were made in this browser, the latest first: {course, token, title}. */
export const events = () => read().events ?? [];
export const rememberEvent = (course, token, title) =>
  write({ events: [{ course, token, title }, ...events().filter((event) => event.course !== course)].slice(0, KEPT_EVENTS) });

let browser = null;

/** 128 bits that stand for this browser where it may do something once (wait for a quick match, play a course); where storage is forbidden, for this page. */
export function browserToken() {
  browser ??= read().browser ?? newToken();
  if (read().browser !== browser) write({ browser });
  return browser;
}

export const name = () => read().name ?? "";
export const rememberName = (value) => write({ name: value });

export const settings = () => ({ ...DEFAULTS, ...read().settings });
export const remember = (change) => write({ settings: { ...read().settings, ...change } });

/** Options the person hosted with last, so that the form begins where they left it. */
export const lastOptions = () => read().options ?? {};
export const rememberOptions = (options) => write({ options });

/** Remembers the token that owns a seat of this match, and the deals its host typed in (the server doesn't repeat them). */
export function rememberSeat(match, room, token, deals = []) {
  const kept = Object.entries(read().seats ?? {}).filter(([id]) => id !== match)
    .sort((a, b) => b[1].at - a[1].at).slice(0, KEPT_SEATS - 1);
  write({ seats: { ...Object.fromEntries(kept), [match]: { room, token, deals, at: Date.now() } } });
}

/** Remembers what this page gave for a match's deals, and the commitment that it saw then. */
export function rememberSeal(match, nonce, commitment) {
  const kept = Object.entries(read().seals ?? {}).filter(([id]) => id !== match).slice(1 - KEPT_SEATS);
  write({ seals: { ...Object.fromEntries(kept), [match]: { nonce, commitment } } });
}

export const sealOf = (match) => read().seals?.[match] ?? {};

export function forgetSeat(match) {
  const { [match]: _, ...rest } = read().seats ?? {};
  write({ seats: rest });
}

/** The matches that were played here, the latest first: {match, at, mode, holes, names, place}. */
export const played = () => read().played ?? [];
export const rememberPlayed = (row) => write({ played: [row, ...played().filter(({ match }) => match !== row.match)].slice(0, KEPT_PLAYED) });
export const forgetPlayed = () => write({ played: [] });

export const seatOf = (match) => read().seats?.[match] ?? null;

/** The seat taken last that may still be played, {match, room, token}, or null: not of a match that ended here, nor an old one. */
export function lastSeat() {
  const ended = new Set(played().map((row) => row.match));
  const open = Object.entries(read().seats ?? {}).filter(([id, seat]) => !ended.has(id) && Date.now() - seat.at < SEAT_OFFERED_MS);
  const [found] = open.sort((a, b) => b[1].at - a[1].at);
  return found ? { match: found[0], ...found[1] } : null;
}

/** The seat this browser holds in a room: {match, token} or null. */
export function seatInRoom(room) {
  const found = Object.entries(read().seats ?? {}).filter(([, seat]) => seat.room === room)
    .sort((a, b) => b[1].at - a[1].at)[0];
  return found ? { match: found[0], token: found[1].token } : null;
}
