"""The queue of those who wait for a quick match, shared by all workers. A place expires unless it is asked for again.

What a ticket says of its person, and the offer that becomes a match, are opaque here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.store.cluster_client import open_client
from server.store.scripts import load_script

MOST_PLACES = 1_000
SEATS = 4
LEASE_MS = 6_000
PATIENCE_MS = 3_000
"""So long two wait for a third and a fourth."""
KEPT_MS = 120_000
"""So long a seating is remembered for those who have not heard of it."""
_PLACES, _TICKETS, _HOLDERS, _SEATED, _ENDS = (
    f"fw:{{quick}}:{kind}" for kind in ("places", "tickets", "holders", "seated", "ends")
)


@dataclass(frozen=True, slots=True)
class Waits:
    """A place in the queue: how many wait, itself among them, and for how long it has (ms)."""

    waiting: int
    waited_ms: int


@dataclass(frozen=True, slots=True)
class Seated:
    """The offer that was taken, and what the tickets of all who are seated say, in the order of their coming."""

    offer: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """Another ticket waits for this browser or this address."""


@dataclass(frozen=True, slots=True)
class Full:
    """As many wait as may."""


class Queue:
    """Opened on one engine or a cluster. Every method raises EngineError when it is away, and may be repeated."""

    def __init__(self, url: str, *, connections: int = 2, timeout_s: float = 5.0) -> None:
        self._client = open_client(url, connections=connections, timeout_s=timeout_s)
        self._wait = load_script("quick_wait")
        self._leave = load_script("quick_leave")

    async def wait(
        self, ticket: str, person: str, held: Sequence[str], offer: str, *, patience_ms: int = PATIENCE_MS
    ) -> Waits | Seated | Held | Full:
        """Take a place or keep it; `held` are the things of which one ticket each may wait (no white space).

        `person` and `offer` are lines. The offer is used only if those who wait are seated by this very call.
        """
        keys = (_PLACES, _TICKETS, _HOLDERS, _SEATED, _ENDS)
        kind, *more = await self._client.run(
            self._wait, keys, ticket, person, LEASE_MS, MOST_PLACES, SEATS, patience_ms, offer, KEPT_MS, *held
        )
        if kind == 0:
            return Waits(*more)
        if kind == 1:
            first, *people = more[0].decode().split("\n")
            return Seated(first, tuple(people))
        return Held() if kind == 2 else Full()

    async def leave(self, ticket: str) -> bool:
        """Give a place up; False if there was none."""
        return bool(await self._client.run(self._leave, (_PLACES, _TICKETS, _HOLDERS), ticket))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
