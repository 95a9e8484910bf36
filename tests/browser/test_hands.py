"""What hands do on the board: refused, doubled, hasty, dragged and interrupted presses."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import WebSocketRoute

from tests.browser.pages import Player
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DEAL = "GO2-E-AAAAAAQ"
ANSWER_DELAY_S = 0.25


async def at_the_table(stage: Stage, delay_s: float = 0.0, *, motion: str = "reduce", **options: Any) -> Player:
    """Seat a page with a bot at a known deal; answers to it are late by `delay_s`."""
    page = await stage.page(reduced_motion=motion)
    if delay_s:

        async def through(route: WebSocketRoute) -> None:
            server = route.connect_to_server()
            loop = asyncio.get_running_loop()
            server.on_message(lambda message: loop.call_later(delay_s, route.send, message))

        await page.page.route_web_socket("**/ws", through)
    await stage.playing("Bob", page=page, deals=[DEAL], **options)
    return page


async def middle(page: Player, selector: str) -> tuple[float, float]:
    """Return the middle of an element on the screen, where it comes to rest."""
    box = await page.at_rest(selector)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def unfit_card(page: Player) -> str:
    """Return an exposed card that doesn't play now."""
    view = await page.view()
    plays = {move[2] for move in view["you"]["moves"] if len(move) == 3}
    board = view["boards"][str(view["you"]["seat"])]
    return next(pile[-1] for name, pile in board.items() if "column" in name and pile[-1] not in plays)


async def said(page: Player) -> list[str]:
    """Return what the log has said to a screen reader."""
    lines = await page.page.locator("#log p").all_inner_texts()
    return [line.strip() for line in lines]


async def test_refusals_in_words(stage: Stage) -> None:
    """A covered card and a wrong rank are refused in their words, told a reader once, and gone after a move."""
    page = await at_the_table(stage)
    await page.page.locator('[data-card="JH"]').click(position={"x": 14, "y": 10})
    await page.at("refusal").wait_for()
    assert await page.at("refusal").inner_text() == "This card is blocked."
    await page.page.locator(f'[data-card="{await unfit_card(page)}"]').click()
    await page.page.get_by_text("Must be one rank higher or one lower.").first.wait_for()
    assert await page.at("refusal").count() == 1
    spoken = await said(page)
    assert spoken.count("This card is blocked.") == 1
    assert spoken.index("This card is blocked.") < spoken.index("Must be one rank higher or one lower.")
    await page.at("stock").click()
    await page.until("view.you.move_count === 1")
    await page.at("refusal").wait_for(state="detached")


async def test_refusals_in_silence(stage: Stage) -> None:
    """With interactive rules off a refused card says nothing, and nothing changes."""
    page = await at_the_table(stage)
    await page.at("settings").click()
    await page.at("set-interactive").uncheck()
    await page.at("close").click()
    before = await page.view()
    await page.page.locator('[data-card="JH"]').click(position={"x": 14, "y": 10})
    await page.heard(lambda frame: frame["t"] == "refused")
    assert await page.at("refusal").count() == 0
    assert (await page.view())["boards"] == before["boards"]


async def test_a_doubled_draw_draws_once(stage: Stage) -> None:
    """Two presses on the stock before the first answer turn one card; the second is silent."""
    page = await at_the_table(stage, ANSWER_DELAY_S)
    await page.at("stock").focus()
    await page.page.keyboard.press("Space")
    await page.page.keyboard.press("Space")
    refused = await page.heard(lambda frame: frame["t"] == "refused")
    assert refused["code"] == "stale"
    await page.until("view.you.move_count === 1")
    assert await page.at("refusal").count() == 0
    assert (await page.view())["seats"]["1"]["stock"] == 15


async def test_a_card_on_its_way_takes_no_tap(stage: Stage) -> None:
    """However long a drawn card takes to leave the stock's place, a tap there is a tap on the stock."""
    page = await at_the_table(stage, motion="no-preference")
    slow = """() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".card { transition-duration: 30s !important; }");
      document.adoptedStyleSheets = [sheet];
    }"""
    await page.page.evaluate(slow)
    place = await middle(page, "[data-draw]")
    for count in (1, 2, 3):
        await page.page.mouse.click(*place)
        await page.until(f"view.you.move_count === {count}")
        await page.page.wait_for_function("() => !document.querySelector('.board .flying')")


