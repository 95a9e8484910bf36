"""Rooms: the lobby, leaving, kicking, rematches; and what a worker keeps of them."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from .bots import Bot, Denied
from .checks import check_record
from .crowd import record_of
from .servers import House, Street
from .test_bad_input import one_error
from .test_reconnect import started, twin

MakeBot = Callable[..., Bot]


async def lobby(house: House, looker: Bot) -> list[dict[str, Any]]:
    """Return the public rooms as a page that looks on sees them after the next poll."""
    await house.poll()
    await looker.pong()
    shown = [heard.frame["rooms"] for heard in looker.heard if heard.frame["t"] == "lobby"]
    return list(shown[-1])


async def test_lobby(house: House, bot: MakeBot) -> None:
    """A public room shows while it waits: with its seats as they fill, and no more once it is full or begins."""
    async with asyncio.timeout(20):
        looker = await bot(house.url, "Looker").open()
        await looker.say(t="lobby")
        hidden = await bot(house.url, "Hidden").open()
        await hidden.host(seats=3)
        ada = await bot(house.url, 'Ada & "co"').open()
        await ada.host(seats=3, visibility="public", rule="strict", holes=3, scoring="app")
        (row,) = [row for row in await lobby(house, looker) if row["room"] == ada.room]
        assert row == {
            "room": ada.room,
            "host": 'Ada & "co"',
            "game": "golf",
            "rule": "strict",
            "holes": 3,
            "seats": 3,
            "taken": 1,
            "scoring": "app",
            "format": "stroke",
            "sudden_death": False,
            "winnable": False,
            "variant": {
                "queen_on_king": False,
                "king_ace_joined": False,
                "draw_only_when_stuck": True,
                "jokers": 0,
                "empty_start": False,
            },
        }
        bob, cid = await bot(house.url, "Bob").open(), await bot(house.url, "Cid").open()
        await bob.join(row["room"])
        assert [row["taken"] for row in await lobby(house, looker) if row["room"] == ada.room] == [2]
        await cid.join(row["room"])
        assert ada.room not in {row["room"] for row in await lobby(house, looker)}
        await cid.do("leave")
        assert ada.room in {row["room"] for row in await lobby(house, looker)}
        await ada.must("options", options={"seats": 3, "visibility": "private"})
        assert ada.room not in {row["room"] for row in await lobby(house, looker)}
        await ada.must("options", options={"seats": 3, "visibility": "public"})
        assert ada.room in {row["room"] for row in await lobby(house, looker)}
        for one in (ada, bob):
            await one.must("ready", ready=True)
        house.pass_time(3000)
        await ada.until_phase("playing")
        assert ada.room not in {row["room"] for row in await lobby(house, looker)}
        assert all(hidden.room not in heard.raw for heard in looker.heard)
        await looker.say(t="lobby", off=True)
        await looker.pong()
        assert not house.hub.lookers


async def test_lobby_there_and_back(house: House, bot: MakeBot) -> None:
    """A page that came while the lobby was different is told when it is as before, whatever others were told."""
    async with asyncio.timeout(30):
        first, second = await bot(house.url, "First").open(), await bot(house.url, "Second").open()
        await first.say(t="lobby")
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=3, visibility="public")
        assert [row["taken"] for row in await lobby(house, first) if row["room"] == ada.room] == [1]
        await bob.join(ada.room)
        shown: list[int] = []
        while shown != [2]:
            await second.say(t="lobby")
            shown = [row["taken"] for row in (await second.hear())["rooms"] if row["room"] == ada.room]
        await bob.do("leave")
        await asyncio.sleep(0.05)
        assert [row["taken"] for row in await lobby(house, second) if row["room"] == ada.room] == [1]


async def test_leaving(house: House, bot: MakeBot) -> None:
    """Who leaves is answered and closed with 4002; the seat is free before the start, on the card after it."""
    async with asyncio.timeout(30):
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=2, holes=1)
        await bob.join(ada.room)
        seq = await ada.send("leave")
        assert await ada.closed() == 4002
        assert ada.answers[seq][0]["t"] == "ack"
        await bob.until(lambda: "0" not in bob.view["seats"])
        assert bob.match["host"] == 1
        with pytest.raises(Denied, match="wrong_token"):
            await (await twin(bot, ada).open()).resume(fresh=True)
        again = await bot(house.url, "Ada").open()
        again.token = ada.token
        await again.join(bob.room)
        assert again.seat == 0
        for one in (again, bob):
            await one.must("ready", ready=True)
        house.pass_time(3000)
        await bob.until_phase("playing")
        await again.until_phase("playing")
        await again.send("leave")
        assert await again.closed() == 4002
        await bob.until(lambda: bob.view["seats"]["0"]["state"] == "left")
        await bob.must("give_up", hole=1)
        await bob.until_phase("ended")
        record = await record_of(bob)
        assert [(note["what"], note["seat"]) for note in record["notes"]] == [("left", 0)]
        assert record["seats"][0]["standing"] == "left"


async def test_everybody_leaves(house: House, bot: MakeBot) -> None:
    """A match that all have left is over, and its record says that it was abandoned."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=2)
        eve = await bot(house.url, "Eve").open()
        await eve.watch(ada.room)
        for one in (ada, bob):
            await one.send("leave")
            assert await one.closed() == 4002
        await eve.until_phase("ended")
        assert (await record_of(eve))["abandoned"] is True


