// Which page shows what. Law: one line a page; what a page draws, and how it gets there, is not known here.

import { Home } from "./home.js";
import { Room } from "./room.js";
import { Rules } from "./rules.js";
import { Seeking } from "./seeking.js";
import { Spectate } from "./spectate.js";
import { SpitTable } from "./spit.js";
import { Table } from "./table.js";

/** Pages that show no match, by the name that `app.show(name, what)` is given. */
const APART = {
  rules: Rules,
  seeking: Seeking,
};

/** Those of them that are fetched when somebody asks for them: the first page doesn't carry them. */
const LATER = {
  record: async () => (await import("./record_page.js")).Record,
  course: async () => (await import("./course.js")).Course,
  days: async () => (await import("./days.js")).Days,
  club: async () => (await import("./club.js")).Club,
};

/** Resolves once the page of this name can be shown; rejects if it can't be fetched. */
export async function fetchPage(name) {
  if (!(name in APART)) APART[name] = await LATER[name]();
}

/** The class of the page for what the client holds just now. */
export function pageFor({ showing, view }) {
  if (showing) return APART[showing.page];
  if (!view) return Home;
  const { phase } = view.match;
  if (phase === "lobby" || phase === "countdown") return Room;
  if (view.match.options.mode === "spit") return SpitTable;
  return view.you.role === "seat" ? Table : Spectate;
}
