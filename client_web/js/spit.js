// Spit: two players' stockpiles and the two heaps that both play on. Law: it draws the view and sends what is tapped at
// once; who was first the server's stream decides, and a lost race is said calmly.

import { cardName, cardPicture } from "./cards.js";
import { h, icon, morph } from "./dom.js";
import { refusal, seatName, t } from "./i18n.js";
import { holeTitle, leftWords, matchWords } from "./match_play.js";
import { SPIT, inMode } from "./mix.js";
import { reactionMenu } from "./reactions.js";
import { holeResult, nextRow, podium } from "./results.js";
import { openScorecard, refreshScorecard } from "./scorecard.js";
import * as store from "./seat_store.js";

const NOTICE_MS = 2500;
const HEAPS = ["heap.1", "heap.2"];
const PILES = [1, 2, 3, 4, 5].map((n) => `column.${n}`);

export class SpitTable {
  constructor(app) {
    this.app = app;
    this.chosen = null; // a pile whose top goes onto both heaps, until one is pressed
  }

  mount(root) {
    document.title = t("title.table");
    this.main = h("main", { class: "spit", tabindex: -1 });
    root.replaceChildren(this.main);
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.update();
  }

  unmount() {
    removeEventListener("keydown", this.onKey);
    clearTimeout(this.noticeTimer);
  }

  /** The seat at the bottom: one's own, for those who watch the first. */
  get near() {
    return this.app.view.you.seat ?? 0;
  }

  playing() {
    const { match, you } = this.app.view;
    return match.phase === "playing" && you.role === "seat" && !this.app.view.seats[you.seat].ended;
  }

  // What the person does

  /** The top of a pile: onto the one heap that takes it, else an empty place; where both do, the next press says which. */
  tap(pile) {
    if (!this.playing()) return;
    const { view, commands } = this.app;
    const card = (view.boards[view.you.seat][pile] ?? []).at(-1);
    if (!card || commands.pending.some((frame) => frame.t === "spit" && frame.card === card)) return;
    const targets = view.you.moves.filter((move) => move[0] === pile && move[2] === card).map((move) => move[1]);
    const heaps = targets.filter((target) => HEAPS.includes(target));
    this.chosen = heaps.length > 1 && this.chosen !== pile ? pile : null;
    if (this.chosen) {
      this.app.say(t("spit.which"));
      return void this.update();
    }
    // What goes nowhere is sent too: the server says why.
    this.play(pile, heaps[0] ?? targets[0] ?? HEAPS[0], card);
  }

  heap(target) {
    if (!this.chosen || !this.playing()) return;
    const pile = this.chosen;
    const { view } = this.app;
    this.play(pile, target, view.boards[view.you.seat][pile].at(-1));
  }

  play(source, target, card) {
    const { match } = this.app.view;
    this.chosen = null;
    this.app.send({ t: "spit", source, target, card, on: match.spit.tops[HEAPS.indexOf(target)] ?? "" });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, select, textarea")) return;
    const { match } = this.app.view;
    const digit = /^Digit([1-5])$/.exec(event.code)?.[1];
    if (digit) this.tap(`column.${digit}`);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.heap(HEAPS[event.key === "ArrowLeft" ? 0 : 1]);
    else if (event.key === "?") this.app.openRules();
    else if (event.key === "Enter" && match.phase === "between" && !event.target.closest?.("button, summary, a")) this.app.send({ t: "next", hole: match.hole });
    else return;
    event.preventDefault();
  }

  // What the server says

