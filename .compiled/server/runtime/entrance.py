"""The way into a match: host, join, watch, resume. Who a connection speaks for follows from its token alone.

Limits by address stand here: how often one may come in, make rooms, or guess at room codes. What is wrong is raised as
a ProtocolError; the gateway answers it.
"""

import asyncio
from typing import Final

from server import settings
from server.match.commands import Claim, Join
from server.match.entries import Created
from server.match.names import clean
from server.match.state import Match
from server.protocol import client as said
from server.protocol import courses
from server.protocol import server as say
from server.protocol.client import ProtocolError
from server.protocol.typed import options_of
from server.protocol.waiting import Quick
from server.protocol.words import words_of
from server.rules.codes import SEALING
from server.runtime.allowance import Allowances
from server.runtime.course_desk import CourseDesk
from server.runtime.hub import Hub
from server.runtime.ids import (
    TokenHash,
    is_room_code,
    match_id_of,
    new_room_code,
    new_secret,
    room_code_of,
    token_hash,
)
from server.runtime.room import Room
from server.runtime.session import BYE, REPLACED, Session

ENTRY_PATIENCE_S: Final = 6.0
"""Longest wait for the engine of somebody who wants in; then they are told, and may ask again."""
GUESSES: Final = (30.0, 0.2)
"""Of room codes that lead nowhere, by address: a few typing errors, no search."""
MOST_SPECTATORS: Final = 200
"""Of one match, on all workers."""


def error_of(code: str) -> ProtocolError:
    """Return the error that a code stands for, with its words."""
    return ProtocolError(code, words_of(code))


