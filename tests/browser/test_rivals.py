"""What a page shows of the others: counts at once, boards as far as it may see them, cards and places."""

from typing import Any

import pytest

from tests.browser.pages import Player
from tests.browser.stage import COUNTDOWN_MS, Stage
from tests.runtime.bots import Bot

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DEALS = ["GO2-E-AAAAAAQ", "GO2-E-AAAAAAC"]


def columns(board: dict[str, list[str]]) -> list[str]:
    """Return the cards in a board's columns."""
    return [card for pile, cards in board.items() if pile.startswith("column") for card in cards]


async def drawn_cards(page: Player, testid: str) -> int:
    """Count the open cards that the picture of a board shows in its columns and on its waste."""
    return await page.at(testid).locator(".mini-card").count()


async def draw(bot: Bot) -> None:
    """Draw a card."""
    await bot.must("draw", stock=len(bot.board["stock"]))


async def test_a_rivals_strip(stage: Stage) -> None:
    """A rival's counts are live; his board stops before his first draw until the own second one, and says so."""
    page, (bob,) = await stage.playing("Bob", deals=DEALS)
    strip = page.at("rival-0")
    assert "Live" in await strip.inner_text()
    await draw(bob)
    play = next(move for move in bob.view["you"]["moves"] if len(move) == 3)
    await bob.must("play", source=play[0], target="waste", card=play[2])
    await page.until("view.seats[0].cards_left === 34 && view.seats[0].stock === 15")
    await strip.filter(has_text="Up to your own draws").wait_for()
    text = await strip.inner_text()
    assert "34 left" in text
    assert "15 stock" in text
    board = (await page.view())["boards"]["0"]
    assert len(columns(board)) == 35
    assert len(board["stock"]) == 16
    assert await drawn_cards(page, "rival-0") == 35 + 1
    assert "34 cards left, 15 in the stock" in str(await strip.locator(".rival-head").get_attribute("aria-label"))
    # The first own draw opens what came before his first, the second one his first and the play after it.
    await page.page.keyboard.press("Space")
    await page.until("view.boards[1].stock.length === 15")
    assert len((await page.view())["boards"]["0"]["stock"]) == 16
    await page.page.keyboard.press("Space")
    await page.until("view.boards[0].stock.length === 15")
    await strip.filter(has_text="Live").wait_for()
    assert len(columns((await page.view())["boards"]["0"])) == 34
    assert await drawn_cards(page, "rival-0") == 34 + 1
    assert await strip.locator(f'[data-key="waste{play[2]}"]').count() == 1
    # On a phone the board opens in a window and follows.
    await page.page.set_viewport_size({"width": 390, "height": 664})
    assert not await strip.locator(".mini").is_visible()
    await strip.locator(".rival-head").click()
    window = page.page.locator("dialog .rival-window")
    await window.wait_for()
    assert await window.locator(".mini-card").count() == 34 + 1
    await bob.must("give_up", hole=1)
    await window.filter(has_text="gave up").wait_for()


async def finish_hole(stage: Stage, page: Player, bots: list[Bot], hole: int, *, last: bool) -> None:
    """Give all holes up, the page's too."""
    for bot in bots:
        await bot.until_phase("playing")
        await bot.must("give_up", hole=hole)
    await page.page.keyboard.press("g")
    await page.page.keyboard.press("Enter")
    await page.until("view.match.phase === 'ended'" if last else "view.match.phase === 'between'")


