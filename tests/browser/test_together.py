"""What a match shows of being played together: standing, strips, words, whom one waits for, links and results."""

import re
from typing import Any

import pytest

from tests.browser.pages import Player
from tests.browser.stage import Stage
from tests.browser.test_hands import said
from tests.browser.test_rivals import draw, finish_hole
from tests.runtime.bots import Bot

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DEALS = ["GO2-E-AAAAAAQ", "GO2-E-AAAAAAC"]
ELSEWHERE = "0.0.0.0"  # noqa: S104 - leads here too, and the page can't know that


async def standing(page: Player) -> list[tuple[str, str, str]]:
    """Return the rows of the standing: place, name, score."""
    script = """(list) => [...list.children].map((row) =>
      [row.querySelector(".place"), row.querySelector(".name"), row.querySelector("b")].map((part) => part.textContent))"""
    rows = await page.at("leaderboard").first.evaluate(script)
    return [(place, name, score.replace("\u2212", "-")) for place, name, score in rows]


def expected(view: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Work the standing out from the view: closed holes and the open one as it stands, ties sharing a place."""
    playing = view["match"]["phase"] == "playing"
    scores = {
        int(number): seat["totals"]["traditional"] + (seat["traditional"] if playing else 0)
        for number, seat in view["seats"].items()
    }
    order = sorted(scores, key=lambda number: (scores[number], number))
    place = {number: 1 + sum(other < scores[number] for other in scores.values()) for number in order}
    return [(str(place[number]), view["seats"][str(number)]["name"], str(scores[number])) for number in order]


async def play(bot: Bot) -> None:
    """Play a card, drawing as long as none plays."""
    while not (plays := [move for move in bot.view["you"]["moves"] if len(move) == 3]):
        await draw(bot)
    await bot.must("play", source=plays[0][0], target="waste", card=plays[0][2])


async def test_standing_and_strips(stage: Stage) -> None:
    """Places follow every play, one's own stands in the bar; a closed hole stands in each rival's strip."""
    page, (bob, cara) = await stage.playing("Bob", "Cara", holes=2, deals=DEALS)
    assert await page.at("my-place").inner_text() == "", "nobody leads before a card was played"
    for bot, count in ((bob, 2), (cara, 3), (bob, 3)):
        for _ in range(count):
            await play(bot)
        left = 35 - {0: 2, 1: 3}[bot.seat] if bot is cara or count == 2 else 30  # type: ignore[index]
        await page.until(f"view.seats[{bot.seat}].cards_left === {left}")
        assert await standing(page) == expected(await page.view())
    assert [name for _, name, _ in await standing(page)] == ["Bob", "Cara", "Ada"]
    assert await page.at("my-place").inner_text() == "Place 3 of 3"
    await finish_hole(stage, page, [bob, cara], 1, last=False)
    assert await standing(page) == expected(await page.view())
    strip = page.at("rival-0").locator(".strip")
    assert await strip.get_attribute("aria-label") == "Bob, hole by hole: hole 1: 30"
    assert await strip.locator(".square").all_inner_texts() == ["30", ""]
    assert await strip.locator(".square.far").count() == 1, "more than twice par"
    # Whom one waits for has a name, once one is ready oneself.
    await bob.must("next", hole=1)
    await page.at("next").click()
    await page.at("next-waiting").filter(has_text="Waiting for Cara.").wait_for()


async def test_waiting_for_those_who_play(stage: Stage) -> None:
    """Who has ended sees who still plays, by name, and how long that can take at most."""
    page, bots = await stage.playing("Bob", "Cara", "Dilip", "Emre", deals=DEALS)
    await page.give_up(after=1)
    ended = page.at("ended")
    await ended.filter(has_text=re.compile("Waiting for Bob, Cara,? and 2 more, ")).wait_for()
    text = await ended.inner_text()
    assert re.search(r", [34]:\d\d at most\.$", text), text
    for bot in bots[:3]:
        await bot.must("give_up", hole=1)
    await ended.filter(has_text="Waiting for Emre, ").wait_for()
    await page.page.wait_for_function(
        "(text) => document.querySelector('[data-testid=ended]').textContent !== text", arg=text
    )


async def test_words_among_players(stage: Stage) -> None:
    """A word is read by all in their own language, spectators too, who have no say; who mutes words is spared them."""
    bela = await stage.home("Bela", locale="hi-IN")
    page, _ = await stage.seated("Bob", seats=3)
    room = (await page.view())["match"]["room"]
    await bela.page.goto(f"{stage.url}#{room}")
    await bela.at("invited-join").click()
    await bela.until("view.you.seat === 2")
    eve = await stage.page("Eve")
    await eve.page.goto(f"{stage.url}#watch={room}")
    await eve.until("view.you.role === 'spectator'")
    assert await eve.at("reactions").count() == 0
    await page.at("reactions").click()
    await page.at("react-well_played").click()
    assert not await page.at("react-wow").is_visible(), "the menu is closed"
    await bela.at("said-1").filter(has_text="Ada बढ़िया खेला!").wait_for()
    await eve.at("said-1").filter(has_text="Ada Well played!").wait_for()
    await page.at("said-1").wait_for()
    assert (await said(bela)).count("Ada: बढ़िया खेला!") == 1
    assert not [line for line in await said(page) if "Well played" in line], "one knows what one said"
    await bela.at("settings").click()
    await bela.at("set-reactions").uncheck()
    await bela.at("close").click()
    await page.at("reactions").click()
    await page.at("react-wow").click()
    await bela.heard(lambda frame: frame["t"] == "reaction" and frame["reaction"] == "wow")
    assert await bela.page.get_by_text("वाह!", exact=False).count() == 1, "in the menu only"
    await eve.at("said-1").filter(has_text="Wow!").wait_for()
    await eve.at("said-1").wait_for(state="detached", timeout=20_000)


async def test_links_to_send(stage: Stage) -> None:
    """The room's page gives a link to play, one to watch, and their QR codes; the latter link watches."""
    bob = await (await stage.bot("Bob")).host(seats=3)
    elsewhere = stage.url.replace("127.0.0.1", ELSEWHERE)
    page = await stage.page()
    await page.page.goto(f"{elsewhere}#{bob.room}")
    await page.at("name").fill("Ada")
    await page.at("invited-join").click()
    await page.at("link").wait_for()
    assert await page.at("link").inner_text() == f"{elsewhere}#{bob.room}"
    await page.at("watch-share").locator("summary").first.click()
    watch = await page.at("watch-link").inner_text()
    assert watch == f"{elsewhere}#watch={bob.room}"
    for code in (page.page.locator(".share > .qr"), page.at("watch-share").get_by_test_id("qr")):
        await code.locator("summary").click()
        loaded = "(image) => image.decode().then(() => image.naturalWidth)"
        assert await code.locator("img").evaluate(loaded) > 0
    local = await stage.page("Eve")
    await local.page.goto(watch.replace(ELSEWHERE, "127.0.0.1"))
    await local.until("view.you.role === 'spectator'")
    assert local.page.url.endswith(f"#watch={bob.room}")
    assert await local.at("loopback").count() == 1
    assert await local.at("qr").count() == 0, "nobody else could follow it"


async def test_a_result_to_copy(stage: Stage) -> None:
    """The copied result has places, scores and a square a hole, and neither a card nor a code."""
    page, bots = await stage.playing("Bob", holes=2, deals=DEALS)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await play(bots[0])
    await finish_hole(stage, page, bots, 1, last=False)
    await bots[0].until_phase("between")
    await bots[0].must("next", hole=1)
    await page.at("next").click()
    await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    await finish_hole(stage, page, bots, 2, last=True)
    await page.at("copy-result").click()
    await page.at("copy-result").filter(has_text="Copied").wait_for()
    assert await page.page.evaluate("() => navigator.clipboard.readText()") == (
        "Fairway · 2 holes · Golf · Easy\n"
        "1. Bob: 69 (+59)\n🟧🟧\n"
        "2. Ada: 70 (+60)\n🟧🟧\n"
        "The traditional score decides: lower wins. Points stand small beside it."
    )
