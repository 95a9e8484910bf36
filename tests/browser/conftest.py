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

# What costs work here and serves no test. The full Chrome opens a whole window for each context, with an address bar
# whose popups are two pages of their own: more work than the page that is tested. Of several such lists only the last
# counts, so what Playwright turns off by itself and matters here is named again.
OFF = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OFF)}",
]


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Chromium, as `make test` found or installed it."""
    found = os.environ.get("FAIRWAY_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium: run the tests by `make test`, which finds or installs one"
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_browser(browser_path: str) -> AsyncIterator[Browser]:
    """A headless browser for all tests."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(shared_browser: Browser) -> AsyncIterator[Browser]:
    """The browser of all, for contexts of one's own; what a test leaves open would go on working beside others."""
    yield shared_browser
    for context in shared_browser.contexts:
        await context.close()


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
    """Where the screenshots go: as .jpg, which takes 0.04 s of CPU, and not as .png, which takes 0.19."""
    place = ROOT / "test-report"
    place.mkdir(exist_ok=True)
    return place
