"""Spectators: all boards or one, whoever leads, as lines on a phone, and why boards lag."""

import pytest

from tests.browser.pages import PHONE
from tests.browser.scenes import watch_two, watching
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_one_board_large(stage: Stage) -> None:
    """A board can be looked at alone, the others as lines beside it; the leader's is followed as the lead changes."""
    page = await watch_two(stage)
    leads, second = (f"spectate-board-{number}" for number in await order(page))
    assert await page.at("fair").inner_text() == (
        "Boards may lag: each stops where somebody who still plays could learn a coming card from it."
    )
    await page.at(second.replace("spectate-board", "focus")).click()
    assert await page.at(second).locator(".mini").is_visible()
    assert not await page.at(leads).locator(".mini").is_visible()
    assert "left" in await page.at(leads).locator(".line-only").inner_text()
    await page.at("watch-leader").click()
    assert await page.at(leads).locator(".mini").is_visible()
    assert not await page.at(second).locator(".mini").is_visible()
    # The lead changes hands with the hole.
    one, other = (stage.bots[int(name[-1])] for name in (leads, second))
    await one.must("give_up", hole=2)
    await stage.finish(other)
    await page.until("view.match.phase === 'between'")
    await page.at("leader").filter(has_text="thru 2").wait_for()
    assert await page.at(second).locator(".mini").is_visible()
    await page.at("watch-all").click()
    assert await page.page.locator(".watched .mini:visible").count() == 2


async def order(page: object) -> list[int]:
    """Return the seats in the order of their boards."""
    script = "() => [...document.querySelectorAll('.watched')].map((one) => Number(one.dataset.key.slice(2)))"
    seats: list[int] = await page.page.evaluate(script)  # type: ignore[attr-defined]
    return seats


async def test_many_boards_on_a_phone(stage: Stage) -> None:
    """Many boards are a table of lines on a phone, with name, cards, total and gap; a tap opens one, leader in sight."""
    page = await watching(stage, 5)
    await page.page.set_viewport_size(PHONE)
    assert await page.page.locator(".watched .mini:visible").count() == 0
    view = await page.view()
    for number in await order(page):
        row = page.at(f"spectate-board-{number}")
        box = await row.bounding_box()
        assert box
        assert box["height"] < 60
        text = await row.inner_text()
        seat = view["seats"][str(number)]
        assert f"{seat['cards_left']} left" in text
        assert str(seat["totals"]["traditional"]).replace("-", "\u2212") in text
        assert "lead" in text or "behind" in text
    await page.at("focus-3").click()
    assert await page.at("spectate-board-3").locator(".mini").is_visible()
    assert await page.page.locator(".watched .mini:visible").count() == 1
    await page.page.mouse.wheel(0, 600)
    assert await page.at("leader").is_visible()
