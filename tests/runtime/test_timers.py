"""What the clock does, on a clock that is moved: deadlines, pauses, the last seat, seats that are away."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.store.matches import Result

from .bots import Bot
from .crowd import record_of, seat_all
from .servers import Engine, House, Street
from .test_reconnect import started

MakeBot = Callable[..., Bot]


async def test_deadline(house: House, bot: MakeBot) -> None:
    """When its time is up a hole closes for all: who still played has timed out, and the next one opens by itself."""
    async with asyncio.timeout(20):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=2, hole_seconds=60)
        assert ada.match["deadline"] - ada.match["opened_at"] == 60_000
        left = ada.match["deadline"] - house.clock.now_ms()
        await ada.must("draw", stock=16)
        house.pass_time(left - 1000)
        await ada.must("draw", stock=15)
        house.pass_time(1001)
        await ada.until_phase("between")
        await bob.until_phase("between")
        scores = ada.match["card"][0]["scores"]
        assert [scores[seat]["how"] for seat in "01"] == ["timed_out", "timed_out"]
        assert (scores["0"]["traditional"], scores["0"]["app"], scores["0"]["moves"]) == (35, 0, 2)
        assert (await ada.do("draw", stock=14))["code"] == "not_open"
        house.pass_time(19_000)
        await ada.pong()
        assert ada.match["phase"] == "between"
        house.pass_time(1_000)
        await ada.until_phase("playing")
        assert ada.match["hole"] == 2
        assert ada.match["card"][0]["code"] != ""
        assert ada.match["deadline"] > house.clock.now_ms() + 55_000


async def test_move_after_the_deadline(house: House, bot: MakeBot) -> None:
    """A move that comes after the deadline comes too late, also where the close itself is not told yet."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1, hole_seconds=60)
        house.clock.ahead_ms += 61_000  # nothing looks at the clock by itself
        frame = await bob.do("draw", stock=16)
        assert frame["code"] in ("hole_over", "not_open")
        await ada.until_phase("ended")
        assert ada.match["card"][0]["scores"]["1"]["moves"] == 0


@pytest.mark.interpreted
async def test_deadline_during_an_append(house: House, bot: MakeBot) -> None:
    """A deadline that passes while a move is on its way to the engine closes the hole once the engine has answered."""
    async with asyncio.timeout(20):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1, hole_seconds=60)
        room = house.hub.rooms[ada.match_id]
        append, sent, answer = house.hub.matches.append, asyncio.Event(), asyncio.Event()

        def slow(*args: Any) -> None:
            *given, done, digest = args

            async def later(result: Result) -> None:
                await answer.wait()
                done(result)

            def answered(result: Result) -> None:
                sent.set()
                house.hub.chores.spawn(later(result))

            append(*given, answered, digest)

        house.hub.matches.append = slow  # type: ignore[assignment,method-assign]
        seq = await ada.send("draw", stock=16)
        await sent.wait()
        house.pass_time(61_000)
        await asyncio.sleep(0)
        assert room.state.phase == "playing"
        room.look_around = lambda: None  # type: ignore[method-assign]  # the poll must not see to it
        answer.set()
        assert (await ada.answer(seq))["t"] == "e"
        await bob.until_phase("ended")
        assert bob.match["card"][0]["scores"]["0"]["moves"] == 1


async def test_last_seat(house: House, bot: MakeBot) -> None:
    """Once all others have ended, the last seat has 60 s at most."""
    async with asyncio.timeout(20):
        ada, bob, cid = await started(house, bot, "Ada", "Bob", "Cid", holes=1, hole_seconds=900)
        house.clock.ahead_ms -= 3000
        await ada.must("give_up", hole=1)
        deadline = (await bob.answer(await bob.send("give_up", hole=1)))["match"]["deadline"]
        assert abs(deadline - house.clock.now_ms() - 60_000) < 2_000
        await cid.until(lambda: cid.match["deadline"] == deadline)
        house.pass_time(58_000)
        await cid.must("draw", stock=16)
        house.pass_time(2_100)
        await cid.until_phase("ended")
        scores = cid.match["card"][0]["scores"]
        assert [scores[seat]["how"] for seat in "012"] == ["gave_up", "gave_up", "timed_out"]


