"""Real servers for the tests of the shell: started on a free port, and ended with all they started, by
process number.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from server.runtime.locks import holder
from server.store.engine import socket_path_for

PATIENCE_S = 30.0
COMMAND = (sys.executable, str(Path(__file__).with_name("fairway_tiny.py")))
ROOT = Path(__file__).resolve().parents[2]


def until(what: Callable[[], object], words: str) -> None:
    """Wait until it holds; fail with the words when it takes too long."""
    ends = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < ends, f"waited in vain: {words}"
        time.sleep(0.02)


def runs(pid: int) -> bool:
    """Whether the process runs; a dead one that nobody has collected doesn't."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return not Path("/proc/self").exists()
    return False


@dataclass
class Server:
    """A running supervisor. Its output so far is `words`."""

    process: subprocess.Popen[str]
    data_dir: Path
    port: int
    words: str
    errors: Path
    seen: set[int]

    def worker(self) -> tuple[int, str]:
        """Ask the worker that takes the next connection for its process number and name."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S) as line:
            line.sendall(b"who\n")
            pid, name = line.makefile().readline().split()
        self.seen.add(int(pid))
        return int(pid), name

    def engine(self) -> int:
        """The engine's process number."""
        lock = self.data_dir / "engine.lock"
        until(lambda: holder(lock).isdecimal(), "the engine's lock has its holder's name")
        pid = int(holder(lock))
        self.seen.add(pid)
        return pid

    def engine_socket(self) -> Path:
        """Where the engine listens."""
        return socket_path_for(self.data_dir)

    def all_gone(self) -> bool:
        """Whether no process that was seen runs."""
        return not any(runs(pid) for pid in {self.process.pid, *self.seen})

    def log(self) -> str:
        """All it has written to stderr."""
        return self.errors.read_text()


class Serve:
    """Starts servers, each with a data directory of its own unless told otherwise."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.servers: list[Server] = []

    def __call__(self, *flags: str, data_dir: Path | None = None, **environment: str) -> Server:
        """Start one on a free port and wait until it says that it is up."""
        server = self.begin(*flags, data_dir=data_dir, **environment)
        assert server.process.stdout is not None
        server.words = server.process.stdout.readline()
        assert "Fairway is up" in server.words, server.log()
        server.port = int(server.words.split("127.0.0.1:")[1].split("/")[0])
        server.worker()
        server.engine()
        return server

    def end(self) -> None:
        """End all servers, and whatever of them was seen and still runs."""
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(timeout=PATIENCE_S)
            server.process.kill()
            server.process.wait()
            assert server.process.stdout is not None
            server.process.stdout.close()
            for pid in filter(runs, server.seen):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(OSError):
                server.engine_socket().unlink(missing_ok=True)
                server.engine_socket().parent.rmdir()

    def begin(self, *flags: str, data_dir: Path | None = None, **environment: str) -> Server:
        """Start one and don't wait."""
        number = len(self.servers)
        directory = data_dir or self._place / f"data-{number}"
        errors = self._place / f"errors-{number}"
        command = [*COMMAND, "serve", "--port", "0", "--data-dir", str(directory), *flags]
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("FAIRWAY_", "REDIS_"))}
        with errors.open("w") as errors_file:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={"PYTHONPATH": str(ROOT), **inherited, **environment},  # a compiled build, where one is tested
                stdout=subprocess.PIPE,
                stderr=errors_file,
                text=True,
                start_new_session=True,  # a group of its own, as a terminal gives it
            )
        server = Server(process, directory, 0, "", errors, set())
        self.servers.append(server)
        return server
