"""Every page of the client as a scene: a function that brings one page there and hands it back."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from playwright.async_api import WebSocketRoute

from tests.browser.course_scenes import club, course, course_between
from tests.browser.pages import Player
from tests.browser.record_scenes import LONG_NAME, NAMES, played, podium, record_fault, replay, replay_alone
from tests.browser.stage import COUNTDOWN_MS, Stage

# With all of its stock drawn and nothing played, nothing plays.
NOTHING_PLAYS_AT_THE_END = "GO2-E-AAAAABI"
DEALS = [f"GO2-E-AAAAAA{letter}" for letter in "QBCDEFGHI"]


async def home(stage: Stage) -> Player:
    """The first page, with a public room listed."""
    await (await stage.bot(LONG_NAME)).host(visibility="public", seats=4)
    page = await stage.home()
    await page.page.get_by_role("button", name=f"Join {LONG_NAME}").first.wait_for()
    return page


async def host_form(stage: Stage) -> Player:
    """The form for a room."""
    page = await stage.home()
    await page.at("host").click()
    return page


async def home_error(stage: Stage) -> Player:
    """The first page after a refused deal code."""
    page = await stage.home()
    await page.at("deal").fill("GO1-E-ZZZZZZZ")
    await page.at("deal-alone").click()
    await page.at("error").wait_for()
    return page


async def invited(stage: Stage) -> Player:
    """The first page for who followed a link."""
    host = await (await stage.bot("Bob")).host()
    page = await stage.page()
    await page.page.goto(f"{stage.url}#{host.room}")
    await page.at("invited-join").wait_for()
    return page


async def room(stage: Stage) -> Player:
    """A room as its host sees it: three are here, one is ready."""
    page = await stage.home()
    await page.at("host").click()
    await page.at("host-create").click()
    await page.until("view.match.phase === 'lobby'")
    code = (await page.view())["match"]["room"]
    for name in NAMES[:2]:
        await (await stage.bot(name)).join(code)
    await stage.bots[0].must("ready", ready=True)
    await page.until("Object.keys(view.seats).length === 3")
    return page


async def countdown(stage: Stage) -> Player:
    """Three, two, one."""
    page, bots = await stage.seated("Bob")
    await bots[0].must("ready", ready=True)
    await page.at("ready").click()
    await page.at("countdown").wait_for()
    return page


async def board(stage: Stage) -> Player:
    """The table at the start of the first of nine holes."""
    return (await stage.playing("Bob"))[0]


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


async def midway(stage: Stage) -> Player:
    """The second of nine holes with one rival, figures in all places."""
    return await played_on(stage, "Bob", holes=1)


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


async def rival_window(stage: Stage) -> Player:
    """A rival's board in its window."""
    page, bots = await stage.playing(*NAMES[:2], deals=DEALS)
    await stage.moves(bots[1], 16)
    await page.act()
    await page.at("rival-1").locator(".rival-head").click()
    return page


async def refusal(stage: Stage) -> Player:
    """A covered card was tapped."""
    page, bots = await stage.playing("Bob")
    await stage.moves(bots[0], 8)
    for _ in range(8):
        await page.act()
    view = await page.view()
    card = next(pile[0] for name, pile in view["boards"]["1"].items() if "column" in name and len(pile) > 2)
    await page.page.locator(f'[data-card="{card}"]').click(position={"x": 12, "y": 8})
    await page.at("refusal").wait_for()
    return page


async def stuck(stage: Stage) -> Player:
    """No moves left, but undo and done."""
    page, _ = await stage.playing("Bob", undo="all", deals=[NOTHING_PLAYS_AT_THE_END])
    for count in range(16):
        await page.page.keyboard.press("Space")
        await page.until(f"view.you.move_count === {count + 1}")
    await page.at("stuck").wait_for()
    return page


async def waiting(stage: Stage) -> Player:
    """The own hole is over, the rival still plays."""
    page, bots = await stage.playing("Bob", deals=DEALS)
    await stage.moves(bots[0], 5)
    await page.give_up(after=12)
    await page.at("ended").wait_for()
    return page


async def scorecard(stage: Stage) -> Player:
    """The scorecard in its window."""
    page = await midway(stage)
    await page.at("open-scorecard").click()
    return page


async def result(stage: Stage) -> Player:
    """Between two holes, three at the table, one ready."""
    page, bots = await stage.playing(*NAMES[:2], holes=9)
    await stage.moves(bots[0], 20)
    for bot in bots:
        await bot.must("give_up", hole=1)
    await page.give_up(after=12)
    await page.until("view.match.phase === 'between'")
    await bots[0].must("next", hole=1)
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


async def rules(stage: Stage) -> Player:
    """The rules, the published game some moves on."""
    page = await stage.page()
    await page.page.goto(f"{stage.url}#rules")
    await page.at("steps-on").click(click_count=3)
    return page


async def rules_window(stage: Stage) -> Player:
    """The rules in a window over a match."""
    page, _ = await stage.playing("Bob")
    await page.page.keyboard.press("?")
    await page.at("steps-on").wait_for()
    return page


async def settings(stage: Stage) -> Player:
    """The settings."""
    page = await stage.home()
    await page.at("settings").click()
    return page


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
        home,
        host_form,
        home_error,
        invited,
        room,
        countdown,
        alone,
        board,
        midway,
        rivals,
        crowd,
        rival_window,
        refusal,
        stuck,
        waiting,
        scorecard,
        result,
        podium,
        replay,
        replay_alone,
        record_fault,
        played,
        watch_two,
        watch_four,
        watch_eight,
        rules,
        rules_window,
        settings,
        banner,
        play_here,
        course,
        course_between,
        club,
    )
}
