// The room before the start: who is here, who is ready, and the link to send. Law: it shows the view and sends what
// was pressed; the server decides what is allowed.

import { sayReady } from "./begin.js";
import { BotAdder, botMark } from "./bots.js";
import { openSheet } from "./dialogs.js";
import { h, icon, morph } from "./dom.js";
import { gameOf } from "./games.js";
import { t } from "./i18n.js";
import { inMode } from "./mix.js";
import { optionFields, optionSummary, optionWords, readOptions } from "./options.js";
import { reactionMenu } from "./reactions.js";
import * as store from "./seat_store.js";
import { ruleChips } from "./rule_chips.js";
import { LOOPBACK, linkRow, qrCode, watchLink } from "./share.js";
import { seated } from "./state.js";
import { ruleHints } from "./variants.js";

/** The strengths of bot that know each game which is played here. */
function housePlayers({ game, mix, mode }) {
  if (mode === "spit") return [];
  const [first, ...others] = (mix ?? [{ game }]).map((one) => gameOf(one.game).house_players);
  return first.filter((strength) => others.every((strengths) => strengths.includes(strength)));
}

/** Whether those who watch live may see cards to come: not where all cards lie open, nor at the one table of Spit. */
const revealed = ({ game, mix, mode, spectators }) => spectators === "live" && !mode && (mix ?? [{ game }]).some((one) => gameOf(one.game).hides);

export class Room {
  constructor(app) {
    this.app = app;
    this.bots = new BotAdder((command) => app.send(command));
  }

  mount(root) {
    document.title = t("title.room");
    this.main = h("main", { class: "room", tabindex: -1 });
    root.replaceChildren(this.main);
    this.update();
  }

