"""Every page at every size: nothing sticks out, is cut off, too small or in the way; pictures are kept."""

from pathlib import Path

import pytest

from tests.browser.access import axe_findings, low_contrast, ringless
from tests.browser.languages import DRAWN, look_in_other_languages
from tests.browser.pages import LANDSCAPE, NARROW, PHONE, WIDE, Player
from tests.browser.stage import Stage
from tests.browser.walks import WALKS, walked
from tests.runtime.servers import LONG

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
# A window of 1280 x 800 at 200 % has the room of one of half the size.
ZOOMED = {"width": 640, "height": 400}
SIZES = {"wide": WIDE, "phone": PHONE, "narrow": NARROW, "landscape": LANDSCAPE, "zoomed": ZOOMED}
# What axe-core is asked about, scene by scene in turn: both themes, both shapes of the page. The long run asks about all.
LOOKED_THROUGH = (("wide", "light"), ("phone", "dark"))
# Where the other languages are looked at too: between them these pages have nearly all words.
TRANSLATED = {
    "home",
    "host_form",
    "room",
    "stuck",
    "result",
    "podium",
    "watch_two",
    "replay",
    "record_fault",
    "rules",
    "spit",
    "rules_spit",
    "spit_between",
}
# Of these sizes both themes are kept as pictures; of the small ones, in the long run, the light theme.
# Each change has the whole page drawn anew, so a size begins with the theme that the one before ended with.
THEMES = {"wide": ("light", "dark"), "phone": ("dark", "light")}


async def look(page: Player, name: str, place: Path) -> list[str]:
    """Return what is wrong at each size; keep the pictures."""
    wrong = []
    turn = LOOKED_THROUGH[len(name) % 2]
    for size, viewport in SIZES.items():
        await page.page.set_viewport_size(viewport)
        for theme in THEMES.get(size, ("light",)):
            await page.page.emulate_media(color_scheme=theme)
            await page.page.evaluate(DRAWN)
            if LONG or size in THEMES:
                await page.page.screenshot(path=place / f"{name}-{size}-{theme}.jpg")
            if (LONG and size in THEMES) or (size, theme) in LOOKED_THROUGH:
                wrong += [f"{size}, {theme}: {line}" for line in await low_contrast(page.page)]
            if LONG or (size, theme) == turn:
                wrong += [f"{size}, {theme}: {line}" for line in await axe_findings(page.page)]
        if size == "wide":
            wrong += [f"{size}: {line}" for line in await ringless(page.page)]
        wrong += [f"{size}: {line}" for line in await page.page.evaluate(LAYOUT)]
    return wrong


@pytest.mark.parametrize("walk", WALKS)
async def test_pages_fit_everywhere(stage: Stage, walk: str, report_dir: Path) -> None:
    """A page fits each size, a zoomed one too, and shuts nobody out: axe-core finds nothing, all words stand out from what
    is behind them, what has the focus shows it, buttons are large enough, and the browser has no complaint. A language
    changes every word of a page and `lang`, but no code, and fits wherever English does.
    """
    wrong = []
    async for name, page in walked(stage, walk):
        found = await look(page, name, report_dir)
        if name in TRANSLATED:
            found += await look_in_other_languages(page, name, report_dir)
        wrong += [f"{name}, {line}" for line in found + page.complaints]
        page.complaints.clear()
    assert not wrong
