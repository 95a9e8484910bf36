"""Solving off the event loop: a few processes, each with one deal at a time, and what they found kept in the store.

They are started when there is something to solve and ended when there is nothing for a while. A process that is
killed, or takes too long, costs its deal another try in a new one. Who asks for a deal that is being solved waits for
the same answer; who asks while very many wait is refused, and may ask again.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterable
from typing import Final

from server.rules.best import Best, dump_best, load_best
from server.runtime.chores import CANCEL_AGAIN_S
from server.runtime.metrics import Metrics
from server.store.errors import EngineError
from server.store.solutions import Solutions

MOST_WAITING: Final = 1_000
TRIES: Final = 3
PATIENCE_S: Final = 20.0
"""For one deal: a thousand times what it takes."""
IDLE_S: Final = 60.0

COMMAND: Final = (sys.executable, "-m", "server.runtime.solver_child")
# NumPy's threads would only take memory.
_ALONE: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

log = logging.getLogger("fairway.solving")


class Unsolved(Exception):
    """A deal was not solved: too much waits (`busy`), the processes fail (`failed`), or there are none (`off`)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Solvers:
    """The solving processes of one worker, at most `processes`; with 0 nothing is solved here."""

    def __init__(
        self, solutions: Solutions, metrics: Metrics, processes: int, command: tuple[str, ...] = COMMAND
    ) -> None:
        self._solutions, self._metrics, self._command = solutions, metrics, command
        self.processes = processes
        self._free = asyncio.Semaphore(processes)
        self._idle: list[_Child] = []
        self._asked: dict[str, asyncio.Task[Best]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    def __len__(self) -> int:
        """How many deals are being solved, or wait for it."""
        return len(self._asked)

    async def best(self, code: str) -> Best:
        """Return the best that a deal allows, under the rule in its code. Raises Unsolved."""
        task = self._asked.get(code)
        if task is None:
            if not self.processes or self._closed:
                raise Unsolved("off")
            if len(self._asked) >= MOST_WAITING:
                raise Unsolved("busy")
            task = self._asked[code] = asyncio.get_running_loop().create_task(self._find(code))
            task.add_done_callback(lambda done: self._found(code, done))
        # Whoever is cancelled leaves the others their answer.
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if self._closed:
                raise Unsolved("off") from None
            raise

    async def strokes(self, codes: Iterable[str], patience_s: float) -> list[int | None] | None:
        """Return the best of each deal, None where it is not found in time; None where nothing is solved here."""
        if not self.processes:
            return None
        asked = [asyncio.ensure_future(self.best(code)) for code in codes]
        try:
            if asked:
                await asyncio.wait(asked, timeout=patience_s)
        finally:
            # What they wait for goes on, and is kept for whoever asks again.
            for one in asked:
                one.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        return [None if one.cancelled() or one.exception() else one.result().strokes for one in asked]

    def _found(self, code: str, done: asyncio.Task[Best]) -> None:
        del self._asked[code]
        if not done.cancelled():
            done.exception()  # it may be that nobody waits for it any more

    async def _find(self, code: str) -> Best:
        kept = await self._kept(code)
        if kept is not None:
            self._metrics.count("solved", "kept")
            return kept
        async with self._free:
            began = time.perf_counter()
            best = await self._solve(code)
            self._metrics.count("solved", "anew")
            self._metrics.durations["solve_seconds"].observe(time.perf_counter() - began)
        try:
            await self._solutions.put(code, json.dumps(dump_best(best), separators=(",", ":")).encode())
        except EngineError as error:
            log.warning("a solution was not kept", extra={"fault": error.code})
        return best

    async def _kept(self, code: str) -> Best | None:
        try:
            kept = await self._solutions.get(code)
            return None if kept is None else load_best(json.loads(kept))
        except EngineError as error:
            log.warning("no solution could be read", extra={"fault": error.code})
        except (ValueError, KeyError, TypeError):
            log.warning("a solution that was kept can't be read")
        return None

    async def _solve(self, code: str) -> Best:
        for _ in range(TRIES):
            child = self._idle.pop() if self._idle else await _Child.start(self._command, self._ended)
            answer = None
            try:
                async with asyncio.timeout(PATIENCE_S):
                    answer = await child.ask(code)
            except (OSError, TimeoutError):
                pass
            finally:
                if answer is None:
                    self._end(child)
            if answer is not None:
                child.rest(IDLE_S)
                self._idle.append(child)
                return answer
            # Its exit status says how it ended; the code stays out of the log.
            log.warning("a solving process ended or was too slow; its deal is tried again")
        raise Unsolved("failed")

    def _ended(self, child: "_Child") -> None:
        """A child rested long enough."""
        self._idle.remove(child)
        self._end(child)

    def _end(self, child: "_Child") -> None:
        task = asyncio.get_running_loop().create_task(child.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all processes; whoever still waits hears that there are none."""
        self._closed = True
        left = set(self._asked.values())
        while left:
            # More than once: a library below may swallow a cancellation.
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN_S)
        while self._idle:
            self._end(self._idle.pop())
        if self._ending:
            await asyncio.wait(self._ending)


class _Child:
    """One process; it has at most one deal at a time."""

    def __init__(self, process: Process, rested: Callable[["_Child"], None]) -> None:
        self.process, self._rested = process, rested
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls, command: tuple[str, ...], rested: Callable[["_Child"], None]) -> "_Child":
        """Start a process. Raises OSError."""
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, env={**os.environ, **_ALONE}
        )
        return cls(process, rested)

    async def ask(self, code: str) -> Best | None:
        """Have a deal solved; None if the process ended over it. Raises OSError."""
        self._stop_timer()
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise ValueError("the process has no pipes")
        stdin.write(f"{code}\n".encode())
        await stdin.drain()
        line = await stdout.readline()
        return load_best(json.loads(line)) if line.endswith(b"\n") else None

    def rest(self, seconds: float) -> None:
        """End it unless it is asked again within this time."""
        self._timer = asyncio.get_running_loop().call_later(seconds, self._rested, self)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def end(self) -> None:
        """Kill it, if it still runs, and wait for that."""
        self._stop_timer()
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
