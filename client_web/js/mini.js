// A board to look at: the same layout drawn small as one SVG. Law: draws what it is given, "?" as a back; it takes
// no presses and is one picture to a screen reader.

import { s } from "./dom.js";
import { rankText, suitOf } from "./cards.js";
import { RATIO } from "./geometry.js";

const W = 40;
const H = W * RATIO;
const STEP = 0.36;

function miniCard(card, x, y, key) {
  if (card === "?") return s("rect", { class: "mini-back", "data-key": key, x, y, width: W, height: H, rx: 4 });
  const ten = card[0] === "T";
  return s("g", { class: `mini-card suit-${suitOf(card)}`, "data-key": key, transform: `translate(${x} ${y})` },
    s("rect", { width: W, height: H, rx: 4 }),
    s("text", { x: 3, y: 17, class: ten ? "ten" : null }, rankText(card)),
    s("use", { href: `#suit-${suitOf(card)}`, x: ten ? 24 : 21, y: 4, width: ten ? 14 : 15, height: ten ? 14 : 15 }));
}

/** The picture of a board in the layout's tall shape, waste and stock beneath. */
export function miniBoard(layout, board, label) {
  const shape = layout.shapes.tall;
  const fanHeight = 1 + (shape.longest - 1) * STEP;
  const height = (fanHeight + 1.18) * H;
  const parts = [];
  for (const pile of layout.reading) {
    const at = shape.piles[pile];
    const cards = board?.[pile] ?? [];
    const x = (at.fan ? at.x : at.x * 1.0 + 0.1) * W;
    const y = at.fan ? 0 : (fanHeight + 0.16) * H;
    if (!cards.length) {
      parts.push(s("rect", { class: "mini-slot", x, y, width: W, height: H, rx: 4 }));
      continue;
    }
    const drawn = at.fan ? cards : cards.slice(-1);
    drawn.forEach((card, i) => parts.push(miniCard(card, x, y + i * STEP * H, `${pile}${card}`)));
    if (drawn[0] === "?") {
      parts.push(s("text", { class: "mini-count", x: x + W / 2, y: y + H / 2 + 7 }, cards.length));
    }
  }
  return s("svg", { class: "mini", viewBox: `-1 -1 ${shape.width * W + 2} ${height + 2}`, role: "img", "aria-label": label }, parts);
}
