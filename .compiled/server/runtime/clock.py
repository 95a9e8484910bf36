"""The engine's clock as this worker knows it, in milliseconds.

One clock rules all workers: the engine's. It is read with every beat and carried on by the local monotonic clock in
between, never by wall time, so that a set clock on this machine moves no deadline. While the engine is not heard its
clock stands still: what would fall due then waits, until the next beat says how long the outage was.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

AHEAD_MS: Final = 750
"""How far the estimate runs on after a reading; beats come every 500 ms, and an outage counts from 2 s."""


class EngineClock:
    """Estimates the engine's time. Before the first observation it is unset and `now_ms` raises."""

    __slots__ = ("_local", "_read_at_s", "_read_ms")

    def __init__(self, local: Callable[[], float] = time.monotonic) -> None:
        self._local = local
        self._read_ms: int | None = None
        self._read_at_s = 0.0

    def observe(self, at_ms: int) -> None:
        """Take a reading of the engine's clock that has just arrived; it is a little old, never too new."""
        self._read_ms, self._read_at_s = at_ms, self._local()

    def now_ms(self) -> int:
        """Return the engine's time. Raises RuntimeError before the first reading."""
        if self._read_ms is None:
            raise RuntimeError("the engine's clock has not been read yet")
        return self._read_ms + min(AHEAD_MS, int(1000 * (self._local() - self._read_at_s)))


class Alarm:
    """Rings once at a time of the engine's clock; setting it again moves it."""

    __slots__ = ("_at_ms", "_clock", "_loop", "_ring", "_timer")

    def __init__(self, clock: EngineClock, ring: Callable[[], None]) -> None:
        self._clock, self._ring = clock, ring
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._at_ms = 0

    def set(self, at_ms: int) -> None:
        """Ring at `at_ms`, or not at all where that is 0."""
        if at_ms == self._at_ms and self._timer is not None:
            return
        self.stop()
        if at_ms:
            self._at_ms = at_ms
            # A little late rather than early: the estimate of the engine's clock is never ahead of it.
            delay_s = max(0.0, (at_ms - self._clock.now_ms()) / 1000) + 0.005
            self._timer = self._loop.call_later(delay_s, self._rings)

    def rang_by(self, now_ms: int) -> bool:
        """Whether it is to ring by now; it may be a little late with it."""
        return 0 < self._at_ms <= now_ms

    def stop(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._at_ms = None, 0

    def _rings(self) -> None:
        self._timer, self._at_ms = None, 0
        self._ring()
