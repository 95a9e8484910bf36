"""A real engine, a proxy that does damage, and a made-up engine that answers what it is told to."""

import asyncio
import contextlib
import functools
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

import hiredis
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.store.engine import engine_arguments, engine_binary, explain_failure, stream_dir_of
from server.store.matches import Item, Matches, Result, State
from server.store.tail import mend_torn_tail

P = ParamSpec("P")
R = TypeVar("R")

TTL_MS = 600_000


def within(seconds: float) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Awaitable[R]]]:
    """Bound a test in time."""

    def wrap(test: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        @functools.wraps(test)
        async def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
            async with asyncio.timeout(seconds):
                return await test(*args, **kwargs)

        return bounded

    return wrap


async def until(holds: Callable[[], object]) -> None:
    """Wait for something to become true; the test's own bound ends it."""
    while not holds():
        await asyncio.sleep(0.005)


@dataclass
class Opened:
    """A store with what it told."""

    matches: Matches
    lost: list[str] = field(default_factory=list)
    states: list[State] = field(default_factory=list)


@contextlib.asynccontextmanager
async def stores() -> AsyncIterator[Callable[..., Opened]]:
    """Open stores on addresses; they are closed in the end."""
    async with contextlib.AsyncExitStack() as stack:

        def open_one(url: str, **options: object) -> Opened:
            lost: list[str] = []
            states: list[State] = []
            matches = Matches(url, lost=lost.append, on_state=states.append, **options)
            stack.push_async_callback(matches.close)
            return Opened(matches, lost, states)

        yield open_one


class Engine:
    """A real Valkey on a Unix socket in a short directory of its own."""

    def __init__(self, **options: object) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="fw-", dir="/tmp"))
        self.data = self.home / "data"
        self.data.mkdir()
        self.socket = self.home / "e.sock"
        self.url = f"unix://{self.socket}"
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        self.log = self.home / "log"
        self.admin = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=5, retry=Retry(NoBackoff(), 1))

    def start(self, **options: object) -> None:
        """Start it and wait until it has read its file."""
        arguments = engine_arguments(self.data, self.socket, **{**self.options, **options})
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([engine_binary(), *arguments], stdout=log, stderr=log)
        end = time.monotonic() + 10
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(redis.RedisError):
                if self.admin.ping():
                    return
            time.sleep(0.01)
        self.process.wait(1)
        self.process = None
        raise RuntimeError(f"the engine did not start: {self.log.read_text()}")

    def start_again(self) -> None:
        """Start it as a supervisor does after a kill: an unfinished end is cut off and kept."""
        self.log.unlink()
        try:
            self.start()
        except RuntimeError:
            assert explain_failure(self.log.read_text()).code == "torn_tail"
            assert mend_torn_tail(stream_dir_of(self.data)) is not None
            self.start()

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process that was started here."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(10)
            self.process = None

    def send(self, what: signal.Signals) -> None:
        """Send a signal to it (SIGSTOP, SIGCONT)."""
        assert self.process is not None
        self.process.send_signal(what)

    def clean(self) -> None:
        """End it and remove what it wrote."""
        self.admin.close()
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.end(signal.SIGKILL)
        shutil.rmtree(self.home)


async def append(matches: Matches, match_id: str, version: int, *items: Item, ttl_ms: int = TTL_MS) -> Result:
    """Append and await the result."""
    future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    matches.append(match_id, version, items, ttl_ms, future.set_result)
    return await future


async def versions(matches: Matches, match_ids: Collection[str]) -> dict[str, int | None]:
    """The versions of many matches."""
    heads = await matches.heads(match_ids)
    return {match_id: None if head is None else head.version for match_id, head in heads.items()}


class Proxy:
    """A TCP port in front of an engine's socket, whose connections can be cut, muted or left half open."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.mute = False
        """Swallow what the engine answers."""
        self.keep_engine_side = False
        """When a client's side breaks, leave the engine's side open."""
        self.url = ""
        self.accepted = 0
        self._muted: set[asyncio.StreamWriter] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._engine_writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/0"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        engine_reader, engine_writer = await asyncio.open_unix_connection(str(self.socket))
        self._writers.add(writer)
        self._engine_writers.add(engine_writer)
        for task in (
            asyncio.create_task(self._pump(reader, engine_writer, answers=False)),
            asyncio.create_task(self._pump(engine_reader, writer, answers=True)),
        ):
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not (answers and (self.mute or writer in self._muted)):
                    writer.write(data)
                    await writer.drain()
        if answers or not self.keep_engine_side:
            writer.close()

    def mute_present(self) -> None:
        """Swallow what the engine answers on the connections that there are now."""
        self._muted |= self._writers

    def cut(self) -> None:
        """Break all clients' sides at once."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def close(self) -> None:
        """Stop listening and break everything."""
        assert self._server is not None
        self._server.close()
        self.cut()
        for writer in self._engine_writers:
            writer.transport.abort()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # for the transports to close


class MadeUpEngine:
    """Greets like an engine, and answers each EVALSHA with the next line of `script`, then with `+ok`.

    Each WAIT is answered with the next of `waits`, then with 1. A line of None is never answered.
    """

    def __init__(self, script: Sequence[bytes | None], waits: Sequence[bytes | None] = ()) -> None:
        self.script = list(script)
        self.waits = list(waits)
        self.seen: list[list[bytes]] = []
        self.connections = 0
        self.url = ""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        commands = hiredis.Reader()
        try:
            while data := await reader.read(65536):
                commands.feed(data)
                while (command := commands.gets()) is not False:
                    answer = self._answer(command)
                    if answer is not None:
                        writer.write(answer + b"\r\n")
        except OSError:
            pass  # the client broke it
        finally:
            writer.transport.abort()

    def _answer(self, command: list[bytes]) -> bytes | None:
        if command[0] == b"CLIENT":
            return b":7" if command[1] == b"ID" else b"+OK"
        self.seen.append(command)
        if command[0] == b"EVALSHA":
            return self.script.pop(0) if self.script else b"+ok"
        if command[0] == b"WAIT":
            return self.waits.pop(0) if self.waits else b":1"
        return b"+loaded"

    async def close(self) -> None:
        """Stop."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # for the transports to close
