"""Quick match over the wire: strangers are seated together, once each, whatever becomes of workers and tabs."""

import asyncio
import secrets
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

import pytest

from server.match.entries import Created, load
from server.runtime.waiters import _address

from .bots import Bot
from .servers import House, Street

MakeBot = Callable[..., Bot]


async def wait(bot: Bot, browser: str | None = None) -> dict[str, Any]:
    """Ask for a quick match; return the first answer."""
    await bot.say(t="quick", name=bot.name, token=bot.token, browser=browser or secrets.token_hex(16))
    return await bot.hear()


async def seated(bot: Bot) -> Bot:
    """Hear that there is a match, and go there."""
    async with asyncio.timeout(25):
        while (frame := await bot.hear())["t"] != "matched":
            assert frame["t"] == "waiting", frame
    bot.match_id = frame["match"]
    return await bot.resume(fresh=True)


def in_a_hurry(*houses: House) -> None:
    """Let two wait no time for a third."""
    for house in houses:
        house.hub.waiters.patience_ms = 0


async def test_four_strangers(house: House, bot: MakeBot) -> None:
    """Each hears how many wait; the fourth fills the table, they say ready and play under the default rules."""
    players = [await bot(house.url, name).open() for name in ("Ada", "Bob", "Cem", "Ada")]
    for number, player in enumerate(players[:3], 1):
        frame = await wait(player)
        assert (frame["t"], frame["players"]) == ("waiting", number)
        assert frame["since"] <= house.clock.now_ms()
    assert (await wait(players[3]))["t"] == "matched"
    players[3].match_id = players[3].heard[-1].frame["match"]
    await players[3].resume(fresh=True)
    for player in players[:3]:
        await seated(player)
    ada = players[0]
    assert ada.match["quick"]
    assert ada.match["options"]["seats"] == 4
    assert ada.match["options"]["rule"] == "easy"
    assert [seat["name"] for seat in ada.view["seats"].values()] == ["Ada", "Bob", "Cem", "Ada (2)"]
    for player in players:
        await player.must("ready", ready=True)
    await ada.until_phase("countdown")
    house.pass_time(3_100)
    await asyncio.gather(*(player.until_phase("playing") for player in players))
    assert not len(house.hub.waiters)


async def test_two_workers_seat_one_table(street: Street, bot: MakeBot) -> None:
    """Who waits on different workers is seated together, in one match that either of them made."""
    one, two = await street.open("w1"), await street.open("w2")
    in_a_hurry(one, two)
    ada, bob = await bot(one.url, "Ada").open(), await bot(two.url, "Bob").open()
    asked = await asyncio.gather(wait(ada), wait(bob))
    assert {frame["t"] for frame in asked} <= {"waiting", "matched"}
    for player, frame in zip((ada, bob), asked, strict=True):
        if frame["t"] == "matched":
            player.match_id = frame["match"]
            await player.resume(fresh=True)
        else:
            await seated(player)
    assert ada.match_id == bob.match_id
    assert {ada.seat, bob.seat} == {0, 1}
    stored = await one.hub.matches.read(ada.match_id) or []
    created = load(stored[0].payload)
    assert isinstance(created, Created)
    assert created.quick


