"""The real thing for the tests: an engine, workers inside the test's loop, and servers as processes.

Everything that is started is ended by its own process number or its own stop event.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server.app import Worker
from server.runtime.allowance import Allowances
from server.runtime.clock import EngineClock
from server.runtime.engine_process import ask
from server.runtime.hub import Hub
from server.runtime.listening import open_listener
from server.runtime.locks import holder
from server.settings import Fsync, Settings, Wire
from server.store.engine import engine_arguments, engine_binary, socket_path_for

PATIENCE_S = 30.0
ROOT = Path(__file__).resolve().parents[2]
LONG = bool(os.environ.get("FAIRWAY_LONG"))


def scaled(short: int, long: int) -> int:
    """Return a count: the short one by default, the long one with FAIRWAY_LONG=1."""
    return long if LONG else short


def runs(pid: int) -> bool:
    """Whether the process runs; a dead one that nobody has collected doesn't."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def kill(pid: int) -> None:
    """End a process at once."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """Return the processes that this one started."""
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


class Engine:
    """A real engine on a Unix socket of its own."""

    fsync: Fsync = "everysec"
    """Quick, for tests that never kill it: it may hold a write back while the disk is busy, and then a kill loses it."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="fw-", dir="/tmp"))
        self.socket = self.home / "e.sock"
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        data = self.home / "data"
        data.mkdir(exist_ok=True)
        command = [str(engine_binary()), *engine_arguments(data, self.socket, fsync=self.fsync)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ends = time.monotonic() + PATIENCE_S
        while not ask(self.socket, "PING").startswith(b"+PONG"):
            assert time.monotonic() < ends, "the engine did not start"
            time.sleep(0.01)

    def send(self, what: signal.Signals) -> None:
        """Send a signal to it (SIGSTOP, SIGCONT)."""
        assert self.process is not None
        self.process.send_signal(what)

    def clean(self) -> None:
        """End it and remove what it wrote."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.home)


class ShiftedClock(EngineClock):
    """The engine's clock and an offset, so that a minute takes no minute; and it can stand still."""

    __slots__ = ("ahead_ms", "stands_at_ms")

    def __init__(self) -> None:
        super().__init__()
        self.ahead_ms = 0
        self.stands_at_ms: int | None = None

    def now_ms(self) -> int:
        """Return the shifted time."""
        return super().now_ms() + self.ahead_ms if self.stands_at_ms is None else self.stands_at_ms

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """Let no time pass; afterwards it goes on from where it stood."""
        self.stands_at_ms = stands_at_ms = self.now_ms()
        try:
            yield
        finally:
            self.stands_at_ms = None
            self.ahead_ms += stands_at_ms - self.now_ms()


@dataclass
class House:
    """One worker in the test's own loop. `clock.ahead_ms` moves its time; `hub` is there to look at."""

    url: str
    worker: Worker
    clock: ShiftedClock
    stop_event: asyncio.Event
    task: asyncio.Task[None]

    @property
    def hub(self) -> Hub:
        """The worker's hub."""
        return self.worker._hub

    @property
    def gateway(self) -> Any:
        """The worker's gateway."""
        return self.worker._gateway

    @property
    def subscriptions(self) -> int:
        """How many channels it listens to."""
        return len(self.worker._matches.ear)

    def pass_time(self, ms: int) -> None:
        """Let the clock of this worker jump ahead, and have it look at it."""
        self.clock.ahead_ms += ms
        for room in self.hub.rooms.values():
            room.look_around()

    async def poll(self) -> None:
        """Let the two-second poll happen now."""
        await self.hub._poll()

    async def sweep(self) -> None:
        """Let the sweep for missed records happen now."""
        await self.hub.records.sweep(self.hub.rooms)

    async def stop(self) -> None:
        """Drain and end it."""
        self.stop_event.set()
        await self.task


@dataclass
class Street:
    """Workers on one engine. Most tests need nothing solved."""

    engine: Engine
    client_dir: Path
    wire: Wire = "direct"
    houses: list[House] = field(default_factory=list)
    replicas: int = 0
    solvers: int = 0

    async def open(self, name: str = "w1", *, generous: bool = True) -> House:
        """Start a worker; lines wait until it serves. `generous`: bots are faster than the allowances."""
        settings = Settings(
            redis_url=self.engine.url,
            client_dir=self.client_dir,
            data_dir=self.client_dir,
            wait_replicas=self.replicas,
            solvers=self.solvers,
            wire=self.wire,
        )
        listener = open_listener("127.0.0.1", 0)
        port = listener.getsockname()[1]
        worker = Worker(settings, name)
        if generous:
            worker._gateway._messages = (1e6, 1e6)
            worker._gateway.entrance.entries = worker._gateway.entrance.rooms = Allowances(1e6, 1e6)
        clock = ShiftedClock()
        worker._hub.clock = clock
        stop = asyncio.Event()
        task = asyncio.get_running_loop().create_task(worker.run(listener, stop))
        house = House(f"ws://127.0.0.1:{port}", worker, clock, stop, task)
        self.houses.append(house)
        return house

    async def end(self) -> None:
        """Stop all that still run."""
        for house in self.houses:
            await house.stop()


@dataclass
class Server:
    """`fairway serve` as a process."""

    process: subprocess.Popen[str]
    data_dir: Path
    port: int
    errors: Path
    seen: set[int] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Where its sockets are."""
        return f"ws://127.0.0.1:{self.port}"

    def look(self) -> None:
        """Note its children, so that they can be ended with it."""
        self.seen.update(children_of(self.process.pid))
        with contextlib.suppress(OSError, ValueError):
            self.seen.add(int(holder(self.data_dir / "engine.lock")))

    def worker_pids(self) -> list[int]:
        """Return its workers' process numbers."""
        self.look()
        return [pid for pid in children_of(self.process.pid) if b"worker" in command_of(pid)]

    def worker_pid(self, name: str) -> int:
        """Return the process number of the worker that calls itself so."""
        (pid,) = [pid for pid in self.worker_pids() if f"--name={name}".encode() in command_of(pid)]
        return pid

    def stop(self) -> None:
        """Stop it in order."""
        self.look()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)
        self._close()

    def kill(self) -> None:
        """Kill the supervisor and all its children with -9."""
        self.look()
        for pid in [self.process.pid, *self.seen]:
            kill(pid)
        self.process.wait(PATIENCE_S)
        ends = time.monotonic() + PATIENCE_S
        while any(runs(pid) for pid in self.seen):
            assert time.monotonic() < ends, "a killed process stays"
            time.sleep(0.01)
        self._close()

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()


