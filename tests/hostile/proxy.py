"""A proxy that does damage, for bytes of any protocol: in front of the server, or of the engine.

Each connection has two lanes, `up` (towards the server) and `down` (towards the client). A lane passes what it gets
after its `hold`, unless its `judge` says otherwise about a chunk: pass, swallow it, pass half of it and cut, or cut.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Literal

Way = Literal["up", "down"]
Place = Path | tuple[str, int]


class Verdict(Enum):
    """What happens to a chunk of bytes. PASS_CUT passes it and then cuts; CUT drops it and cuts."""

    PASS = auto()
    SWALLOW = auto()
    HALF_CUT = auto()
    PASS_CUT = auto()
    CUT = auto()


Judge = Callable[[bytes], Verdict]


def passing(chunk: bytes) -> Verdict:
    """Let everything through."""
    return Verdict.PASS


def once(then: Verdict, holds: Callable[[bytes], bool] = bool) -> Judge:
    """Say `then` to the first chunk for which `holds`, and let the rest through."""
    left = [then]

    def judge(chunk: bytes) -> Verdict:
        return left.pop() if left and holds(chunk) else Verdict.PASS

    return judge


@dataclass
class Lane:
    """One direction of all connections. `delay_s` holds each chunk up; while `open` is clear nothing passes."""

    judge: Judge = passing
    delay_s: float = 0.0
    bytes_left: int | None = None
    """After so many bytes more the line is cut, in the middle of a message if need be."""
    passed: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()


class Proxy:
    """Listens in front of `target`: on a free TCP port, or on the Unix socket `at`.

    `refusing`: accept nobody (what comes is cut at once). Faults hold for connections that are there and to come.
    """

    def __init__(self, target: Place, at: Path | None = None) -> None:
        self._target, self._at = target, at
        self.up, self.down = Lane(), Lane()
        self.refusing = False
        self.accepted = 0
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> "Proxy":
        """Listen."""
        if self._at is not None:
            self._server = await asyncio.start_unix_server(self._accept, str(self._at))
        else:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
            self.port = self._server.sockets[0].getsockname()[1]
        return self

    @property
    def open_lines(self) -> int:
        """How many connections are through it now."""
        return len(self._writers) // 2

    def cut(self) -> None:
        """Break all connections now, both sides."""
        for writer in list(self._writers):
            writer.transport.abort()

    def heal(self) -> None:
        """Do no more damage."""
        self.refusing = False
        for lane in (self.up, self.down):
            lane.judge, lane.delay_s, lane.bytes_left = passing, 0.0, None
            lane.open.set()

    async def stop(self) -> None:
        """Break everything and stop listening."""
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # for the transports to close

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        task = asyncio.get_running_loop().create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either end is over."""
        both = {writer}
        pumps: list[asyncio.Task[None]] = []
        try:
            if self.refusing:
                return
            try:
                if isinstance(self._target, Path):
                    server_reader, server_writer = await asyncio.open_unix_connection(str(self._target))
                else:
                    server_reader, server_writer = await asyncio.open_connection(*self._target)
            except OSError:
                return
            both.add(server_writer)
            self._writers |= both
            pumps += [
                asyncio.create_task(self._pump(reader, server_writer, self.up)),
                asyncio.create_task(self._pump(server_reader, writer, self.down)),
            ]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers -= both
            for one in both:
                one.transport.abort()
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lane: Lane) -> None:
        """Carry one lane of one connection until it ends or is cut."""
        with contextlib.suppress(OSError):
            while chunk := await reader.read(65536):
                if lane.delay_s:
                    await asyncio.sleep(lane.delay_s)
                await lane.open.wait()
                verdict = lane.judge(chunk)
                if verdict is Verdict.CUT:
                    return
                if verdict is Verdict.SWALLOW:
                    continue
                if verdict is Verdict.HALF_CUT:
                    chunk = chunk[: len(chunk) // 2]
                if lane.bytes_left is not None:
                    chunk = chunk[: lane.bytes_left]
                    lane.bytes_left -= len(chunk)
                writer.write(chunk)
                lane.passed += len(chunk)
                await writer.drain()
                if verdict in (Verdict.HALF_CUT, Verdict.PASS_CUT) or lane.bytes_left == 0:
                    # What was passed must get there before the cut does.
                    if writer.can_write_eof():
                        writer.write_eof()
                    await asyncio.sleep(0.005)
                    return
