"""Golf: play exposed cards one rank up or down onto the waste until the columns are gone.

House rules are fields of `GolfRules`, never constants in the code; the named rules are presets of them. Knows the
layout, which ranks join, when a hole ends and both scores; knows no seats, no time and no match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from server.rules.adjacent import PARTNERS, ranks_join, score_of
from server.rules.base import Ending, Refusal, Score, Scoring
from server.rules.cards import JOKERS, Card, check_deck
from server.rules.table import STOCK, WASTE, Dealt, Draw, Event, Move, Moved, PileId, Play, Table

if TYPE_CHECKING:
    from server.rules.solver import Solution

COLUMNS: Final = tuple(PileId(f"column.{number}") for number in range(1, 8))
CARDS_A_COLUMN: Final = 5
COLUMN_CARDS: Final = len(COLUMNS) * CARDS_A_COLUMN


@dataclass(frozen=True, slots=True)
class GolfRules:
    """One set of house rules.

    `queen_on_king`: a queen plays on a king. `king_ace_joined`: ace on king and king on ace.
    `draw_only_when_stuck`: no draw while an exposed card plays. `jokers`: how many, 0 to 2; one plays on anything and
    anything plays on it. `empty_start`: nothing lies on the waste, and the first move plays any exposed card.
    """

    queen_on_king: bool
    king_ace_joined: bool
    draw_only_when_stuck: bool
    jokers: int = 0
    empty_start: bool = False


EASY: Final = GolfRules(queen_on_king=True, king_ace_joined=True, draw_only_when_stuck=False)
CLASSIC: Final = GolfRules(queen_on_king=True, king_ace_joined=False, draw_only_when_stuck=False)
STRICT: Final = GolfRules(queen_on_king=False, king_ace_joined=False, draw_only_when_stuck=True)


_BOOLS: Final = (False, True)

_DRAW: Final = Draw()
_PLAYS: Final = tuple((column, Play(column, WASTE)) for column in COLUMNS)
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

# The letter of the first three fields (queen on king, king-ace, draw only when stuck), the jokers' number, V for an
# empty start: docs/deals.md.
_FIRST_LETTERS: Final = MappingProxyType(
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
_LETTER_OF: Final[Mapping[GolfRules, str]] = MappingProxyType(
    {
        GolfRules(*fields, jokers=jokers, empty_start=empty_start): (
            letter + (str(jokers) if jokers else "") + ("V" if empty_start else "")
        )
        for letter, fields in _FIRST_LETTERS.items()
        for jokers in range(len(JOKERS) + 1)
        for empty_start in _BOOLS
    }
)
_RULES_OF: Final = MappingProxyType({letter: rules for rules, letter in _LETTER_OF.items()} | {"N": EASY})


def joins(rules: GolfRules, waste_rank: int, card_rank: int) -> bool:
    """Say whether a card of `card_rank` may be played on `waste_rank`, both 1 (ace) to 13 (king)."""
    return ranks_join(rules.queen_on_king, rules.king_ace_joined, waste_rank, card_rank)


class Golf:
    """Golf as a `Game`. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    name: str = "golf"
    title: str = "Golf"
    prefix: str = "GO"
    letters: str = (
        "E is Easy, C Classic, S Strict, others are F, D, R, K, L; behind it stand 1 or 2 for jokers, and V for an "
        "empty start"
    )
    presets: Mapping[str, GolfRules] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset({"jokers", "empty_start"})
    scorings: tuple[Scoring, ...] = ("traditional", "app")
    par: int = 5
    most_actions: int = 600
    declares_loss: bool = True
    hides: bool = True
    solvable: bool = True

    def deal(self, deck: Sequence[Card], rules: GolfRules) -> Table:
        """Lay out a deck: five to each column in turn, deepest first, one to the waste, then the stock.

        With an empty start the waste gets none. Raises CardsError if this is not the deck of these rules.
        """
        check_deck(deck, rules.jokers)
        cards = tuple(deck)
        piles = {
            column: cards[index * CARDS_A_COLUMN : (index + 1) * CARDS_A_COLUMN]
            for index, column in enumerate(COLUMNS)
        }
        stock_from = COLUMN_CARDS if rules.empty_start else COLUMN_CARDS + 1
        piles[WASTE] = cards[COLUMN_CARDS:stock_from]
        # The stock's last card is drawn first; the deck has it right behind the waste's card.
        piles[STOCK] = cards[stock_from:][::-1]
        return Table(piles, {})

    def moves(self, table: Table, rules: GolfRules) -> tuple[Move, ...]:
        """Give the legal moves: plays by column, then the draw. None once the columns are gone.

        On an empty waste every exposed card plays, and nothing is drawn.
        """
        piles = table.piles
        if not piles[WASTE]:
            return tuple(play for column, play in _PLAYS if piles[column])
        partners = PARTNERS[rules.queen_on_king, rules.king_ace_joined][piles[WASTE][-1]]
        plays = [play for column, play in _PLAYS if (pile := piles[column]) and pile[-1] in partners]
        if not piles[STOCK]:
            return tuple(plays)
        may_draw = not rules.draw_only_when_stuck if plays else self.cards_left(table)
        return (*plays, _DRAW) if may_draw else tuple(plays)

    def effects(self, table: Table, move: Move, rules: GolfRules) -> tuple[Event, ...]:
        """Give the one event of a legal move."""
        if isinstance(move, Draw):
            return (Dealt(table.piles[STOCK][-1:]),)
        return (Moved(move.source, move.target, table.piles[move.source][-1:]),)

    def refusal(self, table: Table, move: Move, rules: GolfRules) -> Refusal:
        """Say why a move outside `moves` is refused."""
        if isinstance(move, Draw):
            if not table.piles[STOCK]:
                return Refusal("stock_empty")
            if not self.cards_left(table):
                return Refusal("hole_over")
            return Refusal("play_exists" if table.piles[WASTE] else "first_play")
        if move.target != WASTE or move.source not in COLUMNS:
            return Refusal("bad_target")
        pile = table.piles[move.source]
        if move.count > 1:
            return Refusal("blocked", {"card": pile[-move.count]})
        return Refusal("not_adjacent", {"card": pile[-1], "waste": table.piles[WASTE][-1]})

    def outcome(self, table: Table, rules: GolfRules) -> Literal["cleared", "stuck"] | None:
        """Cleared once the columns are gone, even with stock left; stuck with an empty stock and no play."""
        piles = table.piles
        if not any(map(piles.__getitem__, COLUMNS)):
            return "cleared"
        if piles[STOCK] or not piles[WASTE]:
            return None
        partners = PARTNERS[rules.queen_on_king, rules.king_ace_joined][piles[WASTE][-1]]
        for column in COLUMNS:
            pile = piles[column]
            if pile and pile[-1] in partners:
                return None
        return "stuck"

    def score(self, table: Table, ending: Ending, rules: GolfRules) -> Score:
        """Give both scores of this position.

        App: 350 for a clear; 10 a removed card while playing; once ended, 10 less for each card left, never
        below 0. Traditional: the cards left, or minus the stock after a clear. Unplayed: 0 and 35.
        """
        return score_of(COLUMN_CARDS, self.cards_left(table), len(table.piles[STOCK]), ending)

    def cards_left(self, table: Table) -> int:
        """Count the cards in the columns, 35 to 0."""
        piles = table.piles
        return sum(map(len, piles.values())) - len(piles[WASTE]) - len(piles[STOCK])

    def stock_left(self, table: Table) -> int:
        """Count the cards still to be drawn: 16 to 0, or from 1 to 3 more with jokers or an empty start."""
        return len(table.piles[STOCK])

    def coming(self, table: Table, rules: GolfRules) -> frozenset[Card]:
        """Give the card that the next draw turns, none with an empty stock."""
        return frozenset(table.piles[STOCK][-1:])

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
