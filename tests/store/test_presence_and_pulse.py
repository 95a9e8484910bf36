"""Presence leases and the engine's pulse, both by the engine's clock."""

import asyncio
import signal
from collections.abc import Callable

import pytest
from store_tools import TTL_MS, Engine, Opened, append, until, versions, within

from server.store.errors import EngineError
from server.store.matches import Appended, Item, Matches


@within(10)
async def test_leases(matches: Matches) -> None:
    """A lease runs so long from now, is renewed by touching, and ends now when it is said to."""
    await matches.create("m", b"first", TTL_MS)
    now_ms, _ = await matches.beat()
    await matches.touch("m", {"0:a": 5_000, "1:b": 5_000})
    await matches.touch("m", {"0:a": 90_000, "1:b": 0})
    leases = (await matches.presence(["m"]))["m"]
    assert set(leases) == {"0:a", "1:b"}
    assert 90_000 <= leases["0:a"] - now_ms < 95_000
    assert 0 <= leases["1:b"] - now_ms < 5_000


@within(10)
async def test_a_late_end_harms_no_newer_connection(matches: Matches) -> None:
    """The end of a seat's old connection, told late, leaves the newer one's lease as it is."""
    await matches.create("m", b"first", TTL_MS)
    await matches.touch("m", {"0:old": 5_000})
    await matches.touch("m", {"0:new": 60_000})
    before = (await matches.presence(["m"]))["m"]["0:new"]
    await matches.touch("m", {"0:old": 0})
    assert (await matches.presence(["m"]))["m"]["0:new"] == before


@within(10)
async def test_offline_since_is_kept(matches: Matches) -> None:
    """A lease that had run out ended when it ran out, not when its end is told."""
    await matches.create("m", b"first", TTL_MS)
    await matches.touch("m", {"0:a": 20})
    ran_out = (await matches.presence(["m"]))["m"]["0:a"]
    await asyncio.sleep(0.06)
    await matches.touch("m", {"0:a": 0})
    assert (await matches.presence(["m"]))["m"]["0:a"] == ran_out


@within(10)
async def test_old_leases_are_dropped(matches: Matches, engine: Engine) -> None:
    """What ran out over an hour ago goes; a match's presence cannot grow without bound."""
    await matches.create("m", b"first", TTL_MS)
    now_ms, _ = await matches.beat()
    engine.admin.zadd("fw:{m}:p", {"0:hours ago": now_ms - 3_700_000, "1:lately": now_ms - 3_500_000})
    await matches.touch("m", {"2:c": 1_000})
    assert set((await matches.presence(["m"]))["m"]) == {"1:lately", "2:c"}


@within(10)
async def test_many_matches_in_one_batch(matches: Matches, engine: Engine) -> None:
    """Leases of a thousand matches are taken and read in a few round trips; what is gone is passed over."""
    ids = [f"m{number}" for number in range(1_000)]
    for match_id in ids[1:]:
        engine.admin.hset(f"fw:{{{match_id}}}:h", "v", "1")
    await matches.touch_many({match_id: {"0:a": 60_000} for match_id in ids} | {ids[5]: {}})
    presence = await matches.presence(ids)
    assert [match_id for match_id in ids if not presence[match_id]] == ["m0", "m5"]
    assert await versions(matches, ids) == dict.fromkeys(ids, 1) | {"m0": None}
    await matches.touch_many({})
    assert await matches.presence([]) == {}


@within(10)
async def test_a_pulse_without_a_gap(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Beats of several workers in quick succession tell no outage; nor does the very first."""
    stores = [open_store(engine.url).matches for _ in range(2)]
    for number in range(6):
        _, gap_ms = await stores[number % 2].beat()
        assert gap_ms is None
    assert await stores[0].outages() == []


@within(15)
async def test_an_engine_that_stalls(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """A stall is told as down and up, the append waits, and the outage is recorded once for all workers."""
    store = open_store(own_engine.url, stall_after_s=0.5)
    other = open_store(own_engine.url, timeout_s=0.5).matches
    await store.matches.create("m", b"first", TTL_MS)
    before_ms, _ = await store.matches.beat()
    own_engine.send(signal.SIGSTOP)
    waits = asyncio.create_task(append(store.matches, "m", 1, Item(b"a")))
    with pytest.raises(EngineError, match="engine_away"):
        await versions(other, ["m"])
    await until(lambda: store.states == ["up", "down"])
    await asyncio.sleep(2.2)  # an outage counts from two seconds
    assert not waits.done()
    own_engine.send(signal.SIGCONT)
    assert isinstance(await waits, Appended)
    await until(lambda: store.states == ["up", "down", "up"])
    now_ms, gap_ms = await store.matches.beat()
    assert gap_ms is not None
    assert gap_ms > 2_000
    assert now_ms - before_ms == gap_ms
    assert (await other.beat())[1] is None
    assert await other.outages() == [(before_ms, now_ms)]


@within(10)
async def test_outages_are_capped(matches: Matches, engine: Engine) -> None:
    """The list of outages keeps the last thousand."""
    engine.admin.rpush("fw:{beat}:outages", *(f"{number} {number + 3_000}" for number in range(1_000)))
    now_ms, _ = await matches.beat()
    engine.admin.set("fw:{beat}", now_ms - 9_000)
    await matches.beat()
    outages = await matches.outages()
    assert (len(outages), outages[0]) == (1_000, (1, 3_001))
    assert outages[-1][0] == now_ms - 9_000


@within(10)
async def test_a_clock_set_back_is_no_outage(matches: Matches, engine: Engine) -> None:
    """When the engine's clock is set back nobody is given time, neither then nor when it has caught up."""
    now_ms, _ = await matches.beat()
    engine.admin.set("fw:{beat}", now_ms + 60_000)
    assert (await matches.beat())[1] is None
    assert await matches.outages() == []
