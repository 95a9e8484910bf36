"""Primaries that die in the middle of play, and what is lost then: nothing acked, where replicas are waited for."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from server.store.matches import Appended, Conflict, Head, Item
from tests.cluster.cluster_tools import Cluster
from tests.cluster.play import Play
from tests.runtime.bots import Bot
from tests.runtime.checks import check_record
from tests.runtime.crowd import record_of, seat_all
from tests.runtime.servers import Street
from tests.store.store_tools import TTL_MS, Opened, append, until, within

pytestmark = pytest.mark.processes


@within(40)
async def test_a_primary_is_killed_in_the_middle_of_play(cluster: Cluster, open_store: Callable[..., Opened]) -> None:
    """Its replica takes over; every append is answered once, and nothing acked is lost, since one was waited for."""
    store, other = open_store(cluster.url, replicas=1), open_store(cluster.url)
    ids = [f"killed{number}" for number in range(30)]
    play = Play(store.matches, ids)
    await play.start()
    heard: dict[str, list[int]] = {match_id: [] for match_id in ids}
    for match_id in ids:
        await other.matches.subscribe(
            match_id, lambda entries, heard=heard[match_id]: heard.extend(entry.version for entry in entries)
        )
    await until(lambda: all(play.at(match_id) > 10 for match_id in ids))
    assert store.matches.pipeline.unreplicated == 0
    victim = cluster.owner(ids[0])
    theirs = {match_id for match_id in ids if cluster.owner(match_id) is victim}
    assert 0 < len(theirs) < 30
    assert store.matches.pipeline.waiting > 0
    victim.kill()
    with pytest.raises(TimeoutError):  # the cluster's pulse stops, so that clocks are given the time back
        async with asyncio.timeout(0.5):
            await store.matches.beat()
    killed_at = {match_id: play.at(match_id) for match_id in ids}
    await until(lambda: all(play.at(match_id) > killed_at[match_id] + 10 for match_id in ids))
    await until(lambda: store.states == ["up", "down", "up"] and other.states == ["up", "down", "up"])
    # The shard has no replica now: what it acks is counted as not replicated, and play goes on.
    assert store.matches.pipeline.unreplicated > 0
    assert cluster.owner(ids[0]) is not victim
    await play.stop()
    await play.check()
    await until(lambda: set(other.lost) == theirs)
    await until(lambda: all(versions[-1] == play.at(match_id) + 1 for match_id, versions in heard.items()))
    await store.matches.beat()


@within(40)
async def test_roles_are_changed_in_order(cluster: Cluster, open_store: Callable[..., Opened]) -> None:
    """When a replica takes over by command nobody loses anything, and nobody waits for long."""
    store = open_store(cluster.url)
    ids = [f"ordered{number}" for number in range(12)]
    play = Play(store.matches, ids)
    await play.start()
    await until(lambda: all(play.at(match_id) > 10 for match_id in ids))
    primary = cluster.owner(ids[0])
    replica = cluster.replica_of(primary)
    replica.say("CLUSTER", "FAILOVER")
    await until(lambda: replica.role == "master" and primary.role == "slave")
    changed_at = play.at(ids[0])
    await until(lambda: play.at(ids[0]) > changed_at + 20)
    await play.stop()
    await play.check()


@within(40)
async def test_a_history_that_went_backwards(cluster: Cluster, open_store: Callable[..., Opened]) -> None:
    """What only the dead primary had is lost; who decided on it hears of a conflict, at the same version too."""
    store, other = open_store(cluster.url).matches, open_store(cluster.url).matches
    await store.create("backwards", b"first", TTL_MS)
    primary = cluster.owner("backwards")
    await append(store, "backwards", 1, Item(b"kept"))
    assert primary.say("WAIT", 1, 1_000) == 1
    cluster.cut_replicas_off(primary)
    assert isinstance(await append(store, "backwards", 2, Item(b"lost")), Appended)
    known = (await store.heads(["backwards"]))["backwards"]
    assert known is not None
    primary.kill()
    assert isinstance(await append(other, "backwards", 2, Item(b"other")), Appended)
    head = (await store.heads(["backwards"]))["backwards"]
    assert head is not None
    assert head.version == known.version == 3
    assert head.digest != known.digest
    asked: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    store.append("backwards", 3, [Item(b"decided on the lost")], TTL_MS, asked.set_result, known.digest)
    conflict = await asked
    assert isinstance(conflict, Conflict)
    assert Head(conflict.version, conflict.digest) == head
    assert conflict.missing == ()
    read = await store.read("backwards")
    assert [entry.payload for entry in read or []] == [b"first", b"kept", b"other"]


@within(60)
async def test_a_match_is_played_through_a_failover(cluster: Cluster, tmp_path: Path) -> None:
    """Two players on two workers play on when the primary of their match dies, and the record re-runs."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Fairway</title>")
    street = Street(cluster, tmp_path, replicas=1)  # type: ignore[arg-type]  # all it asks an engine is its address
    one, two = await street.open("w1"), await street.open("w2")
    ada, bob = Bot(one.url, "Ada", 1), Bot(two.url, "Bob", 2)
    await ada.open()
    await bob.open()
    try:
        await seat_all(ada, [bob], holes=1)
        one.pass_time(3000)
        await ada.until_phase("playing")
        victim = cluster.owner(ada.match_id)
        playing = [asyncio.create_task(bot.play()) for bot in (ada, bob)]
        await until(lambda: len(ada.heard) > 8)
        victim.kill()
        await asyncio.gather(*playing)
        record = await record_of(ada)
        check_record(record, [ada, bob])
    finally:
        await ada.close()
        await bob.close()
        await street.end()
