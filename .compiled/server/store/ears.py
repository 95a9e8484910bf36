"""Subscriptions in a cluster: an ear at each primary, and each channel at the one that has its slot.

Law: a channel that moved was silent for a while, and is told as lost once it is confirmed anew.
"""

import asyncio
from collections.abc import Callable

from server.store.ear import Ear, Subscription
from server.store.errors import EngineError
from server.store.line import Address
from server.store.pipeline import pause_s
from server.store.slots import SlotMap, slot_of

_EAGER_MOVES = 2
_HOMELESS_S = 0.25


class Ears:
    """Looks like one `Ear`."""

    def __init__(self, slots: SlotMap, lost: Callable[[str], None]) -> None:
        self._slots, self._lost = slots, lost
        self._ears: dict[Address, Ear] = {}
        self._homes: dict[str, Ear] = {}
        self._homeless: dict[str, Subscription] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop

    def __len__(self) -> int:
        return len(self._homes) + len(self._homeless)

    def start(self) -> None:
        """Begin to follow the slots."""
        self._loop = asyncio.get_running_loop()
        self._slots.on_change(self._changed)

    async def subscribe(self, channel: str, heard: Callable[[bytes], None]) -> None:
        """Return once the channel's primary has confirmed; waits while there is none.

        Raises EngineError when it refuses (`denied`).
        """
        ear = self._homes.get(channel)
        subscription = self._homeless.get(channel) if ear is None else ear.subscription(channel)
        if subscription is None:
            subscription = Subscription(heard)
            self._place(channel, subscription)
        subscription.heard = heard
        await subscription.wait(lambda: self.unsubscribe(channel))

    def unsubscribe(self, channel: str) -> None:
        """Stop listening: nothing is heard any more from now on."""
        ear, homeless = self._homes.pop(channel, None), self._homeless.pop(channel, None)
        if ear is not None:
            ear.unsubscribe(channel)
        if homeless is not None:
            homeless.release()

    async def close(self) -> None:
        """End the connections; who still waits for a confirmation gets EngineError `closed`."""
        await asyncio.gather(*(ear.close() for ear in self._ears.values()), *self._leaving)
        for subscription in self._homeless.values():
            subscription.release(EngineError("closed", "the store was closed"))
        self._homeless.clear()
        self._homes.clear()

    def _ear(self, node: Address) -> Ear:
        ear = self._ears.get(node)
        if ear is None:
            ear = self._ears[node] = Ear(node, self._lost, self._moved)
            ear.start()
        return ear

    def _place(self, channel: str, subscription: Subscription, after_s: float = 0.0) -> None:
        """Listen where the channel's slot is."""
        node = self._slots.owner(slot_of(channel))
        if node is None:
            self._homes.pop(channel, None)
            self._homeless[channel] = subscription
            self._loop.call_later(_HOMELESS_S, self._slots.look)
            return
        self._homeless.pop(channel, None)
        self._homes[channel] = ear = self._ear(node)
        ear.adopt(channel, subscription, after_s)

    def _moved(self, asked: Address, channel: str, subscription: Subscription, words: str) -> None:
        _, slot, place = words.split()[:3]
        self._slots.moved(int(slot), self._slots.node(place, asked))
        subscription.moves += 1
        late = subscription.moves - _EAGER_MOVES
        self._place(channel, subscription, pause_s(late) if late > 0 else 0.0)

    def _changed(self) -> None:
        """Take each channel to where its slot is now, and leave nodes that are no primaries."""
        for channel, subscription in list(self._homeless.items()):
            self._place(channel, subscription)
        for node, ear in list(self._ears.items()):
            for channel in ear.channels:
                if self._slots.owner(slot_of(channel)) not in (node, None):
                    subscription_there = ear.give_up(channel)
                    if subscription_there is not None:
                        self._place(channel, subscription_there)
            if node not in self._slots.primaries and not len(ear):
                del self._ears[node]
                task = self._loop.create_task(ear.close())
                self._leaving.add(task)
                task.add_done_callback(self._leaving.discard)
