"""Lines that are cut, pages that come back, and pages that take a seat over."""

import asyncio
import contextlib
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed

from .bots import Bot
from .checks import check_acked, check_record, check_stream
from .crowd import record_of, seat_all
from .servers import House, Street, scaled

MakeBot = Callable[..., Bot]


def twin(bot: MakeBot, page: Bot, url: str | None = None) -> Bot:
    """Return another page of the same person: the same token, nothing else."""
    other = bot(url or page.url, page.name)
    other.token, other.match_id = page.token, page.match_id
    return other


async def started(house: House, bot: MakeBot, *names: str, **options: object) -> list[Bot]:
    """Return the players of a match that has just opened its first hole."""
    house.clock.ahead_ms = 0  # what earlier matches jumped over is not this one's time
    players = [await bot(house.url, name).open() for name in names]
    await seat_all(players[0], players[1:], **options)
    house.pass_time(3000)
    for one in players:
        await one.until_phase("playing")
    return players


async def test_random_cuts(house: House, bot: MakeBot) -> None:
    """Lines cut at any moment lose nothing and do nothing twice; who comes back goes on, also as a fresh page."""
    for seed in range(scaled(3, 100)):
        house.clock.ahead_ms = 0
        async with asyncio.timeout(60):
            players = [bot(house.url, f"Player {number}", seed) for number in range(3)]
            for one in players:
                await one.open()
            await seat_all(players[0], players[1:], holes=2, undo="all")
            house.pass_time(3000)
            await asyncio.gather(*(one.play(undo=0.1, cut=0.12, fresh=0.3) for one in players))
            record = await record_of(players[0])
            check_record(record, players)
            check_stream(await house.hub.matches.read(players[0].match_id) or [], players)
            assert sum(check_acked(record, one) for one in players) > 100
            assert sum(one.resumes for one in players) > 10


async def test_exactly_what_was_missed(house: House, bot: MakeBot) -> None:
    """Who comes back with its version hears each missed entry once, as if it had been there, and no snapshot."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=2)
        eve = await bot(house.url, "Eve").open()
        await eve.watch(ada.room)
        away = [await twin(bot, bob).open(), bob]
        bob.cut()
        eve.cut()
        versions = [(await ada.must("draw", stock=16 - number))["v"] for number in range(5)]
        for one in (bob, eve):
            before = len(one.heard)
            await one.come_back()
            news = [heard.frame for heard in one.heard[before:] if heard.frame["t"] in ("e", "snapshot")]
            assert [frame.get("v") for frame in news] == versions
            assert {frame["t"] for frame in news} == {"e"}
            await one.refresh()
        assert away


async def test_hole_that_was_missed(house: House, bot: MakeBot) -> None:
    """Who was away when the next hole began gets a snapshot, and so does one with a version from the future."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=2)
        await bob.must("give_up", hole=1)
        bob.cut()
        await ada.must("give_up", hole=1)
        await ada.must("next", hole=1)
        house.pass_time(20_000)
        await ada.until(lambda: ada.match["hole"] == 2)
        before = len(bob.heard)
        await bob.come_back()
        assert [h.frame["t"] for h in bob.heard[before:] if h.frame["t"] in ("e", "snapshot")] == ["snapshot"]
        bob.cut()
        await bob.open()
        await bob.resume(fresh=True, version=10_000, generation=1)
        assert bob.version == ada.version
        await bob.refresh()


async def test_command_sent_again_after_a_cut(house: House, bot: MakeBot) -> None:
    """A command whose answer was lost is answered when it is sent again, and happened once."""
    async with asyncio.timeout(20):
        (ada,) = await started(house, bot, "Ada", holes=1)
        for number in range(16):
            seq = await ada.send("draw", stock=16 - number)
            for _ in range(number % 4):
                await asyncio.sleep(0)
            ada.cut()
            await ada.come_back()
            assert (await ada.answer(seq))["t"] in ("e", "ack")
            assert len(ada.board["stock"]) == 15 - number


