"""The engine's clock as this worker knows it, in milliseconds.

One clock rules all workers: the engine's. It is read with every beat and carried on by the local monotonic clock in
between, never by wall time, so that a set clock on this machine moves no deadline.
"""

import time
from collections.abc import Callable


class EngineClock:
    """Estimates the engine's time. Before the first observation it is unset and `now_ms` raises."""

    __slots__ = ("_local", "_offset_ms")

    def __init__(self, local: Callable[[], float] = time.monotonic) -> None:
        self._local = local
        self._offset_ms: float | None = None

    def observe(self, at_ms: int) -> None:
        """Take a reading of the engine's clock that has just arrived; it is a little old, never too new."""
        self._offset_ms = at_ms - 1000 * self._local()

    def now_ms(self) -> int:
        """Return the engine's time. Raises RuntimeError before the first reading."""
        if self._offset_ms is None:
            raise RuntimeError("the engine's clock has not been read yet")
        return int(1000 * self._local() + self._offset_ms)
