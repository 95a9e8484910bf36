"""Russian Solitaire: all cards onto four foundations; any face-up card moves with whatever lies on it.

Whether the suit matters in the columns is a field of `RussianRules`. Knows the layout, which cards go where, when the
hole is cleared and the score; knows no seats, no time and no match. docs/games.md says where each decision comes from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from server.rules.base import Ending, Refusal, Score, Scoring
from server.rules.cards import DECK, RANKS, Card, check_deck, rank
from server.rules.foundations import FOUNDATIONS, HOME, cards_home, columns
from server.rules.table import Draw, Event, Move, Moved, PileId, Play, Table, Turned

if TYPE_CHECKING:
    from server.rules.solver import Solution

COLUMNS: Final = columns(7)
DEALT: Final = (1, 6, 7, 8, 9, 10, 11)
"""Cards in each column."""
DOWN: Final = (0, 1, 2, 3, 4, 5, 6)
"""How many of them lie face down, the deepest."""
MOST_CARDS: Final = 20
"""Of a group that moves at once."""

_POINTS_HOME: Final = 10
_POINTS_TURNED: Final = 5


@dataclass(frozen=True, slots=True)
class RussianRules:
    """`mixed_suits`: in columns a card goes onto any of the next rank, not only onto its own suit's."""

    mixed_suits: bool


_PRESETS: Final = MappingProxyType({"classic": RussianRules(False), "relaxed": RussianRules(True)})
_LETTER_OF: Final = MappingProxyType({RussianRules(False): "C", RussianRules(True): "R"})
_RULES_OF: Final = MappingProxyType({letter: rules for rules, letter in _LETTER_OF.items()})
_FIELDS: Final[Mapping[str, tuple[bool | int, ...]]] = MappingProxyType({"mixed_suits": (False, True)})


def _goes_home(table: Table, card: Card) -> bool:
    """Say whether a card is the next of its foundation."""
    return len(table.piles[HOME[card]]) == rank(card) - 1


def _takes(pile: Sequence[Card], card: Card, rules: RussianRules) -> bool:
    """Say whether a column takes this card, and what lies on it."""
    if not pile:
        return rank(card) == len(RANKS)
    last = pile[-1]
    return rank(last) == rank(card) + 1 and (rules.mixed_suits or last[1] == card[1])


