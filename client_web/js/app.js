// The client in one object that the pages share. Law: frames come in, the view is folded, the page for its phase
// is drawn; nothing else keeps state of the match, and what pages want done is asked here.

import { say, sentences } from "./announce.js";
import { Banner } from "./banner.js";
import { Commands } from "./commands.js";
import { Connection } from "./connection.js";
import { ask, closeSheets } from "./dialogs.js";
import { Home, readRoom } from "./home.js";
import * as i18n from "./i18n.js";
import { notePlayed } from "./played.js";
import { readRecordLink } from "./record_file.js";
import { Record } from "./record_page.js";
import { Room } from "./room.js";
import * as store from "./seat_store.js";
import * as settings from "./settings.js";
import { Spectate } from "./spectate.js";
import { fold } from "./state.js";
import { Table } from "./table.js";

const { t } = i18n;

export class App {
  constructor(layout) {
    this.layout = layout;
    this.view = null;
    this.record = null; // {id}, {bytes} or {error}: a record to show
    this.rooms = null;
    this.presence = {};
    this.connection = new Connection({ onFrame: (frame) => this.onFrame(frame), onState: (state) => this.onState(state) });
    this.commands = new Commands((frame) => this.connection.send(frame));
    this.root = document.getElementById("page");
    this.log = document.getElementById("log");
    this.banner = new Banner(document.getElementById("banner"), this);
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
    this.deals = options.deals ?? [];
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

  /** Shows a record that is here already, out of a file. */
  openRecord(record) {
    this.forget();
    this.record = record;
    this.draw();
  }

  forget() {
    this.view = null;
    this.record = null;
    this.presence = {};
    this.commands.reset(1);
    closeSheets();
    this.page?.unmount?.();
    this.page = null;
    this.root.replaceChildren();
  }

  openSettings() {
    settings.openSettings({ onLanguage: (code) => this.setLanguage(code), changed: () => this.soon() });
  }

  async setLanguage(code) {
    store.remember({ language: code });
    await i18n.load(code);
    const open = document.querySelector("dialog.settings[open]");
    closeSheets();
    const kept = this.page?.keep?.();
    this.page?.unmount?.();
    this.page = null;
    this.draw(kept);
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
        return this.banner.server(frame.state);
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
      if (this.token) store.rememberSeat(match.id, match.room, this.token, this.deals);
      const token = this.token ?? store.seatOf(match.id)?.token;
      if (token) this.connection.own(token);
    }
    this.token = null;
    this.deals = [];
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
    if (answered?.t === "leave") return void this.goHome();
    if (answered && this.page instanceof Table) this.page.clearRefusal();
    for (const words of sentences(before, this.view, frame, this.layout)) this.say(words);
    this.commands.settle(this.view.you);
    if (this.following && this.view.match.next) return void this.follow();
    this.soon();
  }

  onAnswer(seq) {
    const command = this.commands.answered(seq);
    if (command?.t === "leave") return void this.goHome();
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
    // Only within the same claim: a fresh one starts with nothing outstanding.
    if (state === "open" && this.connection.version !== null) this.commands.resend();
    if (state === "bye" && this.view) {
      const kicked = !this.leaving;
      if (kicked) store.forgetSeat(this.view.match.id);
      this.goHome();
      if (kicked) this.page.fail({ code: "kicked" });
    }
    this.banner.connection(state);
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
    if (this.record) return Record;
    if (!this.view) return Home;
    const { phase } = this.view.match;
    if (phase === "lobby" || phase === "countdown") return Room;
    return this.view.you.role === "seat" ? Table : Spectate;
  }

  /** @param kept what a page of the same kind had in its forms, when it is drawn anew in another language */
  draw(kept) {
    // On the way into a match there is nothing to show before its first snapshot.
    if (!this.view && this.connection.seat) return;
    if (this.view) notePlayed(this.view);
    const Page = this.pageFor();
    if (this.page instanceof Page) this.page.update();
    else {
      this.page?.unmount?.();
      this.page = new Page(this);
      document.body.dataset.page = Page.name.toLowerCase();
      this.page.mount(this.root, readRoom(location.hash), kept);
      scrollTo(0, 0);
      // What had the focus is gone: a reader goes on at the new page's beginning.
      if (this.drawnOnce && document.activeElement === document.body) this.root.querySelector("main").focus({ preventScroll: true });
      this.drawnOnce = true;
    }
    this.connection.lobby(!this.view && !this.record);
    this.banner.draw();
  }

  /** A sentence at the top for a few seconds. */
  flash(words) {
    this.say(words);
    this.banner.flash(words);
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
    this.record = readRecordLink(location.hash);
    if (this.record) return void this.draw();
    const asked = readRoom(location.hash);
    const mine = asked && !asked.watch ? store.seatInRoom(asked.room) : null;
    if (mine) {
      return void this.connection.enter(mine.match, mine.token);
    }
    if (asked?.watch) this.watch(asked.room);
    else this.draw();
    this.connection.start();
  }
}
