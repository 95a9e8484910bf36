"""The things that people come to do, each done through the page: how many taps it takes, and how long.

docs/tasks.md names the same tasks with the same taps; the seconds of this run stand in test-report/tasks.md.
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.browser.course_scenes import beaten
from tests.browser.pages import PHONE, Player
from tests.browser.stage import COUNTDOWN_MS, Stage
from tests.browser.tally import Tally

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
DEAL = "GO2-E-AAAAAAQ"
STUCK = "GO2-E-AAAAABI"
TASKS: dict[str, Callable[[Stage], Awaitable[Tally]]] = {}


def task(words: str) -> Callable[[Callable[[Stage], Awaitable[Tally]]], Callable[[Stage], Awaitable[Tally]]]:
    """Enter a task under its name."""

    def entered(does: Callable[[Stage], Awaitable[Tally]]) -> Callable[[Stage], Awaitable[Tally]]:
        TASKS[words] = does
        return does

    return entered


async def newcomer(stage: Stage, path: str = "", **options: object) -> Tally:
    """Open a page for somebody who was never here, on a phone, and begin to count as it is asked for."""
    page = await stage.page(viewport=PHONE, has_touch=True, is_mobile=True, **options)
    tally = Tally(page)
    await page.page.goto(f"{stage.url}{path}")
    return tally


async def regular(stage: Stage, path: str = "") -> Tally:
    """Open the first page for somebody whose name is known here."""
    tally = await newcomer(stage)
    await tally.at("name").fill("Ada")
    if path:
        await tally.page.page.goto(f"{stage.url}{path}")
    tally.again()
    return tally


async def at_the_table(stage: Stage, **options: object) -> Tally:
    """Sit at a table with a bot, on a phone."""
    page = await stage.page(viewport=PHONE, has_touch=True, is_mobile=True)
    await stage.playing("Bob", page=page, **{"deals": [DEAL, STUCK], **options})
    return Tally(page)


async def copied(tally: Tally) -> None:
    """Wait until the room's link is in the clipboard, or at least selected where there is none."""
    await tally.at("copy-link").filter(has_text=re.compile("Copied|copy it")).wait_for()
    assert await tally.at("link").inner_text() == tally.page.page.url


@task("Make a first move alone")
async def first_move(stage: Stage) -> Tally:
    """From the address to a card on the waste."""
    tally = await newcomer(stage)
    await tally.tap("play-alone")
    await tally.tap("stock")
    await tally.page.until("view.you.move_count === 1")
    return tally


@task("Play alone under another rule")
async def another_rule(stage: Stage) -> Tally:
    """From the first page to a board under Strict."""
    tally = await newcomer(stage)
    await tally.tap("alone-rule-strict")
    await tally.tap("play-alone")
    await tally.page.until("view.match.options.rule === 'strict' && view.match.phase === 'playing'")
    return tally


@task("Play at once against house players")
async def play_now(stage: Stage) -> Tally:
    """From the address to a board beside two bots, but for the three seconds that are counted down."""
    tally = await newcomer(stage)
    await tally.tap("play-now")
    await tally.page.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    await tally.page.until("view.match.phase === 'playing'", timeout_ms=20_000)
    stage.house.clock.ahead_ms = 0
    return tally


@task("Find strangers to play with")
async def quick_match(stage: Stage) -> Tally:
    """From the address to a table with somebody who was looking, too."""
    waiters = stage.house.hub.waiters
    patience_ms, waiters.patience_ms = waiters.patience_ms, 0
    bob = await stage.bot("Bob")
    await bob.say(t="quick", name="Bob", token=bob.token, browser="cd" * 16)
    tally = await newcomer(stage)
    await tally.write("name", "Ada")
    await tally.tap("quick")
    await tally.page.until("view.match.quick && view.you.seat !== null", timeout_ms=20_000)
    waiters.patience_ms = patience_ms
    return tally


@task("Beat a friend's round")
async def beat_round(stage: Stage) -> Tally:
    """From the friend's link to a board beside the friend's ghost."""
    course = await beaten(stage, holes=1)
    tally = await newcomer(stage, f"#course={course}")
    await tally.write("name", "Ada")
    await tally.tap("course-play")
    await tally.page.until("view.match.phase === 'playing' && view.seats[100]?.ghost", timeout_ms=20_000)
    return tally


@task("Host a room and send its link")
async def invite(stage: Stage) -> Tally:
    """From the first page to a link in the clipboard."""
    tally = await newcomer(stage)
    await tally.write("name", "Ada")
    await tally.tap("host-now")
    await copied(tally)
    return tally


@task("Host a certain deal and send the link")
async def invite_to_a_deal(stage: Stage) -> Tally:
    """From a code in the clipboard to a link in it."""
    tally = await regular(stage)
    await tally.write("deal", DEAL)
    await tally.tap("deal-host")
    await copied(tally)
    await tally.page.until("view.match.open_deal")
    return tally


@task("Join by a link")
async def join_by_link(stage: Stage) -> Tally:
    """From a link to a seat."""
    bob = await (await stage.bot("Bob")).host(seats=2)
    tally = await newcomer(stage, f"#{bob.room}")
    await tally.write("name", "Ada")
    await tally.tap("invited-join")
    await tally.page.until("view.you.seat === 1")
    return tally


@task("Join by a code on a phone")
async def join_by_code(stage: Stage) -> Tally:
    """From eight letters read aloud to a seat."""
    bob = await (await stage.bot("Bob")).host(seats=2)
    tally = await newcomer(stage)
    await tally.write("name", "Ada")
    await tally.write("join-code", bob.room.lower())
    await tally.tap("join")
    await tally.page.until("view.you.seat === 1")
    return tally


