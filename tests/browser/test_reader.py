"""A match by keyboard and by ear: each thing is said once, in order; the focus is never lost and always shows."""

import pytest

from tests.browser.pages import Player
from tests.browser.spoken import FOLLOW_FOCUS, LISTEN, all_said
from tests.browser.stage import COUNTDOWN_MS, Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DEALS = ["GO2-E-AAAAAAQ", "GO2-E-AAAAAAC"]
MOST_STOPS = 40
FOCUSED = """() => {
  const { dataset, className } = document.activeElement;
  return dataset.testid ?? dataset.card ?? className;
}"""


async def tab_to(page: Player, wanted: str) -> None:
    """Go on by Tab until what has the focus bears this test id."""
    for _ in range(MOST_STOPS):
        await page.page.keyboard.press("Tab")
        if await page.page.evaluate(FOCUSED) == wanted:
            return
    raise AssertionError(f"no Tab leads to {wanted}")


async def stand_on(page: Player, card: str) -> None:
    """Go over the board by arrows, to the right and round again, until the focus is on this card."""
    for _ in range(20):
        if await page.page.evaluate(FOCUSED) == card:
            return
        before = await page.page.evaluate(FOCUSED)
        await page.page.keyboard.press("ArrowRight")
        if await page.page.evaluate(FOCUSED) == before:
            for _ in range(9):
                await page.page.keyboard.press("ArrowLeft")
    raise AssertionError(f"no arrow leads to {card}")


async def play_by_standing(page: Player, enough: int) -> None:
    """Play so many cards by going to each and pressing Enter or Space; the focus stays on the board."""
    for count in range(enough):
        view = await page.view()
        move = next((one for one in view["you"]["moves"] if len(one) == 3), None)
        await stand_on(page, move[2] if move else "stock")
        await page.page.keyboard.press("Enter" if count % 2 else "Space")
        await page.until(f"view.you.move_count === {view['you']['move_count'] + 1}")
        place = await page.page.evaluate("() => document.activeElement.closest('.pile')?.dataset.pile")
        assert place == (move[0] if move else "stock") or not (await page.view())["boards"]["1"][move[0]]


async def refused(page: Player) -> None:
    """Press the digit of a column whose card doesn't play."""
    view = await page.view()
    plays = {move[0] for move in view["you"]["moves"]}
    board = view["boards"]["1"]
    column = next(name for name, cards in board.items() if "column" in name and cards and name not in plays)
    await page.page.keyboard.press(column.removeprefix("column."))
    await page.at("refusal").wait_for()


async def test_a_match_by_keys_and_ear(stage: Stage) -> None:
    """From the link to the podium by keys alone, a reader hears every card, refusal, end and place once, in order."""
    bob = await (await stage.bot("Bob")).host(seats=2, holes=2, undo="all", deals=DEALS)
    page = await stage.page()
    page.keys = True
    await page.page.add_init_script(LISTEN)
    await page.page.add_init_script(FOLLOW_FOCUS)
    await page.page.goto(f"{stage.url}#{bob.room}")
    await tab_to(page, "name")
    await page.page.keyboard.type("Ada")
    await tab_to(page, "invited-join")
    await page.page.keyboard.press("Enter")
    await page.until("view.you.seat === 1")
    await tab_to(page, "ready")
    await page.page.keyboard.press("Enter")
    await bob.must("ready", ready=True)
    await page.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    await page.until("view.match.phase === 'playing'")
    stage.house.clock.ahead_ms = 0

    # The first hole by digits, with a refusal twice over, a move taken back, and the rules opened in between.
    await page.page.keyboard.press("Space")
    await page.until("view.you.move_count === 1")
    await refused(page)
    await refused(page)
    await page.act()
    await page.page.keyboard.press("u")
    await page.until("view.you.undo_count === 1")
    await tab_to(page, "undo")
    await page.page.keyboard.press("Enter")
    await page.until("view.you.undo_count === 2")
    assert await page.page.evaluate(FOCUSED) == "undo", "a button that can do no more keeps the focus"
    await page.page.keyboard.press("?")
    await page.at("rules-deal").wait_for()
    await bob.until_phase("playing")
    await stage.finish(bob)
    await page.until("view.seats[0].ended")
    await page.page.keyboard.press("Escape")
    assert await page.page.evaluate(FOCUSED) == "undo", "a window gives the focus back"
    await tab_to(page, "stock")
    await page.play_hole()
    await page.until("view.match.phase === 'between'")
    assert await page.page.evaluate(FOCUSED) == "hole-result"
    await page.page.keyboard.press("Enter")
    await bob.until_phase("between")
    await bob.must("next", hole=1)
    await page.until("view.match.hole === 2 && view.match.phase === 'playing'")

    # The second by standing on cards, and given up in the end.
    await bob.until_phase("playing")
    await tab_to(page, "stock")
    await play_by_standing(page, 8)
    await bob.must("give_up", hole=2)
    await page.until("view.seats[0].ended")
    await page.page.keyboard.press("g")
    await page.at("confirm").wait_for()
    await page.page.keyboard.press("Enter")
    await page.until("view.match.phase === 'ended'")
    await page.page.locator('[data-testid=verified][data-state="open"]').wait_for()
    await tab_to(page, "rematch")

    expected = [*all_said(page.frames), "Verified: every move and score is right. The deals were typed in."]
    heard = await page.page.evaluate("() => window.heard")
    assert heard == expected
    # The frames told all that there is to tell.
    for part in (
        "Drawn: ",
        " played from ",
        "Must be one rank",
        " is back on ",
        "Bob gave up",
        "You gave up",
        "Place 1: ",
    ):
        assert any(part in line for line in heard), part
    assert await page.page.evaluate("() => window.unfocused") == []
    assert not page.complaints
