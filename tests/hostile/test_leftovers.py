"""Rooms that were abandoned and ended leave nothing: neither in the engine beyond their time, nor in the worker."""

import asyncio
import contextlib
import gc
import os
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import redis

from server.runtime.lifetimes import Lifetimes
from tests.hostile.harness import OwnEngine, open_house, until
from tests.runtime.bots import Bot, Denied
from tests.runtime.servers import House, Street, scaled

MakeBot = Callable[..., Bot]
ROOMS = scaled(50, 1_000)
SHORT = Lifetimes(waiting_ms=2_500, playing_ms=2_500, ended_ms=2_500, abandoned_ms=2_500, look_ms=500)
STAY = {b"fw:{beat}", b"fw:{notes}"}
"""What one engine keeps for all matches: the pulse, and the workers' figures for an hour."""
EXPECTED = b"fw:{records}"
"""Matches whose record is looked for; it empties as they end or die."""


def files() -> int:
    """Return how many descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))


async def one_room(house: House, number: int, chance: Random) -> str:
    """Make a room and let it come to one of its ends; return its match id."""
    addresses = [f"127.0.{5 + seat}.{number % 250 + 1}" for seat in range(3)]
    ada, bob, eve = [Bot(house.url, name, number, address) for name, address in zip("ABE", addresses, strict=True)]
    for one in (ada, bob, eve):
        await one.open()
    end = chance.randrange(6)
    alone = {"seats": 1, "holes": 1}
    await ada.host(
        **(alone if end < 3 else {"seats": 2, "holes": 1, "visibility": chance.choice(["public", "private"])})
    )
    if end == 0:  # played to its end
        await ada.until_phase("playing")
        await ada.must("give_up", hole=1)
        await ada.until_phase("ended")
    elif end == 1:  # left in the middle
        await ada.until_phase("playing")
        await ada.must("draw", stock=16)
    elif end == 2:  # abandoned by everybody
        await ada.do("leave")
    elif end == 3:  # nobody came
        pass
    elif end == 4:  # a guest came and went, somebody watched, somebody else had a wrong token
        await bob.join(ada.room)
        await eve.watch(ada.room)
        await bob.do("leave")
    else:
        eve.match_id = ada.match_id
        with contextlib.suppress(Denied):
            await eve.resume(generation=1)
        await bob.join(ada.room)
        await ada.do("kick", seat=1)
    for one in (ada, bob, eve):
        await one.close() if chance.random() < 0.5 else one.cut()
    return ada.match_id


async def test_nothing_is_left(street: Street, own_engine: OwnEngine) -> None:
    """After many abandoned and ended rooms, keys, tasks, descriptors and memory are back where they were."""
    asyncio.get_running_loop().set_debug(False)
    street.engine = own_engine
    chance = Random(6)
    with redis.Redis(unix_socket_path=str(own_engine.socket)) as admin:
        async with asyncio.timeout(scaled(60, 900)):
            house = await open_house(street, lifetimes=SHORT)
            for name in ("entries", "rooms", "_guesses"):
                getattr(house.gateway.entrance, name)._burst = 1e9
            for number in range(10):  # what is only made once is made now
                await one_room(house, number, chance)
            await settled(house)
            gc.collect()
            tasks, fds, memory = await fewest_tasks(), files(), used_bytes()
            made = []
            for number in range(ROOMS):
                made.append(await one_room(house, number, chance))
                if number % 50 == 49:
                    await settled(house)
            last = time.time()
            await settled(house)
            gc.collect()
            assert len(set(made)) == ROOMS
            assert await fewest_tasks() <= tasks
            assert (
                files() <= fds + 8
            )  # the pools of connections fill up as they are needed; a leak would be one a room
            assert used_bytes() < memory + 3_000_000
            assert not house.hub.rooms
            assert house.subscriptions == 0
            assert not house.hub._ended
            assert not house.hub._opening
            assert not house.hub.sessions
            assert not house.gateway._closing
            lives_ms = {key: admin.pttl(key) for key in admin.scan_iter() if key not in {*STAY, EXPECTED}}
            records = {key for key in lives_ms if key.endswith(b"}:r")}
            assert all(lives_ms.pop(key) == -1 for key in records)  # what was played is kept for ever
            solved = {key for key in lives_ms if key.endswith(b"}:b")}
            assert all(0 <= lives_ms.pop(key) <= 86_400_000 for key in solved)  # a solution is kept for a day
            # -2: it ran out in between. The lobby's lines live ten seconds, all else as long as its match.
            assert all(left_ms == -2 or 0 <= left_ms <= 10_000 for left_ms in lives_ms.values()), lives_ms
            while not (left := set(admin.scan_iter())) <= STAY | records | solved:
                await asyncio.sleep(0.1)
                await house.sweep()
            assert time.time() - last < 15
            assert left >= records
            assert len(records) >= ROOMS / 6
            assert all(admin.strlen(key) < 3_000 for key in records)


async def fewest_tasks() -> int:
    """Count the tasks that stay: a poll or a library's own task of a moment comes and goes, a lost one does not."""
    counts = []
    for _ in range(20):
        counts.append(len(asyncio.all_tasks()))
        await asyncio.sleep(0.02)
    return min(counts)


async def settled(house: House) -> None:
    """Wait until all have left, and have the worker drop what nobody is in."""
    await until(lambda: not house.gateway.connections)
    while house.hub.rooms:
        for room in list(house.hub.rooms.values()):
            if room.idle_since is not None:
                room.idle_since -= 60
        await house.poll()
    await until(lambda: len(house.hub.chores._tasks) == len(house.hub.chores._lasting))


def used_bytes() -> int:
    """Return what Python's objects take, as far as the interpreter knows: blocks, not pages of the system."""
    return sys.getallocatedblocks() * 64


async def test_room_that_was_only_asked_for_is_let_go(street: Street, bot: MakeBot) -> None:
    """Who asks for a match and is turned away makes no worker hold it for ever."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        ada = await bot(one.url, "Ada").open()
        await ada.host(seats=2, holes=1)
        eve = await bot(two.url, "Eve").open()
        eve.match_id = ada.match_id
        for more in ({}, {"generation": 1, "version": 1}):
            with pytest.raises(Denied, match="wrong_token"):
                await eve.resume(fresh=True, **more)
        room: Any = two.hub.rooms[ada.match_id]
        assert room.idle_since is not None
        room.idle_since -= 60
        await two.poll()
        assert not two.hub.rooms
        assert two.subscriptions == 0


async def test_room_that_the_last_one_left_is_let_go(house: House, bot: MakeBot) -> None:
    """A match whose last listener gave the seat up, or was put out, is held no longer than any other."""
    async with asyncio.timeout(20):
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=2, holes=1)
        await bob.join(ada.room)
        await bob.do("leave")
        await ada.do("leave")
        await until(lambda: not house.gateway.connections)
        await house.poll()
        room = house.hub.rooms[ada.match_id]
        assert room.idle_since is not None
        room.idle_since -= 60
        await house.poll()
        assert not house.hub.rooms
        assert house.subscriptions == 0