def command_of(pid: int) -> bytes:
    """Return a process's command line; nothing of one that is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


class Serve:
    """Starts servers, each with its own data directory and free port unless told otherwise."""

    def __init__(self, place: Path, client_dir: Path) -> None:
        self._place, self._client_dir = place, client_dir
        self.servers: list[Server] = []

    def __call__(self, *flags: str, again: Server | None = None, **environment: str) -> Server:
        """Start one and wait until it says that it is up; `again`: on the same directory and port.

        What the port was given to meanwhile, as any connection of another test may be, is waited for.
        """
        ends = time.monotonic() + PATIENCE_S
        while True:
            server, words = self._begin(*flags, again=again, **environment)
            if "Fairway is up" in words:
                break
            said = server.errors.read_text()
            assert again is not None, said
            assert "is taken" in said, said
            assert time.monotonic() < ends, said
            time.sleep(0.2)
        server.port = int(words.split("127.0.0.1:")[1].split("/")[0])
        server.look()
        return server

    def _begin(self, *flags: str, again: Server | None, **environment: str) -> tuple[Server, str]:
        """Start one, and return it with its first words; none, and it is over, where it could not begin."""
        number = len(self.servers)
        data_dir = again.data_dir if again else self._place / f"data-{number}"
        port = again.port if again else 0
        errors = self._place / f"errors-{number}"
        given = ["--port", str(port), "--data-dir", str(data_dir), "--client-dir", str(self._client_dir)]
        command = [sys.executable, "-m", "server.cli", "serve", *given, *flags]
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("FAIRWAY_", "REDIS_"))}
        with errors.open("w") as errors_file:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={"PYTHONPATH": str(ROOT), **inherited, **environment},  # a compiled build, where one is tested
                stdout=subprocess.PIPE,
                stderr=errors_file,
                text=True,
            )
        server = Server(process, data_dir, port, errors)
        self.servers.append(server)
        assert process.stdout is not None
        words = process.stdout.readline()
        if not words:
            process.stdout.close()
            process.wait(PATIENCE_S)
        return server, words

    def end(self) -> None:
        """End all servers and whatever of them was seen and still runs."""
        for server in self.servers:
            if server.process.poll() is None:
                server.stop()
            for pid in filter(runs, server.seen):
                kill(pid)
            with contextlib.suppress(OSError):
                path = socket_path_for(server.data_dir)
                path.unlink(missing_ok=True)
                path.parent.rmdir()