async def test_kicked_stays_out(house: House, bot: MakeBot) -> None:
    """A kicked page is told and closed; its token gets no seat and no way back, another's name is no matter."""
    async with asyncio.timeout(30):
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=3)
        await bob.join(ada.room)
        await ada.must("kick", seat=1)
        assert await bob.closed() == 4002
        assert bob.heard[-1].frame["code"] == "kicked"
        assert "1" not in ada.view["seats"]
        eve = await bot(house.url, "Bob").open()
        raw = json.dumps({"t": "join", "room": ada.room, "name": "Somebody", "token": bob.token})
        assert (await one_error(eve, raw))["code"] == "kicked"
        await eve.say(t="resume", match=ada.match_id, token=bob.token, version=bob.version, generation=1)
        assert await eve.closed() == 4002
        other = await bot(house.url, "Bob").open()
        await other.join(ada.room)
        assert other.seat == 1
        assert other.view["you"]["generation"] == 2


async def ended(house: House, bot: MakeBot, *names: str) -> list[Bot]:
    """Return the players of a match of one hole that is over."""
    players = await started(house, bot, *names, holes=1)
    for one in players:
        await one.must("give_up", hole=1)
    for one in players:
        await one.until_phase("ended")
    return players


async def go_on(bot: MakeBot, one: Bot, url: str) -> Bot:
    """Let a player go on in the next match, at once and with its old token."""
    page = await bot(url, one.name).open()
    page.token = one.token
    await one.until(lambda: one.match["next"])
    page.match_id = one.match["next"]["match"]
    return await page.resume(fresh=True)


async def test_rematch(house: House, bot: MakeBot) -> None:
    """The same people go on in a next match with their old tokens; two that press at once make one."""
    async with asyncio.timeout(20):
        ada, bob = await ended(house, bot, "Ada", "Bob")
        first, second = await ada.send("rematch"), await bob.send("rematch")
        answers = [await ada.answer(first), await bob.answer(second)]
        assert sorted(answer["t"] for answer in answers) == ["e", "refused"]
        assert [answer["code"] for answer in answers if answer["t"] == "refused"] == ["stale"]
        again = [await go_on(bot, one, house.url) for one in (ada, bob)]
        assert again[0].match_id == again[1].match_id != ada.match_id
        await again[0].pong()
        assert [seat["name"] for seat in again[0].view["seats"].values()] == ["Ada", "Bob"]
        assert again[0].match["options"] == ada.match["options"]
        assert again[0].match["commitment"] != ada.match["commitment"]
        eve = await bot(house.url, "Eve").open()
        await eve.watch(ada.match["next"]["room"])
        assert eve.match_id == again[0].match_id
        for one in again:
            await one.must("ready", ready=True)
        house.pass_time(3000)
        await asyncio.gather(*(one.play() for one in again))
        check_record(await record_of(again[0]), again)