@task("Watch a match by its code")
async def watch_by_code(stage: Stage) -> Tally:
    """From eight letters to the leader's name."""
    bob = await (await stage.bot("Bob")).host(seats=1, holes=2)
    await bob.until_phase("playing")
    tally = await newcomer(stage)
    await tally.write("join-code", bob.room)
    await tally.tap("watch")
    await tally.at("leader").wait_for()
    return tally


@task("Change the rule of a room")
async def change_rule(stage: Stage) -> Tally:
    """In a room that waits, from Easy to Classic."""
    tally = await regular(stage)
    await tally.at("host").click()
    await tally.at("host-create").click()
    await tally.at("change-options").wait_for()
    tally.again()
    await tally.tap("room-rule-classic")
    await tally.page.until("view.match.options.rule === 'classic'")
    return tally


@task("Find out why a move was refused")
async def why_refused(stage: Stage) -> Tally:
    """From a card that does not play to the words."""
    tally = await at_the_table(stage)
    tally.again()
    await tally.tap(tally.page.page.locator('[data-pile="column.1"]:not(.covered)[data-card]'))
    await tally.at("refusal").filter(has_text="Must be one rank").wait_for()
    return tally


@task("Give a hole up and go on to the next")
async def give_up(stage: Stage) -> Tally:
    """Alone, from a board that went wrong to a fresh one."""
    tally = await newcomer(stage)
    await tally.at("play-alone").click()
    await tally.page.until("view.match.phase === 'playing'")
    tally.again()
    await tally.tap("give-up")
    await tally.tap("confirm")
    await tally.tap("next")
    await tally.page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    return tally


@task("See a rival's board")
async def see_rival(stage: Stage) -> Tally:
    """On a phone, where rivals are a line each."""
    tally = await at_the_table(stage)
    tally.again()
    await tally.tap(tally.at("rival-0").locator(".rival-head"))
    await tally.page.page.locator("dialog .mini").wait_for()
    return tally


@task("Change the language during a match")
async def change_language(stage: Stage) -> Tally:
    """And play on."""
    tally = await at_the_table(stage)
    tally.again()
    await tally.tap("settings")
    await tally.tap(tally.page.page.locator("label", has_text="Türkçe"))
    await tally.page.page.wait_for_function("() => document.documentElement.lang === 'tr'")
    await tally.page.page.locator("dialog").wait_for(state="detached")
    return tally


@task("Read the rules during a match")
async def read_rules(stage: Stage) -> Tally:
    """Up to the pictures of what plays."""
    tally = await at_the_table(stage)
    tally.again()
    await tally.tap("settings")
    await tally.tap("open-rules")
    await tally.at("rules-play").wait_for()
    return tally


@task("Go on after the phone slept")
async def wake_up(stage: Stage) -> Tally:
    """The line is back: the board is there, and a move counts."""
    tally = await at_the_table(stage)
    await tally.page.context.set_offline(True)
    await tally.page.page.evaluate("() => dispatchEvent(new Event('offline'))")
    await tally.page.context.set_offline(False)
    tally.again()
    await tally.page.page.evaluate("() => dispatchEvent(new Event('online'))")
    assert await tally.page.act()
    return tally


@task("Come back to a match from the first page")
async def come_back(stage: Stage) -> Tally:
    """Somebody closed the page in the middle of a hole and opens the address again."""
    tally = await at_the_table(stage)
    await tally.page.page.goto("about:blank")
    await tally.page.page.goto(stage.url)
    tally.again()
    await tally.tap("seat-back")
    await tally.page.until("view.you.seat === 1 && view.match.phase === 'playing'")
    return tally


async def ended(stage: Stage) -> Player:
    """Play a short match to its end."""
    tally = await at_the_table(stage, deals=[DEAL])
    await stage.bots[0].must("give_up", hole=1)
    await tally.page.give_up(after=2)
    await tally.at("podium").wait_for()
    return tally.page


@task("Play once more with the same people")
async def once_more(stage: Stage) -> Tally:
    """From the end of a match to a room with them."""
    tally = Tally(await ended(stage))
    tally.again()
    await tally.tap("rematch")
    await tally.page.until("view.match.phase === 'lobby'")
    return tally


@task("Watch a match again that I played")
async def watch_again(stage: Stage) -> Tally:
    """From the first page to a move of the replay."""
    page = await ended(stage)
    await page.page.goto("about:blank")
    await page.page.goto(stage.url)
    tally = Tally(page)
    await tally.at("played-link").first.wait_for()
    tally.again()
    await tally.tap(tally.at("played-link").first)
    # The clock of these tests was put back after the start: all steps have one time, and the last of them shows.
    await tally.tap("step-back")
    await tally.at("replay-line").filter(has_text=re.compile("Drawn|played|gave up")).wait_for()
    return tally


def documented() -> dict[str, int]:
    """Return the taps that docs/tasks.md names, by task."""
    text = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")
    return {name: int(taps) for name, taps in re.findall(r"^\| ([A-Z][^|]+?) \| (\d+) \|", text, re.MULTILINE)}


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("words", TASKS)
async def test_task(stage: Stage, words: str, report_dir: Path) -> None:
    """A task takes as many taps as the documentation says; its seconds go into the report."""
    tally = await TASKS[words](stage)
    with (report_dir / "tasks.md").open("a", encoding="utf-8") as report:
        report.write(f"| {words} | {tally.taps} | {tally.seconds:.2f} |\n")
    assert tally.taps == documented()[words]
    assert not tally.page.complaints


def test_all_tasks_are_documented() -> None:
    """The documentation names these tasks and no other."""
    assert documented().keys() == TASKS.keys()
    assert len(TASKS) == 20
