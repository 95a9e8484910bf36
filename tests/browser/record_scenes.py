"""Scenes of matches that are over: their end, their record, and where both are found again."""

from tests.browser.pages import Player
from tests.browser.stage import Stage

LONG_NAME = "Wilhelmina Featherstone"
NAMES = ("Bob", LONG_NAME, "Cara", "Dilip", "Emre", "Fay", "Göksu", "Hana")


async def podium(stage: Stage) -> Player:
    """The end, with a shared second place."""
    page, bots = await stage.playing(*NAMES[:3], holes=2)
    for hole in (1, 2):
        for number, bot in enumerate(bots):
            await bot.until_phase("playing")
            await stage.moves(bot, 0 if number else 20)
            await bot.must("give_up", hole=hole)
        await page.give_up(after=12)
        if hole == 1:
            await page.until("view.match.phase === 'between'")
            for bot in bots:
                await bot.until_phase("between")
                await bot.must("next", hole=1)
            await page.at("next").click()
            await page.until("view.match.hole === 2")
    await page.at("podium").wait_for()
    return page


async def to_the_replay(page: Player) -> None:
    """From the podium into the middle of the record's second hole."""
    await page.at("record-link").click()
    await page.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    await page.page.keyboard.press("Shift+ArrowRight")
    for _ in range(8):
        await page.page.keyboard.press("ArrowRight")


async def replay(stage: Stage) -> Player:
    """A match that is over, in the middle of its second hole."""
    page = await podium(stage)
    await to_the_replay(page)
    return page


async def replay_alone(stage: Stage) -> Player:
    """A match of one that is over, at its beginning."""
    bot = await stage.bot(LONG_NAME)
    await bot.host(seats=1, holes=1)
    await bot.until_phase("playing")
    await stage.moves(bot, 6)
    await bot.must("give_up", hole=1)
    await bot.until_phase("ended")
    page = await stage.page()
    await page.page.goto(f"{stage.url}#record={bot.match_id}")
    await page.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    return page
