"""One measured run: a fresh server, the generator, and the kernel's figures around the measured seconds."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "match")]

import compiler  # noqa: E402 - its folder was added above
import processes  # noqa: E402 - the same
from recompute import recompute  # noqa: E402 - the same

UNBOUND = "messages=1000000/1000000 entries=1000000/1000000 rooms=1000000/1000000 connections=1000000"
"""All load comes from one address, at more than any person's pace."""
BUILD = Path(os.environ["BENCH_SERVER_DIR"]).resolve() if os.environ.get("BENCH_SERVER_DIR") else None
"""A folder with another build of the package `server`, such as a compiled one, to measure; None: there is none."""
SERVER_CPU, LOAD_CPU = (0, 1) if (os.cpu_count() or 1) > 1 else (None, None)


def build_generator(folder: Path) -> Path:
    """Compile the generator, which is C: a Python one would be slower than what it measures. Raises NoCompiler."""
    return compiler.build("generator", folder)


@dataclass
class Load:
    """What is asked of a server. `rate` 0: as fast as answers come, else moves a second a player.

    `idle`: how many connections besides are greeted and then say nothing. `compiled`: the server is that of BUILD.
    """

    kind: str
    server: str
    matches: int
    seconds: float = 2.0
    rate: float = 0.0
    holes: int = 3
    warm: float = 0.6
    memory: bool = False
    workers: int = 1
    idle: int = 0
    compiled: bool = False
    environment: dict[str, str] = field(default_factory=dict)


def home(build: Path | None) -> tuple[Path, dict[str, str]]:
    """Return the folder that a server starts in, which is first on its import path, and what it is to be told then.

    That is the repository, or a build: it is asked for no page's files.
    """
    return (build, {"FAIRWAY_CLIENT_DIR": str(ROOT / "client_web")}) if build else (ROOT, {})


