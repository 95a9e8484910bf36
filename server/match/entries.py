"""What happened in a match: past tense, frozen, one entry of the stream each.

Entries state their effects (a draw its card, a close its scores, an opening its deal code), so that newer code
replays an older stream to the same state. Only `evolve` reads them; only `dump` and `load` know their stored form.
Times are milliseconds of the engine's clock; `Entry.at_ms` was read inside the append.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, Literal

from pydantic_core import from_json, to_json

from server.match.on_course import OnCourse, dump_on_course, load_on_course
from server.match.options import Options, dump_options, load_options
from server.match.seat_entries import BotSeated as BotSeated
from server.match.seat_entries import HostChanged as HostChanged
from server.match.seat_entries import SeatClaimed as SeatClaimed
from server.match.seat_entries import SeatKicked as SeatKicked
from server.match.seat_entries import SeatLeft as SeatLeft
from server.match.seat_entries import SeatTaken as SeatTaken
from server.match.spit_entries import SpitDealt as SpitDealt
from server.match.spit_entries import SpitPlayed as SpitPlayed
from server.match.spit_entries import SpitTurned as SpitTurned
from server.rules.base import Ending
from server.rules.best import Step
from server.rules.players import Strength
from server.rules.table import Event, dump_event, load_event

SCHEMA: Final = 2
"""2: rules without a name, nonces. What an older entry lacks has its field's default."""


class SchemaTooNew(ValueError):
    """The stream was written by a newer version of this program; nothing is guessed about it."""


@dataclass(frozen=True, slots=True)
class Created:
    """The match exists. `seated` holds (seat, name, token hash); more than one after a rematch.

    `sealing`: the derivation of its deals, as docs/deals.md numbers them; it stays what it was. `course`: the one that
    it is a round of. `bots`: of those seated, the house players, as (seat, strength, token).
    `quick`: strangers were seated, and nobody is waited for.
    """

    match_id: str
    room: str
    options: Options
    secret: str
    host: int
    seated: tuple[tuple[int, str, str], ...]
    sealing: int = 1
    course: OnCourse | None = None
    bots: tuple[tuple[int, Strength, str], ...] = ()
    quick: bool = False


@dataclass(frozen=True, slots=True)
class OptionsSet:
    """The host changed the room; everybody's ready falls."""

    options: Options


@dataclass(frozen=True, slots=True)
class ReadySet:
    """A seat said ready, with a nonce of its own for the deals or without, or took it back."""

    seat: int
    ready: bool
    nonce: str = ""


@dataclass(frozen=True, slots=True)
class CountdownStarted:
    """The match starts at `starts_at_ms` unless somebody joins, leaves or is not ready after all."""

    starts_at_ms: int


@dataclass(frozen=True, slots=True)
class HoleOpened:
    """A hole is dealt to all. `opened_at_ms` 0: at the entry's own time; `seconds` 0: no limit.

    `skipped`: deals that came before this one in the secret's order, and can't be cleared.
    """

    hole: int
    code: str
    opened_at_ms: int
    seconds: int
    skipped: int = 0


@dataclass(slots=True, unsafe_hash=True)
class Acted:
    """A seat played, drew or took back. `ending` and `ended` are the seat's state after it."""

    seat: Final[int]
    what: Final[Literal["play", "draw", "undo"]]
    events: Final[tuple[Event, ...]]
    ending: Final[Ending]
    ended: Final[bool]

    def __init__(
        self, seat: int, what: Literal["play", "draw", "undo"], events: tuple[Event, ...], ending: Ending, ended: bool
    ) -> None:
        self.seat = seat
        self.what = what
        self.events = events
        self.ending = ending
        self.ended = ended


@dataclass(frozen=True, slots=True)
class SeatEnded:
    """A seat's hole is over without a move: given up, done, or closed by the seat `by`."""

    seat: int
    ending: Ending
    by: int


@dataclass(frozen=True, slots=True)
class Result:
    """What a seat made of a hole: counts of cards, points of both scores; `unplayed` where it wasn't dealt."""

    ending: Ending
    cards_left: int
    stock: int
    traditional: int
    app: int
    moves: int
    undos: int


@dataclass(frozen=True, slots=True)
class HoleClosed:
    """A hole is over for all. `closed_at_ms` 0: at the entry's own time."""

    hole: int
    closed_at_ms: int
    results: Mapping[int, Result]


@dataclass(frozen=True, slots=True)
class BestFound:
    """What the deal of a closed hole allowed: the lowest traditional score, and the steps of a line that reaches it.

    It may come at any time after the close, after the match's end too.
    """

    hole: int
    strokes: int
    line: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class NextSet:
    """A seat is ready for the next hole."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """An outage of the engine is given back to the running clock; outages up to `until_ms` are settled."""

    ms: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; `abandoned` if nobody was left in it."""

    abandoned: bool


@dataclass(frozen=True, slots=True)
class RematchNamed:
    """The same people go on in another match, which any reader may create from this entry."""

    match_id: str
    room: str
    secret: str


@dataclass(frozen=True, slots=True)
class CourseClosed:
    """The course that this is a round of is over: its holes hide nothing any more."""


