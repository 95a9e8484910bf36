"""House players: bots of the server's own over its public wire, in the seats that a host gives them."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from server.match.entries import BotSeated, ReadySet, SeatClaimed, load
from server.runtime.house_player import HousePlayer, Pace

from .bots import Bot
from .servers import House, Street

MakeBot = Callable[..., Bot]
QUICK = Pace(0.02)


@pytest.fixture
async def house(street: Street) -> AsyncIterator[House]:
    """One worker whose house players are in a hurry."""
    house = await street.open()
    house.hub.house.pace = QUICK
    return house


async def until(holds: Callable[[], object]) -> None:
    """Wait for what another part of this loop does."""
    async with asyncio.timeout(25):
        while not holds():
            await asyncio.sleep(0.01)


async def test_a_match_against_two(house: House, bot: MakeBot) -> None:
    """A host adds two, they make themselves ready with nonces of their own, and play every hole to its end."""
    ada = await (await bot(house.url).open()).host(holes=2, seats=3)
    await ada.must("add_bot", strength="greedy")
    await ada.must("add_bot", strength="counting")
    seats = ada.view["seats"]
    assert [seats[number]["bot"] for number in "012"] == [None, "greedy", "counting"]
    assert all("(bot)" in seats[number]["name"] for number in "12")
    await ada.until(lambda: seats_ready(ada, "12"))
    await ada.must("ready", ready=True)
    house.pass_time(3_100)
    async with asyncio.timeout(60):
        await ada.play(give_up=0.2)
    assert [len(hole["scores"]) for hole in ada.match["card"]] == [3, 3]
    hows = {hole["scores"][number]["how"] for hole in ada.match["card"] for number in "12"}
    assert hows <= {"cleared", "stuck"}, "they played to the end"
    assert set(ada.match["nonces"]) == {"1", "2"}
    await until(lambda: not len(house.hub.house))


def seats_ready(page: Bot, numbers: str) -> bool:
    """Whether these seats are ready."""
    return all(page.view["seats"][number]["ready"] for number in numbers)


async def test_a_bot_says_when_it_is_done(house: House, bot: MakeBot) -> None:
    """Where no loss is declared a house player ends its hole itself; who is stronger than those of the game is refused."""
    ada = await (await bot(house.url).open()).host(game="russian", holes=1, seats=2)
    refused = await ada.do("add_bot", strength="counting")
    assert (refused["t"], refused["code"]) == ("refused", "bot_strength")
    await ada.must("add_bot", strength="greedy")
    await ada.until(lambda: seats_ready(ada, "1"))
    await ada.must("ready", ready=True)
    house.pass_time(3_100)
    async with asyncio.timeout(60):
        await ada.play(give_up=1)
    assert ada.match["card"][0]["scores"]["1"]["how"] in ("done", "cleared")


async def test_a_person_takes_a_bots_seat(house: House, bot: MakeBot) -> None:
    """Who joins a full room gets the house player's seat; that one hears no more of the match, and goes."""
    ada = await bot(house.url, "Ada").open()
    await ada.host(seats=2, holes=1)
    await ada.must("add_bot", strength="searching")
    await ada.until(lambda: ada.view["seats"]["1"]["ready"])
    bob = await bot(house.url, "Bob").open()
    await bob.join(ada.room)
    assert bob.seat == 1
    assert bob.view["seats"]["1"]["bot"] is None
    await until(lambda: not len(house.hub.house))
    await ada.until(lambda: ada.view["seats"]["1"]["name"] == "Bob")
    await bob.must("ready", ready=True)
    await ada.must("ready", ready=True)
    await bob.refresh()


