// Ways to begin without waiting for anybody. Law: it sends what a person could press, one after another, and knows what was
// asked for; who is in the room and when it starts is for the server to say.

import * as store from "./seat_store.js";

/** The bots of "play now": two that are neither easy nor hard to beat. */
const AGAINST = ["searching", "searching"];

/** Says ready, or takes it back. With a ready goes a number of this page's own, on which the deals will depend. */
export function sayReady(app, match, ready) {
  if (!ready) return app.send({ t: "ready", ready });
  const nonce = store.newToken();
  store.rememberSeal(match.id, nonce, match.commitment);
  return app.send({ t: "ready", ready, nonce });
}

/** A private room with bots in its other seats, under the default rules, that starts by itself. */
export function playNow(app, name) {
  app.host(name, { seats: AGAINST.length + 1, help: "hint" }, ({ match }) => {
    for (const strength of AGAINST) app.send({ t: "add_bot", strength });
    sayReady(app, match, true);
  });
}
