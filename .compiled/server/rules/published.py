"""Deals whose cards are published, read once from the package's own data file.

The one file that the rules read: it belongs to the code and never changes while the server runs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from server.rules.cards import Card, check_deck


@dataclass(frozen=True, slots=True)
class PublishedDeal:
    """A deal that others published, completed where they left it open.

    `code` is its canonical text under its first rule letter, `letters` the rules it is dealt under. `deck` is
    in dealing order. Of the stock the first `stock_cards_published` cards are published, the order of the
    rest is ours. `line` is a clear under the rule `line_letter`, as steps `["stock", "waste"]` or
    `["column.5", "waste", "9C"]`; the moves numbered in `line_published` (from 1) are published.
    """

    code: str
    letters: tuple[str, ...]
    deck: tuple[Card, ...]
    stock_cards_published: int
    line: tuple[tuple[str, ...], ...]
    line_letter: str
    line_published: frozenset[int]


def _read(deal: Mapping[str, Any]) -> PublishedDeal:
    """Read one deal of the data file. Raises CardsError if its cards are no deck."""
    columns = [card for column in deal["columns"] for card in column]
    deck = tuple(Card(card) for card in [*columns, *deal["waste"], *deal["stock"]])
    check_deck(deck)
    return PublishedDeal(
        code=deal["code"],
        letters=tuple(deal["rules"]),
        deck=deck,
        stock_cards_published=deal["stock_cards_published"],
        line=tuple(tuple(step) for step in deal["line"]),
        line_letter=deal["line_rule"],
        line_published=frozenset(deal["line_moves_published"]),
    )


def _without_rule(code: str) -> str:
    """Take the middle part out of a code."""
    head, _, letters = code.split("-")
    return f"{head}-{letters}"


FOREIGN: Final = frozenset({"GO1", "CF1", "RU1"})
"""What the codes of other apps begin with, whose shuffle is not published."""

_DATA: Final = json.loads(files("server.rules").joinpath("data/published.json").read_text(encoding="utf-8"))

PUBLISHED: Final[Mapping[str, PublishedDeal]] = MappingProxyType(
    {_without_rule(deal["code"]): _read(deal) for deal in _DATA["deals"]}
)
"""By the code without its rule letter, which doesn't change the cards: `GO1-AAAAAAB`."""
