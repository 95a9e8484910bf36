"""What a house player is, whatever its game: a strength, and a mind that chooses moves from what a seat sees. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, Protocol

from server.rules.table import Move, PileId

Strength = Literal["greedy", "searching", "counting"]
STRENGTHS: Final[tuple[Strength, ...]] = ("greedy", "searching", "counting")
"""The weakest first."""

Below = Callable[[int], int]
"""Chance: gives a whole number from 0 to one less than its argument."""


class Mind(Protocol):
    """The thoughts of one player about one hole."""

    def choose(self, piles: Mapping[PileId, Sequence[str]]) -> Move | None:
        """Give the next move on a board as its seat sees it, cards that lie face down as `?`; None if there is none."""
