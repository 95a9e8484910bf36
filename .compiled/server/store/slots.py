"""Which primary of a cluster has which slot, as far as the nodes tell.

It may be wrong at any time: the nodes correct it (MOVED), and it asks again. Nothing is lost by its being old.
"""

import asyncio
import logging
import random
from binascii import crc_hqx
from collections.abc import Callable, Sequence
from dataclasses import replace

from server.store.line import Address, ask_once

SLOTS = 16_384
_ANSWER_S = 1.0

log = logging.getLogger(__name__)


def slot_of(key: str) -> int:
    """The slot of a key: of what stands in its first braces, if anything does."""
    start = key.find("{")
    if start >= 0 and (end := key.find("}", start + 1)) > start + 1:
        key = key[start + 1 : end]
    return crc_hqx(key.encode(), 0) % SLOTS


class SlotMap:
    """The slots of one cluster. `on_change` is called from the loop whenever a look at it found another picture."""

    def __init__(self, seeds: Sequence[Address]) -> None:
        self._seeds = list(seeds)
        self._owners: list[Address | None] = [None] * SLOTS
        self._listeners: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.primaries: frozenset[Address] = frozenset()
        """Those that have slots."""
        self.complete = False
        """Whether each slot has a primary."""

    def owner(self, slot: int) -> Address | None:
        """The primary of a slot, None where none is known."""
        return self._owners[slot]

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call this after each change."""
        self._listeners.append(listener)

    def node(self, place: str, asked: Address) -> Address:
        """The node that `host:port` names; without a host it is the asked one's."""
        host, _, port = place.rpartition(":")
        return replace(asked, host=host if host not in ("", "?") else asked.host, port=int(port))

    def moved(self, slot: int, node: Address) -> None:
        """A node said whose a slot is; where one has moved, others have."""
        if self._owners[slot] != node:
            self._owners[slot] = node
            self.look()

    def look(self) -> asyncio.Task[None]:
        """Ask the cluster, soon; who asks while an answer is awaited gets that one."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._look(), name="slots of the cluster")
        return self._task

    async def close(self) -> None:
        """Ask no more."""
        self._listeners.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _look(self) -> None:
        nodes = list(self.primaries)
        random.shuffle(nodes)  # one that is cut off from the others must not be the only one that is believed
        for node in [*nodes, *self._seeds]:
            try:
                reply = await ask_once(node, "CLUSTER", "SLOTS", timeout_s=_ANSWER_S)
            except (OSError, TimeoutError):
                continue
            if isinstance(reply, list) and reply:
                self._take(reply, node)
                return
        log.warning("no node of the cluster answers")

    def _take(self, ranges: list[object], asked: Address) -> None:
        owners: list[Address | None] = [None] * SLOTS
        for one in ranges:
            match one:
                case [int(first), int(last), [host, int(port), *_], *_]:
                    name = host.decode() if isinstance(host, bytes) else ""
                    owners[first : last + 1] = [self.node(f"{name}:{port}", asked)] * (last + 1 - first)
        changed = owners != self._owners
        self._owners = owners
        self.complete = None not in owners
        self.primaries = frozenset(owner for owner in owners if owner is not None)
        if changed:
            for listener in self._listeners:
                listener()
