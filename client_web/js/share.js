// What a person hands on: links with their QR codes, and a result as text. Law: a result tells scores and nothing of the
// deals, so that whoever reads it may still play them.

import { copyText } from "./dialogs.js";
import { h } from "./dom.js";
import { number, seatName, t, toPar } from "./i18n.js";
import { isMatchPlay, matchWords, wonWords } from "./match_play.js";
import { playedWords } from "./mix.js";
import { optionWords, winsLine } from "./options.js";
import { worth } from "./standing.js";
import { seated } from "./state.js";
import { gameWords } from "./variants.js";

const COPIED_MS = 2500;
const SQUARES = { perfect: "🟩", under: "🟦", even: "⬜", over: "🟨", far: "🟧", "": "▫️" };
/** An address that only this computer understands. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/** A button that copies the text of the element that `find` gives, and says so on itself for a moment. */
export function copyButton(app, testid, label, find, className = "secondary") {
  const press = async (event) => {
    const button = event.currentTarget;
    const done = await copyText(find());
    app.say(t(done ? "room.copied" : "room.copy.select"));
    app.copied = { testid, words: t(done ? "room.copied" : "room.copy.select") };
    button.textContent = app.copied.words;
    setTimeout(() => {
      app.copied = null;
      button.textContent = label;
    }, COPIED_MS);
  };
  return h("button", { class: className, "data-testid": testid, onclick: press }, app.copied?.testid === testid ? app.copied.words : label);
}

/** A link as text with its copy button. */
export function linkRow(app, hash, testid, label) {
  return h("div", { class: "link-row" },
    h("span", { class: "link code", "data-testid": testid, tabindex: 0 }, `${location.origin}/`, h("wbr"), `#${hash}`),
    copyButton(app, `copy-${testid}`, label, () => document.querySelector(`[data-testid="${testid}"]`)));
}

/** The QR code of a room, fetched when it is opened; `name` is the room code, or `watch-` and the code. */
export function qrCode(name, label) {
  if (LOOPBACK.test(location.hostname)) return null;
  return h("details", { class: "qr", "data-testid": "qr" }, h("summary", null, t("room.qr")),
    h("img", { src: `/qr/${name}.svg`, alt: label, width: 240, height: 240, loading: "lazy" }));
}

/** The link for those who look on; nothing where the room has none. */
export function watchLink(app) {
  const { match } = app.view;
  if (match.options.spectators === "off") return null;
  return h("details", { class: "watch-link", "data-testid": "watch-share" }, h("summary", null, t("room.watch_link")),
    linkRow(app, `watch=${match.room}`, "watch-link", t("room.copy")), qrCode(`watch-${match.room}`, t("room.qr.watch", { room: match.room })));
}

/** A square a hole of match play: won, halved or lost. */
const wonSquares = ({ match }, i) => (match.card ?? []).map(({ winner }) => (winner === null ? "⬜" : winner === i ? "🟩" : "🟧")).join("");

/** A match's result as text: places, scores and a square a hole. No card, no code, no link to the record. */
export function resultText(view) {
  const { match } = view;
  const { scoring, holes } = match.options;
  const par = match.par / holes;
  const rows = seated(view).filter(([, seat]) => seat.place).sort((a, b) => a[1].place - b[1].place || a[0] - b[0]);
  const head = [t("app.name"), optionWords("holes", (match.card ?? []).length),
    match.options.mix ? playedWords(match.options) : gameWords(match.game, match)];
  if (isMatchPlay(view)) {
    return [[...head, t("format.match")].join(" · "), matchWords(view),
      ...rows.map(([i, seat]) => `${seatName(seat)}: ${wonWords(view, i)}\n${wonSquares(view, i)}`), winsLine(match.options)].join("\n");
  }
  const squares = (i) => (match.card ?? []).map(({ scores }) => (!scores[i] || scores[i].how === "unplayed" ? "⬛" : SQUARES[worth(scores[i], par)])).join("");
  const score = ({ totals }) => (scoring !== "traditional" ? t(`lead.${scoring}`, { n: totals[scoring] }) : `${number(totals.traditional)} (${toPar(totals.to_par)})`);
  return [head.join(" · "), ...rows.map(([i, seat]) => `${seat.place}. ${seatName(seat)}: ${score(seat)}\n${squares(i)}`),
    t(`wins.${scoring}.line`)].join("\n");
}

/** The button that copies the result, with the text itself for readers of the page's source of truth. */
export function copyResult(app) {
  return [copyButton(app, "copy-result", t("result.copy"), () => document.querySelector(".result-text")),
    h("pre", { class: "result-text unseen", "data-testid": "result-text", "aria-hidden": "true" }, resultText(app.view))];
}
