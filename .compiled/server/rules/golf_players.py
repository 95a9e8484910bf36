"""How house players choose their moves in Golf, from nothing but what a seat sees.

Three strengths: `greedy` takes whatever plays; `searching` looks for the longest run among the open cards;
`counting` also weighs what the unseen cards may bring, by which cards are missing and never by their order. A stock
goes in as a number of cards, so that there is nothing to peek at. Pure: chance is passed in. Knows no seat, no clock
and no wire.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from server.rules.adjacent import KING
from server.rules.cards import JOKERS, Card, deck_with, rank
from server.rules.golf import CARDS_A_COLUMN, COLUMNS, GolfRules, joins
from server.rules.players import Below, Strength
from server.rules.table import HIDDEN, STOCK, WASTE, Draw, Move, PileId, Play

# A row stands for a card on the waste: a joker, a rank from 1, or no card at all.
_JOKER: Final = 0
_NONE: Final = KING + 1
_ROWS: Final = KING + 2

# How the columns stand is one number, a digit a column: the cards left in it.
_HEIGHTS: Final = CARDS_A_COLUMN + 1
_PLACES: Final = tuple(_HEIGHTS**column for column in range(len(COLUMNS)))

# What one decision may cost. `fairway players` shows no loss against three times as much of each, which takes up to
# 36 ms of a processor where this takes up to 20.
_MOST_STATES: Final = 400
"""Positions within one run that are compared; the longest run is found whatever it takes."""
_MOST_KEPT: Final = 40_000
"""Positions remembered from decision to decision: some 8 MB, then they are forgotten."""
_WEIGHED: Final = 12
"""Ends of runs that are compared by what the next card brings."""
_TRIED: Final = 4
"""Of those, the ones that are played out."""
_ORDERS: Final = 8
"""Orders of the unseen cards in which each of them is played out."""


def _row(card: str) -> int:
    return _JOKER if card in JOKERS else rank(Card(card))


@cache
def _onto(rules: GolfRules) -> tuple[int, ...]:
    """Give for every row a word that has the bits of the rows that play on it."""
    everything = (1 << _ROWS) - 1
    words = [everything] * _ROWS
    for waste in range(1, KING + 1):
        words[waste] = 1 << _JOKER | sum(1 << row for row in range(1, KING + 1) if joins(rules, waste, row))
    return tuple(words)


class GolfMind:
    """The thoughts of one player about one hole. `choose` is asked for every move."""

    def __init__(self, strength: Strength, rules: GolfRules, below: Below) -> None:
        self._strength, self._rules, self._below = strength, rules, below
        self._onto = _onto(rules)
        self._columns: tuple[tuple[int, ...], ...] = ()
        self._free: dict[int, tuple[tuple[int, int], ...]] = {}
        self._runs: dict[int, tuple[int, int]] = {}
        self._plan: list[tuple[int, int, int]] = []

    def choose(self, piles: Mapping[PileId, Sequence[str]]) -> Move | None:
        """Give the next move on a board as its seat sees it; None if there is none.

        `piles` by name, the last card exposed; of the stock only the number of cards is looked at. Raises ValueError
        for a board with a card face down elsewhere.
        """
        columns = tuple(tuple(map(_row, _open(piles[name]))) for name in COLUMNS)
        waste = _open(piles[WASTE])
        stock = len(piles[STOCK])
        row = _row(waste[-1]) if waste else _NONE
        playable = [i for i, column in enumerate(columns) if column and self._onto[row] >> column[-1] & 1]
        may_draw = stock > 0 and bool(waste) and any(columns)
        if not playable:
            return Draw() if may_draw else None
        if self._rules.draw_only_when_stuck:
            may_draw = False
        if self._strength == "greedy":
            return Play(COLUMNS[playable[self._below(len(playable))]], WASTE)
        stand = self._stand(columns)
        if not self._plan or self._plan[0][:2] != (stand, row):
            unseen: list[int] = []
            if self._strength == "counting" and stock:
                seen = {card for pile in (*COLUMNS, WASTE) for card in piles[pile]}
                unseen = [_row(card) for card in deck_with(self._rules.jokers) if card not in seen]
            self._plan = self._planned(stand, row, unseen, may_draw)
        if not self._plan:
            return Draw()
        return Play(COLUMNS[self._plan.pop(0)[2]], WASTE)

    # -- the open cards

    def _stand(self, columns: tuple[tuple[int, ...], ...]) -> int:
        """Give the number of how the columns stand; what was worked out holds as long as only cards went."""
        if not self._columns or any(
            known[: len(column)] != column for known, column in zip(self._columns, columns, strict=True)
        ):
            self._columns = columns
            self._free, self._runs, self._plan = {}, {}, []
        return sum(len(column) * place for column, place in zip(columns, _PLACES, strict=True))

    def _exposed(self, stand: int) -> tuple[tuple[int, int], ...]:
        """Give for each column that has cards its exposed card's row, and the stand without that card."""
        exposed = self._free.get(stand)
        if exposed is None:
            rows = []
            for column, place in zip(self._columns, _PLACES, strict=True):
                height = stand // place % _HEIGHTS
                if height:
                    rows.append((column[height - 1], stand - place))
            exposed = self._free[stand] = tuple(rows)
        return exposed

    def _run(self, stand: int, row: int) -> tuple[int, int]:
        """Give how many cards the longest run from here removes, and the stand that it ends at."""
        key = stand * _ROWS + row
        known = self._runs.get(key)
        if known is not None:
            return known
        longest = (0, stand)
        word = self._onto[row]
        for card, after in self._exposed(stand):
            if word >> card & 1:
                removed, end = self._run(after, card)
                if removed >= longest[0]:
                    longest = (removed + 1, end)
        self._runs[key] = longest
        return longest

    # -- the plan

    def _planned(self, stand: int, row: int, unseen: Sequence[int], may_draw: bool) -> list[tuple[int, int, int]]:
        """Give the plays up to the next draw, each as stand, row and column; none: draw at once.

        `unseen`: the rows of the cards that lie in the stock, in no order; empty where they are not to be counted.
        """
        if len(self._runs) > _MOST_KEPT:
            self._free, self._runs = {}, {}
        _, end = self._run(stand, row)
        if not end or not unseen:
            return self._longest(stand, row)
        came_by = self._reachable(stand, row)
        ends = {state[0]: state for state in came_by if self._may_stop(state, may_draw or state != (stand, row))}
        ends.pop(end, None)  # the longest run is always weighed, also where not all could be looked at
        best = self._best([end, *ends], unseen)
        if best == end:
            return self._longest(stand, row)
        plan: list[tuple[int, int, int]] = []
        state = ends[best]
        while (step := came_by[state]) is not None:
            state, column = step
            plan.append((*state, column))
        return plan[::-1]

    def _longest(self, stand: int, row: int) -> list[tuple[int, int, int]]:
        """Give the plays of the longest run."""
        plan: list[tuple[int, int, int]] = []
        removed, _ = self._run(stand, row)
        while removed:
            removed -= 1
            card, after = next(
                (card, after)
                for card, after in self._exposed(stand)
                if self._onto[row] >> card & 1 and self._run(after, card)[0] == removed
            )
            plan.append((stand, row, _PLACES.index(stand - after)))
            stand, row = after, card
        return plan

    def _reachable(self, stand: int, row: int) -> dict[tuple[int, int], tuple[tuple[int, int], int] | None]:
        """Give all positions that plays alone lead to, with the position and the column that each came from."""
        start = (stand, row)
        came_by: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {start: None}
        waiting = [start]
        for state in waiting:
            here, onto = state[0], self._onto[state[1]]
            for card, after in self._exposed(here):
                following = (after, card)
                if onto >> card & 1 and following not in came_by:
                    came_by[following] = state, _PLACES.index(here - after)
                    waiting.append(following)
            if len(waiting) > _MOST_STATES:
                break  # in order of length: the short runs are all there
        return came_by

    def _may_stop(self, state: tuple[int, int], may_draw: bool) -> bool:
        """Say whether a draw is legal here."""
        if not may_draw:
            return False
        if not self._rules.draw_only_when_stuck:
            return True
        return not any(self._onto[state[1]] >> card & 1 for card, _ in self._exposed(state[0]))

    # -- the unseen cards

    def _best(self, ends: Sequence[int], unseen: Sequence[int]) -> int:
        """Give the end of a run from which the unseen cards may be expected to leave fewest strokes."""
        if len(ends) == 1:
            return ends[0]
        near = sorted(ends, key=_cards_left)[:_WEIGHED]
        weights = [(row, unseen.count(row)) for row in set(unseen)]
        hopes = {end: self._hope(end, weights, len(unseen)) for end in near}
        tried = sorted(near, key=hopes.__getitem__)[:_TRIED]
        if len(tried) == 1:
            return tried[0]
        strokes = dict.fromkeys(tried, 0)
        for _ in range(_ORDERS):
            order = self._shuffled(unseen)
            for end in tried:
                strokes[end] += self._played_out(end, order)
        return min(tried, key=lambda end: (strokes[end], hopes[end]))

    def _hope(self, end: int, weights: Sequence[tuple[int, int]], cards: int) -> float:
        """Give the cards left that are to be expected after the next draw and the longest run on it."""
        removed = sum(count * self._run(end, row)[0] for row, count in weights)
        return _cards_left(end) - removed / cards

    def _played_out(self, stand: int, order: Sequence[int]) -> int:
        """Give the strokes that the longest runs come to if the stock lies in this order."""
        for drawn, row in enumerate(order, 1):
            stand = self._run(stand, row)[1]
            if not stand:
                return drawn - len(order)
        return _cards_left(stand)

    def _shuffled(self, rows: Sequence[int]) -> list[int]:
        order = list(rows)
        for place in range(len(order) - 1, 0, -1):
            other = self._below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order


def _cards_left(stand: int) -> int:
    left = 0
    while stand:
        stand, height = divmod(stand, _HEIGHTS)
        left += height
    return left


def _open(pile: Sequence[str]) -> Sequence[str]:
    if HIDDEN in pile:
        raise ValueError("a house player of Golf knows no card that lies face down")
    return pile