  update() {
    const { view } = this.app;
    const { match } = view;
    // Strangers don't wait for a press: whoever comes in is ready.
    if (match.quick && view.you.role === "seat" && !view.seats[view.you.seat].ready && !this.said) {
      this.said = true;
      sayReady(this.app, match, true);
    }
    morph(this.main, [
      h("header", { class: "room-head" },
        h("button", { class: "icon-button", "aria-label": t("home.back"), "data-testid": "leave-icon", onclick: () => this.app.leaveRoom() }, icon("i-back")),
        h("div", { class: "grow" }, h("h1", null, match.quick ? t("room.quick") : t("room.title", { name: view.seats[match.host]?.name ?? "" })),
          h("p", { class: "hint" }, t("room.code"), " ", h("span", { class: "code", "data-testid": "room-code" }, match.room))),
        reactionMenu(this.app),
        h("button", { class: "icon-button", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear"))),
      h("div", { class: "room-grid" },
        h("div", { class: "home-column" }, match.quick ? null : this.share(match), this.seats(view)),
        h("div", { class: "home-column" }, this.options(view))),
      this.countdown(match),
    ]);
  }

  share(match) {
    return h("section", { class: "sheet share" }, h("h2", null, t("room.share")),
      linkRow(this.app, match.room, "link", t("room.copy")),
      LOOPBACK.test(location.hostname) ? h("p", { class: "warning", "data-testid": "loopback" }, icon("i-warn"), h("span", null, t("room.loopback"))) : null,
      qrCode(match.room, t("room.qr.play", { room: match.room })), watchLink(this.app));
  }

  seats(view) {
    const { match, you } = view;
    const all = seated(view);
    const mine = view.seats[you.seat];
    const isHost = you.seat === match.host && you.role === "seat";
    const deserted = match.quick && Boolean(mine) && all.length === 1;
    const everyone = all.every(([, seat]) => seat.ready);
    const free = Math.max(0, match.options.seats - all.length);
    const list = all.map(([i, seat]) => h("li", { "data-key": `seat-${i}`, "data-testid": `seat-${i}`, class: seat.ready ? "is-ready" : "" },
      h("span", { class: `dot ${this.app.offlineSince(i) === null ? "on" : "off"}`, role: "img",
        "aria-label": t(this.app.offlineSince(i) === null ? "presence.online" : "presence.offline") }),
      h("span", { class: "seat-name" }, seat.name, i === you.seat ? h("small", null, t("seat.you")) : null, botMark(seat),
        i === match.host ? h("small", null, t("seat.host")) : null),
      h("span", { class: "seat-state" }, seat.ready ? [icon("i-check"), t("seat.ready")] : t("seat.not_ready")),
      isHost && i !== you.seat && !(match.quick && !seat.bot) ? h("button", { class: "quiet small", "data-testid": `kick-${i}`,
        "aria-label": t("room.kick.name", { name: seat.name }), onclick: () => this.app.send({ t: "kick", seat: i }) }, t("room.kick")) : null));
    const ready = mine ? h("button", { class: `${mine.ready ? "secondary" : "primary"} big`, "data-testid": "ready", "aria-pressed": String(mine.ready),
      onclick: () => sayReady(this.app, match, !mine.ready) }, t(mine.ready ? "room.unready" : "room.ready")) : null;
    const start = isHost && mine?.ready && everyone && all.length === 1 && match.options.format !== "match" ? h("button", { class: "secondary big", "data-testid": "start",
      onclick: () => this.app.send({ t: "start" }) }, t("room.start.alone"))
      : isHost && !match.quick ? h("button", { class: "secondary big", "data-testid": "start", disabled: !everyone || (match.options.format === "match" && free > 0), onclick: () => this.app.send({ t: "start" }) }, t("room.start")) : null;
    return h("section", { class: "sheet" }, h("h2", null, t("room.seats", { n: all.length, seats: optionWords("seats", match.options.seats) })),
      h("ul", { class: "seat-list" }, list, free ? h("li", { class: "free", "data-key": "free" }, h("span", { class: "dot" }), t("room.free", { n: free })) : null),
      deserted ? h("div", { class: "waiting-offer", role: "status" }, h("p", null, t("room.quick.alone")),
        h("button", { class: "secondary", "data-testid": "quick-again", onclick: () => this.app.quickAgain() }, t("room.quick.again"))) : null,
      isHost && free && (!match.quick || deserted) ? this.bots.draw(housePlayers(match.options)) : null,
      mine ? h("div", { class: "actions" }, ready, start) : h("p", { class: "hint" }, t("room.watching")),
      h("p", { class: "hint" }, mine ? t(match.quick ? "room.quick.hint" : isHost ? "room.hint.host" : "room.hint") : null),
      h("button", { class: "quiet start", "data-testid": "leave", onclick: () => this.app.leaveRoom() }, t("room.leave")));
  }

  options(view) {
    const { match, you } = view;
    const { options } = match;
    const isHost = you.seat === match.host && you.role === "seat";
    return h("section", { class: "sheet" }, h("h2", null, t("room.options")),
      isHost && !match.open_deal && !options.mix && !options.mode ? ruleChips(options, (rule) => this.setRule(match, rule), "room-rule") : null,
      h("dl", { class: "summary" }, optionSummary(options).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
      match.open_deal ? h("p", { class: "notice" }, t("room.open_deal")) : null,
      revealed(options) ? h("p", { class: "notice" }, t("room.live")) : null,
      [...(options.mode ? [t("hint.game.spit")] : options.mix ? [t("hint.mix")] : ruleHints(options)), ...(options.format === "match" && !options.mode ? [t("hint.format.match")] : []), ...(options.sudden_death ? [inMode(options.mode, "hint.sudden_death")] : [])].map((line) => h("p", { class: "hint" }, line)),
      h("div", { class: "actions" },
        isHost && !match.quick ? h("button", { class: "secondary", "data-testid": "change-options", onclick: () => this.change(match) }, t("room.change")) : null,
        h("button", { class: "quiet", "data-testid": "open-rules", onclick: () => this.app.openRules() }, t("rules"))),
      match.commitment ? h("details", null, h("summary", null, t("sealed")), h("p", { class: "hint" }, t("sealed.hint")),
        h("p", { class: "code small-code" }, match.commitment)) : null);
  }

  /** Changes the rule and nothing else. */
  setRule(match, rule) {
    const { variant: _, ...options } = match.options;
    this.app.send({ t: "options", options: { ...options, rule } });
  }

  change(match) {
    const { options } = match;
    const seat = store.seatOf(match.id) ?? {};
    const form = h("form", { onsubmit: (event) => {
      event.preventDefault();
      const chosen = readOptions(form);
      store.rememberSeat(match.id, match.room, seat.token, chosen.deals);
      this.app.send({ t: "options", options: chosen });
      dialog.close();
    } }, optionFields({ ...options, deals: seat.deals ?? [] }), h("button", { class: "primary big", type: "submit", "data-testid": "save-options" }, t("room.save")));
    const dialog = openSheet(t("room.options"), form, "wide");
  }

  countdown(match) {
    if (match.phase !== "countdown") return null;
    return h("div", { class: "countdown", "data-testid": "countdown" },
      h("p", { "data-words": "starts" }, this.startWords(match)), h("p", { class: "big-number", "data-seconds": "starts" }, this.seconds(match)));
  }

  /** A room with winnable deals waits until one is found. */
  startWords({ options, starts_at: at }) {
    return t(options.winnable && at <= this.app.now() ? "winnable.seeking" : "room.starting");
  }

  seconds(match) {
    return String(Math.max(0, Math.ceil((match.starts_at - this.app.now()) / 1000)));
  }

  /** Called four times a second: only the number changes. */
  tick() {
    const number = this.main?.querySelector("[data-seconds=starts]");
    if (number) number.textContent = this.seconds(this.app.view.match);
    const words = this.main?.querySelector("[data-words=starts]");
    if (words && words.textContent !== this.startWords(this.app.view.match)) words.textContent = this.startWords(this.app.view.match);
  }
}
