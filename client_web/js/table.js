// The table: own board, its bar, the rivals and the card. Law: it draws the view and turns presses into commands;
// an offered move shows at once, everything else is sent and waits for its answer.

import { Board } from "./board.js";
import { ask } from "./dialogs.js";
import { h, icon, morph } from "./dom.js";
import { Fingers } from "./fingers.js";
import { Help } from "./help.js";
import { number, refusal, t } from "./i18n.js";
import { pressed } from "./keys.js";
import { holeTitle } from "./match_play.js";
import { reactionMenu } from "./reactions.js";
import { holeResult, nextRow, podium } from "./results.js";
import { Rivals, leadLine } from "./rivals.js";
import { openScorecard, refreshScorecard, scorecard, standsWords } from "./scorecard.js";
import { OTHER, chain, drawn, offered, seated } from "./state.js";
import * as store from "./seat_store.js";
import { drawStanding, standsLine } from "./standing.js";
import { Taps, bestOf } from "./taps.js";
import { gameName, ruleWords } from "./variants.js";
import { stillPlaying } from "./waiting.js";

const NOTICE_MS = 4500;
/** Refusals of a doubled press: nothing happened, nothing is said. */
const SILENT = new Set(["stale"]);

export class Table {
  constructor(app) {
    this.app = app;
  }

  mount(root) {
    const { app } = this;
    document.title = t("title.table");
    this.bar = h("header", { class: "bar" });
    this.boardHost = h("div", { class: "board", "data-testid": "board" });
    this.notice = h("div", { class: "notices" });
    this.overlay = h("div", { class: "result-panel", hidden: true });
    this.controls = h("nav", { class: "controls", "aria-label": t("controls") });
    this.rivalsHost = h("section", { class: "rivals", "aria-label": t("rivals") });
    this.standing = h("section", { class: "side-card standing-panel", hidden: true });
    this.card = h("section", { class: "side-card" });
    this.main = h("main", { class: "table", tabindex: -1 }, this.bar,
      h("div", { class: "play" }, this.boardHost, this.notice, this.overlay), this.controls,
      h("aside", { class: "side" }, this.standing, this.rivalsHost, this.card));
    root.replaceChildren(this.main);
    this.rivals = new Rivals(app, this.rivalsHost);
    this.chain = 0;
    this.help = new Help(app, () => app.soon());
    this.fingers = new Fingers(this.main, () => {
      this.board.released();
      this.update();
    });
    this.taps = new Taps(this);
    this.layBoard();
    this.onKey = (event) => pressed(this, event);
    addEventListener("keydown", this.onKey);
    this.update();
  }

  /** The board of the hole's game: where games are mixed, another with another hole. */
  layBoard() {
    if (this.board) {
      this.board.destroy();
      const host = this.boardHost.cloneNode(); // what listened to the old one goes with it
      this.boardHost.replaceWith(host);
      this.boardHost = host;
    }
    this.laid = this.app.layout;
    this.board = new Board(this.boardHost, this.laid, {
      onCard: (pile, card) => this.taps.tap(pile, card),
      onDrop: (pile, card, target) => this.play(pile, card, target),
      onDraw: () => this.draw(),
      targets: (pile, card) => this.offers(pile, card),
      best: (pile, card) => bestOf(this.offers(pile, card), this.mine),
      settings: store.settings,
      pressed: () => this.fingers.any,
    });
  }

  unmount() {
    removeEventListener("keydown", this.onKey);
    clearTimeout(this.noticeTimer);
    this.taps.forget();
    this.help.forget();
    this.fingers.destroy();
    this.board.destroy();
  }

  get me() {
    const { view } = this.app;
    return view.seats[view.you.seat];
  }

  /** The own board as the server has confirmed it. */
  get mine() {
    const { view } = this.app;
    return view.boards?.[view.you.seat] ?? {};
  }

  /** Where the server lets this card go from this pile. */
  offers(pile, card) {
    return (this.app.view.you.moves ?? []).filter((m) => m[0] === pile && m[2] === card).map((m) => m[1]);
  }

  playing() {
    return this.app.view.match.phase === "playing" && this.me && !this.me.ended;
  }

  // What the person does

  play(source, card, target) {
    if (!this.playing() || this.app.commands.names(card)) return;
    const { app } = this;
    if (offered(app.view, { source, target, card }) && !app.commands.moves().length) this.heardPlay(card, this.chain);
    this.help.forget();
    this.app.send({ t: "play", source, target, card });
    this.update();
  }

  /** The sound of a play comes with the press, so its answer brings none. */
  heardPlay(card, height) {
    this.heard = card;
    this.app.sounds.play("play", height);
  }

  draw() {
    if (!this.playing()) return;
    this.help.forget();
    // The confirmed count, so that a doubled press is refused as stale and turns no second card.
    this.app.send({ t: "draw", stock: this.me.stock });
    this.update();
  }

