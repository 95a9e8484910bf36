"""A course: a fixed list of sealed deals with rules and a window of time, and the table of those who played it. Pure.

Three kinds go by one mechanism: `beat` (the deals of a match that is over, known to those who played it), `day` (a
secret of its UTC day's own) and `club` (an organiser's, with or without a roster of names). Ranks count strokes, or
points below zero where points decide, so that less is better everywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from pydantic_core import from_json, to_json

from server.match.entries import Result
from server.match.formats import rank, summed
from server.match.names import clean, skeleton
from server.match.options import HOLES, Options, dump_options, load_options
from server.match.state import Match
from server.rules.codes import SEALING, sealed_code

Kind = Literal["beat", "day", "club"]
Standing = Literal["before", "open", "over"]

SCHEMA: Final = 1
DAY_MS: Final = 86_400_000
BEAT_MS: Final = 7 * DAY_MS
"""How long a course of somebody's round is open."""
LONGEST_CLUB_MS: Final = 30 * DAY_MS
LATEST_CLUB_MS: Final = 90 * DAY_MS
"""How far ahead a club event may begin."""
LONGEST_TITLE: Final = 60
MOST_ROSTER: Final = 200
MOST_GHOSTS: Final = 3
ROWS_A_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class Course:
    """A course. It is open from `opens_at_ms` and before `closes_at_ms` (engine clock).

    `options` are those of every round; where they have no typed deals, the deals come from `secret`, without nonces.
    `organiser`: the hash of a club's token. `roster`: the names that may play, all where it is empty.
    `source` and `seat`: the match and the seat whose round is to be beaten; `title` is that seat's name then.
    """

    course_id: str
    kind: Kind
    title: str
    options: Options
    secret: str
    opens_at_ms: int
    closes_at_ms: int
    organiser: str = ""
    roster: tuple[str, ...] = ()
    source: str = ""
    seat: int = -1
    sealing: int = SEALING


def dump_course(course: Course) -> bytes:
    """Return the stored form."""
    return to_json({**asdict(course), "x": SCHEMA, "options": dump_options(course.options)})


def load_course(payload: bytes) -> Course:
    """Read what `dump_course` wrote. Raises ValueError for a newer schema."""
    plain = from_json(payload)
    if plain.pop("x") > SCHEMA:
        raise ValueError("a newer version wrote this course")
    return Course(**{**plain, "options": load_options(plain["options"]), "roster": tuple(plain["roster"])})


def standing(course: Course, now_ms: int) -> Standing:
    """Return how the course stands at a moment of the engine's clock."""
    if now_ms < course.opens_at_ms:
        return "before"
    return "open" if now_ms < course.closes_at_ms else "over"


def codes(course: Course) -> tuple[str, ...]:
    """Return the deal codes of all holes; they are nobody's to see before the course is over."""
    options = course.options
    if options.deals:
        return options.deals
    found = []
    for hole in range(1, options.holes + 1):
        game = options.game_of(hole)
        letter = game.letter_of(options.rules_of(hole))
        found.append(sealed_code(game.name, letter, course.sealing, course.secret, {}, hole))
    return tuple(found)


def round_options(options: Options, deals: tuple[str, ...] = ()) -> Options:
    """Return a room's options as those of a round: one seat, strokes, and nobody looks on, who may play the course yet.

    `deals`: codes, one a hole; without them the deals are sealed.
    """
    holes = len(deals) or options.holes
    alone = replace(
        options, seats=1, spectators="off", visibility="private", format="stroke", sudden_death=False, winnable=False
    )
    mix = alone.mix[:holes]
    if alone.mix and len(set(mix)) == 1:  # of a match that ended so early, there is one game left
        alone, mix = replace(alone, scoring=alone.game_of(1).scorings[0]), ()
    return replace(alone, deals=deals, holes=holes, mix=mix)


def day_window(now_ms: int) -> tuple[int, int]:
    """Return when the UTC day of a moment begins and when the next one does, in ms since 1970."""
    begins = now_ms - now_ms % DAY_MS
    return begins, begins + DAY_MS


# -- what an organiser types -----------------------------------------------------------------------------------------


def clean_title(text: str) -> str | None:
    """Return a title as it is kept (composed, single spaces, 1 to 60 characters), or None if it can't be one."""
    return clean(text, LONGEST_TITLE)


def read_roster(lines: Sequence[str]) -> tuple[str, ...] | int:
    """Return the names of a roster, or the number (from 1) of the first line that can't stand there.

    A line may not be a name, or pass for an earlier one; past the most lines it is the first too many. Empty lines
    are passed over.
    """
    names: list[str] = []
    known: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name = clean(line)
        if name is None or skeleton(name) in known or len(names) == MOST_ROSTER:
            return number
        known.add(skeleton(name))
        names.append(name)
    return tuple(names)


