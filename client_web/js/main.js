// Puts the client together: one app object that the pages share. Law: frames come in, the view is folded, the page
// for its phase is drawn; nothing else keeps state of the match.
//
// data-testid for browser tests: name, play-alone, host, option-<field> (option-rule-<rule>), host-create, join-code,
// join, invited-join, invited-watch, rooms, deal, deal-alone, deal-host, error · room: room-code, link, copy-link,
// loopback, seat-<i>, kick-<i>, ready, start, change-options, save-options, leave, countdown · table: board, stock,
// column-1 to column-7, waste, cards by [data-card="9C"][data-pile="column.3"], undo, give-up, confirm, cancel, done,
// figure-lead, figure-app or figure-traditional, figure-time, figure-moves, figure-undos, running, bar-code, refusal,
// stuck, ended, rival-<i>, close-seat-<i>, open-scorecard, scorecard, hole-result, code, next, podium, podium-<i>,
// rematch, go-home, home · spectator: spectate-board-<i>, leader · everywhere: banner, play-here, settings, lang,
// theme-<auto|light|dark>, set-<setting>, close.

import { say, sentences } from "./announce.js";
import { Commands } from "./commands.js";
import { Connection } from "./connection.js";
import { ask, closeSheets } from "./dialogs.js";
import { h, morph } from "./dom.js";
import { Home, readRoom } from "./home.js";
import * as i18n from "./i18n.js";
import { Room } from "./room.js";
import * as store from "./seat_store.js";
import * as settings from "./settings.js";
import { Spectate } from "./spectate.js";
import { fold } from "./state.js";
import { Table } from "./table.js";

const { t } = i18n;
const AWAY_SHOWN_MS = 900;

class App {
  constructor(layout) {
    this.layout = layout;
    this.view = null;
    this.rooms = null;
    this.presence = {};
    this.status = "ok";
    this.connection = new Connection({ onFrame: (frame) => this.onFrame(frame), onState: (state) => this.onState(state) });
    this.commands = new Commands((frame) => this.connection.send(frame));
    this.root = document.getElementById("page");
    this.log = document.getElementById("log");
    this.banner = document.getElementById("banner");
  }

  // What pages ask for

  now() {
    return this.connection.now();
  }

  say(words) {
    say(this.log, words);
  }

  sayError(error) {
    return i18n.refusal(error);
  }

  /** Since when a seat is offline (engine ms), or null while it is there. */
  offlineSince(seat) {
    return this.presence[seat] ?? null;
  }

  send(body) {
    this.commands.send(body);
    this.soon();
  }

  undo() {
    this.commands.undo(this.view.you);
    this.soon();
  }

  host(name, options) {
    this.token = store.newToken();
    this.connection.request({ t: "host", name, token: this.token, options });
  }

  join(room, name) {
    const mine = store.seatInRoom(room);
    if (mine) return this.connection.enter(mine.match, mine.token);
    this.token = store.newToken();
    return this.connection.request({ t: "join", room, name, token: this.token });
  }

  watch(room) {
    this.token = null;
    this.connection.request({ t: "watch", room });
  }

  rematch() {
    this.following = true;
    this.send({ t: "rematch" });
  }

  /** Goes to the match that this one's rematch named, with the same token. */
  follow() {
    this.following = false;
    const { next, id } = this.view.match;
    const token = this.view.you.role === "seat" ? store.seatOf(id)?.token ?? this.connection.seat?.token : undefined;
    if (token) store.rememberSeat(next.match, next.room, token);
    this.forget();
    this.connection.enter(next.match, token);
  }

  async askHome() {
    if (this.view?.match.phase !== "ended" && !(await ask(t("home.ask"), t("home.ask.yes")))) return;
    this.goHome();
  }

  /** Leaves the seat for good, before the start. */
  leaveRoom() {
    const { match, you } = this.view;
    if (you.role === "seat") {
      this.commands.send({ t: "leave" });
      store.forgetSeat(match.id);
      this.leaving = true;
      setTimeout(() => this.leaving && this.goHome(), 400);
      return;
    }
    this.goHome();
  }

  /** Back to the first page; a seat stays ours, its link leads back. */
  goHome() {
    this.leaving = false;
    this.forget();
    this.setHash("");
    this.connection.leave();
    this.draw();
  }

