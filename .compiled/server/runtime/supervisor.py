"""The supervisor: one process that keeps an engine and workers running, and leaves nothing behind.

Law: it locks the data directory and listens on the port before anything starts; workers end before the
engine; it holds no state of any match, so its own death loses nothing. One thread (the kernel ties the
children to it), no asyncio and no heavy imports: the first byte must be served within a second. Knows
processes, pipes and signals.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TextIO

from server.runtime.children import Kept, describe_exit, spawn
from server.runtime.engine_process import EngineProcess
from server.runtime.listening import addresses, open_listener
from server.runtime.locks import holder, name_holder, take_lock
from server.runtime.stopped import Stopped
from server.settings import Settings

DRAIN_S = 10.0
ENGINE_END_S = 15.0
SLOW_START_S = 10.0
ENGINE_POLL_S = 0.02
# So many ends before the first worker has ever served mean that none will.
HOPELESS_STARTS = 4
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
WORKER_COMMAND = (sys.executable, "-m", "server.cli", "worker")


class Supervisor:
    """Runs the whole server once: `run` returns after an ordered stop and raises Stopped when it can't go
    on.
    """

    def __init__(
        self,
        settings: Settings,
        out: TextIO,
    ) -> None:
        self._settings = settings
        self._out = out
        self._log = logging.getLogger("fairway.supervisor")
        self._engine = EngineProcess(settings.data_dir, settings.fsync) if settings.embedded else None
        self._engine_kept = None if self._engine is None else Kept("engine", self._engine.start)
        self._engine_up = False
        self._engine_was_up = False
        self._workers: list[Kept] = []
        self._selector = selectors.DefaultSelector()
        self._up_text = ""
        self._signals: list[int] = []
        self._served = False

    def run(self) -> None:
        """Start everything, keep it running until a signal, stop everything. Call it from the main thread."""
        directory_lock = self._lock_directory()
        try:
            with open_listener(self._settings.host, self._settings.port) as listener:
                self._run_on(listener)
        finally:
            if directory_lock is not None:
                os.close(directory_lock)

    def _run_on(self, listener: socket.socket) -> None:
        if self._engine is not None:
            self._engine.end_orphan()
        self._catch_signals()
        # Workers hold its reading end; the writing end closes when this process ends, however it ends.
        alive_fd, _kept_open = os.pipe()
        self._up_text = _up_text(listener, self._settings.host)
        for number in range(1, self._settings.workers + 1):
            self._workers.append(Kept(f"w{number}", self._worker_starter(number, listener, alive_fd)))
        try:
            self._keep_running()
        finally:
            listener.close()  # from here on nobody waits in its queue
            self._end(self._workers, DRAIN_S)
            if self._engine is not None and self._engine_kept is not None:
                self._end([self._engine_kept], ENGINE_END_S)
                self._engine.tidy()

    def _lock_directory(self) -> int | None:
        # Also an outside engine's server has no directory to lock: it writes nothing there.
        if not self._settings.embedded:
            return None
        directory = self._settings.data_dir
        path = directory / "fairway.lock"
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = take_lock(path)
        except OSError as error:
            raise Stopped(_why_unusable(directory, error)) from None
        if lock is None:
            raise Stopped(
                f"Another Fairway (process {holder(path)}) already runs on the data directory {directory}. "
                "Stop it first, or choose another directory with --data-dir."
            )
        name_holder(lock, os.getpid())
        return lock

    def _catch_signals(self) -> None:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        self._selector.register(reader, selectors.EVENT_READ, "signals")
        for number in STOP_SIGNALS:
            # nohup's wish is kept.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._on_stop_signal)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # only to wake the selector

    def _on_stop_signal(self, number: int, _frame: FrameType | None) -> None:
        self._signals.append(number)

    def _keep_running(self) -> None:
        began = time.monotonic()
        warned = False
        while not self._signals:
            now = time.monotonic()
            self._see_to_engine(now)
            for worker in self._workers:
                self._see_to_worker(worker, now)
            if not warned and not self._served and now - began > SLOW_START_S:
                warned = True
                self._log.warning("still starting", extra={"engine_up": self._engine is None or self._engine_up})
            self._wait(self._seconds_to_next(time.monotonic()))

    def _see_to_engine(self, now: float) -> None:
        if self._engine is None or self._engine_kept is None:
            return
        status = self._engine_kept.ended(now)
        if status is not None:
            self._engine_up = False
            self._engine_ended(self._engine, describe_exit(status))
        try:
            self._engine_kept.start_if_due(now)
        except (Stopped, OSError) as error:
            if not self._engine_was_up:
                raise Stopped(_why_unusable(self._settings.data_dir, error)) from None
            self._log.error("the engine can't be started; trying again", extra={"why": str(error)})
        if not self._engine_up and self._engine_kept.process is not None and self._engine.answers():
            if self._engine_was_up:
                self._log.warning("the engine is up again")
            self._engine_up = self._engine_was_up = True

    def _engine_ended(self, engine: EngineProcess, how: str) -> None:
        with contextlib.suppress(OSError):  # no room for the copy: then it isn't mended
            if engine.can_mend():
                return
        why = engine.why_it_ended()
        self._engine_was_up = self._engine_was_up or engine.was_ready()
        if not self._engine_was_up:
            raise Stopped(
                f"The engine can't use {self._settings.data_dir} ({how}); no match there was changed: {why}"
            )
        self._log.error(
            "the engine ended; starting it again (a disk that is full or fails ends it, by design)",
            extra={"how": how, "why": why},
        )

    def _see_to_worker(self, worker: Kept, now: float) -> None:
        status = worker.ended(now)
        if status is not None:
            self._log.error(
                "a worker ended; starting it again",
                extra={"worker": worker.name, "how": describe_exit(status)},
            )
            if not self._served and worker.failures >= HOPELESS_STARTS:
                raise Stopped(
                    f"The workers end before they serve ({describe_exit(status)}); their own words are above."
                )
        try:
            worker.start_if_due(now)
        except OSError as error:  # no process or descriptor to be had at the moment
            self._log.error("a worker can't be started; trying again", extra={"why": str(error)})

    def _worker_starter(
        self, number: int, listener: socket.socket, alive_fd: int
    ) -> Callable[[], subprocess.Popen[bytes]]:
        def start() -> subprocess.Popen[bytes]:
            ready_reader, ready_writer = os.pipe()
            descriptors = (listener.fileno(), ready_writer, alive_fd)
            name = f"w{number}-{secrets.token_hex(2)}"
            flags = (f"--{flag}={fd}" for flag, fd in zip(("fd", "ready-fd", "alive-fd"), descriptors, strict=True))
            try:
                process = spawn(
                    [*WORKER_COMMAND, f"--name={name}", *flags],
                    on_parent_death=signal.SIGKILL,  # a killed worker loses nothing, a hung one would stay
                    environment={**os.environ, **self._settings.environment()},
                    inherit=descriptors,
                )
            except BaseException:
                os.close(ready_reader)
                raise
            finally:
                os.close(ready_writer)
            self._selector.register(ready_reader, selectors.EVENT_READ, "ready")
            return process

        return start

    def _seconds_to_next(self, now: float) -> float | None:
        kept = [*self._workers, *([] if self._engine_kept is None else [self._engine_kept])]
        waits = [k.due_at - now for k in kept if k.due_at is not None]
        if self._engine is not None and not self._engine_up:
            waits.append(ENGINE_POLL_S)
        if not self._served:
            waits.append(1.0)
        return max(0.0, min(waits)) if waits else None

    def _wait(self, seconds: float | None) -> None:
        for key, _ in self._selector.select(seconds):
            data = b""
            with contextlib.suppress(BlockingIOError):
                data = os.read(key.fd, 4096)
            if key.data == "ready":
                self._selector.unregister(key.fd)
                os.close(key.fd)
                if data and not self._served:
                    self._served = True
                    self._say_up()

    def _say_up(self) -> None:
        # The terminal may be gone; the server goes on.
        with contextlib.suppress(OSError, ValueError):
            print(self._up_text, file=self._out, flush=True)

    def _end(self, kept: Sequence[Kept], patience_s: float) -> None:
        # A signal that comes while we wait cuts the patience short.
        signals_before = len(self._signals)
        deadline = time.monotonic() + patience_s
        for one in kept:
            one.send(signal.SIGTERM)
        while any(one.process is not None for one in kept):
            now = time.monotonic()
            if now >= deadline or len(self._signals) > signals_before:
                for one in kept:
                    if one.process is not None:
                        self._log.warning("ending by force", extra={"child": one.name})
                    one.send(signal.SIGKILL)
                deadline, signals_before = now + patience_s, len(self._signals)
            for one in kept:
                one.ended(now)
            # SIGCHLD may have come before the select, or not be caught yet: never wait long.
            self._wait(0.02)


def _up_text(listener: socket.socket, host: str) -> str:
    here, others = addresses(listener, host)
    text = f"Fairway is up. On this machine: {here}"
    return text if others is None else f"{text}   For others on your network: {others}"


def _why_unusable(directory: Path, error: Exception) -> str:
    if isinstance(error, Stopped):
        return str(error)
    if isinstance(error, OSError) and error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return f"The data directory {directory} can't be written ({error.strerror}). Choose another with --data-dir."
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"There is no space left for the data directory {directory}."
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"The data directory {directory} can't be used ({reason}). Choose another with --data-dir."