  undo() {
    if (this.playing()) this.app.undo();
  }

  async giveUp() {
    const { hole } = this.app.view.match;
    if (!this.playing()) return;
    if (await ask(t("give_up.ask"), t("give_up"))) this.app.send({ t: "give_up", hole });
  }

  done() {
    const { hole } = this.app.view.match;
    const end = () => this.playing() && this.app.send({ t: "done", hole });
    // Who is stuck has nothing more to lose; others may press it by mistake.
    if (!this.playing() || !this.app.view.you.done) return undefined;
    return this.me.state === "stuck" ? end() : ask(t("done.ask"), t("done")).then((yes) => yes && end());
  }

  /** Time and counts for those who can't see them at a glance. */
  sayStatus() {
    const { app, me } = this;
    if (!this.playing()) return;
    app.say(t("say.status", { n: me.cards_left, stock: me.stock, score: leadLine(app.view, me), time: app.clockWords(app.view.match) }));
  }

  /** A command was refused: say why near the board, unless the person wants silence. */
  refused(frame, command) {
    if (SILENT.has(frame.code)) return;
    this.app.sounds.play("refused");
    if (command?.t === "play" || command?.t === "draw") this.board.shake(command.card);
    if (!store.settings().interactive) return;
    const words = refusal(frame);
    this.refusal = words;
    this.app.say(words);
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => this.clearRefusal(), NOTICE_MS);
    this.drawNotice();
  }

  /** A command was done: what was said of an earlier one is no longer true. */
  answered() {
    this.clearRefusal();
  }

  /** A frame changed the view: count plays in a row, and let them be heard. */
  told(before, frame) {
    const { view, layout, sounds } = this.app;
    const { seat } = view.you;
    this.chain = chain(this.chain, frame, seat, layout);
    for (const [source, target, card] of (before && frame.moved?.[seat]) || []) {
      if (source === layout.draw?.source) sounds.play("draw");
      else if ((!layout.tap_target || target === layout.tap_target) && card !== this.heard) sounds.play("play", this.chain - 1);
    }
    if (frame.moved?.[seat]) this.heard = null;
    const was = before?.seats[seat];
    const is = view.seats[seat];
    if (was && is?.ended && !was.ended) sounds.play(is.state === "cleared" ? "cleared" : "ended");
  }

  clearRefusal() {
    if (!this.refusal) return;
    this.refusal = null;
    this.drawNotice();
  }

  // What the person sees

  update() {
    const { app } = this;
    const { view, commands } = app;
    const pending = commands.moves();
    const { board, ahead } = drawn(view, pending);
    if (this.laid !== app.layout) this.layBoard();
    this.board.render({ board, ahead, waiting: new Set(pending.map((frame) => frame.card).filter(Boolean)),
      drawing: pending.some((frame) => frame.t === "draw"), closed: !this.playing(),
      marks: this.playing() ? this.help.marks() : null, chain: this.chain + (ahead ? 1 : 0) });
    if (this.fingers.any) return;
    this.drawBar();
    this.drawControls();
    this.drawNotice();
    this.main.classList.toggle("is-between", view.match.phase === "between");
    this.main.classList.toggle("is-alone", seated(view).length === 1);
    this.main.classList.toggle("is-over", view.match.phase === "ended");
    this.rivals.update();
    drawStanding(app, this.standing);
    morph(this.card, [h("h2", null, t("scorecard")), scorecard(view)]);
    refreshScorecard(app);
    this.drawOverlay();
    this.tick();
  }

  drawBar() {
    const { app } = this;
    const { match, you } = app.view;
    const { scoring } = match.options;
    const other = OTHER[scoring];
    const seat = this.me;
    const figure = (name, value, className = "") => h("div", { class: `figure ${className}`, "data-testid": `figure-${name}` },
      h("dt", null, t(`figure.${name}`)), h("dd", null, value));
    morph(this.bar, [
      h("button", { class: "icon-button on-felt", "aria-label": t("home.back"), "data-testid": "home", onclick: () => app.askHome() }, icon("i-back")),
      h("div", { class: "bar-hole" }, h("h1", null, holeTitle(match)),
        h("p", null, standsLine(app.view), h("span", { class: match.standing ? "bar-rule clip" : "bar-rule" },
          h("span", { class: match.options.mix ? "bar-game of-mix" : "bar-game" }, gameName(match.game)), ruleWords(match.game, match)),
          match.code ? h("span", { class: "code", "data-testid": "bar-code" }, match.code) : null)),
      h("dl", { class: "figures" },
        h("div", { class: "figure lead", "data-testid": "figure-lead" }, h("dt", null, t(`scoring.${scoring}.short`)),
          h("dd", null, number(seat[scoring]), h("small", null, t(`wins.${scoring}`)))),
        figure(other, number(seat[other]), "other"),
        match.phase !== "playing" ? null : h("div", { class: "figure time", "data-key": "time", "data-testid": "figure-time" }, h("dt", { "data-clock": "label" }),
          h("dd", { "data-clock": "time" })),
        figure("moves", you.move_count ?? 0), figure("undos", you.undo_count ?? 0)),
      h("p", { class: "so-far", "data-testid": "running" }, seat.totals.thru && !match.standing ? standsWords(app.view, you.seat) : ""),
      reactionMenu(app, "on-felt"),
      h("button", { class: "icon-button on-felt", "aria-label": t("settings"), "data-testid": "settings", onclick: () => app.openSettings() }, icon("i-gear")),
      h("span", { class: "time-line", "aria-hidden": "true" }, h("span", null)),
    ]);
  }

  drawControls() {
    const { app } = this;
    const { match, you } = app.view;
    const open = this.playing();
    const button = (name, key, iconName, enabled, action, className = "") => h("button", { class: `control ${className}`, "data-testid": name, "data-key": name, "aria-disabled": enabled ? null : "true",
      "aria-keyshortcuts": key, onclick: () => enabled && action() }, icon(iconName), h("span", null, t(name)), h("kbd", { "aria-hidden": "true" }, key));
    morph(this.controls, [
      match.options.undo === "off" ? null : button("undo", "U", "i-undo", open && (you.undo || app.commands.moves().length > 0), () => this.undo()),
      this.help.mode === "hint" ? button("hint", "H", "i-hint", open, () => this.help.ask()) : null,
      you.done ? button("done", "D", "i-check", open, () => this.done(), this.me.state === "stuck" ? "ready" : "") : button("give_up", "G", "i-give-up", open, () => this.giveUp()),
      h("button", { class: "control card-button", "data-key": "card", "data-testid": "open-scorecard", onclick: () => openScorecard(app) },
        icon("i-card"), h("span", null, t("scorecard.short"))),
    ]);
    this.controls.querySelector("[data-testid=give_up]")?.setAttribute("data-testid", "give-up");
  }

  drawNotice() {
    const { view } = this.app;
    const seat = this.me;
    const parts = [];
    if (this.refusal) parts.push(h("p", { class: "toast", "data-key": "refusal", "data-testid": "refusal" }, this.refusal));
    else if (this.playing() && seat.state === "stuck") {
      parts.push(h("p", { class: "toast calm", "data-key": "stuck", "data-testid": "stuck" }, t(view.you.undo ? "stuck.undo" : "stuck")));
    } else if (view.match.phase === "playing" && seat?.ended) {
      const names = stillPlaying(view);
      const { deadline } = view.match;
      const whom = !names ? "" : deadline ? t("ended.waiting.time", { names, time: this.app.secondsTo(deadline) }) : t("ended.waiting", { names });
      parts.push(h("p", { class: "toast calm", "data-key": "ended", "data-testid": "ended" },
        t(`ended.${seat.state}`, { n: seat.cards_left }), whom && ` ${whom}`));
    }
    morph(this.notice, parts);
  }

  drawOverlay() {
    const { app } = this;
    const { match } = app.view;
    const shows = match.phase === "between" || match.phase === "ended";
    const came = shows && this.overlayPhase !== match.phase;
    this.overlayPhase = shows ? match.phase : null;
    this.overlay.hidden = !shows;
    this.overlay.classList.toggle("ended", match.phase === "ended");
    if (!shows) {
      const held = this.overlay.contains(document.activeElement);
      this.overlay.replaceChildren();
      if (held) this.main.focus({ preventScroll: true });
      return;
    }
    morph(this.overlay, match.phase === "ended" ? [podium(app)] : [holeResult(app), nextRow(app)]);
    if (!came) return;
    this.overlay.scrollTop = 0;
    for (const dialog of document.querySelectorAll("dialog.narrow[open]")) dialog.close();
    if (!document.querySelector("dialog[open]")) this.overlay.querySelector("section")?.focus({ preventScroll: true });
  }

  /** Four times a second: clocks only. */
  tick() {
    const { app } = this;
    const { match } = app.view;
    const set = (selector, text) => {
      const element = this.bar.querySelector(selector);
      if (element && element.textContent !== text) element.textContent = text;
    };
    if (match.phase === "playing") {
      if (this.me.ended && !this.fingers.any) this.drawNotice();
      const { elapsed, left, share } = app.times(match);
      set("[data-clock=label]", t(left ? "figure.left_time" : "figure.time"));
      set("[data-clock=time]", left || elapsed);
      this.bar.style.setProperty("--time-share", share.toFixed(4));
      if (left && this.warned !== match.hole && this.playing()) app.say(t("time.soon"));
      if (left) this.warned = match.hole;
      this.bar.classList.toggle("soon", Boolean(left));
    }
    this.bar.classList.toggle("timed", match.phase === "playing" && Boolean(match.deadline));
    const seconds = this.overlay.querySelector("[data-seconds=starts]");
    if (seconds) seconds.textContent = app.secondsTo(match.starts_at);
  }
}
