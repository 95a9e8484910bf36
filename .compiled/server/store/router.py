"""The pipelined connections to a cluster: one to each primary, each command to the one that has its slot.

Law: as on one connection, what is outstanding is unknown, not failed. Whatever a node that is no primary any
more has not answered is sent to the one that is, under the same name, and every callback is called exactly once.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial

from server.store.line import Address, Part, pack
from server.store.pipeline import Pipeline, State, ignored, pause_s
from server.store.scripts import Script
from server.store.slots import SlotMap, slot_of
from server.store.verdicts import Command, Refusal

TICK_S = 0.25
LOOK_S = 15.0
"""The slots are asked for this often while all is well, and at every tick while it is not."""
_EAGER_TRIES = 2
_MOST_GUESSES = 200_000


class Router:
    """Looks like one `Pipeline`, whose words it shares: it is `up` while every slot's primary answers."""

    def __init__(
        self,
        slots: SlotMap,
        *,
        scripts: Sequence[Script] = (),
        on_state: Callable[[State], None] | None = None,
        stall_after_s: float = 2.0,
        reply_timeout_s: float = 6.0,
        most_waiting: int = 50_000,
        replicas: int = 0,
    ) -> None:
        self._slots = slots
        self._on_state = on_state
        self._stall_after_s, self._most_waiting, self._durable = stall_after_s, most_waiting, replicas > 0
        self._make = partial(
            Pipeline,
            scripts=scripts,
            on_state=lambda _: self._look_around(),
            stall_after_s=stall_after_s,
            reply_timeout_s=reply_timeout_s,
            most_waiting=most_waiting,
            replicas=replicas,
            redirect=self._redirected,
        )
        self._pipes: dict[Address, Pipeline] = {}
        self._homeless: list[Command] = []
        self._pausing: set[Command] = set()
        self._keys: dict[Address, str] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._state: State = "down"
        self._closed = False
        self._quiet_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop
        self._gone_writes = self._gone_unreplicated = 0

    @property
    def state(self) -> State:
        """Whether all primaries answer."""
        return self._state

    @property
    def waiting(self) -> int:
        """How many commands have not been answered."""
        return len(self._homeless) + len(self._pausing) + sum(pipe.waiting for pipe in self._pipes.values())

    @property
    def writes(self) -> int:
        """How many times bytes were handed to a connection."""
        return self._gone_writes + sum(pipe.writes for pipe in self._pipes.values())

    @property
    def unreplicated(self) -> int:
        """How many durable commands were answered though too few replicas had them in time."""
        return self._gone_unreplicated + sum(pipe.unreplicated for pipe in self._pipes.values())

    @property
    def trouble(self) -> str:
        """Why some node cannot be reached; empty when all can."""
        return next((pipe.trouble for pipe in self._pipes.values() if pipe.trouble), "")

    def start(self) -> None:
        """Begin to ask and connect; returns at once."""
        self._loop = asyncio.get_running_loop()
        self._slots.on_change(self._changed)
        self._slots.look()
        self._timer = self._loop.call_later(TICK_S, self._tick)

    def submit(
        self,
        parts: tuple[Part, ...],
        callback: Callable[[object], None] = ignored,
        key: str = "",
        durable: bool = False,
    ) -> None:
        """Send a command, which may be carried out twice without harm, to the primary of its key."""
        slot = slot_of(key)
        node = self._slots.owner(slot)
        waiting = len(self._homeless) if node is None else self._pipe(node).waiting
        if self._closed or waiting >= self._most_waiting:
            code = "closed" if self._closed else "engine_away"
            self._loop.call_soon(callback, Refusal(code, "not sent"))
            return
        self._send(Command(pack(parts), callback, slot, durable and self._durable))

    async def reach_all(self) -> None:
        """Return when every primary has carried out a write that was asked for now; waits while one is away."""
        await asyncio.gather(*(self._write(self._key_of(node)) for node in self._slots.primaries))

    async def _write(self, key: str) -> None:
        future: asyncio.Future[object] = self._loop.create_future()
        self.submit(
            ("SET", key, 1, "PX", 60_000), lambda reply: None if future.done() else future.set_result(reply), key
        )
        await future

    async def close(self, patience_s: float = 2.0) -> None:
        """Wait for what is outstanding, then close; what has no answer by then is refused with `closed`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while self.waiting:  # noqa: ASYNC110 - commands may pass from node to node meanwhile
                    await asyncio.sleep(0.01)
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*(pipe.close(0) for pipe in self._pipes.values()), *self._leaving)
        for command in [*self._homeless, *self._pausing]:
            command.callback(Refusal("closed", "unknown whether it was carried out"))
        self._homeless.clear()
        self._pausing.clear()

    # Where a command goes

    def _pipe(self, node: Address) -> Pipeline:
        pipe = self._pipes.get(node)
        if pipe is None:
            pipe = self._pipes[node] = self._make(node)
            pipe.start()
        return pipe

    def _send(self, command: Command) -> None:
        self._pausing.discard(command)
        node = self._slots.owner(command.slot)
        if node is None:
            self._homeless.append(command)
            self._slots.look()
        else:
            self._pipe(node).adopt(command)

    def _redirected(self, asked: Address, command: Command, words: str) -> None:
        """Follow what a node says of a slot: once or twice at once, then with pauses, since it may be in flux."""
        word, slot, place = words.split()[:3]
        node = self._slots.node(place, asked)
        if word == "ASK":
            self._pipe(node).adopt(command, asking=True)
            return
        self._slots.moved(int(slot), node)
        if command.tries <= _EAGER_TRIES:
            self._pipe(node).adopt(command)
        else:
            self._pausing.add(command)
            self._loop.call_later(pause_s(command.tries - _EAGER_TRIES), self._resume, command)

    def _resume(self, command: Command) -> None:
        if command in self._pausing:
            self._send(command)

    # Who the primaries are

    def _changed(self) -> None:
        for node in self._slots.primaries:
            self._pipe(node)
        homeless, self._homeless = self._homeless, []
        for command in homeless:
            self._send(command)
        self._look_around()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(TICK_S, self._tick)
        self._quiet_s += TICK_S
        if self._state == "down" or self._quiet_s >= LOOK_S:
            self._quiet_s = 0.0
            self._slots.look()
        self._look_around()

    def _look_around(self) -> None:
        """Leave nodes that are no primaries, and say whether all others answer."""
        if self._closed:
            return
        primaries = self._slots.primaries
        for node, pipe in list(self._pipes.items()):
            # One that still answers does so with MOVED, or is about to get its first slot.
            if primaries and node not in primaries and (pipe.state == "down" or not pipe.waiting):
                self._leave(node, pipe)
        up = self._slots.complete and all(
            node in self._pipes and self._pipes[node].state == "up" for node in primaries
        )
        state: State = "up" if up else "down"
        if state != self._state:
            self._state = state
            if self._on_state is not None:
                self._on_state(state)

    def _leave(self, node: Address, pipe: Pipeline) -> None:
        del self._pipes[node]
        self._gone_writes += pipe.writes
        self._gone_unreplicated += pipe.unreplicated
        commands = pipe.give_up()
        task = self._loop.create_task(pipe.close(0))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
        for command in commands:
            self._send(command)

    def _key_of(self, node: Address) -> str:
        """Some key that is this node's."""
        key = self._keys.get(node, "")
        if not key or self._slots.owner(slot_of(key)) != node:
            keys = (f"fw:reach:{{{number}}}" for number in range(_MOST_GUESSES))
            key = self._keys[node] = next(
                (key for key in keys if self._slots.owner(slot_of(key)) == node), "fw:reach"
            )
        return key
