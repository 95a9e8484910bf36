// What an address opens, by what stands behind its "#". Law: the first route that can read it opens it, one line a
// route; nothing that can be read is the first page.

import { readClubLink, readCourseLink, readDaysLink } from "./course_links.js";
import { readRecordLink } from "./record_file.js";
import { readRulesLink } from "./rules.js";
import * as store from "./seat_store.js";

/** A spectator's link ends with `watch=` and the code; with the code and `.watch` in links of before. */
const WATCH = /^watch=|\.watch$/i;

/** Room code and role out of a code, a link or a link's hash: {room, watch} or null. */
export function readRoom(text) {
  const tail = text.trim().split("#").pop().replace(/\s+/g, "");
  const upper = tail.replace(WATCH, "").replace(/[ıİi]/g, "I").toUpperCase();
  return /^[A-Z]{8}$/.test(upper) ? { room: upper, watch: WATCH.test(tail) } : null;
}

/** A seat that this browser holds is taken up, a spectator's link watches, anything else is asked on the first page. */
function openRoom(app, { room, watch }) {
  const mine = watch ? null : store.seatInRoom(room);
  if (mine) return app.connection.enter(mine.match, mine.token);
  if (watch) app.watch(room);
  else app.draw();
  return app.connection.start();
}

/** Opens a page that shows no match and asks the server for what it shows. */
const asking = (page) => (app, what) => {
  app.show(page, what);
  app.connection.start();
};

/** {read(hash), open(app, what)}: `what` is what `read` found, null where the route is another's. */
const ROUTES = [
  { read: readRecordLink, open: (app, record) => app.show("record", record) },
  { read: readCourseLink, open: asking("course") },
  { read: readDaysLink, open: asking("days") },
  { read: readClubLink, open: asking("club") },
  { read: readRulesLink, open: (app, what) => app.show("rules", what) },
  { read: readRoom, open: openRoom },
];

/** Opens what the page's address asks for. */
export function openAddress(app) {
  for (const { read, open } of ROUTES) {
    const what = read(location.hash);
    if (what) return void open(app, what);
  }
  app.draw();
  app.connection.start();
}
