"""How much one party may ask for: a bucket of credit that refills with time.

Generous to bursts of quick plays, closed to floods. Knows nothing of what it counts.
"""

import time
from collections.abc import Callable


class Allowance:
    """A bucket of `burst` credits, refilled at `rate` a second."""

    __slots__ = ("_burst", "_clock", "_credit", "_rate", "_then")

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._credit = burst
        self._then = clock()

    def take(self, credits: float = 1, at_least: float = 0) -> bool:
        """Spend credits if there are enough, and no fewer than `at_least`; False, and nothing spent, if not."""
        now = self._clock()
        credit = self._credit + (now - self._then) * self._rate
        if credit > self._burst:  # builtin functions for this would cost more than all else here
            credit = self._burst
        self._then = now
        if credit < credits or credit < at_least:
            self._credit = credit
            return False
        self._credit = credit - credits
        return True

    @property
    def full(self) -> bool:
        """Nothing is owed: the bucket can be forgotten."""
        return self._credit + (self._clock() - self._then) * self._rate >= self._burst


class Allowances:
    """One bucket a key (an address), forgotten once it is full again, so that the map can't grow for ever."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._buckets: dict[str, Allowance] = {}
        self._sweep_at = 1024

    def take(self, key: str, credits: float = 1) -> bool:
        """Spend from the key's bucket; False if it has not enough."""
        if len(self._buckets) >= self._sweep_at:
            self._buckets = {name: bucket for name, bucket in self._buckets.items() if not bucket.full}
            self._sweep_at = max(1024, 2 * len(self._buckets))
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Allowance(self._burst, self._rate, self._clock)
        return bucket.take(credits)

    def empty(self, key: str) -> bool:
        """Whether nothing could be spent from the key's bucket now; nothing is spent."""
        bucket = self._buckets.get(key)
        return bucket is not None and not bucket.take(0, at_least=1)

    def __len__(self) -> int:
        return len(self._buckets)
