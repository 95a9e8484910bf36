"""All matches that this worker holds: opening, closing, polling, presence, the beat, the lobby.

A match is held while somebody here listens to it and a little longer. Publication only hurries: every held match's
head is compared with the engine's every two seconds.
"""

import asyncio
import logging
from collections.abc import Mapping

from server.match.entries import Acted, BotSeated, Created, Entry, HoleOpened, MatchEnded, RematchNamed
from server.match.state import Match, Phase
from server.protocol import server as say
from server.runtime.chores import Chores
from server.runtime.clock import EngineClock
from server.runtime.clubhouse import Clubhouse
from server.runtime.company import TICK_S, Company
from server.runtime.house import House
from server.runtime.lifetimes import Lifetimes
from server.runtime.lookers import Lookers, line_of
from server.runtime.metrics import Metrics
from server.runtime.opening import Opening
from server.runtime.outbox import frame
from server.runtime.records import SWEEP_S, RecordKeeper
from server.runtime.room import Room
from server.runtime.session import Session
from server.runtime.solving import Solvers
from server.runtime.waiters import ASK_S, Waiters
from server.store.courses import Courses
from server.store.errors import EngineError
from server.store.lobby import Lobby
from server.store.matches import OUTAGE_MS, Matches, State, Stored
from server.store.queue import Queue
from server.store.records import Records

BEAT_S = 0.5
BEAT_PATIENCE_S = 1.5
"""A beat that takes longer is as good as none: an outage counts from two seconds."""
POLL_S = 2.0
POLL_SLICE = 50
"""Matches that are compared in one go: between two goes moves are heard."""
LEASE_MS = 15_000
TOUCH_EVERY = 3
"""Leases are refreshed at every third poll, so that two refreshes may fail."""
LINGER_S = 5.0

log = logging.getLogger("fairway.hub")


