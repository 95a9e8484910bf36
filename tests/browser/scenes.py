"""Pages of the client that nothing else leads to, each as a scene: a function that brings one page there and hands it
back. All others are met on a walk.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from playwright.async_api import WebSocketRoute

from tests.browser.course_scenes import club, course
from tests.browser.pages import Player
from tests.browser.record_scenes import NAMES, replay_alone
from tests.browser.stage import COUNTDOWN_MS, Stage

# With all of its stock drawn and nothing played, nothing plays.
NOTHING_PLAYS_AT_THE_END = "GO2-E-AAAAABI"
DEALS = [f"GO2-E-AAAAAA{letter}" for letter in "QBCDEFGHI"]


async def invited(stage: Stage) -> Player:
    """The first page for who followed a link."""
    host = await (await stage.bot("Bob")).host()
    page = await stage.page()
    await page.page.goto(f"{stage.url}#{host.room}")
    await page.at("invited-join").wait_for()
    return page


async def alone(stage: Stage) -> Player:
    """A game alone, its code in the bar."""
    page = await stage.home()
    await page.at("play-alone").click()
    await page.at("bar-code").wait_for()
    return page


async def played_on(stage: Stage, *names: str, holes: int, **options: Any) -> Player:
    """Play so many holes of nine, and some moves of the next."""
    page, bots = await stage.playing(*names, deals=DEALS, **options)
    for hole in range(1, holes + 1):
        for bot in bots:
            await bot.until_phase("playing")
            await stage.finish(bot)
        await page.give_up(after=10)
        await page.until("view.match.phase === 'between'")
        for bot in bots:
            await bot.until_phase("between")
            await bot.must("next", hole=hole)
        await page.at("next").click()
        await page.until(f"view.match.hole === {hole + 1} && view.match.phase === 'playing'")
    for number, bot in enumerate(bots):
        await bot.until(lambda bot=bot: bot.match["hole"] == holes + 1)
        await stage.moves(bot, 9 + 7 * number)
    for _ in range(12):
        await page.act()
    return page


async def rivals(stage: Stage) -> Player:
    """A table with three rivals."""
    return await played_on(stage, *NAMES[:3], holes=1)


async def crowd(stage: Stage) -> Player:
    """A table with seven rivals."""
    page, bots = await stage.playing(*NAMES[:7], deals=DEALS)
    for number, bot in enumerate(bots):
        await stage.moves(bot, 5 * number)
    for _ in range(8):
        await page.act()
    return page


async def stuck(stage: Stage) -> Player:
    """No moves left, but undo and done."""
    page, _ = await stage.playing("Bob", undo="all", deals=[NOTHING_PLAYS_AT_THE_END])
    for count in range(16):
        await page.page.keyboard.press("Space")
        await page.until(f"view.you.move_count === {count + 1}")
    await page.at("stuck").wait_for()
    return page


async def watching(stage: Stage, count: int) -> Player:
    """The boards of so many seats, the second hole under way."""
    first, *others = [await stage.bot(name) for name in NAMES[:count]]
    await first.host(seats=count, deals=DEALS)
    for other in others:
        await other.join(first.room)
    bots = [first, *others]
    for bot in bots:
        await bot.must("ready", ready=True)
    await first.until_phase("countdown")
    stage.house.pass_time(COUNTDOWN_MS)
    await first.until_phase("playing")
    stage.house.clock.ahead_ms = 0
    for bot in bots:
        await bot.until_phase("playing")
        await stage.finish(bot, give_up=0.02)
    for bot in bots:
        await bot.until_phase("between")
        await bot.must("next", hole=1)
    for number, bot in enumerate(bots):
        await bot.until_phase("playing")
        await stage.moves(bot, 4 + 6 * number)
    page = await stage.page("Eve")
    await page.page.goto(f"{stage.url}#{first.room}.watch")
    await page.at("spectate-board-0").wait_for()
    return page


async def watch_two(stage: Stage) -> Player:
    """A spectator of two."""
    return await watching(stage, 2)


async def watch_four(stage: Stage) -> Player:
    """A spectator of four."""
    return await watching(stage, 4)


async def watch_eight(stage: Stage) -> Player:
    """A spectator of eight."""
    return await watching(stage, 8)


async def banner(stage: Stage) -> Player:
    """The server says that it can't store moves just now."""
    page = await stage.page()

    async def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def answer(message: str | bytes) -> None:
            route.send(message)
            if '"snapshot"' in str(message):
                route.send(json.dumps({"t": "status", "state": "engine_away"}))

        server.on_message(answer)

    await page.page.route_web_socket("**/ws", through)
    await stage.playing("Bob", page=page)
    await page.at("banner").wait_for()
    return page


async def play_here(stage: Stage) -> Player:
    """The seat was taken over by a second page."""
    page, _ = await stage.playing("Bob")
    second = await stage.page(beside=page)
    await second.page.goto(page.page.url)
    await page.at("play-here").wait_for()
    return page


Scene = Callable[[Stage], Awaitable[Player]]
SCENES: Mapping[str, Scene] = {
    scene.__name__: scene
    for scene in (
        invited,
        alone,
        rivals,
        crowd,
        stuck,
        replay_alone,
        watch_two,
        watch_four,
        watch_eight,
        banner,
        play_here,
        course,
        club,
    )
}
