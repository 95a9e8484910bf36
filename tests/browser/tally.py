"""Counts what a task costs a person: taps, and the seconds from the first to the last."""

from time import perf_counter

from playwright.async_api import Locator

from tests.browser.pages import Player


class Tally:
    """One person's taps. Writing into a field is the tap that opens it; a list takes one to open and one to choose."""

    def __init__(self, page: Player) -> None:
        self.page = page
        self.taps = 0
        self.began = perf_counter()

    def again(self) -> None:
        """Begin to count: all that was needed to get here is no part of the task."""
        self.taps, self.began = 0, perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return perf_counter() - self.began

    def at(self, testid: str) -> Locator:
        """Find by test id."""
        return self.page.at(testid)

    async def tap(self, what: str | Locator) -> None:
        """Tap a test id or an element."""
        self.taps += 1
        await (self.at(what) if isinstance(what, str) else what).click()

    async def write(self, testid: str, text: str) -> None:
        """Tap a field and write into it."""
        self.taps += 1
        await self.at(testid).fill(text)

    async def choose(self, testid: str, value: str) -> None:
        """Open a list and choose of it."""
        self.taps += 2
        await self.at(testid).select_option(value)
