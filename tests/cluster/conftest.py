"""One cluster for all tests here, whole again after each, and stores on it."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from tests.cluster.cluster_tools import Cluster
from tests.given import started
from tests.store.store_tools import Opened, stores


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[Cluster]:
    """Six engines."""
    with started(Cluster()) as cluster:
        yield cluster


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, with all nodes up and in step before and after the test."""
    shared_cluster.settle()
    yield shared_cluster
    shared_cluster.mend()


@pytest.fixture
async def open_store() -> AsyncIterator[Callable[..., Opened]]:
    """Open a store on an address; it is closed after the test."""
    async with stores() as open_one:
        yield open_one
