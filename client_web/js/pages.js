// Which page shows what. Law: one line a page; what a page draws, and how it gets there, is not known here.

import { Home } from "./home.js";
import { Record } from "./record_page.js";
import { Room } from "./room.js";
import { Rules } from "./rules.js";
import { Seeking } from "./seeking.js";
import { Spectate } from "./spectate.js";
import { Table } from "./table.js";

/** Pages that show no match, by the name that `app.show(name, what)` is given. */
const APART = {
  record: Record,
  rules: Rules,
  seeking: Seeking,
};

/** The class of the page for what the client holds just now. */
export function pageFor({ showing, view }) {
  if (showing) return APART[showing.page];
  if (!view) return Home;
  const { phase } = view.match;
  if (phase === "lobby" || phase === "countdown") return Room;
  return view.you.role === "seat" ? Table : Spectate;
}