async def test_a_browser_and_an_address_wait_once(
    house: House, bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second tab of the same browser is refused by a code, and so is a forged browser at the same address."""
    browser = secrets.token_hex(16)
    ada, other = await bot(house.url, "Ada").open(), await bot(house.url, "Eve").open()
    assert (await wait(ada, browser))["t"] == "waiting"
    refused = await wait(other, browser)
    assert (refused["t"], refused["code"]) == ("error", "already_waiting")
    monkeypatch.setattr("server.runtime.waiters._address", lambda address: (f"a:{len(address) > 0}",))
    cem, eve = await bot(house.url, "Cem").open(), await bot(house.url, "Eve").open()
    await wait(cem)
    assert (await wait(eve))["code"] == "already_waiting"
    # Who was refused is still in no match, and may do anything else.
    await eve.host(seats=2)
    assert eve.seat == 0


def test_the_machines_own_address_stands_for_nobody() -> None:
    """Behind a proxy that is not named all come from loopback: there the browser alone counts."""
    assert _address("127.0.0.1") == _address("::/64") == _address("127.3.2.1") == ()
    assert _address("203.0.113.7") == ("a:203.0.113.7",)
    assert _address(str(ip_network("2001:db8::/64"))) == ("a:2001:db8::/64",)


async def test_a_closed_tab_is_not_seated(house: House, bot: MakeBot) -> None:
    """Who closes the page, says so, or goes into another room, is out of the queue: nobody is seated with them."""
    in_a_hurry(house)
    gone, off, elsewhere = [await bot(house.url, name).open() for name in ("Gone", "Off", "Else")]
    for player in (gone,):
        await wait(player)
    await gone.close()
    await until(lambda: not len(house.hub.waiters))
    await wait(off)
    await off.say(t="quick_off")
    await off.pong()
    await until(lambda: not len(house.hub.waiters))
    await asyncio.sleep(0)
    assert (await wait(elsewhere))["players"] == 1
    await elsewhere.host(seats=2)
    await until(lambda: not len(house.hub.waiters))
    late = await bot(house.url, "Late").open()
    async with asyncio.timeout(20):
        while (frame := await wait(late))["t"] != "waiting" or frame["players"] != 1:
            await asyncio.sleep(0.1)


async def test_a_worker_that_drains_sends_them_on(street: Street, bot: MakeBot) -> None:
    """Who waits on a worker that restarts comes back to another one with the same token, and is seated from there."""
    one, two = await street.open("w1"), await street.open("w2")
    in_a_hurry(one, two)
    browser = secrets.token_hex(16)
    ada = await bot(one.url, "Ada").open()
    await wait(ada, browser)
    await one.stop()
    street.houses.remove(one)
    assert await ada.closed() == 1012
    ada.url = two.url
    await ada.open()
    assert (await wait(ada, browser))["t"] == "waiting"
    bob = await bot(two.url, "Bob").open()
    frame = await wait(bob)
    bob.match_id = frame["match"]
    await bob.resume(fresh=True)
    await seated(ada)
    assert ada.match_id == bob.match_id


async def test_one_who_never_comes(house: House, bot: MakeBot) -> None:
    """A seat whose page never enters is put out after the gathering; who is there goes on, with a bot if they like."""
    in_a_hurry(house)
    ada, gone = await bot(house.url, "Ada").open(), await bot(house.url, "Gone").open()
    await wait(gone)
    frame = await wait(ada)
    assert frame["t"] == "matched"
    ada.match_id = frame["match"]
    await ada.resume(fresh=True)
    await ada.must("ready", ready=True)
    house.pass_time(12_100)
    await ada.until(lambda: list(ada.view["seats"]) == ["1"])
    assert ada.match["host"] == 1
    await ada.must("add_bot", strength="greedy")
    await ada.until_phase("countdown")


async def test_what_is_not_a_wait(house: House, bot: MakeBot) -> None:
    """A bad name is refused as everywhere; in a match there is no waiting, and on a server that restarts none begins."""
    ada = await bot(house.url, "<b>").open()
    assert (await wait(ada))["code"] == "bad_name"
    ada.name = "Ada"
    await ada.host(seats=2)
    assert (await wait(ada))["code"] == "in_match"
    house.gateway.entrance.draining = True
    bob = await bot(house.url, "Bob").open()
    assert (await bob.hear())["state"] == "draining"
    assert (await wait(bob))["code"] == "draining"
    house.gateway.entrance.draining = False


async def until(holds: Callable[[], object]) -> None:
    """Wait for what another part of this loop does."""
    async with asyncio.timeout(25):
        while not holds():
            await asyncio.sleep(0.01)
