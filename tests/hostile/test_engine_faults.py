"""The engine stalls, restarts, goes away, fills up: banners, moves that wait or are refused, time given back."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from server.runtime.engine_process import ask
from server.store.errors import EngineError
from tests.hostile.harness import Faulty, OwnEngine, check_stream, check_told, start_hole, stream_of, until
from tests.runtime.bots import Bot
from tests.runtime.checks import check_acked, check_record
from tests.runtime.crowd import get, record_of
from tests.runtime.servers import House, scaled

MakeBot = Callable[..., Bot]
STALL_S = scaled(3, 5) + 0.3
GONE_S = scaled(4, 30)


def statuses(bot: Bot) -> list[str]:
    """Return the banners that a page was told to show, in order."""
    return [heard.frame["state"] for heard in bot.heard if heard.frame["t"] == "status"]


async def hear_status(bot: Bot, state: str) -> None:
    """Hear frames until the last banner is this."""
    await bot.until(lambda: statuses(bot)[-1:] == [state])


@asynccontextmanager
async def in_a_hole(faulty: Faulty, bot: MakeBot) -> AsyncIterator[tuple[House, Bot, Bot]]:
    """Two players in the middle of a hole; afterwards they play it to its end, and all of it must be right."""
    house = await faulty.open()
    ada, bob = [await bot(faulty.urls[0], name).open() for name in ("Ada", "Bob")]
    await start_hole(ada, [bob], [house], holes=2)
    house.clock.ahead_ms = 0
    for one in (ada, bob):
        await one.must("give_up", hole=1)
    for one in (ada, bob):
        await one.until_phase("between")
        await one.must("next", hole=1)
    for one in (ada, bob):
        await one.until_phase("playing")  # opened now, by the engine's own clock
        kind, fields = one.choice() or ("", {})
        await one.must(kind, **fields)
    for one in (ada, bob):
        await one.pong()
    yield house, ada, bob
    await asyncio.gather(ada.play(), bob.play())
    record = await record_of(ada)
    check_record(record, [ada, bob])
    entries = await stream_of(faulty.engine, ada.match_id)
    check_stream(entries)
    for one in (ada, bob):
        check_told(entries, one)
        check_acked(record, one)


async def stall(engine: OwnEngine) -> None:
    """Hold the engine up for a while."""
    engine.send(signal.SIGSTOP)
    await asyncio.sleep(STALL_S)
    engine.send(signal.SIGCONT)


async def restart(engine: OwnEngine) -> None:
    """Kill the engine and start it again, a while later."""
    engine.end(signal.SIGKILL)
    await asyncio.sleep(GONE_S)
    engine.start()


@pytest.mark.parametrize("moving", [False, True], ids=["nobody moves", "a move is on its way"])
@pytest.mark.parametrize("fault", [stall, restart], ids=["stalls", "is gone and comes back"])
async def test_outage(
    faulty: Faulty,
    own_engine: OwnEngine,
    bot: MakeBot,
    fault: Callable[[OwnEngine], Awaitable[None]],
    moving: bool,
) -> None:
    """While the engine is away pages show it and a move waits; then it counts once, and the time is given back."""
    async with asyncio.timeout(60), in_a_hole(faulty, bot) as (house, ada, bob):
        deadline, version = ada.match["deadline"], ada.version
        loop = asyncio.get_running_loop()
        began = loop.time()
        away = asyncio.ensure_future(fault(own_engine))
        await asyncio.sleep(0.05)
        kind, fields = bob.choice() or ("", {})
        seq = await bob.send(kind, **fields) if moving else 0
        async with asyncio.timeout(20):
            await hear_status(ada, "engine_away")
        await hear_status(bob, "engine_away")
        assert (ada.version, bob.version) == (version, version)
        status, _, _ = await get(house.url, "/readyz")
        assert status == 503
        newcomer = await bot(faulty.urls[0], "Eve").open()  # the server still greets, and says what is wrong
        await newcomer.say(t="ping", n=1)
        await hear_status(newcomer, "engine_away")
        await away
        took_ms = 1000 * (loop.time() - began)
        async with asyncio.timeout(20):
            await hear_status(ada, "ok")
            await hear_status(bob, "ok")
            await ada.until(lambda: ada.match["deadline"] != deadline)
        given = ada.match["deadline"] - deadline
        assert took_ms - 1200 < given < took_ms + 1800, (took_ms, given)
        if moving:
            answer = await bob.answer(seq)
            assert answer["t"] == "e"
        assert (await get(house.url, "/readyz"))[0] == 200


async def test_page_that_comes_while_the_engine_is_away(faulty: Faulty, own_engine: OwnEngine, bot: MakeBot) -> None:
    """A page that comes back, or wants in, meanwhile is answered in time and gets in afterwards."""
    async with asyncio.timeout(60), in_a_hole(faulty, bot) as (_, _, bob):
        version = bob.version
        bob.cut()
        own_engine.send(signal.SIGSTOP)
        await asyncio.sleep(0.1)
        await bob.open()
        await bob.resume()  # this worker holds the match: it needs no engine for that
        assert bob.version == version
        stranger = await bot(faulty.urls[0], "Eve").open()
        async with asyncio.timeout(30):
            await stranger.say(t="host", name="Eve", token=stranger.token, options={"seats": 1})
            while (frame := await stranger.hear())["t"] != "error":
                assert frame["t"] == "status"
            assert frame["code"] == "engine_away"
            await stranger.pong()
        own_engine.send(signal.SIGCONT)
        await stranger.say(t="host", name="Eve", token=stranger.token, options={"seats": 1})
        await stranger.until(lambda: stranger.view)


async def test_out_of_memory(faulty: Faulty, own_engine: OwnEngine, bot: MakeBot) -> None:
    """A full engine refuses a move whole, with a code; nothing of it is applied, and play goes on later."""
    async with asyncio.timeout(60), in_a_hole(faulty, bot) as (_, ada, bob):
        before = await stream_of(own_engine, ada.match_id)
        deadline = ada.match["deadline"]
        assert ask(own_engine.socket, "CONFIG", "SET", "maxmemory", "1").startswith(b"+OK")
        kind, fields = ada.choice() or ("", {})
        answer = await ada.do(kind, **fields)
        assert (answer["t"], answer["code"]) == ("refused", "engine_away")
        assert await stream_of(own_engine, ada.match_id) == before
        async with asyncio.timeout(30):
            await hear_status(bob, "engine_away")
        stranger = await bot(faulty.urls[0], "Eve").open()
        await stranger.say(t="host", name="Eve", token=stranger.token, options={"seats": 1})
        await stranger.until(lambda: any(heard.frame["t"] == "error" for heard in stranger.heard))
        await asyncio.sleep(2.5)
        assert ask(own_engine.socket, "CONFIG", "SET", "maxmemory", "0").startswith(b"+OK")
        await hear_status(bob, "ok")
        await hear_status(ada, "ok")
        await bob.until(lambda: bob.match["deadline"] > deadline + 2_000)


async def test_line_cut_again_and_again(faulty: Faulty, bot: MakeBot) -> None:
    """The engine's line is cut with answers outstanding while both play: nothing is lost or doubled."""
    async with asyncio.timeout(60), in_a_hole(faulty, bot) as (house, ada, bob):
        cuts = 0

        async def cutting() -> None:
            nonlocal cuts
            while ada.match["phase"] == "playing":
                faulty.engine_side[0].cut()
                cuts += 1
                await asyncio.sleep(0.06)

        await asyncio.gather(ada.play(), bob.play(), cutting())
        assert cuts >= 3
        assert ada.resumes == bob.resumes == 0
        await until(lambda: house.hub.engine_up)


