"""A match as a value: what the fold of its entries makes, frozen all through.

Knows no time but what entries gave it and hides nothing (that is `view`'s work). Seats are numbered from 0, holes
from 1; times are milliseconds of the engine's clock.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from server.match.entries import Result
from server.match.hand import Counts as Counts
from server.match.hand import Hand as Hand
from server.match.hand import Logged as Logged
from server.match.on_course import OnCourse
from server.match.options import Options
from server.rules.base import Game
from server.rules.best import Step
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
_NOTHING: Final[Mapping[int, Any]] = {}


@dataclass(unsafe_hash=True)
class Seat:
    """A seat of the match; `hand` is None where this hole was not dealt to it. Without slots: see `moved`.

    `since`: the version that seated it. `bot`: the strength of a house player, whose own `token` is kept; a person's
    seat has neither.
    """

    name: Final[str]
    token_hash: Final[str]
    generation: Final[int]
    ready: Final[bool]
    nonce: Final[str]
    next: Final[bool]
    standing: Final[Standing]
    hand: Final[Hand | None]
    results: Final[tuple[Result, ...]]
    since: Final[int]
    bot: Final[Strength | None]
    token: Final[str]

    def __init__(
        self,
        name: str,
        token_hash: str,
        generation: int = 1,
        ready: bool = False,
        nonce: str = "",
        next: bool = False,
        standing: Standing = "here",
        hand: Hand | None = None,
        results: tuple[Result, ...] = (),
        since: int = 1,
        bot: Strength | None = None,
        token: str = "",
    ) -> None:
        self.name = name
        self.token_hash = token_hash
        self.generation = generation
        self.ready = ready
        self.nonce = nonce
        self.next = next
        self.standing = standing
        self.hand = hand
        self.results = results
        self.since = since
        self.bot = bot
        self.token = token


@dataclass(frozen=True, slots=True)
class ClosedHole:
    """A hole that is over: its code, its stock (first drawn first) and everybody's result."""

    hole: int
    code: str
    rule: str
    stock: tuple[str, ...]
    results: Mapping[int, Result]


@dataclass(unsafe_hash=True)
class Match:
    """The state of a match after `version` entries. Without slots: see `moved`.

    `gather_until_ms`: in a quick match, when those who are not ready lose their seats; 0 otherwise.
    `nonces`: by seat, as the countdown fixed them; one that begins anew fixes them anew. `conceded`: the seat that
    was the first to go from match play that was not over. `bests`: by closed hole, the lowest traditional score that
    its deal allowed, once that was found; `line`: the latest hole's way to it, as long as no other is dealt.
    `spit`: of Spit the table of the round; `spit_at_ms`: when the next cards are turned, since neither can play; else 0.
    """

    match_id: Final[str]
    room: Final[str]
    options: Final[Options]
    secret: Final[str]
    host: Final[int]
    version: Final[int]
    phase: Final[Phase]
    seats: Final[Mapping[int, Seat]]
    generations: Final[Mapping[int, int]]
    kicked: Final[frozenset[str]]
    hole: Final[int]
    code: Final[str]
    rules: Final[Any]
    table: Final[Table | None]
    opened_at_ms: Final[int]
    hole_deadline_ms: Final[int]
    last_seat_deadline_ms: Final[int]
    starts_at_ms: Final[int]
    closed_at_ms: Final[int]
    settled_ms: Final[int]
    closed: Final[tuple[ClosedHole, ...]]
    abandoned: Final[bool]
    next_match: Final[tuple[str, str, str] | None]
    sealing: Final[int]
    nonces: Final[Mapping[int, str]]
    gather_until_ms: Final[int]
    conceded: Final[int | None]
    bests: Final[Mapping[int, int]]
    line: Final[tuple[Step, ...]]
    course: Final[OnCourse | None]
    course_over: Final[bool]
    spit: Final[Spit | None]
    spit_at_ms: Final[int]

    def __init__(
        self,
        match_id: str,
        room: str,
        options: Options,
        secret: str,
        host: int,
        version: int = 0,
        phase: Phase = "lobby",
        seats: Mapping[int, Seat] = _NOTHING,
        generations: Mapping[int, int] = _NOTHING,
        kicked: frozenset[str] = frozenset(),
        hole: int = 0,
        code: str = "",
        rules: Any = None,
        table: Table | None = None,
        opened_at_ms: int = 0,
        hole_deadline_ms: int = 0,
        last_seat_deadline_ms: int = 0,
        starts_at_ms: int = 0,
        closed_at_ms: int = 0,
        settled_ms: int = 0,
        closed: tuple[ClosedHole, ...] = (),
        abandoned: bool = False,
        next_match: tuple[str, str, str] | None = None,
        sealing: int = 1,
        nonces: Mapping[int, str] = _NOTHING,
        gather_until_ms: int = 0,
        conceded: int | None = None,
        bests: Mapping[int, int] = _NOTHING,
        line: tuple[Step, ...] = (),
        course: OnCourse | None = None,
        course_over: bool = False,
        spit: Spit | None = None,
        spit_at_ms: int = 0,
        game: Game | None = None,
    ) -> None:
        self.match_id = match_id
        self.room = room
        self.options = options
        self.secret = secret
        self.host = host
        self.version = version
        self.phase = phase
        self.seats = seats
        self.generations = generations
        self.kicked = kicked
        self.hole = hole
        self.code = code
        self.rules = rules
        self.table = table
        self.opened_at_ms = opened_at_ms
        self.hole_deadline_ms = hole_deadline_ms
        self.last_seat_deadline_ms = last_seat_deadline_ms
        self.starts_at_ms = starts_at_ms
        self.closed_at_ms = closed_at_ms
        self.settled_ms = settled_ms
        self.closed = closed
        self.abandoned = abandoned
        self.next_match = next_match
        self.sealing = sealing
        self.nonces = nonces
        self.gather_until_ms = gather_until_ms
        self.conceded = conceded
        self.bests = bests
        self.line = line
        self.course = course
        self.course_over = course_over
        self.spit = spit
        self.spit_at_ms = spit_at_ms
        self.game: Final[Game] = game or options.game_of(hole)
        """The game of the current hole, before the first its own."""

    @property
    def course_open(self) -> bool:
        """This is a round of a course that others may still play: its holes are closed to all."""
        return self.course is not None and not self.course_over

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


