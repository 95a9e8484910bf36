"""The queue of a quick match: one place a browser and address, a table for whoever waits, and no place for ever."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from store_tools import Engine

from server.store.queue import Full, Held, Queue, Seated, Waits


@pytest.fixture
async def queue(engine: Engine) -> AsyncIterator[Queue]:
    """An empty queue."""
    queue = Queue(engine.url)
    yield queue
    await queue.close()


async def ask(queue: Queue, ticket: str, *held: str, patience_ms: int = 60_000) -> object:
    """Ask for a place, or for what became of it."""
    return await queue.wait(ticket, f"person {ticket}", held, f"offer of {ticket}", patience_ms=patience_ms)


async def test_four_are_seated_at_once(queue: Queue) -> None:
    """Three wait; the fourth brings the offer that all four are told, and is told again."""
    for number, ticket in enumerate("abc", 1):
        answer = await ask(queue, ticket)
        assert isinstance(answer, Waits)
        assert answer.waiting == number
    table = Seated("offer of d", tuple(f"person {ticket}" for ticket in "abcd"))
    assert await ask(queue, "d") == table
    for ticket in "abcdd":
        assert await ask(queue, ticket) == table
    later = await ask(queue, "e")
    assert isinstance(later, Waits)
    assert later.waiting == 1


async def test_two_wait_a_while_for_a_third(queue: Queue) -> None:
    """Two are seated once the second has waited long enough, by whichever of them asks then."""
    await ask(queue, "a", patience_ms=0)
    assert isinstance(await ask(queue, "b", patience_ms=10_000), Waits)
    assert isinstance(await ask(queue, "a", patience_ms=10_000), Waits)
    await asyncio.sleep(0.05)
    assert await ask(queue, "a", patience_ms=40) == Seated("offer of a", ("person a", "person b"))
    assert await ask(queue, "b", patience_ms=10_000) == Seated("offer of a", ("person a", "person b"))


async def test_one_alone_waits(queue: Queue) -> None:
    """Nobody is seated alone, however long it takes; how long it has waited is told."""
    await ask(queue, "a", patience_ms=0)
    await asyncio.sleep(0.03)
    answer = await ask(queue, "a", patience_ms=0)
    assert isinstance(answer, Waits)
    assert answer.waiting == 1
    assert answer.waited_ms >= 30


async def test_a_browser_and_an_address_wait_once(queue: Queue) -> None:
    """A second ticket that holds the same thing is refused until the first has gone; the first is left alone."""
    await ask(queue, "a", "b:1", "a:10.0.0.1")
    assert await ask(queue, "b", "b:1", "a:10.0.0.2") == Held()
    assert await ask(queue, "c", "b:2", "a:10.0.0.1") == Held()
    assert isinstance(await ask(queue, "a", "b:1", "a:10.0.0.1"), Waits), "it asks again"
    assert await queue.leave("a")
    assert not await queue.leave("a")
    assert isinstance(await ask(queue, "b", "b:1", "a:10.0.0.1"), Waits)


async def test_who_is_seated_holds_nothing_any_more(queue: Queue) -> None:
    """After the match was found the same browser may wait for the next one."""
    await ask(queue, "a", "b:1")
    assert isinstance(await ask(queue, "b", "b:2", patience_ms=0), Seated)
    assert isinstance(await ask(queue, "c", "b:1"), Waits)


async def test_a_place_runs_out(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose worker or tab died holds a place for the lease, no longer: it is neither seated nor in the way."""
    monkeypatch.setattr("server.store.queue.LEASE_MS", 30)
    await ask(queue, "a", "b:1")
    await asyncio.sleep(0.06)
    monkeypatch.undo()
    answer = await ask(queue, "b", "b:1", patience_ms=0)
    assert isinstance(answer, Waits)
    assert answer.waiting == 1
    assert isinstance(await ask(queue, "c", patience_ms=0), Seated)


async def test_no_more_wait_than_may(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue has a bound, and who has a place keeps it."""
    monkeypatch.setattr("server.store.queue.MOST_PLACES", 2)
    await ask(queue, "a")
    await ask(queue, "b")
    assert await ask(queue, "c") == Full()
    assert isinstance(await ask(queue, "a"), Waits)


async def test_many_at_once_make_whole_tables(queue: Queue, engine: Engine) -> None:
    """Eight who ask at the same moment, from any number of workers, are two tables, each person at one."""
    other = Queue(engine.url)
    await asyncio.gather(*(ask(one, ticket) for one, ticket in zip([queue, other] * 4, "abcdefgh", strict=True)))
    tables = [await ask(one, ticket) for one, ticket in zip([other, queue] * 4, "abcdefgh", strict=True)]
    await other.close()
    assert all(isinstance(table, Seated) for table in tables)
    assert len(set(tables)) == 2
    people = sorted(person for table in set(tables) for person in table.people)  # type: ignore[attr-defined]
    assert people == [f"person {ticket}" for ticket in "abcdefgh"]


async def test_an_idle_queue_leaves_nothing(queue: Queue, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the queue wrote goes by itself."""
    monkeypatch.setattr("server.store.queue.LEASE_MS", 10)
    monkeypatch.setattr("server.store.queue.KEPT_MS", 10)
    await ask(queue, "a", "b:1")
    await ask(queue, "b", patience_ms=0)
    async with asyncio.timeout(20):
        while engine.admin.dbsize():
            await asyncio.sleep(0.01)
