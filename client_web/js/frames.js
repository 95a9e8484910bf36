// What the server says, and what it does to the client. Law: one line a type of frame; the view is folded here and
// nowhere else, and a page is told by its own methods (update, told, fail, refused, answered), where it has them.

import { sentences } from "./announce.js";
import { haunted } from "./company.js";
import { openBest } from "./best.js";
import { closeSheets } from "./dialogs.js";
import * as store from "./seat_store.js";
import { fold } from "./state.js";

function snapshot(app, { view }) {
  const { match, you } = view;
  const same = app.view?.match.id === match.id && app.view.you.generation === you.generation;
  if (you.role === "seat") {
    if (same) app.commands.atLeast(you.next_seq);
    else app.commands.reset(you.next_seq);
    if (app.token) store.rememberSeat(match.id, match.room, app.token, app.deals);
    const token = app.token ?? store.seatOf(match.id)?.token;
    if (token) app.connection.own(token);
  }
  app.token = null;
  app.deals = [];
  if (app.view?.match.id !== match.id) {
    closeSheets();
    app.presence = {};
  }
  app.view = view;
  app.showing = null;
  app.page?.told?.(null, { t: "snapshot", view });
  app.setHash(you.role === "seat" ? match.room : `watch=${match.room}`);
  const { then } = app;
  app.then = null;
  if (you.role === "seat") then?.(view);
  app.draw();
}

function entry(app, frame) {
  if (!app.view) return;
  const before = app.view;
  app.view = fold(before, frame);
  const answered = frame.seq ? app.commands.answered(frame.seq) : undefined;
  if (answered?.t === "leave") return void app.goHome();
  if (answered) app.page?.answered?.(answered);
  app.page?.told?.(before, frame);
  for (const words of sentences(before, app.view, frame, app.layout)) app.say(words);
  app.commands.settle(app.view.you);
  if (app.following && app.view.match.next) return void app.follow();
  app.soon();
}

function ack(app, { seq }) {
  const command = app.commands.answered(seq);
  if (command?.t === "leave") return void app.goHome();
  if (app.view) app.commands.settle(app.view.you);
  app.soon();
}

function refused(app, frame) {
  const command = app.commands.answered(frame.seq);
  if (app.view) app.commands.settle(app.view.you);
  if (app.page?.refused) app.page.refused(frame, command);
  else if (frame.code !== "stale") app.flash(app.sayError(frame));
  app.soon();
}

function error(app, frame) {
  if (!app.view && app.page?.fail) return app.page.fail(frame);
  if (app.view) return app.flash(app.sayError(frame));
  // A seat or room from the address that is no more.
  if (app.connection.seat) store.forgetSeat(app.connection.seat.match);
  app.connection.seat = null;
  app.setHash("");
  app.draw();
  return app.page.fail?.(frame);
}

function gone(app) {
  if (app.view) store.forgetSeat(app.view.match.id);
  else if (app.connection.seat) store.forgetSeat(app.connection.seat.match);
  app.goHome();
  app.page.fail({ code: "gone" });
}

/** Strangers were found: the seat is this page's, by the token that it waited with. */
function matched(app, { match, room }) {
  const { page, token } = app.showing ?? {};
  if (page !== "seeking") return;
  store.rememberSeat(match, room, token);
  app.forget();
  app.connection.enter(match, token);
}

const HEARD = {
  snapshot,
  e: entry,
  ack,
  refused,
  error,
  gone,
  matched,
  waiting: (app, { players, since }) => {
    if (app.showing?.page === "seeking") Object.assign(app.showing, { players, since });
    app.soon();
  },
  presence: (app, { seats }) => {
    app.presence = seats;
    app.soon();
  },
  lobby: (app, { rooms }) => {
    app.rooms = rooms;
    app.soon();
  },
  course: (app, frame) => app.page?.took?.(frame),
  days: (app, frame) => app.page?.took?.(frame),
  ghosts: (app, frame) => {
    if (!app.view) return;
    app.view = haunted(app.view, frame);
    app.soon();
  },
  best: openBest,
  reaction: (app, frame) => app.reactions.heard(frame),
  status: (app, { state }) => app.banner.server(state),
};

/** A frame came, in version order. Types that this page doesn't know are newer than it, and pass. */
export function heard(app, frame) {
  HEARD[frame.t]?.(app, frame);
}

/** The line's state changed: connecting, open, away, replaced, outdated or bye. */
export function lineIs(app, state) {
  // Only within the same claim: a fresh one starts with nothing outstanding.
  if (state === "open" && app.connection.version !== null) app.commands.resend();
  if (state === "open") app.page?.lineOpen?.();
  if (state === "bye" && app.view) {
    const kicked = !app.leaving;
    if (kicked) store.forgetSeat(app.view.match.id);
    app.goHome();
    if (kicked) app.page.fail({ code: "kicked" });
  }
  app.banner.connection(state);
}