@contextlib.contextmanager
def _server(load: Load, folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    given = {"FAIRWAY_ALLOWANCES": UNBOUND, "FAIRWAY_TRUSTED_PROXIES": "127.0.0.1", "FAIRWAY_LOG": "warning"}
    place, told = home(BUILD if load.compiled else None)
    environment = {**os.environ, **given, **told, **load.environment}
    if load.server == "fairway":
        command = ["-m", "server.cli", "serve", "--port", str(port), "--data-dir", str(folder / "data")]
        command += ["--workers", str(load.workers)]
    else:
        command = [str(HERE / "echo_server.py"), str(port)]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen([sys.executable, *command], cwd=place, env=environment, stdout=log, stderr=log)
    try:
        processes.wait_for_port(port, server)
        if load.server == "fairway":
            _wait_until_ready(port)
        yield server
    finally:
        processes.end(server)


def _wait_until_ready(port: int) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
            return
        time.sleep(0.02)
    raise RuntimeError("the server is not ready")


class _Generator:
    def __init__(self, program: Path, load: Load, port: int, idle: int = 0) -> None:
        options = {
            "port": port,
            "mode": "match" if load.server == "fairway" else "echo",
            "matches": idle // 6 if idle else load.matches,
            "rate": load.rate,
            "seconds": load.seconds,
            "warm": load.warm,
            "holes": load.holes,
            "seed": int(time.time()),
        }
        command = [str(program), *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        processes.pin([self.process.pid], LOAD_CPU)

    def tell(self, command: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")

    def until(self, word: str) -> str:
        """Return the rest of the line that begins with `word`. Raises RuntimeError when the generator ends."""
        return next(self.lines(word))[1]

    def lines(self, last: str) -> Iterator[tuple[str, str]]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == last:
                yield word, rest
                return
            if last == "FINISHED":
                yield word, rest
        raise RuntimeError("the generator ended")


@contextlib.contextmanager
def _generator(program: Path, load: Load, port: int, idle: int = 0) -> Iterator[_Generator]:
    generator = _Generator(program, load, port, idle)
    try:
        yield generator
    finally:
        generator.process.kill()
        generator.process.wait()


def run(program: Path, load: Load) -> dict[str, Any]:
    """Do one run and return its figures."""
    folder, port = Path(tempfile.mkdtemp(prefix="load-")), processes.free_port()
    try:
        with _server(load, folder, port) as server:
            pids = processes.tree(server.pid)
            engine = [pid for pid in pids if load.server == "fairway" and processes.is_engine(pid)]
            workers = [pid for pid in pids if pid not in engine]
            if load.workers == 1:  # several share all there is
                processes.pin(workers, SERVER_CPU)
                processes.pin(engine, LOAD_CPU)
            time.sleep(0.2)
            with contextlib.ExitStack() as running:
                if load.idle:
                    silent = running.enter_context(_generator(program, load, port, load.idle))
                    silent.tell("CONNECT")
                    if int(silent.until("CONNECTED")) != load.idle // 6 * 6:
                        raise RuntimeError("not all idle connections were greeted")
                generator = running.enter_context(_generator(program, load, port))
                return _measure(load, generator, workers, engine, port)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measure(load: Load, generator: _Generator, workers: list[int], engine: list[int], port: int) -> dict[str, Any]:
    name = load.server + (", compiled" if load.compiled else "")
    name += f", {load.workers} workers" if load.workers > 1 else ""
    name += f", {load.idle:,} idle connections besides" if load.idle else ""
    result: dict[str, Any] = {"kind": load.kind, "server": name, "matches": load.matches}
    connections = 6 * load.matches
    memory = [processes.memory_kb(workers)]
    generator.tell("CONNECT")
    connected = int(generator.until("CONNECTED"))
    if connected != connections:
        raise RuntimeError(f"only {connected} of {connections} connections were greeted")
    time.sleep(0.5 if load.memory else 0)
    memory.append(processes.memory_kb(workers))
    generator.tell("ENTER")
    entered = generator.until("ENTERED").split()
    if int(entered[0]) != connections or int(entered[1]) != 4 * load.matches:
        raise RuntimeError(f"in a match and able to move: {entered} of {connections}")
    if load.memory:
        generator.tell("ONE")
        generator.until("ONE_DONE")
        time.sleep(0.5)
        memory.append(processes.memory_kb(workers))
        idle, playing = ((after - memory[0]) / connections for after in memory[1:])
        return result | {"kb_idle": idle, "kb_playing": playing, "kb_before": memory[0]}
    generator.tell("RUN")
    generator.until("BEGIN")
    groups = {"server": workers, "engine": engine, "generator": [generator.process.pid]}
    cpu = {name: processes.cpu_s(pids) for name, pids in groups.items()}
    waited, machine, began = processes.waited_s(workers), processes.machine_cpu_s(), time.monotonic()
    generator.until("END")
    spent = {name: processes.cpu_s(pids) - cpu[name] for name, pids in groups.items()}
    took = time.monotonic() - began
    others = processes.machine_cpu_s() - machine - sum(spent.values())
    heard = json.loads(generator.until("RESULT"))
    moves = max(1, heard["moves"])
    result |= {key: heard[key] for key in heard if key.startswith(("own_", "rivals_", "watchers_"))}
    result |= {
        "moves": moves,
        "moves_s": moves / heard["seconds"],
        "bytes_a_move": heard["bytes_in"] / moves,
        "heard_a_move": heard["heard"] / moves,
        "refused": heard["refused"],
        "errors": heard["errors"] + heard["dead"],
        "server_load": spent["server"] / took,
        "server_waited": (processes.waited_s(workers) - waited) / took,
        "others": others / took,
    }
    result |= {f"{name}_ms": 1e6 * seconds / moves for name, seconds in spent.items()}
    if load.server == "fairway":
        result |= _check_records(generator, port)
    return result


def _check_records(generator: _Generator, port: int) -> dict[str, int]:
    """Let every match end, and recompute each from its record. Raises WrongRecord where one differs."""
    generator.tell("FINISH")
    ids = [rest for word, rest in generator.lines("FINISHED") if word == "MATCH"]
    for number, match_id in enumerate(ids):
        asker = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"}  # many people, for the limits
        recompute(_record(urllib.request.Request(f"http://127.0.0.1:{port}/api/matches/{match_id}", headers=asker)))
    return {"records": len(ids)}


def _record(request: urllib.request.Request) -> Any:
    """Fetch a record; a server that is not through with its load yet, or its engine, is asked again for a while.

    Raises RuntimeError where it stays unwell.
    """
    until = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except OSError as error:  # 409: its end is not applied here yet, 503: the engine was away; or it was silent
            if time.monotonic() > until or (isinstance(error, urllib.error.HTTPError) and error.code < 409):
                raise RuntimeError(f"no record: {error}") from error
        time.sleep(0.5)
