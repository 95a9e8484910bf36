// The first page: who you are, and how to get into a match. Law: it asks main for what the person wants and shows
// what came back; it holds no state of a match.

import { playNow } from "./begin.js";
import { cardPicture } from "./cards.js";
import { courseSection } from "./course_section.js";
import { h, icon, morph } from "./dom.js";
import { t } from "./i18n.js";
import { playedWords } from "./mix.js";
import { forDeals, formatWords, optionFields, optionWords, readDeals, readOptions } from "./options.js";
import { playedSection } from "./played.js";
import { readRoom } from "./routes.js";
import * as store from "./seat_store.js";
import { languageSelect } from "./settings.js";
import { ruleChips } from "./rule_chips.js";

export class Home {
  constructor(app) {
    this.app = app;
    this.draft = { name: store.name(), join: "", deal: "" };
  }

  /** What the person has typed and chosen so far. */
  keep() {
    const hosting = this.form && !this.form.closest("[hidden]");
    return { draft: this.draft, options: hosting ? readOptions(this.form) : null };
  }

  mount(root, invited, kept) {
    this.root = root;
    this.draft = kept?.draft ?? this.draft;
    this.options = kept?.options ?? null;
    this.invited = invited;
    document.title = t("title.home");
    const hero = h("header", { class: "hero" },
      h("div", { class: "hero-tools" }, h("a", { class: "hero-link", href: "#rules", "data-testid": "rules" }, t("rules")), languageSelect((code) => this.app.setLanguage(code)),
        h("button", { class: "icon-button on-felt", "aria-label": t("settings"), "data-testid": "settings", onclick: () => this.app.openSettings() }, icon("i-gear"))),
      h("div", { class: "hero-cards", "aria-hidden": "true" }, ["7D", "8C", "9S"].map((card) => cardPicture(card))),
      h("div", { class: "hero-words" }, h("h1", { class: "wordmark" }, icon("i-flag", "flag"), t("app.name")),
        h("p", { class: "lead" }, t("home.lead"))));
    this.error = h("p", { class: "form-error", role: "alert", "data-testid": "error", hidden: true });
    this.rooms = h("div", { class: "rooms", "data-testid": "rooms" });
    this.grid = h("div", { class: "home-grid" });
    this.grid.append(
      h("div", { class: "home-column" }, invited ? null : this.backSection(), this.nameField(), this.error, invited ? this.invitation(invited) : null, this.playSection(), this.gameSection()),
      h("div", { class: "home-column" }, this.joinSection(), this.roomsSection(), courseSection(), this.dealSection(), playedSection(this.app)));
    root.replaceChildren(h("main", { class: "home", tabindex: -1 }, hero, this.grid));
    if (this.options) this.openHost();
    this.update();
  }

  nameField() {
    const input = h("input", { id: "name", "data-testid": "name", maxlength: 24, autocomplete: "nickname", spellcheck: "false",
      placeholder: t("home.name.placeholder"), oninput: () => {
        this.draft.name = input.value;
        store.rememberName(input.value.trim());
      } });
    input.value = this.draft.name;
    this.nameInput = input;
    return h("div", { class: "field name-field" }, h("label", { for: "name" }, t("home.name")), input);
  }

  invitation({ room, watch }) {
    return h("section", { class: "sheet invited" },
      h("h2", null, t(watch ? "home.invited.watch" : "home.invited", { room })),
      h("div", { class: "actions" },
        watch ? null : h("button", { class: "primary big", "data-testid": "invited-join", onclick: () => this.join(room) }, t("home.join")),
        h("button", { class: watch ? "primary big" : "quiet", "data-testid": "invited-watch", onclick: () => this.app.watch(room) }, t("home.watch"))));
  }

  /** The way back to a match that somebody left in the middle. */
  backSection() {
    const seat = store.lastSeat();
    if (!seat) return null;
    const section = h("section", { class: "sheet invited" }, h("h2", null, t("home.seat", { room: seat.room })),
      h("div", { class: "actions" },
        h("button", { class: "primary big", "data-testid": "seat-back", onclick: () => this.app.connection.enter(seat.match, seat.token) }, t("home.seat.back")),
        h("button", { class: "quiet", "data-testid": "seat-forget", onclick: () => {
          store.forgetSeat(seat.match);
          section.remove();
        } }, t("home.seat.forget"))));
    return section;
  }

