"""A real server and a real browser."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from tests.runtime.servers import ROOT, Serve

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Chromium, as `make test` found or installed it."""
    found = os.environ.get("FAIRWAY_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium: run the tests by `make test`, which finds or installs one"
    return found


@pytest.fixture
async def browser(browser_path: str) -> AsyncIterator[Browser]:
    """A headless browser."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers with the real page."""
    serve = Serve(tmp_path, ROOT / "client_web")
    yield serve
    serve.end()


@pytest.fixture(scope="session")
def report_dir() -> Path:
    """Where the screenshots go."""
    place = ROOT / "test-report"
    place.mkdir(exist_ok=True)
    return place
