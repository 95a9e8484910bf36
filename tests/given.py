"""What fixtures of several folders give: something started and cleaned up, a loop that is left as it was."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol, TypeVar


class Startable(Protocol):
    """An engine, or a cluster of them."""

    def start(self) -> None:
        """Start it and wait until it answers."""

    def clean(self) -> None:
        """End it, however far it came, and remove what it wrote."""


S = TypeVar("S", bound=Startable)


@contextmanager
def started(it: S) -> Iterator[S]:
    """Start it for the time of a `with`."""
    try:
        it.start()
        yield it
    finally:
        it.clean()


@asynccontextmanager
async def no_task_left() -> AsyncIterator[None]:
    """Hold that what runs inside leaves no task behind; a failure inside is told first."""
    before = asyncio.all_tasks()
    yield
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    assert not left, left