  playSection() {
    const host = h("section", { class: "sheet host-form", hidden: true });
    const openHost = () => {
      host.hidden = !host.hidden;
      this.grid.classList.toggle("is-hosting", !host.hidden);
      if (!host.hidden && !host.firstChild) host.append(...this.hostForm());
      hostButton.setAttribute("aria-expanded", String(!host.hidden));
      if (!host.hidden) host.scrollIntoView({ block: "nearest", behavior: "smooth" });
    };
    const hostButton = h("button", { class: "secondary big", "data-testid": "host", "aria-expanded": "false", onclick: openHost }, t("home.host"));
    this.openHost = () => host.hidden && openHost();
    return [h("div", { class: "choices" },
      h("div", { class: "choice" },
        h("button", { class: "primary big", "data-testid": "play-now", onclick: () => this.now() }, t("home.now")),
        h("p", { class: "hint" }, t("home.now.hint"))),
      h("div", { class: "choice" },
        h("button", { class: "secondary big", "data-testid": "quick", onclick: () => this.withName((name) => this.app.quick(name)) }, t("home.quick")),
        h("p", { class: "hint" }, t("home.quick.hint"))),
      h("div", { class: "choice" },
        h("button", { class: "secondary big", "data-testid": "play-alone", onclick: () => this.alone([]) }, t("home.alone")),
        this.aloneRule(), h("p", { class: "hint" }, t("home.alone.hint"))),
      h("div", { class: "choice" }, hostButton,
        h("button", { class: "quiet", "data-testid": "host-now", onclick: () => this.hostNow([]) }, t("home.host.now")),
        h("p", { class: "hint" }, t("home.host.hint")))), host];
  }

  /** The rule for a game alone: the one of last time, or the one pressed here. */
  aloneRule() {
    const chips = h("div", null);
    const draw = () => {
      const last = { rule: "easy", ...pick(store.lastOptions(), ["game", "rule", "variant"]) };
      morph(chips, [ruleChips(this.draft.rule ? { game: last.game, rule: this.draft.rule } : last, (rule) => {
        this.draft.rule = rule;
        draw();
      }, "alone-rule")]);
    };
    draw();
    return chips;
  }

  /** Opens a room with the options of last time; its link goes into the clipboard. */
  hostNow(deals) {
    // Once the room is drawn; the tap that asked for it still counts as the reason.
    const copyLink = () => queueMicrotask(() => document.querySelector("[data-testid=copy-link]")?.click());
    this.withName((name) => this.app.host(name, deals.length ? { ...forDeals(store.lastOptions(), deals), deals } : store.lastOptions(), copyLink));
  }

  gameSection() {
    return h("section", { class: "game-brief" }, h("h2", null, t("home.game")),
      h("ol", null, [1, 2, 3, 4].map((n) => h("li", null, t(`home.game.${n}`)))),
      h("a", { class: "brief-link", href: "#rules" }, t("rules.all")));
  }

  hostForm() {
    const form = h("form", { "data-testid": "host-form", onsubmit: (event) => {
      event.preventDefault();
      const options = readOptions(form);
      const { deals: _, ...kept } = options;
      store.rememberOptions(kept);
      this.withName((name) => this.app.host(name, options));
    } }, optionFields(this.options ?? store.lastOptions()),
      h("button", { class: "primary big host-create", type: "submit", "data-testid": "host-create" }, t("host.create")));
    this.form = form;
    return [h("h2", null, t("host.title")), form];
  }