async def test_next_at_once(house: House, bot: MakeBot) -> None:
    """When all say next the next hole opens at once; alone it waits for that, however long."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=2)
        for one in (ada, bob):
            await one.must("give_up", hole=1)
        await ada.must("next", hole=1)
        assert (await ada.do("next", hole=1))["code"] == "stale"
        await bob.until_phase("between")
        await bob.must("next", hole=1)
        await bob.until(lambda: bob.match["hole"] == 2)
        (eve,) = await started(house, bot, "Eve", holes=2)
        await eve.must("give_up", hole=1)
        house.pass_time(3_600_000)
        await eve.pong()
        assert (eve.match["hole"], eve.match["phase"]) == (1, "between")
        await eve.must("next", hole=1)
        await eve.until(lambda: eve.match["hole"] == 2)


async def offline(house: House, one: Bot, watcher: Bot) -> None:
    """Cut a page's line and wait until the others are told and all workers know."""
    seat = str(one.seat)
    one.cut()
    await watcher.until(
        lambda: watcher.heard[-1].frame["t"] == "presence" and watcher.heard[-1].frame["seats"].get(seat)
    )
    await asyncio.sleep(0.05)  # the end of its lease is on its way
    await house.poll()


async def test_close_a_seat_that_is_away(house: House, bot: MakeBot) -> None:
    """Any other may close the hole of a seat that has been offline for 60 s, and not a moment earlier."""
    async with asyncio.timeout(20):
        ada, bob, cid = await started(house, bot, "Ada", "Bob", "Cid", holes=1)
        await bob.must("draw", stock=16)
        await offline(house, bob, cid)
        assert (await cid.do("close_seat", seat=1, hole=1))["code"] == "seat_online"
        assert (await cid.do("close_seat", seat=0, hole=1))["code"] == "seat_online"
        house.pass_time(60_000)
        assert (await cid.do("close_seat", seat=0, hole=1))["code"] == "seat_online"
        assert (await cid.do("close_seat", seat=1, hole=2))["code"] == "stale"
        assert (await cid.do("close_seat", seat=2, hole=1))["code"] == "no_such_seat"
        await cid.must("close_seat", seat=1, hole=1)
        await bob.come_back()
        assert (await bob.do("draw", stock=15))["code"] == "hole_over"
        await ada.must("give_up", hole=1)  # Cid's last minute is over on this clock
        await ada.until_phase("ended")
        record = await record_of(ada)
        assert record["holes"][0]["seats"]["1"]["ended"]["by"] == 2
        assert record["holes"][0]["seats"]["1"]["result"]["how"] == "gave_up"


async def test_host_handover(house: House, bot: MakeBot) -> None:
    """A room whose host has been away for 30 s gets another; the old host comes back as a seat."""
    async with asyncio.timeout(20):
        ada, bob, cid = [await bot(house.url, name).open() for name in ("Ada", "Bob", "Cid")]
        await ada.host(seats=3)
        await bob.join(ada.room)
        await cid.join(ada.room)
        await offline(house, ada, bob)
        house.pass_time(29_000)
        await bob.pong()
        assert bob.match["host"] == 0
        house.pass_time(1_500)
        await bob.until(lambda: bob.match["host"] == 1)
        await ada.come_back()
        assert ada.match["host"] == 1
        assert (await ada.do("kick", seat=2))["code"] == "not_host"
        await bob.must("kick", seat=2)
        assert await cid.closed() == 4002


async def test_kick_in_a_match(house: House, bot: MakeBot) -> None:
    """Once the match has begun only a seat that has been away for 60 s may be kicked, and the record says so."""
    async with asyncio.timeout(20):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1)
        await offline(house, bob, ada)
        assert (await ada.do("kick", seat=1))["code"] == "seat_online"
        house.pass_time(60_000)
        await ada.must("kick", seat=1)
        assert ada.view["seats"]["1"]["state"] == "kicked"
        await ada.until_phase("ended")  # her last minute is over on this clock
        record = await record_of(ada)
        assert [(note["what"], note["seat"], note["by"]) for note in record["notes"]] == [("kicked", 1, 0)]


