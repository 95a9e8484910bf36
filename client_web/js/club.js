// A club event: the form that makes one, and what its organiser may change. Law: it gathers what was typed; what an
// event can be is for the server to say. The organiser's token stays in the organiser's link.

import { clubLink } from "./course_links.js";
import { h, icon, morph } from "./dom.js";
import { t } from "./i18n.js";
import { readRoundOptions, roundFields } from "./options.js";
import * as store from "./seat_store.js";

const HOUR_MS = 3600000;
const DAYS_OPEN = 7;

/** A moment as a field of date and time wants it, in the reader's own time. */
function localTime(at) {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60000);
  return shifted.toISOString().slice(0, 16);
}

const rosterLines = (text) => text.split(/\r?\n/);

function titleField(value) {
  return h("div", { class: "field" }, h("label", { for: "club-title" }, t("club.name")),
    h("input", { id: "club-title", name: "title", maxlength: 60, autocomplete: "off", "data-testid": "club-title", value }));
}

function rosterField(value) {
  const area = h("textarea", { id: "club-roster", name: "roster", rows: 5, spellcheck: "false", autocomplete: "off", "aria-describedby": "club-roster-hint", "data-testid": "club-roster" });
  area.value = value;
  return h("div", { class: "field" }, h("label", { for: "club-roster" }, t("club.roster")), area, h("p", { class: "hint", id: "club-roster-hint" }, t("club.roster.hint")));
}

/** The page on which an event is made. */
export class Club {
  constructor(app) {
    this.app = app;
    this.token = store.newToken();
  }

  mount(root) {
    document.title = t("title.course");
    const now = this.app.now();
    this.error = h("p", { class: "form-error", role: "alert", "data-testid": "error", hidden: true });
    const moment = (name, at) => h("div", { class: "option" }, h("label", { for: `club-${name}` }, t(`club.${name}`)),
      h("input", { id: `club-${name}`, name, type: "datetime-local", required: true, value: localTime(at), "data-testid": `club-${name}` }));
    this.form = h("form", { "data-testid": "club-form", onsubmit: (event) => {
      event.preventDefault();
      this.make();
    } }, titleField(""), h("div", { class: "options" }, moment("opens", now), moment("closes", now + DAYS_OPEN * 24 * HOUR_MS)),
    rosterField(""), roundFields(),
    h("button", { class: "primary big start", type: "submit", "data-testid": "club-create" }, t("club.create")));
    root.replaceChildren(h("main", { class: "course", tabindex: -1 },
      h("header", { class: "room-head" },
        h("button", { class: "icon-button", "aria-label": t("home.back"), "data-testid": "home", onclick: () => this.app.goHome() }, icon("i-back")),
        h("h1", { class: "grow" }, t("club.title")),
        h("button", { class: "icon-button", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear"))),
      this.error, h("section", { class: "sheet host-form" }, h("p", null, t("club.words")), this.form)));
  }

  update() {}

  make() {
    const data = new FormData(this.form);
    this.error.hidden = true;
    this.app.connection.send({ t: "club", token: this.token, title: String(data.get("title")), options: readRoundOptions(data),
      opens_at: Math.max(0, Date.parse(data.get("opens")) || 0), closes_at: Math.max(0, Date.parse(data.get("closes")) || 0),
      roster: rosterLines(String(data.get("roster"))) });
  }

  /** It was made: on to its page, as its organiser. */
  took({ course }) {
    store.rememberEvent(course.id, this.token, course.title);
    location.hash = clubLink(course.id, this.token);
  }

  fail(error) {
    this.error.textContent = this.app.sayError(error);
    this.error.hidden = false;
    this.error.scrollIntoView({ block: "center", behavior: "smooth" });
  }
}

/** The organiser's part of a course's page. */
export class ClubEdit {
  /** @param page the course's page */
  constructor(page) {
    this.page = page;
  }

  sheet(course) {
    if (this.drawnFor !== course.id) {
      this.drawnFor = course.id;
      this.form = h("form", { "data-testid": "club-edit", onsubmit: (event) => {
        event.preventDefault();
        const data = new FormData(this.form);
        this.page.error.hidden = true;
        this.page.request({ t: "club_set", course: course.id, token: this.page.source.organiser, title: String(data.get("title")), roster: rosterLines(String(data.get("roster"))) });
      } }, titleField(course.title), rosterField(course.roster.map(({ name }) => name).join("\n")),
      h("button", { class: "secondary start", type: "submit", "data-testid": "club-save" }, t("room.save")));
      this.host = h("section", { class: "sheet no-print", "data-key": "organiser" }, h("h2", null, t("club.organiser")), h("p", { class: "hint" }, t("club.organiser.hint")),
        this.form, h("div", { "data-key": "status" }));
    }
    const waiting = course.roster.filter(({ taken }) => !taken).map(({ name }) => name);
    morph(this.host.lastChild, waiting.length ? [h("p", { class: "hint", "data-testid": "club-waiting" },
      t("club.waiting", { names: new Intl.ListFormat(document.documentElement.lang).format(waiting) }))] : []);
    return this.host;
  }
}
