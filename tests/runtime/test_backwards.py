"""An engine whose history went backwards (a failover, an old backup): it is noticed, and every page begins again.

The engine is given an older state of a match's keys, as a replica that takes over has it, and then other entries.
"""

import asyncio
from collections.abc import Callable

import pytest
import redis.asyncio
from websockets.exceptions import ConnectionClosed

from server.store.matches import Appended, Item, Result

from .bots import Bot
from .crowd import seat_all
from .servers import Engine, House, Street

MakeBot = Callable[..., Bot]


class Past:
    """What an engine had of a match at some moment."""

    def __init__(self, engine: Engine, match_id: str) -> None:
        self._client = redis.asyncio.Redis(unix_socket_path=str(engine.socket))
        self._keys = [f"fw:{{{match_id}}}:{kind}" for kind in "sh"]
        self._dumps: list[bytes] = []

    async def keep(self) -> None:
        """Take it as it is now."""
        self._dumps = [await self._client.dump(key) for key in self._keys]

    async def bring_back(self) -> None:
        """Let the engine know no more than then."""
        for key, dump in zip(self._keys, self._dumps, strict=True):
            await self._client.restore(key, 0, dump, replace=True)
        await self._client.aclose()


async def append(house: House, match_id: str, version: int, *items: Item) -> Result:
    """Append as another worker would."""
    future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    house.hub.matches.append(match_id, version, items, 60_000, future.set_result)
    return await future


def snapshots(bot: Bot) -> int:
    """How many whole views a page was shown."""
    return sum(heard.frame["t"] == "snapshot" for heard in bot.heard)


async def two_drew(street: Street, engine: Engine, bot: MakeBot) -> tuple[Bot, Bot]:
    """Ada and Bob each drew; then the engine forgets that, and is told the two in the other order."""
    one, two = await street.open("w1"), await street.open("w2")
    ada, bob = await bot(one.url, "Ada").open(), await bot(two.url, "Bob").open()
    await seat_all(ada, [bob], holes=1)
    one.pass_time(3000)
    for each in (ada, bob):
        await each.until_phase("playing")
    past = Past(engine, ada.match_id)
    await past.keep()
    version = ada.version
    await ada.must("draw", stock=16)
    await bob.must("draw", stock=16)
    await ada.until(lambda: ada.version == version + 2)
    first, second = await one.hub.matches.read(ada.match_id, version) or []
    await past.bring_back()
    items = [Item(each.payload, each.seat, each.generation, each.seq) for each in (second, first)]
    assert isinstance(await append(two, ada.match_id, version, *items), Appended)
    return ada, bob


@pytest.mark.errors_expected
async def test_noticed_at_the_same_version(street: Street, engine: Engine, bot: MakeBot) -> None:
    """A history as long as the copy's, but another one, is noticed at the next poll: new views, and play goes on."""
    async with asyncio.timeout(20):
        ada, bob = await two_drew(street, engine, bot)
        assert snapshots(ada) == snapshots(bob) == 1
        for house in street.houses:
            await house.poll()
        for each in (ada, bob):
            await each.until(lambda each=each: snapshots(each) == 2)
        await ada.must("draw", stock=15)
        await asyncio.gather(ada.play(), bob.play())
        assert ada.match["phase"] == bob.match["phase"] == "ended"


@pytest.mark.errors_expected
async def test_noticed_by_a_move(street: Street, engine: Engine, bot: MakeBot) -> None:
    """A move that was decided on the lost history is not appended to the other one, but decided anew on it."""
    async with asyncio.timeout(20):
        ada, bob = await two_drew(street, engine, bot)
        await ada.must("draw", stock=15)
        assert snapshots(ada) == 2
        await bob.until(lambda: snapshots(bob) == 2)  # by the publication, whose digest is not that of its copy
        await asyncio.gather(ada.play(), bob.play())


@pytest.mark.errors_expected
async def test_a_seat_that_was_lost(street: Street, engine: Engine, bot: MakeBot) -> None:
    """Whose seat is lost is sent away to come in anew; the others see the match without it."""
    async with asyncio.timeout(20):
        house = await street.open()
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=2)
        past = Past(engine, ada.match_id)
        await past.keep()
        await bob.join(ada.room)
        await ada.until(lambda: "1" in ada.view["seats"])
        await past.bring_back()
        await house.poll()
        with pytest.raises(ConnectionClosed):
            await bob.until(lambda: False)
        assert bob.close_code == 1012
        await ada.until(lambda: snapshots(ada) == 2)
        assert set(ada.view["seats"]) == {"0"}
        again = await bot(house.url, "Bob").open()
        await again.join(ada.room)
        assert again.seat == 1