async def test_a_bots_page_hears_no_hidden_card(house: House, bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every frame that a house player takes in, no card is one that its seat had not reached by then."""
    heard: list[dict[str, Any]] = []
    take = HousePlayer._hear

    def hear(self: HousePlayer, frame: dict[str, Any]) -> None:
        take(self, frame)
        heard.append(json.loads(json.dumps({"frame": frame, "view": self._view})))

    monkeypatch.setattr(HousePlayer, "_hear", hear)
    ada = await bot(house.url, "Ada").open()
    await ada.host(seats=2, holes=1)
    await ada.must("add_bot", strength="counting")
    await ada.until(lambda: ada.view["seats"]["1"]["ready"])
    await ada.must("ready", ready=True)
    house.pass_time(3_100)
    await ada.until_phase("playing")
    house.clock.ahead_ms = 0
    for _ in range(16):  # her draws show all that the stock holds to her, and must not to the bot
        await ada.must("draw", stock=len(ada.board["stock"]))
    stock = list(ada.board["waste"][1:])
    async with asyncio.timeout(60):
        await ada.play()
    assert len(stock) == 16
    playing = [one for one in heard if one["view"] and one["view"]["match"]["phase"] == "playing"]
    assert len(playing) > 20
    for one in playing:
        unseen = stock[16 - len(one["view"]["boards"]["1"]["stock"]) :]
        text = json.dumps(one)
        assert not [card for card in unseen if f'"{card}"' in text], one


async def test_a_bot_comes_back_on_another_worker(street: Street, bot: MakeBot) -> None:
    """A worker that drains lets its house players go, and the one that holds the match calls them again at once."""
    one, two = await street.open("w1"), await street.open("w2")
    for each in (one, two):
        each.hub.house.pace = QUICK
    ada = await bot(one.url, "Ada").open()
    await ada.host(seats=2, holes=1)
    await ada.must("add_bot", strength="searching")
    await ada.until(lambda: ada.view["seats"]["1"]["ready"])
    await until(lambda: len(one.hub.house) == 1)
    ada.url = two.url
    await one.stop()
    street.houses.remove(one)
    await ada.closed()
    await ada.come_back()
    await two.poll()
    await until(lambda: len(two.hub.house) == 1)
    await ada.must("ready", ready=True)
    two.pass_time(3_100)
    async with asyncio.timeout(60):
        await ada.play(give_up=1)
    assert ada.match["card"][0]["scores"]["1"]["how"] in ("cleared", "stuck")
    stored = await two.hub.matches.read(ada.match_id) or []
    bodies = [load(entry.payload) for entry in stored]
    assert sum(isinstance(body, BotSeated) for body in bodies) == 1
    assert [body.seat for body in bodies if isinstance(body, SeatClaimed)] == [1, 1], "once on each worker"
    assert all(body.nonce for body in bodies if isinstance(body, ReadySet) and body.seat == 1)


async def test_two_workers_call_one_bot(street: Street, bot: MakeBot) -> None:
    """Both hold the match and see the empty seat at once; one of them brings the player."""
    one, two = await street.open("w1"), await street.open("w2")
    ada = await bot(one.url, "Ada").open()
    await ada.host(seats=3, holes=1)
    bob = await bot(two.url, "Bob").open()
    await bob.join(ada.room)
    await ada.until(lambda: "1" in ada.view["seats"])
    await ada.must("add_bot", strength="searching")
    await bob.until(lambda: "2" in bob.view["seats"] and bob.view["seats"]["2"]["ready"])
    await until(lambda: len(one.hub.house) + len(two.hub.house) == 1)
    stored = await one.hub.matches.read(ada.match_id) or []
    assert sum(isinstance(load(entry.payload), SeatClaimed) for entry in stored) == 1


async def test_bots_hang_up_when_nobody_is_there(house: House, bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all people have been offline for long a house player goes; when one is back it is called again."""
    monkeypatch.setattr("server.runtime.house_player.ABSENT_MS", 0)
    monkeypatch.setattr("server.runtime.house_player.LOOK_S", 0.05)
    ada = await bot(house.url, "Ada").open()
    await ada.host(seats=2, holes=1)
    await ada.must("add_bot", strength="searching")
    await ada.until(lambda: ada.view["seats"]["1"]["ready"])
    ada.cut()
    await ada.closed()
    await until(lambda: not len(house.hub.house))
    await house.poll()
    assert not len(house.hub.house), "nobody to play with"
    monkeypatch.undo()
    await ada.come_back()
    await until(lambda: len(house.hub.house) == 1)


async def test_the_last_person_takes_the_bots_along(house: House, bot: MakeBot) -> None:
    """When the only person leaves, the house player's line ends and the match is over."""
    ada = await bot(house.url, "Ada").open()
    await ada.host(seats=2, holes=1)
    await ada.must("add_bot", strength="searching")
    await ada.until(lambda: ada.view["seats"]["1"]["ready"])
    room = house.hub.rooms[ada.match_id]
    await ada.send("leave")
    assert await ada.closed() == 4002
    await until(lambda: room.state.phase == "ended")
    assert room.state.abandoned
    await until(lambda: not len(house.hub.house))


async def test_no_more_than_a_worker_runs(house: House, bot: MakeBot) -> None:
    """A worker that runs as many as it may refuses another, and the room is as it was."""
    house.hub.house.most = 1
    ada = await bot(house.url, "Ada").open()
    await ada.host(seats=4, holes=1)
    await ada.must("add_bot", strength="searching")
    await until(lambda: len(house.hub.house) == 1)
    refused = await ada.do("add_bot", strength="searching")
    assert (refused["t"], refused["code"]) == ("refused", "bots_off")
    assert list(ada.view["seats"]) == ["0", "1"]
    house.gateway.measure()
    assert house.hub.metrics.gauges["house_players"] == 1
    await until(lambda: ("house_players_called", "") in house.hub.metrics.counts)
    assert house.hub.metrics.counts["house_players_called", ""] == 1
