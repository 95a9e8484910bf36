"""Commands to the engine over one connection: a loop tick's commands are one write, replies come in order.

Law: a broken connection means *unknown*, not failed. Whoever submits here gives only commands that may be
sent twice; what was outstanding when the connection broke is sent again, and every callback is called
exactly once.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal

import hiredis

from server.store.line import Address, Line, Part, pack
from server.store.scripts import Script
from server.store.verdicts import VERDICTS, Command, Refusal, Then

State = Literal["up", "down"]
Redirect = Callable[[Address, Command, str], None]

log = logging.getLogger(__name__)

REPLICA_PATIENCE_MS = 1_000
"""How long a tick's appends wait for the replicas at most; what is then not replicated is acked all the same."""
_THIN_PATIENCE_MS = 20
"""The same once replicas did not answer, until they do: play goes on without them."""
_WATCH_S = 0.25
_FIRST_DELAY_S = 0.05
_LONGEST_DELAY_S = 1.0
_MOST_LOADS = 8
_OWN = -1
_WAIT = -2


def ignored(reply: object) -> None:
    """Nobody asked for this reply."""


def pause_s(tries: int) -> float:
    """How long to wait before the next try: longer each time."""
    return min(_FIRST_DELAY_S * 2.0 ** min(tries - 1, 8), _LONGEST_DELAY_S)


