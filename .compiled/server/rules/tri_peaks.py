"""Tri Peaks: three peaks of cards that cover each other, played one rank up or down onto the waste.

Four rows of 3, 6, 9 and 10; the last is open and the three peaks share it, the others lie face down. Knows which card
covers which; the rest is what games of rows share. docs/games.md says where each decision comes from.
"""

from types import MappingProxyType
from typing import Final

from server.rules.places import PlacesGame, rows_of
from server.rules.table import PileId

ROWS: Final = rows_of(3, 6, 9, 10)


def _covers() -> dict[PileId, tuple[PileId, ...]]:
    """Give each place the two below it; within a peak rows grow by one, the last row goes on through all three."""
    tops, seconds, thirds, last = ROWS
    covers: dict[PileId, tuple[PileId, ...]] = {}
    covers |= {place: seconds[2 * i : 2 * i + 2] for i, place in enumerate(tops)}
    covers |= {place: thirds[i + i // 2 : i + i // 2 + 2] for i, place in enumerate(seconds)}
    covers |= {place: last[i : i + 2] for i, place in enumerate(thirds)}
    return covers | dict.fromkeys(last, ())


class TriPeaks(PlacesGame):
    """Tri Peaks as a `Game`."""

    __slots__ = ()

    name: str = "tri_peaks"
    title: str = "Tri Peaks"
    prefix: str = "TP"
    par: int = 1
    covered_by = MappingProxyType(_covers())
    down: int = 18