def on_roster(course: Course, name: str) -> str | None:
    """Return a player's name as the roster has it, or None if it isn't there; without a roster, the name itself."""
    if not course.roster:
        return name
    wanted = skeleton(name)
    return next((listed for listed in course.roster if skeleton(listed) == wanted), None)


# -- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A finished round: who played it, as which seat of which match, when it ended, and the results by hole."""

    name: str
    match_id: str
    seat: int
    ended_at_ms: int
    results: tuple[Result, ...]

    @property
    def member(self) -> str:
        """The row's name in the course's table; added twice, it is there once."""
        return f"{self.match_id}:{self.seat}"


def dump_row(row: Row) -> bytes:
    """Return the stored form."""
    results = [list(asdict(result).values()) for result in row.results]
    return to_json([row.name, row.match_id, row.seat, row.ended_at_ms, results])


def load_row(payload: bytes) -> Row:
    """Read what `dump_row` wrote."""
    name, match_id, seat, ended_at_ms, results = from_json(payload)
    return Row(name, match_id, seat, ended_at_ms, tuple(Result(*values) for values in results))


def ranks(options: Options, results: Iterable[Result]) -> tuple[int, ...]:
    """Return what each hole counts in a course's table: strokes, or points below zero; less is better."""
    return tuple(rank(options.scoring, summed(options, [result], hole)) for hole, result in enumerate(results, 1))


def finished_round(state: Match) -> Row | None:
    """Return the row that a round's match leaves in its course's table, None where it leaves none (yet).

    A round counts once all its holes are closed, the last one before the course is over, its player still there.
    """
    course = state.course
    seat = state.seats.get(0)
    if course is None or state.phase != "ended" or state.abandoned or seat is None:
        return None
    if len(seat.results) < state.options.holes or state.closed_at_ms >= course.closes_at_ms:
        return None
    return Row(seat.name, state.match_id, 0, state.closed_at_ms, seat.results)


def recorded_codes(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the deal codes of a record's closed holes, of which a course has no more than a room."""
    return tuple(hole["code"] for hole in _recorded_holes(record))


def _recorded_holes(record: Mapping[str, Any]) -> list[Any]:
    return [hole for hole in record["holes"] if hole["closed_at"] is not None][: HOLES[1]]


def recorded_rounds(record: Mapping[str, Any]) -> tuple[Row, ...]:
    """Return the rows of all seats of a record (`record.record`) that have a result in each of these holes."""
    holes = _recorded_holes(record)
    rows: list[Row] = []
    for seat in record["seats"]:
        told = [hole["seats"].get(str(seat["seat"]), {}).get("result") for hole in holes]
        if holes and all(told):
            results = tuple(
                Result(
                    one["how"],
                    one["cards_left"],
                    one["stock"],
                    one["traditional"],
                    one["app"],
                    one["moves"],
                    one["undos"],
                )
                for one in told
            )
            rows.append(Row(seat["name"], record["match"], seat["seat"], record["ended_at"], results))
    return tuple(rows)


def places(totals: Sequence[int], first: int, better: int) -> tuple[int, ...]:
    """Return the places of a stretch of a table that is in order: equal totals share one (1, 1, 3).

    `first`: how many rows stand before the stretch; `better`: how many of those are better than its first row.
    """
    found: list[int] = []
    for index, total in enumerate(totals):
        if index and total == totals[index - 1]:
            found.append(found[-1])
        else:
            found.append(1 + (first + index if index else better))
    return tuple(found)


def percentile(spread: Mapping[int, int], mine: int) -> int | None:
    """Return how many of a hundred others a result beats on a hole, ties counting half, rounded half up.

    `spread`: how many rounds made each rank, one's own among them. None where nobody else has played the hole.
    """
    others = sum(spread.values()) - 1
    if others < 1:
        return None
    worse = sum(count for rank, count in spread.items() if rank > mine)
    equal = spread.get(mine, 1) - 1
    return (200 * worse + 100 * equal + others) // (2 * others)


def over_best(results: Sequence[Result], bests: Sequence[int | None] | None) -> int | None:
    """Return a round's strokes over the best that its deals allowed, None unless that is known of each."""
    if bests is None:
        return None
    over = [None if best is None else result.traditional - best for result, best in zip(results, bests, strict=True)]
    known = [strokes for strokes in over if strokes is not None]
    return sum(known) if len(known) == len(over) else None


def ghosts_for(rows: Sequence[Row], first: str = "") -> tuple[Row, ...]:
    """Choose whose play stands beside a new round: at most three of these rows, which are in the table's order.

    `first`: the member that is there in any case, the round to be beaten; it may stand there twice.
    """
    ahead = [row for row in rows if row.member == first][:1]
    return tuple([*ahead, *(row for row in rows if row.member != first)][:MOST_GHOSTS])
