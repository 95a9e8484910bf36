// The own board. Law: it draws the piles of a layout and reports what the person did to a card; it knows no rules
// and no game by name. Cards are kept as elements, so a card that changes pile flies there.

import { cardButton, cardName, isPlace, pileName, rankText } from "./cards.js";
import { drags } from "./drag.js";
import { h, icon } from "./dom.js";
import { fanned, measure, place, RATIO } from "./geometry.js";
import { t } from "./i18n.js";
import { standIn, walks } from "./walk.js";

/** Of a pile that isn't fanned only the topmost few are drawn; the rest lie hidden beneath them. */
const STACKED = 4;
/** More columns or places that cards come to than in any action: a new deal, which lies there at once, in order, to be pressed. */
const DEALT = 2;
const HIDDEN = "?";

/** A card laid by hand never lies quite straight: a small turn that is always the same for a card. */
const tilt = (card) => ((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 13) % 7) - 3;

export class Board {
  /** @param handlers {onCard(pile, card), onDraw(), onDrop(pile, card, target), targets(pile, card), settings(), pressed()} */
  constructor(host, layout, handlers) {
    Object.assign(this, { host, layout, handlers });
    this.cards = new Map();
    this.piles = new Map();
    this.backs = new Map(); // cards that lie face down, by pile and place
    this.slots = new Map(); // where a pile lies, if not at its own place in the layout
    this.last = null;
    this.host.replaceChildren();
    for (const pile of layout.reading) this.addPile(pile);
    this.streak = h("span", { class: "streak", "aria-hidden": "true", hidden: true }, h("b", null));
    this.host.append(this.streak);
    this.stopDrags = drags(this);
    walks(this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.measure();
  }

  destroy() {
    this.stopDrags();
    this.observer.disconnect();
  }

  addPile(pile) {
    const isStock = pile === this.layout.draw?.source;
    const element = h("div", { class: `pile ${isStock ? "is-stock" : ""}`, role: "group", "data-pile": pile,
      "data-testid": pile.replace(".", "-") });
    const [kind, suit] = pile.split(".");
    element.append(h("span", { class: "slot", "aria-hidden": "true" },
      kind === "foundation" ? [h("b", null), icon(`suit-${suit}`, "pip")] : null));
    if (this.layout.count_under?.includes(pile)) element.append(h("span", { class: "under", hidden: true }));
    if (isStock) {
      element.removeAttribute("data-testid");
      this.stock = h("button", { type: "button", class: "card back stock", "data-testid": "stock", "data-draw": "" },
        h("span", { class: "count" }), h("span", { class: "spent", "aria-hidden": "true" }, icon("i-empty")));
      element.append(this.stock);
    }
    this.piles.set(pile, element);
    this.host.append(element);
  }

  measure() {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.geometry = measure(this.layout, clientWidth, clientHeight);
    const { cardWidth } = this.geometry;
    this.host.style.setProperty("--card-w", `${cardWidth}px`);
    this.host.style.setProperty("--card-h", `${cardWidth * RATIO}px`);
    // Words about a move stand where no card does.
    this.host.parentElement.style.setProperty("--notice-y", `${this.geometry.gap + this.host.offsetTop}px`);
    this.putSlots();
    if (this.stock) this.put(this.stock, place(this.geometry, this.layout.draw.source, 0, 1));
  }

  putSlots() {
    for (const [pile, element] of this.piles) {
      for (const part of element.querySelectorAll(".slot, .under")) this.put(part, this.spot(pile, 0, 1));
    }
  }

  /** Where a card of a pile lies; `down` as in geometry.js. */
  spot(pile, index, length, down = 0) {
    return place(this.geometry, this.slots.get(pile) ?? pile, index, length, down);
  }

  /** Piles of one kind that the deal orders: the board names them in that order, and they take the layout's places so. */
  order(board) {
    const kind = this.layout.in_order;
    if (!kind) return;
    const ours = (pile) => pile.startsWith(kind);
    const places = this.layout.reading.filter(ours);
    const dealt = Object.keys(board).filter(ours);
    if (dealt.every((pile, i) => this.slots.get(pile) === places[i])) return;
    this.slots = new Map(dealt.map((pile, i) => [pile, places[i]]));
    this.putSlots();
  }

  /** The rank that all foundations begin with, on those that wait for it. */
  renderBase(board) {
    const begun = Object.keys(board).find((pile) => pile.startsWith("foundation") && board[pile].length);
    const base = begun ? rankText(board[begun][0]) : "";
    for (const [pile, element] of this.piles) if (pile.startsWith("foundation")) element.querySelector(".slot b").textContent = base;
  }

  /** Where a card may be let go onto a pile: its place, and of a column all that lies there and below. */
  zone(pile) {
    const rect = this.piles.get(pile).querySelector(".slot").getBoundingClientRect();
    const last = this.cards.get((this.last?.board[pile] ?? []).at(-1));
    return last && this.layout.shapes.tall.piles[pile].fan ? { left: rect.left, right: rect.right, top: rect.top, bottom: last.getBoundingClientRect().bottom } : rect;
  }

  /** A card and all that lie on it, where piles are fanned; what moves together. */
  blockFrom(pile, card) {
    const cards = this.last?.board[pile] ?? [];
    return this.layout.tap && this.layout.shapes.tall.piles[pile]?.fan ? cards.slice(cards.indexOf(card)) : [card];
  }

  /** A finger was lifted: what waited for it may move now. */
  released() {
    if (this.late) this.resize();
  }

  resize() {
    this.late = Boolean(this.handlers.pressed?.());
    if (this.late) return;
    this.measure();
    if (!this.last) return;
    this.hold();
    this.render(this.last);
  }

  /** What changes in this frame doesn't move, it is there. */
  hold() {
    this.host.classList.add("still");
    requestAnimationFrame(() => this.host.classList.remove("still"));
  }

  isNewDeal(board) {
    const comes = (pile) => (board[pile] ?? []).some((card) => card !== HIDDEN && this.cards.get(card)?.dataset.pile !== pile);
    return this.layout.reading.filter((pile) => (this.geometry.shape.piles[pile].fan || isPlace(pile)) && comes(pile)).length > DEALT;
  }

  put(element, { x, y, scale }, turn = 0) {
    element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale}) rotate(${turn}deg)`;
  }

  /** Draws {board, ahead, waiting: Set of cards, drawing: bool, closed: bool, marks: {cards: Set, draw}, chain: number}. */
  render(state) {
    this.last = state;
    if (!this.geometry) this.measure();
    if (!this.geometry) return;
    const { board, ahead, waiting, drawing, closed, marks, chain = 0 } = state;
    const stood = this.host.contains(document.activeElement) ? document.activeElement : null;
    const stoodIn = stood?.dataset.pile;
    const source = this.layout.draw?.source;
    this.dealing = this.isNewDeal(board);
    if (this.dealing) this.hold();
    this.order(board);
    if (this.layout.base) this.renderBase(board);
    const seen = new Set();
    for (const pile of this.layout.reading) {
      const cards = board[pile] ?? [];
      if (pile === source) continue;
      const at = this.geometry.shape.piles[pile];
      const down = cards.lastIndexOf(HIDDEN) + 1;
      const under = Boolean(this.layout.covered_by?.[pile]?.some((other) => board[other]?.length));
      const from = at.fan ? 0 : Math.max(0, cards.length - Math.max(STACKED, fanned(at) + 1));
      for (let i = from; i < cards.length; i++) {
        const key = cards[i] === HIDDEN ? `${pile}#${i}` : cards[i];
        seen.add(key);
        if (i < down) this.renderBack(pile, key, i, cards.length, down);
        else this.renderCard(pile, cards[i], i, cards.length, { ahead, waiting, down, fan: at.fan, spread: fanned(at) > 0 || isPlace(pile), under });
      }
      this.renderUnder(pile, cards.length - 1);
      const element = this.piles.get(pile);
      if (isPlace(pile)) element.setAttribute("aria-label", pileName(pile, this.layout));
      else element.setAttribute("aria-label", cards.length
        ? t(this.layout.inert.includes(pile) ? "pile.says.top" : "pile.says", { pile: pileName(pile, this.layout), n: cards.length, card: cardName(cards.at(-1)) })
        : t("pile.says.empty", { pile: pileName(pile, this.layout) }));
      element.classList.toggle("is-empty", cards.length === 0);
    }
    for (const drawn of [this.cards, this.backs]) {
      for (const [key, element] of drawn) {
        if (seen.has(key)) continue;
        drawn.delete(key);
        element.remove();
      }
    }
    if (this.stock) this.renderStock((board[source] ?? []).length, drawing);
    for (const [card, element] of this.cards) element.classList.toggle("plays", Boolean(marks?.cards.has(card)));
    this.stock?.classList.toggle("plays", Boolean(marks?.draw));
    this.renderStreak(closed ? 0 : chain);
    this.host.classList.toggle("is-closed", Boolean(closed));
    if (stoodIn && (!stood.isConnected || stood.dataset.pile !== stoodIn)) standIn(this, stoodIn);
    else if (stood?.isConnected && document.activeElement !== stood) stood.focus({ preventScroll: true });
  }

  renderBack(pile, key, index, length, down) {
    let element = this.backs.get(key);
    if (!element) {
      element = h("span", { class: "card back", "aria-hidden": "true" });
      this.backs.set(key, element);
      this.piles.get(pile).append(element);
    }
    element.style.zIndex = String(index + 1);
    this.put(element, this.spot(pile, index, length, down));
  }

  /** How many cards lie under the one that plays, where only that one is seen. */
  renderUnder(pile, count) {
    const badge = this.piles.get(pile).querySelector(".under");
    if (!badge) return;
    badge.hidden = count < 1;
    badge.dataset.count = String(count);
  }

  renderCard(pile, card, index, length, { ahead, waiting, fan, spread, down, under }) {
    let element = this.cards.get(card);
    const home = this.piles.get(pile);
    if (!element) {
      element = cardButton(card);
      element.classList.add("still");
      this.cards.set(card, element);
      // A card that was face down till now turns where it lies, or comes from the stock, turning.
      const turns = this.backs.has(`${pile}#${index}`);
      const fromStock = this.stock && pile === this.layout.draw.target && this.shownOnce && !this.dealing;
      home.append(element);
      this.put(element, fromStock ? place(this.geometry, this.layout.draw.source, 0, 1) : this.spot(pile, index, length, down));
      element.getBoundingClientRect();
      element.classList.remove("still");
      if (turns || fromStock) element.classList.add("turned");
      if (fromStock) this.fly(element);
    }
    const covered = under || index < length - 1;
    const moved = element.dataset.pile !== pile;
    if (element.parentElement !== home) {
      // Same origin in every pile, so the old transform still means the old place; then it flies.
      home.append(element);
      element.getBoundingClientRect();
    }
    if (moved) {
      if (element.dataset.pile && !this.dealing) this.fly(element);
      element.dataset.pile = pile;
    }
    if (this.dealing) element.classList.remove("flying");
    element.style.zIndex = String(index + 1 + (fan ? 0 : 100));
    const spot = this.spot(pile, index, length, down);
    element.classList.toggle("tight", covered && Boolean(spot.tight));
    element.style.setProperty("--step", String((covered && spot.step) || 1));
    if (!this.held?.includes(element)) {
      this.put(element, spot, spread || this.layout.still?.includes(pile) ? 0 : tilt(card));
    }
    element.classList.toggle("covered", covered);
    element.classList.toggle("inert", this.layout.inert.includes(pile));
    element.classList.toggle("ahead", card === ahead);
    element.classList.toggle("waiting", waiting.has(card) && card !== ahead);
    element.tabIndex = covered || this.layout.inert.includes(pile) ? -1 : 0;
    const label = covered && spread ? t("card.covered", { card: cardName(card) }) : cardName(card);
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
  }

  /** Plays in a row count up at the corner of their pile; one alone is no row. */
  renderStreak(count) {
    const { chain } = this.layout;
    if (!chain) return;
    const shown = count > 1;
    const text = shown ? `×${count}` : "";
    this.streak.hidden = !shown;
    const { x, y, scale } = place(this.geometry, chain, 0, 1);
    this.streak.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    this.streak.style.setProperty("--pile-w", `${this.geometry.cardWidth * scale}px`);
    const number = this.streak.firstChild;
    if (number.textContent === text) return;
    number.textContent = text;
    // Each count pops anew, however quickly it follows.
    number.classList.remove("counts");
    number.getBoundingClientRect();
    number.classList.add("counts");
  }

  /** Above all others while on its way. */
  fly(element) {
    element.classList.add("flying");
    setTimeout(() => element.classList.remove("flying"), 260);
  }

  renderStock(count, drawing) {
    this.shownOnce = true;
    this.stock.querySelector(".count").textContent = String(count);
    this.stock.classList.toggle("is-empty", count === 0);
    this.stock.classList.toggle("waiting", Boolean(drawing));
    this.stock.dataset.thick = String(Math.min(4, Math.ceil(count / 4)));
    this.stock.setAttribute("aria-label", t("stock.says", { n: count }));
  }

  /** A refused card shakes once, if motion is welcome. */
  shake(card) {
    const element = card ? this.cards.get(card) : this.stock;
    if (!element) return;
    element.classList.remove("refused");
    element.getBoundingClientRect();
    element.classList.add("refused");
  }

  /** The last open card of a pile, skipping those that an unanswered play names already. */
  lastFree(pile, waiting) {
    return (this.last?.board[pile] ?? []).filter((card) => card !== HIDDEN && !waiting.has(card)).at(-1) ?? null;
  }
}
