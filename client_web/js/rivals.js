// The other seats while one plays: their counts live, their boards as far as this seat may see. Law: the counts are
// the server's; a board that is behind them says so.

import { botIcon } from "./bots.js";
import { openSheet } from "./dialogs.js";
import { h, icon, morph } from "./dom.js";
import { gameOf } from "./games.js";
import { number, seatName, t } from "./i18n.js";
import { miniBoard } from "./mini.js";
import { howWord, standsWords } from "./scorecard.js";
import { holeStrip } from "./standing.js";
import { behind, seated } from "./state.js";

/** What a seat is doing, in a word. */
export function stateWord(seat) {
  return seat.state === "playing" || seat.state === "waiting" ? t(`state.${seat.state}`) : howWord(seat.state);
}

/** A connection dot with its meaning. */
export function dot(app, i) {
  if (app.view.seats[i]?.ghost) return h("span", { class: "ghost-mark", role: "img", "aria-label": t("ghost") }, icon("i-ghost"));
  const online = app.offlineSince(i) === null;
  return h("span", { class: `dot ${online ? "on" : "off"}`, role: "img", "aria-label": t(online ? "presence.online" : "presence.offline") });
}

/** The deciding score of an open hole's seat with its name, for a line. */
export function leadLine(view, seat) {
  const { scoring } = view.match.options;
  return t(`lead.${scoring}`, { n: number(seat[scoring]) });
}

const pictures = new WeakMap();

/** A seat's board as a picture, drawn again only when the board changed. */
export function boardPicture(app, i, seat) {
  const board = app.view.boards?.[i];
  if (!board) return null;
  const label = t("board.of", { name: seat.name });
  const known = pictures.get(board);
  if (known && known.label === label) return known.picture.cloneNode(true);
  const picture = miniBoard(app.layout, board, label);
  pictures.set(board, { label, picture });
  return picture.cloneNode(true);
}

/** What is said of a board that is behind its seat's counts. */
function lagWords({ match, seats, you }) {
  if (!gameOf(match.options.game).hides) return t("lag.closed");
  return t(you.role === "seat" && !seats[you.seat]?.ended ? "lag.seat" : "lag.other");
}

/** A seat in full: board, counts, scores. Used in the side panel, in the window of a phone, and by spectators. */
export function seatCard(app, i, seat) {
  const { view } = app;
  const lags = behind(view.boards?.[i], seat, app.layout);
  return [
    h("div", { class: "rival-figures" },
      h("span", null, h("b", null, seat.cards_left), " ", t("figure.left")),
      app.layout.draw ? h("span", null, h("b", null, seat.stock), " ", t("figure.stock")) : null,
      h("span", { class: "wide-only" }, leadLine(view, seat)),
      h("span", { class: view.match.standing ? "running-match" : "running" }, standsWords(view, i))),
    boardPicture(app, i, seat),
    h("p", { class: `lag ${lags ? "" : "unseen-lag"}` }, lags ? lagWords(view) : t("lag.none")),
  ];
}

export class Rivals {
  constructor(app, host) {
    this.app = app;
    this.host = host;
    this.sheet = null;
  }

  others() {
    return seated(this.app.view).filter(([i]) => i !== this.app.view.you.seat);
  }

  update() {
    const { app } = this;
    const list = this.others();
    this.host.hidden = list.length === 0;
    this.host.dataset.count = String(list.length);
    morph(this.host, list.map(([i, seat]) => h("article", { class: `rival is-${seat.state} ${seat.ended ? "ended" : ""}`, "data-key": `rival-${i}`, "data-testid": `rival-${i}` },
      h("button", { class: "rival-head", onclick: () => this.open(i), "aria-label": t("rival.says", {
        name: seat.name, state: stateWord(seat), n: seat.cards_left, stock: seat.stock, score: leadLine(app.view, seat) }) },
      dot(app, i), botIcon(seat), h("span", { class: "rival-name" }, seat.name),
      h("span", { class: "rival-state" }, seat.ghost ? h("span", { class: "ghost-word" }, t("ghost"), " · ") : null, stateWord(seat)),
      h("span", { class: "rival-counts", "aria-hidden": "true" }, h("b", null, seat.cards_left), h("span", { class: "thin words" }, ` ${t("figure.left")}`),
        app.layout.draw ? [h("span", { class: "thin" }, ` · ${seat.stock}`), h("span", { class: "thin words" }, ` ${t("figure.stock")}`)] : null)),
      h("div", { class: "rival-body" }, holeStrip(app.view, i, seat), seatCard(app, i, seat)), this.closing(i, seat))));
    if (this.sheet?.open) this.fillSheet();
  }

  /** A seat a minute offline may be closed for this hole by anyone. */
  closing(i, seat) {
    const { app } = this;
    const since = app.offlineSince(i);
    const late = since !== null && app.now() - since > 60000;
    if (!late || seat.ended || app.view.match.phase !== "playing") return null;
    return h("button", { class: "quiet small on-felt", "data-testid": `close-seat-${i}`, onclick: () =>
      app.send({ t: "close_seat", seat: i, hole: app.view.match.hole }) }, t("rival.close", { name: seat.name }));
  }

  open(i) {
    const seat = this.app.view.seats[i];
    this.shown = i;
    this.body = h("div", { class: "rival-window" });
    this.sheet = openSheet(seatName(seat), this.body, "felted");
    this.fillSheet();
  }

  fillSheet() {
    const seat = this.app.view.seats[this.shown];
    if (seat) morph(this.body, [h("p", { class: "rival-line" }, dot(this.app, this.shown), stateWord(seat)),
      holeStrip(this.app.view, this.shown, seat), seatCard(this.app, this.shown, seat)]);
  }
}