class Pipeline:
    """One pipelined connection. Every method is called from the loop that `start` was called in.

    A callback gets the reply as hiredis gives it (bytes, int, list, None), or a `Refusal`. It is called from
    the connection's own callback and may submit more. A silent engine is reported `down` after
    `stall_after_s` and connected to anew after `reply_timeout_s`; what waits goes on waiting, however long it
    takes. Only above `most_waiting` commands is a new one refused, with `engine_away`.

    With `replicas`, each tick's durable commands are followed by one WAIT, and answered after it.
    `redirect(address, command, words)` takes a command that the engine says is another node's.
    """

    def __init__(
        self,
        address: Address,
        *,
        scripts: Sequence[Script] = (),
        on_state: Callable[[State], None] | None = None,
        stall_after_s: float = 2.0,
        reply_timeout_s: float = 6.0,
        most_waiting: int = 50_000,
        replicas: int = 0,
        redirect: Redirect | None = None,
    ) -> None:
        self.address = address
        self._scripts = tuple(scripts)
        self._on_state = on_state
        self._stall_after_s, self._reply_timeout_s = stall_after_s, reply_timeout_s
        self._most_waiting = most_waiting
        self._replicas, self._redirect = replicas, redirect
        self._line = Line(address, on_open=self._opened, hear=self._heard, on_close=self._lost)
        self._buffer: list[Command] = []
        self._sent: deque[Command] = deque()
        self._held: list[tuple[Command, object]] = []
        self._later: list[Command] = []
        self._waiting = 0
        self._flush_due = self._load_due = self._later_due = self._watched = self._thin = False
        self._silent_s = 0.0
        self._state: State = "down"
        self._closed = False
        self._idle: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop
        self.writes = 0
        """How many times bytes were handed to a connection: a measure of how much commands share."""
        self.unreplicated = 0
        """How many durable commands were answered though too few replicas had them in time."""

    @property
    def state(self) -> State:
        """Whether the engine answers."""
        return self._state

    @property
    def waiting(self) -> int:
        """How many commands have not been answered."""
        return self._waiting

    @property
    def client_id(self) -> int | None:
        """The engine's id of the present connection, or of the last one."""
        return self._line.client_id

    @property
    def trouble(self) -> str:
        """Why the last attempt to connect failed; empty when it did not."""
        return self._line.trouble

    def start(self) -> None:
        """Begin to connect; returns at once. Commands may be submitted from now on."""
        self._loop = asyncio.get_running_loop()
        self._line.start()

    def submit(
        self,
        parts: tuple[Part, ...],
        callback: Callable[[object], None] = ignored,
        key: str = "",
        durable: bool = False,
    ) -> None:
        """Send a command that may be carried out twice without harm; `callback` gets its answer, later.

        `key` says in a cluster where to; a single engine needs none.
        """
        if self._closed or self._waiting >= self._most_waiting:
            code = "closed" if self._closed else "engine_away"
            self._loop.call_soon(callback, Refusal(code, "not sent"))
            return
        self._waiting += 1
        self._push(Command(pack(parts), callback, _OWN, durable and self._replicas > 0))

    async def ask(self, *parts: Part) -> object:
        """Submit, and await the reply or the `Refusal`."""
        future: asyncio.Future[object] = self._loop.create_future()
        self.submit(parts, lambda reply: None if future.done() else future.set_result(reply))
        return await future

    def adopt(self, command: Command, *, asking: bool = False) -> None:
        """Send a command that another node would not take; `asking`: its slot is on its way here."""
        if self._closed:
            self._loop.call_soon(command.callback, Refusal("closed", "unknown whether it was carried out"))
            return
        if asking:
            self._push_own(("ASKING",), ignored)
        self._waiting += 1
        self._push(command)

    def give_up(self) -> list[Command]:
        """Hand over all that another node may answer instead, and answer none of it here. Then close it."""
        outstanding = [*(command for command, _ in self._held), *self._sent, *self._buffer, *self._later]
        for kept in (self._held, self._sent, self._buffer, self._later):
            kept.clear()
        self._waiting = 0
        self._line.drop()
        return [command for command in outstanding if command.slot >= 0]

    async def close(self, patience_s: float = 2.0) -> None:
        """Wait for what is outstanding, then close; what has no answer by then is refused with `closed`."""
        self._idle = asyncio.Event()
        if self._waiting:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience_s):
                    await self._idle.wait()
        self._closed = True
        await self._line.close()
        left = [*(command for command, _ in self._held), *self._sent, *self._later, *self._buffer]
        for kept in (self._held, self._sent, self._later, self._buffer):
            kept.clear()
        for command in left:
            if command.slot != _WAIT:
                self._finish(command, Refusal("closed", "unknown whether it was carried out"))

    def _push(self, command: Command) -> None:
        self._buffer.append(command)
        if not self._flush_due:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    def _push_own(self, parts: tuple[Part, ...], callback: Callable[[object], None]) -> None:
        self._waiting += 1
        self._push(Command(pack(parts), callback, _OWN))

    def _flush(self) -> None:
        self._flush_due = False
        if not self._buffer or not self._line.is_open:
            return
        batch, self._buffer = self._buffer, []
        if self._replicas and any(command.durable for command in batch):
            patience_ms = _THIN_PATIENCE_MS if self._thin else REPLICA_PATIENCE_MS
            batch.append(Command(pack(("WAIT", self._replicas, patience_ms)), self._replicated, _WAIT))
        self._line.write(b"".join([command.data for command in batch]))
        self.writes += 1
        self._sent.extend(batch)
        if not self._watched:
            self._watched = True
            self._loop.call_later(_WATCH_S, self._watch)

    def _heard(self, reply: object) -> None:
        if self._silent_s:
            self._silent_s = 0.0
            self._tell("up")
        if not self._sent:  # an engine that speaks unasked is about to close, or is none
            self._line.drop()
            return
        command = self._sent.popleft()
        if type(reply) is hiredis.ReplyError:
            self._judge(command, str(reply))
        elif command.durable:
            self._held.append((command, reply))
        elif command.slot == _WAIT:
            self._replicated(reply)
        else:
            self._finish(command, reply)

    def _finish(self, command: Command, reply: object) -> None:
        self._waiting -= 1
        if self._idle is not None and not self._waiting:
            self._idle.set()
        try:
            command.callback(reply)
        except Exception as error:
            # One caller's fault must not cost the others their answers.
            self._loop.call_exception_handler({"message": "an answer's callback failed", "exception": error})

    def _judge(self, command: Command, words: str) -> None:
        verdict = VERDICTS.get(words.partition(" ")[0], "refused")
        command.tries += 1
        if command.slot == _WAIT:
            if isinstance(verdict, str) and "replica" not in words:
                self._replicated(0)  # it knows no WAIT, or forbids it
            else:
                self._line.drop()  # it is a replica by now: all that it was to wait for is unknown
        elif isinstance(verdict, str):
            self._finish(command, Refusal(verdict, words))
        elif verdict is Then.FOLLOW:
            if self._redirect is None or command.slot < 0:
                self._finish(command, Refusal("moved", words))
            else:
                self._waiting -= 1
                self._redirect(self.address, command, words)
        elif verdict is Then.LOAD:
            if command.tries > _MOST_LOADS:
                self._finish(command, Refusal("refused", words))
                return
            if not self._load_due:
                self._load_due = True
                for script in self._scripts:
                    self._push_own(("SCRIPT", "LOAD", script.text), self._loaded)
            self._push(command)
        else:
            self._later.append(command)
            if not self._later_due:
                self._later_due = True
                self._loop.call_later(pause_s(command.tries), self._send_later, verdict is Then.RECONNECT)

    def _replicated(self, reply: object) -> None:
        """Answer what the replicas have, and what they do not have in time: it is in the stream, not refused."""
        short = not isinstance(reply, int) or reply < self._replicas
        if short != self._thin:
            self._thin = short
            log.warning("too few replicas answer" if short else "the replicas answer again")
        held, self._held = self._held, []
        if short:
            self.unreplicated += len(held)
        for command, answer in held:
            self._finish(command, answer)

    def _loaded(self, reply: object) -> None:
        self._load_due = False

    def _send_later(self, reconnect: bool) -> None:
        self._later_due = False
        if self._closed:
            return
        self._buffer[:0] = self._later
        self._later.clear()
        if reconnect:
            self._line.drop()
        elif not self._flush_due:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    def _opened(self) -> None:
        self._silent_s = 0.0
        self._tell("up")
        self._flush()

    def _lost(self) -> None:
        # What was answered but not yet replicated is unknown too: a replica that takes over may not have it.
        held = [command for command, _ in self._held]
        self._buffer[:0] = [*held, *(command for command in self._sent if command.slot != _WAIT)]
        self._held.clear()
        self._sent.clear()
        self._load_due = False
        self._tell("down")

    def _watch(self) -> None:
        """Count silence by ticks, not by the clock: a loop that was held up must not blame the engine."""
        if not self._sent:
            self._watched = False
            if self._silent_s:
                self._silent_s = 0.0
                self._tell("up" if self._line.is_open else "down")
            return
        self._loop.call_later(_WATCH_S, self._watch)
        self._silent_s += _WATCH_S
        if self._silent_s >= self._reply_timeout_s:
            self._line.drop()
        elif self._silent_s >= self._stall_after_s:
            self._tell("down")

    def _tell(self, state: State) -> None:
        if state != self._state:
            self._state = state
            if self._on_state is not None:
                self._on_state(state)