  forget() {
    this.view = null;
    this.presence = {};
    this.commands.reset(1);
    closeSheets();
  }

  openSettings() {
    settings.openSettings({ onLanguage: (code) => this.setLanguage(code), changed: () => this.soon() });
  }

  async setLanguage(code) {
    store.remember({ language: code });
    await i18n.load(code);
    const open = document.querySelector("dialog.settings[open]");
    closeSheets();
    this.page = null;
    this.draw();
    if (open) this.openSettings();
  }

  secondsTo(at) {
    return i18n.clock(at === null ? 0 : at - this.now() + 999);
  }

  /** {elapsed, left, share}: clocks of the open hole in words, share of the time left 0..1. */
  times({ opened_at: opened, deadline }) {
    const now = this.now();
    if (!opened) return { elapsed: "0:00", left: "", share: 0 };
    const left = deadline ? t("figure.time_left", { time: i18n.clock(deadline - now + 999) }) : "";
    const share = deadline ? Math.max(0, Math.min(1, (deadline - now) / (deadline - opened))) : 0;
    return { elapsed: i18n.clock(now - opened), left, share };
  }

  clockWords(match) {
    const { elapsed, left } = this.times(match);
    return match.phase !== "playing" ? "" : left ? `${elapsed} · ${left}` : elapsed;
  }

  // What the server says

  onFrame(frame) {
    switch (frame.t) {
      case "snapshot": return this.onSnapshot(frame);
      case "e": return this.onEntry(frame);
      case "ack": return this.onAnswer(frame.seq);
      case "refused": return this.onRefused(frame);
      case "error": return this.onError(frame);
      case "presence":
        this.presence = frame.seats;
        return this.soon();
      case "lobby":
        this.rooms = frame.rooms;
        return this.page instanceof Home ? this.page.update() : undefined;
      case "status":
        this.status = frame.state;
        return this.drawBanner();
      case "gone": return this.onGone();
      default: return undefined;
    }
  }

  onSnapshot({ view }) {
    const { match, you } = view;
    const same = this.view?.match.id === match.id && this.view.you.generation === you.generation;
    if (you.role === "seat") {
      if (same) this.commands.atLeast(you.next_seq);
      else this.commands.reset(you.next_seq);
      if (this.token) store.rememberSeat(match.id, match.room, this.token);
      const token = this.token ?? store.seatOf(match.id)?.token;
      if (token) this.connection.own(token);
    }
    this.token = null;
    if (this.view?.match.id !== match.id) {
      closeSheets();
      this.presence = {};
    }
    this.view = view;
    this.setHash(you.role === "seat" ? match.room : `${match.room}.watch`);
    this.draw();
  }

  onEntry(frame) {
    if (!this.view) return;
    const before = this.view;
    this.view = fold(before, frame);
    const answered = frame.seq ? this.commands.answered(frame.seq) : undefined;
    if (answered && this.page instanceof Table) this.page.clearRefusal();
    for (const words of sentences(before, this.view, frame, this.layout)) this.say(words);
    this.commands.settle(this.view.you);
    if (answered?.t === "leave" && this.leaving) return void this.goHome();
    if (this.following && this.view.match.next) return void this.follow();
    this.soon();
  }

  onAnswer(seq) {
    this.commands.answered(seq);
    if (this.view) this.commands.settle(this.view.you);
    this.soon();
  }

  onRefused(frame) {
    const command = this.commands.answered(frame.seq);
    if (this.view) this.commands.settle(this.view.you);
    if (this.page instanceof Table) this.page.refused(frame, command);
    else if (frame.code !== "stale") this.flash(this.sayError(frame));
    this.soon();
  }

  onError(frame) {
    if (this.page instanceof Home) return this.page.fail(frame);
    if (this.view) return this.flash(this.sayError(frame));
    // A seat or room from the address that is no more.
    if (this.connection.seat) store.forgetSeat(this.connection.seat.match);
    this.connection.seat = null;
    this.setHash("");
    this.draw();
    return this.page.fail(frame);
  }

  onGone() {
    if (this.view) store.forgetSeat(this.view.match.id);
    else if (this.connection.seat) store.forgetSeat(this.connection.seat.match);
    this.goHome();
    this.page.fail({ code: "gone" });
  }

