"""Courses over real sockets: made once, played once a browser, beside ghosts, and nothing of them leaves before the end."""

import asyncio
import json
import re
import secrets
from collections.abc import Callable
from typing import Any

import pytest

from server.match.course import BEAT_MS
from server.protocol.server import FRAMES

from .bots import Bot, Denied, Frame
from .crowd import get, record_of
from .servers import House, Street

MakeBot = Callable[..., Bot]
CARD = re.compile(r'"([A2-9TJQK][SHDC]|\*[12])"')


async def ask(bot: Bot, **message: Any) -> Frame:
    """Ask something about courses, and return the frame that answers it."""
    before = len(bot.heard)
    await bot.say(**message)
    while True:
        frame = await bot.hear()
        if frame["t"] == "error":
            raise Denied(frame)
        if frame["t"] in ("course", "days") and len(bot.heard) > before:
            return frame


async def play_course(bot: Bot, course: str, name: str | None = None) -> Bot:
    """Begin or go on with the bot's round, and wait until it is dealt."""
    await bot._come_in(t="play_course", course=course, name=name or bot.name, token=bot.token)
    await bot.until_phase("playing", "between", "ended")
    return bot


async def ended_match(house: House, bot: MakeBot, **options: Any) -> Bot:
    """Play a match of one, with draws, to its end."""
    ada = await bot(house.url, "Ada").open()
    await ada.host(**{"seats": 1, "holes": 2, "undo": "plays", **options})
    await ada.until_phase("playing")
    await ada.play()
    assert ada.match["phase"] == "ended"
    return ada


def ghosts(bot: Bot) -> list[Frame]:
    """Return the latest ghosts that a bot was shown."""
    frames = [heard.frame for heard in bot.heard if heard.frame["t"] == "ghosts"]
    return frames[-1]["ghosts"] if frames else []