class Russian:
    """Russian Solitaire as a `Game`. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    name: str = "russian"
    title: str = "Russian Solitaire"
    prefix: str = "RU"
    decks: int = 1
    letters: str = "C is Classic, R Relaxed"
    presets: Mapping[str, RussianRules] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset()
    scorings: tuple[Scoring, ...] = ("app",)
    par: int = 0
    full: int = 625
    most_actions: int = 1000
    declares_loss: bool = False
    hides: bool = True
    solvable: bool = False

    def deal(self, deck: Sequence[Card], rules: RussianRules) -> Table:
        """Lay out a deck, column by column, the deepest card first.

        Raises CardsError if this is not a deck of 52.
        """
        check_deck(deck)
        cards = tuple(deck)
        ends = tuple(accumulate(DEALT))
        piles: dict[PileId, tuple[Card, ...]] = dict.fromkeys(FOUNDATIONS, ())
        piles |= {column: cards[end - count : end] for column, count, end in zip(COLUMNS, DEALT, ends, strict=True)}
        return Table(piles, {column: down for column, down in zip(COLUMNS, DOWN, strict=True) if down})

    def moves(self, table: Table, rules: RussianRules) -> tuple[Move, ...]:
        """Give the legal moves: from columns, from the end upwards, then from foundations."""
        moves: list[Move] = []
        for source in COLUMNS:
            pile = table.piles[source]
            if pile and _goes_home(table, pile[-1]):
                moves.append(Play(source, HOME[pile[-1]]))
            face_up = len(pile) - table.face_down.get(source, 0)
            for count in range(1, min(face_up, MOST_CARDS) + 1):
                moves += _to_columns(table, source, count, rules)
        for source in FOUNDATIONS:
            if table.piles[source]:
                moves += _to_columns(table, source, 1, rules)
        return tuple(moves)

    def effects(self, table: Table, move: Move, rules: RussianRules) -> tuple[Event, ...]:
        """Give the events of a legal move; a face-down card that it uncovers turns by itself."""
        if isinstance(move, Draw):
            raise ValueError("there is no stock to draw from")
        pile = table.piles[move.source]
        rest = len(pile) - move.count
        moved = Moved(move.source, move.target, pile[rest:])
        if rest and rest == table.face_down.get(move.source, 0):
            return moved, Turned(move.source, pile[rest - 1])
        return (moved,)

    def refusal(self, table: Table, move: Move, rules: RussianRules) -> Refusal:
        """Say why a move outside `moves` is refused."""
        if isinstance(move, Draw):
            return Refusal("stock_empty")
        source, target, piles = move.source, move.target, table.piles
        if target == source or target not in FOUNDATIONS + COLUMNS:
            return Refusal("bad_place")
        card = piles[source][-move.count]
        if target in FOUNDATIONS:
            if source in FOUNDATIONS:
                return Refusal("bad_place")
            if move.count > 1:
                return Refusal("one_at_a_time")
            return Refusal("not_next" if HOME[card] == target else "other_suit", {"card": card})
        if source in FOUNDATIONS and move.count > 1:
            return Refusal("one_at_a_time")
        if move.count > MOST_CARDS:
            return Refusal("too_many_cards", {"most": MOST_CARDS})
        if not piles[target]:
            return Refusal("only_king", {"card": card})
        code = "not_one_lower" if rules.mixed_suits else "not_same_suit"
        return Refusal(code, {"card": card, "on": piles[target][-1]})

    def outcome(self, table: Table, rules: RussianRules) -> Literal["cleared"] | None:
        """Cleared with all cards on the foundations; a loss is never declared."""
        return "cleared" if cards_home(table) == len(DECK) else None

    def score(self, table: Table, ending: Ending, rules: RussianRules) -> Score:
        """Give both scores of this position: 10 points a card on a foundation and 5 a card turned, and the cards left.

        However the hole ended, the position counts; unplayed is as it was dealt.
        """
        home = cards_home(table)
        turned = sum(DOWN) - sum(table.face_down.values())
        return Score(app=_POINTS_HOME * home + _POINTS_TURNED * turned, traditional=len(DECK) - home)

    def cards_left(self, table: Table) -> int:
        """Count the cards that are not on a foundation, 52 to 0."""
        return len(DECK) - cards_home(table)

    def stock_left(self, table: Table) -> int:
        """Give 0: there is no stock."""
        return 0

    def coming(self, table: Table, rules: RussianRules) -> frozenset[Card]:
        """Give each column's last face-down card."""
        return frozenset(table.piles[column][down - 1] for column, down in table.face_down.items())

    def solve(self, table: Table, rules: RussianRules) -> "Solution":
        """Raise ValueError: nothing here finds the best of a deal."""
        raise ValueError("Russian Solitaire is not solved here")

    def jokers(self, rules: RussianRules) -> int:
        """Give 0: the deck has none."""
        return 0

    def rules_of(self, letter: str) -> RussianRules:
        """Give the rules of C or R. Raises ValueError."""
        if letter not in _RULES_OF:
            raise ValueError(f"russian has no rule letter {letter!r}")
        return _RULES_OF[letter]

    def letter_of(self, rules: RussianRules) -> str:
        """Give C or R."""
        return _LETTER_OF[rules]


def _to_columns(table: Table, source: PileId, count: int, rules: RussianRules) -> Iterator[Play]:
    """Give the moves of a pile's last `count` cards onto columns."""
    card = table.piles[source][-count]
    for column in COLUMNS:
        if column != source and _takes(table.piles[column], card, rules):
            yield Play(source, column, count)
