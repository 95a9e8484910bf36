"""Black Hole: seventeen fans of three go card by card into a hole that holds the ace of spades.

Nothing is hidden and nothing is drawn. Knows the layout, what plays, when the hole is over and the scores; knows no
seats, no time and no match. docs/games.md says where each decision comes from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from server.rules.adjacent import PARTNERS, score_of
from server.rules.base import Ending, Refusal, Score, Scoring
from server.rules.cards import Card, check_deck
from server.rules.foundations import columns
from server.rules.table import WASTE, Draw, Event, Move, Moved, Play, Table

if TYPE_CHECKING:
    from server.rules.solver import Solution

FANS: Final = columns(17)
CARDS_A_FAN: Final = 3
FAN_CARDS: Final = len(FANS) * CARDS_A_FAN
CENTRE: Final = Card("AS")
"""The card that the hole begins with."""

_PLAYS: Final = tuple((fan, Play(fan, WASTE)) for fan in FANS)


@dataclass(frozen=True, slots=True)
class BlackHoleRules:
    """The one rule: ranks go round, ace on king and king on ace."""


JOINED: Final = BlackHoleRules()
_PRESETS: Final = MappingProxyType({"joined": JOINED})
_FIELDS: Final[Mapping[str, tuple[bool | int, ...]]] = MappingProxyType({})
_LETTER: Final = "J"
_PARTNERS: Final = PARTNERS[True, True]


class BlackHole:
    """Black Hole as a `Game`. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    name: str = "black_hole"
    title: str = "Black Hole"
    prefix: str = "BH"
    decks: int = 1
    letters: str = "J is its only rule, king and ace joined"
    presets: Mapping[str, BlackHoleRules] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset()
    scorings: tuple[Scoring, ...] = ("traditional", "app")
    par: int = 5
    full: int = 510
    most_actions: int = 900
    declares_loss: bool = True
    hides: bool = False
    solvable: bool = False

    def deal(self, deck: Sequence[Card], rules: BlackHoleRules) -> Table:
        """Lay out a deck: the ace of spades to the hole, wherever it lies; the others three to each fan, deepest first.

        Raises CardsError if this is not a deck of 52.
        """
        check_deck(deck)
        cards = tuple(card for card in deck if card != CENTRE)
        piles = {fan: cards[index * CARDS_A_FAN : (index + 1) * CARDS_A_FAN] for index, fan in enumerate(FANS)}
        piles[WASTE] = (CENTRE,)
        return Table(piles, {})

    def moves(self, table: Table, rules: BlackHoleRules) -> tuple[Move, ...]:
        """Give the legal moves, by fan."""
        piles = table.piles
        partners = _PARTNERS[piles[WASTE][-1]]
        return tuple(play for fan, play in _PLAYS if (pile := piles[fan]) and pile[-1] in partners)

    def effects(self, table: Table, move: Move, rules: BlackHoleRules) -> tuple[Event, ...]:
        """Give the one event of a legal move."""
        if isinstance(move, Draw):
            raise ValueError("there is no stock to draw from")
        return (Moved(move.source, move.target, table.piles[move.source][-1:]),)

    def refusal(self, table: Table, move: Move, rules: BlackHoleRules) -> Refusal:
        """Say why a move outside `moves` is refused."""
        if isinstance(move, Draw):
            return Refusal("stock_empty")
        if move.target != WASTE or move.source not in FANS:
            return Refusal("bad_target")
        pile = table.piles[move.source]
        if move.count > 1:
            return Refusal("blocked", {"card": pile[-move.count]})
        return Refusal("not_adjacent", {"card": pile[-1], "waste": table.piles[WASTE][-1]})

    def outcome(self, table: Table, rules: BlackHoleRules) -> Literal["cleared", "stuck"] | None:
        """Cleared once the fans are gone, stuck as soon as nothing plays."""
        if not self.cards_left(table):
            return "cleared"
        return None if self.moves(table, rules) else "stuck"

    def score(self, table: Table, ending: Ending, rules: BlackHoleRules) -> Score:
        """Give both scores of this position. App: 510 for a clear. Traditional: the cards left. Unplayed: 0 and 51."""
        return score_of(FAN_CARDS, self.cards_left(table), 0, ending)

    def cards_left(self, table: Table) -> int:
        """Count the cards in the fans, 51 to 0."""
        return sum(map(len, table.piles.values())) - len(table.piles[WASTE])

    def stock_left(self, table: Table) -> int:
        """Give 0: there is no stock."""
        return 0

    def coming(self, table: Table, rules: BlackHoleRules) -> frozenset[Card]:
        """Give none: no card lies face down."""
        return frozenset()

    def solve(self, table: Table, rules: BlackHoleRules) -> "Solution":
        """Raise ValueError: nothing here finds the best of a deal."""
        raise ValueError("Black Hole is not solved here")

    def jokers(self, rules: BlackHoleRules) -> int:
        """Give 0: the deck has none."""
        return 0

    def rules_of(self, letter: str) -> BlackHoleRules:
        """Give the rules of J. Raises ValueError."""
        if letter != _LETTER:
            raise ValueError(f"black_hole has no rule letter {letter!r}")
        return JOINED

    def letter_of(self, rules: BlackHoleRules) -> str:
        """Give J."""
        return _LETTER
