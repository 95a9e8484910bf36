"""What a move leaves behind: nothing that waits for the collector of cycles."""

import asyncio
import gc
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from server.match.commands import Ready
from server.match.decide import World
from server.match.entries import Created, Entry
from server.match.evolve import evolve
from server.match.options import Options
from server.match.state import Match
from server.runtime.deciding import Letter, decide_all
from server.runtime.garbage import LONGEST_S, MOST_ENDED, Garbage
from server.runtime.ledger import CHUNK, MOST_CHUNKS, Ledger
from server.runtime.replica import Replica
from server.runtime.room import Room

from .bots import Bot
from .servers import House
from .test_reconnect import started

MakeBot = Callable[..., Bot]


@contextmanager
def no_collector() -> Iterator[None]:
    """Let only what nobody holds die."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Copy:
    """As much of a replica as deciding asks for."""

    def __init__(self, state: Match) -> None:
        self.state, self.ledger = state, Ledger()


def fresh(options: Options) -> Match:
    """Return a match that was just made."""
    created = Created("m" * 26, "ABCDEFGH", options, "5e" * 32, 0, ((0, "Ada", "a" * 64),))
    return evolve(None, Entry(1, 1_790_000_000_000, created))


@pytest.mark.interpreted
def test_deciding_holds_no_state() -> None:
    """A state that was decided on, and the one decided, die with whoever holds them."""
    copy = Copy(fresh(Options(seats=2)))
    letters = deque([Letter(Ready(0, True), seat=0, generation=1, seq=1)])
    with no_collector():
        outcomes, after = decide_all(
            letters,
            cast(Replica, copy),
            1_790_000_000_100,
            World,
            lambda letter: None,
            lambda letter: None,
            look=True,
        )
        assert [outcome.refusal for outcome in outcomes] == [None]
        assert after.seats[0].ready
        states = [weakref.ref(copy.state), weakref.ref(after)]
        del copy, after
        assert [state() for state in states] == [None, None]


class Ring:
    """Holds itself, as a connection that has ended may."""

    def __init__(self) -> None:
        self.ring = self


async def test_what_is_set_aside_is_collected_in_time() -> None:
    """What holds itself is set aside with all else, and freed after so many connections, or so long after one."""
    came, now_s = 0, 0.0
    with no_collector():
        garbage = Garbage(lambda: came, lambda: now_s)
        try:
            for more, later_s in ((MOST_ENDED, 0.0), (1, LONGEST_S)):
                ring = weakref.ref(Ring())
                await garbage.look()
                gc.collect()
                assert ring() is not None
                came, now_s = came + more, now_s + later_s
                await garbage.look()
                assert ring() is None
        finally:
            gc.unfreeze()


def of_ours(thing: object) -> bool:
    """Whether something is the server's own: a value of its classes, or a function of its modules."""
    module = getattr(thing, "__module__", None) or type(thing).__module__
    return isinstance(module, str) and module.startswith("server.")


def moved(one: Bot) -> bool:
    """Whether a player has made as many moves as every hole has: it does not end before the stock's sixteen."""
    return bool(one.view["you"]["move_count"] >= 16)


@pytest.mark.interpreted
async def test_moves_leave_no_cycles(house: House, bot: MakeBot) -> None:
    """Through a hole of three and a spectator, states die at once, and no cycle of the server's waits for the collector."""
    async with asyncio.timeout(30):
        players = await started(house, bot, "Ada", "Bob", "Cem", holes=2, undo="all")
        eve = await bot(house.url, "Eve").open()
        await eve.watch(players[0].room)
        room = house.hub.rooms[players[0].match_id]
        passed: list[weakref.ref[Match]] = []
        changed = room._changed

        def watched(room: Room, before: Match, entry: Entry) -> None:
            passed.append(weakref.ref(before))
            changed(room, before, entry)

        room._changed = watched
        with no_collector():
            await asyncio.gather(*(one.play(lambda one=one: moved(one), undo=0.2) for one in players))  # type: ignore[misc]
            await asyncio.gather(*(one.pong() for one in [*players, eve]))
            assert len(passed) > CHUNK
            # One state a chunk is kept for pages that come back; the last step may still be on its way.
            assert sum(state() is not None for state in passed) <= MOST_CHUNKS + 2
            left: list[Any] = []
            gc.set_debug(gc.DEBUG_SAVEALL)
            try:
                gc.collect()
                left = [thing for thing in gc.garbage if of_ours(thing)]
            finally:
                gc.set_debug(0)
                gc.garbage.clear()
        assert not left, left[:3]
