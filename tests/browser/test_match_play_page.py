"""Match play between two browsers: chosen in the form, told in golf's words, ended early, kept and shown again."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.access import low_contrast
from tests.browser.pages import Player, join
from tests.browser.record_files import opened
from tests.browser.stage import COUNTDOWN_MS, Stage
from tests.browser.test_layouts import look
from tests.match.records import fresh

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WORDS = """async ([language, standing, holes]) => {
  const i18n = await import("/js/i18n.js"), play = await import("/js/match_play.js");
  await i18n.load(language);
  const view = {match: {standing, options: {format: "match", holes}}, seats: {0: {name: "Ada"}, 1: {name: "Bob"}}};
  return [play.seatWords(view, 0), play.seatWords(view, 1), play.matchWords(view), play.leftWords(standing)];
}"""


def stands(leader: int | None, up: int, left: int, *, thru: int = 4, **more: Any) -> dict[str, Any]:
    """Return a standing as the server tells it."""
    rest = {"dormie": False, "over": False, "winner": None, "conceded": None}
    return {"leader": leader, "up": up, "left": left, "thru": thru, **rest, **more}


WON = {"over": True, "winner": 0}
GOLDEN = [
    (stands(None, 0, 5), ["all square", "all square", "All square", "5 holes to play"]),
    (stands(0, 2, 5), ["2 up", "2 down", "Ada is 2 up", "5 holes to play"]),
    (stands(1, 3, 4), ["3 down", "3 up", "Bob is 3 up", "4 holes to play"]),
    (stands(0, 1, 1, dormie=True), ["dormie 1", "1 down", "Ada is dormie, 1 up", "1 hole to play"]),
    (stands(None, 0, 0, thru=9), ["all square", "all square", "All square", "Sudden death"]),
    (stands(0, 3, 2, thru=7, **WON), ["3&2", "", "Ada wins 3&2", ""]),
    (stands(0, 1, 0, thru=9, **WON), ["1 up", "", "Ada wins 1 up", ""]),
    (stands(0, 2, 0, thru=9, **WON), ["2 up", "", "Ada wins 2 up", ""]),
    (stands(None, 0, 0, thru=9, over=True), ["halved", "halved", "The match is halved", ""]),
    (stands(0, 1, 0, thru=11, **WON), ["won at hole 11", "", "Ada wins at hole 11, in sudden death", ""]),
    (stands(1, 1, 4, conceded=1, **WON), ["", "conceded", "Bob concedes, Ada wins the match", ""]),
]
OTHERS = {
    "tr": ["3&2", "", "Ada 3&2 kazandı", ""],
    "hi": ["3&2", "", "Ada की 3&2 से जीत", ""],
}


async def test_golfs_own_words(stage: Stage) -> None:
    """The numbers of the server become the words of rules.md, for each seat and for everybody."""
    page = await stage.home()
    for standing, expected in GOLDEN:
        assert await page.page.evaluate(WORDS, ["en", standing, 9]) == expected
    for language, expected in OTHERS.items():
        assert await page.page.evaluate(WORDS, [language, GOLDEN[5][0], 9]) == expected
    assert not page.complaints


async def choose(page: Player) -> None:
    """Choose match play of three holes with sudden death in the form."""
    await page.at("host").click()
    assert not await page.at("option-sudden_death").is_visible()
    await page.at("option-seats").select_option("6")
    await page.at("option-format").select_option("match")
    assert await page.at("option-seats").is_disabled()
    assert await page.at("option-seats").input_value() == "2"
    await page.at("option-sudden_death").check()
    await page.at("option-holes").select_option("3")


async def both_until(ada: Player, bob: Player, condition: str) -> None:
    """Wait on both pages."""
    for page in (ada, bob):
        await page.until(condition)


async def win_hole(ada: Player, bob: Player) -> None:
    """Ada takes a card off the board, drawing until one plays, and gives up; Bob gives up at once."""
    hole = (await ada.view())["match"]["hole"]
    while (await ada.view())["seats"]["0"]["cards_left"] == 35:
        assert await ada.act()
    await ada.give_up(after=0)
    await bob.give_up(after=0)
    await both_until(ada, bob, f"view.match.card.length === {hole}")


async def test_a_match_that_ends_early(stage: Stage, report_dir: Path) -> None:
    """Two pages play match play of three holes: with two up and one to play it is over, 2&1."""
    ada, bob = await stage.home("Ada"), await stage.page("Bob")
    await choose(ada)
    assert not await look(ada, "match-form", report_dir)
    await ada.at("host-create").click()
    await ada.until("view.match.phase === 'lobby'")
    options = (await ada.view())["match"]["options"]
    assert (options["format"], options["sudden_death"], options["seats"]) == ("match", True, 2)
    assert "Match play · Sudden death" in await ada.page.locator(".summary").inner_text()
    assert await ada.at("start").is_disabled()
    await join(bob, stage.url, (await ada.view())["match"]["room"])
    for page in (bob, ada):
        await page.at("ready").click()
    await ada.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    await both_until(ada, bob, "view.match.phase === 'playing'")
    stage.house.clock.ahead_ms = 0

    assert await ada.at("stands").inner_text() == "all square · 3 holes to play"
    await win_hole(ada, bob)
    assert await ada.at("hole-result").locator("h2").first.inner_text() == "Ada wins hole 1"
    assert (await bob.at("match-stands").inner_text()).split("\n") == ["Ada is 1 up", "2 holes to play"]
    assert not await look(bob, "match-between", report_dir)
    cara = await stage.page("Cara")
    await cara.page.goto(f"{stage.url}#{(await ada.view())['match']['room']}.watch")
    assert (await cara.at("leader").inner_text()).split("\n") == ["Ada is 1 up", "2 holes to play"]
    await cara.page.locator(".next-row", has_text="starts by itself").wait_for()
    assert not await low_contrast(cara.page)
    await cara.page.screenshot(path=report_dir / "match-watched.jpg")
    for page in (ada, bob):
        await page.at("next").click()
    await both_until(ada, bob, "view.match.hole === 2 && view.match.phase === 'playing'")
    assert await bob.at("stands").inner_text() == "1 down · 2 holes to play"
    await win_hole(ada, bob)

    await both_until(ada, bob, "view.match.phase === 'ended'")
    assert await bob.at("podium").locator("h2").first.inner_text() == "Ada wins 2&1"
    steps = [(await bob.at(f"podium-{seat}").inner_text()).split("\n") for seat in (0, 1)]
    assert steps == [["1", "Ada", "2 holes won", "2&1"], ["2", "Bob", "0 holes won"]]
    assert "Ada wins 2&1" in await bob.page.locator("#log").inner_text()
    card = bob.at("podium").get_by_test_id("scorecard")
    assert await card.locator(".stood").all_inner_texts() == ["1 down", "2 down", "·"]
    assert await card.locator("td.won").count() == 2
    assert not await look(bob, "match-end", report_dir)
    await bob.speak("hi")
    await bob.at("podium").locator("h2", has_text="Ada की 2&1 से जीत").wait_for()
    assert not await look(bob, "match-end-hi", report_dir)
    assert not ada.complaints
    assert not bob.complaints
    assert not cara.complaints


async def test_sudden_death(stage: Stage, report_dir: Path) -> None:
    """A round that is level goes on hole by hole: the page says so, and its copied result tells it in golf's words."""
    page, (bob,) = await stage.playing("Bob", format="match", sudden_death=True, holes=1)
    for ended in (1, 2):
        if ended == 2:
            assert "Hole 2" in await page.page.locator("h1").inner_text()
            assert await page.at("stands").inner_text() == "all square · Sudden death"
            while (await page.view())["seats"]["1"]["cards_left"] == 35:
                assert await page.act()
        await page.give_up(after=0)
        await bob.must("give_up", hole=ended)
        await page.until(f"view.match.card.length === {ended}")
        if ended == 1:
            assert await page.at("hole-result").locator("h2").first.inner_text() == "Hole 1 is halved"
            assert (await page.at("match-stands").inner_text()).split("\n") == ["All square", "Sudden death"]
            await page.page.screenshot(path=report_dir / "match-sudden-death.jpg")
            await bob.must("next", hole=1)
            await page.at("next").click()
            await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    await page.at("podium").wait_for()
    assert await page.at("podium").locator("h2").first.inner_text() == "Ada wins at hole 2, in sudden death"
    assert (await page.at("result-text").text_content() or "").split("\n") == [
        "Fairway · 2 holes · Golf · Easy · Match play",
        "Ada wins at hole 2, in sudden death",
        "Ada: 1 hole won",
        "⬜🟩",
        "Bob: 0 holes won",
        "⬜🟧",
        "The better score wins a hole: lower wins. Points stand small beside it.",
    ]
    assert not page.complaints


async def test_a_round_of_eighteen_holes(stage: Stage, report_dir: Path) -> None:
    """The record of eighteen holes that ended early: two nines on the card with their sums, the standing at each step."""
    made = fresh("early")
    page = await opened(stage, made)
    await page.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    assert await page.at("match-result").inner_text() == "Ada wins 9&7"
    card = page.at("scorecard")
    sums = await card.locator(".nine td .lead-score").all_inner_texts()
    nines = [row["nines"][nine][made["options"]["scoring"]] for nine in (0, 1) for row in made["seats"]]
    assert [int(text) for text in sums] == nines
    stood = await card.locator(".stood").all_inner_texts()
    assert stood[:3] == ["Ada 1 up", "Ada 1 up", "Ada 2 up"]
    assert stood[10:12] == ["Ada 9 up", "·"]
    assert len(stood) == 18
    await page.page.keyboard.press("End")
    assert await page.at("replay-stands").all_inner_texts() == ["9 up", "9 down"]
    assert "Ada wins hole 11" in await page.at("replay-line").inner_text()
    assert not await look(page, "card-eighteen", report_dir)
    assert not page.complaints
