"""The board: motion that is never in the way, help where the room allows it, time without alarm, decks and sounds."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.pages import PHONE, WIDE, Player
from tests.browser.stage import Stage
from tests.browser.test_hands import at_the_table, longest_chain, middle, said

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
SLOW = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".card { transition-duration: 30s !important; }");
  document.adoptedStyleSheets = [sheet];
}"""
MOVING = "() => document.getAnimations().filter((one) => one.playState === 'running').length"
MARKED = "() => [...document.querySelectorAll('.board .plays')].map((one) => one.dataset.card ?? 'stock').sort()"


async def test_plays_in_a_row(stage: Stage) -> None:
    """Taps land however slowly cards fly; the row counts up, one less for an undo, anew after a draw."""
    page = await at_the_table(stage, motion="no-preference")
    await page.page.evaluate(SLOW)
    await page.at("stock").click()
    await page.until("view.you.move_count === 1")
    row = page.page.locator(".streak b")
    assert not await row.is_visible()
    chain = longest_chain(await page.view())
    assert len(chain) >= 3
    for place in [await middle(page, f'[data-card="{card}"]') for card in chain]:
        await page.page.mouse.click(*place)
    await page.until(f"view.you.move_count === {1 + len(chain)}")
    assert await page.page.evaluate(MOVING) >= len(chain), "all of them are still on their way"
    await row.filter(has_text=f"×{len(chain)}").wait_for()
    await page.page.keyboard.press("u")
    await row.filter(has_text=f"×{len(chain) - 1}").wait_for()
    await page.at("stock").click()
    await row.wait_for(state="hidden")
    # Who wants no motion has none: what happens is there at once.
    await page.page.emulate_media(reduced_motion="reduce")
    await page.page.wait_for_function(f"() => ({MOVING})() === 0")
    await page.act()
    assert await page.page.evaluate(MOVING) == 0


def offered(view: dict[str, Any]) -> list[str]:
    """Return what is to be marked: the cards that play, or else the stock."""
    moves = view["you"]["moves"]
    return sorted({move[2] for move in moves if len(move) == 3}) or ["stock" for move in moves]


async def test_plays_are_always_marked(stage: Stage) -> None:
    """With help for all, said in the room, the cards that play are marked after every move, or else the stock."""
    page, bots = await stage.seated("Bob", help="highlight", deals=["GO2-E-AAAAAAQ"])
    assert "Help\nAlways" in await page.page.locator(".summary").inner_text()
    await stage.begin(page, bots)
    assert await page.at("hint").count() == 0
    kinds = set()
    for _ in range(14):
        view = await page.view()
        assert await page.page.evaluate(MARKED) == offered(view)
        kinds.add(offered(view) == ["stock"])
        await page.act()
    assert kinds == {True, False}


async def test_a_hint_when_asked(stage: Stage) -> None:
    """A hint marks what plays, says it, and is gone with the next move; without help there is none."""
    page = await at_the_table(stage, help="hint")
    assert await page.page.evaluate(MARKED) == []
    for press in (page.at("hint").click, lambda: page.page.keyboard.press("h")):
        view = await page.view()
        await press()
        assert await page.page.evaluate(MARKED) == offered(view)
        assert (await said(page))[-1].startswith(("These play: ", "No card plays."))
        await page.act()
        assert await page.page.evaluate(MARKED) == []
    other = await at_the_table(stage)
    assert await other.at("hint").count() == 0
    await other.page.keyboard.press("h")
    assert await other.page.evaluate(MARKED) == []


async def test_time_without_alarm(stage: Stage) -> None:
    """A bar shows the time that is left; words count down in the last half minute only, told a reader once."""
    page = await at_the_table(stage, hole_seconds=60)
    figure = page.at("figure-time")
    assert (await figure.inner_text()).startswith("Time")
    width = await figure.bounding_box()
    assert await page.page.locator(".time-line").evaluate("(line) => getComputedStyle(line).opacity") == "1"
    stage.house.pass_time(35_000)
    try:
        look = "() => (document.dispatchEvent(new Event('visibilitychange')), document.querySelector('.soon'))"
        await page.page.wait_for_function(look, polling=200, timeout=20_000)
        assert (await figure.inner_text()).startswith("Left\n0:2")
        assert await figure.bounding_box() == width, "nothing moves for it"
        assert (await said(page)).count("Half a minute left.") == 1
    finally:
        stage.house.clock.ahead_ms = 0


async def test_nothing_moves_under_a_finger(stage: Stage) -> None:
    """While a finger is on the table no figure, rival or card moves; what waited is there once it is lifted."""
    page, (bob,) = await stage.playing("Bob", deals=["GO2-E-AAAAAAQ"])
    places = "() => [...document.querySelectorAll('.board .card')].map((card) => card.style.transform)"
    before = await page.page.evaluate(places)
    head = page.at("rival-0").locator(".rival-head")
    text = await head.inner_text()
    await page.page.mouse.move(*await middle(page, ".bar-hole"))
    await page.page.mouse.down()
    await bob.must("give_up", hole=1)
    await page.until("view.seats[0].ended")
    await page.page.set_viewport_size({"width": 1000, "height": 640})
    await page.page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    assert await page.page.evaluate(places) == before
    assert await head.inner_text() == text
    await page.page.mouse.up()
    await head.filter(has_text="gave up").wait_for()
    assert await page.page.evaluate(places) != before


async def fits(page: Player) -> None:
    """Nothing on the table is cut off or in the way, wide or on a phone."""
    for size in (PHONE, WIDE):
        await page.page.set_viewport_size(size)
        await page.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        assert await page.page.evaluate(LAYOUT) == []


async def test_decks_and_sounds(stage: Stage) -> None:
    """Large print is larger and fits; four colours are four; no sound is made before it is switched on."""
    page = await stage.page()
    await page.page.add_init_script("""window.tones = 0;
      const Real = window.OscillatorNode;
      window.OscillatorNode = class extends Real { start(at) { window.tones += 1; super.start(at); } };""")
    await stage.playing("Bob", page=page, deals=["GO2-E-AAAAAAQ"])
    # J and Q, whose tails must not reach the card below, are larger by as much as there is room for.
    size = """() => ['.rank:not(.rank-J, .rank-Q)', '.rank-J', '.rank-Q'].map((kind) =>
      parseFloat(getComputedStyle(document.querySelector(`.board [data-pile^=column] ${kind}`)).fontSize))"""
    colours = """() => new Set([..."SHDC"].map((suit) =>
      getComputedStyle(document.querySelector(`.board .suit-${suit}`)).color)).size"""
    small = await page.page.evaluate(size)
    assert await page.page.evaluate(colours) == 2
    await page.act()
    await page.at("stock").click()
    assert await page.page.evaluate("() => window.tones") == 0
    await page.at("settings").click()
    for name in ("largePrint", "fourColours", "sound"):
        await page.at(f"set-{name}").check()
    await page.at("close").click()
    large = [new / old for new, old in zip(await page.page.evaluate(size), small, strict=True)]
    assert large[0] > 1.2
    assert min(large) > 1.05
    assert await page.page.evaluate(colours) == 4
    await page.act()
    assert await page.page.evaluate("() => window.tones") > 0
    await fits(page)