async def test_beat_my_round(street: Street, bot: MakeBot) -> None:
    """From an ended match to a link, from that to a round beside the ghost on another worker, and to the table."""
    async with asyncio.timeout(40):
        house, other = await street.open("w1"), await street.open("w2")
        ada = await ended_match(house, bot)
        made = await ask(ada, t="beat", match=ada.match_id, seat=0)
        course = made["course"]
        assert (course["kind"], course["title"], course["state"]) == ("beat", "Ada", "open")
        assert (course["codes"], course["secret"], course["source"]) == (None, None, None)
        assert course["closes_at"] - course["opens_at"] == BEAT_MS
        (row,) = made["table"]["rows"]
        assert (row["place"], row["name"], row["to_beat"], row["match"]) == (1, "Ada", True, None)
        assert row["totals"].items() <= ada.view["seats"]["0"]["totals"].items()
        assert row["percentiles"] == [None, None]
        again = await ask(ada, t="beat", match=ada.match_id, seat=0)
        assert again["course"] == course
        assert again["table"] == made["table"]

        bob = await bot(other.url, "Bob").open()
        shown = await ask(bob, t="course", course=course["id"], token=bob.token)
        assert shown["you"] == {"state": "new", "organiser": False, "row": None}
        await play_course(bob, course["id"])
        assert bob.match["course"] == {"id": course["id"], "closes_at": course["closes_at"], "open": True}
        assert bob.match["code"] is None
        await bob.until(lambda: ghosts(bob))
        (ghost,) = ghosts(bob)
        assert ghost["name"] == "Ada"
        assert sum(len(pile) for name, pile in ghost["board"].items() if name.startswith("column")) == 35
        assert len(ghost["board"]["waste"]) == 1
        other.pass_time(3_600_000 // 20)  # three minutes: the ghost's clock has run out
        await bob.until(lambda: ghosts(bob)[0]["ended"])
        record = await record_of(ada)
        result = record["holes"][0]["seats"]["0"]["result"]
        assert (ghosts(bob)[0]["state"], ghosts(bob)[0]["cards_left"]) == (result["how"], result["cards_left"])
        assert len(ghosts(bob)[0]["board"]["waste"]) == 1  # nothing of its board: no draw of my own
        assert (await get(other.url, f"/api/matches/{bob.match_id}"))[0] == 409
        await bob.play()
        assert bob.match["phase"] == "ended"
        assert [hole["code"] for hole in bob.match["card"]] == [None, None]

        while (table := (await ask(ada, t="course", course=course["id"], token=bob.token))["table"])["rounds"] < 2:
            await asyncio.sleep(0.02)
        totals = {one["name"]: one["totals"] for one in table["rows"]}
        assert totals["Ada"] == row["totals"]
        assert totals["Bob"].items() <= bob.view["seats"]["0"]["totals"].items()
        ordered = [one["totals"]["traditional"] for one in table["rows"]]
        assert ordered == sorted(ordered)
        assert {one["percentiles"][0] for one in table["rows"]} in ({0, 100}, {50})
        status, _, body = await get(house.url, f"/api/matches/{bob.match_id}")
        assert (status, json.loads(body)) == (409, {"code": "course_open"})

        # Once it is over all of it opens, on the round's page too, and its record is given.
        for one in (house, other):
            one.pass_time(BEAT_MS)
        await bob.until(lambda: bob.match["course"]["open"] is False)
        assert [hole["code"] for hole in bob.match["card"]] == [hole["code"] for hole in record["holes"]]
        assert [hole["stock"] for hole in bob.match["card"]] == [hole["stock"] for hole in record["holes"]]
        over = await ask(ada, t="course", course=course["id"])
        assert over["course"]["state"] == "over"
        assert over["course"]["codes"] == [hole["code"] for hole in record["holes"]]
        assert over["course"]["source"] == ada.match_id
        assert {one["match"] for one in over["table"]["rows"]} == {ada.match_id, bob.match_id}
        mine = await record_of(bob)
        assert [hole["code"] for hole in mine["holes"]] == [hole["code"] for hole in record["holes"]]
        for heard in (*ada.heard, *bob.heard):
            FRAMES.validate_json(heard.raw)
        # And whoever wants to beat it now gets a new week.
        anew = await ask(ada, t="beat", match=ada.match_id, seat=0)
        assert anew["course"]["id"] != course["id"]
        assert anew["course"]["state"] == "open"


async def test_one_round_a_browser(house: House, bot: MakeBot) -> None:
    """A browser goes on with its round where it was, on another page too, and does not get a second one."""
    async with asyncio.timeout(30):
        ada = await ended_match(house, bot, holes=1)
        course = (await ask(ada, t="beat", match=ada.match_id, seat=0))["course"]["id"]
        bob = await play_course(await bot(house.url, "Bob").open(), course)
        await bob.must("draw", stock=16)
        page = bot(house.url, "Robert")
        page.token = bob.token
        await page.open()
        assert (await ask(page, t="course", course=course, token=page.token))["you"]["state"] == "playing"
        await play_course(page, course)
        assert page.match_id == bob.match_id
        assert page.view["seats"]["0"]["name"] == "Bob"
        assert page.view["seats"]["0"]["stock"] == 15
        await page.must("give_up", hole=1)
        await page.until_phase("ended")
        assert (await page.do("rematch"))["code"] == "not_open"
        third = bot(house.url, "Rob")
        third.token = bob.token
        await third.open()
        with pytest.raises(Denied, match="already_played"):
            await play_course(third, course)
        while (you := (await ask(third, t="course", course=course, token=third.token))["you"])["row"] is None:
            await asyncio.sleep(0.02)
        assert (you["state"], you["row"]["name"], you["row"]["results"][0]["how"]) == ("done", "Bob", "gave_up")


async def test_nobody_looks_on(house: House, bot: MakeBot) -> None:
    """A round has no spectators while its course is open, also when it is over; nobody joins, and tokens tell apart."""
    async with asyncio.timeout(30):
        ada = await ended_match(house, bot, holes=1)
        course = (await ask(ada, t="beat", match=ada.match_id, seat=0))["course"]["id"]
        bob = await play_course(await bot(house.url, "Bob").open(), course)
        for end in (False, True):
            if end:
                await bob.must("give_up", hole=1)
                await bob.until_phase("ended")
            for message in (
                {"t": "watch", "room": bob.room},
                {"t": "watch", "match": bob.match_id},
                {"t": "join", "room": bob.room, "name": "Eve", "token": secrets.token_hex(16)},
                {"t": "resume", "match": bob.match_id},
            ):
                eve = await bot(house.url, "Eve").open()
                with pytest.raises(Denied, match="no_spectators"):
                    await eve._come_in(**message)


async def test_what_is_refused(house: House, bot: MakeBot) -> None:
    """Each thing that can't be has its code, and the line goes on."""
    async with asyncio.timeout(30):
        ada = await bot(house.url, "Ada").open()
        none = "a" * 26
        with pytest.raises(Denied, match="no_course"):
            await ask(ada, t="course", course=none)
        with pytest.raises(Denied, match="no_course"):
            await play_course(ada, none)
        with pytest.raises(Denied, match="no_such_match"):
            await ask(ada, t="beat", match=none, seat=0)
        await ada.host(seats=1, holes=2)
        with pytest.raises(Denied, match="not_ended"):
            await ask(ada, t="beat", match=ada.match_id, seat=0)
        await ada.play()
        with pytest.raises(Denied, match="no_such_seat"):
            await ask(ada, t="beat", match=ada.match_id, seat=1)
        course = (await ask(ada, t="beat", match=ada.match_id, seat=0))["course"]["id"]
        with pytest.raises(Denied, match="in_match"):
            await play_course(ada, course)
        bob = await bot(house.url, "Bob").open()
        with pytest.raises(Denied, match="bad_name"):
            await play_course(bob, course, name="<b>")
        await play_course(bob, course)
        await bob.play()
        with pytest.raises(Denied, match="course_open"):
            await ask(ada, t="beat", match=bob.match_id, seat=0)
        house.pass_time(BEAT_MS)
        eve = await bot(house.url, "Eve").open()
        with pytest.raises(Denied, match="course_over"):
            await play_course(eve, course)
