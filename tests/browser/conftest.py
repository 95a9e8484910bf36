"""A real server and a real browser."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.stage import Stage
from tests.given import started
from tests.runtime.servers import ROOT, Engine, House, Serve, Street

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


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(browser_path: str) -> AsyncIterator[Browser]:
    """A headless browser for all tests; each opens contexts of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """One engine for all stages."""
    with started(Engine()) as engine:
        yield engine


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(engine: Engine) -> AsyncIterator[House]:
    """One worker with the real page for all stages; its clock can jump ahead."""
    street = Street(engine, ROOT / "client_web", solvers=1)
    yield await street.open()
    await street.end()


@pytest_asyncio.fixture(loop_scope="session")
async def stage(browser: Browser, house: House) -> AsyncIterator[Stage]:
    """Pages and bots of one test."""
    stage = Stage(browser, house)
    yield stage
    await stage.close()


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
