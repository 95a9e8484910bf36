"""What games with foundations share: one a suit, and cards that go onto each other in columns.

Knows piles and cards; knows no game.
"""

from types import MappingProxyType
from typing import Final

from server.rules.cards import DECK, SUITS, Card
from server.rules.table import PileId, Table

FOUNDATIONS: Final = tuple(PileId(f"foundation.{suit}") for suit in SUITS)
"""Spade, heart, diamond, club."""

FULL: Final = 13
"""Cards on a foundation that is complete."""

HOME: Final = MappingProxyType({card: PileId(f"foundation.{card[1]}") for card in DECK})
"""The foundation of each card's suit."""

_RED: Final = frozenset("HD")


def is_red(card: Card) -> bool:
    """Say whether a card is a heart or a diamond."""
    return card[1] in _RED


def columns(count: int) -> tuple[PileId, ...]:
    """Give the names of so many columns, in order."""
    return tuple(PileId(f"column.{number}") for number in range(1, count + 1))


def cards_home(table: Table) -> int:
    """Count the cards on the foundations."""
    return sum(len(table.piles[home]) for home in FOUNDATIONS)
