"""Commands to the engine over one connection: a loop tick's commands are one write, replies come in order.

Law: a broken connection means *unknown*, not failed. Whoever submits here gives only commands that may be
sent twice; what was outstanding when the connection broke is sent again, and every callback is called
exactly once.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Literal

import hiredis

from server.store.line import Address, Line, Part, pack
from server.store.scripts import Script

State = Literal["up", "down"]

_WATCH_S = 0.25
_FIRST_DELAY_S = 0.05
_LONGEST_DELAY_S = 1.0
_MOST_LOADS = 8


@dataclass(frozen=True, slots=True)
class Refusal:
    """Handed to a callback instead of a reply: the command was not carried out. `words` are the engine's."""

    code: str
    words: str


class Then(Enum):
    """What to do about an error reply that says that the command was not carried out."""

    LOAD = auto()
    """Load the scripts, then send it again."""
    AGAIN = auto()
    """Send it again after a while."""
    RECONNECT = auto()
    """Connect anew (a failover: the name may lead elsewhere by now), then send it again."""


VERDICTS: Mapping[str, Then | str] = MappingProxyType(
    {
        "NOSCRIPT": Then.LOAD,
        "LOADING": Then.AGAIN,  # the engine started and reads its file
        "BUSY": Then.AGAIN,  # somebody's slow script holds it
        "TRYAGAIN": Then.AGAIN,  # a slot is on its way between nodes
        "CLUSTERDOWN": Then.AGAIN,
        "MASTERDOWN": Then.AGAIN,
        "READONLY": Then.RECONNECT,  # this node is a replica now
        "MOVED": "moved",  # the slot is on another node: one connection cannot follow
        "ASK": "moved",
        "OOM": "oom",
        "MISCONF": "misconf",  # it cannot write its files
        "NOREPLICAS": "no_replicas",
        "NOPERM": "denied",
        "NOAUTH": "denied",
        "WRONGPASS": "denied",
    }
)
"""The first word of an error reply -> what follows, or the code to refuse with. All else: `refused`."""


def refusal_code(words: str) -> str:
    """The code that an error reply is refused with when it is not sent again."""
    verdict = VERDICTS.get(words.partition(" ")[0], "refused")
    return verdict if isinstance(verdict, str) else "engine_away"


class _Command:
    __slots__ = ("callback", "data", "tries")

    def __init__(self, data: bytes, callback: Callable[[object], None]) -> None:
        self.data = data
        self.callback = callback
        self.tries = 0


class Pipeline:
    """One pipelined connection. Every method is called from the loop that `start` was called in.

    A callback gets the reply as hiredis gives it (bytes, int, list, None), or a `Refusal`. It is called from
    the connection's own callback and may submit more. A silent engine is reported `down` after
    `stall_after_s` and connected to anew after `reply_timeout_s`; what waits goes on waiting, however long it
    takes. Only above `most_waiting` commands is a new one refused, with `engine_away`.
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
    ) -> None:
        self._scripts = tuple(scripts)
        self._on_state = on_state
        self._stall_after_s, self._reply_timeout_s = stall_after_s, reply_timeout_s
        self._most_waiting = most_waiting
        self._line = Line(address, on_open=self._opened, hear=self._heard, on_close=self._lost)
        self._buffer: list[_Command] = []
        self._sent: deque[_Command] = deque()
        self._later: list[_Command] = []
        self._waiting = 0
        self._flush_due = self._load_due = self._later_due = self._watched = False
        self._silent_s = 0.0
        self._state: State = "down"
        self._closed = False
        self._idle: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop
        self.writes = 0
        """How many times bytes were handed to a connection: a measure of how much commands share."""

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

    def submit(self, parts: tuple[Part, ...], callback: Callable[[object], None]) -> None:
        """Send a command that may be carried out twice without harm; `callback` gets its answer, later."""
        if self._closed or self._waiting >= self._most_waiting:
            code = "closed" if self._closed else "engine_away"
            self._loop.call_soon(callback, Refusal(code, "not sent"))
            return
        self._waiting += 1
        self._push(_Command(pack(parts), callback))

    async def ask(self, *parts: Part) -> object:
        """Submit, and await the reply or the `Refusal`."""
        future: asyncio.Future[object] = self._loop.create_future()
        self.submit(parts, lambda reply: None if future.done() else future.set_result(reply))
        return await future

    async def close(self, patience_s: float = 2.0) -> None:
        """Wait for what is outstanding, then close; what has no answer by then is refused with `closed`."""
        self._idle = asyncio.Event()
        if self._waiting:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience_s):
                    await self._idle.wait()
        self._closed = True
        await self._line.close()
        left = [*self._sent, *self._later, *self._buffer]
        self._sent.clear()
        self._later.clear()
        self._buffer.clear()
        for command in left:
            self._finish(command, Refusal("closed", "unknown whether it was carried out"))

    def _push(self, command: _Command) -> None:
        self._buffer.append(command)
        if not self._flush_due:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_due = False
        if not self._buffer or not self._line.is_open:
            return
        batch, self._buffer = self._buffer, []
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
        else:
            self._finish(command, reply)

    def _finish(self, command: _Command, reply: object) -> None:
        self._waiting -= 1
        if self._idle is not None and not self._waiting:
            self._idle.set()
        try:
            command.callback(reply)
        except Exception as error:
            # One caller's fault must not cost the others their answers.
            self._loop.call_exception_handler({"message": "an answer's callback failed", "exception": error})

    def _judge(self, command: _Command, words: str) -> None:
        verdict = VERDICTS.get(words.partition(" ")[0], "refused")
        command.tries += 1
        if isinstance(verdict, str):
            self._finish(command, Refusal(verdict, words))
        elif verdict is Then.LOAD:
            if command.tries > _MOST_LOADS:
                self._finish(command, Refusal("refused", words))
                return
            if not self._load_due:
                self._load_due = True
                for script in self._scripts:
                    self._waiting += 1
                    self._push(_Command(pack(("SCRIPT", "LOAD", script.text)), self._loaded))
            self._push(command)
        else:
            self._later.append(command)
            if not self._later_due:
                self._later_due = True
                delay_s = min(_FIRST_DELAY_S * 2 ** min(command.tries - 1, 8), _LONGEST_DELAY_S)
                self._loop.call_later(delay_s, self._send_later, verdict is Then.RECONNECT)

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
        self._buffer[:0] = self._sent
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
