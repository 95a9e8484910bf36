// The matches that were played to their end in this browser, with the links to their records. Law: kept in this
// browser only, at most 20, and forgotten at a press.

import { courseLink } from "./course_links.js";
import { BadRecord, MOST_BYTES, recordLink } from "./record_file.js";
import { h, morph } from "./dom.js";
import { current, t } from "./i18n.js";
import { inMode } from "./mix.js";
import * as store from "./seat_store.js";
import { seated } from "./state.js";

/** Keeps a match of one's own once it has ended; called at every view. */
export function notePlayed(view) {
  const { match, you } = view;
  if (match.phase !== "ended" || you.role !== "seat" || !match.hole || store.played().some((row) => row.match === match.id)) return;
  store.rememberPlayed({ match: match.id, at: Date.now(), mode: match.options.mode, holes: (match.card ?? []).length,
    names: seated(view).filter(([, seat]) => !seat.ghost).map(([, seat]) => seat.name), course: match.course?.id, place: view.seats[you.seat]?.place ?? null });
}

/** A button that reads a record out of a file. `opened(bytes)` or `failed(error)`. */
export function fileButton(opened, failed) {
  const input = h("input", { type: "file", accept: ".json,application/json", class: "unseen", tabindex: -1, "aria-hidden": "true", "data-testid": "record-file", onchange: async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new BadRecord("record_large", { most: MOST_BYTES >> 20 });
      opened(await file.arrayBuffer());
    } catch (error) {
      failed(error instanceof BadRecord ? error : new BadRecord("not_a_record"));
    }
  } });
  return [h("button", { class: "quiet", type: "button", "data-testid": "open-record-file", onclick: () => input.click() }, t("record.file")), input];
}

function line(row) {
  const when = new Intl.DateTimeFormat(current(), { dateStyle: "medium", timeStyle: "short" }).format(row.at);
  const names = new Intl.ListFormat(current()).format(row.names);
  return h("li", { "data-key": row.match }, h("div", null, h("a", { class: "played-names", href: row.course ? courseLink(row.course) : recordLink(row.match), "data-testid": "played-link" }, names),
    h("p", { class: "hint" }, row.place === null || row.names.length === 1 ? inMode(row.mode, "played.line", { n: row.holes, when }) : inMode(row.mode, "played.line.place", { n: row.holes, when, place: row.place }))));
}

/** The section of the first page. */
export function playedSection(app) {
  const list = h("div", { "data-testid": "played" });
  const draw = () => {
    const rows = store.played();
    morph(list, rows.length ? [h("ul", { class: "room-list" }, rows.map(line))] : [h("p", { class: "hint" }, t("played.none"))]);
    clear.hidden = rows.length === 0;
  };
  const clear = h("button", { class: "quiet", type: "button", "data-testid": "clear-played", onclick: () => {
    store.forgetPlayed();
    draw();
    list.parentElement.querySelector("button").focus();
    app.say(t("played.cleared"));
  } }, t("played.clear"));
  draw();
  return h("section", { class: "sheet" }, h("h2", null, t("played.title")), list,
    h("div", { class: "actions" }, fileButton((bytes) => app.show("record", { bytes }), (error) => app.show("record", { error })), clear));
}
