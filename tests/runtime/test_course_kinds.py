"""The course of the day, club events, and what of a course's rounds may be lost: nothing, of any open one."""

import asyncio
import json
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from server.match.course import DAY_MS
from server.protocol.server import FRAMES
from server.rules.codes import commitment, deal_of, parse_code, sealed_code

from .bots import Bot, Denied
from .crowd import get, record_of
from .servers import Engine, House, Street
from .test_courses import CARD, ask, ended_match, ghosts, play_course

MakeBot = Callable[..., Bot]
HOUR_MS = 3_600_000


def dealt(code: str) -> set[str]:
    """Return the cards that lie open in a deal."""
    piles = deal_of(parse_code(code))[2].piles
    return {str(card) for name, pile in piles.items() if name != "stock" for card in pile}


def check_hidden(bot: Bot, codes: list[str], secret: str) -> int:
    """Hold every frame against what the bot had turned by then: no other card, no code, no secret; count the frames."""
    known: set[str] = set()
    hole = 0
    for heard in bot.heard:
        frame = heard.frame
        for code in codes:
            assert code not in heard.raw
        assert secret not in heard.raw
        view = frame.get("view", {})
        if frame.get("match", {}).get("hole", view.get("match", {}).get("hole", hole)) != hole:
            hole += 1
            known = dealt(codes[hole - 1])
        own = [*frame.get("moved", {}).get("0", []), *view.get("boards", {}).get("0", {}).items()]
        known |= {card for step in own for card in (step[2:] if isinstance(step, list) else step[1])}
        if frame["t"] in ("e", "snapshot", "ghosts"):
            assert set(CARD.findall(heard.raw)) <= known | {"?"}, heard
        else:
            assert not CARD.findall(heard.raw)
    return len(bot.heard)


async def test_the_course_of_the_day(street: Street, bot: MakeBot) -> None:
    """All workers have the same one; nothing of it leaves before the day is over, then all of it can be checked."""
    async with asyncio.timeout(60):
        house, other = await street.open("w1"), await street.open("w2")
        ada, bob = await bot(house.url, "Ada").open(), await bot(other.url, "Bob").open()
        first, second = await asyncio.gather(ask(ada, t="day"), ask(bob, t="day", token=bob.token))
        course = first["course"]
        assert second["course"] == course
        now = datetime.fromtimestamp(house.clock.now_ms() / 1000, UTC)
        assert (course["kind"], course["title"], course["state"]) == ("day", now.date().isoformat(), "open")
        assert course["opens_at"] <= house.clock.now_ms() < course["closes_at"] == course["opens_at"] + DAY_MS
        assert (course["options"]["holes"], course["options"]["rule"], course["options"]["undo"]) == (
            9,
            "easy",
            "plays",
        )
        assert ada.token is not None
        await play_course(ada, course["id"])
        await ada.play(give_up=0.02, undo=0.1)
        while (table := (await ask(bob, t="day"))["table"])["rounds"] == 0:
            await asyncio.sleep(0.02)
        assert table["rows"][0]["totals"]["thru"] == 9
        await play_course(bob, course["id"])
        await bob.play(give_up=0.05)
        assert ghosts(bob)
        for one in (ada, bob):
            for where in (house, other):
                assert (await get(where.url, f"/api/matches/{one.match_id}"))[::2] == (409, '{"code":"course_open"}')
            with pytest.raises(Denied, match="course_open"):
                await ask(one, t="beat", match=one.match_id, seat=0)
        assert (await ask(ada, t="days"))["days"] == []
        heard = [len(one.heard) for one in (ada, bob)]

        for one in (house, other):
            one.pass_time(DAY_MS)
        await ada.until(lambda: not ada.match["course"]["open"])
        await bob.until(lambda: not bob.match["course"]["open"])
        over = await ask(ada, t="course", course=course["id"], token=ada.token)
        assert over["course"]["state"] == "over"
        secret = over["course"]["secret"]
        assert commitment(bytes.fromhex(secret)) == course["commitment"] == ada.match["commitment"]
        codes = [sealed_code("golf", "E", 2, secret, {}, hole) for hole in range(1, 10)]
        assert over["course"]["codes"] == codes == [hole["code"] for hole in ada.match["card"]]
        assert over["you"]["row"]["match"] == ada.match_id
        assert [hole["code"] for hole in (await record_of(bob))["holes"]] == codes
        (day,) = (await ask(ada, t="days"))["days"]
        assert day == {"day": course["title"], "course": course["id"], "rounds": 2}
        tomorrow = (await ask(ada, t="day"))["course"]
        assert tomorrow["title"] == (now.date() + timedelta(days=1)).isoformat()
        assert tomorrow["commitment"] != course["commitment"]
        for one, until in zip((ada, bob), heard, strict=True):
            for frame in one.heard:
                FRAMES.validate_json(frame.raw)
            del one.heard[until:]
            assert check_hidden(one, codes, secret) > 100


