// The page of a course: what it is, the way into one's round, and the table of those who finished. Law: it asks and
// shows what came back; the server decides who may play and when anything of the deals is shown.

import { copyText } from "./dialogs.js";
import { ClubEdit } from "./club.js";
import { courseLink } from "./course_links.js";
import { courseTable, csv } from "./course_table.js";
import { h, icon, morph } from "./dom.js";
import { current, number, t } from "./i18n.js";
import { playedList } from "./mix.js";
import { optionWords, winsLine } from "./options.js";
import { recordLink } from "./record_file.js";
import * as store from "./seat_store.js";

const ASK_AGAIN_MS = 10000;
/** Errors that leave nothing of a course to show. */
const FATAL = ["no_course", "no_such_match", "not_ended", "course_open", "no_such_seat"];

/** A date of the day's course, which is one of UTC. */
export const dayWords = (date) => new Intl.DateTimeFormat(current(), { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));

/** A moment in the reader's own time. */
export const whenWords = (at) => new Intl.DateTimeFormat(current(), { dateStyle: "medium", timeStyle: "short" }).format(at);

/** What a course is called. */
export function courseTitle({ kind, title }) {
  if (kind === "beat") return t("course.beat.title", { name: title });
  return kind === "day" ? t("course.day.title", { day: dayWords(title) }) : title;
}

export class Course {
  constructor(app) {
    this.app = app;
    this.source = app.showing;
    this.at = 1;
    this.name = store.name();
    this.asked = [];
  }

  /** What a change of language keeps. */
  keep() {
    return { frame: this.frame, name: this.name, at: this.at, source: this.source };
  }

  mount(root, _, kept) {
    Object.assign(this, kept);
    document.title = t("title.course");
    this.main = h("main", { class: "course", tabindex: -1 });
    this.head = h("div", null);
    this.error = h("p", { class: "form-error", role: "alert", "data-testid": "error", hidden: true });
    this.body = h("div", { class: "course-body" });
    this.main.append(this.head, this.error, this.body);
    root.replaceChildren(this.main);
    if (this.source.organiser) this.edit = new ClubEdit(this);
    this.update();
    this.ask();
    this.timer = setInterval(() => !document.hidden && this.mayChange() && this.ask(), ASK_AGAIN_MS);
  }

  unmount() {
    clearInterval(this.timer);
  }

  // What is asked

  /** The question for a page of the table; null before the course is known by its id. */
  question(page) {
    const token = store.browserToken();
    const { course, organiser, match, seat } = this.source;
    if (course) return { t: "course", course, page, token, ...(organiser ? { organiser } : {}) };
    return match ? { t: "beat", match, seat } : { t: "day", token };
  }

  /** Sends what is answered with a course; answers come in the order of the questions. */
  request(message, then = (frame) => this.shown(frame)) {
    if (this.app.connection.send(message)) this.asked.push(then);
  }

  /** Whether another answer may tell more: rounds still come, or the best of a hole is still sought. */
  mayChange() {
    const course = this.frame?.course;
    return course?.state !== "over" || (course.best ?? []).includes(null);
  }

  ask() {
    this.request(this.question(this.at));
  }

  lineOpen() {
    this.asked = [];
    this.ask();
  }

  took(frame) {
    this.asked.shift()?.(frame);
  }

  /** A course came: the one on show, brought up to date. */
  shown(frame) {
    const first = !this.source.course;
    this.frame = frame;
    this.at = frame.table.page;
    this.source = { ...this.source, course: frame.course.id };
    if (first && !this.source.day) {
      this.app.setHash(courseLink(frame.course.id).slice(1));
      this.ask(); // as the browser that it is
    }
    this.update();
  }

  /** All rows of the table, page by page. */
  async everyRow() {
    const rows = [];
    for (let page = 1; page <= this.frame.table.pages; page++) {
      const answer = await new Promise((resolve) => this.request(this.question(page), resolve));
      rows.push(...answer.table.rows);
    }
    return rows;
  }

