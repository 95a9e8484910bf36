"""Golf's best reachable traditional score with all cards known, and a line that reaches it.

Exact, of fixed size, and without state but for a table that is the same for every deal. Knows every variant of
`GolfRules`; knows no codes, no clock and no room.

A forward sweep. How the columns stand is a tuple of seven heights, 0 to 5, so there are 6^7 *stands*; they are
taken in layers by the cards left, since a play leads to the layer below and a draw stays. For each stand and each
card that can lie on the waste there, one *word* has bit s set when that is reachable with s stock cards drawn. So
all stock positions go at once, and a layer is a few dozen NumPy operations on whole arrays. Only seven cards can
have been played last at a stand, one a column, or else the stock's own card lies there: eight words a stand are
kept, which is all that the way back needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from server.rules.adjacent import KING
from server.rules.cards import JOKERS, Card, is_card, rank
from server.rules.golf import CARDS_A_COLUMN, COLUMNS, GolfRules, joins
from server.rules.table import STOCK, WASTE, Draw, Move, Play, Table

MOST_STOCK: Final = 31
"""Cards that the stock may have: a bit each in a word, and one for none drawn."""

_HEIGHTS: Final = CARDS_A_COLUMN + 1
_STANDS: Final = _HEIGHTS ** len(COLUMNS)
_LAYERS: Final = CARDS_A_COLUMN * len(COLUMNS) + 1

# A *row* stands for a card on the waste: its rank from 0, a joker, or no card at all.
_JOKER: Final = KING
_NONE: Final = KING + 1
_ROWS: Final = KING + 2

# How a position came about: by a play from column 0 to 6, by a draw, or not at all.
_DRAWN: Final = len(COLUMNS)
_DEALT: Final = len(COLUMNS) + 1

_ONE: Final = np.uint32(1)
_PLAYABLE_SHIFT: Final = np.uint64(32)

_Words = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a deal is worth to someone who knows all its cards.

    `best`: the lowest reachable traditional score, in points: the columns' cards left, or minus the stock left
    after a clear. `line`: moves from the given piles that reach it and end the hole, cleared or stuck.
    """

    best: int
    cleared: bool
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Lattice:
    """All stands, by layer: the same for every deal.

    `starts[t]`: index of the first stand with t cards left. `heights[column, stand]`. `above[column, stand]`:
    where in its layer the stand with one more card in that column is; 0 for a column that is full.
    """

    starts: tuple[int, ...]
    heights: npt.NDArray[np.uint8]
    above: npt.NDArray[np.uint16]

    def layer(self, left: int) -> slice:
        """Give the place of the stands with so many cards left."""
        return slice(self.starts[left], self.starts[left + 1])


@cache
def _lattice() -> _Lattice:
    heights = np.indices((_HEIGHTS,) * len(COLUMNS), dtype=np.uint8).reshape(len(COLUMNS), -1)
    left = heights.sum(axis=0, dtype=np.uint8)
    order = np.argsort(left, kind="stable").astype(np.int32)
    left, heights = left[order], heights[:, order]
    starts = np.searchsorted(left, np.arange(_LAYERS + 1)).astype(np.int32)
    place = np.empty(_STANDS, np.uint16)
    place[order] = np.arange(_STANDS, dtype=np.int32) - starts[left]
    above = np.zeros(heights.shape, np.uint16)
    for column in range(len(COLUMNS)):
        not_full = heights[column] < CARDS_A_COLUMN
        above[column, not_full] = place[order[not_full] + _HEIGHTS ** (len(COLUMNS) - 1 - column)]
    return _Lattice(tuple(starts.tolist()), heights, above)


class _Deal:
    """The piles as rows, and what plays on what."""

    __slots__ = ("columns", "draw_only_when_stuck", "empty_start", "plays_on", "rows", "stock", "waste")

    def __init__(
        self, columns: Sequence[Sequence[Card]], waste: Sequence[Card], stock: Sequence[Card], rules: GolfRules
    ) -> None:
        """Raises ValueError for piles that these rules don't deal."""
        if len(columns) > len(COLUMNS) or any(len(column) > CARDS_A_COLUMN for column in columns):
            raise ValueError("at most seven columns of five cards can be solved")
        if len(stock) > MOST_STOCK:
            raise ValueError(f"at most {MOST_STOCK} stock cards can be solved")
        if not waste and not rules.empty_start:
            raise ValueError("the waste is empty, and these rules have no empty start")
        cards = [card for pile in (*columns, waste, stock) for card in pile]
        if sum(card in JOKERS for card in cards) > rules.jokers:
            raise ValueError(f"more jokers than the {rules.jokers} of these rules")
        missing = len(COLUMNS) - len(columns)
        self.columns = [[_row(card) for card in column] for column in columns] + [[]] * missing
        self.stock = [_row(card) for card in stock]
        self.empty_start = not waste
        # Any card plays on an empty waste, as on a joker; only that nothing is drawn onto it.
        self.waste = _row(waste[-1]) if waste else _JOKER
        self.draw_only_when_stuck = rules.draw_only_when_stuck
        self.rows = sorted({self.waste, *self.stock, *(row for column in self.columns for row in column)})
        self.plays_on = {
            card: [row for row in self.rows if _JOKER in (card, row) or joins(rules, row + 1, card + 1)]
            for card in self.rows
        }

    def drawn(self, row: int) -> int:
        """Give the word of how many cards have been drawn when such a card was the last."""
        return sum(1 << drawn for drawn, card in enumerate(self.stock, 1) if card == row)


