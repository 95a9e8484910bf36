// Where a card goes that nobody named a place for: at a tap, at two quick ones, or let go anywhere. Law: among the moves
// that the server offers, by the layout's "tap" and the person's settings; without one the server is asked, and says why.
//
// "tap": none: to the layout's tap_target; "home_or_column": to a foundation, else, with double tap on, to a column;
// "home_then_column": to a foundation, and only at a second quick tap to a column.

import { settings } from "./seat_store.js";

const QUICK_MS = 380;

const isHome = (pile) => pile.startsWith("foundation");

/** A foundation that takes the card, else the longest column that does, else an empty one: of `offers`, or undefined. */
export function bestOf(offers, board, { home = true, columns = true } = {}) {
  const found = home ? offers.find(isHome) : undefined;
  if (found || !columns) return found;
  const length = (pile) => (board[pile] ?? []).length;
  return offers.filter((pile) => !isHome(pile)).reduce((best, pile) => (best === undefined || length(pile) > length(best) ? pile : best), undefined);
}

export class Taps {
  /** @param table what is tapped on: {app, mine, offers(pile, card), play(pile, card, target)} */
  constructor(table) {
    this.table = table;
    this.waiting = null;
  }

  forget() {
    clearTimeout(this.waiting?.timer);
    this.waiting = null;
  }

  tap(pile, card) {
    const { table } = this;
    const { tap, tap_target: only } = table.app.layout;
    const { doubleTap } = settings();
    if (!tap) return table.play(pile, card, only);
    if (isHome(pile)) return undefined;
    const second = this.waiting?.card === card;
    this.forget();
    const known = table.offers(pile, card);
    const quick = tap === "home_then_column" && doubleTap;
    const target = bestOf(known, table.mine, { columns: quick ? second : tap === "home_or_column" && doubleTap });
    const asked = () => table.play(pile, card, target ?? `foundation.${card[1]}`);
    if (target || !quick || second) return asked();
    // It may be the first of two: what is wrong with it is said when no second comes.
    this.waiting = { card, timer: setTimeout(() => {
      this.waiting = null;
      asked();
    }, QUICK_MS) };
    return undefined;
  }
}
