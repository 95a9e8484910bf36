"""Courses in the browser: a friend's round is beaten beside its ghost; the day; an event from its form to its file."""

import re

import pytest
from playwright.async_api import expect

from server.match.course import BEAT_MS
from tests.browser.course_scenes import ended_alone, rounds
from tests.browser.pages import Player
from tests.browser.stage import Stage
from tests.runtime.test_courses import CARD

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


# The colours of all words that are printed, links left out.
INKS = """() => [...new Set([...document.querySelectorAll("main :is(h1, h2, p, th, td, span)")]
  .filter((one) => one.checkVisibility()).map((one) => getComputedStyle(one).color))]"""


def shown_of_ghosts(page: Player) -> list[set[str]]:
    """Return the cards that each frame of ghosts named."""
    return [set(CARD.findall(str(frame).replace("'", '"'))) for frame in page.frames if frame["t"] == "ghosts"]


async def test_beat_my_round(stage: Stage) -> None:
    """One plays alone and shares the podium's link; another plays beside the ghost; both stand in the table."""
    one = await stage.home("Ada")
    await one.at("host").click()
    await one.at("option-holes").select_option("1")
    await one.at("option-seats").select_option("1")
    await one.at("host-create").click()
    await one.until("view.match.phase === 'playing'")
    await one.give_up(after=9)
    await one.at("beat-link").click()
    await one.at("course-row").wait_for()
    assert "Ada" in await one.at("course-title").inner_text()
    link = await one.at("link").inner_text()
    assert "#course=" in link

    two = await stage.page("Bob")
    await two.page.goto(link)
    await two.at("name").fill("Bob")
    await two.at("course-play").click()
    await two.until("view.match.phase === 'playing' && view.seats[100]")
    view = await two.view()
    assert (view["seats"]["100"]["name"], view["seats"]["100"]["ghost"]) == ("Ada", True)
    assert await two.at("rival-100").get_by_role("img", name="ghost", exact=True).count() == 1
    assert view["match"]["code"] is None
    dealt = {card for name, pile in view["boards"]["0"].items() if name != "stock" for card in pile}
    assert all(cards <= dealt for cards in shown_of_ghosts(two))
    stage.house.pass_time(120_000)  # the ghost's clock has run out, mine too has been running
    await two.until("view.seats[100]?.ended")
    stage.house.clock.ahead_ms = 0
    await two.give_up(after=3)
    await two.at("podium").wait_for()
    assert not await two.at("record-link").count()
    assert not await two.at("rematch").count()
    mine = (await two.view())["seats"]["0"]["totals"]
    await two.at("course-link").click()
    await expect(two.at("course-row")).to_have_count(2, timeout=20_000)
    await two.at("course-mine").wait_for()
    table = {row["name"]: row for row in [f for f in two.frames if f["t"] == "course"][-1]["table"]["rows"]}
    assert table["Bob"]["totals"].items() <= mine.items()
    assert table["Ada"]["to_beat"]
    better = min(table.values(), key=lambda row: row["totals"]["traditional"])["totals"]["traditional"]
    for name, row in table.items():
        assert (row["place"] == 1) == (row["totals"]["traditional"] == better), name
        line = two.at("course-row").filter(has_text=name)
        assert await line.get_attribute("data-place") == str(row["place"])
        assert await line.locator(".sum .lead-score").inner_text() == str(row["totals"]["traditional"])
    assert not await two.at("course-play").count()
    await one.page.reload()
    await expect(one.at("course-row")).to_have_count(2)
    # Once the course is over its codes are shown, and each row leads to a record that holds.
    assert not await one.at("course-codes").count()
    assert not await one.at("course-best").count()
    stage.house.pass_time(BEAT_MS)
    await one.page.reload()
    # So is what the deal allowed, and how far above it each round is.
    await expect(one.at("course-best").locator("td").last).to_have_text(re.compile(r"^−?\d+$"), timeout=40_000)
    (best,) = [f for f in one.frames if f["t"] == "course"][-1]["course"]["best"]
    for name, row in table.items():
        over = row["totals"]["traditional"] - best
        assert over >= 0
        line = one.at("course-row").filter(has_text=name)
        await expect(line.get_by_test_id("over-best")).to_have_text(f"+{over}" if over else "0")
    await one.page.locator("details", has=one.at("course-codes")).locator("summary").click()
    assert "GO2-E-" in await one.at("course-codes").inner_text()
    await one.at("course-record").filter(has_text="Bob").click()
    await one.page.locator('[data-testid=verified][data-state="open"]').wait_for()
    stage.house.clock.ahead_ms = 0
    assert not one.complaints + two.complaints