  onState(state) {
    clearTimeout(this.awayTimer);
    if (state === "open") {
      // Only within the same claim: a fresh one starts with nothing outstanding.
      if (this.connection.version !== null) this.commands.resend();
      this.away = false;
    } else if (state === "away" || state === "connecting") {
      // A blink is not worth a banner.
      this.awayTimer = setTimeout(() => {
        this.away = true;
        this.drawBanner();
      }, AWAY_SHOWN_MS);
    }
    if (state === "bye" && this.view) {
      const kicked = !this.leaving;
      if (kicked) store.forgetSeat(this.view.match.id);
      this.goHome();
      if (kicked) this.page.fail({ code: "kicked" });
    }
    this.drawBanner();
  }

  // What the person sees

  /** Draws once for all frames that came together. */
  soon() {
    if (this.drawing) return;
    this.drawing = true;
    queueMicrotask(() => {
      this.drawing = false;
      this.draw();
    });
  }

  pageFor() {
    if (!this.view) return Home;
    const { phase } = this.view.match;
    if (phase === "lobby" || phase === "countdown") return Room;
    return this.view.you.role === "seat" ? Table : Spectate;
  }

  draw() {
    const Page = this.pageFor();
    if (this.page instanceof Page) this.page.update();
    else {
      this.page?.unmount?.();
      this.page = new Page(this);
      document.body.dataset.page = Page.name.toLowerCase();
      this.page.mount(this.root, readRoom(location.hash));
      scrollTo(0, 0);
    }
    this.connection.lobby(!this.view);
    this.drawBanner();
  }

  /** A sentence at the top for a few seconds. */
  flash(words) {
    this.flashed = words;
    this.say(words);
    clearTimeout(this.flashTimer);
    this.flashTimer = setTimeout(() => {
      this.flashed = null;
      this.drawBanner();
    }, 5000);
    this.drawBanner();
  }

  drawBanner() {
    const { state } = this.connection;
    let parts = [];
    if (state === "replaced") {
      parts = [h("span", null, t("banner.replaced")), h("button", { class: "secondary", "data-testid": "play-here", onclick: () => this.playHere() }, t("banner.play_here"))];
    } else if (state === "outdated") parts = [h("span", null, t("banner.outdated"))];
    else if (this.away && state !== "open") parts = [h("span", { class: "spinner", "aria-hidden": "true" }), h("span", null, t("banner.away"))];
    else if (this.status !== "ok") parts = [h("span", null, t(`banner.${this.status}`))];
    else if (this.flashed) parts = [h("span", null, this.flashed)];
    this.banner.hidden = parts.length === 0;
    morph(this.banner, parts);
  }

  playHere() {
    const { match, token } = this.connection.seat ?? {};
    if (match) this.connection.enter(match, token ?? store.seatOf(match)?.token);
  }

  setHash(room) {
    const wanted = room ? `#${room}` : "";
    if (location.hash !== wanted) history.replaceState(null, "", location.pathname + wanted);
  }

  /** From the address: a seat that this browser holds is taken up, a spectator's link watches, else the first page. */
  open() {
    const asked = readRoom(location.hash);
    const mine = asked && !asked.watch ? store.seatInRoom(asked.room) : null;
    if (mine) {
      this.connection.enter(mine.match, mine.token);
      return;
    }
    if (asked?.watch) this.watch(asked.room);
    else this.draw();
    this.connection.start();
  }
}

async function start() {
  settings.apply();
  settings.followSystem();
  const [layout] = await Promise.all([fetch("/layouts/golf.json").then((answer) => answer.json()),
    i18n.load(i18n.preferred(store.settings().language))]);
  const app = new App(layout);
  Object.defineProperty(window, "fairway", { value: Object.freeze({
    get view() {
      return app.view;
    },
  }) });
  addEventListener("hashchange", () => {
    const asked = readRoom(location.hash);
    if (asked && asked.room === app.view?.match.room) return;
    app.forget();
    app.connection.leave(false);
    app.page = app.page instanceof Home ? null : app.page;
    app.open();
  });
  setInterval(() => app.page?.tick?.(), 250);
  app.open();
}

start();
