// The games there are, as the server tells them, and how each is laid out. Law: loaded once, at the start; a game is
// known here by what it says of itself, and nothing on the page names one.

let told = [];
let layouts = {};

const json = async (path) => (await fetch(path)).json();

/** Loads the list of games and all their layouts. */
export async function load() {
  [{ games: told }, layouts] = await Promise.all([json("/games.json"), json("/layouts.json")]);
}

/** All games, the default first. */
export const games = () => told;

/** What is told of a game: {name, prefix, decks, presets, fields, added, scorings, par, declares_loss, hides, house_players}; the default for none. */
export const gameOf = (name) => told.find((game) => game.name === name) ?? told[0];

/** The game that typed deals are of, by the first one's prefix; undefined where they are cards or nobody's code. */
export const gameOfDeals = ([first = ""]) => told.find(({ prefix }) => first.trim().toUpperCase().startsWith(prefix) && first.includes("-"));

/** What a hole of a record is of: mixed games name it, else the record does. */
export const gameIn = (record, hole) => hole?.game ?? record.game;

/** The layout of a game. */
export const layoutOf = (name) => layouts[gameOf(name).name];