  refused(frame) {
    if (frame.code === "stale") return;
    this.app.sounds.play("refused");
    const words = frame.code === "hole_over" ? inMode(SPIT, "refused.hole_over") : refusal(frame);
    this.app.say(words);
    if (!store.settings().interactive) return;
    this.notice = words;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => {
      this.notice = null;
      this.update();
    }, NOTICE_MS);
  }

  answered() {
    this.notice = null;
  }

  /** Tells readers what lies on the heaps, and lets plays be heard. */
  told(before, frame) {
    const tops = frame.match?.spit?.tops;
    const was = before?.match.spit?.tops;
    if (!tops || (was && tops.every((top, i) => top === was[i]))) return;
    this.app.sounds.play(frame.seq ? "play" : "draw");
    this.app.say(t("spit.says.tops", { one: cardName(tops[0]), other: cardName(tops[1]) }));
  }

  // What the person sees

  update() {
    const { app } = this;
    const { match } = app.view;
    refreshScorecard(app);
    if (match.phase === "ended") {
      morph(this.main, [h("div", { class: "result-panel ended" }, podium(app))]);
      return;
    }
    if (!this.playing()) this.chosen = null;
    morph(this.main, [this.head(match),
      h("div", { class: "spit-table", "data-testid": "spit-table" }, this.side(1 - this.near, true), this.middle(match), this.side(this.near, false),
        match.phase === "between" ? h("div", { class: "result-panel" }, holeResult(app), nextRow(app)) : null)]);
    this.tick();
  }

  head(match) {
    const { app } = this;
    return h("header", { class: "spectate-head" },
      h("button", { class: "icon-button on-felt", "aria-label": t("home.back"), "data-testid": "home", onclick: () => app.askHome() }, icon("i-back")),
      h("div", { class: "spectate-title grow" }, h("h1", null, holeTitle(match)), h("p", null, matchWords(app.view), " · ", leftWords(match.standing ?? { left: match.options.holes }, match.options))),
      h("p", { class: "spectate-clock", "data-clock": "elapsed" }), reactionMenu(app, "on-felt"),
      h("button", { class: "icon-button on-felt", "aria-label": t("scorecard"), "data-testid": "open-scorecard", onclick: () => openScorecard(app) }, icon("i-card")),
      h("button", { class: "icon-button on-felt", "aria-label": t("settings"), "data-testid": "settings", onclick: () => app.openSettings() }, icon("i-gear")));
  }

  side(seat, far) {
    const { view } = this.app;
    const is = view.seats[seat];
    const board = view.boards?.[seat] ?? {};
    const name = is ? seatName(is) : "";
    const online = this.app.offlineSince(seat) === null;
    return h("section", { class: `spit-side ${far ? "is-far" : "is-near"}`, "aria-label": t("board.of", { name }), "data-testid": `spit-side-${seat}` },
      h("p", { class: "spit-name" }, h("span", { class: `dot ${online ? "on" : "off"}`, role: "img", "aria-label": t(online ? "presence.online" : "presence.offline") }),
        h("strong", { class: "clip" }, name), h("span", null, h("b", null, is?.cards_left ?? ""), " ", t("figure.left"))),
      h("div", { class: "spit-row" }, PILES.map((pile) => this.pile(seat, pile, board[pile] ?? [], far)), this.stock(board.stock ?? [])));
  }

  pile(seat, pile, cards, far) {
    const { view } = this.app;
    const card = cards.at(-1);
    const under = cards.length > 1 ? h("small", { class: "depth", "aria-hidden": "true" }, cards.length - 1) : null;
    if (!card) return h("span", { class: "spit-pile is-empty", "data-key": pile, "data-testid": `${pile.replace(".", "-")}-of-${seat}` });
    if (far || view.you.role !== "seat") {
      return h("span", { class: "spit-pile", "data-key": pile, "data-testid": `${pile.replace(".", "-")}-of-${seat}` }, cardPicture(card), under);
    }
    const n = pile.split(".")[1];
    const plays = view.match.options.help === "highlight" && view.you.moves.some((move) => move[0] === pile);
    return h("button", { type: "button", class: `spit-pile ${plays ? "plays" : ""}`, "data-key": pile, "data-testid": `${pile.replace(".", "-")}-of-${seat}`, "data-card": card,
      "aria-pressed": String(this.chosen === pile), "aria-keyshortcuts": n, "aria-label": t("spit.pile", { which: n, card: cardName(card), n: cards.length - 1 }),
      onclick: () => this.tap(pile) }, cardPicture(card), under);
  }

  stock(cards) {
    return h("span", { class: `spit-pile is-stock ${cards.length ? "" : "is-empty"}`, "data-key": "stock", role: "img", "aria-label": t("spit.stock", { n: cards.length }) },
      cards.length ? [cardPicture("?"), h("small", { class: "depth", "aria-hidden": "true" }, cards.length)] : null);
  }

  middle(match) {
    const { tops = [], spit_at: at } = match.spit ?? {};
    const words = this.notice ?? (this.chosen ? t("spit.which") : at ? t("spit.blocked") : "");
    return h("section", { class: "spit-middle", "aria-label": t("spit.heaps") },
      h("div", { class: "spit-heaps" }, tops.map((card, i) => h("button", { type: "button", class: `spit-pile ${this.chosen ? "is-target" : ""}`, "data-key": HEAPS[i], "data-testid": `heap-${i + 1}`,
        "aria-label": t("spit.heap", { which: i + 1, card: cardName(card) }), onclick: () => this.heap(HEAPS[i]) }, cardPicture(card)))),
      h("p", { class: `toast calm ${words ? "" : "is-silent"}`, "data-testid": "spit-notice" }, words));
  }

  tick() {
    const { match } = this.app.view;
    const clock = this.main.querySelector("[data-clock=elapsed]");
    if (clock) clock.textContent = this.app.clockWords(match);
    const number = this.main.querySelector("[data-seconds=starts]");
    if (number) number.textContent = this.app.secondsTo(match.starts_at);
  }
}
