"""Spit through two pages: put together in the form, raced on a phone and a wide page, watched, won and checked."""

import asyncio
import copy
import re
from pathlib import Path
from typing import Any

import pytest

from server.match.record import record
from server.match.sums import sums_of
from tests.browser.pages import PHONE, Player
from tests.browser.stage import COUNTDOWN_MS, Stage
from tests.match.test_match_spit import whole_match

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]

FAULTS = "async (record) => (await import('/js/verify.js')).faults(record)"
SHOWN = "() => JSON.stringify([fairway.view.match.spit, fairway.view.boards, fairway.view.match.phase])"


async def press(page: Player, move: list[str], by_key: bool) -> None:
    """Press a card, and the heap where it goes onto both."""
    source, target, _ = move
    n = source.removeprefix("column.")
    if by_key:
        await page.page.keyboard.press(n)
    else:
        await page.at(f"column-{n}-of-{(await page.view())['you']['seat']}").click()
    both = [
        other for other in (await page.view())["you"]["moves"] if other[0] == source and other[1].startswith("heap")
    ]
    if len(both) > 1:
        if by_key:
            await page.page.keyboard.press("ArrowLeft" if target == "heap.1" else "ArrowRight")
        else:
            heap = target if target.startswith("heap") else both[0][1]  # it asks for one, whatever else there is
            await page.at(heap.replace(".", "-")).click()


async def test_two_pages_race(stage: Stage, report_dir: Path) -> None:
    """A round of two pages to its end, by taps and by keys; a lost race is said kindly; podium and record agree."""
    ada = await stage.home(viewport=PHONE)
    await ada.at("host").click()
    # A game without a stock speaks of no draw.
    await ada.at("option-spectators").select_option("live")
    for game, words in (
        ("golf", "every card drawn"),
        ("black_hole", "once the hole is over"),
        ("spit", "what the players"),
    ):
        await ada.at("option-game").select_option(game)
        assert words in await ada.at("host-form").locator("#option-spectators-hint").inner_text()
        if game == "golf":
            await ada.at("option-help").select_option("hint")
    await ada.at("option-holes").select_option("1")
    assert not await ada.at("option-undo").is_visible()
    # Its table has no button for hints, so that none are offered.
    assert await ada.at("option-help").input_value() == "off"
    assert await ada.at("option-help").locator("option:enabled").all_inner_texts() == ["None", "Always"]
    form = await ada.at("host-form").inner_text()
    for words in ("Rounds", "Time for a round", "1 round", "Each round is dealt anew"):
        assert words in form
    # The list of games names one that is called so.
    assert not re.search(r"(?<!Black )\bholes?\b", form, re.IGNORECASE), form
    assert await ada.at("game-rules").get_attribute("href") == "#rules=spit"
    await ada.page.screenshot(path=report_dir / "spit-form.jpg", full_page=True)
    await ada.at("host-create").click()
    await ada.until("view.match.phase === 'lobby'")
    room = (await ada.view())["match"]["room"]
    bob = await stage.home("Bob")
    await bob.page.goto(f"{stage.url}#{room}")
    await bob.page.reload()
    await bob.at("name").fill("Bob")
    await bob.at("invited-join").click()
    await bob.until("view.you.seat === 1")
    eve = await stage.page("Eve")
    await eve.page.goto(f"{stage.url}#watch={room}")
    await ada.at("ready").click()
    await bob.at("ready").click()
    await ada.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    for page in (ada, bob):
        await page.until("view.match.phase === 'playing'")
        await page.at("spit-table").wait_for()
    await ada.page.screenshot(path=report_dir / "spit-phone.jpg")
    await bob.page.screenshot(path=report_dir / "spit-wide.jpg")

    # The rules open over the round, those of this game.
    await bob.page.keyboard.press("?")
    await bob.at("rules-race").wait_for()
    await bob.at("close").click()

    # A card that goes nowhere is sent too, and refused in words.
    view = await ada.view()
    idle = [n for n in range(1, 6) if f"column.{n}" not in [move[0] for move in view["you"]["moves"]]]
    if idle:
        await ada.at(f"column-{idle[0]}-of-0").click()
        await ada.at("spit-notice").get_by_text("Must be one rank higher or one lower.").wait_for()

    stage.house.clock.ahead_ms = 0
    async with asyncio.timeout(120):
        while (view := await ada.view())["match"]["phase"] == "playing":
            theirs = await bob.view()
            shown = await ada.page.evaluate(SHOWN)
            if view["you"]["moves"]:
                await press(ada, view["you"]["moves"][0], by_key=False)
            elif theirs["you"]["moves"]:
                await press(bob, theirs["you"]["moves"][0], by_key=True)
            # Where neither can play the server turns the next cards.
            for page in (ada, bob):
                await page.page.wait_for_function(f"(shown) => ({SHOWN})() !== shown", arg=shown, polling=20)
    for page in (ada, bob, eve):
        await page.until("view.match.phase === 'ended'")
        await page.at("podium").wait_for()
    view = await ada.view()
    left = [view["match"]["card"][0]["scores"][seat]["cards_left"] for seat in ("0", "1")]
    winner = None if left[0] == left[1] else left.index(min(left))
    assert view["match"]["standing"]["winner"] == winner
    await ada.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    await ada.page.screenshot(path=report_dir / "spit-podium.jpg")
    await bob.at("record-link").click()
    await bob.at("scorecard").wait_for()
    await bob.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    await bob.page.screenshot(path=report_dir / "spit-record.jpg")
    await ada.page.goto(stage.url)
    await ada.page.reload()
    assert re.search(r"\b1 round, ", await ada.at("played").inner_text())
    for page in (ada, bob, eve):
        assert not page.complaints, page.complaints


async def test_the_page_checks_records_of_spit(stage: Stage) -> None:
    """What the server calls right the page does too, and it finds another play, deck and result."""
    page = await stage.home()
    made = record(whole_match(4).entries)
    assert await page.page.evaluate(FAULTS, made) == []
    spoils: dict[str, Any] = {
        "holes[0].plays[2]": lambda told: told["holes"][0]["plays"].pop(1),
        "holes[0].code": lambda told: told["holes"][0].update(code="GO2-E-AAAAAAB"),
        "holes[1].seats.1.result.cards_left": lambda told: told["holes"][1]["seats"]["1"]["result"].update(
            cards_left=14
        ),
        "options.mode": lambda told: told["options"].pop("mode"),
    }
    for field, spoil in spoils.items():
        spoiled = copy.deepcopy(made)
        spoil(spoiled)
        spoiled["sums"] = sums_of(spoiled)
        found = await page.page.evaluate(f"(record) => ({FAULTS})(record).catch(() => ['options.mode'])", spoiled)
        assert field in found or (field.startswith("holes[0].plays") and any("plays" in path for path in found)), (
            field
        )
