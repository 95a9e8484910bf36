// The client in one object that the pages share. Law: it keeps the view and draws the page for it; nothing else keeps
// state of the match, and what pages want done is asked here. What frames do to it stands in frames.js, what an
// address opens in routes.js, which page shows what in pages.js.

import { say } from "./announce.js";
import { Banner } from "./banner.js";
import { Commands } from "./commands.js";
import { Connection } from "./connection.js";
import { ask, closeSheets } from "./dialogs.js";
import { keepFocus } from "./focus.js";
import { heard, lineIs } from "./frames.js";
import { gameOf, layoutOf } from "./games.js";
import * as i18n from "./i18n.js";
import { fetchPage, pageFor } from "./pages.js";
import { notePlayed } from "./played.js";
import { Reactions } from "./reactions.js";
import { openAddress, readRoom } from "./routes.js";
import { openRules } from "./rules.js";
import * as store from "./seat_store.js";
import * as settings from "./settings.js";
import { Sounds } from "./sounds.js";

const { t } = i18n;

/** A clock that counts down presses; until then a bar says enough. */
const SOON_MS = 30_000;

export class App {
  constructor() {
    this.view = null;
    this.showing = null; // {page, ...}: a page of pages.js that shows no match, and what it shows
    this.rooms = null;
    this.presence = {};
    this.connection = new Connection({ onFrame: (frame) => heard(this, frame), onState: (state) => lineIs(this, state) });
    this.commands = new Commands((frame) => this.connection.send(frame));
    this.root = document.getElementById("page");
    this.log = document.getElementById("log");
    this.sounds = new Sounds();
    this.reactions = new Reactions(this, document.getElementById("said"));
    this.banner = new Banner(document.getElementById("banner"), this);
  }

  // What pages ask for

  /** How the game of the hole is laid out. */
  get layout() {
    return layoutOf(this.view?.match.game);
  }

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

  /** @param then called once with the view of the new room */
  host(name, options, then = null) {
    this.then = then;
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

  /** Waits for strangers to play with; who is seated is told, and goes there with the same token. */
  quick(name) {
    const token = store.newToken();
    this.show("seeking", { name, token, players: 1, since: this.now() });
    this.connection.request({ t: "quick", name, token, browser: store.browserToken() });
  }

  /** Out of a quick match that the others did not come to, and back to waiting. */
  quickAgain() {
    const { match, seats, you } = this.view;
    const { name } = seats[you.seat];
    this.commands.send({ t: "leave" });
    store.forgetSeat(match.id);
    this.connection.leave();
    this.setHash("");
    this.quick(name);
  }

  watch(room) {
    this.token = null;
    this.connection.request({ t: "watch", room });
  }

  /** Begins, or goes on with, this browser's round of a course. */
  playCourse(course, name) {
    this.token = store.browserToken();
    this.connection.request({ t: "play_course", course, name, token: this.token });
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

  /** Shows a page that shows no match, by its name in pages.js, with what it is to show. */
  async show(page, what = {}) {
    this.forget();
    const showing = { page, ...what };
    this.asked = showing;
    try {
      await fetchPage(page);
    } catch {
      if (this.asked !== showing) return;
      this.goHome();
      this.page.fail({ code: "unreachable" });
      return;
    }
    // Another page may have been asked for meanwhile.
    if (this.asked !== showing) return;
    this.showing = showing;
    this.draw();
  }

  forget() {
    this.asked = null;
    this.view = null;
    this.showing = null;
    this.presence = {};
    this.reactions.forget();
    this.commands.reset(1);
    closeSheets();
    this.page?.unmount?.();
    this.page = null;
    this.root.replaceChildren();
  }

  openSettings() {
    settings.openSettings({ onLanguage: (code) => this.setLanguage(code), changed: () => this.soon(),
      onRules: this.view ? () => this.openRules() : null });
  }

  /** The rules in a window: the match behind it goes on. */
  openRules() {
    closeSheets();
    openRules(this);
  }

  async setLanguage(code) {
    store.remember({ language: code });
    await i18n.load(code);
    closeSheets();
    const kept = this.page?.keep?.();
    this.page?.unmount?.();
    this.page = null;
    this.draw(kept);
  }

  secondsTo(at) {
    return i18n.clock(at === null ? 0 : at - this.now() + 999);
  }

  /** {elapsed, left, share}: clocks of the open hole, share of the time left 0..1. `left` only when it runs out. */
  times({ opened_at: opened, deadline }) {
    const now = this.now();
    if (!opened) return { elapsed: "0:00", left: "", share: 0 };
    const left = deadline && deadline - now <= SOON_MS ? i18n.clock(deadline - now + 999) : "";
    const share = deadline ? Math.max(0, Math.min(1, (deadline - now) / (deadline - opened))) : 0;
    return { elapsed: i18n.clock(now - opened), left, share };
  }

  clockWords(match) {
    const { elapsed, left } = this.times(match);
    return match.phase !== "playing" ? "" : left ? t("figure.time_left", { time: left }) : elapsed;
  }

  // What the person sees

  /** Games with one score only, or without par, show no second one and nothing against par: styles go by this. */
  scores({ game, mix, mode } = {}) {
    const { scorings, par } = gameOf(game);
    Object.assign(document.body.dataset, mix || mode ? { scores: mix ? 2 : 1, par: 0 } : { scores: scorings.length, par });
  }

  /** Draws once for all frames that came together. */
  soon() {
    if (this.drawing) return;
    this.drawing = true;
    queueMicrotask(() => {
      this.drawing = false;
      this.draw();
    });
  }

  /** @param kept what a page of the same kind had in its forms, when it is drawn anew in another language */
  draw(kept) {
    // On the way into a match there is nothing to show before its first snapshot.
    if (!this.view && this.connection.seat) return;
    if (this.view) notePlayed(this.view);
    const Page = pageFor(this);
    this.scores(this.view?.match.options ?? this.page?.record?.options);
    if (this.page instanceof Page) this.page.update();
    else {
      this.page?.unmount?.();
      this.page = new Page(this);
      document.body.dataset.page = Page.name.toLowerCase();
      this.page.mount(this.root, readRoom(location.hash), kept);
      // The first page stands at its top by itself: asking for that would lay it out before all of it is there.
      if (this.drawnOnce) scrollTo(0, 0);
      // What had the focus is gone: a reader goes on at the new page's beginning.
      if (this.drawnOnce && document.activeElement === document.body) this.root.querySelector("main").focus({ preventScroll: true });
      this.drawnOnce = true;
    }
    this.connection.lobby(!this.view && !this.showing);
    this.banner.draw();
    keepFocus();
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

  /** Opens what the address asks for. */
  open() {
    openAddress(this);
  }

  /** The address was changed by hand or by a link: what it asks for takes the place of what is here. */
  addressChanged() {
    const asked = readRoom(location.hash);
    if (asked && asked.room === this.view?.match.room) return;
    this.forget();
    this.connection.leave(false);
    this.open();
  }
}
