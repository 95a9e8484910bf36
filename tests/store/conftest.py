"""Engines and stores for the tests: one shared engine, and one's own where it is to be harmed."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack

import pytest
from store_tools import Engine, Opened, Proxy

from server.store.matches import Matches, State


@pytest.fixture(scope="session")
def shared_engine() -> Iterator[Engine]:
    """One engine for all tests that leave it whole."""
    engine = Engine()
    try:
        engine.start()
        yield engine
    finally:
        engine.clean()


@pytest.fixture
def engine(shared_engine: Engine) -> Engine:
    """The shared engine, emptied."""
    shared_engine.admin.flushall()
    return shared_engine


@pytest.fixture
def own_engine() -> Iterator[Engine]:
    """An engine that this test may harm."""
    engine = Engine()
    try:
        engine.start()
        yield engine
    finally:
        engine.clean()


@pytest.fixture
async def open_store() -> AsyncIterator[Callable[..., Opened]]:
    """Open a store on an address; it is closed after the test."""
    async with AsyncExitStack() as stack:

        def open_one(url: str, **options: object) -> Opened:
            lost: list[str] = []
            states: list[State] = []
            matches = Matches(url, lost=lost.append, on_state=states.append, **options)
            stack.push_async_callback(matches.close)
            return Opened(matches, lost, states)

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
