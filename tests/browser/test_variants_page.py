"""Variants through the page: chosen in the form, said in words, and a joker played."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.browser.pages import PHONE, host, open_player
from tests.runtime.servers import Serve

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]


async def test_jokers_and_an_empty_start(browser: Browser, serve: Serve, report_dir: Path) -> None:
    """A rule of one's own is shown in the room and above the board; a hole with jokers is played to its end."""
    url = f"http://127.0.0.1:{serve().port}/"
    ada = await open_player(browser, "Ada", viewport=PHONE)
    await ada.page.goto(url)
    await ada.at("name").fill("Ada")
    await ada.at("host").click()
    await ada.at("more-rules").click()
    assert await ada.at("option-queen_on_king").is_disabled()
    await ada.at("option-rule-own").click()
    await ada.at("option-queen_on_king").select_option("false")
    await ada.at("option-jokers").select_option("2")
    await ada.at("option-empty_start").select_option("true")
    await ada.at("option-holes").select_option("1")
    await ada.at("more-rules").scroll_into_view_if_needed()
    await ada.page.screenshot(path=report_dir / "variant-form.jpg")
    await ada.at("host-create").click()
    await ada.until("view.match.phase === 'lobby' && view.match.options.rule === 'K2V'")
    words = ["No queen on king", "King and ace joined", "Draw at any time", "2 jokers", "Empty waste"]
    summary = await ada.page.locator(".summary").inner_text()
    assert all(word in summary for word in words)
    await ada.at("ready").click()
    await ada.at("start").click()
    await ada.until("view.match.phase === 'playing'")
    assert " · ".join(words) in await ada.page.locator(".bar-hole").inner_text()
    assert len((await ada.view())["boards"]["0"]["stock"]) == 19
    await ada.at("stock").click()
    assert await ada.at("refusal").inner_text() == "Play any free card first."
    await ada.page.screenshot(path=report_dir / "variant-board.jpg")
    await ada.play_hole()
    await ada.until("view.match.phase === 'ended'")
    await ada.page.screenshot(path=report_dir / "variant-end.jpg")
    assert not ada.complaints, ada.complaints


async def test_a_joker_is_drawn_and_named(browser: Browser, serve: Serve, report_dir: Path) -> None:
    """A joker has a star and the word, and is named so to a reader; typed in, it makes an open deal."""
    url = f"http://127.0.0.1:{serve().port}/"
    ada = await open_player(browser, "Ada")
    cards = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    deck = [*cards[:4], "*1", *cards[4:34], "*2", *cards[34:]]
    await ada.page.goto(url)
    await ada.at("name").fill("Ada")
    await ada.at("host").click()
    await ada.at("more-rules").click()
    await ada.at("option-jokers").select_option("2")
    await ada.at("option-seats").select_option("1")
    await ada.at("option-deals").fill(" ".join(deck))
    await ada.at("host-create").click()
    await ada.until("view.match.phase === 'playing' && view.match.rule === 'E2'")
    joker = ada.page.locator('[data-card="*1"]')
    assert await joker.get_attribute("aria-label") == "Joker"
    assert await joker.inner_text() == "Joker"
    await ada.page.screenshot(path=report_dir / "variant-joker.jpg")
    await joker.click()
    await ada.until("view.boards[0].waste.at(-1) === '*1'")
    assert not ada.complaints, ada.complaints
    await host(ada, url, rule="strict", seats="2")
    assert (await ada.view())["match"]["options"]["rule"] == "S2"
