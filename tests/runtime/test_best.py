"""After a hole closes everybody hears its best; nobody hears it before; the record has it, whoever was killed."""

import asyncio
import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from server.match.verify import verify
from server.rules.best import best_of
from server.runtime import records
from server.runtime.solving import Unsolved

from .bots import Bot
from .crowd import get
from .servers import House, Street
from .test_records import kept

MakeBot = Callable[..., Bot]


@pytest.fixture
async def solving_house(street: Street) -> House:
    """One worker that solves."""
    street.solvers = 1
    return await street.open()


async def two(house: House, bot: MakeBot, other: House | None = None, **options: Any) -> tuple[Bot, Bot, Bot]:
    """Start a match of two, with a spectator."""
    ada, bob = await bot(house.url, "Ada").open(), await bot((other or house).url, "Bob").open()
    await ada.host(seats=2, holes=2, **options)
    await bob.join(ada.room)
    eve = await (await bot(house.url, "Eve").open()).watch(ada.room)
    for one in (ada, bob):
        await one.send("ready", ready=True)
    await ada.until_phase("countdown")
    for one in {id(house): house, id(other or house): other or house}.values():
        one.pass_time(3_000)
    for one in (ada, bob, eve):
        await one.until_phase("playing")
    return ada, bob, eve


async def best(who: Bot) -> Any:
    """Ask for the best line; give the answer, or the code of an error."""
    await who.say(t="best")
    while (frame := await who.hear())["t"] not in ("best", "error"):
        pass
    return frame["code"] if frame["t"] == "error" else frame


async def close_hole(hole: int, *bots: Bot) -> None:
    """Let everybody give the hole up."""
    for one in bots:
        await one.must("give_up", hole=hole)


async def test_everybody_hears_it_after_the_close_and_nobody_before(solving_house: House, bot: MakeBot) -> None:
    """Seats and spectators are told the strokes, and may step through the line; while a hole is open nothing is said."""
    async with asyncio.timeout(60):
        ada, bob, eve = await two(solving_house, bot)
        await ada.must("draw", stock=16)
        for one in (ada, bob, eve):
            assert await best(one) == "no_best"
        await close_hole(1, ada, bob)
        for one in (ada, bob, eve):
            await one.until(lambda one=one: one.match["best"])  # type: ignore[misc]
        code = ada.match["card"][0]["code"]
        found = best_of(code)
        frames = [await best(one) for one in (ada, bob, eve)]
        assert frames[0] == frames[1] == frames[2]
        assert (frames[0]["hole"], frames[0]["strokes"]) == (1, found.strokes)
        assert [tuple(step) for step in frames[0]["line"]] == list(found.line)
        assert frames[0]["plays"] == {"0": [[["stock", "waste", ada.match["card"][0]["stock"][0]]]], "1": []}
        for one in (ada, bob, eve):
            assert one.match["best"] == {"1": found.strokes}
            assert one.view["seats"]["0"]["totals"]["over_best"] == 35 - found.strokes
            # The first frame that has the best came after the one that closed the hole.
            said = [heard.frame for heard in one.heard if heard.frame["t"] == "e"]
            closed = next(place for place, frame in enumerate(said) if frame.get("card"))
            assert not any("best" in frame.get("match", {}) for frame in said[: closed + 1])
        for one in (ada, bob):
            await one.must("next", hole=1)
        await eve.until(lambda: eve.match["hole"] == 2)
        assert await best(eve) == "no_best"
        await close_hole(2, ada, bob)
        await eve.until(lambda: "2" in eve.match["best"])
        assert eve.match["phase"] == "ended"


async def test_the_record_waits_for_it(solving_house: House, street: Street, bot: MakeBot) -> None:
    """The record that is kept has each hole's best and line, and stands the check of one who solves."""
    async with asyncio.timeout(60):
        ada = await bot(solving_house.url, "Ada").open()
        await ada.host(seats=1, holes=2, rule="S1")
        await ada.until_phase("playing")
        await close_hole(1, ada)
        await ada.must("next", hole=1)
        await close_hole(2, ada)
        made = json.loads(gzip.decompress(await kept(street.engine, ada.match_id)))
        assert [hole["best"]["strokes"] for hole in made["holes"]] == [
            best_of(hole["code"]).strokes for hole in made["holes"]
        ]
        assert verify(made, best_of).faults == ()
        assert json.loads((await get(solving_house.url, f"/api/matches/{ada.match_id}"))[2]) == made


async def test_another_worker_finds_what_one_cannot(street: Street, bot: MakeBot) -> None:
    """Exactly one entry comes of two workers that both hold the match, or of one where the other solves nothing."""
    async with asyncio.timeout(60):
        one = await street.open("w1")
        street.solvers = 1
        two_, three = await street.open("w2"), await street.open("w3")
        ada, bob, _ = await two(one, bot, two_)
        eve = await (await bot(three.url, "Eve").open()).watch(ada.room)
        await close_hole(1, ada, bob)
        for who in (ada, bob, eve):
            await who.until(lambda who=who: who.match["best"])  # type: ignore[misc]
        for house in (one, two_, three):
            await house.poll()
        for who in (ada, bob, eve):
            await who.pong()
            assert sum("best" in heard.frame.get("match", {}) for heard in who.heard if heard.frame["t"] == "e") == 1


async def test_what_fails_is_tried_again_at_the_next_poll(
    solving_house: House, bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match goes on without it, and gets it later."""

    async def fail(code: str) -> None:
        raise Unsolved("busy")

    async with asyncio.timeout(60):
        ada, bob, _ = await two(solving_house, bot)
        with monkeypatch.context() as patched:
            patched.setattr(solving_house.hub.solvers, "best", fail)
            await close_hole(1, ada, bob)
            await ada.pong()
            assert ada.match["best"] == {}
            await ada.must("next", hole=1)
        await bob.must("next", hole=1)
        await solving_house.poll()
        await bob.until(lambda: bob.match["best"])
        assert list(bob.match["best"]) == ["1"]


async def test_a_record_is_kept_without_it_in_the_end(
    solving_house: House, street: Street, bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be solved, who asks gets a record that isn't kept, and after a bounded time one is."""

    async def hang(code: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(records, "ASKED_PATIENCE_S", 0.05)
    async with asyncio.timeout(60):
        monkeypatch.setattr(solving_house.hub.solvers, "best", hang)
        ada = await bot(solving_house.url, "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        await ada.must("give_up", hole=1)
        await ada.until_phase("ended")
        status, _, text = await get(solving_house.url, f"/api/matches/{ada.match_id}")
        assert (status, json.loads(text)["holes"][0]["best"]) == (200, None)
        assert not (await solving_house.hub.records._records.standing(ada.match_id)).kept
        made = await solving_house.hub.records._make(ada.match_id, 0.05)
        assert made is not None
        await solving_house.hub.records._put(ada.match_id, made)
        assert json.loads(gzip.decompress(await kept(street.engine, ada.match_id)))["holes"][0]["best"] is None
