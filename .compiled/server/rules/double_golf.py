"""Double Golf: Golf with two decks, nine columns of seven, one card on the waste and forty in the stock.

Every card is there twice and looks the same twice; each has a name of its own (`server.rules.cards`). Knows the layout
and its rules' letters; knows no seats, no time and no match. docs/games.md says where each decision comes from.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from server.rules.base import Scoring
from server.rules.cards import Card, check_deck
from server.rules.column_golf import FIRST_LETTERS, ColumnGolf, KingsAndDraws, plays_of
from server.rules.foundations import columns
from server.rules.table import PileId, Play, Table

if TYPE_CHECKING:
    from server.rules.solver import Solution

COLUMNS: Final = columns(9)
COLUMN_CARDS: Final = 63
_DECKS: Final = 2

_RULES_OF: Final = MappingProxyType({letter: KingsAndDraws(*fields) for letter, fields in FIRST_LETTERS.items()})
_LETTER_OF: Final = MappingProxyType({rules: letter for letter, rules in _RULES_OF.items()})
_PRESETS: Final = MappingProxyType({name: _RULES_OF[name[0].upper()] for name in ("easy", "classic", "strict")})
_FIELDS: Final[Mapping[str, tuple[bool | int, ...]]] = MappingProxyType(
    dict.fromkeys(("queen_on_king", "king_ace_joined", "draw_only_when_stuck"), (True, False))
)


class DoubleGolf(ColumnGolf):
    """Double Golf as a `Game`. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    columns: tuple[PileId, ...] = COLUMNS
    plays: tuple[tuple[PileId, Play], ...] = plays_of(COLUMNS)
    column_cards: int = COLUMN_CARDS
    name: str = "double_golf"
    title: str = "Double Golf"
    prefix: str = "DG"
    decks: int = _DECKS
    letters: str = "E is Easy, C Classic, S Strict, others are F, D, R, K, L"
    presets: Mapping[str, KingsAndDraws] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset()
    scorings: tuple[Scoring, ...] = ("traditional", "app")
    par: int = 1
    full: int = 630
    most_actions: int = 1200
    declares_loss: bool = True
    hides: bool = True
    solvable: bool = False

    def deal(self, deck: Sequence[Card], rules: KingsAndDraws) -> Table:
        """Lay out two decks: seven to each column in turn, deepest first, one to the waste, then the stock.

        Raises CardsError if these are not two decks.
        """
        check_deck(deck, decks=_DECKS)
        return self.laid(deck, COLUMN_CARDS + 1)

    def jokers(self, rules: KingsAndDraws) -> int:
        """Give 0: the decks have none."""
        return 0

    def rules_of(self, letter: str) -> KingsAndDraws:
        """Give the rules of E, C, S or another of Golf's first letters. Raises ValueError."""
        if letter not in _RULES_OF:
            raise ValueError(f"double_golf has no rule letter {letter!r}")
        return _RULES_OF[letter]

    def letter_of(self, rules: KingsAndDraws) -> str:
        """Give the letter of these rules."""
        return _LETTER_OF[rules]

    def solve(self, table: Table, rules: KingsAndDraws) -> "Solution":
        """Raise ValueError: nothing here finds the best of a deal."""
        raise ValueError("Double Golf is not solved here")