async def test_second_page_takes_over(house: House, bot: MakeBot) -> None:
    """A second page gets the seat; the first is told, closed with 4001, and does not get it back by resuming."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1)
        await ada.must("draw", stock=16)
        second = await twin(bot, ada).open()
        await second.resume(fresh=True)
        assert second.view["you"]["generation"] == 2
        assert second.view["you"]["next_seq"] == 1
        assert await ada.closed() == 4001
        assert ada.heard[-1].frame == {"t": "replaced"}
        heard = len(second.heard)
        for _ in range(3):  # the old page comes back by itself, again and again
            await ada.open()
            await ada.say(t="resume", match=ada.match_id, token=ada.token, version=ada.version, generation=1)
            assert await ada.closed() == 4001
            assert ada.heard[-1].frame == {"t": "replaced"}
        await second.must("draw", stock=15)
        assert not [h for h in second.heard[heard:] if h.frame["t"] == "replaced"]
        await bob.pong()
        assert bob.view["seats"]["0"]["stock"] == 14
        third = await twin(bot, ada).open()
        await third.resume(fresh=True)
        assert third.view["you"]["generation"] == 3
        assert await second.closed() == 4001


async def test_commands_in_flight_are_fenced(house: House, bot: MakeBot) -> None:
    """What an old page sent happened before the takeover or never: nothing of it comes after."""
    for number in range(scaled(10, 200)):
        async with asyncio.timeout(30):
            (ada,) = await started(house, bot, "Ada", holes=1, undo="all")
            second = await twin(bot, ada).open()
            taking = asyncio.create_task(second.resume(fresh=True))
            with contextlib.suppress(ConnectionClosed):
                for stock in range(16, 4, -1):
                    await ada.send("draw", stock=stock)
                    if number % 2:
                        await asyncio.sleep(0.0002 * number)
            assert await ada.closed() == 4001
            await taking
            await second.pong()
            stored = await house.hub.matches.read(ada.match_id) or []
            claimed = next(one.version for one in stored if b'"claimed"' in one.payload)
            assert all(one.version < claimed for one in stored if one.seq and one.generation == 1)
            check_stream(stored, [ada])
            await second.must("draw", stock=len(second.board["stock"]))


async def test_takeover_on_another_worker(street: Street, bot: MakeBot) -> None:
    """A page whose seat was taken over on another worker is told by its own, even if that one heard nothing."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        (ada,) = await started(one, bot, "Ada", holes=1)
        second = await twin(bot, ada, two.url).open()
        await second.resume(fresh=True)
        assert await ada.closed() == 4001
        await one.hub.matches.unsubscribe(ada.match_id)
        third = await twin(bot, ada, one.url).open()
        await third.resume(fresh=True)
        fourth = await twin(bot, ada, two.url).open()
        await fourth.resume(fresh=True)
        await third.send("draw", stock=16)  # the first worker has not heard of the fourth page
        assert await third.closed() == 4001
        assert third.heard[-1].frame == {"t": "replaced"}
        await fourth.must("draw", stock=16)


async def test_resume_on_a_worker_that_lags(street: Street, bot: MakeBot) -> None:
    """A page that comes to a worker which knows less than the page is let in as who it is, never told otherwise."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        ada, bob = await started(one, bot, "Ada", "Bob", holes=1)
        eve = await bot(two.url, "Eve").open()
        await eve.watch(ada.room)
        await two.hub.matches.unsubscribe(ada.match_id)
        second = await twin(bot, ada).open()
        await second.resume(fresh=True)
        await second.must("draw", stock=16)
        assert two.hub.rooms[ada.match_id].state.version < second.version
        second.cut()
        second.url = two.url
        before = len(second.heard)
        await second.come_back()
        assert "snapshot" not in {heard.frame["t"] for heard in second.heard[before:]}
        await second.must("draw", stock=15)
        bob.url = two.url
        bob.cut()
        await bob.come_back()
        await bob.must("draw", stock=16)


async def test_new_player_on_a_worker_that_lags(street: Street, bot: MakeBot) -> None:
    """Who sat down on one worker may come back through another that has not heard of it yet."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        ada = await bot(one.url, "Ada").open()
        await ada.host(seats=3)
        eve = await bot(two.url, "Eve").open()
        await eve.watch(ada.room)
        await two.hub.matches.unsubscribe(ada.match_id)
        bob = await bot(one.url, "Bob").open()
        await bob.join(ada.room)
        page = await twin(bot, bob, two.url).open()
        await page.resume(fresh=True)
        assert page.seat == 1
        await page.must("ready", ready=True)
