// Whom everybody waits for, by name. Law: it names seats that the view says are not done; who is offline is waited for
// only as long as the server does.

import { t } from "./i18n.js";
import { seated } from "./state.js";

/** More than so many are named in part and counted. */
const NAMED = 3;

function listed(names) {
  const shown = names.length > NAMED ? [...names.slice(0, NAMED - 1), t("names.more", { n: names.length - NAMED + 1 })] : names;
  return new Intl.ListFormat(document.documentElement.lang).format(shown);
}

/** The seats that still play the open hole, in words, or "". */
export const stillPlaying = (view) => listed(seated(view).filter(([, seat]) => !seat.ended).map(([, seat]) => seat.name));

/** Those who are there and not ready for the next hole, in words, or "". */
export const notReady = (app) => listed(seated(app.view)
  .filter(([i, seat]) => !seat.next && app.offlineSince(i) === null && seat.state !== "left" && seat.state !== "kicked").map(([, seat]) => seat.name));
