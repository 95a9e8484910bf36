"""House players in the browser: added by a host, and there at once for somebody who just wants to play."""

import json
import time
from pathlib import Path

import pytest

from server.runtime.house_player import Pace
from tests.browser.pages import host
from tests.browser.stage import COUNTDOWN_MS, Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_playing_within_ten_seconds(stage: Stage, report_dir: Path) -> None:
    """From opening the page to the first legal move there is one tap and no wait but the countdown."""
    page = await stage.page("")
    began = time.monotonic()
    await page.page.goto(stage.url)
    await page.at("play-now").click()
    await page.until("view.match.phase === 'playing'", timeout_ms=20_000)
    assert await page.act()
    seconds = time.monotonic() - began
    view = await page.view()
    assert view["you"]["move_count"] == 1
    assert view["match"]["options"]["holes"] == 9
    assert [seat["bot"] for seat in view["seats"].values()] == [None, "searching", "searching"]
    (report_dir / "first_move.json").write_text(json.dumps({"page_to_first_move_s": round(seconds, 2)}))
    # Ten seconds are the promise, and the report has the figure; a busy machine may take twice as long.
    assert seconds < 20
    assert not page.complaints


async def test_a_host_adds_bots(stage: Stage) -> None:
    """The host chooses a strength and adds a bot; all lists say what it is, and a person gets its seat."""
    stage.house.hub.house.pace = Pace(0.1)
    page = await stage.page()
    room = await host(page, stage.url, seats="2")
    await page.at("bot-strength").select_option("counting")
    await page.at("add-bot").click()
    bot = page.at("seat-1").filter(has_text="Ready")
    await bot.wait_for()
    assert "Birdie (bot)" in await bot.inner_text()
    assert "Strong" in await bot.inner_text()
    assert await page.at("add-bot").count() == 0, "no seat is free"
    cara = await (await stage.bot("Cara")).join(room)
    await page.at("seat-1").filter(has_text="Cara").wait_for()
    await cara.do("leave")
    await page.at("add-bot").click()
    await page.at("seat-1").filter(has_text="Ready").wait_for()
    await page.at("ready").click()
    await page.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    await page.until("view.match.phase === 'playing'", timeout_ms=20_000)
    stage.house.clock.ahead_ms = 0
    await page.until("view.seats[1].cards_left < 35", timeout_ms=20_000)
    await page.at("rival-1").filter(has_text="Birdie (bot)").wait_for()
    assert not page.complaints


async def test_strangers_find_each_other(stage: Stage) -> None:
    """Who looks for opponents waits until there are some, is seated with them, and plays without another press."""
    stage.house.hub.waiters.patience_ms = 500
    page = await stage.home()
    await page.at("quick").click()
    await page.at("waiting").filter(has_text="Nobody else").wait_for()
    other = await stage.home("Bob")
    await other.at("quick").click()
    for one in (page, other):
        await one.until("view.match.quick && view.you.seat !== null")
    await page.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    await page.until("view.match.phase === 'playing'", timeout_ms=20_000)
    stage.house.clock.ahead_ms = 0
    await other.until("view.match.phase === 'playing'", timeout_ms=20_000)
    assert await page.act()
    assert [seat["name"] for seat in (await other.view())["seats"].values()] == ["Ada", "Bob"]
    assert not page.complaints
    assert not other.complaints


async def test_nobody_comes(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second tab is refused in words; whoever waits in vain is offered bots after ten seconds, and has them at once."""
    waiters = stage.house.hub.waiters
    monkeypatch.setattr(waiters, "_now_ms", lambda: stage.house.clock.now_ms() - 8_000)  # it has waited for so long
    page = await stage.home()
    await page.at("quick").click()
    await page.at("waiting").wait_for()
    second = await stage.page("Ada", beside=page)
    await second.page.goto(stage.url)
    await second.at("quick").click()
    await second.at("error").filter(has_text="already looking").wait_for()
    stage.house.clock.ahead_ms = 0
    await page.at("waiting-bots").click(timeout=20_000)
    await page.until("view.match.phase === 'countdown' || view.match.phase === 'playing'", timeout_ms=20_000)
    seats = (await page.view())["seats"].values()
    assert [seat["bot"] for seat in seats] == [None, "searching", "searching"]
    assert not page.complaints
    assert not len(waiters)


async def test_the_others_did_not_come(stage: Stage) -> None:
    """Who is left alone in a quick match is told so, may look again, and is not held by the old room."""
    stage.house.hub.waiters.patience_ms = 0
    gone = await stage.bot("Gone")
    await gone.say(t="quick", name="Gone", token=gone.token, browser="ab" * 16)
    await gone.hear()
    page = await stage.home()
    await page.at("quick").click()
    await page.until("view.match.quick && view.seats[view.you.seat].ready")
    stage.house.pass_time(12_500)
    await page.at("quick-again").wait_for()
    stage.house.clock.ahead_ms = 0
    assert await page.at("add-bot").count() == 1
    await page.at("quick-again").click()
    await page.at("waiting").wait_for()
    await page.at("waiting-cancel").click()
    await page.at("play-now").wait_for()
    assert not page.complaints
