"""Rooms with winnable deals: any worker finds the deal, exactly one opens the hole, and nobody is held up meanwhile."""

import asyncio
import gzip
import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from server.match.verify import verify
from server.rules.best import Best, best_of

from .bots import Bot, Denied
from .servers import House, Street
from .test_records import kept

MakeBot = Callable[..., Bot]
ROOM = {"seats": 2, "holes": 1, "rule": "strict", "winnable": True}


async def seated(house: House, other: House, bot: MakeBot, **options: Any) -> tuple[Bot, Bot]:
    """Seat two, each at a worker, and let them say ready."""
    ada, bob = await bot(house.url, "Ada").open(), await bot(other.url, "Bob").open()
    await ada.host(**{**ROOM, **options})
    await bob.join(ada.room)
    for one in (ada, bob):
        await one.send("ready", ready=True)
    await ada.until_phase("countdown")
    await bob.until_phase("countdown")
    return ada, bob


async def test_the_first_winnable_deal_is_played(street: Street, bot: MakeBot) -> None:
    """Two workers hold the room; the hole opens once, its deal can be cleared, and the record stands the check."""
    street.solvers = 1
    async with asyncio.timeout(120):
        one, two = await street.open("w1"), await street.open("w2")
        ada, bob = await seated(one, two, bot)
        for who in (ada, bob):
            await who.until_phase("playing")
        assert sum(heard.frame.get("match", {}).get("phase") == "playing" for heard in bob.heard) == 1
        for who in (ada, bob):
            raw = "".join(heard.raw for heard in who.heard)
            assert "skipped" not in raw
            assert "GO2-" not in raw
        for who in (ada, bob):
            await who.must("give_up", hole=1)
        for who in (ada, bob):
            await who.until_phase("ended")
        made = json.loads(gzip.decompress(await kept(street.engine, ada.match_id)))
        hole = made["holes"][0]
        assert best_of(hole["code"]).cleared
        assert verify(made, best_of).faults == ()
        for who in (ada, bob):
            assert sum(hole["code"] in heard.raw for heard in who.heard) == 1, "its close shows it, once"


async def test_commands_are_answered_while_it_is_looked_for(
    street: Street, bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The countdown passes, nothing opens; the room can be changed, and then it opens without."""

    async def hang(code: str) -> Best:
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    street.solvers = 1
    async with asyncio.timeout(60):
        house = await street.open()
        monkeypatch.setattr(house.hub.solvers, "best", hang)
        ada, bob = await seated(house, house, bot)
        house.pass_time(10_000)
        for _ in range(3):
            await ada.pong()
        assert ada.match["phase"] == "countdown"
        house.clock.ahead_ms = 0
        await ada.must("options", options={**ROOM, "winnable": False})
        for who in (ada, bob):
            await who.must("ready", ready=True)
        await bob.until_phase("countdown")
        house.pass_time(3_100)
        await bob.until_phase("playing")


async def test_a_process_killed_over_it_loses_nothing(
    street: Street, bot: MakeBot, solving_pids: Callable[[], list[int]]
) -> None:
    """Killed again and again while it solves: the deal is found all the same."""
    street.solvers = 1
    async with asyncio.timeout(120):
        house = await street.open()
        ada, _ = await seated(house, house, bot, rule="S1")
        killed = 0
        while ada.match["phase"] == "countdown":
            if killed < 2 and (pids := solving_pids()):
                os.kill(pids[0], 9)
                killed += 1
            await ada.pong()
            await asyncio.sleep(0.05)
        assert killed == 2
        assert ada.match["phase"] == "playing"


async def test_a_worker_that_cannot_solve_says_so(street: Street, bot: MakeBot) -> None:
    """With no solving process such a room is refused, when it is made and later."""
    async with asyncio.timeout(30):
        house = await street.open()
        ada = await bot(house.url, "Ada").open()
        with pytest.raises(Denied) as denied:
            await ada.host(**ROOM)
        assert denied.value.code == "winnable_off"
        await ada.host(seats=2)
        refused = await ada.do("options", options=ROOM)
        assert refused["code"] == "winnable_off"
