// Where cards stand. Law: pure arithmetic from a layout file and the room there is; pixels out, no page.
// A layout's x is in card widths, y and bottom in card heights; of its shapes the one with the larger cards wins.
// "above": the rows over the columns. "squeeze": a column longer than what fits is pushed together, card by card, the
// others keep the step at which cards are easiest to read; without it all columns have the step of the longest.
// A layout without columns has "longest" 1, and its "above" holds all rows over the last.
// "apart": {count, x, y}: of a pile the last few lie so far from each other, in card widths and heights.

export const RATIO = 1.42;

/** Of a step of face-up cards, that of face-down ones: they have nothing to read. */
const DOWN = 0.42;
/** Of a card's width: where cards of a column stand closer than their index is high, it is drawn smaller. */
const TIGHT = 0.46;

/** The height that is kept free between the columns and piles at the bottom: words of up to two lines stand there. */
const NOTICE_PX = 68;

function fit(shape, width, height) {
  const fan = shape.longest - 1;
  const lowest = Math.max(0, ...Object.values(shape.piles).map((at) => (at.bottom === undefined ? 0 : at.bottom + (at.scale ?? 1))));
  const above = shape.above ?? 0;
  const columns = above + 1 + fan * shape.step[0];
  // The layout's own space below the columns, or as much as words need where cards are small.
  const tallest = Math.min(height / (columns + shape.below), lowest ? (height - NOTICE_PX) / (columns + lowest) : Infinity);
  const cardWidth = Math.max(24, Math.min(width / shape.width, tallest / RATIO, shape.max_card));
  const cardHeight = cardWidth * RATIO;
  const below = lowest ? Math.max(shape.below, lowest + NOTICE_PX / cardHeight) : shape.below;
  const room = height / cardHeight - 1 - below - above;
  const step = Math.max(shape.step[0], Math.min(shape.step[1], room / Math.max(1, fan)));
  // Piles at the bottom stand apart from the columns, yet not at the other end of a tall screen.
  const extent = shape.squeeze ? Math.max(fan * step, Math.min(room, shape.most * shape.step[1])) : fan * step;
  const used = Math.min(height, (above + 1 + extent + below + shape.slack) * cardHeight);
  const top = Math.max(0, (height - used) * 0.4);
  const fanEnd = top + (above + 1 + extent) * cardHeight;
  const gap = lowest ? (fanEnd + top + used - lowest * cardHeight) / 2 : Math.min(height - 24, (fanEnd + height) / 2);
  return { shape, cardWidth, cardHeight, step: shape.squeeze ? shape.step[1] : step, extent, used, top, gap, left: (width - shape.width * cardWidth) / 2 };
}

/** The geometry for a space of width x height px; `gap` is the y where words may stand. */
export function measure(layout, width, height) {
  return Object.values(layout.shapes).map((shape) => fit(shape, width, height))
    .reduce((best, next) => (next.cardWidth > best.cardWidth + 0.5 ? next : best));
}

/** How many cards of a pile are drawn apart: all of a column, the last few of others that say so. */
export const fanned = (at) => at.apart?.count ?? (at.fan ? Infinity : 0);

/** Position of card `index` of `length` in a pile, of which `down` lie face down: {x, y, scale}, px from the board's corner, and the `step` to the next card in card widths. */
export function place(geometry, pile, index, length, down = 0) {
  const { shape, cardWidth, cardHeight, left, top, used } = geometry;
  const at = shape.piles[pile];
  const scale = at.scale ?? 1;
  const x = left + at.x * cardWidth;
  const y = top + (at.bottom === undefined ? at.y * cardHeight : used - at.bottom * cardHeight - cardHeight * scale);
  if (at.apart) {
    const away = Math.max(0, index - Math.max(0, length - at.apart.count));
    return { x: x + away * at.apart.x * cardWidth, y: y + away * at.apart.y * cardHeight, scale, step: at.apart.y * RATIO };
  }
  if (!at.fan) return { x, y, scale };
  // A column longer than there is room for squeezes; the others keep their step.
  const stepsTo = (card) => Math.min(card, down) * DOWN + Math.max(0, card - down);
  const step = Math.min(geometry.step, geometry.extent / Math.max(1, stepsTo(length - 1)));
  return { x, y: y + stepsTo(index) * step * cardHeight, scale, step: step * RATIO, tight: step * RATIO < TIGHT };
}
