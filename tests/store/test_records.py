"""Records are written once and outlive their streams; a match that wants one is looked at until it was found."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from store_tools import TTL_MS, Engine, within

from server.store.matches import Matches
from server.store.records import Records, Standing


@pytest.fixture
async def records(engine: Engine) -> AsyncIterator[Records]:
    """The records of the shared engine."""
    records = Records(engine.url)
    yield records
    await records.close()


def now_ms(engine: Engine) -> int:
    """The engine's clock."""
    seconds, micros = engine.admin.time()
    return int(seconds) * 1000 + int(micros) // 1000


@within(10)
async def test_the_first_one_stays(records: Records, engine: Engine) -> None:
    """A record is kept for ever as it was first written, whoever writes another one, or the same again."""
    assert await records.get("m") is None
    assert await records.put("m", b"one") == b"one"
    assert await records.put("m", b"two") == b"one"
    assert await records.put("m", b"two", now_ms(engine) + 50) == b"one"
    await asyncio.sleep(0.1)
    assert await records.get("m") == b"one"
    assert engine.admin.ttl("fw:{m}:r") == -1


@within(10)
async def test_it_ends_when_it_was_said_to(records: Records, engine: Engine) -> None:
    """A record with an end is gone then; writing it again doesn't put that off."""
    ends = now_ms(engine) + 150
    assert await records.put("m", b"one", ends) == b"one"
    assert await records.put("m", b"one", ends + TTL_MS) == b"one"
    assert await records.get("m") == b"one"
    await asyncio.sleep(0.2)
    assert await records.get("m") is None
    assert await records.put("m", b"late", ends) == b"late"  # as good as gone, and handed out this once
    assert await records.get("m") is None


@within(10)
async def test_it_outlives_its_match(records: Records, matches: Matches) -> None:
    """Stream and head run out, the record stays; how a match stands tells all three."""
    assert await records.standing("m") == Standing(kept=False, last_at_ms=None)
    _, at_ms = await matches.create("m", b"first", 120)
    assert await records.standing("m") == Standing(kept=False, last_at_ms=at_ms)
    await records.put("m", b"one")
    assert await records.standing("m") == Standing(kept=True, last_at_ms=at_ms)
    await asyncio.sleep(0.2)
    assert await matches.read("m") is None
    assert await records.standing("m") == Standing(kept=True, last_at_ms=None)
    assert await records.get("m") == b"one"


@within(30)
async def test_each_that_is_due_goes_to_one(records: Records, engine: Engine) -> None:
    """Of two that ask at once each gets other matches; what isn't settled comes up again, what is doesn't."""
    other = Records(engine.url)
    now = int(time.time() * 1000)
    for number in range(20):
        await records.expect(f"m{number}", now - 1_000 + number)
    await records.expect("later", now + 60_000)
    taken = await asyncio.gather(*(one.due(6, 3_000) for one in (records, other, records, other)))
    assert sorted(map(len, taken)) == [2, 6, 6, 6]
    assert {match_id for ids in taken for match_id in ids} == {f"m{number}" for number in range(20)}
    assert await records.due(100, 3_000) == []
    for number in range(19):
        await other.settled(f"m{number}")
    await asyncio.sleep(3.1)
    assert await records.due(100, 60_000) == ["m19"]
    await records.settled("m19")
    await records.settled("later")
    assert engine.admin.keys("fw:{records}*") == []
    await other.close()
