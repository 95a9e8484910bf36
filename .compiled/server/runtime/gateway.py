"""The sockets: greet, parse, let into matches, pass on commands. A bad message gets an answer and costs only itself.

Roles come from here alone: who a connection speaks for follows from its token, never from what a message claims.
"""

import asyncio
import contextlib
import itertools
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request

from server import settings
from server.match.view import best_view
from server.protocol import client as said
from server.protocol import server as say
from server.protocol.client import PROTOCOL, ProtocolError, parse
from server.protocol.courses import CourseMessage
from server.protocol.waiting import QuickOff
from server.runtime.addresses import Network, party_of
from server.runtime.allowance import Allowance
from server.runtime.deciding import Letter
from server.runtime.entrance import ENTRY_PATIENCE_S, MOST_SPECTATORS, Entrance, error_of
from server.runtime.hub import Hub
from server.runtime.outbox import Outbox, Post
from server.runtime.replica import Unreadable
from server.runtime.session import RELOAD, RESTART, TRY_LATER, Session
from server.runtime.translate import command_of
from server.runtime.wire import done, listen
from server.store.errors import EngineError

GREETING_S = 10.0

log = logging.getLogger("fairway.gateway")


class Gateway:
    """Serves the connections of one worker."""

    def __init__(
        self,
        hub: Hub,
        worker: str,
        *,
        direct: bool = True,
        allowed: settings.Allowances = settings.Allowances(),  # noqa: B008 - a frozen value
        most_spectators: int = MOST_SPECTATORS,
        entry_patience_s: float = ENTRY_PATIENCE_S,
        greeting_s: float = GREETING_S,
        trusted: Sequence[Network] = (),
    ) -> None:
        self._hub, self._worker, self._direct, self._messages = hub, worker, direct, allowed.messages
        self._most_by_address, self._greeting_s, self._trusted = allowed.connections, greeting_s, trusted
        self.entrance = Entrance(hub, allowed, most_spectators, entry_patience_s)
        self._by_address: Counter[str] = Counter()
        self._post = Post()
        self._numbers = itertools.count(1)
        self._closing: set[asyncio.Task[None]] = set()
        self.connections: set[ServerConnection] = set()
        self._closed = False

    async def serve(self, ws: ServerConnection) -> None:
        """Run one connection to its end; never raises for anything that a client does."""
        address = self.party(ws, ws.request)
        session = Session(
            f"{self._worker}.{next(self._numbers)}", address, Outbox(ws, self._post, self._direct), self._closer(ws)
        )
        allowance = Allowance(*self._messages)
        self.connections.add(ws)
        self._by_address[address] += 1
        try:
            if self._closed:
                session.hang_up(RESTART)
            elif self._by_address[address] > self._most_by_address:
                self._answer_error(session, error_of("too_many"))
                session.hang_up(TRY_LATER)
            elif await self._greet(ws, session, allowance):
                listen(ws, lambda data: self._hear_now(session, allowance, data))
                async for message in ws:
                    if not self._may_speak(session, allowance):
                        break
                    await self._heard(session, message)
                    done(ws)
            # Returning closes the line in plain words; what hangs up says why, and must come first.
            await ws.wait_closed()
        except ConnectionClosed:
            pass
        finally:
            self.connections.discard(ws)
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
            if session.outbox.overflowed:
                self._hub.metrics.count("overflows")
            self._hub.left(session)

    async def close(self, patience_s: float = 2.5) -> None:
        """End all connections, and at once whoever still comes; they find another worker.

        A reader that stopped takes no goodbye: after `patience_s` nobody is waited for.
        """
        self._closed = True
        ending = [asyncio.ensure_future(ws.close(RESTART, "restart")) for ws in list(self.connections)]
        if ending:
            _, late = await asyncio.wait(ending, timeout=patience_s)
            for one in late:
                one.cancel()
            await asyncio.gather(*ending, return_exceptions=True)

    def party(self, ws: ServerConnection, request: Request | None) -> str:
        """Return whom a connection's limits count for."""
        peer = str(ws.remote_address[0]) if ws.remote_address else ""
        forwarded_for = request.headers.get_all("X-Forwarded-For") if request is not None else []
        return party_of(peer, forwarded_for, self._trusted)

    def _may_speak(self, session: Session, allowance: Allowance) -> bool:
        """Take one message's credit; a flood ends the connection."""
        if allowance.take():
            return True
        self._answer_error(session, error_of("too_fast"))
        session.hang_up(1008)
        return False

    def _closer(self, ws: ServerConnection) -> Callable[[int], None]:
        """Return what ends a connection after all that was said to it."""

        async def close(code: int) -> None:
            await asyncio.sleep(0)  # let the outbox of this tick go first
            with contextlib.suppress(ConnectionClosed):
                await ws.close(code)

        def hang_up(code: int) -> None:
            task = asyncio.get_running_loop().create_task(close(code))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

        return hang_up

    async def _greet(self, ws: ServerConnection, session: Session, allowance: Allowance) -> bool:
        """Wait for hello; anything else is answered, and a silent line is not kept."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._greeting_s):
                async for message in ws:
                    done(ws)
                    if not self._may_speak(session, allowance):
                        return False
                    try:
                        hello = self._parsed(message)
                    except ProtocolError as error:
                        self._answer_error(session, error)
                        continue
                    if not isinstance(hello, said.Hello):
                        self._answer_error(session, error_of("not_greeted"))
                        continue
                    if hello.protocol != PROTOCOL:
                        self._answer_error(session, error_of("protocol_newer"))
                        session.hang_up(RELOAD)
                        return False
                    self._hub.metrics.count("connections")
                    session.say(say.welcome(self._worker, self._hub.clock.now_ms()))
                    self._hub.greeted(session)
                    if self.entrance.draining:
                        session.say(say.status("draining"))
                    return True
        self._answer_error(session, error_of("not_greeted"))
        session.hang_up(1008)
        return False

    def _answer_error(self, session: Session, error: ProtocolError) -> None:
        self._hub.metrics.count("errors", error.code)
        session.say(say.error(error.code, error.words, error.params))

    def measure(self) -> None:
        """Take the sizes of all that this worker holds."""
        self._hub.measure()
        self._hub.metrics.gauges |= {
            "open_connections": len(self.connections),
            "closing": len(self._closing),
            "addresses": len(self._by_address) + len(self.entrance),
        }

    def _parsed(self, message: str | bytes) -> said.Message:
        if isinstance(message, bytes):
            raise error_of("binary")
        return parse(message)

    def _hear_now(self, session: Session, allowance: Allowance, data: bytes) -> bool:
        """Take a seat's command within the connection's own callback; False leaves a message to the task."""
        if session.room is None or session.seat is None:
            return False
        try:
            message = parse(data)
        except ProtocolError:
            return False
        seq = getattr(message, "seq", 0)
        if not seq:
            return False
        if self._may_speak(session, allowance):
            try:
                self._command(session, message)  # type: ignore[arg-type]  # those with a seq are the seats'
            except ProtocolError as error:
                self._refuse(session, seq, error)
            except Exception:
                self._failed(session)
        return True

    def _refuse(self, session: Session, seq: int, error: ProtocolError) -> None:
        self._hub.metrics.count("refusals", error.code)
        session.say(say.refused(seq, error.code, error.params, error.words))

    def _failed(self, session: Session) -> None:
        """A fault of ours costs this connection, whose page comes back; the others hear nothing of it."""
        match_id = session.room.state.match_id if session.room is not None else ""
        log.exception("a message could not be answered", extra={"match": match_id, "seat": session.seat})
        session.hang_up(1011)

    async def _heard(self, session: Session, raw: str | bytes) -> None:
        """Answer one message."""
        try:
            message = self._parsed(raw)
        except ProtocolError as error:
            self._answer_error(session, error)
            return
        seq = getattr(message, "seq", 0)
        try:
            if seq:
                self._command(session, message)  # type: ignore[arg-type]  # those with a seq are the seats'
            else:
                await self._ask(session, message)
        except ProtocolError as error:
            if seq:
                self._refuse(session, seq, error)
            else:
                self._answer_error(session, error)
        except Unreadable as error:
            self._answer_error(session, error_of(error.code))
        except EngineError as error:
            log.warning("engine", extra={"fault": error.code})
            self._answer_error(session, error_of("engine_away"))
        except Exception:
            self._failed(session)

    def _command(self, session: Session, message: said.SeatMessage) -> None:
        room = session.room
        if room is None:
            raise error_of("not_in_match")
        if session.seat is None:
            raise error_of("spectators_cannot")
        if isinstance(message, said.AddBotSaid) and self._hub.house.full:
            raise error_of("bots_off")
        command = command_of(message, session.seat)
        # Asked last: what contradicts itself is wrong on every server.
        if isinstance(message, said.SetOptionsSaid) and message.options.winnable and not self._hub.solvers.processes:
            raise error_of("winnable_off")
        room.post(Letter(command, session, session.seat, session.generation, message.seq))

    async def _ask(self, session: Session, message: said.Message) -> None:
        if isinstance(message, said.Ping):
            session.say(say.pong(message.n, self._hub.clock.now_ms()))
        elif isinstance(message, said.BestAsk):
            session.say(say.best(_best(session)))
        elif isinstance(message, said.LobbyAsk):
            if message.off:
                self._hub.lookers.leave(session)
            else:
                await self._hub.lookers.look(session)
        elif isinstance(message, QuickOff):
            self._hub.waiters.leave(session)
        elif isinstance(message, said.React):
            self._react(session, message)
        elif isinstance(message, said.Hello):
            session.say(say.welcome(self._worker, self._hub.clock.now_ms()))
        elif isinstance(message, CourseMessage):
            await self.entrance.ask_course(session, message)
        else:
            await self.entrance.come_in(session, message)

    def _react(self, session: Session, message: said.React) -> None:
        if session.room is None:
            raise error_of("not_in_match")
        if session.seat is None:
            raise error_of("spectators_cannot")
        if not session.room.reactions.say(session.seat, message.reaction):
            raise error_of("too_fast")


def _best(session: Session) -> dict[str, Any]:
    """Return the best line of a session's match. Raises ProtocolError."""
    if session.room is None:
        raise error_of("not_in_match")
    best = best_view(session.room.state)
    if best is None:
        raise error_of("no_best")
    return best