async def test_card_results_and_places(stage: Stage) -> None:
    """A closed hole shows all results and its code; the card adds up, with par; on the podium ties share a place."""
    page, bots = await stage.playing("Bob", "Cara", "Dilip", holes=2, undo="plays")
    # Bob takes one card more than the others in the first hole: the others share second place.
    while not (plays := [move for move in bots[0].view["you"]["moves"] if len(move) == 3]):
        await draw(bots[0])
    await bots[0].must("play", source=plays[0][0], target="waste", card=plays[0][2])
    await finish_hole(stage, page, bots, 1, last=False)
    result = page.at("hole-result")
    code = await page.at("code").inner_text()
    assert code == (await page.view())["match"]["code"]
    assert len(code) == len("GO2-E-") + 28
    rows = [(await row.inner_text()).split() for row in await result.locator(".result-list li").all()]
    assert [(row[0], row[1]) for row in rows] == [("1", "Bob"), ("2", "Cara"), ("2", "Dilip"), ("2", "Ada")]
    for bot in bots:
        await bot.until_phase("between")
        await bot.must("next", hole=1)
    await page.at("next").click()
    await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    await finish_hole(stage, page, bots, 2, last=True)
    view = await page.view()
    await page.at("podium").wait_for()
    places = [await page.at(f"podium-{seat}").get_attribute("data-place") for seat in range(4)]
    assert places == ["1", "2", "2", "2"]
    assert "Bob wins" in await page.at("podium").inner_text()
    check_card(await card_cells(page), view)


async def card_cells(page: Player) -> list[list[str]]:
    """Return the scorecard's rows as texts, numbers with a plain minus; without the best, which comes when it is found."""
    script = """(card) => [...card.querySelectorAll("tr")].map((row) => [...row.cells]
      .filter((cell) => !cell.matches(".best-head, .best-cell")).map((cell) =>
      [...cell.querySelectorAll("span:not(.over-best)")].map((s) => s.textContent).join("/") || cell.textContent))"""
    rows: list[list[str]] = await page.at("podium").get_by_test_id("scorecard").evaluate(script)
    return [[cell.replace("\u2212", "-") for cell in row] for row in rows]


def check_card(rows: list[list[str]], view: dict[str, Any]) -> None:
    """Compare the card with the sums and pars worked out here from the holes' results."""
    scores = [[record["scores"][str(seat)] for record in view["match"]["card"]] for seat in range(4)]
    assert rows[0][1:] == ["Bob", "Cara", "Dilip", "Ada"]
    for hole in (0, 1):
        assert rows[1 + hole][1:] == [f"{mine[hole]['traditional']}/{mine[hole]['app']}" for mine in scores]
    sums = [(sum(one["traditional"] for one in mine), sum(one["app"] for one in mine)) for mine in scores]
    assert rows[3][1:] == [f"{traditional}/{app}" for traditional, app in sums]
    assert rows[4][1:] == [f"+{traditional - 10}" for traditional, _ in sums]


async def test_a_spectator_sees_who_leads(stage: Stage) -> None:
    """A spectator sees every board, the leader with the gap, thru, and boards that lag labelled so."""
    bob = await (await stage.bot("Bob")).host(seats=2, deals=DEALS)
    cara = await (await stage.bot("Cara")).join(bob.room)
    for bot in (bob, cara):
        await bot.must("ready", ready=True)
    await bob.until_phase("countdown")
    stage.house.pass_time(COUNTDOWN_MS)
    await bob.until_phase("playing")
    stage.house.clock.ahead_ms = 0
    await cara.until_phase("playing")
    page = await stage.page("Eve")
    await page.page.goto(f"{stage.url}#{bob.room}.watch")
    await page.at("leader").wait_for()
    assert "All level" in await page.at("leader").inner_text()
    await draw(bob)
    play = next(move for move in bob.view["you"]["moves"] if len(move) == 3)
    await bob.must("play", source=play[0], target="waste", card=play[2])
    board = page.at("spectate-board-0")
    await board.filter(has_text="As far as it helps nobody").wait_for()
    assert "34 left" in await board.inner_text()
    assert len(columns((await page.view())["boards"]["0"])) == 35
    await bob.must("give_up", hole=1)
    await cara.must("give_up", hole=1)
    await page.at("hole-result").wait_for()
    assert await page.at("code").inner_text() == DEALS[0]
    await page.at("leader").filter(has_text="Bob leads by 1").wait_for()
    assert "thru 1" in await page.at("leader").inner_text()
    assert "1 behind" in await page.at("spectate-board-1").inner_text()
