"""The records of ended matches: made once, kept, handed out.

A record is made when a worker sees its match end, when somebody asks for one that isn't there, when an ended match is
opened, or by the sweep, whichever comes first; the first one stays. It is made from the stream alone and in a thread,
since a long match takes a while.
"""

import asyncio
import gzip
import json
import logging
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from server.match.course import Row, finished_round
from server.match.entries import Created
from server.match.evolve import replay
from server.match.on_course import OnCourse
from server.match.record import NotEnded, record, unsolved
from server.rules.best import Best
from server.runtime.lifetimes import Lifetimes
from server.runtime.replica import Unreadable, load_entries, unreadable
from server.runtime.solving import Solvers, Unsolved
from server.store.errors import EngineError
from server.store.matches import Matches, Stored
from server.store.records import Records

SWEEP_S: Final = 60.0
MOST_AT_ONCE: Final = 100
"""Matches that one sweep looks at: 100 a minute and worker is more than rooms are made."""

KEEP_PATIENCE_S: Final = 30.0
"""So long a record that is to be kept waits for the best of its holes; they are kept anew by nobody."""
ASKED_PATIENCE_S: Final = 2.0
"""And so long somebody who asks for a record that isn't kept yet."""

LEVEL: Final = 6
"""Of gzip: 9 takes five times as long for 7 % less."""

log = logging.getLogger("fairway.records")


class CourseOpen(Exception):
    """The match is a round of a course that others may still play: nothing of its deals is given yet."""


Finished = Callable[[str, Row], Awaitable[None]]
"""Takes a course's id and a finished round of it, as often as it is heard of."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A record as it is kept: JSON, gzipped. `holes` were opened in its match; `unsolved`: codes without their best.

    `course`: the one that it is a round of, and `row` what it comes to there.
    """

    data: bytes
    ended_at_ms: int
    holes: int
    unsolved: tuple[str, ...]
    course: OnCourse | None
    row: Row | None


