// The first page's way to the courses. Law: links only.

import { clubLink } from "./course_links.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as store from "./seat_store.js";

/** The events that this browser organises. */
function eventLines() {
  return store.events().map(({ course, token, title }) => h("li", { "data-key": course }, h("a", { href: clubLink(course, token), "data-testid": "event-link" }, title)));
}

export function courseSection() {
  const lines = eventLines();
  return h("section", { class: "sheet", "data-testid": "courses" }, h("h2", null, t("courses.title")), h("p", { class: "hint" }, t("courses.words")),
    h("div", { class: "actions" },
      h("a", { class: "link-button secondary", href: "#day", "data-testid": "day-link" }, t("course.day")),
      h("a", { class: "link-button quiet", href: "#days", "data-testid": "days-link" }, t("days.title")),
      h("a", { class: "link-button quiet", href: "#club", "data-testid": "club-link" }, t("club.title"))),
    lines.length ? [h("h3", null, t("club.yours")), h("ul", { class: "room-list" }, lines)] : null);
}
