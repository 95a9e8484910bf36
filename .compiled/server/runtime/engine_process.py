"""The embedded engine as a process: started, asked whether it answers, ended; and an orphan of an earlier
run ended.

Law: never two engines on one data directory. The engine itself holds a lock there (it inherits the
descriptor), so one that outlived its supervisor is noticed even when it no longer answers. Nothing in the
directory is ever removed. Of the engine's commands it uses three, over the Unix socket, before any of the
store's connections exist: PING, CONFIG GET dir, SHUTDOWN.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from server.runtime.children import spawn
from server.runtime.locks import holder, name_holder, take_lock
from server.runtime.stopped import Stopped
from server.settings import Fsync
from server.store.engine import (
    engine_arguments,
    engine_binary,
    explain_failure,
    socket_path_for,
    stream_dir_of,
)
from server.store.errors import EngineUnfit
from server.store.tail import mend_torn_tail

ASK_TIMEOUT_S = 0.5
ORPHAN_PATIENCE_S = 15.0
LAST_LINES = 6
LOG_KEPT_BYTES = 5_000_000
READY = "Ready to accept connections"


class EngineProcess:
    """The one engine of a data directory. Raises EngineUnfit where there can't be one on this machine."""

    def __init__(self, data_dir: Path, fsync: Fsync) -> None:
        self._data_dir = data_dir
        self._fsync: Fsync = fsync
        self._socket_path = socket_path_for(data_dir)
        self._lock_path = data_dir / "engine.lock"
        self._log_path = data_dir / "engine.log"
        self._log_from = 0
        self._log = logging.getLogger("fairway.engine")

    def end_orphan(self) -> None:
        """End an engine that an earlier run left behind, with all it knows on disk; returns at once when
        there is none.

        Raises Stopped when there is one that doesn't end, or when it may not be touched.
        """
        patience_ends = time.monotonic() + ORPHAN_PATIENCE_S
        asked = False
        while True:
            ours = self._answers_for_our_directory()
            if ours and not asked:
                self._log.warning("an engine of an earlier run is still there; ending it")
                # No reply when it obeys; an error when it can't save, and then it stays.
                refusal = ask(self._socket_path, "SHUTDOWN", timeout_s=ORPHAN_PATIENCE_S)
                asked = not refusal.startswith(b"-")
            elif not ours and self._lock_is_free():
                return
            if time.monotonic() >= patience_ends:
                raise Stopped(
                    f"The engine of an earlier run (process {holder(self._lock_path)}) still holds "
                    f"{self._data_dir} and doesn't end; end it by hand, then start again."
                )
            time.sleep(0.02)

    def start(self) -> subprocess.Popen[bytes]:
        """Start the engine. Raises Stopped when another one holds the directory, OSError when it can't be
        started.
        """
        lock = take_lock(self._lock_path)
        if lock is None:
            raise Stopped(f"Another engine (process {holder(self._lock_path)}) holds {self._data_dir}.")
        arguments = engine_arguments(self._data_dir, self._socket_path, fsync=self._fsync)
        try:
            if self._log_path.exists() and self._log_path.stat().st_size > LOG_KEPT_BYTES:
                self._log_path.replace(self._log_path.with_suffix(".log.1"))
            with os.fdopen(os.open(self._log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
                self._log_from = os.fstat(log.fileno()).st_size
                process = spawn(
                    [str(engine_binary()), *arguments],
                    on_parent_death=signal.SIGTERM,  # it saves, then ends
                    inherit=[lock],
                    output=log,
                )
            name_holder(lock, process.pid)
        finally:
            os.close(lock)  # from here on only the engine holds it
        return process

    def answers(self) -> bool:
        """Whether the engine serves commands; while it still loads its file it doesn't."""
        return ask(self._socket_path, "PING").startswith(b"+PONG")

    def was_ready(self) -> bool:
        """Say of one that ended whether it had read its data, by its log: then it was not the data that ended it."""
        return READY in self._output()

    def why_it_ended(self) -> str:
        """Say in words why it ended, with the last lines that it wrote to its log since it was started."""
        output = self._output()
        lines = [line.rstrip() for line in output.splitlines() if line.strip()][-LAST_LINES:]
        own = "\n".join(f"    {line}" for line in lines) or "    (nothing)"
        return f"{explain_failure(output).words}. Its last words, from {self._log_path}:\n{own}"

    def can_mend(self) -> bool:
        """After an end: whether the next start may work, since only the file's last, unfinished command was in
        its way, which is now cut off and kept beside it.

        A kill or a power failure in the middle of a write leaves such a tail; it was never acked. Raises OSError
        when it can't be kept.
        """
        if explain_failure(self._output()).code != "torn_tail":
            return False
        try:
            mended = mend_torn_tail(stream_dir_of(self._data_dir))
        except EngineUnfit as error:
            self._log.error("the append-only file can't be mended", extra={"why": str(error)})
            return False
        if mended is None:
            return False
        self._log.warning(
            "the append-only file ended in the middle of a command; that end was cut off and is kept",
            extra={"kept": str(mended.kept), "bytes": mended.length},
        )
        return True

    def tidy(self) -> None:
        """Remove the socket's directory after the engine ended in order; it stays if anything is in it."""
        with suppress(OSError):
            self._socket_path.parent.rmdir()

    def _output(self) -> str:
        with suppress(OSError), self._log_path.open("rb") as log:
            log.seek(self._log_from)
            return log.read(1_000_000).decode(errors="replace")
        return ""

    def _lock_is_free(self) -> bool:
        lock = take_lock(self._lock_path)
        if lock is not None:
            os.close(lock)
        return lock is not None

    def _answers_for_our_directory(self) -> bool:
        reply = ask(self._socket_path, "CONFIG", "GET", "dir")
        if not reply.startswith((b"*", b"%")):
            return False
        directory = Path(os.fsdecode(reply.split(b"\r\n")[-2]))
        if _same_place(directory, self._data_dir):
            return True
        raise Stopped(f"An engine for another directory ({directory}) answers at {self._socket_path}; end it first.")


def _same_place(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    return False


def ask(socket_path: Path, *words: str, timeout_s: float = ASK_TIMEOUT_S) -> bytes:
    """Send one command over the Unix socket; give the raw reply, empty when there is none (nobody there,
    cut, too late).
    """
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(timeout_s)
        line.connect(str(socket_path))
        line.sendall(_encode(words))
        return line.recv(65536)
    return b""


def _encode(words: Sequence[str]) -> bytes:
    pieces = [f"${len(word.encode())}\r\n{word}\r\n" for word in words]
    return f"*{len(pieces)}\r\n{''.join(pieces)}".encode()
