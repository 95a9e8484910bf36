// The board by arrow keys. Law: left and right go from pile to pile in the layout's reading order, up and down through
// the cards of a fanned pile, or to the nearest card of the next row where piles lie in rows; every card can be stood on and heard, what can be done to it is the board's matter.

import { isPlace, rowOf } from "./cards.js";

/** The elements to stand on in a pile, deepest first: its cards, or the stock. */
const stops = (board, pile) => [...board.piles.get(pile).querySelectorAll("button.card")]
  .sort((a, b) => Number(a.style.zIndex) - Number(b.style.zIndex));

/** Where the focus goes when the card that had it has left `pile`: its new last card, else the nearest pile's. */
export function standIn(board, pile) {
  const { reading, inert } = board.layout;
  const from = reading.indexOf(pile);
  const near = [...reading.keys()].sort((a, b) => Math.abs(a - from) - Math.abs(b - from) || b - a).map((at) => reading[at]);
  const found = near.filter((name) => !inert.includes(name)).map((name) => stops(board, name).at(-1)).find(Boolean);
  found?.focus({ preventScroll: true });
}

/** The nearest pile with a card in the next row that has one, upwards (-1) or downwards (1); undefined past the last. */
function inNextRow(board, pile, direction) {
  const { layout } = board;
  const x = (name) => layout.shapes.tall.piles[name].x;
  const { row } = rowOf(pile, layout);
  const away = (name) => (rowOf(name, layout).row - row) * direction;
  return layout.reading.filter((name) => isPlace(name) && away(name) > 0 && stops(board, name).length)
    .sort((a, b) => away(a) - away(b) || Math.abs(x(a) - x(pile)) - Math.abs(x(b) - x(pile)))[0];
}

/** Listens for arrow keys on a board. */
export function walks(board) {
  board.host.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const pile = event.target.closest(".pile")?.dataset.pile;
    if (!pile) return;
    const { reading } = board.layout;
    const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const along = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!across && !along) return;
    event.preventDefault();
    let to;
    if (along && isPlace(pile)) {
      const next = inNextRow(board, pile, along);
      to = next && stops(board, next).at(-1);
    } else if (along) {
      const cards = stops(board, pile);
      to = cards[cards.indexOf(event.target) + along];
    } else {
      let at = reading.indexOf(pile) + across;
      while (reading[at] && !stops(board, reading[at]).length) at += across;
      to = reading[at] && stops(board, reading[at]).at(-1);
    }
    to?.focus();
  });
}
