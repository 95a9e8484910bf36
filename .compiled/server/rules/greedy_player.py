"""A house player for any game, `greedy`: it takes what pays most at once, from nothing but what a seat sees.

Asks the game's own module what is legal and what it is worth, on a table whose hidden cards have no names, so that
there is nothing to peek at. Pure: chance is passed in. Knows no game, no seat, no clock and no wire.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from server.rules.base import Game
from server.rules.cards import Card
from server.rules.players import Below
from server.rules.table import HIDDEN, STOCK, Draw, Move, PileId, Table, evolve

_IDLE: Final = 8
"""Moves from column to column that bring nothing, one after the other, before it gives in."""

# What a move is worth that doesn't pay: it shows a card or frees one that was covered; it takes one from the waste or
# the reserve; it draws; it changes columns about.
_SHOWS, _USES, _DRAWS, _SHIFTS = -1, -2, -3, -4

_Position = tuple[tuple[PileId, tuple[Card, ...]], ...]


class GreedyMind:
    """The thoughts of one player about one hole. `choose` is asked for every move.

    It makes no move twice in one position, so it comes to an end wherever the game goes in circles.
    """

    def __init__(self, game: Game, rules: Any, below: Below) -> None:
        self._game, self._rules, self._below = game, rules, below
        self._made: dict[_Position, set[Move]] = {}
        self._idle = 0

    def choose(self, piles: Mapping[PileId, Sequence[str]]) -> Move | None:
        """Give the next move on a board as its seat sees it; None if there is none that it would make."""
        table = _as_seen(piles)
        made = self._made.setdefault(tuple(sorted(table.piles.items())), set())
        best: list[Move] = []
        most = _SHIFTS if self._idle < _IDLE else _SHIFTS + 1
        for move in self._game.moves(table, self._rules):
            worth = self._worth(table, move)
            if worth is not None and worth >= most and move not in made:
                if worth > most:
                    best, most = [], worth
                best.append(move)
        if not best:
            return None
        move = best[self._below(len(best))]
        made.add(move)
        self._idle = self._idle + 1 if most == _SHIFTS else self._idle if most == _DRAWS else 0
        return move

    def _worth(self, table: Table, move: Move) -> int | None:
        """Give the points that a move brings, or its place among those that bring none; None if it costs points."""
        if isinstance(move, Draw):
            return _DRAWS
        events = self._game.effects(table, move, self._rules)
        points = self._points(evolve(table, events)) - self._points(table)
        if points:
            return points if points > 0 else None
        if len(events) > 1:
            return _SHOWS
        return _SHIFTS if move.source.startswith("column.") else _USES

    def _points(self, table: Table) -> int:
        return self._game.score(table, "playing", self._rules).app


def _as_seen(piles: Mapping[PileId, Sequence[str]]) -> Table:
    """Give the table that a seat sees: the stock and all cards that lie face down are without names."""
    seen = {name: tuple(map(Card, pile)) for name, pile in piles.items()}
    seen[STOCK] = (Card(HIDDEN),) * len(piles.get(STOCK, ()))
    down = {name: pile.count(Card(HIDDEN)) for name, pile in seen.items() if name != STOCK}
    return Table(seen, {name: count for name, count in down.items() if count})
