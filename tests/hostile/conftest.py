"""What the hostile tests share: the running server's fixtures, faulty lines, engines, a watch on logs."""

import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.given import no_task_left, started
from tests.hostile.harness import Faulty, OwnEngine
from tests.hostile.proxy import Proxy
from tests.runtime.bots import Bot
from tests.runtime.conftest import client_dir, engine, house, serve, street
from tests.runtime.crowd import crowd
from tests.runtime.servers import Street

__all__ = ["client_dir", "engine", "house", "serve", "street"]


class _Loud(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(f"{record.name}: {record.getMessage()} {record.exc_text or ''}")


@pytest.fixture(autouse=True)
def nothing_unhandled(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """No test may leave an error in the log, unhandled exceptions included, but those marked `errors_expected`."""
    loud = _Loud()
    logging.getLogger().addHandler(loud)
    try:
        yield loud.records
        gc.collect()  # a task that failed with nobody to hear of it complains when it goes
    finally:
        logging.getLogger().removeHandler(loud)
    if request.node.get_closest_marker("errors_expected") is None:
        assert not loud.records, loud.records


@pytest.fixture
def own_engine() -> Iterator[OwnEngine]:
    """An engine that a test may stop, fill and break."""
    with started(OwnEngine()) as engine:
        yield engine


@pytest.fixture
async def faulty(own_engine: OwnEngine, client_dir: Path) -> AsyncIterator[Faulty]:
    """Workers whose lines to the engine and to the players go through proxies; nothing of them is left afterwards."""
    async with no_task_left():
        faulty = Faulty(own_engine, client_dir)
        yield faulty
        await faulty.end()


@pytest.fixture
async def bot() -> AsyncIterator[Callable[..., Bot]]:
    """Make bots, each from a loopback address of its own; name it after the workers, so that it ends before them."""
    async with crowd() as make:
        yield make


@pytest.fixture
async def proxy(street: Street) -> AsyncIterator[Callable[..., Awaitable[Proxy]]]:
    """Make proxies; they end with the test."""
    made: list[Proxy] = []

    async def make(target: Path | tuple[str, int]) -> Proxy:
        made.append(await Proxy(target).start())
        return made[-1]

    yield make
    for one in made:
        await one.stop()
