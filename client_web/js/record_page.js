// The page of a match that is over: all seats' boards on one time axis. Law: it draws what replay.js gives for a step;
// a step that somebody asked for is said once, those that play by themselves are not.

import { stepWords } from "./announce.js";
import { beatLink } from "./course_links.js";
import { openRecordBest } from "./best.js";
import { copyText } from "./dialogs.js";
import { h, icon, morph } from "./dom.js";
import { gameIn, layoutOf } from "./games.js";
import { current, number, t } from "./i18n.js";
import { holeBegins, holeTitle, holeWords, matchWords, standingAfter, standingWords } from "./match_play.js";
import { miniBoard } from "./mini.js";
import { fileButton } from "./played.js";
import { BadRecord, fetchRecord, readRecord, recordLink } from "./record_file.js";
import { Replay, viewOf } from "./replay.js";
import { codeLine } from "./results.js";
import { stateWord } from "./rivals.js";
import { scorePair, scorecard } from "./scorecard.js";
import * as store from "./seat_store.js";
import { Transport } from "./transport.js";
import { gameWords } from "./variants.js";
import { judged, markLine } from "./verified.js";

/** Faults that may be over at the next try. */
const PASSING = ["engine_away", "too_fast", "unreachable", "not_ended"];

export class Record {
  constructor(app) {
    this.app = app;
    this.source = app.showing;
  }

  /** What a change of language keeps: the record itself, and the place in it. */
  keep() {
    return { record: this.record, failed: this.failed, time: this.transport?.time ?? 0 };
  }

  mount(root, _, kept) {
    document.title = t("title.record");
    this.main = h("main", { class: "replay", tabindex: -1 });
    root.replaceChildren(this.main);
    if (kept?.record) return this.show(kept.record, kept.time);
    return kept?.failed ? this.fail(kept.failed) : this.load();
  }

  unmount() {
    this.gone = true;
    this.transport?.destroy();
  }

  /** Settings changed: colours are the style's, and words come with a page anew. */
  update() {}

  async load() {
    morph(this.main, [this.head(t("record.loading"))]);
    try {
      if (this.source.error) throw this.source.error;
      const record = readRecord(this.source.bytes ?? await fetchRecord(this.source.id));
      if (!this.gone) this.show(record, 0);
    } catch (error) {
      if (!this.gone) this.fail(error instanceof BadRecord ? error : new BadRecord("not_a_record"));
    }
  }

