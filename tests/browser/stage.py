"""A stage for one test: a worker in the test's own loop, pages in a real browser, and bots in the other seats."""

import asyncio
from collections.abc import Callable
from typing import Any

from playwright.async_api import Browser

from tests.browser.pages import WIDE, Player
from tests.runtime.bots import Bot
from tests.runtime.servers import House

COUNTDOWN_MS = 3_100


class Stage:
    """Opens pages and bots of one worker; `close` sees them all off."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.browser, self.house = browser, house
        self.players: list[Player] = []
        self.bots: list[Bot] = []
        self.tasks: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        """The page's address."""
        return self.house.url.replace("ws://", "http://") + "/"

    async def page(self, name: str = "Ada", beside: Player | None = None, **options: Any) -> Player:
        """Open a blank page of another person, or another one `beside` in the same browser of the same person."""
        if beside is None:
            options = {"viewport": WIDE, "reduced_motion": "reduce", "locale": "en-GB", **options}
            context = await self.browser.new_context(**options)
            context.set_default_timeout(30_000)
        else:
            context = beside.context
        player = Player(context, await context.new_page(), name)
        self.players.append(player)
        return player

    async def home(self, name: str = "Ada", **options: Any) -> Player:
        """Open the first page with a name filled in."""
        player = await self.page(name, **options)
        await player.page.goto(self.url)
        await player.at("name").fill(name)
        return player

    async def bot(self, name: str) -> Bot:
        """Connect a bot from an address of its own."""
        bot = Bot(self.house.url, name, address=f"127.0.1.{len(self.bots) + 2}")
        self.bots.append(bot)
        return await bot.open()

    async def seated(self, *names: str, page: Player | None = None, **options: Any) -> tuple[Player, list[Bot]]:
        """Seat a page with bots in a room that the first bot hosts; nobody is ready yet."""
        host = await self.bot(names[0])
        await host.host(**{"seats": len(names) + 1, **options})
        bots = [host, *[await (await self.bot(name)).join(host.room) for name in names[1:]]]
        page = page or await self.page()
        await page.page.goto(f"{self.url}#{host.room}")
        await page.at("name").fill(page.name)
        await page.at("invited-join").click()
        await page.until("view.you.seat !== null")
        return page, bots

    async def begin(self, page: Player, bots: list[Bot], board: str = "board") -> None:
        """Everybody says ready, the countdown passes, the first hole is open and the page shows its `board`."""
        assert await self.began(page, bots, board)

    async def began(self, page: Player, bots: list[Bot], board: str = "board") -> bool:
        """Do that; False where nothing plays on the deal, as on one of Black Hole in thirty-five, and the hole is over."""
        for bot in bots:
            await bot.must("ready", ready=True)
        await page.at("ready").click()
        await page.until("view.match.phase === 'countdown'")
        self.house.pass_time(COUNTDOWN_MS)
        await page.until("view.match.hole === 1")
        self.house.clock.ahead_ms = 0
        if (await page.view())["match"]["phase"] != "playing":
            return False
        await page.at(board).wait_for()
        for bot in bots:
            await bot.until_phase("playing")
        return True

    async def playing(self, *names: str, page: Player | None = None, **options: Any) -> tuple[Player, list[Bot]]:
        """Seat a page with bots and begin."""
        player, bots = await self.seated(*names, page=page, **options)
        await self.begin(player, bots)
        return player, bots

    async def finish(self, bot: Bot, give_up: float = 0.0) -> None:
        """Let a bot play its hole to the end."""
        seat = str(bot.seat)
        hole = bot.match["hole"]
        over: Callable[[], bool] = lambda: (  # noqa: E731 - handed on as it is
            bot.match["hole"] != hole or bot.match["phase"] != "playing" or bot.view["seats"][seat]["ended"]
        )
        await bot.play(over, give_up=give_up)

    async def moves(self, bot: Bot, count: int) -> None:
        """Let a bot make so many moves, fewer if it is stuck before."""
        for _ in range(count):
            chosen = bot.choice()
            if chosen is None or chosen[0] == "done":
                return
            await bot.do(chosen[0], **chosen[1])

    async def close(self) -> None:
        """Close all pages and lines; the house's clock is right again."""
        self.house.clock.ahead_ms = 0
        for bot in self.bots:
            await bot.close()
        for context in {player.context for player in self.players}:
            await context.close()
