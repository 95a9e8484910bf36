"""The courses: made, shown, and the rounds on them begun. What is wrong is raised as a ProtocolError.

A course is made once, whoever comes first: its id follows from what it is of (a round to beat, a day, an organiser's
token). What it may show before it is over, and what a round comes to, is `match.course`'s to say.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from typing import Any, Final

from server.match import course as courses
from server.match.course import Course, Row
from server.match.formats import summed, totals_fields
from server.match.names import skeleton
from server.match.on_course import GhostName
from server.match.options import Options, load_options
from server.match.record import NotEnded, result_fields
from server.match.state import Phase
from server.match.view import options_view
from server.protocol import course_frames as say
from server.protocol import courses as wire
from server.protocol.fields import ProtocolError
from server.protocol.typed import read_options
from server.protocol.words import words_of
from server.rules.codes import commitment
from server.runtime.ids import course_id_of, new_secret, round_id_of, token_hash
from server.runtime.records import CourseOpen, RecordKeeper
from server.store.courses import Courses

DAYS_LISTED: Final = 30
SOLVING_S: Final = 3.0
"""So long the page of a course that is over waits for the best of its deals; who asks again is told the rest."""
DAY: Final = Options(holes=9, seats=1, spectators="off")
"""The course of the day: the default rules."""


def error_of(code: str, **params: str | int) -> ProtocolError:
    """Return the error that a code stands for, with its words."""
    return ProtocolError(code, words_of(code), **params)


class Clubhouse:
    """The courses of one worker. `now_ms` is the engine's clock; `lives_ms`: how long one is kept after its end.

    `phase_of` tells a match's phase, None where there is none; `best_of` the lowest strokes that deals allow, waiting so
    many seconds at most. Its methods raise ProtocolError and EngineError.
    """

    def __init__(
        self,
        store: Courses,
        records: RecordKeeper,
        now_ms: Callable[[], int],
        lives_ms: Callable[[], int | None],
        phase_of: Callable[[str], Awaitable[Phase | None]],
        best_of: Callable[[Sequence[str], float], Awaitable[list[int | None] | None]],
    ) -> None:
        self._store, self._records, self._now_ms = store, records, now_ms
        self._lives_ms, self._phase_of, self._best_of = lives_ms, phase_of, best_of

    # -- making

    async def find(self, course_id: str) -> Course:
        """Return a course; `no_course` if there is none."""
        payload = await self._store.get(course_id)
        if payload is None:
            raise error_of("no_course")
        return courses.load_course(payload)

    async def _make(self, course: Course) -> Course:
        lives_ms = self._lives_ms()
        ends_at_ms = None if lives_ms is None else course.closes_at_ms + lives_ms
        return courses.load_course(await self._store.make(course.course_id, courses.dump_course(course), ends_at_ms))

    async def beat(self, match_id: str, seat: int, allow: Callable[[], None]) -> Course:
        """Return the open course of a seat's round in a match that is over, made if there is none.

        `allow` is asked before one is made, and may raise.
        """
        story = await self._story(match_id)
        if load_options(story["options"]).mode == "spit":
            raise error_of("bad_options", field="mode")  # a race can't be run alone
        rows = courses.recorded_rounds(story)
        mine = next((row for row in rows if row.seat == seat), None)
        if mine is None:
            raise error_of("no_such_seat")
        number = 0
        while (kept := await self._store.get(course_id_of("beat", match_id, seat, number))) is not None:
            course = courses.load_course(kept)
            if courses.standing(course, self._now_ms()) != "over":
                break
            number += 1  # once its week is over, a new one may begin
        else:
            allow()
            options = courses.round_options(load_options(story["options"]), courses.recorded_codes(story))
            now_ms = self._now_ms()
            course = await self._make(
                Course(
                    course_id_of("beat", match_id, seat, number),
                    "beat",
                    mine.name,
                    options,
                    new_secret(),
                    now_ms,
                    now_ms + courses.BEAT_MS,
                    source=match_id,
                    seat=seat,
                )
            )
        for row in rows:  # said again each time: whoever made the course may not have come this far
            await self._add(course, row)
        return course

    async def _story(self, match_id: str) -> dict[str, Any]:
        """Return the record of a match whose deals are no secret any more."""
        try:
            data = await self._records.get(match_id)
            story = None if data is None else await self._records.story(match_id)
        except NotEnded:
            raise error_of("not_ended") from None
        except CourseOpen:
            raise error_of("course_open") from None
        if story is None:
            raise error_of("no_such_match")
        return story

    async def day(self) -> Course:
        """Return the course of this UTC day; the first who asks makes its secret."""
        begins_ms, ends_ms = courses.day_window(self._now_ms())
        day = datetime.fromtimestamp(begins_ms / 1000, UTC).date().isoformat()
        kept = await self._store.get(course_id_of("day", day))
        if kept is not None:
            return courses.load_course(kept)
        return await self._make(Course(course_id_of("day", day), "day", day, DAY, new_secret(), begins_ms, ends_ms))

    async def club(self, said: wire.ClubSaid, allow: Callable[[], None]) -> Course:
        """Return the event of an organiser's token, made if there is none yet; made twice, it is made once.

        Refused with `bad_title`, `bad_window`, `bad_roster` and what options are refused with. `allow` as above.
        """
        course_id = course_id_of("club", said.token)
        kept = await self._store.get(course_id)
        if kept is not None:
            return courses.load_course(kept)
        title, roster = _read(said.title, said.roster)
        options = read_options(said.options)
        if options.mode == "spit":
            raise error_of("bad_options", field="mode")  # a race can't be run alone
        if options.winnable:
            raise error_of("bad_options", field="winnable")  # its deals are fixed before anything is looked for
        if options.deals:
            raise error_of("bad_options", field="deals")  # an event's deals are sealed, its organiser plays too
        now_ms = self._now_ms()
        opens_ms = max(now_ms, said.opens_at or 0)
        lasts_ms = said.closes_at - opens_ms
        if opens_ms - now_ms > courses.LATEST_CLUB_MS or not 0 < lasts_ms <= courses.LONGEST_CLUB_MS:
            raise error_of("bad_window")
        allow()
        organiser = token_hash(said.token)
        return await self._make(
            Course(
                course_id,
                "club",
                title,
                courses.round_options(options),
                new_secret(),
                opens_ms,
                said.closes_at,
                organiser,
                roster,
            )
        )

    async def club_set(self, said: wire.ClubSetSaid) -> Course:
        """Give an event another title and roster; names that rounds have stay theirs. Refused with `not_organiser`."""
        course = await self.find(said.course)
        if not course.organiser or not compare_digest(course.organiser, token_hash(said.token)):
            raise error_of("not_organiser")
        title, roster = _read(said.title, said.roster)
        course = replace(course, title=title, roster=roster)
        if not await self._store.change(course.course_id, courses.dump_course(course)):
            raise error_of("no_course")
        return course

    # -- showing

    async def show(
        self, course: Course, page: int = 1, token: str | None = None, organiser: str | None = None
    ) -> say.Frame:
        """Return the frame of a course and a page of its table, for whoever has these tokens."""
        own = None if token is None else round_id_of(course.course_id, token)
        member = "" if own is None else f"{own}:0"
        first = (page - 1) * courses.ROWS_A_PAGE
        table = await self._store.table(course.course_id, first, courses.ROWS_A_PAGE, member)
        claims = await self._store.claims(course.course_id) if course.roster else {}
        over = courses.standing(course, self._now_ms()) == "over"
        # How well a deal can be played tells something of it.
        solved = over and all(game.solvable for game in course.options.games)
        bests = await self._best_of(courses.codes(course), SOLVING_S) if solved else None

        def shown(rows: list[Row], places: Sequence[int]) -> list[dict[str, Any]]:
            return [
                _row(course, row, place, table.spread, bests, over=over)
                for row, place in zip(rows, places, strict=True)
            ]

        places = courses.places([rank for rank, _ in table.rows], first, table.better)
        state = None if own is None else "new"
        mine: list[dict[str, Any]] = []
        if table.own is not None:
            state = "done"
            mine = shown([courses.load_row(table.own.row)], [1 + table.own.better])
        elif own is not None and (phase := await self._phase_of(own)) is not None:
            state = "done" if phase == "ended" else "playing"
        return say.course(
            {**self._course(course, claims), "best": bests},
            {
                "page": page,
                "pages": max(1, -(-table.total // courses.ROWS_A_PAGE)),
                "rounds": table.total,
                "rows": shown([courses.load_row(row) for _, row in table.rows], places),
            },
            {
                "state": state,
                "organiser": organiser is not None and compare_digest(course.organiser, token_hash(organiser)),
                "row": mine[0] if mine else None,
            },
            self._now_ms(),
        )

    def _course(self, course: Course, claims: Mapping[str, str]) -> dict[str, Any]:
        """Return what all may know of a course now."""
        state = courses.standing(course, self._now_ms())
        over = state == "over"
        return {
            "id": course.course_id,
            "kind": course.kind,
            "title": course.title,
            "state": state,
            "opens_at": course.opens_at_ms,
            "closes_at": course.closes_at_ms,
            "options": options_view(course.options),
            "par": course.options.par * course.options.holes,
            "open_deal": course.options.open_deal,
            "commitment": commitment(bytes.fromhex(course.secret)),
            "secret": course.secret if over else None,
            "codes": list(courses.codes(course)) if over else None,
            "source": course.source if over and course.source else None,
            "roster": [{"name": name, "taken": skeleton(name) in claims} for name in course.roster],
        }

    async def days(self) -> say.Frame:
        """Return the frame of the latest days that are over and were played or looked at."""
        today_ms, _ = courses.day_window(self._now_ms())
        today = datetime.fromtimestamp(today_ms / 1000, UTC).date()
        names = [(today - timedelta(days=ago)).isoformat() for ago in range(1, DAYS_LISTED + 1)]
        ids = [course_id_of("day", name) for name in names]
        rounds = await self._store.sizes(ids)
        kept = await self._store.get_many(ids)
        return say.days(
            [
                {"day": name, "course": course_id, "rounds": count}
                for name, course_id, count, payload in zip(names, ids, rounds, kept, strict=True)
                if payload is not None
            ]
        )

    # -- rounds

    async def ghosts(self, course: Course) -> tuple[GhostName, ...]:
        """Return whose play stands beside a round that begins now."""
        table = await self._store.table(course.course_id, 0, courses.MOST_GHOSTS, _to_beat(course))
        rows = [courses.load_row(row) for _, row in table.rows]
        if table.own is not None:
            rows.append(courses.load_row(table.own.row))
        chosen = courses.ghosts_for(rows, _to_beat(course))
        return tuple(GhostName(row.match_id, row.seat, row.name) for row in chosen)

    async def claim(self, course: Course, name: str, match_id: str) -> str:
        """Return the name that a round plays under, which it has from now on.

        Refused with `not_on_roster`, or with `name_taken` where another round has it.
        """
        listed = courses.on_roster(course, name)
        if listed is None:
            raise error_of("not_on_roster")
        if course.roster and await self._store.claim(course.course_id, skeleton(listed), match_id) != match_id:
            raise error_of("name_taken")
        return listed

    async def _add(self, course: Course, row: Row) -> None:
        ranks = courses.ranks(course.options, row.results)
        await self._store.done(course.course_id, row.member, sum(ranks), courses.dump_row(row), ranks)

    async def finished(self, course_id: str, row: Row) -> None:
        """Take a finished round into its course's table, where it is not yet. A course that is gone takes none."""
        payload = await self._store.get(course_id)
        if payload is not None:
            await self._add(courses.load_course(payload), row)


