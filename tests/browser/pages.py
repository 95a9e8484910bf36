"""A page as a player uses it: taps, keys, and what it shows; every frame it received is kept."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, WebSocket

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 664}
NARROW = {"width": 320, "height": 568}
LANDSCAPE = {"width": 664, "height": 390}

# What the page offers now, with the middle of the first card that plays (or of the stock) on the screen.
OFFERED = """() => {
  const view = window.fairway?.view;
  if (!view || view.match.phase !== "playing") return null;
  const { moves = [], done = false, move_count: count } = view.you;
  const move = moves.find((one) => one.length > 2) ?? moves[0];
  const wanted = !move ? null : move.length > 2 ? `[data-card="${move[2]}"][data-pile="${move[0]}"]` : "[data-draw]";
  const box = wanted && document.querySelector(wanted).getBoundingClientRect();
  return {move, done, hole: view.match.hole, count, at: box && [box.x + box.width / 2, box.y + box.height / 2]};
}"""
# Resolves once the offer above is out of date: the move was made, or the hole closed.
MOVED_ON = """({hole, count}) => new Promise((resolve) => {
  const ends = performance.now() + 30000;
  const look = () => {
    const { match, you, seats } = window.fairway.view;
    const ended = match.phase !== "playing" || match.hole > hole || seats[you.seat].ended;
    if (ended || you.move_count > count) resolve(true);
    else if (performance.now() > ends) resolve(false);
    else setTimeout(look, 5);
  };
  look();
})"""

# Whether the own board shows the view's piles: a change waits for the release of a finger, and for the next picture.
DRAWN = """() => {
  const { boards = {}, you } = window.fairway?.view ?? { you: {} };
  return Object.entries(boards[you.seat] ?? {}).every(([pile, cards]) => !Array.isArray(cards) || cards.every((card) => {
    const element = document.querySelector(`[data-testid=board] [data-card="${card}"]`);
    return !element || element.dataset.pile === pile;
  }));
}"""

# Gives an element's place once it has stopped moving: nothing animates it, and two pictures running it is the same.
AT_REST = """(element) => new Promise((resolve, reject) => {
  const ends = performance.now() + 20000;
  let before = "";
  const look = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const now = element.getAnimations().length ? "" : [x, y, width, height].join();
    if (now && now === before) resolve({x, y, width, height});
    else if (performance.now() > ends) reject(new Error("it never comes to rest"));
    else requestAnimationFrame(look);
    before = now;
  };
  look();
})"""

# For the message of a test that waits in vain.
STATE = """() => ({focus: document.activeElement.outerHTML.slice(0, 90), you: window.fairway.view.you,
  dialog: !!document.querySelector("dialog[open]"), banner: document.querySelector("#banner").textContent})"""


class Player:
    """One browser page of one person. `keys`: plays by the keyboard instead of taps."""

    def __init__(self, context: BrowserContext, page: Page, name: str, keys: bool = False) -> None:
        self.context, self.page, self.name, self.keys = context, page, name, keys
        self.frames: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        self.sent: list[dict[str, Any]] = []
        self.news = asyncio.Event()
        page.on("websocket", self._socket)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("console", lambda message: self._console(message.type, message.text))

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._received)
        socket.on("framesent", lambda payload: self.sent.append(json.loads(payload)))

    def _received(self, payload: str | bytes) -> None:
        self.frames.append(json.loads(payload))
        self.news.set()

    def _console(self, kind: str, text: str) -> None:
        # A line that breaks is part of some tests; the page deals with it, the browser still notes it.
        if kind in ("error", "warning") and "WebSocket" not in text and "ERR_CONNECTION" not in text:
            self.complaints.append(f"{kind}: {text}")

    def at(self, testid: str) -> Locator:
        """Find by test id."""
        return self.page.get_by_test_id(testid)

    async def view(self) -> dict[str, Any]:
        """Return the view that the page has folded."""
        view = await self.page.evaluate("() => window.fairway.view")
        assert isinstance(view, dict)
        return view

    async def until(self, condition: str, timeout_ms: int = 30_000) -> None:
        """Wait until an expression over `view` holds."""
        script = f"() => {{ const view = window.fairway?.view; return !!(view && ({condition})); }}"
        await self.page.wait_for_function(script, timeout=timeout_ms, polling=20)

    async def heard(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until a frame like that has come; return the first."""
        async with asyncio.timeout(30):
            while not (found := next(filter(wanted, self.frames), None)):
                self.news.clear()
                await self.news.wait()
        return found

    async def drawn(self) -> None:
        """Wait until the own board shows what the view says, so that a card is met where it will stay."""
        await self.page.wait_for_function(DRAWN, timeout=30_000, polling=20)

    async def at_rest(self, selector: str) -> dict[str, float]:
        """Return an element's box (x, y, width, height) once it has stopped moving."""
        box: dict[str, float] = await self.page.locator(selector).evaluate(AT_REST)
        return box

    async def act(self) -> bool:
        """Do one thing that the page offers: a play if there is one, else a draw, else done. False: nothing to do."""
        offered = await self.page.evaluate(OFFERED)
        if offered is None or not (offered["move"] or offered["done"]):
            return False
        move = offered["move"]
        if not move:
            await (self.page.keyboard.press("d") if self.keys else self.at("done").first.click())
        elif self.keys:
            await self.page.keyboard.press(move[0].removeprefix("column.") if len(move) > 2 else "Space")
        else:
            await self.page.mouse.click(*offered["at"])
        moved = await self.page.evaluate(MOVED_ON, {"hole": offered["hole"], "count": offered["count"]})
        assert moved, (self.name, offered, self.sent[-3:], self.frames[-3:], await self.page.evaluate(STATE))
        return bool(move)

    async def give_up(self, after: int) -> None:
        """Make so many moves, then give the hole up."""
        for _ in range(after):
            await self.act()
        await self.page.keyboard.press("g")
        await self.at("confirm").click()
        await self.page.evaluate(MOVED_ON, {"hole": (await self.view())["match"]["hole"], "count": 10_000})

    async def speak(self, language: str) -> None:
        """Change the language in the settings; the page is drawn anew and their window closed."""
        await self.at("settings").click()
        await self.at(f"set-lang-{language}").click(force=True)
        await self.page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
        await self.page.locator("dialog").wait_for(state="detached")

    async def play_hole(self) -> None:
        """Play the open hole until it is over for this seat."""
        while await self.act():
            pass


async def open_player(browser: Browser, name: str, keys: bool = False, **options: Any) -> Player:
    """Open a page in a context of its own: another person on another machine."""
    context = await browser.new_context(viewport=options.pop("viewport", WIDE), **options)
    context.set_default_timeout(30_000)
    return Player(context, await context.new_page(), name, keys)


async def host(player: Player, url: str, **options: str) -> str:
    """Host a private room through the page; options by the form's field names. Returns the room code."""
    await player.page.goto(url)
    await player.at("name").fill(player.name)
    await player.at("host").click()
    for field, value in options.items():
        if field == "rule":
            await player.at(f"option-rule-{value}").click()
        else:
            await player.at(f"option-{field}").select_option(value)
    await player.at("host-create").click()
    await player.until("view.match.phase === 'lobby'")
    return str((await player.view())["match"]["room"])


async def join(player: Player, url: str, room: str) -> None:
    """Follow the link that the host sent."""
    await player.page.goto(f"{url}#{room}")
    await player.at("name").fill(player.name)
    await player.at("invited-join").click()
    await player.until("view.you.seat !== null")
