// Words. Law: every sentence the page shows or says comes whole from a dictionary of i18n/, with the plural
// form of the language; code puts no sentence together from pieces.

export const LANGUAGES = { en: "English", tr: "Türkçe", hi: "हिन्दी" };

let words = {};
let plural = new Intl.PluralRules("en");
let language = "en";
/** Folders whose sentences were fetched besides, since a page asked for them. */
const parts = [];

async function dictionary(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** Loads a language's dictionary, with the parts that were asked for before, and sets `lang` on the page. */
export async function load(code) {
  const all = await Promise.all([dictionary(`/i18n/${code}.json`), ...parts.map((part) => dictionary(`/${part}/${code}.json`))]);
  words = Object.assign({}, ...all);
  plural = new Intl.PluralRules(code);
  language = code;
  document.documentElement.lang = code;
}

/** Adds the sentences of a folder to those of the page. Rejects if they can't be fetched. */
export async function loadPart(part) {
  if (parts.includes(part)) return;
  const more = await dictionary(`/${part}/${language}.json`);
  parts.push(part);
  words = { ...words, ...more };
}

export const current = () => language;

/** Whether the dictionary has this key: refusal codes newer than the page fall back to the server's words. */
export const has = (key) => key in words;

/** All keys there are, in the order of the dictionaries. */
export const keys = () => Object.keys(words);

/** The sentence for `key`. `{name}` stands for params.name; params.n picks the plural form where there are several. */
export function t(key, params = {}) {
  let entry = words[key] ?? key;
  if (typeof entry === "object") entry = entry[plural.select(Math.abs(Number(params.n ?? 0)))] ?? entry.other;
  return entry.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/** A refusal or error in words: ours for its code, else what the server said. */
export function refusal({ code, words: said, params }) {
  // A sentence with a place for what the server didn't name gives way to the plain one.
  for (const key of [`refused.${code}`, `error.${code}`, `error.${code}.plain`]) {
    if (!has(key)) continue;
    // The server's English names the card or count at fault; the other languages have to do without.
    if (key.endsWith(".plain") && language === "en" && said) return said;
    const known = { ...params };
    for (const name of ["field", "part"]) {
      if (name in known && has(`${name}.${known[name]}`)) known[name] = t(`${name}.${known[name]}`);
    }
    const sentence = t(key, known);
    if (!/\{\w+\}/.test(sentence)) return sentence;
  }
  return said || t("error.unknown");
}

/** Minutes and seconds, `m:ss`; never negative. */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A number with a true minus sign. */
export const number = (value) => (value < 0 ? `−${-value}` : String(value));

/** Against par as golf writes it: −7, E, +3. */
export const toPar = (value) => (value === 0 ? "E" : value > 0 ? `+${value}` : number(value));

/** What the server puts behind a house player's name; here it is said in the page's language. */
const BOT_TAIL = " (bot)";

/** A seat's name as it is shown. */
export function seatName(seat) {
  return seat.bot ? t("seat.bot.name", { name: seat.name.replace(BOT_TAIL, "") }) : seat.name;
}