async def test_the_day_and_its_round_again(stage: Stage) -> None:
    """The course of the day is on the first page; a round left in the middle is gone on with from the course's page."""
    page = await stage.home("Ada")
    await page.at("day-link").click()
    await page.at("course-play").click()
    await page.until("view.match.phase === 'playing' && view.match.options.holes === 9")
    await page.act()
    match = (await page.view())["match"]["id"]
    await page.page.goto(f"{stage.url}#day")
    await expect(page.at("course-play")).to_have_text("Go on with your round")
    await page.at("course-play").click()
    await page.until("view.match.phase === 'playing' && view.you.move_count === 1")
    assert (await page.view())["match"]["id"] == match
    await page.page.goto(f"{stage.url}#days")
    await page.at("days").wait_for()
    assert not page.complaints


async def test_a_club_event(stage: Stage) -> None:
    """An event is made in the form, its wrong roster named; names are chosen; its table is a file, formulas disarmed."""
    page = await stage.home("Olga")
    await page.at("club-link").click()
    await page.at("club-title").fill("Cup")
    await page.at("option-holes").select_option("1")
    await page.at("club-roster").fill('Ada\nada\n=1+1\nBob "B"')
    await page.at("club-create").click()
    await page.at("error").filter(has_text="Line 2").wait_for()
    await page.at("club-roster").fill('Ada\n\n=1+1\nBob "B"')
    await page.at("club-create").click()
    await page.at("club-edit").wait_for()
    assert "#club=" in page.page.url
    course = (await page.at("link").inner_text()).split("#course=")[1]
    await rounds(stage, course, "=1+1", 'Bob "B"')
    player = await stage.page("Ada")
    await player.page.goto(f"{stage.url}#course={course}")
    await player.at("course-play").click()
    await player.at("error").wait_for()  # no name chosen yet
    assert await player.at("roster").locator("option").all_inner_texts() == ["Choose your name", "Ada"]
    assert not await player.at("club-edit").count()
    await player.at("roster").select_option("Ada")
    await player.at("course-play").click()
    await player.until("view.seats[0].name === 'Ada' && view.match.phase === 'playing'")
    await page.page.reload()
    await expect(page.at("course-row")).to_have_count(2)
    await page.at("club-title").fill("Spring cup")
    await page.at("club-save").click()
    await expect(page.at("course-title")).to_have_text("Spring cup")
    async with page.page.expect_download() as download:
        await page.at("csv").click()
    lines = (await (await download.value).path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == '"Place","Player","Hole 1","Traditional score","Points","To par"'
    assert len(lines) == 3
    names = {line.split(",", 1)[1].rsplit(",", 4)[0] for line in lines[1:]}
    assert names == {'"\'=1+1"', '"Bob ""B"""'}
    await page.page.emulate_media(media="print", color_scheme="dark")
    assert await page.at("course-table").is_visible()
    assert not await page.at("csv").is_visible()
    assert not await page.at("club-edit").is_visible()
    # Paper is white in the dark theme, too: what stands on it is dark.
    assert await page.page.locator("html").get_attribute("data-theme") == "dark"
    inks = await page.page.evaluate(INKS)
    assert inks
    assert all(max(map(int, re.findall(r"\d+", ink)[:3])) < 128 for ink in inks), inks
    assert not page.complaints + player.complaints


async def test_links_that_lead_nowhere(stage: Stage) -> None:
    """A course, a match or a seat that isn't there: the page says so, and home is a press away."""
    page = await stage.page()
    for link, code in ((f"course={'a' * 26}", "no_course"), (f"beat={'a' * 26}.0", "no_such_match")):
        await page.page.goto(f"{stage.url}#{link}")
        await page.page.locator(f'[data-testid=course-fault][data-code="{code}"]').wait_for()
    bot = await ended_alone(stage, "Bob", holes=1)
    await page.page.goto(f"{stage.url}#beat={bot.match_id}.3")
    await page.page.locator('[data-testid=course-fault][data-code="no_such_seat"]').wait_for()
    await page.at("home").click()
    await page.at("play-alone").wait_for()
