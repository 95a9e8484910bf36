"""A match as a value: what the fold of its entries makes, frozen all through.

Knows no time but what entries gave it and hides nothing (that is `view`'s work). Seats are numbered from 0, holes
from 1; times are milliseconds of the engine's clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeVar

from server.match.entries import Result
from server.match.on_course import OnCourse
from server.match.options import Options
from server.rules.base import Board, Ending, Game
from server.rules.best import Step
from server.rules.cards import Card
from server.rules.players import Strength
from server.rules.spit import Spit
from server.rules.table import Table

Phase = Literal["lobby", "countdown", "playing", "between", "ended"]
Standing = Literal["here", "left", "kicked"]
COUNTDOWN_MS = 3_000
GATHER_MS = 12_000
"""So long strangers who were seated together wait for each other."""
PAUSE_MS = 20_000
LAST_SEAT_MS = 60_000
OFFLINE_MS = 60_000
HOST_OFFLINE_MS = 30_000
NOBODY: Final[Mapping[int, int]] = {}

Kind = TypeVar("Kind", bound=type)


def with_dict(kind: Kind) -> Kind:
    """Change nothing: a class with a decorator of its own keeps a `__dict__` where this module is compiled."""
    return kind


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
        saw: Mapping[int, int] = NOBODY,
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


@with_dict
@dataclass(frozen=True)
class Seat:
    """A seat of the match; `hand` is None where this hole was not dealt to it. Without slots: see `changed`.

    `since`: the version that seated it. `bot`: the strength of a house player, whose own `token` is kept; a person's
    seat has neither.
    """

    name: str
    token_hash: str
    generation: int = 1
    ready: bool = False
    nonce: str = ""
    next: bool = False
    standing: Standing = "here"
    hand: Hand | None = None
    results: tuple[Result, ...] = ()
    since: int = 1
    bot: Strength | None = None
    token: str = ""


@dataclass(frozen=True, slots=True)
class ClosedHole:
    """A hole that is over: its code, its stock (first drawn first) and everybody's result."""

    hole: int
    code: str
    rule: str
    stock: tuple[str, ...]
    results: Mapping[int, Result]


@with_dict
@dataclass(frozen=True)
class Match:
    """The state of a match after `version` entries. Without slots: see `changed`.

    `gather_until_ms`: in a quick match, when those who are not ready lose their seats; 0 otherwise.
    `nonces`: by seat, as the countdown fixed them; one that begins anew fixes them anew. `conceded`: the seat that
    was the first to go from match play that was not over. `bests`: by closed hole, the lowest traditional score that
    its deal allowed, once that was found; `line`: the latest hole's way to it, as long as no other is dealt.
    `spit`: of Spit the table of the round; `spit_at_ms`: when the next cards are turned, since neither can play; else 0.
    """

    match_id: str
    room: str
    options: Options
    secret: str
    host: int
    version: int = 0
    phase: Phase = "lobby"
    seats: Mapping[int, Seat] = field(default_factory=dict)
    generations: Mapping[int, int] = field(default_factory=dict)
    kicked: frozenset[str] = frozenset()
    hole: int = 0
    code: str = ""
    rules: Any = None
    table: Table | None = None
    opened_at_ms: int = 0
    hole_deadline_ms: int = 0
    last_seat_deadline_ms: int = 0
    starts_at_ms: int = 0
    closed_at_ms: int = 0
    settled_ms: int = 0
    closed: tuple[ClosedHole, ...] = ()
    abandoned: bool = False
    next_match: tuple[str, str, str] | None = None
    sealing: int = 1
    nonces: Mapping[int, str] = field(default_factory=dict)
    gather_until_ms: int = 0
    conceded: int | None = None
    bests: Mapping[int, int] = field(default_factory=dict)
    line: tuple[Step, ...] = ()
    course: OnCourse | None = None
    course_over: bool = False
    spit: Spit | None = None
    spit_at_ms: int = 0

    @property
    def course_open(self) -> bool:
        """This is a round of a course that others may still play: its holes are closed to all."""
        return self.course is not None and not self.course_over

    @cached_property
    def game(self) -> Game:
        """The game of the current hole, before the first its own: looked up once, since `changed` hands it on."""
        return self.options.game_of(self.hole)

    def points(self, app: int) -> int:
        """Return an app score of the current hole in points, as mixed games are counted."""
        return self.options.points(self.hole, app)

    @property
    def deadline_ms(self) -> int:
        """When the open hole closes by itself; 0 if it doesn't."""
        hole_ms, last_seat_ms = self.hole_deadline_ms, self.last_seat_deadline_ms
        return min(hole_ms, last_seat_ms) if hole_ms and last_seat_ms else hole_ms or last_seat_ms

    def here(self) -> dict[int, Seat]:
        """Return the seats that are still in the match."""
        return {number: seat for number, seat in self.seats.items() if seat.standing == "here"}

    def people(self) -> dict[int, Seat]:
        """Return the seats that are still in the match and no house player's."""
        return {number: seat for number, seat in self.seats.items() if seat.standing == "here" and not seat.bot}

    def playing(self) -> list[int]:
        """Return the seats whose hole goes on."""
        if self.phase != "playing":
            return []
        return [n for n, seat in self.seats.items() if seat.hand is not None and not seat.hand.ended_version]


T = TypeVar("T", Match, Seat)


def changed(value: T, **fields: Any) -> T:
    """Return a copy with these fields: `dataclasses.replace` at a tenth of its cost, for what every move changes.

    The names are not checked: only for fields that are plainly there.
    """
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", value.__dict__ | fields)
    return copy