  head(title, under = "") {
    return h("header", { class: "spectate-head" },
      h("button", { class: "icon-button on-felt", "aria-label": t("home.back"), "data-testid": "home", onclick: () => this.app.goHome() }, icon("i-back")),
      h("div", { class: "spectate-title grow" }, h("h1", { "data-testid": "replay-hole" }, title), h("p", null, under)),
      h("button", { class: "icon-button on-felt", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear")));
  }

  /** A record that can't be shown: why, in words and as a code. */
  fail(error) {
    this.failed = error;
    const again = PASSING.includes(error.code)
      ? h("button", { class: "primary", "data-testid": "record-again", onclick: () => this.load() }, t("record.again")) : null;
    morph(this.main, [this.head(t("record.title")), h("section", { class: "sheet record-fault", role: "alert", "data-testid": "record-fault", "data-code": error.code },
      h("h2", null, t("record.fault")), h("p", null, this.app.sayError(error)), h("p", { class: "hint code" }, error.code),
      h("div", { class: "actions" }, again, this.fileButton(), h("button", { class: "quiet", "data-testid": "go-home", onclick: () => this.app.goHome() }, t("home.back"))))]);
  }

  fileButton() {
    return fileButton((bytes) => this.app.show("record", { bytes }), (error) => this.app.show("record", { error }));
  }

  // A record to see

  show(record, time) {
    this.record = record;
    const { holes, seats, match } = record;
    this.view = viewOf(record);
    this.app.scores(record.options);
    if (record.options.mode === "spit") return this.showRounds();
    this.replay = new Replay(record, (hole) => layoutOf(gameIn(record, hole)));
    this.bar = h("div", { class: "replay-head" });
    this.warning = h("div", null);
    this.cards = new Map(seats.map(({ seat }) => [seat, h("article", { class: "watched", "data-testid": `replay-board-${seat}` })]));
    this.code = h("div", null);
    this.mark = h("div", null, markLine({ state: "checking" }));
    const foot = h("section", { class: "sheet record-foot" }, this.mark, this.code, this.links(match),
      holes.length ? [h("h2", null, t("scorecard")),
        this.view.match.standing ? h("p", { class: "card-stands", "data-testid": "match-result" }, matchWords(this.view)) : null, scorecard(this.view), h("p", { class: "hint keys" }, t("replay.keys"))] : null);
    const boards = holes.length ? h("div", { class: "all-boards", "data-count": seats.length }, [...this.cards.values()])
      : h("p", { class: "sheet record-fault" }, t("replay.empty"));
    this.main.replaceChildren(this.bar, this.warning, boards, foot);
    this.drawn = new Map();
    if (!holes.length) morph(this.bar, [this.head(t("record.title"))]);
    else {
      this.transport = new Transport(this.replay, { words: (index) => this.words(index), drawn: (index) => this.draw(index), said: (words) => this.app.say(words) });
      this.main.append(this.transport.element);
      this.transport.seek(time);
    }
    if (this.replay.fault) this.warn(this.replay.fault);
    setTimeout(() => this.gone || this.judge());
  }

  /** A match of Spit: what its rounds came to. Its plays stand in the file; there is no board of one seat to draw again. */
  showRounds() {
    const { match } = this.record;
    this.warning = h("div", null);
    this.mark = h("div", null, markLine({ state: "checking" }));
    this.main.replaceChildren(this.head(t("game.spit"), new Intl.DateTimeFormat(current(), { dateStyle: "medium", timeStyle: "short" }).format(this.record.began_at)), this.warning,
      h("section", { class: "sheet record-foot" }, this.mark, this.links(match), h("h2", null, t("scorecard")),
        this.view.match.standing ? h("p", { class: "card-stands", "data-testid": "match-result" }, matchWords(this.view)) : null, scorecard(this.view)));
    setTimeout(() => this.gone || this.judge());
  }

  links(match) {
    const copy = async (event) => {
      const button = event.currentTarget;
      const done = await copyText(this.main.querySelector(".link"));
      button.textContent = t(done ? "room.copied" : "room.copy.select");
      this.app.say(button.textContent);
      setTimeout(() => (button.textContent = t("room.copy")), 2500);
    };
    const address = `/api/matches/${match}`;
    return [h("div", { class: "link-row" }, h("span", { class: "link code", "data-testid": "link", tabindex: 0 }, `${location.origin}/`, h("wbr"), recordLink(match)),
      h("button", { class: "secondary", "data-testid": "copy-link", onclick: copy }, t("room.copy"))),
    h("div", { class: "actions" },
      this.source.bytes ? null : h("a", { class: "link-button secondary", href: address, download: `fairway-${match}.json`, "data-testid": "download" }, icon("i-download"), t("record.download")),
      this.source.bytes || this.record.options.mode ? null : this.record.seats.map(({ seat, name }) => h("a", { class: "link-button quiet", href: beatLink(match, seat), "data-testid": `beat-${seat}` }, t("course.beat.of", { name }))),
      this.fileButton(), h("button", { class: "quiet", "data-testid": "go-home", onclick: () => this.app.goHome() }, t("home.back")))];
  }

  /** Checks the record, and warns above the boards of one that doesn't hold. */
  async judge() {
    let mark = { state: "unknown" };
    try {
      mark = await judged(this.record, { commitment: store.sealOf(this.record.match).commitment });
    } catch {
      // Of the shape that can be drawn, and still nothing that can be checked.
    }
    if (this.gone) return;
    if (this.replay?.fault && mark.state !== "wrong") mark = { state: "wrong", field: this.replay.fault };
    morph(this.mark, [markLine(mark)]);
    if (mark.state === "wrong") this.warn(mark.field);
  }

  warn(field) {
    morph(this.warning, [h("p", { class: "warning record-warning", role: "alert", "data-testid": "record-wrong", "data-code": "record_wrong" },
      icon("i-warn"), h("span", null, this.app.sayError({ code: "record_wrong", params: { field } })))]);
  }

  name(seat) {
    return this.record.seats.find((row) => row.seat === seat)?.name ?? "";
  }

  /** What happened at a step, as a sentence. */
  words(index) {
    const { kind, hole, seat, how } = this.replay.steps[index];
    const { holes, options } = this.record;
    const name = this.name(seat);
    if (kind === "dealt") return holeBegins({ hole: hole + 1, options, game: gameIn(this.record, holes[hole]) });
    if (kind === "closed") return this.view.match.standing ? holeWords(holes[hole], this.view.seats) : t("result.title", { n: hole + 1 });
    const { seats, step } = this.replay.at(index);
    if (kind === "ended") return t(`say.ended.${how}`, { name, n: seats[seat].left });
    if (!step) return t("replay.broken", { name, n: holes[hole].hole });
    return t("replay.move", { name, words: stepWords(step, this.replay.layoutOf(hole), seats[seat].board) });
  }

  draw(index) {
    const { hole, kind, seat: mover } = this.replay.steps[index];
    const { seats } = this.replay.at(index);
    const told = this.record.holes[hole];
    const closed = kind === "closed";
    if (this.drawnHole !== hole) {
      this.drawnHole = hole;
      const when = new Intl.DateTimeFormat(current(), { dateStyle: "medium", timeStyle: "short" }).format(this.record.began_at);
      morph(this.bar, [this.head(holeTitle({ hole: hole + 1, options: this.record.options }), `${when} · ${gameWords(gameIn(this.record, told), told)}`)]);
      morph(this.code, [codeLine(this.app, told.code), this.best(told)]);
    }
    for (const [seat, card] of this.cards) {
      const is = seats[seat];
      const before = this.drawn.get(seat);
      card.classList.toggle("is-moving", seat === mover);
      if (!is || (before?.is === is && before.closed === closed && before.hole === hole)) continue;
      this.drawn.set(seat, { is, closed, hole });
      card.classList.toggle("ended", is.state !== "playing");
      morph(card, this.seat(seat, is, closed, index));
    }
  }

  /** The best of a hole, and the way to step through its line beside what was played. */
  best(hole) {
    if (!hole.best) return null;
    return h("p", { class: "best-line", "data-testid": "best-line" }, h("span", null, t("best.possible"), " ", h("b", null, number(hole.best.strokes))),
      h("button", { class: "secondary small", type: "button", "data-testid": "open-best", onclick: () => this.openBest(hole) }, t("best.open")));
  }

  openBest(hole) {
    this.transport.pause();
    openRecordBest(this.app, this.record, hole);
  }

  seat(seat, is, closed, index) {
    const name = this.name(seat);
    const { scoring } = this.record.options;
    const { hole } = this.replay.steps[index];
    const layout = this.replay.layoutOf(hole);
    const totals = this.replay.totals(seat, index);
    const { card, standing } = this.view.match;
    const stands = standing ? standingWords(standingAfter(card, totals.thru, this.record.options), seat) : null;
    const result = closed ? this.record.holes[hole].seats[seat].result : null;
    return [h("header", null, h("strong", { class: "clip" }, name), h("span", { class: "rival-state" }, stateWord(is))),
      h("p", { class: "standing" }, stands ? h("b", { "data-testid": "replay-stands" }, stands)
        : [h("small", null, t("total")), totals.thru ? scorePair(scoring, totals) : h("b", null, "–")],
        result ? h("span", { class: "gap" }, t("replay.hole"), " ", scorePair(scoring, result)) : null),
      h("div", { class: "rival-figures" },
        h("span", null, h("b", { "data-testid": "left" }, is.left), " ", t("figure.left")),
        layout.draw ? h("span", null, h("b", null, is.stock), " ", t("figure.stock")) : null,
        h("span", null, h("b", { "data-testid": "moves" }, is.moves), " ", t("replay.moves", { n: is.moves })),
        is.undos ? h("span", null, h("b", null, is.undos), " ", t("replay.undos", { n: is.undos })) : null),
      miniBoard(layout, this.replay.looked(is, hole), t("board.of", { name }))];
  }
}
