"""A seat's hole: its board, how it stands, and all it did. Frozen values, made anew by each of its moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from server.rules.base import Board, Ending
from server.rules.best import Step
from server.rules.cards import Card

_NOTHING: Final[Mapping[int, int]] = {}


@dataclass(slots=True, unsafe_hash=True)
class Logged:
    """One action of a seat, as its watchers may come to see it."""

    version: Final[int]
    at_ms: Final[int]
    what: Final[Literal["play", "draw", "undo"]]
    steps: Final[tuple[Step, ...]]

    def __init__(
        self, version: int, at_ms: int, what: Literal["play", "draw", "undo"], steps: tuple[Step, ...]
    ) -> None:
        self.version = version
        self.at_ms = at_ms
        self.what = what
        self.steps = steps


@dataclass(slots=True, unsafe_hash=True)
class Counts:
    """What everybody sees of a hand at any time: cards left, stock left, and both scores if it stopped now."""

    cards_left: Final[int]
    stock: Final[int]
    app: Final[int]
    traditional: Final[int]

    def __init__(self, cards_left: int, stock: int, app: int, traditional: int) -> None:
        self.cards_left = cards_left
        self.stock = stock
        self.app = app
        self.traditional = traditional


@dataclass(slots=True, unsafe_hash=True)
class Hand:
    """A seat's hole: its board, how it stands, and all it did.

    `shown`: the places in `log` of the actions that showed the seat hidden cards; `seen`: all that it has seen after
    each of those, so the last is all that it has seen so far. `saw`: once it has ended, how many actions of each other
    seat lay behind it then.
    """

    board: Final[Board]
    counts: Final[Counts]
    ending: Final[Ending]
    ended_at_ms: Final[int]
    ended_version: Final[int]
    log: Final[tuple[Logged, ...]]
    shown: Final[tuple[int, ...]]
    seen: Final[tuple[frozenset[Card], ...]]
    saw: Final[Mapping[int, int]]

    def __init__(
        self,
        board: Board,
        counts: Counts,
        ending: Ending = "playing",
        ended_at_ms: int = 0,
        ended_version: int = 0,
        log: tuple[Logged, ...] = (),
        shown: tuple[int, ...] = (),
        seen: tuple[frozenset[Card], ...] = (),
        saw: Mapping[int, int] = _NOTHING,
    ) -> None:
        self.board = board
        self.counts = counts
        self.ending = ending
        self.ended_at_ms = ended_at_ms
        self.ended_version = ended_version
        self.log = log
        self.shown = shown
        self.seen = seen
        self.saw = saw

    @property
    def ended(self) -> bool:
        """No move of this seat can follow in this hole."""
        return self.ended_version > 0
