"""Match play between two browsers: chosen in the form, told in golf's words, ended early, kept and shown again."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.pages import PHONE, Player, join
from tests.browser.stage import COUNTDOWN_MS, Stage
from tests.browser.test_layouts import look

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
    """Choose match play of eighteen holes with sudden death in the form."""
    await page.at("host").click()
    assert not await page.at("option-sudden_death").is_visible()
    await page.at("option-seats").select_option("6")
    await page.at("option-format").select_option("match")
    assert await page.at("option-seats").is_disabled()
    assert await page.at("option-seats").input_value() == "2"
    await page.at("option-sudden_death").check()
    await page.at("option-holes").select_option("18")


async def give_up_ahead(page: Player) -> None:
    """Take a card off the board, drawing until one plays, and give the hole up."""
    while (await page.view())["seats"]["0"]["cards_left"] == 35:
        assert await page.act()
    await page.give_up(after=0)


async def play(stage: Stage, ada: Player, bob: Player) -> None:
    """Ada plays a little and gives up, Bob gives up at once, hole after hole until the match is over."""
    while (match := (await ada.view())["match"])["phase"] != "ended":
        hole = match["hole"]
        await give_up_ahead(ada)
        await bob.give_up(after=0)
        for page in (ada, bob):
            await page.until(f"view.match.card.length === {hole}")
        if (await ada.view())["match"]["phase"] == "ended":
            return
        for page in (ada, bob):
            await page.at("next").click()
        for page in (ada, bob):
            await page.until(f"view.match.hole === {hole + 1} && view.match.phase === 'playing'")


async def test_a_match_that_ends_early(stage: Stage, report_dir: Path) -> None:
    """Two pages play eighteen holes of match play; it is over when the lead is more than the holes left."""
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
    for page in (ada, bob):
        await page.until("view.match.phase === 'playing'")
    stage.house.clock.ahead_ms = 0

    assert await ada.at("stands").inner_text() == "all square · 18 holes to play"
    await give_up_ahead(ada)
    await bob.give_up(after=0)
    for page in (ada, bob):
        await page.until("view.match.phase === 'between'")
    assert await ada.at("hole-result").locator("h2").first.inner_text() == "Ada wins hole 1"
    assert (await bob.at("match-stands").inner_text()).split("\n") == ["Ada is 1 up", "17 holes to play"]
    assert not await look(bob, "match-between", report_dir)
    for page in (ada, bob):
        await page.at("next").click()
    for page in (ada, bob):
        await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    assert await bob.at("stands").inner_text() == "1 down · 17 holes to play"
    await bob.at("open-scorecard").click()
    await bob.page.set_viewport_size(PHONE)
    await bob.page.screenshot(path=report_dir / "match-card-phone.png")
    await bob.page.keyboard.press("Escape")
    await play(stage, ada, bob)

    view = await ada.view()
    standing = view["match"]["standing"]
    assert standing["winner"] == 0
    assert standing["up"] > standing["left"] > 0
    assert len(view["match"]["card"]) < 18
    result = f"{standing['up']}&{standing['left']}"
    assert await bob.at("podium").locator("h2").first.inner_text() == f"Ada wins {result}"
    steps = [(await bob.at(f"podium-{seat}").inner_text()).split("\n") for seat in (0, 1)]
    assert steps == [["1", "Ada", f"{standing['up']} holes won", result], ["2", "Bob", "0 holes won"]]
    assert f"Ada wins {result}" in await bob.page.locator("#log").inner_text()
    card = bob.at("podium").get_by_test_id("scorecard")
    sums = await card.locator(".nine td .lead-score").all_inner_texts()
    nines = [view["seats"][seat]["nines"][nine]["traditional"] for nine in (0, 1) for seat in ("0", "1")]
    assert [int(text.replace("\u2212", "-")) for text in sums] == nines
    stood = await card.locator(".stood").all_inner_texts()
    played = len(view["match"]["card"])
    assert stood == [f"{hole} down" for hole in range(1, played + 1)] + ["·"] * (18 - played)
    assert await card.locator("td.won").count() == played
    assert not await look(bob, "match-end", report_dir)
    await bob.at("settings").click()
    await bob.at("set-lang").select_option("hi")
    await bob.at("close").click()
    await bob.at("podium").locator("h2", has_text=f"Ada की {result} से जीत").wait_for()
    assert not await look(bob, "match-end-hi", report_dir)

    await ada.at("record-link").click()
    await ada.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    await ada.page.keyboard.press("End")
    assert await ada.at("replay-stands").first.inner_text() == f"{standing['up']} up"
    await ada.page.screenshot(path=report_dir / "match-record.png")
    assert not ada.complaints
    assert not bob.complaints
