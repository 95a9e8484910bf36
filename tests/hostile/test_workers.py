"""Several workers on one engine, the players of one match spread over them: copies that lag, races, and kill -9."""

import asyncio
import os
import signal
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from server.match.entries import HoleClosed, RematchNamed, SeatKicked, SeatTaken
from server.rules.published import PUBLISHED
from server.runtime.engine_process import ask
from tests.hostile.harness import Faulty, check_stream, check_told, start_hole, stream_of, until
from tests.hostile.proxy import Verdict
from tests.runtime.bots import Bot, Denied
from tests.runtime.checks import check_acked, check_record
from tests.runtime.crowd import record_of, seat_all
from tests.runtime.servers import House, Serve, Street, runs, scaled

MakeBot = Callable[..., Bot]


def deaf(chunk: bytes) -> Verdict:
    """Lose what the engine publishes."""
    return Verdict.SWALLOW if b"smessage" in chunk else Verdict.PASS


def room_of(house: House, bot: Bot) -> Any:
    """Return a worker's room of the bot's match."""
    return house.hub.rooms[bot.match_id]


async def same_on(houses: list[House], bot: Bot) -> None:
    """Wait until all workers hold the same state of a match."""
    for house in houses:
        await house.poll()
    await until(lambda: len({room_of(house, bot).state.version for house in houses}) == 1)
    states = [room_of(house, bot).state for house in houses]
    assert all(state == states[0] for state in states)


async def two_in_a_hole(street: Street, bot: MakeBot, urls: list[str], **options: Any) -> tuple[Bot, Bot]:
    """Ada plays on the first worker, Bob on the second."""
    ada, bob = await bot(urls[0], "Ada").open(), await bot(urls[1], "Bob").open()
    await start_hole(ada, [bob], street.houses, **options)
    return ada, bob


async def move(bot: Bot) -> dict[str, Any]:
    """Make some move and return its answer."""
    chosen = bot.choice()
    assert chosen is not None
    return await bot.do(chosen[0], **chosen[1])


async def test_page_moves_to_a_worker_that_lags(faulty: Faulty, bot: MakeBot) -> None:
    """A page that knows more than the worker it comes back to is never shown less, and its next move counts once."""
    async with asyncio.timeout(20):
        await faulty.open("w1")
        await faulty.open("w2")
        ada, _ = await two_in_a_hole(faulty, bot, faulty.urls)
        faulty.engine_side[1].down.judge = deaf
        for _ in range(4):
            assert (await move(ada))["t"] == "e"
        version, board = ada.version, ada.board
        ada.cut()
        ada.url = faulty.urls[1]
        await ada.open()
        snapshots = sum(heard.frame["t"] == "snapshot" for heard in ada.heard)
        await ada.resume()
        assert (ada.version, ada.board) == (version, board)
        assert sum(heard.frame["t"] == "snapshot" for heard in ada.heard) == snapshots
        assert (await move(ada))["t"] == "e"
        check_told(await stream_of(faulty.engine, ada.match_id), ada)


async def test_claimed_on_one_worker_resumed_on_a_lagging_one(faulty: Faulty, bot: MakeBot) -> None:
    """A seat taken over, or just sat down on, elsewhere is known to a worker that missed it."""
    async with asyncio.timeout(20):
        await faulty.open("w1")
        await faulty.open("w2")
        ada, bob = await bot(faulty.urls[0], "Ada").open(), await bot(faulty.urls[1], "Bob").open()
        eve = await bot(faulty.urls[0], "Eve").open()
        await ada.host(seats=3, holes=1)
        await bob.join(ada.room)
        faulty.engine_side[1].down.judge = deaf
        ada.cut()
        await ada.open()
        await ada.resume(fresh=True)
        await eve.join(ada.room)
        for one in (ada, eve):
            one.cut()
            one.url = faulty.urls[1]
            await one.open()
            await one.resume()
            assert one.seat == {"Ada": 0, "Eve": 2}[one.name]
            assert (await one.do("ready", ready=True))["t"] == "e"