Body = (
    Created
    | SeatTaken
    | BotSeated
    | SeatClaimed
    | SeatLeft
    | SeatKicked
    | HostChanged
    | OptionsSet
    | ReadySet
    | CountdownStarted
    | HoleOpened
    | Acted
    | SeatEnded
    | HoleClosed
    | BestFound
    | NextSet
    | TimeGiven
    | MatchEnded
    | RematchNamed
    | CourseClosed
    | SpitDealt
    | SpitPlayed
    | SpitTurned
)


@dataclass(slots=True, unsafe_hash=True)
class Entry:
    """One entry of the stream. `seat` is -1 and `generation`, `seq` 0 where no seat's command stands behind it."""

    version: Final[int]
    at_ms: Final[int]
    body: Final[Body]
    seat: Final[int]
    generation: Final[int]
    seq: Final[int]

    def __init__(
        self, version: int, at_ms: int, body: Body, seat: int = -1, generation: int = 0, seq: int = 0
    ) -> None:
        self.version = version
        self.at_ms = at_ms
        self.body = body
        self.seat = seat
        self.generation = generation
        self.seq = seq


KINDS: Final[dict[str, type[Body]]] = {
    "created": Created,
    "taken": SeatTaken,
    "bot": BotSeated,
    "claimed": SeatClaimed,
    "left": SeatLeft,
    "kicked": SeatKicked,
    "host": HostChanged,
    "options": OptionsSet,
    "ready": ReadySet,
    "countdown": CountdownStarted,
    "opened": HoleOpened,
    "acted": Acted,
    "ended": SeatEnded,
    "closed": HoleClosed,
    "best": BestFound,
    "next": NextSet,
    "time": TimeGiven,
    "over": MatchEnded,
    "rematch": RematchNamed,
    "course_over": CourseClosed,
    "spit_dealt": SpitDealt,
    "spit_played": SpitPlayed,
    "spit_turned": SpitTurned,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}
_FIELDS: Final = {kind: tuple(field.name for field in fields(kind)) for kind in KINDS.values()}
_DEFAULTS: Final = {
    kind: {field.name: field.default for field in fields(kind) if field.default is not MISSING}
    for kind in KINDS.values()
}


def _dump_results(results: Mapping[int, Result]) -> dict[str, list[Any]]:
    return {
        str(seat): [getattr(result, field.name) for field in fields(Result)]
        for seat, result in sorted(results.items())
    }


def _load_results(plain: Mapping[str, list[Any]]) -> dict[int, Result]:
    return {int(seat): Result(*values) for seat, values in plain.items()}


_DUMP: Final[dict[str, Callable[[Any], Any]]] = {
    "options": dump_options,
    "course": dump_on_course,
    "events": lambda events: [dump_event(event) for event in events],
    "results": _dump_results,
    "line": lambda line: [list(step) for step in line],
}
_LOAD: Final[dict[str, Callable[[Any], Any]]] = {
    "options": load_options,
    "course": load_on_course,
    "events": lambda plain: tuple(load_event(event) for event in plain),
    "results": _load_results,
    "line": lambda plain: tuple([tuple(step) for step in plain]),
    "cards": lambda plain: (plain[0], plain[1]),
    "seated": lambda plain: tuple((seat, name, token) for seat, name, token in plain),
    "bots": lambda plain: tuple((seat, strength, token) for seat, strength, token in plain),
}


def dump(body: Body) -> bytes:
    """Return the stored form: JSON of the kind, the schema and every field."""
    if isinstance(body, Acted):  # nearly all; the loop below makes the same of it, at three times the cost
        return to_json(
            {
                "k": "acted",
                "x": SCHEMA,
                "seat": body.seat,
                "what": body.what,
                "events": [dump_event(event) for event in body.events],
                "ending": body.ending,
                "ended": body.ended,
            }
        )
    kind = type(body)
    plain: dict[str, Any] = {"k": _NAMES[kind], "x": SCHEMA}
    for name in _FIELDS[kind]:
        value = getattr(body, name)
        write = _DUMP.get(name)
        plain[name] = value if write is None else write(value)
    return to_json(plain)


def load(payload: bytes) -> Body:
    """Read a stored entry.

    Raises SchemaTooNew for a newer schema, ValueError for what no version of this program wrote.
    """
    plain = from_json(payload)
    if not isinstance(plain, dict) or not isinstance(plain.get("x"), int):
        raise ValueError("not an entry of a match")
    if plain["x"] > SCHEMA:
        raise SchemaTooNew(f"entry schema {plain['x']} is newer than {SCHEMA}")
    kind = KINDS.get(str(plain.get("k")))
    if kind is None:
        raise ValueError(f"unknown kind of entry: {plain.get('k')!r}")
    plain = _DEFAULTS[kind] | plain
    try:
        values = {name: _LOAD[name](plain[name]) if name in _LOAD else plain[name] for name in _FIELDS[kind]}
    except KeyError as missing:
        raise ValueError(f"entry {plain['k']!r} lacks {missing}") from None
    except (TypeError, AttributeError) as error:
        raise ValueError(f"entry {plain['k']!r} has a field that can't be: {error}") from None
    return kind(**values)
