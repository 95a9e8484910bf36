"""What a client says about courses; `course_frames` answers it.

All but `play` may be said in a match or in none, and change nothing there. A course's id looks like a match's.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints

from server.protocol.fields import MatchId, Name, Said, SeatNumber, Token

Line = Annotated[str, StringConstraints(max_length=500)]
Page = Annotated[int, Field(ge=1, le=1_000)]
Instant = Annotated[int, Field(ge=0, le=2**53)]

MOST_LINES: Final = 400
"""Of a roster, empty ones among them; how many names it may have is the match's to say."""


class CourseAsk(Said):
    """Show a course and a page of its table.

    `token`: the browser's own, whose round is wanted besides; `organiser`: a club's, to be told whether it holds.
    """

    t: Literal["course"]
    course: MatchId
    page: Page = 1
    token: Token | None = None
    organiser: Token | None = None


class DayAsk(Said):
    """Show the course of the day."""

    t: Literal["day"]
    token: Token | None = None


class DaysAsk(Said):
    """List the days whose courses are over."""

    t: Literal["days"]


class BeatSaid(Said):
    """Make a course of the deals of a match that is over, to beat what this seat made of them."""

    t: Literal["beat"]
    match: MatchId
    seat: SeatNumber


class ClubSaid(Said):
    """Make a club event. `token`: the organiser's; from it the event's id follows.

    `opens_at` null: now. `options` are a room's, of which those that a round has no use for may not be said.
    """

    t: Literal["club"]
    token: Token
    title: Name
    options: dict[str, Any] = Field(default_factory=dict)
    opens_at: Instant | None = None
    closes_at: Instant
    roster: list[Line] = Field(default_factory=list, max_length=MOST_LINES)


class ClubSetSaid(Said):
    """Give a club event another title or another roster (the organiser's)."""

    t: Literal["club_set"]
    course: MatchId
    token: Token
    title: Name
    roster: list[Line] = Field(default_factory=list, max_length=MOST_LINES)


class PlayCourse(Said):
    """Begin, or go on with, this browser's one round of a course. `token`: the browser's own."""

    t: Literal["play_course"]
    course: MatchId
    name: Name
    token: Token


CourseMessage = CourseAsk | DayAsk | DaysAsk | BeatSaid | ClubSaid | ClubSetSaid
