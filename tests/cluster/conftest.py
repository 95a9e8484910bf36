"""One cluster for all tests here, whole again after each, and stores on it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack

import pytest

from server.store.matches import Matches, State
from tests.cluster.cluster_tools import Cluster
from tests.store.store_tools import Opened


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[Cluster]:
    """Six engines."""
    cluster = Cluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.clean()


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, with all nodes up and in step before and after the test."""
    shared_cluster.settle()
    yield shared_cluster
    shared_cluster.mend()


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
