"""Pyramid Golf, or Escalator: one open pyramid of cards, played one rank up or down onto the waste.

Seven rows of 1 to 7. Knows which card covers which; the rest is what games of rows share. docs/games.md says where
each decision comes from.
"""

from itertools import pairwise
from types import MappingProxyType
from typing import Final

from server.rules.places import PlacesGame, rows_of

ROWS: Final = rows_of(*range(1, 8))


class PyramidGolf(PlacesGame):
    """Pyramid Golf as a `Game`."""

    __slots__ = ()

    name: str = "pyramid_golf"
    title: str = "Pyramid Golf"
    prefix: str = "PG"
    par: int = 7
    covered_by = MappingProxyType(
        {place: below[i : i + 2] for row, below in pairwise((*ROWS, ())) for i, place in enumerate(row)}
    )
    down: int = 0