async def test_lost_publications_heal(faulty: Faulty, bot: MakeBot) -> None:
    """A worker whose subscription is silently dead still tells everything within a poll or two, without a reload."""
    async with asyncio.timeout(20):
        await faulty.open("w1")
        await faulty.open("w2")
        ada, bob = await two_in_a_hole(faulty, bot, faulty.urls)
        faulty.engine_side[1].down.judge = deaf
        for _ in range(5):
            await move(ada)
        async with asyncio.timeout(4.5):
            await bob.until(lambda: bob.version == ada.version)
        faulty.engine_side[1].heal()
        assert (await move(bob))["t"] == "e"
        await ada.until(lambda: ada.version == bob.version)
        assert [heard.frame["t"] for heard in bob.heard].count("snapshot") == 1


async def test_killed_subscriptions_heal(faulty: Faulty, bot: MakeBot) -> None:
    """When the engine ends the subscribers' connections, what was missed is read and told at once."""
    async with asyncio.timeout(20):
        await faulty.open("w1")
        house = await faulty.open("w2")
        ada, bob = await two_in_a_hole(faulty, bot, faulty.urls)
        for _ in range(6):
            ask(faulty.engine.socket, "CLIENT", "KILL", "TYPE", "pubsub")
            await move(ada)
            async with asyncio.timeout(1.5):  # far less than it would take by polls alone, six times
                await bob.until(lambda: bob.version == ada.version)
        assert [heard.frame["t"] for heard in bob.heard].count("snapshot") == 1
        await until(lambda: house.subscriptions == 1)


