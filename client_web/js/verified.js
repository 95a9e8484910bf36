// The mark at the end of a match: whether its public record holds. Law: it fetches the record once, lets verify.js
// judge, and says the outcome; it trusts what this page saw before over what the record says.

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import * as store from "./seat_store.js";

/** Resolves to what the mark of a record says, {state, field}; the judge is fetched when it is asked for. `seen` as in verify.js. */
export async function judged(record, seen) {
  const { faults } = await import("./verify.js");
  const [field] = await faults(record, seen);
  return { field, state: field ? "wrong" : record.options.deals.length ? "open" : "sealed" };
}

async function check(app, mark) {
  const { match, you } = app.view;
  const seen = { commitment: match.commitment, seat: you.seat, ...store.sealOf(match.id) };
  try {
    const answer = await fetch(`/api/matches/${match.id}`);
    if (!answer.ok) throw new Error(String(answer.status));
    Object.assign(mark, await judged(await answer.json(), seen));
  } catch {
    mark.state = "unknown";
  }
  app.say(t(`verified.${mark.state}`, { field: mark.field }));
  app.soon();
}

/** The line for the podium. The check runs once for each match. */
export function verifiedLine(app) {
  const { id } = app.view.match;
  if (app.mark?.match !== id) {
    app.mark = { match: id, state: "checking" };
    check(app, app.mark);
  }
  return markLine(app.mark);
}

/** The line that says a mark. */
export function markLine({ state, field }) {
  const looks = { sealed: "i-check", open: "i-check", wrong: "i-warn" };
  return h("p", { class: `verified is-${state}`, "data-testid": "verified", "data-state": state },
    looks[state] ? icon(looks[state]) : null, h("span", null, t(`verified.${state}`, { field })));
}