  joinSection() {
    const input = h("input", { id: "join-code", "data-testid": "join-code", class: "code", autocomplete: "off", spellcheck: "false",
      autocapitalize: "characters", placeholder: "ABCDEFGH", oninput: () => (this.draft.join = input.value) });
    input.value = this.draft.join;
    const go = (event) => {
      event.preventDefault();
      const found = readRoom(input.value);
      if (!found) return this.fail({ code: "no_such_room" });
      return found.watch ? this.app.watch(found.room) : this.join(found.room);
    };
    return h("section", { class: "sheet" }, h("h2", null, t("home.join.title")),
      h("form", { class: "inline", onsubmit: go }, h("label", { for: "join-code", class: "unseen" }, t("home.join.label")), input,
        h("button", { class: "secondary", type: "submit", "data-testid": "join" }, t("home.join")),
        h("button", { class: "quiet", type: "button", "data-testid": "watch", onclick: () => {
          const found = readRoom(input.value);
          return found ? this.app.watch(found.room) : this.fail({ code: "no_such_room" });
        } }, t("home.watch"))),
      h("p", { class: "hint" }, t("home.join.hint")));
  }

  roomsSection() {
    return h("section", { class: "sheet" }, h("h2", null, t("home.rooms")), this.rooms);
  }

  dealSection() {
    const input = h("textarea", { id: "deal", rows: 2, class: "code", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      "data-testid": "deal", placeholder: "GO2-E-AAAAAAB", oninput: () => (this.draft.deal = input.value) });
    input.value = this.draft.deal;
    const deals = () => readDeals(input.value);
    return h("section", { class: "sheet" }, h("h2", null, t("home.deal")),
      h("label", { for: "deal", class: "hint" }, t("home.deal.hint")), input,
      h("div", { class: "actions" },
        h("button", { class: "secondary", "data-testid": "deal-alone", onclick: () => this.alone(deals(), true) }, t("home.deal.alone")),
        h("button", { class: "quiet", "data-testid": "deal-host", onclick: () => (deals().length ? this.hostNow(deals()) : this.fail({ code: "bad_code_empty" })) }, t("home.deal.host"))));
  }

  /** Shows what changed outside: the lobby's rooms. */
  update() {
    const { rooms } = this.app;
    const list = rooms === null ? [h("p", { class: "hint" }, t("home.rooms.loading"))]
      : rooms.length === 0 ? [h("p", { class: "hint" }, t("home.rooms.none"))]
        : [h("ul", { class: "room-list" }, rooms.map((room) => h("li", { "data-key": room.room },
          h("div", null, h("strong", null, room.host), h("p", { class: "hint" },
            t("home.rooms.line", { rule: room.format === "match" ? `${playedWords(room)} · ${formatWords(room)}` : playedWords(room), holes: optionWords("holes", room.holes, room.mode), taken: room.taken, seats: room.seats }))),
          h("button", { class: "secondary", onclick: () => this.join(room.room), "aria-label": t("home.rooms.join", { name: room.host }) }, t("home.join")))))];
    morph(this.rooms, list);
  }

  withName(then) {
    const name = this.nameInput.value.trim();
    if (!name) {
      this.fail({ code: "bad_name" });
      return this.nameInput.focus();
    }
    this.clear();
    return then(name);
  }

  join(room) {
    this.withName((name) => this.app.join(room, name));
  }

  /** Who has not said a name plays under the common one: the first game must not wait for it. */
  now() {
    this.clear();
    playNow(this.app, this.nameInput.value.trim() || t("name.default"));
  }

  alone(deals, needed = false) {
    if (needed && !deals.length) return this.fail({ code: "bad_code_empty" });
    this.clear();
    const kept = pick(store.lastOptions(), ["game", "rule", "variant", "scoring", "help"]);
    if (this.draft.rule) {
      kept.rule = this.draft.rule;
      delete kept.variant;
    }
    const options = { help: "hint", ...forDeals(kept, deals), seats: 1, undo: "all", hole_seconds: 0, visibility: "private" };
    return this.app.host(this.nameInput.value.trim() || t("name.default"), deals.length ? { ...options, deals } : options);
  }

  clear() {
    this.error.hidden = true;
  }

  fail(error) {
    this.error.textContent = this.app.sayError(error);
    this.error.hidden = false;
    this.error.scrollIntoView({ block: "center", behavior: "smooth" });
  }
}

const pick = (from, names) => Object.fromEntries(names.filter((n) => n in from).map((n) => [n, from[n]]));
