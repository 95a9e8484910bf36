"""Work in the background of one worker: started, repeated, and ended with it. A failing engine is no failure of it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from server.runtime.metrics import Metrics
from server.store.errors import EngineError

CANCEL_AGAIN_S: Final = 0.1

log = logging.getLogger("fairway.chores")


class Chores:
    """The background tasks of one worker; what they can't do for the engine is counted and logged."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._tasks: set[asyncio.Task[None]] = set()
        self._lasting: set[asyncio.Task[None]] = set()
        self._stopping = False

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Run something once; a failure of the engine is logged, the polls make it good."""
        return self._start(work)

    def every(self, seconds: float, once: Callable[[], Awaitable[None]]) -> None:
        """Run something again and again, first after `seconds`; a failure is logged and does not end it."""
        task = self._start(self._forever(once, seconds))
        self._lasting.add(task)
        task.add_done_callback(self._lasting.discard)

    async def stop(self, others: Iterable[asyncio.Future[Any]], patience_s: float) -> None:
        """Let what runs once finish if it does so soon, then end everything, `others` too."""
        self._stopping = True
        once = [task for task in self._tasks if task not in self._lasting]
        if once:
            await asyncio.wait(once, timeout=patience_s)
        left: set[asyncio.Future[Any]] = {*self._tasks, *others}
        while left:
            # More than once: what a cancellation finds just finished (a wait_for of Python 3.11) swallows it.
            for one in left:
                one.cancel()
            _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN_S)

    def _start(self, work: Awaitable[None]) -> asyncio.Task[None]:
        async def run() -> None:
            try:
                await work
            except EngineError as error:
                self._engine_failed(error)

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _forever(self, once: Callable[[], Awaitable[None]], every_s: float) -> None:
        while not self._stopping:  # a cancellation alone can get lost in a library below
            await asyncio.sleep(every_s)
            try:
                await once()
            except EngineError as error:
                self._engine_failed(error)
            except Exception:
                log.exception("background work failed")

    def _engine_failed(self, error: EngineError) -> None:
        self._metrics.count("engine_errors", error.code)
        log.warning("engine", extra={"fault": error.code})