async def test_a_club_event(house: House, bot: MakeBot) -> None:
    """An organiser's event with a roster: made once, changed by its token alone, each name played in one browser."""
    async with asyncio.timeout(40):
        olga = await bot(house.url, "Olga").open()
        token = secrets.token_hex(16)
        now = house.clock.now_ms()
        event: dict[str, Any] = {
            "t": "club",
            "token": token,
            "title": " Spring  cup ",
            "options": {
                "holes": 1,
                "rule": "classic",
                "seats": 8,
                "spectators": "live",
                "undo": "off",
                "hole_seconds": 0,
            },
            "opens_at": now + HOUR_MS,
            "closes_at": now + 2 * HOUR_MS,
            "roster": ["Ada", "", "Bob"],
        }
        made = await ask(olga, **event)
        course = made["course"]
        assert (course["kind"], course["title"], course["state"]) == ("club", "Spring cup", "before")
        assert made["you"] == {"state": None, "organiser": True, "row": None}
        assert course["roster"] == [{"name": "Ada", "taken": False}, {"name": "Bob", "taken": False}]
        options = {name: course["options"][name] for name in ("holes", "rule", "seats", "spectators", "undo")}
        assert options == {"holes": 1, "rule": "classic", "seats": 1, "spectators": "off", "undo": "off"}
        assert not course["open_deal"]
        assert (await ask(olga, **(event | {"title": "Another"})))["course"] == course
        eve = await bot(house.url, "Eve").open()
        assert not (await ask(eve, t="course", course=course["id"], organiser="0" * 32))["you"]["organiser"]
        with pytest.raises(Denied, match="not_organiser"):
            await ask(eve, t="club_set", course=course["id"], token="0" * 32, title="Mine")
        with pytest.raises(Denied, match="course_not_open"):
            await play_course(eve, course["id"])
        house.pass_time(HOUR_MS)
        with pytest.raises(Denied, match="not_on_roster"):
            await play_course(eve, course["id"])
        ada, thief = await bot(house.url, "ADA").open(), await bot(house.url, "a da").open()
        await play_course(ada, course["id"])
        assert ada.view["seats"]["0"]["name"] == "Ada"
        with pytest.raises(Denied, match="name_taken"):
            await play_course(thief, course["id"])
        changed = await ask(olga, t="club_set", course=course["id"], token=token, title="Cup", roster=["Ada", "Eve"])
        assert changed["course"]["title"] == "Cup"
        assert changed["course"]["roster"] == [{"name": "Ada", "taken": True}, {"name": "Eve", "taken": False}]
        await play_course(eve, course["id"])
        for one in (ada, eve):
            await one.must("give_up", hole=1)
        while (table := (await ask(olga, t="course", course=course["id"], organiser=token))["table"])["rounds"] < 2:
            await asyncio.sleep(0.02)
        assert {(row["name"], row["place"]) for row in table["rows"]} == {("Ada", 1), ("Eve", 1)}
        late = await bot(house.url, "Bob").open()
        house.pass_time(HOUR_MS)
        with pytest.raises(Denied, match="course_over"):
            await play_course(late, course["id"])


