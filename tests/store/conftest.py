"""Engines and stores for the tests: one shared engine, and one's own where it is to be harmed."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from store_tools import Engine, Opened, Proxy, stores

from server.store.matches import Matches
from tests.given import started


@pytest.fixture(scope="session")
def shared_engine() -> Iterator[Engine]:
    """One engine for all tests that leave it whole."""
    with started(Engine()) as engine:
        yield engine


@pytest.fixture
def engine(shared_engine: Engine) -> Engine:
    """The shared engine, emptied."""
    shared_engine.admin.flushall()
    return shared_engine


@pytest.fixture
def own_engine() -> Iterator[Engine]:
    """An engine that this test may harm."""
    with started(Engine()) as engine:
        yield engine


@pytest.fixture
async def open_store() -> AsyncIterator[Callable[..., Opened]]:
    """Open a store on an address; it is closed after the test."""
    async with stores() as open_one:
        yield open_one


@pytest.fixture
async def matches(engine: Engine, open_store: Callable[..., Opened]) -> Matches:
    """A store on the shared engine."""
    return open_store(engine.url).matches


@pytest.fixture
async def proxy(engine: Engine) -> AsyncIterator[Proxy]:
    """A proxy in front of the shared engine."""
    proxy = Proxy(engine.socket)
    await proxy.start()
    yield proxy
    await proxy.close()