async def test_countdown_is_called_off(house: House, bot: MakeBot) -> None:
    """The start waits 3 s, and is called off by whoever joins, leaves or is not ready after all."""
    async with asyncio.timeout(20):
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=3)
        await bob.join(ada.room)
        assert (await bob.do("start"))["code"] == "not_host"
        assert (await ada.do("start"))["code"] == "not_ready"
        await bob.must("ready", ready=True)
        await ada.must("ready", ready=True)
        await ada.until_phase("countdown")
        assert 2_000 < ada.match["starts_at"] - house.clock.now_ms() <= 3_000
        cid = await bot(house.url, "Cid").open()
        await cid.join(ada.room)
        await ada.until_phase("lobby")
        await cid.must("ready", ready=True)
        await ada.until_phase("countdown")
        await bob.until_phase("countdown")
        await bob.must("ready", ready=False)
        await ada.until_phase("lobby")
        await bob.must("ready", ready=True)
        await ada.until_phase("countdown")
        await cid.do("leave")
        # The two that are left are still ready.
        await ada.until(lambda: "2" not in ada.view["seats"] and ada.match["phase"] == "countdown")
        house.pass_time(2_900)
        await ada.pong()
        assert ada.match["phase"] == "countdown"
        house.pass_time(200)
        await ada.until_phase("playing")


async def test_match_that_nobody_held(street: Street, bot: MakeBot) -> None:
    """A match that everybody left alone catches up when it is opened again: in order, at the times that were due."""
    async with asyncio.timeout(30):
        one = await street.open("w1")
        ada, bob = await started(one, bot, "Ada", "Bob", holes=3, hole_seconds=60)
        opened = ada.match["opened_at"]
        await ada.must("draw", stock=16)
        await ada.close()
        await bob.close()
        await one.stop()
        two = await street.open("w2")
        two.clock.ahead_ms = 60_000 + 20_000 + 60_000 + 20_000 + 30_000
        ada.url = two.url
        await ada.come_back()
        await ada.until(lambda: ada.match["hole"] == 3)
        assert ada.match["opened_at"] == opened + 160_000
        assert ada.match["deadline"] == opened + 220_000
        await ada.must("give_up", hole=3)
        two.pass_time(60_000)
        await ada.until_phase("ended")
        record = await record_of(ada)
        assert [hole["opened_at"] - opened for hole in record["holes"]] == [0, 80_000, 160_000]
        assert [hole["closed_at"] - opened for hole in record["holes"]][:2] == [60_000, 140_000]
        assert [len(hole["seats"]["0"]["moves"]) for hole in record["holes"]] == [1, 0, 0]


async def test_due_on_two_workers(street: Street, bot: MakeBot) -> None:
    """Two workers that both see a hole's end close it once and open the next one once."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        ada, bob = await bot(one.url, "Ada").open(), await bot(two.url, "Bob").open()
        await seat_all(ada, [bob], holes=2, hole_seconds=60)
        for ms in (3000, 60_500, 20_500, 60_500):
            one.pass_time(ms)
            two.pass_time(ms)
            await asyncio.sleep(0.1)
        await ada.until_phase("ended")
        await bob.until_phase("ended")
        assert ada.version == bob.version
        assert [card["hole"] for card in bob.match["card"]] == [1, 2]
        stored = await one.hub.matches.read(ada.match_id) or []
        assert [sum(kind in one.payload for one in stored) for kind in (b'"opened"', b'"closed"')] == [2, 2]


def banners(page: Bot) -> list[str]:
    """Return what a page was told of the engine, in order."""
    return [heard.frame["state"] for heard in page.heard if heard.frame["t"] == "status"]


async def test_engine_that_stalls(client_dir: Path, bot: MakeBot) -> None:
    """A deadline does not pass while the engine stalls: players see a banner, and the time is given back."""
    engine = Engine()
    engine.start()
    street = Street(engine, client_dir)
    try:
        async with asyncio.timeout(30):
            one, two = await street.open("w1"), await street.open("w2")
            ada, eve = await bot(one.url, "Ada").open(), await bot(two.url, "Eve").open()
            await ada.host(seats=1, holes=1, hole_seconds=60)
            await ada.until_phase("playing")
            await eve.watch(ada.room)
            deadline = eve.match["deadline"]
            left = deadline - one.clock.now_ms() - 1_500
            for house in (one, two):
                house.pass_time(left)
            engine.send(signal.SIGSTOP)
            seq = await ada.send("draw", stock=16)
            await asyncio.sleep(3.5)
            engine.send(signal.SIGCONT)
            assert (await ada.answer(seq))["t"] == "e"
            for page in (ada, eve):
                await page.until(lambda page=page: page.match["deadline"] != deadline)
                assert page.match["phase"] == "playing"
                assert 2_500 < page.match["deadline"] - deadline < 5_000
                await page.until(lambda page=page: banners(page)[-1:] == ["ok"])  # told in whatever order
                assert banners(page) == ["engine_away", "ok"]
            await asyncio.gather(ada.close(), eve.close())
    finally:
        try:
            await street.end()
        finally:
            engine.clean()
