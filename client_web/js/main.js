// Puts the client together. Law: everything is made here, once; nothing global but a view to read, for tests.
//
// data-testid for browser tests: name, play-now, quick, play-alone, host, option-<field> (option-rule-<rule>), host-create, join-code,
// join, invited-join, invited-watch, rooms, deal, deal-alone, deal-host, host-now, watch,
// alone-rule-<rule>, seat-back, seat-forget, error · room: room-code, link, copy-link,
// loopback, seat-<i>, kick-<i>, add-bot, bot-strength, quick-again, ready, start, room-rule-<rule>, change-options, save-options, leave, countdown,
// watch-share, watch-link, copy-watch-link, qr · table: board, stock,
// column-1 to column-7, waste, cards by [data-card="9C"][data-pile="column.3"], undo, give-up, confirm, cancel, done,
// figure-lead, figure-app or figure-traditional, figure-time, figure-moves, figure-undos, running, bar-code, refusal,
// hint, stuck, ended, rival-<i>, close-seat-<i>, open-scorecard, scorecard, hole-result, code, next, podium, podium-<i>,
// rematch, record-link, go-home, home · waiting: waiting, waited, waiting-bots, waiting-cancel ·
// record: replay-board-<i>, replay-hole, replay-line, replay-time, scrub, play-pause,
// step-back, step-on, hole-back, hole-on, speed, download, verified, record-wrong, record-fault (data-code), record-again,
// open-record-file, record-file, played, played-link, clear-played · spectator: spectate-board-<i>, focus-<i>, watch-all, watch-leader, fair, leader · match: leaderboard, standing-<i>, my-place, reactions, react-<word>,
// said-<i>, copy-result, result-text, next-waiting · rules: rules, open-rules, rules-<section>,
// steps-first, steps-back, steps-on, steps-last, steps-slider, steps-words, steps-source, rules-fault, rules-again · everywhere: banner, play-here, settings, lang, set-lang-<language>,
// theme-<auto|light|dark>, set-<setting>, close.

import { App } from "./app.js";
import { keepFocus, watchFocus } from "./focus.js";
import * as games from "./games.js";
import * as i18n from "./i18n.js";
import * as settings from "./settings.js";

async function start() {
  settings.apply();
  settings.followSystem();
  await Promise.all([games.load(), i18n.load(document.documentElement.lang)]);
  const app = new App();
  Object.defineProperty(window, "fairway", { value: Object.freeze({
    get view() {
      return app.view;
    },
  }) });
  addEventListener("hashchange", () => app.addressChanged());
  watchFocus();
  setInterval(() => {
    app.page?.tick?.();
    keepFocus();
  }, 250);
  app.open();
}

start();
