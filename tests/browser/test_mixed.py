"""Mixed games through the page: put together in the form, three boards, one total, verified and watched again."""

import copy
from pathlib import Path
from typing import Any

import pytest

from server.match.options import Options
from server.match.record import record
from server.match.sums import sums_of
from tests.browser.pages import PHONE, Player
from tests.browser.stage import Stage
from tests.match.driver import random_match

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]

MIX = ["golf:classic", "canfield:draw_one", "russian:relaxed"]
FAULTS = "async (record) => (await import('/js/verify.js')).faults(record)"
FULL = {"golf": 350, "canfield": 255, "russian": 625}


async def mix_in_form(page: Player) -> None:
    """Choose mixed games, and three of them, in the form that is open."""
    await page.at("option-game").select_option("mix")
    rows = page.at("mix-list").locator("li")
    while await rows.count() > len(MIX):
        await rows.last.locator("button").click()
    for row, value in zip(await rows.all(), MIX, strict=True):
        await row.locator("select").select_option(value)


async def test_three_games_in_one_match(stage: Stage, report_dir: Path) -> None:
    """Each hole has its game's own board; the podium adds up shares of what each game allows, and the record holds."""
    ada = await stage.home(viewport=PHONE)
    await ada.at("host").click()
    await mix_in_form(ada)
    await ada.page.screenshot(path=report_dir / "mixed-form.jpg", full_page=True)
    await ada.at("option-holes").select_option("3")
    await ada.at("host-create").click()
    await ada.until("view.match.phase === 'lobby'")
    assert await ada.at("mix-order").locator("li").all_inner_texts() == [
        "Golf · Classic",
        "Canfield · Draw one",
        "Russian Solitaire · Relaxed",
    ]
    bob = await (await stage.bot("Bob")).join((await ada.view())["match"]["room"])
    await stage.begin(ada, [bob])
    for hole, piles in ((1, 9), (2, 11), (3, 11)):
        await ada.until(f"view.match.phase === 'playing' && view.match.hole === {hole}")
        game = MIX[hole - 1].partition(":")[0]
        assert (await ada.view())["match"]["game"] == game
        await ada.drawn()
        assert await ada.page.locator(".board .pile").count() == piles
        await stage.moves(bob, 30)
        # A draw where there is a stock, else a tap on an end: done or refused, it is answered.
        said = max(frame.get("seq", 0) for frame in ada.sent)
        drawn = (
            ada.at("stock")
            if await ada.at("stock").count()
            else ada.page.locator(".pile[data-pile='column.7'] [data-card]").last
        )
        await drawn.click()
        await ada.heard(lambda frame, said=said: frame.get("seq", 0) > said)
        await ada.page.screenshot(path=report_dir / f"mixed-{game}.jpg")
        await bob.must("give_up", hole=hole)
        await ada.page.keyboard.press("g")
        await ada.at("confirm").click()
        await ada.until(f"view.match.phase !== 'playing' || view.match.hole > {hole}")
        if hole < len(MIX):
            await bob.must("next", hole=hole)
            await ada.at("next").click()
    await ada.until("view.match.phase === 'ended'")
    view = await ada.view()
    for seat, podium in view["seats"].items():
        card = [(closed["game"], closed["scores"][seat]["app"]) for closed in view["match"]["card"]]
        assert podium["totals"]["points"] == sum(1000 * app // FULL[game] for game, app in card)
        assert await ada.at(f"podium-{seat}").locator(".scores").inner_text() == str(podium["totals"]["points"])
    await ada.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    await ada.page.screenshot(path=report_dir / "mixed-podium.jpg", full_page=True)
    await ada.at("record-link").click()
    await ada.at("scrub").wait_for()
    for foundations in (0, 4, 4):
        await ada.at("step-on").click()
        first = ada.page.locator(".mini").first
        assert await first.locator(".mini-card, .mini-slot, .mini-back").count() > foundations
        await ada.page.screenshot(path=report_dir / f"mixed-replay-{foundations}.jpg")
        await ada.at("hole-on").click()
    assert not await ada.at("record-wrong").count()
    assert not ada.complaints, ada.complaints


async def test_the_page_checks_mixed_records(stage: Stage) -> None:
    """What the server calls right the page does too; other points, or another order of games, it finds."""
    page = await stage.home()
    mix = (("golf", "strict"), ("russian", "classic"), ("canfield", "draw_three"))
    options = Options(rule="strict", mix=mix, scoring="points", seats=2, holes=3, hole_seconds=0)
    made = record(random_match(4, options, check=False).entries)
    assert await page.page.evaluate(FAULTS, made) == []

    def swap(told: dict[str, Any]) -> None:
        order = told["options"]["mix"]
        order[1], order[2] = order[2], order[1]

    spoils: dict[str, Any] = {
        "holes[1].seats.0.result.points": lambda told: told["holes"][1]["seats"]["0"]["result"].update(points=1),
        "seats[1].points": lambda told: told["seats"][1].update(points=1),
        "holes[2].game": swap,
        "options.mix": lambda told: told["options"]["mix"].clear(),
    }
    for field, spoil in spoils.items():
        spoiled = copy.deepcopy(made)
        spoil(spoiled)
        spoiled["sums"] = sums_of(spoiled)
        assert field in await page.page.evaluate(FAULTS, spoiled), field
