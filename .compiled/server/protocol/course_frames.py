"""The frames about courses, and their shapes: what `server` is for matches."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from server.protocol.fields import Frame as Frame


def course(course: dict[str, Any], table: dict[str, Any], you: dict[str, Any], now_ms: int) -> Frame:
    """Show a course, a page of its table, and what of it is the asker's."""
    return {"t": "course", "now": now_ms, "course": course, "table": table, "you": you}


def days(rows: list[dict[str, Any]]) -> Frame:
    """List the days that are over, the latest first."""
    return {"t": "days", "days": rows}


def ghosts(hole: int, rows: list[dict[str, Any]]) -> Frame:
    """Show the ghosts beside a round, all of them anew."""
    return {"t": "ghosts", "hole": hole, "ghosts": rows}


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class CourseShape(_Shape):
    """What a course is. `secret` and `codes` are null until it is over, `source` (a match) likewise.

    `best`, by hole, is null until then too, and where nothing is solved; in it a hole that is not solved yet.
    """

    id: str
    kind: Literal["beat", "day", "club"]
    title: str
    state: Literal["before", "open", "over"]
    opens_at: int
    closes_at: int
    options: dict[str, Any]
    par: int
    open_deal: bool
    commitment: str
    secret: str | None
    codes: list[str] | None
    best: list[int | None] | None
    source: str | None
    roster: list[dict[str, Any]]


class RowShape(_Shape):
    """A finished round. `match` is null until the course is over."""

    place: int
    name: str
    match: str | None
    to_beat: bool
    ended_at: int
    totals: dict[str, int]
    over_best: int | None
    results: list[dict[str, Any]]
    percentiles: list[int | None]


class TableShape(_Shape):
    """A page of a course's table."""

    page: int
    pages: int
    rounds: int
    rows: list[RowShape]


class CourseYou(_Shape):
    """What of a course is the asker's. `state` is null where no token was given."""

    state: Literal["new", "playing", "done"] | None
    organiser: bool
    row: RowShape | None


class CourseFrame(_Shape):
    """Shape of `course`."""

    t: Literal["course"]
    now: int
    course: CourseShape
    table: TableShape
    you: CourseYou


class DayShape(_Shape):
    """A day that is over."""

    day: str
    course: str
    rounds: int


class DaysFrame(_Shape):
    """Shape of `days`."""

    t: Literal["days"]
    days: list[DayShape]


class GhostShape(_Shape):
    """A ghost, as far as the round's seat may see it."""

    name: str
    state: str
    ended: bool
    cards_left: int
    stock: int
    app: int
    traditional: int
    points: int | None = None
    totals: dict[str, int]
    results: list[dict[str, Any]]
    board: dict[str, list[str]]


class GhostsFrame(_Shape):
    """Shape of `ghosts`."""

    t: Literal["ghosts"]
    hole: int
    ghosts: list[GhostShape]


CourseFrames = CourseFrame | DaysFrame | GhostsFrame
