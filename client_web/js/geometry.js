// Where cards stand. Law: pure arithmetic from a layout file and the room there is; pixels out, no page.
// A layout's x is in card widths, y and bottom in card heights; of its shapes the one with the larger cards wins.

export const RATIO = 1.42;

/** The height that is kept free between the columns and piles at the bottom: words of up to two lines stand there. */
const NOTICE_PX = 68;

function fit(shape, width, height) {
  const fan = shape.longest - 1;
  const lowest = Math.max(0, ...Object.values(shape.piles).map((at) => (at.bottom === undefined ? 0 : at.bottom + (at.scale ?? 1))));
  const columns = 1 + fan * shape.step[0];
  // The layout's own space below the columns, or as much as words need where cards are small.
  const tallest = Math.min(height / (columns + shape.below), lowest ? (height - NOTICE_PX) / (columns + lowest) : Infinity);
  const cardWidth = Math.max(24, Math.min(width / shape.width, tallest / RATIO, shape.max_card));
  const cardHeight = cardWidth * RATIO;
  const below = lowest ? Math.max(shape.below, lowest + NOTICE_PX / cardHeight) : shape.below;
  const room = height / cardHeight - 1 - below;
  const step = Math.max(shape.step[0], Math.min(shape.step[1], room / fan));
  // Piles at the bottom stand apart from the columns, yet not at the other end of a tall screen.
  const used = Math.min(height, (1 + fan * step + below + shape.slack) * cardHeight);
  const top = Math.max(0, (height - used) * 0.4);
  const fanEnd = top + (1 + fan * step) * cardHeight;
  const gap = lowest ? (fanEnd + top + used - lowest * cardHeight) / 2 : Math.min(height - 24, (fanEnd + height) / 2);
  return { shape, cardWidth, cardHeight, step, used, top, gap, left: (width - shape.width * cardWidth) / 2 };
}

/** The geometry for a space of width x height px; `gap` is the y where words may stand. */
export function measure(layout, width, height) {
  return Object.values(layout.shapes).map((shape) => fit(shape, width, height))
    .reduce((best, next) => (next.cardWidth > best.cardWidth + 0.5 ? next : best));
}

/** Position of card `index` of `length` in a pile: {x, y, scale}, px from the board's corner. */
export function place(geometry, pile, index, length) {
  const { shape, cardWidth, cardHeight, left, top, used } = geometry;
  const at = shape.piles[pile];
  const scale = at.scale ?? 1;
  const x = left + at.x * cardWidth;
  const y = top + (at.bottom === undefined ? at.y * cardHeight : used - at.bottom * cardHeight - cardHeight * scale);
  if (!at.fan) return { x, y, scale };
  // A column longer than the layout's longest squeezes; the others keep their step.
  const step = geometry.step * Math.min(1, (shape.longest - 1) / Math.max(1, length - 1));
  return { x, y: y + index * step * cardHeight, scale };
}
