// The first page's way to the courses. Law: links only.

import { eventLines } from "./club.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

export function courseSection() {
  const lines = eventLines();
  return h("section", { class: "sheet", "data-testid": "courses" }, h("h2", null, t("courses.title")), h("p", { class: "hint" }, t("courses.words")),
    h("div", { class: "actions" },
      h("a", { class: "link-button secondary", href: "#day", "data-testid": "day-link" }, t("course.day")),
      h("a", { class: "link-button quiet", href: "#days", "data-testid": "days-link" }, t("days.title")),
      h("a", { class: "link-button quiet", href: "#club", "data-testid": "club-link" }, t("club.title"))),
    lines.length ? [h("h3", null, t("club.yours")), h("ul", { class: "room-list" }, lines)] : null);
}