def _row(card: Card) -> int:
    if card in JOKERS:
        return _JOKER
    if not is_card(card):
        raise ValueError(f"{str(card)[:12]!r} is not a card")
    return rank(card) - 1


def solve(
    columns: Sequence[Sequence[Card]], waste: Sequence[Card], stock: Sequence[Card], rules: GolfRules
) -> Solution:
    """Give the best reachable traditional score from these piles, and a line that reaches it.

    `columns`: at most seven of at most five cards, the first the deepest. `waste`: its last card on top; empty
    only for an empty start. `stock`: the first card is drawn first. Any position can be solved, not only a deal;
    jokers are those of `server.rules.cards.JOKERS`. Raises ValueError for piles that the rules don't deal.
    """
    deal = _Deal(columns, waste, stock, rules)
    heights = [len(column) for column in deal.columns]
    lattice = _lattice()
    layer = lattice.layer(sum(heights))
    here = (lattice.heights[:, layer] == np.array(heights, np.uint8)[:, None]).all(axis=0)
    start = layer.start + int(here.argmax())
    ways, left = _sweep(deal, lattice, start, sum(heights))
    line = _line_to_lowest(deal, lattice, ways, start, left)
    # Nothing plays any more in the lowest layer, so that drawing what is left of the stock is legal and free.
    drawn = sum(isinstance(move, Draw) for move in line)
    if not left:
        return Solution(drawn - len(stock), True, line)
    return Solution(left, False, line + (Draw(),) * (len(stock) - drawn))


def solve_table(table: Table, rules: GolfRules) -> Solution:
    """Solve a position as Golf's tables have it. Raises ValueError as `solve` does."""
    piles = table.piles
    return solve([piles[column] for column in COLUMNS], piles[WASTE], piles[STOCK][::-1], rules)


def _sweep(deal: _Deal, lattice: _Lattice, start: int, left: int) -> tuple[_Words, int]:
    """Find all reachable positions from a stand with so many cards `left`.

    Gives the lowest layer with any, and a word for each way to come to a stand, `[8, stands]`: by a play from
    column 0 to 6, by a draw.
    """
    ways = np.zeros((_DRAWN + 1, _STANDS), np.uint32)
    whole = np.uint32((1 << len(deal.stock) + 1) - 1)
    # Of each column, the row of the card that was played last when it has this height.
    bared = np.full((len(COLUMNS), _HEIGHTS), _NONE, np.intp)
    for column, rows in enumerate(deal.columns):
        bared[column, : len(rows)] = rows
    exposed = _exposed(deal)
    takers: _Words = np.zeros((_ROWS, 0), np.uint32)
    top = left
    while True:
        layer = lattice.layer(left)
        on_waste = np.zeros((_ROWS, layer.stop - layer.start), np.uint32)
        if left == top:
            on_waste[deal.waste, start - layer.start] = 1
        elif not _play_into(lattice, layer, bared, takers, on_waste, ways):
            return ways, left + 1
        if left == 0:
            return ways, left
        if left < top or not deal.empty_start:
            drawn = ways[_DRAWN, layer]
            if deal.draw_only_when_stuck:
                _draw_when_stuck(deal, lattice.heights[:, layer], exposed, on_waste, drawn)
            else:
                # All bits above the lowest: from there one may draw as long as one likes.
                entered = np.bitwise_or.reduce(on_waste, axis=0)
                np.bitwise_xor(entered, np.negative(entered), out=drawn)
            drawn &= whole
            for row in set(deal.stock):
                on_waste[row] |= drawn & np.uint32(deal.drawn(row))
        takers = np.zeros_like(on_waste)
        for card in {row for rows in deal.columns for row in rows}:
            for row in deal.plays_on[card]:
                takers[card] |= on_waste[row]
        left -= 1


