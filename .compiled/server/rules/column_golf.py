"""Golf's play whatever the number of columns: exposed cards onto the waste, a draw, the end and both scores.

House rules are fields of a rules value, never constants in the code. Knows no deck, no deal, no deal code, no seats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from server.rules.adjacent import PARTNERS, score_of
from server.rules.base import Ending, Refusal, Score
from server.rules.cards import Card
from server.rules.table import STOCK, WASTE, Dealt, Draw, Event, Move, Moved, PileId, Play, Table

_DRAW: Final = Draw()


@dataclass(frozen=True, slots=True)
class KingsAndDraws:
    """The fields that the named rules differ in.

    `queen_on_king`: a queen plays on a king. `king_ace_joined`: ace on king and king on ace.
    `draw_only_when_stuck`: no draw while an exposed card plays.
    """

    queen_on_king: bool
    king_ace_joined: bool
    draw_only_when_stuck: bool


FIRST_LETTERS: Final[Mapping[str, tuple[bool, bool, bool]]] = MappingProxyType(
    {
        "E": (True, True, False),
        "F": (True, True, True),
        "C": (True, False, False),
        "D": (True, False, True),
        "R": (False, False, False),
        "S": (False, False, True),
        "K": (False, True, False),
        "L": (False, True, True),
    }
)
"""By a deal code's first rule letter: queen on king, king-ace, draw only when stuck (docs/deals.md)."""


def plays_of(columns: Sequence[PileId]) -> tuple[tuple[PileId, Play], ...]:
    """Give the play of each column's exposed card, made once: moves are asked for all the time."""
    return tuple((column, Play(column, WASTE)) for column in columns)


class ColumnGolf:
    """What Golf's games with columns share. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    columns: tuple[PileId, ...]
    plays: tuple[tuple[PileId, Play], ...]
    """By column, the play of its exposed card."""
    column_cards: int
    """Cards in the columns of a deal."""

    def laid(self, cards: Sequence[Card], stock_from: int) -> Table:
        """Lay out cards: to each column in turn, deepest first, to the waste, and from `stock_from` on to the stock."""
        each = self.column_cards // len(self.columns)
        piles = {column: tuple(cards[index * each : (index + 1) * each]) for index, column in enumerate(self.columns)}
        piles[WASTE] = tuple(cards[self.column_cards : stock_from])
        # The stock's last card is drawn first; the deck has it right behind the waste's card.
        piles[STOCK] = tuple(cards[stock_from:][::-1])
        return Table(piles, {})

    def moves(self, table: Table, rules: KingsAndDraws) -> tuple[Move, ...]:
        """Give the legal moves: plays by column, then the draw. None once the columns are gone.

        On an empty waste every exposed card plays, and nothing is drawn.
        """
        piles = table.piles
        if not piles[WASTE]:
            return tuple(play for column, play in self.plays if piles[column])
        partners = PARTNERS[rules.queen_on_king, rules.king_ace_joined][piles[WASTE][-1]]
        plays = [play for column, play in self.plays if (pile := piles[column]) and pile[-1] in partners]
        if not piles[STOCK]:
            return tuple(plays)
        may_draw = not rules.draw_only_when_stuck if plays else self.cards_left(table)
        return (*plays, _DRAW) if may_draw else tuple(plays)

    def effects(self, table: Table, move: Move, rules: KingsAndDraws) -> tuple[Event, ...]:
        """Give the one event of a legal move."""
        if isinstance(move, Draw):
            return (Dealt(table.piles[STOCK][-1:]),)
        return (Moved(move.source, move.target, table.piles[move.source][-1:]),)

    def refusal(self, table: Table, move: Move, rules: KingsAndDraws) -> Refusal:
        """Say why a move outside `moves` is refused."""
        if isinstance(move, Draw):
            if not table.piles[STOCK]:
                return Refusal("stock_empty")
            if not self.cards_left(table):
                return Refusal("hole_over")
            return Refusal("play_exists" if table.piles[WASTE] else "first_play")
        if move.target != WASTE or move.source not in self.columns:
            return Refusal("bad_target")
        pile = table.piles[move.source]
        if move.count > 1:
            return Refusal("blocked", {"card": pile[-move.count]})
        return Refusal("not_adjacent", {"card": pile[-1], "waste": table.piles[WASTE][-1]})

    def outcome(self, table: Table, rules: KingsAndDraws) -> Literal["cleared", "stuck"] | None:
        """Cleared once the columns are gone, even with stock left; stuck with an empty stock and no play."""
        piles = table.piles
        if not any(map(piles.__getitem__, self.columns)):
            return "cleared"
        if piles[STOCK] or not piles[WASTE]:
            return None
        partners = PARTNERS[rules.queen_on_king, rules.king_ace_joined][piles[WASTE][-1]]
        for column in self.columns:
            pile = piles[column]
            if pile and pile[-1] in partners:
                return None
        return "stuck"

    def score(self, table: Table, ending: Ending, rules: KingsAndDraws) -> Score:
        """Give both scores of this position.

        App: 10 a removed card; once ended, 10 less for each card left, never below 0. Traditional: the cards left, or
        minus the stock after a clear. Unplayed: 0 and all cards.
        """
        return score_of(self.column_cards, self.cards_left(table), len(table.piles[STOCK]), ending)

    def cards_left(self, table: Table) -> int:
        """Count the cards in the columns."""
        piles = table.piles
        return sum(map(len, piles.values())) - len(piles[WASTE]) - len(piles[STOCK])

    def stock_left(self, table: Table) -> int:
        """Count the cards still to be drawn."""
        return len(table.piles[STOCK])

    def coming(self, table: Table, rules: KingsAndDraws) -> frozenset[Card]:
        """Give the card that the next draw turns, none with an empty stock."""
        return frozenset(table.piles[STOCK][-1:])
