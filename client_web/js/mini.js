// A board to look at: the same layout drawn small as one SVG. Law: draws what it is given, "?" as a back; it takes
// no presses and is one picture to a screen reader.

import { s } from "./dom.js";
import { isPlace, rankText, suitOf } from "./cards.js";
import { RATIO } from "./geometry.js";

const W = 40;
const H = W * RATIO;
const STEP = 0.36;
/** Card heights that a column takes up at most where columns are pushed together. */
const SQUEEZED = 3.4;

function miniCard(card, x, y, key) {
  if (card === "?") return s("rect", { class: "mini-back", "data-key": key, x, y, width: W, height: H, rx: 4 });
  const ten = card[0] === "T";
  return s("g", { class: `mini-card suit-${suitOf(card)}`, "data-key": key, transform: `translate(${x} ${y})` },
    s("rect", { width: W, height: H, rx: 4 }),
    s("text", { x: 3, y: 17, class: ten ? "ten" : null }, rankText(card)),
    s("use", { href: `#suit-${suitOf(card)}`, x: ten ? 24 : 21, y: 4, width: ten ? 14 : 15, height: ten ? 14 : 15 }));
}

/** Each pile with its place; those that the deal orders take theirs in the board's order. */
function placed(layout, shape, board) {
  const kind = layout.in_order;
  const ours = layout.reading.filter((pile) => kind && pile.startsWith(kind));
  const dealt = Object.keys(board ?? {}).filter((pile) => ours.includes(pile));
  return layout.reading.map((pile) => [pile, shape.piles[dealt.includes(pile) ? ours[dealt.indexOf(pile)] : pile]]);
}

/** The picture of a board in the layout's tall shape, waste and stock beneath. */
export function miniBoard(layout, board, label) {
  const shape = layout.shapes.tall;
  const most = (shape.most ?? shape.longest) - 1;
  // Rows of columns stand further apart than in a layout whose columns are closer together.
  const spread = shape.squeeze ? 1 : Math.max(1, (1 + most * STEP) / (1 + most * shape.step[1]));
  const above = (shape.above ?? 0) * spread;
  const fanHeight = above + 1 + (shape.squeeze ? Math.min(most * STEP, SQUEEZED) : most * STEP);
  const bottom = Object.values(shape.piles).some((at) => at.bottom !== undefined);
  const height = (fanHeight + (bottom ? 1.18 : 0.04)) * H;
  const parts = [];
  for (const [pile, at] of placed(layout, shape, board)) {
    const cards = board?.[pile] ?? [];
    const x = (at.fan || at.bottom === undefined ? at.x : at.x + 0.1) * W;
    const y = (at.bottom === undefined ? at.y * spread : fanHeight + 0.16) * H;
    if (!cards.length && isPlace(pile)) continue;
    if (!cards.length) {
      parts.push(s("rect", { class: "mini-slot", x, y, width: W, height: H, rx: 4 }));
      continue;
    }
    const drawn = at.fan ? cards : cards.slice(-(at.apart?.count ?? 1));
    const step = (at.apart?.y ?? Math.min(STEP, (fanHeight - above - 1) / Math.max(1, drawn.length - 1))) * H;
    const aside = (at.apart?.x ?? 0) * W;
    drawn.forEach((card, i) => parts.push(miniCard(card, x + i * aside, y + i * step, `${pile}${card}${card === "?" ? i : ""}`)));
    if (drawn[0] === "?" && !at.fan && !isPlace(pile)) {
      parts.push(s("text", { class: "mini-count", x: x + W / 2, y: y + H / 2 + 7 }, cards.length));
    }
  }
  return s("svg", { class: "mini", viewBox: `-1 -1 ${shape.width * W + 2} ${height + 2}`, role: "img", "aria-label": label }, parts);
}
