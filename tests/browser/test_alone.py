"""A game alone, and what is typed on the first page."""

import json
from pathlib import Path
from random import Random

import pytest

from server.rules.cards import DECK
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PUBLISHED = json.loads(
    (Path(__file__).parents[1] / "rules" / "golden" / "go1-e-aaaaaab.json").read_text(encoding="utf-8")
)


async def test_a_round_alone(stage: Stage) -> None:
    """Alone the code shows at once, a draw can be undone, both scores count, the next hole waits for a press."""
    page = await stage.home()
    await page.at("play-alone").click()
    code = await page.at("bar-code").inner_text()
    view = await page.view()
    assert code == view["match"]["code"]
    assert code.startswith("GO2-E-")
    assert view["match"]["deadline"] is None
    await page.at("stock").click()
    await page.until("view.seats[0].stock === 15")
    await page.page.keyboard.press("Control+z")
    await page.until("view.seats[0].stock === 16 && view.you.undo_count === 1")
    assert await page.at("figure-undos").locator("dd").inner_text() == "1"
    while not (await page.view())["you"]["done"] and await page.act():
        pass
    view = await page.view()
    if view["match"]["phase"] == "playing":
        await page.at("stuck").wait_for()
        left = view["seats"]["0"]["cards_left"]
        assert await page.at("figure-lead").locator("dd").evaluate("(dd) => dd.firstChild.data") == str(left)
        assert await page.at("figure-app").locator("dd").inner_text() == str(max(0, 10 * (35 - left) - 10 * left))
        await page.page.keyboard.press("d")
    await page.until("view.match.phase === 'between'")
    assert await page.at("code").inner_text() == code
    stage.house.pass_time(60_000)
    await page.page.wait_for_timeout(200)
    stage.house.clock.ahead_ms = 0
    assert (await page.view())["match"]["phase"] == "between", "alone nothing starts by itself"
    await page.at("next").click()
    await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    assert await page.at("bar-code").inner_text() != code
    assert not page.complaints


async def test_a_typed_code_deals_its_cards(stage: Stage) -> None:
    """A published code, typed in small letters with spaces around it, deals the published cards."""
    page = await stage.home()
    await page.at("deal").fill("  go1-e-aaaaaab \n")
    await page.at("deal-alone").click()
    await page.at("bar-code").wait_for()
    assert await page.at("bar-code").inner_text() == "GO1-E-AAAAAAB"
    board = (await page.view())["boards"]["0"]
    assert [board[f"column.{n}"] for n in range(1, 8)] == PUBLISHED["columns"]
    shown = await page.at("column-1").locator(".card").evaluate_all("(cards) => cards.map((c) => c.dataset.card)")
    assert shown == PUBLISHED["columns"][0]


async def test_typed_cards_are_dealt(stage: Stage) -> None:
    """52 typed cards, as people write them, are dealt as typed, and get a code of their own."""
    deck = list(DECK)
    Random(4).shuffle(deck)
    page = await stage.home()
    await page.at("deal").fill(
        ", ".join(card.replace("T", "10").lower() for card in deck[:30]) + "\n" + " ".join(deck[30:])
    )
    await page.at("deal-alone").click()
    await page.at("bar-code").wait_for()
    assert (await page.at("bar-code").inner_text()).startswith("GOX-E-")
    board = (await page.view())["boards"]["0"]
    assert {card for pile, cards in board.items() if "column" in pile for card in cards} == set(deck[:35])


REFUSED = {
    "GO2-E-AAAA?": "deal code",
    "GO1-E-ZZZZZZZ": "not published",
    "ZZ2-E-AAAAAAB": "isn’t played here",
    "GO2-Q-AAAAAAB": "rule that doesn’t exist",
    "GO2-E-ZZZZZZZ": "out of range",
    " ".join(DECK[:51]): "51",
    " ".join([*DECK[:51], DECK[0]]): "twice",
    " ".join([*DECK[:51], "1X"]): "1X",
    "": "Paste a deal code",
}


async def test_refused_deals_are_put_in_words(stage: Stage) -> None:
    """A deal that can't be played is refused in words of its own, and the form keeps what was typed."""
    page = await stage.home()
    await page.at("join-code").fill("HALFTYPE")
    for typed, said in REFUSED.items():
        await page.at("deal").fill(typed)
        await page.at("deal-alone").click()
        await page.at("error").filter(has_text=said).wait_for()
        assert await page.at("deal").input_value() == typed
        assert await page.at("join-code").input_value() == "HALFTYPE"
        assert await page.at("name").input_value() == "Ada"
        assert not await page.at("board").count()
    # The next thing that is done goes on as if nothing had been.
    await page.at("play-alone").click()
    await page.at("board").wait_for()


async def test_a_refused_room_keeps_its_form(stage: Stage) -> None:
    """A room whose deal or name is refused says so and keeps every choice."""
    page = await stage.home()
    await page.at("host").click()
    await page.at("option-rule-strict").check()
    await page.at("option-undo").select_option("all")
    await page.at("option-deals").fill("GO1-C-QQQQQQQ")
    await page.at("host-create").click()
    await page.at("error").wait_for()
    assert "not published" in await page.at("error").inner_text()
    assert await page.at("option-deals").input_value() == "GO1-C-QQQQQQQ"
    assert await page.at("option-undo").input_value() == "all"
    assert await page.at("option-rule-strict").is_checked()
    await page.at("option-deals").fill("GO2-E-AAAAAAC")
    await page.at("name").fill("<b>Ada</b>")
    await page.at("host-create").click()
    await page.page.get_by_text("visible characters").wait_for()
    await page.at("name").fill("Ada")
    await page.at("host-create").click()
    await page.until("view.match.options.undo === 'all' && view.match.open_deal")
