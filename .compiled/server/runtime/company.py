"""The ghosts beside the rounds that this worker holds: fetched once, then shown as far as their clocks have come.

`match.ghosts` says what of a ghost may be seen; here it is asked when a round's page comes in, when its seat acts, and
a few times a second. A ghost that can't be fetched stays away, and the round goes on without it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from server.match.ghosts import Ghost, ghost_of, ghosts_view
from server.match.record import NotEnded
from server.protocol import course_frames as say
from server.protocol.server import encode
from server.runtime.replica import Unreadable
from server.runtime.room import Room
from server.runtime.session import Session

TICK_S: Final = 0.4
SEAT: Final = 0
"""A round has one seat."""

log = logging.getLogger("fairway.company")


class Company:
    """Shows ghosts to the pages of rounds.

    `story` fetches a match's record as plain values, None where it is gone; `held`: this worker holds the room still.
    """

    def __init__(
        self,
        now_ms: Callable[[], int],
        spawn: Callable[[Awaitable[None]], object],
        story: Callable[[str], Awaitable[dict[str, Any] | None]],
        held: Callable[[Room], bool],
    ) -> None:
        self._now_ms, self._spawn, self._story, self._held = now_ms, spawn, story, held
        self._beside: dict[Room, list[Ghost] | None] = {}
        self._told: dict[Room, bytes] = {}

    def __len__(self) -> int:
        """Count the rounds that have company."""
        return len(self._beside)

    def entered(self, room: Room, session: Session) -> None:
        """A page has come in: if it is a round's, it is shown the ghosts, as soon as they are here."""
        course = room.state.course
        if course is None or not course.ghosts or session.seat != SEAT:
            return
        if room not in self._beside:
            self._beside[room] = None
            self._spawn(self._fetch(room))
        elif room in self._told:
            session.outbox.push(self._told[room])

    def moved(self, room: Room) -> None:
        """The round has gone on: a draw of its own may open something, a new hole begins anew."""
        if room in self._beside:
            self._show(room)

    async def tick(self) -> None:
        """Let the clocks go on; forget rounds that this worker holds no longer."""
        for room in list(self._beside):
            if not self._held(room):
                self._beside.pop(room)
                self._told.pop(room, None)
            elif room.audience.sessions:
                self._show(room)

    async def _fetch(self, room: Room) -> None:
        course = room.state.course
        names = course.ghosts if course is not None else ()
        found: list[Ghost] = []
        for name in names:
            try:
                story = await self._story(name.match_id)
                if story is not None:
                    found.append(await asyncio.to_thread(ghost_of, story, name.seat, name.name))
            except (NotEnded, Unreadable, ValueError):
                log.warning("a ghost stays away", extra={"match": name.match_id})
        if room in self._beside:
            self._beside[room] = found
            self._show(room)

    def _show(self, room: Room) -> None:
        ghosts = self._beside[room]
        if not ghosts:
            return
        rows = ghosts_view(room.state, SEAT, ghosts, self._now_ms())
        payload = encode(say.ghosts(room.state.hole, rows))
        if self._told.get(room) != payload:
            self._told[room] = payload
            for session in room.audience.sessions.get(SEAT, []):
                session.outbox.push(payload)
