// Cards as things to see and to hear. Law: a card is the two characters of the wire ("9C", "TH", "?" face down);
// its looks are HTML and the sprite's suits, its name comes from the dictionary.

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

const isJoker = (card) => card[0] === "*";

/** The index as printed: the ten in two digits; a joker has none. */
export const rankText = (card) => (card[0] === "T" ? "10" : isJoker(card) ? "" : card[0]);

/** The name of a card's suit among the pictures; a joker's is a star. */
export const suitOf = (card) => (isJoker(card) ? "joker" : card[1]);

/** The card's name in the language of the page, for readers and sentences. */
export function cardName(card) {
  if (!card || card === "?") return t("card.hidden");
  if (isJoker(card)) return t("card.joker");
  return t("card.name", { suit: t(`suit.${card[1]}`), rank: t(`rank.${card[0]}`) });
}

/** The inside of a card: a large index that shows in a fanned column, and one big pip. */
function face(card) {
  return [
    h("span", { class: "index", "aria-hidden": "true" },
      isJoker(card) ? null : h("span", { class: `rank rank-${card[0]}` }, rankText(card)), icon(`suit-${suitOf(card)}`, "suit"),
      isJoker(card) ? h("span", { class: "joker" }, t("card.joker")) : null),
    icon(`suit-${suitOf(card)}`, "pip"),
  ];
}

/** A card to press. Its place and its label are the board's to keep up to date. */
export function cardButton(card) {
  return h("button", { type: "button", class: `card suit-${suitOf(card)}`, "data-card": card }, h("span", { class: "face" }, face(card)));
}

/** A card to look at, for headings and panels. */
export function cardPicture(card, className = "") {
  if (card === "?") return h("span", { class: `card back ${className}`, "aria-hidden": "true" });
  return h("span", { class: `card suit-${suitOf(card)} ${className}`, role: "img", "aria-label": cardName(card) },
    h("span", { class: "face" }, face(card)));
}

/** A card as a short inline word, such as 8♠ drawn with our own suit. */
export function cardWord(card) {
  return h("span", { class: `card-word suit-${suitOf(card)}`, role: "img", "aria-label": cardName(card) },
    rankText(card), icon(`suit-${suitOf(card)}`, "suit"));
}

/** A pile of one card, which lies in a row with others and may be covered by those of the next. */
export const isPlace = (pile) => pile.startsWith("place.");

/** The row of a place and where it stands in it, both from 1; places are counted through all rows. */
export function rowOf(pile, layout) {
  let [row, which] = [0, Number(pile.split(".")[1])];
  while (which > layout.rows[row]) which -= layout.rows[row++];
  return { row: row + 1, which };
}

/** A pile's name: "column 3", "stock"; a layout may call a kind of pile by a name of its own. */
export function pileName(pile, layout) {
  if (isPlace(pile)) return t("pile.place", rowOf(pile, layout));
  const [kind, which] = pile.split(".");
  return t(`pile.${layout.names?.[kind] ?? kind}`, { which: kind === "foundation" ? t(`suit.${which}`) : which ?? "" });
}
