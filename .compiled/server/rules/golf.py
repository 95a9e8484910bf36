"""Golf: play exposed cards one rank up or down onto the waste until the columns are gone.

House rules are fields of `GolfRules`, never constants in the code; the named rules are presets of them. Knows the
layout, which ranks join, when a hole ends and both scores; knows no seats, no time and no match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from server.rules.adjacent import ranks_join
from server.rules.base import Scoring
from server.rules.cards import JOKERS, Card, check_deck
from server.rules.column_golf import FIRST_LETTERS, ColumnGolf, KingsAndDraws, plays_of
from server.rules.table import PileId, Play, Table

if TYPE_CHECKING:
    from server.rules.solver import Solution

COLUMNS: Final = tuple(PileId(f"column.{number}") for number in range(1, 8))
CARDS_A_COLUMN: Final = 5
COLUMN_CARDS: Final = len(COLUMNS) * CARDS_A_COLUMN


@dataclass(frozen=True, slots=True)
class GolfRules(KingsAndDraws):
    """One set of house rules.

    `jokers`: how many, 0 to 2; one plays on anything and anything plays on it. `empty_start`: nothing lies on the
    waste, and the first move plays any exposed card.
    """

    jokers: int = 0
    empty_start: bool = False


EASY: Final = GolfRules(queen_on_king=True, king_ace_joined=True, draw_only_when_stuck=False)
CLASSIC: Final = GolfRules(queen_on_king=True, king_ace_joined=False, draw_only_when_stuck=False)
STRICT: Final = GolfRules(queen_on_king=False, king_ace_joined=False, draw_only_when_stuck=True)


_BOOLS: Final = (False, True)

_PRESETS: Final = MappingProxyType({"easy": EASY, "classic": CLASSIC, "strict": STRICT})
_FIELDS: Final[Mapping[str, tuple[bool | int, ...]]] = MappingProxyType(
    {
        "queen_on_king": (True, False),
        "king_ace_joined": (True, False),
        "draw_only_when_stuck": (True, False),
        "jokers": tuple(range(len(JOKERS) + 1)),
        "empty_start": (False, True),
    }
)

# The letter of the first three fields, the jokers' number, V for an empty start: docs/deals.md.
_LETTER_OF: Final[Mapping[GolfRules, str]] = MappingProxyType(
    {
        GolfRules(*fields, jokers=jokers, empty_start=empty_start): (
            letter + (str(jokers) if jokers else "") + ("V" if empty_start else "")
        )
        for letter, fields in FIRST_LETTERS.items()
        for jokers in range(len(JOKERS) + 1)
        for empty_start in _BOOLS
    }
)
_RULES_OF: Final = MappingProxyType({letter: rules for rules, letter in _LETTER_OF.items()} | {"N": EASY})


def joins(rules: GolfRules, waste_rank: int, card_rank: int) -> bool:
    """Say whether a card of `card_rank` may be played on `waste_rank`, both 1 (ace) to 13 (king)."""
    return ranks_join(rules.queen_on_king, rules.king_ace_joined, waste_rank, card_rank)


class Golf(ColumnGolf):
    """Golf as a `Game`. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    columns: tuple[PileId, ...] = COLUMNS
    plays: tuple[tuple[PileId, Play], ...] = plays_of(COLUMNS)
    column_cards: int = COLUMN_CARDS
    name: str = "golf"
    title: str = "Golf"
    prefix: str = "GO"
    decks: int = 1
    letters: str = (
        "E is Easy, C Classic, S Strict, others are F, D, R, K, L; behind it stand 1 or 2 for jokers, and V for an "
        "empty start"
    )
    presets: Mapping[str, GolfRules] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset({"jokers", "empty_start"})
    scorings: tuple[Scoring, ...] = ("traditional", "app")
    par: int = 5
    full: int = 350
    most_actions: int = 600
    declares_loss: bool = True
    hides: bool = True
    solvable: bool = True

    def deal(self, deck: Sequence[Card], rules: GolfRules) -> Table:
        """Lay out a deck: five to each column in turn, deepest first, one to the waste, then the stock.

        With an empty start the waste gets none. Raises CardsError if this is not the deck of these rules.
        """
        check_deck(deck, rules.jokers)
        return self.laid(deck, COLUMN_CARDS if rules.empty_start else COLUMN_CARDS + 1)

    def jokers(self, rules: GolfRules) -> int:
        """Count the jokers in the deck, 0 to 2."""
        return rules.jokers

    def rules_of(self, letter: str) -> GolfRules:
        """Give the rules of E, C, S or letters such as `F2V`; the legacy N reads as E. Raises ValueError."""
        if letter not in _RULES_OF:
            raise ValueError(f"golf has no rule letter {letter!r}")
        return _RULES_OF[letter]

    def letter_of(self, rules: GolfRules) -> str:
        """Give E, C, S or letters such as `F2V`. Raises ValueError for rules with more jokers than there are."""
        if rules not in _LETTER_OF:
            raise ValueError("there are no such rules")
        return _LETTER_OF[rules]

    def solve(self, table: Table, rules: GolfRules) -> "Solution":
        """Give the best traditional score that is reachable from a table, and a line. Raises ValueError for one that
        the rules don't deal.
        """
        from server.rules.solver import solve_table  # it brings NumPy, which whoever only deals has no use for

        return solve_table(table, rules)
