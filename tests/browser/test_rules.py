"""The rules at hand: found from the first page and over a match, gone through step by step."""

import json
from pathlib import Path

import pytest

from tests.browser.pages import PHONE
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "rules" / "golden" / "go1-e-aaaaaab.json").read_text(encoding="utf-8")
)
NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


def spoken(card: str) -> str:
    """Return a card's English name."""
    return f"{RANKS.get(card[0], card[0])} of {NAMES[card[1]]}"


async def test_the_published_game_by_keys(stage: Stage) -> None:
    """The first page leads to the rules; arrows go through the game, each step is said, and the page says whose it is."""
    page = await stage.home()
    await page.at("rules").press("Enter")
    steps = page.at("rules-deal")
    await steps.wait_for()
    assert await page.page.evaluate("() => document.querySelectorAll('.manual-section').length") == 10
    source, words = page.at("steps-source"), page.at("steps-words")
    assert await source.inner_text() == "This position is published."
    await page.at("steps-on").focus()
    at = 0
    for position in GOLDEN["positions"]:
        number = {0: 0, 1: 3, 2: 34}[GOLDEN["positions"].index(position)]
        while at < number:
            await page.page.keyboard.press("ArrowRight")
            at += 1
        assert await source.inner_text() == "This position is published."
        listed = await steps.locator("details li").all_text_contents()
        for column, cards in enumerate(position["columns"], 1):
            expected = f"column {column}: " + ", ".join(map(spoken, cards))
            assert expected in listed, (number, expected)
    # The log keeps the last lines; the last one is the move that was just made.
    assert (await page.page.locator("#log p").last.inner_text()).startswith(await words.inner_text())
    await page.page.keyboard.press("ArrowRight")
    assert await source.inner_text() == "This move is published."
    assert "ace of hearts played from column 3" in await words.inner_text()
    await page.page.keyboard.press("ArrowRight")
    assert await source.inner_text() == "This move and the card drawn are ours."
    await page.page.keyboard.press("End")
    assert await page.at("steps-slider").input_value() == "48"
    assert not [line for line in await steps.locator("details li").all_text_contents() if line.startswith("column")]
    await page.page.keyboard.press("Home")
    assert await words.inner_text() == "The deal"
    await page.at("home").press("Enter")
    await page.at("play-alone").wait_for()
    assert await page.at("name").input_value() == "Ada"
    assert not page.complaints


async def test_rules_over_a_match(stage: Stage) -> None:
    """At the table the rules open over the match, which goes on behind them; closing them loses nothing."""
    page = await stage.page(viewport=PHONE)
    _, (bob,) = await stage.playing("Bob", page=page, deals=["GO2-E-AAAAAAQ"])
    await page.at("settings").click()
    await page.at("open-rules").click()
    await page.at("rules-kings").wait_for()
    await bob.must("give_up", hole=1)
    await page.until("view.seats[0].state === 'gave_up'")
    # What a reader hears comes from the window while that is open: all behind it is silent.
    assert await page.page.locator("dialog .log p").last.inner_text() == "Bob gave up, 35 cards left."
    assert not await page.page.locator("#log p").filter(has_text="Bob gave up").count()
    await page.page.keyboard.press("Escape")
    assert await page.page.evaluate("() => document.activeElement.dataset.testid") == "settings"
    await page.page.keyboard.press("Space")
    await page.page.keyboard.press("Escape")
    await page.page.keyboard.press("?")
    await page.at("rules-kings").wait_for()
    await page.at("close").click()
    await page.at("stock").click()
    await page.until("view.you.move_count === 1")


async def test_rules_of_one_game_by_its_address(stage: Stage) -> None:
    """The host's form leads to the rules of what it has chosen, in a tab of their own: of Spit with its pictures."""
    page = await stage.home()
    await page.at("host").click()
    await page.at("option-game").select_option("spit")
    async with page.context.expect_page() as opened:
        await page.at("game-rules").click()
    rules = await opened.value
    await rules.get_by_test_id("rules-race").wait_for()
    assert rules.url.endswith("#rules=spit")
    assert await rules.locator(".manual-games [aria-current]").inner_text() == "Spit"
    assert await rules.locator(".manual-section").count() == 6
    # Both sides of five stockpiles, each open at its end, the two heaps; of the others only backs.
    assert await rules.locator(".figure-board .mini-card").count() == 12
    assert await rules.locator(".figure-board .mini-back").count() == 22
    said = await rules.get_by_test_id("rules-race").locator(".figure-words").all_inner_texts()
    assert said == [
        "9 of clubs is first, and lies on 8 of spades.",
        "7 of diamonds comes too late: 9 of clubs lies there now. The other was faster this time.",
    ]
    assert await page.at("option-game").input_value() == "spit"
    await page.at("option-game").select_option("mix")
    assert not await page.at("game-rules").is_visible()
    await page.page.goto(f"{stage.url}#rules=nothing")
    await page.at("rules-kings").wait_for()
    assert not page.complaints


async def test_rules_that_cannot_be_fetched(stage: Stage) -> None:
    """Without a line the rules say so, and a further try brings them."""
    page = await stage.home()
    await page.page.route("**/rules/*.json", lambda route: route.abort())
    await page.at("rules").click()
    await page.at("rules-fault").wait_for()
    await page.page.unroute("**/rules/*.json")
    await page.at("rules-again").click()
    await page.at("rules-deal").wait_for()