class Entrance:
    """Lets the connections of one worker into matches."""

    def __init__(self, hub: Hub, allowed: settings.Allowances, most_spectators: int, entry_patience_s: float) -> None:
        self._hub, self.most_spectators, self._patience_s = hub, most_spectators, entry_patience_s
        self.entries = Allowances(*allowed.entries)
        self.rooms = Allowances(*allowed.rooms)
        self._guesses = Allowances(*GUESSES)
        self._desk = CourseDesk(hub, hub.clubhouse)
        self.draining = False

    def __len__(self) -> int:
        """Count the addresses whose allowance is remembered."""
        return len(self.entries) + len(self.rooms) + len(self._guesses)

    async def come_in(self, session: Session, message: said.Message) -> None:
        """Let a connection into a match. Raises ProtocolError, EngineError, Unreadable."""
        if session.room is not None:
            raise error_of("in_match")
        if not self.entries.take(session.address):
            raise error_of("too_fast")
        try:
            # The line must not hang on an engine that is away: a page would take it for dead.
            async with asyncio.timeout(self._patience_s):
                if isinstance(message, said.Host):
                    await self._host(session, message)
                elif isinstance(message, said.JoinRoom):
                    await self._join(session, message)
                elif isinstance(message, said.Watch):
                    room = await self._room(session, message.room, message.match)
                    self._enter(session, room, None)
                elif isinstance(message, said.Resume):
                    await self._resume(session, message)
                elif isinstance(message, courses.PlayCourse):
                    await self._play_course(session, message)
                elif isinstance(message, Quick):
                    await self._quick(session, message)
                    return
        except TimeoutError:
            raise error_of("engine_away") from None
        self._hub.lookers.leave(session)
        self._hub.waiters.leave(session)

    async def ask_course(self, session: Session, message: courses.CourseMessage) -> None:
        """Answer what is asked about courses, in a match or in none. Raises ProtocolError, EngineError, Unreadable."""
        if not self.entries.take(session.address):
            raise error_of("too_fast")
        try:
            async with asyncio.timeout(self._patience_s):
                await self._desk.answer(session, message, lambda: self._allow_room(session))
        except TimeoutError:
            raise error_of("engine_away") from None

    def _allow_room(self, session: Session) -> None:
        """Take an address's credit for one more room or course."""
        if self.draining:
            raise error_of("draining")
        if not self.rooms.take(session.address):
            raise error_of("too_many_rooms")

    async def _play_course(self, session: Session, message: courses.PlayCourse) -> None:
        room, made = await self._desk.round_of(message, lambda: self._allow_room(session))
        owner = token_hash(message.token)
        if made:
            self._enter(session, room, room.seat_of(owner))
        else:
            await self._take_over(session, room, owner)

    async def _host(self, session: Session, message: said.Host) -> None:
        name = _name(message.name)
        options = options_of(message.options)
        if options.winnable and not self._hub.solvers.processes:
            raise error_of("winnable_off")
        owner, match_id = token_hash(message.token), match_id_of(message.token)
        room = await self._hub.open(match_id)
        if room is None:
            self._allow_room(session)
            while not await self._hub.make(
                Created(match_id, new_room_code(), options, new_secret(), 0, ((0, name, owner),), SEALING)
            ):
                pass
            room = await self._hub.open(match_id)
            if room is None:
                raise error_of("engine_away")
            self._enter(session, room, room.seat_of(owner))
        else:
            await self._take_over(session, room, owner)

    async def _quick(self, session: Session, message: Quick) -> None:
        name = _name(message.name)
        if self.draining:
            raise error_of("draining")
        code = await self._hub.waiters.wait(session, name, message.token, message.browser)
        if code is not None:
            raise error_of(code)

    async def _room(self, session: Session, code: str | None, match_id: str | None) -> Room:
        """Return the room that a code or an id leads to. Raises ProtocolError no_such_room."""
        if match_id is None and code is not None:
            match_id = await self._find(session, code)
        room = await self._hub.open(match_id) if match_id is not None else None
        if room is None:
            raise error_of("no_such_room")
        return room

    async def _find(self, session: Session, text: str) -> str | None:
        """Return the match that a typed code leads to; who types many that lead nowhere has to wait."""
        if self._guesses.empty(session.address):
            raise error_of("too_fast")
        code = room_code_of(text)
        match_id = await self._hub.matches.find_room(code) if is_room_code(code) else None
        if match_id is None:
            self._guesses.take(session.address)
        return match_id

    async def _join(self, session: Session, message: said.JoinRoom) -> None:
        name = _name(message.name)
        room = await self._room(session, message.room, message.match)
        owner = token_hash(message.token)
        if room.seat_of(owner) is not None:
            await self._take_over(session, room, owner)
            return
        refusal = await room.ask(Join(name, owner))
        seat = room.seat_of(owner)
        if seat is not None:
            self._enter(session, room, seat)
        elif refusal is not None and refusal.code == "not_open":
            self._enter(session, room, None)
        else:
            raise error_of(refusal.code if refusal is not None else "room_full")

    async def _resume(self, session: Session, message: said.Resume) -> None:
        room = await self._room(session, None, message.match)
        if message.token is None:
            if (message.version or 0) > room.state.version:
                await room.replica.refresh()
            self._enter(session, room, None, message.version)
            return
        owner = token_hash(message.token)
        if _knows_more(message, room.state, room.seat_of(owner)):
            await room.replica.refresh()
        seat = room.seat_of(owner)
        if seat is None:
            if owner in room.state.kicked:
                session.say(say.error("kicked"))
                session.hang_up(BYE)
                return
            raise error_of("wrong_token")
        generation = room.state.seats[seat].generation
        if message.generation is None:
            await self._take_over(session, room, owner)
        elif message.generation < generation:
            session.say(say.replaced())
            session.hang_up(REPLACED)
        else:
            self._enter(session, room, seat, message.version)

    async def _take_over(self, session: Session, room: Room, owner: TokenHash) -> None:
        """A fresh page speaks for the seat: the generation rises, older pages are told."""
        seat = room.seat_of(owner)
        if seat is None:
            raise error_of("wrong_token")
        refusal = await room.ask(Claim(seat))
        if refusal is not None:
            raise error_of(refusal.code)
        self._enter(session, room, seat)

    def _enter(self, session: Session, room: Room, seat: int | None, version: int | None = None) -> None:
        if seat is None and not _may_watch(room.state):
            raise error_of("no_spectators")
        if seat is None and room.audience.spectators(self._hub.clock.now_ms()) >= self.most_spectators:
            raise error_of("room_full")
        if room.gone:
            raise error_of("no_such_room")
        room.enter(session, seat, version)
        self._hub.entered(session)


def _knows_more(message: said.Resume, state: Match, seat: int | None) -> bool:
    """Whether a page that comes from another worker has seen what this one has not heard of yet.

    It must not be shown less than it saw: it would begin with a seq that was used, or take itself for replaced.
    """
    if seat is None or (message.version or 0) > state.version:
        return True
    return (message.generation or 0) > state.seats[seat].generation


def _may_watch(state: Match) -> bool:
    if state.course_open:
        return False  # whoever looks on may play the course yet
    return state.options.spectators != "off" or state.phase == "ended"


def _name(text: str) -> str:
    name = clean(text)
    if name is None:
        raise error_of("bad_name")
    return name
