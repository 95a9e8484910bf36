"""Every page at every size: nothing sticks out, is cut off, too small or in the way; pictures are kept."""

from pathlib import Path

import pytest

from tests.browser.access import axe_findings, low_contrast, ringless
from tests.browser.pages import LANDSCAPE, NARROW, PHONE, WIDE, Player
from tests.browser.scenes import SCENES
from tests.browser.stage import Stage
from tests.runtime.servers import LONG

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
# A window of 1280 x 800 at 200 % has the room of one of half the size.
ZOOMED = {"width": 640, "height": 400}
SIZES = {"wide": WIDE, "phone": PHONE, "narrow": NARROW, "landscape": LANDSCAPE, "zoomed": ZOOMED}
# What axe-core is asked about, scene by scene in turn: both themes, both shapes of the page. The long run asks about all.
LOOKED_THROUGH = (("wide", "light"), ("phone", "dark"))
# Of these sizes both themes are kept as pictures; of the small ones the light theme.
BOTH = ("wide", "phone")
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def look(page: Player, name: str, place: Path) -> list[str]:
    """Return what is wrong at each size; keep the pictures."""
    wrong = []
    turn = LOOKED_THROUGH[len(name) % 2]
    for size, viewport in SIZES.items():
        await page.page.set_viewport_size(viewport)
        for theme in ("light", "dark") if size in BOTH else ("light",):
            await page.page.emulate_media(color_scheme=theme)
            await page.page.evaluate(DRAWN)
            await page.page.screenshot(path=place / f"{name}-{size}-{theme}.png")
            if (LONG and size in BOTH) or (size, theme) in LOOKED_THROUGH:
                wrong += [f"{size}, {theme}: {line}" for line in await low_contrast(page.page)]
            if LONG or (size, theme) == turn:
                wrong += [f"{size}, {theme}: {line}" for line in await axe_findings(page.page)]
        if size == "wide":
            wrong += [f"{size}: {line}" for line in await ringless(page.page)]
        wrong += [f"{size}: {line}" for line in await page.page.evaluate(LAYOUT)]
    return wrong


@pytest.mark.parametrize("name", SCENES)
async def test_page_fits_everywhere(stage: Stage, name: str, report_dir: Path) -> None:
    """A page fits each size, a zoomed one too, and shuts nobody out: axe-core finds nothing, all words stand out from what
    is behind them, what has the focus shows it, buttons are large enough, and the browser has no complaint.
    """
    page = await SCENES[name](stage)
    assert not await look(page, name, report_dir)
    assert not page.complaints
