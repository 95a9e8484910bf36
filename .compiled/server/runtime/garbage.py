"""The collector of cycles, kept away from what lives: its looks cost a busy worker CPU, and everybody a pause.

Entries and states hold no cycles and die by themselves, so looking through the newest of them finds nothing, takes
20 to 40 ms each time on a busy machine, and comes every few thousand moves. What was made since the last time is
therefore set aside twice a second, which takes no time at all; a counter that would set off a look begins anew with it.
What does hold itself are connections that have ended: those are looked for, among all, after so many new ones.

Law: only the owner of a process does this, never a part of one.
"""

import gc
import time
from collections.abc import Callable

FREEZE_S = 0.5
MOST_ENDED = 2_000
"""Connections after which all is gone through: some 20 KB each may wait to be freed."""
LONGEST_S = 900.0
"""The same by time, for a server with few of them."""


def collect_seldom() -> None:
    """Set aside what was made by the start, and look through the rest less often.

    The first number bounds a pause where nothing is set aside in time, and is well above what one tick of a busy worker
    makes and drops; the others say how often all is gone through.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 5, 50)


class Garbage:
    """Sets aside, and now and then collects. `connections()` counts those that there have been."""

    def __init__(self, connections: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._connections, self._clock = connections, clock
        self._counted, self._then_s = connections(), clock()

    async def look(self) -> None:
        """To be called every `FREEZE_S`."""
        came, now_s = self._connections() - self._counted, self._clock()
        if came >= MOST_ENDED or (came and now_s - self._then_s >= LONGEST_S):
            self._counted, self._then_s = self._counted + came, now_s
            gc.unfreeze()
            gc.collect()
        gc.freeze()