@pytest.mark.parametrize("moving", [False, True], ids=["nobody moves", "a move is on its way"])
@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["stalled", "gone"])
async def test_stop_while_the_engine_is_away(
    faulty: Faulty, own_engine: OwnEngine, bot: MakeBot, how: signal.Signals, moving: bool
) -> None:
    """A worker that is told to stop while the engine is away ends in a few seconds all the same."""
    async with asyncio.timeout(30):
        house = await faulty.open()
        ada = await bot(faulty.urls[0], "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        own_engine.send(how)
        if moving:
            kind, fields = ada.choice() or ("", {})
            await ada.send(kind, **fields)
        await asyncio.sleep(0.7)
        async with asyncio.timeout(9):
            await house.stop()
        faulty.houses.clear()


async def test_stop_is_not_lost_on_a_call_that_is_being_answered(faulty: Faulty, bot: MakeBot) -> None:
    """Background work ends although the call that it waits in takes the stop for a broken connection, and goes on."""
    async with asyncio.timeout(30):
        house = await faulty.open()
        await bot(faulty.urls[0]).open()
        calls = 0

        async def deaf_beat() -> tuple[int, int | None]:
            nonlocal calls
            calls += 1
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                raise EngineError("engine_away", "cancelled, but taken for a loss") from None
            raise AssertionError("nobody waits that long")

        house.hub.matches.beat = deaf_beat  # type: ignore[method-assign]
        await until(lambda: calls)
        async with asyncio.timeout(4):
            await house.stop()
        faulty.houses.clear()
