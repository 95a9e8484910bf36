"""Every page at every size: nothing sticks out, is cut off, too small or in the way; pictures are kept."""

from pathlib import Path

import pytest

from tests.browser.pages import LANDSCAPE, NARROW, PHONE, WIDE, Player
from tests.browser.scenes import SCENES
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
SIZES = {"wide": WIDE, "phone": PHONE, "narrow": NARROW, "landscape": LANDSCAPE}
# Of these sizes both themes are kept as pictures; of the small ones the light theme.
BOTH = ("wide", "phone")
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def look(page: Player, name: str, place: Path) -> list[str]:
    """Return what is wrong at each size; keep the pictures."""
    wrong = []
    for size, viewport in SIZES.items():
        await page.page.set_viewport_size(viewport)
        for theme in ("light", "dark") if size in BOTH else ("light",):
            await page.page.emulate_media(color_scheme=theme)
            await page.page.evaluate(DRAWN)
            await page.page.screenshot(path=place / f"{name}-{size}-{theme}.png")
        wrong += [f"{size}: {line}" for line in await page.page.evaluate(LAYOUT)]
    return wrong


@pytest.mark.parametrize("name", SCENES)
async def test_page_fits_everywhere(stage: Stage, name: str, report_dir: Path) -> None:
    """A page fits each size, keeps its buttons large enough and the stock free, and the browser has no complaint."""
    page = await SCENES[name](stage)
    assert not await look(page, name, report_dir)
    assert not page.complaints