async def test_rematch_on_two_workers(street: Street, bot: MakeBot) -> None:
    """A rematch that is pressed on two workers at once is one match, open at once on either of them."""
    async with asyncio.timeout(30):
        one, two = await street.open("w1"), await street.open("w2")
        for _ in range(3):
            ada, bob = await ended(one, bot, "Ada", "Bob")
            bob.url = two.url
            bob.cut()
            await bob.come_back()
            pages = []
            for player in (ada, bob):
                page = await bot(player.url, player.name).open()
                page.token = player.token
                pages.append(page)
            first, second = await ada.send("rematch"), await bob.send("rematch")
            answers = [await ada.answer(first), await bob.answer(second)]
            assert sorted(answer["t"] for answer in answers) == ["e", "refused"]
            for player, page in zip((ada, bob), pages, strict=True):
                await player.until(lambda player=player: player.match["next"])
                page.match_id = player.match["next"]["match"]
                await page.resume(fresh=True)
            assert pages[0].match_id == pages[1].match_id
            assert {page.seat for page in pages} == {0, 1}


async def test_hosting_twice(house: House, bot: MakeBot) -> None:
    """A host that asks again with the same token, its answer lost, gets the same match."""
    async with asyncio.timeout(30):
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=2)
        other = await twin(bot, ada).open()
        await other.host(seats=4)
        assert (other.match_id, other.room, other.match["options"]["seats"]) == (ada.match_id, ada.room, 2)
        assert await ada.closed() == 4001


async def test_last_seat_taken_by_two(street: Street, bot: MakeBot) -> None:
    """Two that take the last seat on two workers at once: one sits, the other hears that the room is full."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        for _ in range(5):
            ada = await bot(one.url, "Ada").open()
            await ada.host(seats=2)
            rivals = [await bot(house.url, "Bob").open() for house in (one, two)]
            results = await asyncio.gather(*(rival.join(ada.room) for rival in rivals), return_exceptions=True)
            denied = [result for result in results if isinstance(result, Denied)]
            assert [one.code for one in denied] == ["room_full"]
            assert [rival.seat for rival in rivals if rival.view] == [1]


async def test_rooms_are_dropped(house: House, bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that nobody is in any more is dropped and its channel left, however the last ones had come to it."""
    monkeypatch.setattr("server.runtime.hub.LINGER_S", 0.05)
    async with asyncio.timeout(20):
        players = await started(house, bot, "Ada", "Bob", holes=1, spectators="off")
        ada = players[0]
        assert house.subscriptions == len(house.hub.rooms) == 1
        for one in players:
            await one.close()
        await asyncio.sleep(0.1)
        await house.poll()
        assert (len(house.hub.rooms), house.subscriptions) == (0, 0)
        # Who is not let in holds no room either.
        eve = await bot(house.url, "Eve").open()
        for _ in range(2):
            for message in (
                {"t": "watch", "match": ada.match_id},
                {"t": "join", "match": ada.match_id, "name": "Eve", "token": eve.token},
                {"t": "resume", "match": ada.match_id, "token": eve.token},
            ):
                await one_error(eve, json.dumps(message))
        assert len(house.hub.rooms) == 1
        await asyncio.sleep(0.1)
        await house.poll()
        assert (len(house.hub.rooms), house.subscriptions) == (0, 0)


async def test_room_opened_while_it_is_dropped(house: House, bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that is opened at the moment in which its old copy is dropped hears what others append."""
    monkeypatch.setattr("server.runtime.hub.LINGER_S", 0.0)
    async with asyncio.timeout(30):
        (ada,) = await started(house, bot, "Ada", holes=1)
        eve = await bot(house.url, "Eve").open()
        touch, opened = house.hub.touch, asyncio.Event()

        async def slow(batch: Any) -> None:
            if not house.hub.rooms:
                await eve._come_in(t="watch", match=ada.match_id)
                opened.set()
            await touch(batch)

        house.hub._ended.setdefault(ada.match_id, []).append("w:gone.1")
        ada.cut()
        await asyncio.sleep(0.05)
        house.hub._ended.setdefault(ada.match_id, []).append("w:gone.2")
        monkeypatch.setattr(house.hub, "touch", slow)
        await house.poll()
        assert opened.is_set()
        assert (len(house.hub.rooms), house.subscriptions) == (1, 1)