class Hub:
    """The rooms of one worker. `open` may be called by many at once; a match is loaded once."""

    def __init__(
        self,
        matches: Matches,
        lobby: Lobby,
        records: Records,
        courses: Courses,
        clock: EngineClock,
        lifetimes: Lifetimes,
        metrics: Metrics,
        house: House,
        solvers: Solvers,
        queue: Queue,
    ) -> None:
        self.matches, self.clock, self._lifetimes = matches, clock, lifetimes
        self.metrics, self.house, self.solvers = metrics, house, solvers
        self.rooms: dict[str, Room] = {}
        self.lookers = Lookers(lobby)
        self.records = RecordKeeper(
            records,
            matches,
            lambda: self.clock.now_ms(),
            lifetimes,
            lambda course_id, row: self.clubhouse.finished(course_id, row),
            solvers,
        )
        self.clubhouse = Clubhouse(
            courses,
            self.records,
            lambda: self.clock.now_ms(),
            lambda: self._lifetimes.record_ms,
            self._phase_of,
            solvers.strokes,
        )
        self.sessions: set[Session] = set()
        self.chores = Chores(metrics)
        self.company = Company(
            lambda: self.clock.now_ms(),
            self.chores.spawn,
            self.records.story,
            lambda room: self.rooms.get(room.state.match_id) is room,
        )
        self._opening = Opening(
            matches, self.records, lambda: self._lifetimes, self.chores, self.rooms, self._room_of
        )
        self.waiters = Waiters(queue, self.make, self.chores.spawn, lambda: self.clock.now_ms())
        self._outages: tuple[tuple[int, int], ...] = ()
        self._polls = 0
        self._beat_at_ms = 0
        self.engine_up = True
        self._ended: dict[str, list[str]] = {}

    # -- life

    async def start(self) -> None:
        """Read the engine's clock and outages, then keep beating and polling. Raises EngineError."""
        await self._beat()
        self._outages = tuple(await self.matches.outages())
        self.chores.every(BEAT_S, self._beat)
        self.chores.every(POLL_S, self._poll)
        self.chores.every(ASK_S, self.waiters.ask_all)
        self.chores.every(TICK_S, self.company.tick)
        self.chores.every(SWEEP_S, lambda: self.records.sweep(self.rooms))

    async def settle(self, patience_s: float = 3.0) -> None:
        """Begin nothing by the clock any more, and wait a while for what is in flight."""
        for room in self.rooms.values():
            room.stop_timer()
        loop = asyncio.get_running_loop()
        until = loop.time() + patience_s
        while loop.time() < until and not all(  # noqa: ASYNC110 - many rooms settle, each in its own callback
            room.settled for room in self.rooms.values()
        ):
            await asyncio.sleep(0.02)

    async def stop(self, patience_s: float = 0.5) -> None:
        """Once all sessions have left: let their leases end if the engine does it soon, and end what runs."""
        for room in self.rooms.values():
            room.stop_timer()
        await self.chores.stop(self._opening.under_way(), patience_s)

    def measure(self) -> None:
        """Take the sizes of all that this worker holds."""
        self.metrics.gauges |= {
            "rooms": len(self.rooms),
            "sessions": sum(len(room.audience) for room in self.rooms.values()),
            "outages": len(self._outages),
            "tasks": len(self.chores),
            "opening": len(self._opening),
            "subscriptions": len(self.matches.ear),
            "appends_waiting": self.matches.pipeline.waiting,
            "unreplicated": self.matches.pipeline.unreplicated,
            "letters": sum(room.letters for room in self.rooms.values()),
            "leases_to_end": len(self._ended),
            "lobby_lookers": len(self.lookers),
            "house_players": len(self.house),
            "waiting": len(self.waiters),
            "rounds_in_company": len(self.company),
        }

    async def _beat(self) -> None:
        try:
            async with asyncio.timeout(BEAT_PATIENCE_S):
                at_ms, gap_ms = await self.matches.beat()
        except (EngineError, TimeoutError) as error:
            self.engine_is("down")
            raise EngineError("engine_away", "no beat") from error
        if self.matches.pipeline.state == "up":
            self.engine_is("up")
        away = gap_ms is not None or at_ms - self._beat_at_ms > OUTAGE_MS
        if away:
            # Another worker's beat may have ended the outage first: the list tells in either case. It is read before
            # the clock goes on, so that nothing falls due that is to be given back.
            self._outages = tuple(await self.matches.outages())
        self._beat_at_ms = at_ms
        self.clock.observe(at_ms)
        if away:
            for room in list(self.rooms.values()):
                room.wake()

    # -- rooms

    async def make(self, created: Created) -> bool:
        """Create a match, as `Opening.make` does. Raises EngineError."""
        return await self._opening.make(created)

    async def _phase_of(self, match_id: str) -> Phase | None:
        """Return a match's phase, None if there is no such match. Raises EngineError, or Unreadable."""
        room = await self.open(match_id)
        return None if room is None else room.state.phase

    async def open(self, match_id: str) -> Room | None:
        """Return the room of a match, as `Opening.open` does. Raises EngineError, or Unreadable."""
        return await self._opening.open(match_id)

    def _room_of(self, stored: list[Stored]) -> Room:
        """Make the room of a stream that was read whole; what it raises says why that can't be."""
        return Room(
            stored,
            self.matches,
            self.clock,
            outages=lambda: self._outages,
            changed=self._changed,
            spawn=self.chores.spawn,
            ttl_ms=self._lifetimes.of,
            metrics=self.metrics,
            solvers=self.solvers,
        )

    def lost(self, match_id: str) -> None:
        """A subscription was interrupted: read what may have been missed."""
        room = self.rooms.get(match_id)
        if room is not None:
            room.replica.catch_up()

    def _changed(self, room: Room, before: Match, entry: Entry) -> None:
        """After each applied entry: what other matches, the lobby and the log must know."""
        if room.state.course is not None:
            self.company.moved(room)
        if isinstance(entry.body, Acted):
            return  # it concerns nobody outside the match
        facts = {"match": room.state.match_id, "version": entry.version, "kind": type(entry.body).__name__}
        seat = getattr(entry.body, "seat", None)
        log.info("entry", extra=facts if seat is None else facts | {"seat": seat})
        if isinstance(entry.body, BotSeated):
            self.house.look(room)
        if isinstance(entry.body, RematchNamed):
            self._opening.go_on(room.state)
        if isinstance(entry.body, HoleOpened):
            self.chores.spawn(self._opening.keep_code(room.state))
        if isinstance(entry.body, MatchEnded) and room.state.hole:
            self.chores.spawn(self.records.keep(room.state.match_id))
        if room.state.options.visibility == "public" or before.options.visibility == "public":
            was, now = line_of(before), line_of(room.state)
            if was != now:
                self.chores.spawn(self.lookers.announce(room.state))

    async def _poll(self) -> None:
        self._polls += 1
        now = asyncio.get_running_loop().time()
        for room in list(self.rooms.values()):
            if room.idle_since is None and not len(room.audience):
                room.idle_since = now  # the last one did not just go: it left its seat, or was put out
            idle = (
                room.idle_since is not None and now - room.idle_since > LINGER_S and room.settled and not room.seeker
            )
            if room.gone or idle:
                await self._let_go(room)
        held = list(self.rooms)
        for start in range(0, len(held), POLL_SLICE):
            await self._compare([match_id for match_id in held[start : start + POLL_SLICE] if match_id in self.rooms])
        for room in list(self.rooms.values()):
            if line_of(room.state) is not None and len(room.audience):
                await self.lookers.announce(room.state)
        await self.lookers.show()

    async def _let_go(self, room: Room) -> None:
        """Hold a match no longer. Whoever opens it from now on, even while this waits, loads and subscribes anew."""
        match_id = room.state.match_id
        if self.rooms.get(match_id) is not room:
            return
        room.stop_timer()
        del self.rooms[match_id]
        if match_id not in self._opening:  # there the subscription is the new room's already
            await self.matches.unsubscribe(match_id)  # takes effect at once
        await self._end_leases(match_id)

    async def _compare(self, held: list[str]) -> None:
        if self._polls % TOUCH_EVERY == 1:
            await self.touch({match_id: self.rooms[match_id].audience.leases(LEASE_MS) for match_id in held})
        for match_id in [match_id for match_id in held if match_id in self._ended]:
            await self._end_leases(match_id)
        leases = await self.matches.presence(held)
        rooms = {match_id: self.rooms[match_id] for match_id in held if match_id in self.rooms}
        asked = {match_id: (room, room.replica.head) for match_id, room in rooms.items()}
        for match_id, head in (await self.matches.heads(asked)).items():
            room, asked_at = asked[match_id]
            if self.rooms.get(match_id) is room:
                if match_id in leases:
                    room.audience.heard_leases(leases[match_id])
                room.replica.head_is(head, asked_at)
                room.look_around()
                self.house.look(room)

    async def touch(self, batch: Mapping[str, Mapping[str, int]]) -> None:
        """Refresh or end leases."""
        await self.matches.touch_many({match_id: members for match_id, members in batch.items() if members})

    async def _end_leases(self, match_id: str) -> None:
        members = self._ended.pop(match_id, [])
        if members:
            await self.touch({match_id: dict.fromkeys(members, 0)})

    # -- sessions

    def entered(self, session: Session) -> None:
        """Lease the session its presence at once, so that other workers see it at their next poll."""
        if session.room is not None:
            session.lease = session.room.state.match_id, session.member
            self.chores.spawn(self.touch({session.lease[0]: {session.lease[1]: LEASE_MS}}))
            session.room.look_around()
            self.house.look(session.room)
            self.company.entered(session.room, session)

    def greeted(self, session: Session) -> None:
        """A connection has begun; from now on it hears what is wrong with the server."""
        self.sessions.add(session)
        if not self.engine_up:
            session.say(say.status("engine_away"))

    def left(self, session: Session) -> None:
        """A connection is over, in a match or not; its lease ends with it, also where it had lost its seat before."""
        self.sessions.discard(session)
        self.lookers.leave(session)
        self.waiters.leave(session)
        if session.room is not None:
            session.room.leave(session)
        if session.lease is not None:
            match_id, member = session.lease
            self._ended.setdefault(match_id, []).append(member)
            self.chores.spawn(self._end_leases(match_id))
            room = self.rooms.get(match_id)
            if room is not None:
                room.audience.forget(member, self.clock.now_ms())
                room.look_around()

    def engine_is(self, state: State) -> None:
        """Take word of the engine, from the appends' connection or the beat; a change shows as a banner."""
        if (state == "up") is self.engine_up:
            return
        self.engine_up = state == "up"
        if self.engine_up:
            self.metrics.count("engine_reconnects")
        self.say_all("ok" if self.engine_up else "engine_away")

    def say_all(self, state: str) -> None:
        """Show a banner to everybody, in a match or not."""
        payload = say.encode(say.status(state))
        framed = frame(payload)
        for session in self.sessions:
            session.outbox.push(payload, framed)
