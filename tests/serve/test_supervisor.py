"""The supervisor with real processes: how it starts, what it restarts, and that nothing stays behind."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from servers import COMMAND, PATIENCE_S, ROOT, Serve, runs, until

from server.runtime.engine_process import ask
from server.store.engine import engine_arguments, engine_binary, socket_path_for

pytestmark = pytest.mark.processes


def test_it_says_where_it_is_within_a_second(serve: Serve) -> None:
    """The line with the address comes once a worker serves, and soon."""
    began = time.monotonic()
    server = serve()
    took = time.monotonic() - began
    assert re.fullmatch(r"Fairway is up\. On this machine: http://127\.0\.0\.1:\d+/\n", server.words)
    assert took < 3.0, f"took {took:.2f} s"  # about 0.4 s on a free machine; tests share theirs


def test_all_workers_share_the_listening_socket(serve: Serve) -> None:
    """With two workers both answer on the one port."""
    server = serve("--workers", "2")
    until(lambda: len({server.worker()[0] for _ in range(20)}) == 2, "both workers answer")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_everything_in_order(serve: Serve, number: signal.Signals) -> None:
    """SIGTERM, SIGINT and SIGHUP, sent to the whole group as a terminal does, end all in order."""
    server = serve("--workers", "2")
    until(lambda: len({server.worker()[0] for _ in range(20)}) == 2, "both workers answer")
    os.killpg(server.process.pid, number)
    assert server.process.wait(timeout=PATIENCE_S) == 0
    assert server.all_gone()
    assert server.log() == ""
    assert not server.engine_socket().exists()


def test_killing_the_supervisor_leaves_no_child(serve: Serve) -> None:
    """After kill -9 of the supervisor the kernel ends its workers and its engine."""
    server = serve("--workers", "2")
    until(lambda: len({server.worker()[0] for _ in range(20)}) == 2, "both workers answer")
    server.process.kill()
    server.process.wait()
    until(server.all_gone, "workers and engine ended")


def test_it_ends_with_its_parent_when_asked_to(serve: Serve, tmp_path: Path) -> None:
    """With --end-with-parent (make's case) it stops in order when the process that started it is killed."""
    data_dir = tmp_path / "data"
    inner = [*COMMAND, "serve", "--port", "0", "--data-dir", str(data_dir), "--end-with-parent"]
    code = f"import subprocess; subprocess.run({inner!r})"
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    with parent.stdout:
        assert "Fairway is up" in parent.stdout.readline()
    processes = [int((data_dir / name).read_text()) for name in ("fairway.lock", "engine.lock")]
    parent.kill()
    parent.wait()
    until(lambda: not any(runs(pid) for pid in processes), "supervisor and engine ended")


def test_a_deaf_worker_is_ended_by_force(serve: Serve) -> None:
    """A worker that ignores SIGTERM doesn't hold up the end for longer than the drain."""
    server = serve(TINY_WORKER="deaf")
    server.process.terminate()
    assert server.process.wait(timeout=PATIENCE_S) == 0
    assert server.all_gone()
    assert "ending by force" in server.log()


def test_a_killed_worker_is_replaced(serve: Serve) -> None:
    """Kill -9 of a worker: a connection made meanwhile waits, and the next worker, with a new name, answers
    it.
    """
    server = serve()
    pid, name = server.worker()
    os.kill(pid, signal.SIGKILL)
    until(lambda: not runs(pid), "the worker ended")
    next_pid, next_name = server.worker()
    assert next_pid != pid
    assert next_name != name
    assert next_name.startswith("w1-")


def test_a_killed_engine_is_replaced_with_its_data(serve: Serve) -> None:
    """Kill -9 of the engine: another starts on the same file, and what was acked is there."""
    server = serve()
    until(lambda: ask(server.engine_socket(), "SET", "kept", "yes") == b"+OK\r\n", "the engine answers")
    first = server.engine()
    os.kill(first, signal.SIGKILL)
    until(lambda: ask(server.engine_socket(), "GET", "kept") == b"$3\r\nyes\r\n", "the data is there again")
    assert server.engine() != first
    assert "the engine ended; starting it again" in server.log()


def test_an_engine_killed_before_it_was_asked_is_replaced(serve: Serve) -> None:
    """Kill -9 of an engine that was ready, though the supervisor had not seen it yet, says nothing of its data."""
    server = serve.begin()
    lock, log = server.data_dir / "engine.lock", server.data_dir / "engine.log"
    until(lambda: lock.exists() and lock.read_text().strip(), "an engine is started")
    server.process.send_signal(signal.SIGSTOP)
    try:
        until(lambda: "Ready to accept" in log.read_text(), "the engine is ready")
        first = server.engine()
        os.kill(first, signal.SIGKILL)
    finally:
        server.process.send_signal(signal.SIGCONT)
    until(lambda: ask(server.engine_socket(), "PING") == b"+PONG\r\n", "another engine answers")
    assert server.engine() != first
    assert "the engine ended; starting it again" in server.log()


def test_an_orphaned_engine_is_ended_and_its_data_kept(serve: Serve, tmp_path: Path) -> None:
    """An engine that outlived its supervisor is found by its socket, told to save and end, then replaced."""
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    socket_path = socket_path_for(data_dir)
    with (tmp_path / "orphan.log").open("wb") as log:
        orphan = subprocess.Popen([engine_binary(), *engine_arguments(data_dir, socket_path)], stdout=log)
    try:
        until(lambda: ask(socket_path, "SET", "kept", "yes") == b"+OK\r\n", "the orphan answers")
        again = serve(data_dir=data_dir)
        assert orphan.wait(timeout=PATIENCE_S) == 0
        until(lambda: ask(socket_path, "GET", "kept") == b"$3\r\nyes\r\n", "the data is there")
        assert "an engine of an earlier run is still there" in again.log()
    finally:
        orphan.kill()
        orphan.wait()


def test_an_orphan_that_does_not_answer_is_not_overrun(serve: Serve) -> None:
    """A hung engine still holds its data directory: the next start names it and stops instead of starting a
    second.
    """
    server = serve()
    orphan = server.engine()
    os.kill(orphan, signal.SIGSTOP)  # from here on it can't obey anything
    server.process.kill()
    server.process.wait()
    again = serve.begin(data_dir=server.data_dir)
    assert again.process.wait(timeout=PATIENCE_S) == 1
    assert f"The engine of an earlier run (process {orphan}) still holds" in again.log()
    os.kill(orphan, signal.SIGCONT)
    until(server.all_gone, "the orphan obeys the signal that waited for it")


def test_a_data_directory_serves_one(serve: Serve) -> None:
    """A second start on the same data directory says so in one line and stops; the first goes on."""
    server = serve()
    second = serve.begin(data_dir=server.data_dir)
    assert second.process.wait(timeout=PATIENCE_S) == 1
    assert re.fullmatch(
        r"fairway: Another Fairway \(process \d+\) already runs on the data directory .*\n", second.log()
    )
    assert f"process {server.process.pid})" in second.log()
    assert server.worker()[0] in server.seen


def test_a_port_serves_one(serve: Serve) -> None:
    """A second start on the same port says so in one line and stops, having started nothing."""
    server = serve()
    second = serve.begin("--port", str(server.port))
    assert second.process.wait(timeout=PATIENCE_S) == 1
    assert re.fullmatch(rf"fairway: Port {server.port} is taken: .*\n", second.log())
    assert not (second.data_dir / "engine.lock").exists()


def test_a_directory_that_cannot_be_made_is_refused(serve: Serve, tmp_path: Path) -> None:
    """A data directory below a file gets one clear line."""
    (tmp_path / "file").touch()
    server = serve.begin(data_dir=tmp_path / "file" / "data")
    assert server.process.wait(timeout=PATIENCE_S) == 1
    assert re.fullmatch(r"fairway: The data directory .* can't be used \(Not a directory\)\..*\n", server.log())


def test_a_damaged_file_is_refused_and_left_alone(serve: Serve) -> None:
    """When the engine refuses its append-only file, its own words are shown and the file stays as it was."""
    server = serve()
    until(lambda: ask(server.engine_socket(), "SET", "kept", "x" * 500) == b"+OK\r\n", "the engine answers")
    server.process.terminate()
    server.process.wait(timeout=PATIENCE_S)
    file = _append_only_file(server.data_dir)
    damaged = file.read_bytes().replace(b"$500\r\n", b"!!!!\r\n")
    file.write_bytes(damaged)
    again = serve.begin(data_dir=server.data_dir)
    assert again.process.wait(timeout=PATIENCE_S) == 1
    assert "The engine can't use" in again.log()
    assert "Bad file format reading the append only file" in again.log()
    assert file.read_bytes() == damaged


def test_a_torn_tail_is_kept_and_cut(serve: Serve) -> None:
    """A file that ends in the middle of a command (power loss) is served without it; what was cut is kept."""
    server = serve()
    until(lambda: ask(server.engine_socket(), "SET", "kept", "yes") == b"+OK\r\n", "the engine answers")
    assert ask(server.engine_socket(), "SET", "torn", "x" * 100) == b"+OK\r\n"
    server.process.terminate()
    server.process.wait(timeout=PATIENCE_S)
    file = _append_only_file(server.data_dir)
    torn = file.read_bytes()[:-40]
    file.write_bytes(torn)
    again = serve(data_dir=server.data_dir)
    until(lambda: ask(again.engine_socket(), "GET", "kept") == b"$3\r\nyes\r\n", "the rest is there")
    assert ask(again.engine_socket(), "EXISTS", "torn") == b":0\r\n"
    kept = (server.data_dir / f"{file.name}.torn-1").read_bytes()
    assert kept
    assert torn.endswith(kept)
    assert "is kept" in again.log()


def test_workers_that_never_serve_end_the_start(serve: Serve) -> None:
    """When workers end before they serve, the start is given up with a line, and the engine ended."""
    server = serve.begin(TINY_WORKER="fail")
    assert server.process.wait(timeout=PATIENCE_S) == 1
    assert "The workers end before they serve (exit status 3)" in server.log()
    until(lambda: not runs(server.engine()), "the engine ended")


def test_an_outside_engine_needs_no_directory(serve: Serve) -> None:
    """With a Redis address no engine is started and nothing is written to the data directory."""
    server = serve.begin("--redis-url", "redis://127.0.0.1:1/0")
    assert server.process.stdout is not None
    assert "Fairway is up" in server.process.stdout.readline()
    server.process.terminate()
    assert server.process.wait(timeout=PATIENCE_S) == 0
    assert not server.data_dir.exists()


def _append_only_file(data_dir: Path) -> Path:
    return max((data_dir / "stream").glob("*.incr.aof"))
