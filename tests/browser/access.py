"""What keeps people out of a page: found by axe-core, and measured besides where it can't tell."""

from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

HERE = Path(__file__).parent
CONTRAST, RINGS, CLIPPED = (
    (HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("contrast", "rings", "clipped")
)
# Colours are measured by contrast.js, which also knows gradients; all other rules apply, the best practices too.
RUN_AXE = """() => axe.run(document, {resultTypes: ["violations"], rules: {"color-contrast": {enabled: false}}})"""


def line(found: dict[str, Any], node: dict[str, Any]) -> str:
    """Return one finding of axe in a line."""
    return f"{found['id']} ({found['impact']}): {node['html'][:140]}"


async def axe_findings(page: Page) -> list[str]:
    """Return what axe-core finds wrong. Scripts of the tests aren't bound by the page's own policy."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    results = await page.evaluate(RUN_AXE)
    return [line(found, node) for found in results["violations"] for node in found["nodes"]]


async def low_contrast(page: Page) -> list[str]:
    """Return the texts that don't stand out enough from what lies behind them."""
    found: list[str] = await page.evaluate(CONTRAST)
    return found


async def ringless(page: Page) -> list[str]:
    """Return what takes the focus and doesn't show it."""
    await page.keyboard.press("Shift")
    found: list[str] = await page.evaluate(RINGS)
    return found


async def clipped(page: Page) -> list[str]:
    """Return the boxes that cut their text off above or below."""
    found: list[str] = await page.evaluate(CLIPPED)
    return found
