"""Engines, workers and servers for the tests of the running server; all are ended with their test."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.given import no_task_left, started

from .bots import Bot
from .crowd import crowd
from .servers import Engine, House, Serve, Street, children_of, command_of


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """One engine for all tests that leave it whole."""
    with started(Engine()) as engine:
        yield engine


@pytest.fixture(scope="session")
def client_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page to serve."""
    place = tmp_path_factory.mktemp("client")
    (place / "index.html").write_text("<!doctype html><title>Fairway</title>")
    return place


@pytest.fixture
async def street(engine: Engine, client_dir: Path, request: pytest.FixtureRequest) -> AsyncIterator[Street]:
    """Open workers in this loop; afterwards they drain and nothing of them is left. A module may choose its WIRE."""
    async with no_task_left():
        street = Street(engine, client_dir, wire=getattr(request.module, "WIRE", "direct"))
        yield street
        async with asyncio.timeout(30):
            await street.end()


@pytest.fixture
async def house(street: Street) -> House:
    """One worker."""
    return await street.open()


@pytest.fixture
async def bot(street: Street) -> AsyncIterator[Callable[..., Bot]]:
    """Make bots; their lines are closed before the workers end."""
    async with crowd() as make:
        yield make


@pytest.fixture
def serve(tmp_path: Path, client_dir: Path) -> Iterator[Serve]:
    """Start servers as processes; at the end of the test all that they started is ended."""
    starter = Serve(tmp_path, client_dir)
    yield starter
    starter.end()


@pytest.fixture
def solving_pids() -> Callable[[], list[int]]:
    """Return a function that lists the solving processes of this test, not those of a server that other tests share."""
    others = set(children_of(os.getpid()))
    return lambda: [
        pid for pid in children_of(os.getpid()) if pid not in others and b"solver_child" in command_of(pid)
    ]
