// What the checks of all games share. Law: plain data, and docs/deals.md alone; no page.

export const RANKS = "A23456789TJQK";
export const DECK = [..."SHDC"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
/** How many of the latest actions can be taken back. */
export const UNDO_DEPTH = 100;

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** JSON in one form only: names in order, no white space, ASCII. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) return `{${Object.keys(value).sort().map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export const same = (one, other) => canonical(one) === canonical(other);