  fail(error) {
    this.asked.shift();
    this.fault = FATAL.includes(error.code) ? error : null;
    this.error.textContent = this.app.sayError(error);
    this.error.hidden = Boolean(this.fault);
    if (!this.fault) this.error.scrollIntoView({ block: "center", behavior: "smooth" });
    if (error.code === "already_played") this.ask();
    this.update();
  }

  // What is done

  play() {
    const name = this.name.trim();
    if (!name) return this.fail({ code: "bad_name" });
    this.error.hidden = true;
    store.rememberName(name);
    return this.app.playCourse(this.frame.course.id, name);
  }

  turn(page) {
    this.at = page;
    this.ask();
  }

  async download() {
    const text = csv(this.frame.course, await this.everyRow());
    const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    h("a", { href: url, download: `fairway-${this.frame.course.id.slice(0, 8)}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  async print() {
    this.printed = await this.everyRow();
    this.update();
    print();
    this.printed = null;
    this.update();
  }

  async copy(event) {
    const button = event.currentTarget;
    const done = await copyText(button.parentElement.querySelector(".link"));
    button.textContent = t(done ? "room.copied" : "room.copy.select");
    this.app.say(button.textContent);
    setTimeout(() => (button.textContent = t("room.copy")), 2500);
  }

  // What is shown

  update() {
    const { frame } = this;
    const title = frame ? courseTitle(frame.course) : t("course.loading");
    morph(this.head, [h("header", { class: "room-head" },
      h("button", { class: "icon-button", "aria-label": t("home.back"), "data-testid": "home", onclick: () => this.app.goHome() }, icon("i-back")),
      h("div", { class: "grow" }, h("h1", { "data-testid": "course-title" }, title), frame ? h("p", { class: "hint", "data-testid": "course-state" }, this.stateWords()) : null),
      h("button", { class: "icon-button", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear")))]);
    morph(this.body, this.fault ? [this.faultSheet()] : frame ? this.sheets() : []);
  }

  faultSheet() {
    return h("section", { class: "sheet", role: "alert", "data-testid": "course-fault", "data-code": this.fault.code }, h("p", null, this.app.sayError(this.fault)),
      h("div", { class: "actions" }, h("button", { class: "quiet", onclick: () => this.app.goHome() }, t("home.back"))));
  }

  stateWords() {
    const { state, opens_at: opens, closes_at: closes } = this.frame.course;
    return t(`course.state.${state}`, { when: whenWords(state === "before" ? opens : closes) });
  }

  sheets() {
    const { course, table, you } = this.frame;
    return [h("div", { class: "course-top", "data-key": "top" }, this.playSheet(course, you), this.aboutSheet(course)),
      you.organiser && this.edit ? this.edit.sheet(course) : null,
      this.tableSheet(course, table, you),
      course.state === "over" ? this.openedSheet(course) : null];
  }

  playSheet(course, you) {
    const parts = [];
    const mine = you.row;
    if (mine) {
      parts.push(h("p", { class: "course-mine", "data-testid": "course-mine" },
        t("course.mine", { score: number(mine.totals[course.options.scoring]), place: mine.place, n: this.frame.table.rounds })));
    } else if (you.state === "done") parts.push(h("p", null, t("error.already_played")));
    else if (you.state === "playing") {
      parts.push(h("p", null, t("course.playing")), this.playButton("course.go_on"));
    } else if (course.state === "open") parts.push(this.nameField(course), this.playButton("course.play"), h("p", { class: "hint" }, t("course.honour")));
    else parts.push(h("p", null, this.stateWords()));
    return h("section", { class: "sheet", "data-key": "play" }, h("h2", null, t(mine ? "course.your_round" : "course.round")), parts,
      h("div", { class: "link-row" }, h("span", { class: "link code", "data-testid": "link", tabindex: 0 }, `${location.origin}/`, h("wbr"), courseLink(course.id)),
        h("button", { class: "secondary", "data-testid": "copy-link", onclick: (event) => this.copy(event) }, t("room.copy"))));
  }

  playButton(words) {
    return h("button", { class: "primary big", "data-testid": "course-play", onclick: () => this.play() }, t(words));
  }

  nameField(course) {
    if (!course.roster.length) {
      const input = h("input", { id: "course-name", "data-testid": "name", maxlength: 24, autocomplete: "nickname", spellcheck: "false",
        placeholder: t("home.name.placeholder"), oninput: (event) => (this.name = event.currentTarget.value) });
      input.value = this.name;
      return h("div", { class: "field", "data-key": "name" }, h("label", { for: "course-name" }, t("home.name")), input);
    }
    const free = course.roster.filter(({ taken }) => !taken);
    if (!free.some(({ name }) => name === this.name)) this.name = "";
    return h("div", { class: "field", "data-key": "roster" }, h("label", { for: "course-name" }, t("course.choose_name")),
      h("select", { id: "course-name", "data-testid": "roster", onchange: (event) => (this.name = event.currentTarget.value) },
        h("option", { value: "", selected: !this.name }, t("course.choose_name.none")),
        free.map(({ name }) => h("option", { value: name, selected: name === this.name }, name))));
  }

  aboutSheet(course) {
    const { options } = course;
    const lines = [[t(options.mix ? "mix.order" : "option.rule"), playedList(options)], ...["holes", "scoring", "undo", "hole_seconds"].map((name) => [t(`option.${name}`), optionWords(name, options[name])]),
      ...(course.par ? [[t("par.short"), course.par]] : [])];
    return h("section", { class: "sheet", "data-key": "about" }, h("h2", null, t("course.about")), h("p", null, t(`course.${course.kind}.words`)),
      h("dl", { class: "summary" }, lines.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
      course.state === "over" ? null : h("p", { class: "hint" }, t("course.closed")),
      course.kind === "day" ? h("div", { class: "actions" }, h("a", { class: "link-button secondary", href: "#days", "data-testid": "days-link" }, t("days.title"))) : null);
  }

  tableSheet(course, { page, pages, rounds, rows }, you) {
    if (!rounds) return h("section", { class: "sheet", "data-key": "table" }, h("h2", null, t("course.table")), h("p", { class: "hint" }, t("course.nobody")));
    const turn = (to, words, name) => h("button", { class: "quiet", disabled: to < 1 || to > pages, "data-testid": name, onclick: () => this.turn(to) }, t(words));
    return h("section", { class: "sheet course-sheet", "data-key": "table" }, h("h2", null, t("course.table")),
      h("p", { class: "hint" }, t("course.rounds", { n: rounds }), " ", winsLine(course.options)),
      courseTable(course, this.printed ?? rows, you.row),
      rounds > 1 ? h("p", { class: "hint" }, t("course.percentile.hint")) : null,
      course.best ? h("p", { class: "hint" }, t("course.best.hint")) : null,
      pages > 1 ? h("nav", { class: "actions no-print", "aria-label": t("course.pages") }, turn(page - 1, "course.page.back", "page-back"),
        h("span", null, t("course.page", { page, pages })), turn(page + 1, "course.page.on", "page-on")) : null,
      h("div", { class: "actions no-print" },
        h("button", { class: "secondary", "data-testid": "csv", onclick: () => this.download() }, icon("i-download"), t("course.csv")),
        h("button", { class: "quiet", "data-testid": "print", onclick: () => this.print() }, t("course.print"))));
  }

  /** What is shown once the course is over. */
  openedSheet(course) {
    return h("details", { class: "sheet no-print", "data-key": "opened" }, h("summary", null, t("scorecard.codes")),
      h("ol", { class: "codes", "data-testid": "course-codes" }, course.codes.map((code, k) => h("li", null, t("hole.n", { n: k + 1 }), " ", h("span", { class: "code" }, code)))),
      course.open_deal ? null : [h("p", { class: "hint" }, t("course.sealed")), h("p", { class: "code small-code" }, course.commitment), h("p", { class: "code small-code" }, course.secret)],
      course.source ? h("a", { class: "link-button secondary", href: recordLink(course.source) }, t("record.open")) : null);
  }
}