async def test_an_event_of_mixed_games(house: House, bot: MakeBot) -> None:
    """Each hole is of its own game; the table adds points up, and a ghost has its share of the open hole."""
    async with asyncio.timeout(60):
        ada, eve = await bot(house.url, "Ada").open(), await bot(house.url, "Eve").open()
        mix = [{"game": "russian", "rule": "relaxed"}, {"game": "golf"}]
        options = {"holes": 2, "mix": mix, "hole_seconds": 0}
        closes = house.clock.now_ms() + HOUR_MS
        made = await ask(ada, t="club", token=secrets.token_hex(16), title="Cup", options=options, closes_at=closes)
        course = made["course"]
        assert [one["game"] for one in course["options"]["mix"]] == ["russian", "golf"]
        assert (course["options"]["scoring"], course["par"]) == ("points", 0)
        sums = {}
        for one in (ada, eve):
            await play_course(one, course["id"])
            assert one.match["game"] == "russian"
            for _ in range(30 if one is ada else 0):
                if (chosen := one.choice()) is not None and chosen[0] == "play":
                    await one.do(chosen[0], **chosen[1])
            await one.must("give_up", hole=1)
            await one.until_phase("between")
            await one.must("next", hole=1)
            await one.until(lambda one=one: one.match["hole"] == 2)  # type: ignore[misc]
            assert one.match["game"] == "golf"
            await one.must("give_up", hole=2)
            await one.until_phase("ended")
            totals = one.view["seats"]["0"]["totals"]
            apps = [closed["scores"]["0"]["app"] for closed in one.match["card"]]
            assert totals["points"] == 1000 * apps[0] // 625 + 1000 * apps[1] // 350
            sums[one.name] = totals["points"]
            while (table := (await ask(one, t="course", course=course["id"]))["table"])["rounds"] <= (one is eve):
                await asyncio.sleep(0.02)
        assert {row["name"]: row["totals"]["points"] for row in table["rows"]} == sums
        assert [row["results"][0]["points"] for row in table["rows"]] == sorted(sums.values(), reverse=True)
        shown = [ghost for frame in eve.heard if frame.frame["t"] == "ghosts" for ghost in frame.frame["ghosts"]]
        assert {ghost["name"] for ghost in shown} == {"Ada"}
        assert shown[-1]["totals"]["points"] == sums["Ada"]
        assert all(FRAMES.validate_python(frame.frame) for frame in eve.heard)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"title": "<b>"}, "bad_title"),
        ({"title": " "}, "bad_title"),
        ({"roster": ["Ada", "ada"]}, "bad_roster"),
        ({"roster": [f"Player {n}" for n in range(201)]}, "bad_roster"),
        ({"options": {"deals": ["GO2-E-AAAAAAB"]}}, "bad_options"),
        ({"options": {"holes": 19}}, "bad_options"),
        ({"options": {"rule": "odd"}}, "bad_options"),
        ({"options": {"mix": [{"game": "golf"}]}}, "bad_options"),
        ({"closes": 0}, "bad_window"),
        ({"closes": -1}, "bad_window"),
        ({"closes": 31 * DAY_MS}, "bad_window"),
        ({"opens": 91 * DAY_MS, "closes": 92 * DAY_MS}, "bad_window"),
        ({"opens": 2 * HOUR_MS, "closes": HOUR_MS}, "bad_window"),
        ({"token": "x"}, "bad_token"),
    ],
)
async def test_what_an_event_can_not_be(house: House, bot: MakeBot, changes: dict[str, Any], code: str) -> None:
    """Each thing that an organiser may get wrong has its code, and nothing is made."""
    async with asyncio.timeout(20):
        olga = await bot(house.url, "Olga").open()
        now = house.clock.now_ms()
        token = secrets.token_hex(16)
        event: dict[str, Any] = {"t": "club", "token": token, "title": "Cup", "options": {}, "roster": []} | changes
        event["closes_at"] = now + event.pop("closes", HOUR_MS)
        if "opens" in event:
            event["opens_at"] = now + event.pop("opens")
        with pytest.raises(Denied, match=code) as denied:
            await ask(olga, **event)
        if code == "bad_roster":
            assert denied.value.frame["params"] == {"line": 2 if len(changes["roster"]) == 2 else 201}
        good = await ask(olga, t="club", token=token, title="Good", closes_at=now + HOUR_MS)
        assert good["course"]["title"] == "Good"


