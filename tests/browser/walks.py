"""Every page of the client, met on walks: one page in one browser is led from scene to scene, and the walk stops at each.

Opening a page and playing up to where it is worth a look takes most time, so scenes that lead to each other share it.
Whoever looks leaves the page as it was: wide, in English, with nothing opened or closed.
"""

from collections.abc import AsyncIterator, Callable, Mapping

from tests.browser.course_scenes import course_round
from tests.browser.pages import WIDE, Player
from tests.browser.record_scenes import LONG_NAME, NAMES, podium, to_the_replay
from tests.browser.scenes import DEALS, SCENES, Scene
from tests.browser.stage import Stage

Stop = tuple[str, Player]
Walk = Callable[[Stage], AsyncIterator[Stop]]


async def into_a_room(stage: Stage) -> AsyncIterator[Stop]:
    """From the first page, where a public room is listed, to the countdown of a room of one's own."""
    await (await stage.bot(LONG_NAME)).host(visibility="public", seats=4)
    page = await stage.home()
    await page.page.get_by_role("button", name=f"Join {LONG_NAME}").first.wait_for()
    yield "home", page
    await page.at("host").click()
    yield "host_form", page
    await page.at("host-create").click()
    await page.until("view.match.phase === 'lobby'")
    code = (await page.view())["match"]["room"]
    guests = [await (await stage.bot(name)).join(code) for name in NAMES[:2]]
    await guests[0].must("ready", ready=True)
    await page.until("Object.keys(view.seats).length === 3 && view.seats[1].ready")
    yield "room", page  # as its host sees it: three are here, one is ready
    await guests[1].must("ready", ready=True)
    await page.at("ready").click()
    await page.until("view.match.phase === 'countdown'")
    await page.at("countdown").wait_for()
    yield "countdown", page


async def a_hole_and_the_next(stage: Stage) -> AsyncIterator[Stop]:
    """From a match's first move over the end of its first hole into the second, with all that opens on the way."""
    page, bots = await stage.playing(*NAMES[:2], deals=DEALS)
    yield "board", page
    await stage.moves(bots[1], 16)
    await page.act()
    await page.at("rival-1").locator(".rival-head").click()
    yield "rival_window", page
    await page.at("close").click()
    await page.page.keyboard.press("?")
    await page.at("steps-on").wait_for()
    yield "rules_window", page
    await page.at("close").click()
    for _ in range(8):
        await page.act()
    view = await page.view()
    mine = view["boards"][str(view["you"]["seat"])]
    covered = next(pile[0] for name, pile in mine.items() if "column" in name and len(pile) > 2)
    await page.drawn()
    await page.page.locator(f'[data-card="{covered}"]').click(position={"x": 12, "y": 8})
    await page.at("refusal").wait_for()
    yield "refusal", page
    await page.give_up(after=3)
    await page.at("ended").wait_for()
    yield "waiting", page
    await stage.moves(bots[0], 20)
    for bot in bots:
        await bot.must("give_up", hole=1)
    await page.until("view.match.phase === 'between'")
    await bots[0].must("next", hole=1)
    await page.until("view.seats[0].next")
    yield "result", page  # three at the table, one ready
    await bots[1].must("next", hole=1)
    await page.at("next").click()
    await page.until("view.match.hole === 2 && view.match.phase === 'playing'")
    for number, bot in enumerate(bots):
        await bot.until(lambda bot=bot: bot.match["hole"] == 2)
        await stage.moves(bot, 9 + 7 * number)
    for _ in range(12):
        await page.act()
    yield "midway", page
    await page.at("open-scorecard").click()
    yield "scorecard", page


async def after_the_match(stage: Stage) -> AsyncIterator[Stop]:
    """From the podium to the record, and to the first page of somebody who has played."""
    page = await podium(stage)
    yield "podium", page
    await to_the_replay(page)
    yield "replay", page
    await page.page.goto(stage.url)
    await page.at("played-link").wait_for()
    yield "played", page


async def without_a_match(stage: Stage) -> AsyncIterator[Stop]:
    """A link that leads to no record, the rules, the settings, and a deal code that is refused."""
    page = await stage.page()
    await page.page.goto(f"{stage.url}#record=abc")
    await page.at("record-fault").wait_for()
    yield "record_fault", page
    await page.page.goto(f"{stage.url}#rules")
    await page.at("steps-on").click(click_count=3)
    yield "rules", page  # the published game, some moves on
    await page.page.goto(f"{stage.url}#rules=spit")
    await page.at("rules-race").wait_for()
    yield "rules_spit", page
    await page.page.goto(stage.url)
    await page.at("name").fill(page.name)
    await page.at("settings").click()
    yield "settings", page
    await page.at("close").click()
    await page.at("deal").fill("GO1-E-ZZZZZZZ")
    await page.at("deal-alone").click()
    await page.at("error").wait_for()
    yield "home_error", page


async def a_round(stage: Stage) -> AsyncIterator[Stop]:
    """A round beside two ghosts, and the time between its holes."""
    page = await course_round(stage)
    yield "course_round", page
    await page.give_up(after=6)
    await page.at("hole-result").wait_for()
    await page.until("view.match.card[0]?.scores[101]")
    yield "course_between", page


async def rounds_of_spit(stage: Stage) -> AsyncIterator[Stop]:
    """Two at one table: a round, its end by the clock, and the podium once the other has left."""
    page, (bot,) = await stage.seated(LONG_NAME, mode="spit", holes=3, hole_seconds=60)
    yield "spit_room", page
    await stage.begin(page, [bot], board="spit-table")
    yield "spit", page
    stage.house.pass_time(60_000)
    await page.until("view.match.phase === 'between'")
    await page.at("hole-result").wait_for()
    yield "spit_between", page
    await bot.do("leave")
    await page.at("podium").wait_for()
    yield "spit_podium", page


def single(scene: Scene) -> Walk:
    """Make a walk of one scene."""

    async def walk(stage: Stage) -> AsyncIterator[Stop]:
        yield scene.__name__, await scene(stage)

    return walk


WALKS: Mapping[str, Walk] = {
    **{
        walk.__name__: walk
        for walk in (into_a_room, a_hole_and_the_next, after_the_match, without_a_match, a_round, rounds_of_spit)
    },
    **{name: single(scene) for name, scene in SCENES.items()},
}


async def walked(stage: Stage, name: str) -> AsyncIterator[Stop]:
    """Lead a page along a walk. While somebody looks no time passes; it is wide again before it goes on."""
    async for stop, page in WALKS[name](stage):
        with stage.house.clock.still():
            yield stop, page
        await page.page.set_viewport_size(WIDE)