class RecordKeeper:
    """Makes, keeps and finds records. `now_ms` is the engine's clock.

    A round of a course says to `finished` what it came to, each time that its record is made: across matches nothing
    is atomic, so whoever comes by says it again. Its record is kept, and given, once its course is over.
    """

    def __init__(
        self,
        records: Records,
        matches: Matches,
        now_ms: Callable[[], int],
        lifetimes: Lifetimes,
        finished: Finished,
        solvers: Solvers,
    ) -> None:
        self._records, self._matches, self._now_ms, self._lifetimes = records, matches, now_ms, lifetimes
        self._finished, self._solvers = finished, solvers

    async def get(self, match_id: str) -> bytes | None:
        """Return an ended match's record as gzipped JSON; None if there is no such match, or no longer its record.

        Just after the end the best of a hole may still be missing in it; then it is not kept, and a later one has it.
        Raises NotEnded, CourseOpen, EngineError, Unreadable.
        """
        kept = await self._records.get(match_id)
        if kept is not None:
            return kept
        made = await self._make(match_id, ASKED_PATIENCE_S)
        if made is None or self._is_past(made):
            return None
        if self._is_open(made):
            raise CourseOpen
        if made.unsolved:
            return made.data
        try:
            return await self._put(match_id, made)
        except EngineError as error:  # it can be made, so it can be read; the sweep keeps it later
            log.warning("a record was not kept", extra={"match": match_id, "fault": error.code})
            return made.data

    async def story(self, match_id: str) -> dict[str, Any] | None:
        """Return what `get` does as plain values, of rounds of open courses too: it is not for those outside.

        Raises NotEnded, EngineError, Unreadable.
        """
        data = await self._records.get(match_id)
        if data is None:
            made = await self._make(match_id)
            data = None if made is None or self._is_past(made) else made.data
        return None if data is None else await asyncio.to_thread(_read, data)

    async def expect(self, match_id: str) -> None:
        """Before a match is made: see to it that somebody misses its record. Raises EngineError."""
        await self._records.expect(match_id, self._now_ms() + self._lifetimes.look_ms)

    async def keep(self, match_id: str) -> None:
        """Keep the record of a match that has ended, unless it is kept already. Raises EngineError.

        It waits a while for the best that the last holes' deals allowed, and then does without.
        """
        if (await self._records.standing(match_id)).kept:
            return
        try:
            made = await self._make(match_id, KEEP_PATIENCE_S)
        except (NotEnded, Unreadable):
            return  # it went backwards in a failover; or this program is too old, and a newer one will look
        if made is not None:
            await self._put(match_id, made)

    async def sweep(self, held: Container[str]) -> None:
        """Look at matches that may have ended unseen; those that this worker holds it sees. Raises EngineError."""
        for match_id in await self._records.due(MOST_AT_ONCE, self._lifetimes.look_ms):
            standing = await self._records.standing(match_id)
            if standing.kept or standing.last_at_ms is None:
                await self._records.settled(match_id)
            elif match_id not in held and self._now_ms() - standing.last_at_ms >= self._lifetimes.look_ms:
                await self._look(match_id)

    async def _look(self, match_id: str) -> None:
        try:
            made = await self._make(match_id, KEEP_PATIENCE_S)
        except (NotEnded, Unreadable):
            return
        if made is None or not made.holes or self._is_past(made):
            await self._records.settled(match_id)
        elif made.course is not None and self._is_open(made):
            await self._records.expect(match_id, made.course.closes_at_ms)
        else:
            log.info("a missed record is kept", extra={"match": match_id})
            await self._put(match_id, made)

    async def _make(self, match_id: str, patience_s: float = 0.0) -> _Made | None:
        """Make a record, with all that can be found of its deals within that time; of an open course's, nothing."""
        stored = await self._matches.read(match_id)
        if not stored:
            return None
        made = await asyncio.to_thread(_made, match_id, stored, {})
        if made.course is not None and made.row is not None:
            await self._finished(made.course.course_id, made.row)
        if not self._solvers.processes:
            return replace(made, unsolved=())
        if not patience_s or not made.unsolved or self._is_open(made):
            return made
        bests = await self._bests(made.unsolved, patience_s)
        return await asyncio.to_thread(_made, match_id, stored, bests)

    async def _bests(self, codes: Iterable[str], patience_s: float) -> dict[str, Best]:
        bests: dict[str, Best] = {}
        try:
            async with asyncio.timeout(patience_s):
                for code in codes:
                    bests[code] = await self._solvers.best(code)
        except (Unsolved, TimeoutError):
            log.warning("a record was made before the best of its holes was found")
        return bests

    async def _put(self, match_id: str, made: _Made) -> bytes:
        """Keep a record where there is anything to show in it; give the one that is kept."""
        if not made.holes or self._is_past(made) or self._is_open(made):
            return made.data
        return await self._records.put(match_id, made.data, self._ends_at_ms(made))

    def _ends_at_ms(self, made: _Made) -> int | None:
        """Return until when a record lives, None for ever: a round's counts from the end of its course."""
        lives_ms = self._lifetimes.record_ms
        begins_ms = max(made.ended_at_ms, 0 if made.course is None else made.course.closes_at_ms)
        return None if lives_ms is None else begins_ms + lives_ms

    def _is_past(self, made: _Made) -> bool:
        ends_at_ms = self._ends_at_ms(made)
        return ends_at_ms is not None and ends_at_ms <= self._now_ms()

    def _is_open(self, made: _Made) -> bool:
        return made.course is not None and self._now_ms() < made.course.closes_at_ms


def _made(match_id: str, stored: list[Stored], bests: Mapping[str, Best]) -> _Made:
    """Make the record of a stream. Raises NotEnded, Unreadable."""
    try:
        entries = load_entries(stored)
        made = record(entries, bests)
    except NotEnded:
        raise
    except Exception as error:
        raise unreadable(error, match_id) from error
    first = entries[0].body
    course = first.course if isinstance(first, Created) else None
    row = None if course is None else finished_round(replay(entries))
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    data = gzip.compress(text.encode(), LEVEL, mtime=0)
    return _Made(data, made["ended_at"], len(made["holes"]), tuple(unsolved(made)), course, row)


def _read(data: bytes) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(gzip.decompress(data))
    return plain