def _play_into(
    lattice: _Lattice,
    layer: slice,
    bared: npt.NDArray[np.intp],
    takers: _Words,
    on_waste: _Words,
    ways: _Words,
) -> bool:
    """Fill a layer with the plays from the layer above it; say whether there were any.

    `takers[card, stand]`: a word of when such a card can be played in the layer above.
    """
    size_above = takers.shape[1]
    stands = np.arange(layer.stop - layer.start)
    rows_flat, takers_flat = on_waste.reshape(-1), takers.reshape(-1)
    found = False
    for column in range(len(COLUMNS)):
        rows = bared[column].take(lattice.heights[column, layer])
        source = rows * size_above
        source += lattice.above[column, layer]
        # Nothing of the row for no card was ever reached, so that a full column adds nothing.
        played = takers_flat.take(source, out=ways[column, layer], mode="clip")
        found = found or bool(played.any())
        rows *= len(stands)
        rows += stands
        rows_flat[rows] |= played
    return found


def _exposed(deal: _Deal) -> npt.NDArray[np.uint64]:
    """Give, of each column and height, when the exposed card plays, `[7, 6]`.

    The upper half has a bit for each row that it plays on, the lower half the word of the drawn cards that it
    plays on.
    """
    exposed = np.zeros((len(COLUMNS), _HEIGHTS), np.uint64)
    for column, cards in enumerate(deal.columns):
        for height, card in enumerate(cards, 1):
            rows = deal.plays_on[card]
            drawn = sum(deal.drawn(row) for row in rows)
            exposed[column, height] = sum(1 << row for row in rows) << int(_PLAYABLE_SHIFT) | drawn
    return exposed


def _draw_when_stuck(
    deal: _Deal, heights: npt.NDArray[np.uint8], exposed: npt.NDArray[np.uint64], on_waste: _Words, drawn: _Words
) -> None:
    """Write into `drawn` a word a stand of the draws that are legal only since no exposed card plays."""
    plays = np.zeros(heights.shape[1], np.uint64)
    for column in range(len(COLUMNS)):
        plays |= exposed[column].take(heights[column])
    playable = (plays >> _PLAYABLE_SHIFT).astype(np.uint32)
    stuck = np.zeros_like(playable)
    for row in deal.rows:
        not_playable = ((playable >> np.uint32(row)) & _ONE) - _ONE  # all bits, or none
        stuck |= on_waste[row] & not_playable
    first = stuck << _ONE
    onward = ~plays.astype(np.uint32)
    # Drawing goes on from card to card while nothing plays on them: an addition carries through such a run.
    np.bitwise_or(((first & onward) + onward) ^ onward, first, out=drawn)


def _line_to_lowest(deal: _Deal, lattice: _Lattice, ways: _Words, start: int, left: int) -> tuple[Move, ...]:
    """Go back from the earliest position of the lowest layer to the start; give the moves as they are played."""
    layer = lattice.layer(left)
    played = np.bitwise_or.reduce(ways[:_DRAWN, layer], axis=0)
    way, drawn = _DEALT, 0
    stand = start
    if played.any():
        lowest = played & np.negative(played)
        lowest -= _ONE  # 0 becomes the largest, the lowest bit's rank stays
        stand = layer.start + int(lowest.argmin())
        drawn = int(lowest.min()).bit_count()
        way = next(column for column in range(len(COLUMNS)) if int(ways[column, stand]) >> drawn & 1)
    line: list[Move] = []
    while way != _DEALT:
        heights = lattice.heights[:, stand]
        if way == _DRAWN:
            line.append(Draw())
            drawn -= 1
            onto = _rows_to_draw_on(deal, heights)
        else:
            line.append(Play(COLUMNS[way], WASTE))
            onto = deal.plays_on[deal.columns[way][heights[way]]]
            left += 1
            stand = lattice.starts[left] + int(lattice.above[way, stand])
        way = _way_before(deal, lattice.heights[:, stand], ways[:, stand], drawn, onto)
    return tuple(reversed(line))


def _rows_to_draw_on(deal: _Deal, heights: npt.NDArray[np.uint8]) -> Sequence[int]:
    """Give the rows on which a draw is legal while the columns stand so."""
    if not deal.draw_only_when_stuck:
        return deal.rows
    exposed = [column[height - 1] for column, height in zip(deal.columns, heights.tolist(), strict=True) if height]
    return [row for row in deal.rows if not any(row in deal.plays_on[card] for card in exposed)]


def _way_before(deal: _Deal, heights: npt.NDArray[np.uint8], words: _Words, drawn: int, onto: Sequence[int]) -> int:
    """Give a way by which the stand with these words was reached with a card of the rows `onto` on the waste.

    A draw before a play, so that the line draws late. What no way leads to is the start.
    """
    if drawn and deal.stock[drawn - 1] in onto and int(words[_DRAWN]) >> drawn & 1:
        return _DRAWN
    for column, rows in enumerate(deal.columns):
        if int(words[column]) >> drawn & 1 and rows[heights[column]] in onto:
            return column
    return _DEALT