async def test_hasty_taps_all_arrive(stage: Stage) -> None:
    """A chain of taps faster than any answer arrives whole, and the board then equals a fresh snapshot's."""
    page = await at_the_table(stage, ANSWER_DELAY_S)
    await page.at("stock").click()
    await page.until("view.you.move_count === 1")
    chain = longest_chain(await page.view())
    assert len(chain) >= 3, chain
    places = [await middle(page, f'[data-card="{card}"]') for card in chain]
    for place in places:
        await page.page.mouse.click(*place)
    count = (await page.view())["you"]["move_count"]
    assert count == 1, "no answer was waited for"
    await page.until(f"view.you.move_count === {1 + len(chain)}")
    view = await page.view()
    assert view["boards"]["1"]["waste"][-len(chain) :] == chain
    second = await stage.page(beside=page)
    await second.page.goto(page.page.url)
    await second.until("view.you.seat === 1")
    fresh = await second.view()
    assert fresh["boards"] == view["boards"]
    assert fresh["seats"] == view["seats"]
    # What is drawn is what is known, pile by pile.
    for n in range(1, 8):
        shown = (
            await second.at(f"column-{n}").locator(".card").evaluate_all("(all) => all.map((c) => c.dataset.card)")
        )
        assert sorted(shown) == sorted(fresh["boards"]["1"][f"column.{n}"])


def longest_chain(view: dict[str, Any]) -> list[str]:
    """Return cards that can be tapped one after the other, each under Easy next in rank to the one before."""
    ranks = "A23456789TJQK"
    board = view["boards"]["1"]

    def go(top: str, columns: list[list[str]]) -> list[str]:
        best: list[str] = []
        for at, column in enumerate(columns):
            if column and (ranks.index(column[-1][0]) - ranks.index(top[0])) % 13 in (1, 12):
                rest = [cards[:-1] if n == at else cards for n, cards in enumerate(columns)]
                found = [column[-1], *go(column[-1], rest)]
                best = max(best, found, key=len)
        return best

    return go(board["waste"][-1], [board[f"column.{n}"] for n in range(1, 8)])


async def test_a_drag_onto_the_waste_plays(stage: Stage) -> None:
    """A card dragged onto the waste is played, the waste lit up on the way; one let go elsewhere goes back."""
    page = await at_the_table(stage)
    await page.at("stock").click()
    await page.until("view.you.move_count === 1")
    move = next(move for move in (await page.view())["you"]["moves"] if len(move) == 3)
    card = page.page.locator(f'[data-card="{move[2]}"]')
    home = await middle(page, f'[data-card="{move[2]}"]')
    waste = await middle(page, "[data-testid=waste] .card >> nth=-1")
    mouse = page.page.mouse
    await mouse.move(*home)
    await mouse.down()
    await mouse.move(home[0] + 150, home[1] - 60, steps=4)
    assert "is-target" in str(await page.at("waste").get_attribute("class"))
    await mouse.up()
    assert await middle(page, f'[data-card="{move[2]}"]') == home
    assert (await page.view())["you"]["move_count"] == 1
    await mouse.move(*home)
    await mouse.down()
    await mouse.move(*waste, steps=6)
    await mouse.up()
    await page.until("view.you.move_count === 2")
    assert await card.get_attribute("data-pile") == "waste"
    assert "is-target" not in str(await page.at("waste").get_attribute("class"))


async def test_an_interrupted_drag_puts_the_card_back(stage: Stage) -> None:
    """A drag that the system cancels, in any of its ways, puts the card back where it was, and nothing is sent."""
    page = await at_the_table(stage)
    card = '[data-card="QD"]'
    home = await middle(page, card)
    cancel = """([selector, how]) => {
      const card = document.querySelector(selector);
      const box = card.getBoundingClientRect();
      card.setPointerCapture = () => {};
      const fire = (type, dx) => card.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerId: 7, button: 0,
        pointerType: "touch", clientX: box.x + 20 + dx, clientY: box.y + 20}));
      fire("pointerdown", 0);
      fire("pointermove", 90);
      const held = card.classList.contains("held");
      if (how === "blur") window.dispatchEvent(new Event("blur"));
      else fire(how, 90);
      return held;
    }"""
    sent = len(page.sent)
    for how in ("pointercancel", "lostpointercapture", "blur"):
        assert await page.page.evaluate(cancel, [card, how]), "the drag had begun"
        assert await middle(page, card) == home
        assert "held" not in str(await page.page.locator(card).get_attribute("class"))
    assert [message for message in page.sent[sent:] if message["t"] != "ping"] == []


