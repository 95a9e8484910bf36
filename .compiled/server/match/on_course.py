"""What a round knows of the course that it is played on: an ordinary match of one seat bears it from its creation. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class GhostName:
    """Whose recorded play stands beside a round: a seat of a match that has ended, and its name."""

    match_id: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class OnCourse:
    """A round's course. `closes_at_ms`: until then (engine clock) its holes stay closed to all, ended or not."""

    course_id: str
    closes_at_ms: int
    ghosts: tuple[GhostName, ...] = ()


def dump_on_course(course: OnCourse | None) -> dict[str, Any] | None:
    """Return it as JSON-able values."""
    if course is None:
        return None
    ghosts = [[ghost.match_id, ghost.seat, ghost.name] for ghost in course.ghosts]
    return {"id": course.course_id, "closes_at": course.closes_at_ms, "ghosts": ghosts}


def load_on_course(plain: Mapping[str, Any] | None) -> OnCourse | None:
    """Read back what `dump_on_course` wrote."""
    if plain is None:
        return None
    ghosts = tuple(GhostName(match_id, seat, name) for match_id, seat, name in plain["ghosts"])
    return OnCourse(plain["id"], plain["closes_at"], ghosts)
