"""Scenes of courses: their page before and after a round, a round beside ghosts, and a club's event."""

import time
from typing import Any

from tests.browser.pages import Player
from tests.browser.record_scenes import LONG_NAME, NAMES
from tests.browser.stage import Stage
from tests.runtime.bots import Bot

HOUR_MS = 3_600_000


async def ended_alone(stage: Stage, name: str, holes: int = 3, **options: Any) -> Bot:
    """Let a bot play a match of one to its end."""
    bot = await stage.bot(name)
    await bot.host(**{"seats": 1, "holes": holes, "undo": "plays", "hole_seconds": 0, **options})
    await bot.until_phase("playing")
    await bot.play()
    return bot


async def rounds(stage: Stage, course: str, *names: str) -> None:
    """Let bots play their rounds of a course."""
    for name in names:
        bot = await stage.bot(name)
        await bot._come_in(t="play_course", course=course, name=name, token=bot.token)
        await bot.until_phase("playing")
        await bot.play(give_up=0.02)


async def course_of(bot: Bot, **message: Any) -> str:
    """Have a course made; return its id."""
    await bot.say(**message)
    while (frame := await bot.hear())["t"] != "course":
        assert frame["t"] != "error", frame
    return str(frame["course"]["id"])


async def beaten(stage: Stage, *others: str, holes: int = 3) -> str:
    """Make a course of a bot's round, which others have played; return its id."""
    ada = await ended_alone(stage, LONG_NAME, holes)
    course = await course_of(ada, t="beat", match=ada.match_id, seat=0)
    await rounds(stage, course, *others)
    return course


async def course(stage: Stage) -> Player:
    """A course of nine holes with a table, before one's own round."""
    link = await beaten(stage, *NAMES[:3], holes=9)
    page = await stage.page()
    await page.page.goto(f"{stage.url}#course={link}")
    await page.at("course-row").nth(3).wait_for()
    await page.at("name").fill("Ada")
    return page


async def course_empty(stage: Stage) -> Player:
    """The course of the day, which nobody has finished."""
    page = await stage.page()
    await page.page.goto(f"{stage.url}#day")
    await page.at("course-play").wait_for()
    return page


async def course_round(stage: Stage) -> Player:
    """A round beside two ghosts, after a draw of one's own."""
    link = await beaten(stage, "Bob")
    page = await stage.page()
    await page.page.goto(f"{stage.url}#course={link}")
    await page.at("name").fill("Ada")
    await page.at("course-play").click()
    await page.until("view.match.phase === 'playing' && view.seats[101]")
    await page.at("stock").click()
    await page.until("view.seats[0].stock === 15")
    return page


async def course_between(stage: Stage) -> Player:
    """Between two holes of a round, the ghosts' results beside one's own."""
    page = await course_round(stage)
    await page.give_up(after=6)
    await page.at("hole-result").wait_for()
    await page.until("view.match.card[0]?.scores[101]")
    return page


async def course_played(stage: Stage) -> Player:
    """The course's page after one's own round."""
    page = await course_round(stage)
    for hole in (1, 2, 3):
        await page.give_up(after=4)
        if hole < 3:
            await page.at("next").click()
            await page.until(f"view.match.hole === {hole + 1} && view.match.phase === 'playing'")
    await page.at("course-link").click()
    await page.at("course-mine").wait_for()
    return page


async def club_form(stage: Stage) -> Player:
    """The form for a club event."""
    page = await stage.page()
    await page.page.goto(f"{stage.url}#club")
    await page.at("club-title").fill("Spring cup")
    return page


async def club(stage: Stage) -> Player:
    """A club event as its organiser sees it."""
    olga = await stage.bot("Olga")
    token = f"{time.monotonic_ns():032x}"
    closes = stage.house.clock.now_ms() + HOUR_MS
    event = {"title": "Spring cup of the northern clubs", "options": {"holes": 3}, "roster": list(NAMES)}
    link = await course_of(olga, t="club", token=token, closes_at=closes, **event)
    await rounds(stage, link, "Bob", "Cara")
    page = await stage.page()
    await page.page.goto(f"{stage.url}#club={link}.{token}")
    await page.at("club-waiting").wait_for()
    await page.at("course-row").nth(1).wait_for()
    return page
