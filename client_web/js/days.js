// The courses of past days. Law: a list of links; what each shows is its own page's.

import { dayWords } from "./course.js";
import { courseLink } from "./course_links.js";
import { h, icon, morph } from "./dom.js";
import { t } from "./i18n.js";

export class Days {
  constructor(app) {
    this.app = app;
  }

  keep() {
    return { days: this.days };
  }

  mount(root, _, kept) {
    this.days = kept?.days ?? null;
    document.title = t("title.course");
    this.main = h("main", { class: "course", tabindex: -1 });
    root.replaceChildren(this.main);
    this.update();
    this.lineOpen();
  }

  lineOpen() {
    this.app.connection.send({ t: "days" });
  }

  took({ days }) {
    this.days = days;
    this.update();
  }

  fail(error) {
    this.error = this.app.sayError(error);
    this.update();
  }

  update() {
    const { days } = this;
    morph(this.main, [h("header", { class: "room-head" },
      h("button", { class: "icon-button", "aria-label": t("home.back"), "data-testid": "home", onclick: () => this.app.goHome() }, icon("i-back")),
      h("h1", { class: "grow" }, t("days.title")),
      h("button", { class: "icon-button", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear"))),
    this.error ? h("p", { class: "form-error", role: "alert" }, this.error) : null,
    h("section", { class: "sheet", "data-testid": "days" },
      days === null ? h("p", { class: "hint" }, t("course.loading"))
        : days.length ? h("ul", { class: "room-list" }, days.map(({ day, course, rounds }) => h("li", { "data-key": day },
          h("div", null, h("a", { href: courseLink(course) }, dayWords(day)), h("p", { class: "hint" }, t("course.rounds", { n: rounds }))))))
          : h("p", { class: "hint" }, t("days.none")),
      h("div", { class: "actions" }, h("a", { class: "link-button primary", href: "#day", "data-testid": "day-link" }, t("course.day"))))]);
  }
}
