"""How a match comes to be held: made once, loaded once however many ask, and heard from before it is read.

Shares the hub's rooms. Knows no sessions.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from server.match.due import rematch_of
from server.match.entries import Created, dump
from server.match.state import Match
from server.runtime.chores import Chores
from server.runtime.lifetimes import Lifetimes
from server.runtime.records import RecordKeeper
from server.runtime.replica import unreadable
from server.runtime.room import Room
from server.store.matches import Matches, Stored

log = logging.getLogger("fairway.hub")


class Opening:
    """Makes and loads the matches of one worker into `rooms`. `room_of` may raise for a stream that can't be read."""

    def __init__(
        self,
        matches: Matches,
        records: RecordKeeper,
        lifetimes: Callable[[], Lifetimes],
        chores: Chores,
        rooms: dict[str, Room],
        room_of: Callable[[list[Stored]], Room],
    ) -> None:
        self._matches, self._records, self._lifetimes, self._chores = matches, records, lifetimes, chores
        self._rooms, self._room_of = rooms, room_of
        self._opening: dict[str, asyncio.Future[Room | None]] = {}
        self._making: dict[str, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._opening)

    def __contains__(self, match_id: str) -> bool:
        return match_id in self._opening

    def under_way(self) -> Iterable[asyncio.Future[Room | None]]:
        """Return what is being loaded."""
        return self._opening.values()

    async def make(self, created: Created) -> bool:
        """Create a match and let its code lead to it; made twice, it is made once. Raises EngineError.

        False, and nothing made, where the code leads to another match: take another code.
        """
        claimed, _ = await asyncio.gather(
            self._matches.claim_room(created.room, created.match_id, self._lifetimes().playing_ms),
            self._records.expect(created.match_id),
        )
        if not claimed:
            return False
        await self._matches.create(created.match_id, dump(created), self._lifetimes().waiting_ms)
        return True

    def go_on(self, state: Match) -> None:
        """Make a rematch. Who was told of it may be on the way in already, and waits for this."""
        created = rematch_of(state)
        making = self._making[created.match_id] = self._chores.spawn(self._make_next(created, state.match_id))
        making.add_done_callback(lambda _: self._making.pop(created.match_id, None))

    async def _make_next(self, created: Created, match_id: str) -> None:
        if not await self.make(created):
            log.warning("a rematch's room code was taken", extra={"match": match_id})

    async def keep_code(self, state: Match) -> None:
        """Let a match's room code live as long as the match, now that it has begun."""
        await self._matches.keep_room(state.room, state.match_id, self._lifetimes().playing_ms)

    async def open(self, match_id: str) -> Room | None:
        """Return the room of a match, loading it if needed; None if there is no such match.

        Raises EngineError, or Unreadable.
        """
        if match_id in self._making:
            await asyncio.wait([self._making[match_id]])
        room = self._rooms.get(match_id)
        if room is not None and not room.gone:
            if not len(room.audience):
                room.idle_since = asyncio.get_running_loop().time()  # who opens it may not enter after all
            return room
        opening = self._opening.get(match_id)
        if opening is None:
            opening = self._opening[match_id] = asyncio.ensure_future(self._load(match_id))
            opening.add_done_callback(lambda done: self._opened(match_id, done))
        return await asyncio.shield(opening)

    def _opened(self, match_id: str, done: asyncio.Future[Room | None]) -> None:
        self._opening.pop(match_id, None)
        if not done.cancelled():
            done.exception()  # who still waits for it gets it; it may be that nobody does any more

    async def _load(self, match_id: str) -> Room | None:
        room: Room | None = None
        early: list[Any] = []

        def heard(stored: list[Any]) -> None:
            if room is None:
                early.extend(stored)
            else:
                room.replica.take(stored)

        word = lambda said: room.reactions.heard(said) if room is not None else None  # noqa: E731 - handed on
        await self._matches.subscribe(match_id, heard, own=False, word=word)
        try:
            stored = await self._matches.read(match_id)
            if stored is None:
                await self._matches.unsubscribe(match_id)
                return None
            leases = await self._matches.presence([match_id])
            try:
                room = self._room_of(stored)
            except Exception as error:
                raise unreadable(error, match_id) from error
        except BaseException:
            await self._matches.unsubscribe(match_id)
            raise
        room.audience.heard_leases(leases.get(match_id, {}))
        self._rooms[match_id] = room
        room.replica.take(early)
        if room.state.phase == "ended":
            self._chores.spawn(self._records.keep(match_id))
        return room