async def test_too_many_are_not_made(street: Street, bot: MakeBot) -> None:
    """Courses count among the rooms that an address may make."""
    async with asyncio.timeout(20):
        house = await street.open("w1", generous=False)
        olga = await bot(house.url, "Olga").open()
        closes = house.clock.now_ms() + HOUR_MS
        many = (ask(olga, t="club", token=secrets.token_hex(16), title="Cup", closes_at=closes) for _ in range(40))

        async def make_all() -> None:
            for one in many:
                await one

        with pytest.raises(Denied, match="too_many_rooms"):
            await make_all()
        for one in many:
            one.close()


@pytest.mark.parametrize("how", ["opened", "swept", "asked"])
async def test_a_finished_round_is_told_by_whoever_comes_by(street: Street, bot: MakeBot, how: str) -> None:
    """Where the worker that saw the end could not say it, the next that opens the match, sweeps or is asked does."""
    async with asyncio.timeout(40):
        house = await street.open("w1")
        ada = await ended_match(house, bot, holes=1)
        course = (await ask(ada, t="beat", match=ada.match_id, seat=0))["course"]["id"]

        async def dies(*_: Any) -> None:
            raise RuntimeError("killed")

        house.hub.records._finished = dies
        bob = await play_course(await bot(house.url, "Bob").open(), course)
        await bob.must("give_up", hole=1)
        await bob.until_phase("ended")
        await bob.close()
        other = await street.open("w2")
        eve = await bot(other.url, "Eve").open()
        assert (await ask(eve, t="course", course=course))["table"]["rounds"] == 1
        if how == "opened":
            page = bot(other.url, "Bob")
            page.token, page.match_id = bob.token, bob.match_id
            await page.open()
            await page.resume(fresh=True)
        elif how == "asked":
            assert (await get(other.url, f"/api/matches/{bob.match_id}"))[0] == 409
        else:
            other.clock.ahead_ms += HOUR_MS
            with redis.Redis(unix_socket_path=str(street.engine.socket)) as admin:
                admin.zadd("fw:{records}", {bob.match_id: 1})
                await other.sweep()
                looks_at = admin.zscore("fw:{records}", bob.match_id)
            closes = (await ask(eve, t="course", course=course))["course"]["closes_at"]
            assert looks_at == closes  # its record is kept then
        while (table := (await ask(eve, t="course", course=course))["table"])["rounds"] < 2:
            await asyncio.sleep(0.02)
        assert {row["name"] for row in table["rows"]} == {"Ada", "Bob"}


async def test_a_round_lives_as_long_as_its_course(house: House, bot: MakeBot, engine: Engine) -> None:
    """The stream of a round that somebody will go on with in six days is there in six days."""
    async with asyncio.timeout(20):
        ada = await ended_match(house, bot, holes=1)
        frame = await ask(ada, t="beat", match=ada.match_id, seat=0)
        bob = await play_course(await bot(house.url, "Bob").open(), frame["course"]["id"])
        await bob.must("draw", stock=16)
        with redis.Redis(unix_socket_path=str(engine.socket)) as admin:
            ends = admin.pexpiretime(f"fw:{{{bob.match_id}}}:s")
        assert ends >= frame["course"]["closes_at"] + DAY_MS // 2


async def test_a_round_that_was_left_is_in_no_table(house: House, bot: MakeBot) -> None:
    """Who leaves a round has had it: it can't be begun again, and doesn't count."""
    async with asyncio.timeout(20):
        ada = await ended_match(house, bot, holes=2)
        course = (await ask(ada, t="beat", match=ada.match_id, seat=0))["course"]["id"]
        bob = await play_course(await bot(house.url, "Bob").open(), course)
        await bob.do("leave")
        page = bot(house.url, "Bob")
        page.token = bob.token
        await page.open()
        with pytest.raises(Denied, match="already_played"):
            await play_course(page, course)
        shown = await ask(page, t="course", course=course, token=page.token)
        assert shown["table"]["rounds"] == 1
        assert json.dumps(shown["you"]) == '{"state": "done", "organiser": false, "row": null}'