def _read(title: str, roster: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return what an organiser typed as it is kept."""
    kept, names = courses.clean_title(title), courses.read_roster(roster)
    if kept is None:
        raise error_of("bad_title")
    if isinstance(names, int):
        raise error_of("bad_roster", line=names)
    return kept, names


def _to_beat(course: Course) -> str:
    """Return the member of a table whose round is to be beaten; empty where there is none."""
    return f"{course.source}:{course.seat}" if course.source else ""


def _row(
    course: Course,
    row: Row,
    place: int,
    spread: Mapping[int, Mapping[int, int]],
    bests: Sequence[int | None] | None,
    *,
    over: bool,
) -> dict[str, Any]:
    """Return a row as all may see it. Its match leads to a record, which is there once the course is over."""
    options = course.options
    ranks = courses.ranks(options, row.results)
    return {
        "place": place,
        "name": row.name,
        "match": row.match_id if over else None,
        "to_beat": row.member == _to_beat(course),
        "ended_at": row.ended_at_ms,
        "totals": totals_fields(summed(options, row.results)),
        "over_best": courses.over_best(row.results, bests),
        "results": [result_fields(options, hole, result) for hole, result in enumerate(row.results, 1)],
        "percentiles": [courses.percentile(spread.get(hole, {}), rank) for hole, rank in enumerate(ranks, 1)],
    }