async def test_all_by_keys(stage: Stage) -> None:
    """Space draws, digits play, U takes back, G asks and Escape keeps the hole; each is said once and in order."""
    page = await at_the_table(stage, undo="all")
    await page.page.keyboard.press("Space")
    await page.until("view.you.move_count === 1")
    move = next(move for move in (await page.view())["you"]["moves"] if len(move) == 3)
    await page.page.keyboard.press(move[0].removeprefix("column."))
    await page.until("view.you.move_count === 2")
    await page.page.keyboard.press("u")
    await page.until("view.you.undo_count === 1")
    spoken = [line for line in await said(page) if "Bob" not in line][-3:]
    assert spoken[0].startswith("Drawn: ")
    assert " played from " in spoken[1]
    assert " is back on " in spoken[2]
    await page.page.keyboard.press("g")
    await page.at("confirm").wait_for()
    assert await page.at("confirm").evaluate("(button) => button === document.activeElement")
    await page.page.keyboard.press("Escape")
    await page.at("confirm").wait_for(state="detached")
    assert (await page.view())["seats"]["1"]["state"] == "playing"
    await page.page.keyboard.press("g")
    await page.page.keyboard.press("Enter")
    await page.until("view.seats[1].state === 'gave_up'")
    await page.at("ended").wait_for()


async def test_cards_have_names(stage: Stage) -> None:
    """Cards, piles and the stock have names for a screen reader; only what can be played takes the focus."""
    page = await at_the_table(stage)
    assert await page.page.locator('[data-card="QD"]').get_attribute("aria-label") == "queen of diamonds"
    assert await page.page.locator('[data-card="8S"]').get_attribute("aria-label") == "8 of spades, covered"
    assert await page.at("stock").get_attribute("aria-label") == "Draw from the stock, 16 cards left"
    assert await page.at("column-1").get_attribute("aria-label") == "column 1, 5 cards, free: queen of diamonds"
    stops = (
        await page.at("board").locator("button").evaluate_all("(all) => all.filter((b) => b.tabIndex === 0).length")
    )
    assert stops == 8, "seven exposed cards and the stock"


FOCUSED = "() => document.activeElement.closest('main, dialog')?.className ?? document.activeElement.tagName"


async def test_a_whole_visit_by_keys(stage: Stage) -> None:
    """From the first page into a second hole without a pointer: the focus is never lost, Enter goes on."""
    page = await stage.page()
    await page.page.goto(stage.url)
    await page.at("name").focus()
    await page.page.keyboard.type("Ada")
    for _ in range(4):
        await page.page.keyboard.press("Tab")
        if await page.at("play-alone").evaluate("(button) => button === document.activeElement"):
            break
    await page.page.keyboard.press("Enter")
    await page.at("board").wait_for()
    assert "table" in await page.page.evaluate(FOCUSED)
    await page.page.keyboard.press("Space")
    await page.until("view.you.move_count === 1")
    # Into the board: the first stop there is a card that can be played or is refused in words.
    await page.at("stock").focus()
    await page.page.keyboard.press("Enter")
    await page.until("view.you.move_count === 2")
    await page.page.keyboard.press("g")
    await page.page.keyboard.press("Enter")
    await page.until("view.match.phase === 'between'")
    assert await page.page.evaluate("() => document.activeElement.dataset.testid") == "hole-result"
    await page.page.keyboard.press("Enter")
    await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    await page.at("settings").press("Enter")
    await page.page.keyboard.press("Escape")
    assert await page.page.evaluate("() => document.activeElement.dataset.testid") == "settings"
    await page.at("home").press("Enter")
    await page.page.keyboard.press("Enter")
    await page.at("play-alone").wait_for()
    assert "home" in await page.page.evaluate(FOCUSED)
