"""After a hole its best line can be stepped through beside what was played, there and in the record."""

import os
from pathlib import Path

import pytest

from server.rules.best import best_of
from server.rules.codes import deal_of, parse_code
from tests.browser.pages import PHONE, Player, host
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SHOTS = os.environ.get("FAIRWAY_SHOTS")
"""A folder for pictures of the pages that this test opens."""


async def shot(page: Player, name: str) -> None:
    """Keep a picture, where somebody wants one."""
    if SHOTS:
        await page.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


async def cards(page: Player, side: int) -> int:
    """Count the cards that one of the two boards shows, the stock's back as one."""
    return await page.page.locator(".best-side").nth(side).locator(".mini-card, .mini-back").count()


async def place(page: Player) -> str:
    """Return where the stepper stands."""
    return await page.at("best-place").inner_text()


async def test_the_best_line_beside_ones_own(stage: Stage) -> None:
    """The strokes stand under the results; buttons and keys step, each side to its own end; the card sums what is over."""
    page, (bot,) = await stage.playing("Bob", holes=1, page=await stage.page(viewport=PHONE))
    await page.act()
    await page.page.keyboard.press("g")
    await page.at("confirm").click()
    await bot.must("give_up", hole=1)
    await page.until("Object.keys(view.match.best).length === 1")
    view = await page.view()
    code = view["match"]["card"][0]["code"]
    best = best_of(code)
    strokes = str(best.strokes).replace("-", "\u2212")
    await page.page.locator(".last-hole summary").click()
    assert strokes in await page.at("best-line").inner_text()
    over = view["seats"]["0"]["totals"]["over_best"]
    mine = view["match"]["card"][0]["scores"]["0"]["traditional"]
    assert over == mine - best.strokes
    assert f"+{over}" in await page.at("over-best").first.inner_text()
    await shot(page, "podium-phone")
    await page.at("open-best").click()
    await page.at("best-strokes").wait_for()
    assert await page.at("best-strokes").inner_text() == strokes
    assert await page.at("best-seat").locator("option").all_inner_texts() == ["Bob", "Ada"]
    all_ = len(best.line)
    assert await place(page) == f"0 of {all_}"
    await page.at("best-seat").select_option(label="Bob")
    whole = await cards(page, 1)
    await page.at("best-step-on").click()
    assert await place(page) == f"1 of {all_}"
    assert await cards(page, 1) == whole, "Bob made no move"
    await page.at("best-seat").select_option(label="Ada")
    await page.at("best-step-on").focus()
    await page.page.keyboard.press("End")
    assert await place(page) == f"{all_} of {all_}"
    _, _, table = deal_of(parse_code(code))
    left = 35 - sum(step[0] != "stock" for step in best.line)
    # The waste shows its top, the stock one back while there is any.
    assert await cards(page, 0) == left + 1 + (sum(s[0] == "stock" for s in best.line) < len(table.piles["stock"]))
    await shot(page, "stepper-phone")
    await page.page.keyboard.press("ArrowLeft")
    assert await place(page) == f"{all_ - 1} of {all_}"
    await page.page.keyboard.press("Home")
    assert await place(page) == f"0 of {all_}"
    assert await cards(page, 0) == whole
    said = await page.page.locator("dialog .log p").all_inner_texts()
    assert said[-1] == f"0 of {all_} The deal."
    await page.page.keyboard.press("Escape")
    assert await page.page.locator("dialog[open]").count() == 0
    await page.page.set_viewport_size({"width": 1280, "height": 800})
    await page.at("record-link").click()
    await page.at("open-best").click()
    assert await page.at("best-strokes").inner_text() == strokes
    await page.page.keyboard.press("End")
    assert await place(page) == f"{all_} of {all_}"
    await shot(page, "stepper-record-wide")
    await page.page.keyboard.press("Escape")
    await shot(page, "record-wide")
    assert not page.complaints


async def test_a_room_with_winnable_deals(stage: Stage) -> None:
    """The host chooses it in the form; room and board say so in words; the deal that comes can be cleared."""
    page = await stage.home(viewport=PHONE, locale="tr-TR")
    await host(page, stage.url, rule="strict", winnable="true", seats="2", holes="1")
    view = await page.view()
    assert view["match"]["options"]["winnable"] is True
    words = "kazanılabilir dağılımlar"
    assert words in await page.page.locator(".summary").inner_text()
    await shot(page, "room-tr")
    bot = await (await stage.bot("Bob")).join(view["match"]["room"])
    await stage.begin(page, [bot])
    assert words in await page.page.locator(".felt-head, header").first.inner_text()
    await shot(page, "board-tr")
    await page.page.keyboard.press("g")
    await page.at("confirm").click()
    await bot.must("give_up", hole=1)
    await page.until("view.match.phase === 'ended' && Object.keys(view.match.best).length === 1")
    view = await page.view()
    assert best_of(view["match"]["card"][0]["code"]).cleared
    await page.at("record-link").click()
    await page.page.locator(".verified.is-sealed").wait_for()
    assert not page.complaints