def moved(state: Match, version: int, seat: int, hand: Hand) -> Match:
    """Return the state with a seat's hand after one quiet entry: what `changed` gives, at a tenth of its cost."""
    return (copied if hasattr(state, "__dict__") else built)(state, version, seat, hand)


def copied(state: Match, version: int, seat: int, hand: Hand) -> Match:
    """Do it where this module is interpreted: there a copy of all attributes at once is the cheapest."""
    moving, copy = object.__new__(Seat), object.__new__(Match)
    moving.__dict__ = {**state.seats[seat].__dict__, "hand": hand}
    copy.__dict__ = {**state.__dict__, "version": version, "seats": {**state.seats, seat: moving}}
    return copy


def built(state: Match, version: int, seat: int, hand: Hand) -> Match:
    """Do it where this module is compiled: there is no such copy, and to hand on one by one costs next to nothing."""
    old = state.seats[seat]
    one = Seat(
        old.name,
        old.token_hash,
        old.generation,
        old.ready,
        old.nonce,
        old.next,
        old.standing,
        hand,
        old.results,
        old.since,
        old.bot,
        old.token,
    )
    return Match(
        state.match_id,
        state.room,
        state.options,
        state.secret,
        state.host,
        version,
        state.phase,
        {**state.seats, seat: one},
        state.generations,
        state.kicked,
        state.hole,
        state.code,
        state.rules,
        state.table,
        state.opened_at_ms,
        state.hole_deadline_ms,
        state.last_seat_deadline_ms,
        state.starts_at_ms,
        state.closed_at_ms,
        state.settled_ms,
        state.closed,
        state.abandoned,
        state.next_match,
        state.sealing,
        state.nonces,
        state.gather_until_ms,
        state.conceded,
        state.bests,
        state.line,
        state.course,
        state.course_over,
        state.spit,
        state.spit_at_ms,
        state.game,
    )


T = TypeVar("T", Match, Seat, Hand)


def changed(value: T, **fields: Any) -> T:
    """Return a copy with these fields, as `dataclasses.replace` does at twice the cost. Raises TypeError for others."""
    for name in _FIELDS[type(value)]:
        if name not in fields:
            fields[name] = getattr(value, name)
    copy: T = type(value)(**fields)
    return copy


_FIELDS: Final = {kind: tuple(one.name for one in dataclasses.fields(kind)) for kind in (Match, Seat, Hand)}
