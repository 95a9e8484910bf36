"""What the games share whose cards lie in rows and cover each other: a waste to play onto, a stock, and Golf's scores.

A place has one card or none. A card that nothing covers plays onto the waste when it is one rank higher or lower; a
face-down card that nothing covers any more turns by itself. Whether king and ace are joined is a field of
`PlacesRules`. Knows no game by name, no seats, no time and no match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from server.rules.adjacent import PARTNERS, score_of
from server.rules.base import Ending, Refusal, Score, Scoring
from server.rules.cards import Card, check_deck
from server.rules.table import STOCK, WASTE, Dealt, Draw, Event, Move, Moved, PileId, Play, Table, Turned

if TYPE_CHECKING:
    from server.rules.solver import Solution

_DRAW: Final = Draw()


@dataclass(frozen=True, slots=True)
class PlacesRules:
    """`king_ace_joined`: an ace plays on a king and a king on an ace."""

    king_ace_joined: bool


_PRESETS: Final = MappingProxyType({"joined": PlacesRules(True), "apart": PlacesRules(False)})
_LETTER_OF: Final = MappingProxyType({PlacesRules(True): "J", PlacesRules(False): "A"})
_RULES_OF: Final = MappingProxyType({letter: rules for rules, letter in _LETTER_OF.items()})
_FIELDS: Final[Mapping[str, tuple[bool | int, ...]]] = MappingProxyType({"king_ace_joined": (True, False)})


def rows_of(*lengths: int) -> tuple[tuple[PileId, ...], ...]:
    """Give the places row by row, numbered from the uppermost row's first on."""
    starts = [sum(lengths[:row]) for row in range(len(lengths))]
    return tuple(
        tuple(PileId(f"place.{start + number}") for number in range(1, length + 1))
        for start, length in zip(starts, lengths, strict=True)
    )


class PlacesGame:
    """A game of this kind: one gives its names, its rows, what covers what, and how many cards lie face down.

    Without state: every answer is computed from the table and the rules.
    """

    __slots__ = ()

    name: str
    title: str
    prefix: str
    par: int
    covered_by: Mapping[PileId, tuple[PileId, ...]]
    """All places in dealing order, each with those whose cards lie on it."""
    down: int
    """How many of the first places are dealt face down."""

    decks: int = 1
    letters: str = "J joins king and ace, A keeps them apart"
    presets: Mapping[str, PlacesRules] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset()
    scorings: tuple[Scoring, ...] = ("traditional", "app")
    full: int = 280
    most_actions: int = 600
    declares_loss: bool = True
    hides: bool = True
    solvable: bool = False

    def deal(self, deck: Sequence[Card], rules: PlacesRules) -> Table:
        """Lay out a deck: a card to each place, row by row from the uppermost, one to the waste, then the stock.

        Raises CardsError if this is not a deck of 52.
        """
        check_deck(deck)
        cards = tuple(deck)
        count = len(self.covered_by)
        piles: dict[PileId, tuple[Card, ...]] = {
            place: (card,) for place, card in zip(self.covered_by, cards, strict=False)
        }
        piles[WASTE] = cards[count : count + 1]
        piles[STOCK] = cards[:count:-1]
        return Table(piles, dict.fromkeys(tuple(self.covered_by)[: self.down], 1))

    def _plays(self, table: Table, rules: PlacesRules) -> list[Move]:
        """Give the plays that are legal, place by place."""
        piles = table.piles
        partners = PARTNERS[True, rules.king_ace_joined][piles[WASTE][-1]]
        return [
            Play(place, WASTE)
            for place in self.covered_by
            if (pile := piles[place]) and pile[0] in partners and not self._covered(table, place)
        ]

    def _covered(self, table: Table, place: PileId) -> bool:
        """Say whether a card lies on this place's."""
        return any(table.piles[other] for other in self.covered_by[place])

    def moves(self, table: Table, rules: PlacesRules) -> tuple[Move, ...]:
        """Give the legal moves: plays by place, then the draw. None once the places are empty."""
        plays = self._plays(table, rules)
        return (*plays, _DRAW) if table.piles[STOCK] and self.cards_left(table) else tuple(plays)

    def effects(self, table: Table, move: Move, rules: PlacesRules) -> tuple[Event, ...]:
        """Give the events of a legal move; face-down cards that it uncovers turn by themselves, in their order."""
        piles = table.piles
        if isinstance(move, Draw):
            return (Dealt(piles[STOCK][-1:]),)
        turned = [
            Turned(place, piles[place][0])
            for place in self.covered_by
            if place in table.face_down
            and [other for other in self.covered_by[place] if piles[other]] == [move.source]
        ]
        return (Moved(move.source, move.target, piles[move.source]), *turned)

    def refusal(self, table: Table, move: Move, rules: PlacesRules) -> Refusal:
        """Say why a move outside `moves` is refused."""
        if isinstance(move, Draw):
            return Refusal("hole_over" if table.piles[STOCK] else "stock_empty")
        if move.target != WASTE or move.source not in self.covered_by:
            return Refusal("bad_target")
        card = table.piles[move.source][0]
        if self._covered(table, move.source):
            return Refusal("blocked", {"card": card})
        return Refusal("not_adjacent", {"card": card, "waste": table.piles[WASTE][-1]})

    def outcome(self, table: Table, rules: PlacesRules) -> Literal["cleared", "stuck"] | None:
        """Cleared once the places are empty, even with stock left; stuck with an empty stock and no play."""
        if not self.cards_left(table):
            return "cleared"
        return None if table.piles[STOCK] or self._plays(table, rules) else "stuck"

    def score(self, table: Table, ending: Ending, rules: PlacesRules) -> Score:
        """Give both scores of this position, as Golf counts them."""
        return score_of(len(self.covered_by), self.cards_left(table), self.stock_left(table), ending)

    def cards_left(self, table: Table) -> int:
        """Count the cards in the places, 28 to 0."""
        piles = table.piles
        return sum(map(len, piles.values())) - len(piles[WASTE]) - len(piles[STOCK])

    def stock_left(self, table: Table) -> int:
        """Count the cards still to be drawn, 23 to 0."""
        return len(table.piles[STOCK])

    def coming(self, table: Table, rules: PlacesRules) -> frozenset[Card]:
        """Give the next card of the stock, and each face-down card that only open cards cover.

        Plays that turn nothing up take covers away and leave it a cover, so these stay the same till one turns.
        """
        down = table.face_down
        next_to_turn = [
            table.piles[place][0]
            for place in down
            if not any(table.piles[other] and other in down for other in self.covered_by[place])
        ]
        return frozenset((*next_to_turn, *table.piles[STOCK][-1:]))

    def solve(self, table: Table, rules: PlacesRules) -> "Solution":
        """Raise ValueError: nothing here finds the best of a deal."""
        raise ValueError(f"{self.title} is not solved here")

    def jokers(self, rules: PlacesRules) -> int:
        """Give 0: the deck has none."""
        return 0

    def rules_of(self, letter: str) -> PlacesRules:
        """Give the rules of J or A. Raises ValueError."""
        if letter not in _RULES_OF:
            raise ValueError(f"{self.title} has no rule letter {letter!r}")
        return _RULES_OF[letter]

    def letter_of(self, rules: PlacesRules) -> str:
        """Give J or A."""
        return _LETTER_OF[rules]