async def test_room_that_is_opened_while_it_is_closed_keeps_listening(street: Street, bot: MakeBot) -> None:
    """A match that somebody enters just as its idle copy is dropped hears publications, not only polls."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        ada = await bot(one.url, "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        eve = await bot(two.url, "Eve").open()
        await eve.watch(ada.room)
        await eve.close()
        room = room_of(two, ada)
        await until(lambda: room.idle_since is not None)
        room.idle_since -= 60
        slow = two.hub.touch
        late = await bot(two.url, "Late").open()

        async def touch(batch: Any) -> None:
            two.hub.touch = slow  # type: ignore[method-assign]
            watching = asyncio.ensure_future(late.watch(ada.room))
            await asyncio.sleep(0.1)
            await slow(batch)
            await watching

        two.hub._ended.setdefault(ada.match_id, []).append("w:gone")
        two.hub.touch = touch  # type: ignore[method-assign]
        await two.poll()
        await until(lambda: two.subscriptions == 1)
        before = late.version
        await move(ada)
        async with asyncio.timeout(1):
            await late.until(lambda: late.version > before)


@pytest.mark.parametrize("turn", range(scaled(2, 40)))
async def test_race_for_the_last_seat(street: Street, bot: MakeBot, turn: int) -> None:
    """Two who ask two workers for the last seat at the same moment: one sits, the other is told that it is full."""
    async with asyncio.timeout(20):
        houses = [await street.open("w1"), await street.open("w2")]
        ada = await bot(houses[0].url, "Ada").open()
        await ada.host(seats=2, holes=1)
        rivals = [await bot(houses[n].url, f"Rival{n}").open() for n in (0, 1)]
        warm = await bot(houses[1].url, "Warm").open()
        await warm.watch(ada.room)
        outcomes = await asyncio.gather(*(rival.join(ada.room) for rival in rivals), return_exceptions=True)
        denied = [outcome for outcome in outcomes if isinstance(outcome, Denied)]
        assert [one.code for one in denied] == ["room_full"]
        assert [rival.seat for rival in rivals if rival.view] == [1]
        await same_on(houses, ada)
        entries = await stream_of(street.engine, ada.match_id)
        assert sum(isinstance(entry.body, SeatTaken) for entry in entries) == 1
        await ada.pong()
        await warm.pong()
        assert ada.view["seats"] == warm.view["seats"]


@pytest.mark.parametrize("turn", range(scaled(2, 40)))
async def test_race_of_a_kick(street: Street, bot: MakeBot, turn: int) -> None:
    """A host who puts somebody out while they say ready on another worker: out they are, on both, and stay out."""
    async with asyncio.timeout(20):
        houses = [await street.open("w1"), await street.open("w2")]
        ada, bob = await bot(houses[0].url, "Ada").open(), await bot(houses[1].url, "Bob").open()
        await ada.host(seats=3, holes=1)
        await bob.join(ada.room)
        await ada.until(lambda: "1" in ada.view["seats"])
        await asyncio.gather(ada.send("kick", seat=1), *(bob.send("ready", ready=n % 2 == 0) for n in range(4)))
        with pytest.raises(ConnectionClosed):
            await bob.until(lambda: False)
        assert bob.close_code == 4002
        await ada.until(lambda: "1" not in ada.view["seats"])
        await same_on(houses, ada)
        entries = await stream_of(street.engine, ada.match_id)
        kicked = next(entry.version for entry in entries if isinstance(entry.body, SeatKicked))
        assert all(entry.seat != 1 for entry in entries if entry.version > kicked)
        check_told(entries, bob)
        for house in houses:
            again = bot(house.url, "Bob")
            again.token, again.match_id = bob.token, bob.match_id
            await again.open()
            with pytest.raises(Denied, match="kicked"):
                await again.join(ada.room)
            await again.say(t="resume", match=bob.match_id, token=bob.token)
            with pytest.raises(ConnectionClosed):
                await again.until(lambda: False)
            assert again.close_code == 4002


@pytest.mark.parametrize("turn", range(scaled(2, 40)))
async def test_race_to_close_a_hole(street: Street, bot: MakeBot, turn: int) -> None:
    """Both players end at the same moment on two workers: the hole is closed once, with the same results on both."""
    async with asyncio.timeout(20):
        houses = [await street.open("w1"), await street.open("w2")]
        ada, bob = await two_in_a_hole(street, bot, [house.url for house in houses], holes=2)
        await asyncio.gather(*(one.send("give_up", hole=1) for one in (ada, bob)))
        for one in (ada, bob):
            await one.until_phase("between")
        await same_on(houses, ada)
        entries = await stream_of(street.engine, ada.match_id)
        assert sum(isinstance(entry.body, HoleClosed) for entry in entries) == 1
        assert ada.match["card"] == bob.match["card"]


@pytest.mark.parametrize("turn", range(scaled(2, 40)))
async def test_race_of_the_deadline_with_a_clearing_move(street: Street, bot: MakeBot, turn: int) -> None:
    """The move that clears the hole, sent as another worker closes it: cleared or timed out, the same for all."""
    async with asyncio.timeout(30):
        houses = [await street.open("w1"), await street.open("w2")]
        deal = PUBLISHED["GO1-AAAAAAB"]
        ada, bob = await two_in_a_hole(street, bot, [house.url for house in houses], deals=[deal.code], rule="easy")
        for step in deal.line[:-1]:
            kind, fields = bob.move(list(step))
            await bob.must(kind, **fields)
        # From now on the first worker's clock is past the deadline; the second's is not, and takes the last move.
        ahead = ada.match["deadline"] - houses[0].clock.now_ms() + turn
        houses[0].clock.ahead_ms += ahead
        kind, fields = bob.move(list(deal.line[-1]))
        if turn % 2:
            room_of(houses[0], ada).look_around()
            await asyncio.sleep(0.0005 * turn)
        seq = await bob.send(kind, **fields)
        room_of(houses[0], ada).look_around()
        answer = await bob.answer(seq)
        for one in (ada, bob):
            await one.until_phase("ended")
        await same_on(houses, ada)
        result = ada.match["card"][0]["scores"]["1"]
        assert ada.match["card"] == bob.match["card"]
        if answer["t"] == "e":
            assert (result["how"], result["app"]) == ("cleared", 350)
        else:
            assert answer["code"] in ("hole_over", "not_open")
            assert result["how"] == "timed_out"
            assert result["cards_left"] == 1
        check_stream(await stream_of(street.engine, ada.match_id))


@pytest.mark.parametrize("turn", range(scaled(2, 40)))
async def test_race_of_rematches(street: Street, bot: MakeBot, turn: int) -> None:
    """Two who ask two workers for a rematch at once are led to the same one, in which both have their seats."""
    async with asyncio.timeout(20):
        houses = [await street.open("w1"), await street.open("w2")]
        ada, bob = await two_in_a_hole(street, bot, [house.url for house in houses])
        for one in (ada, bob):
            await one.send("give_up", hole=1)
        for one in (ada, bob):
            await one.until_phase("ended")
        answers = await asyncio.gather(ada.do("rematch"), bob.do("rematch"))
        assert sorted(answer["t"] for answer in answers) == ["e", "refused"]
        await asyncio.gather(*(one.until(lambda one=one: one.match["next"]) for one in (ada, bob)))
        assert ada.match["next"] == bob.match["next"]
        entries = await stream_of(street.engine, ada.match_id)
        assert sum(isinstance(entry.body, RematchNamed) for entry in entries) == 1
        following = ada.match["next"]["match"]
        for one, house in ((ada, houses[1]), (bob, houses[0])):
            await one.ws.close()
            one.url, one.match_id = house.url, following
            await one.open()
            await one.resume(fresh=True)
        assert (ada.seat, bob.seat) == (0, 1)
        assert ada.room == bob.room


async def spread(ada: Bot, bob: Bot) -> None:
    """Bring two players to two workers; the kernel chooses, so ask again until it is so."""
    await ada.open()
    await bob.open()
    while bob.worker == ada.worker:
        await bob.ws.close()
        await bob.open()


async def kill_workers(server: Any, bots: list[Bot], chance: Random, done: asyncio.Event) -> int:
    """Kill a worker at random moments, but never before the last one has been replaced."""
    killed = 0
    while not done.is_set():
        await asyncio.sleep(0.1 + 0.5 * chance.random())
        pids = [pid for pid in server.worker_pids() if runs(pid)]
        if done.is_set() or len(pids) < 2:
            continue
        os.kill(chance.choice(pids), signal.SIGKILL)
        killed += 1
    return killed


@pytest.mark.processes
@pytest.mark.parametrize("turn", range(scaled(3, 100)))
async def test_kill_workers_in_the_middle(serve: Serve, bot: MakeBot, turn: int) -> None:
    """Workers are killed with -9 at random moments: play goes on, and every move that was acked is in the record."""
    server = serve("--workers", "2", "--log", "error")
    chance = Random(turn)
    async with asyncio.timeout(60):
        ada, bob = bot(server.url, "Ada", turn), bot(server.url, "Bob", turn)
        await spread(ada, bob)
        await seat_all(ada, [bob], holes=1, undo=chance.choice(["off", "plays", "all"]))
        done = asyncio.Event()
        killer = asyncio.ensure_future(kill_workers(server, [ada, bob], chance, done))
        await asyncio.gather(*(one.play(pause_s=0.08, cut=0.02, fresh=0.3, undo=0.05) for one in (ada, bob)))
        done.set()
        killed = await killer
        record = await record_of_again(ada)
    check_record(record, [ada, bob])
    for one in (ada, bob):
        check_acked(record, one)
    assert killed >= 1
    assert ada.resumes + bob.resumes >= 1


async def record_of_again(bot: Bot) -> Any:
    """Fetch the record from whichever worker lives."""
    while True:
        try:
            return await record_of(bot)
        except (OSError, ValueError):
            await asyncio.sleep(0.05)
