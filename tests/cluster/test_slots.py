"""A whole cluster: everything the store does works on all slots, and goes on while slots move."""

import asyncio
import time
from collections.abc import Callable

import pytest
from redis.crc import key_slot

from server.store.errors import EngineUnfit
from server.store.lobby import Lobby
from server.store.matches import Appended, Item, Stored
from server.store.notes import Notes
from server.store.records import Records
from server.store.slots import slot_of
from tests.cluster.cluster_tools import Cluster
from tests.cluster.play import Play
from tests.store.store_tools import TTL_MS, Opened, append, until, versions, within

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("key", ["", "plain", "fw:{abc}:s", "fw:{}:s", "fw:{a}{b}", "fw:{a", "fw:}a{", "é{ü}"])
def test_the_slot_of_a_key(key: str) -> None:
    """The slot is what the engine's own rule gives."""
    assert slot_of(key) == key_slot(key.encode())


@within(20)
async def test_everything_on_all_slots(cluster: Cluster, open_store: Callable[..., Opened]) -> None:
    """Matches lie on all primaries; appending, reading, hearing, presence, rooms, lobby and beat work on each."""
    left, right = open_store(cluster.url).matches, open_store(cluster.url).matches
    facts = await left.check_engine()
    assert facts.kind == "valkey"
    ids = [f"match{number}" for number in range(60)]
    heard: dict[str, list[Stored]] = {match_id: [] for match_id in ids}
    for match_id in ids:
        assert (await left.create(match_id, b"first", TTL_MS))[0]
        assert not (await right.create(match_id, b"first", TTL_MS))[0]
    await asyncio.gather(*(right.subscribe(match_id, heard[match_id].extend) for match_id in ids))
    owners = [cluster.owner(match_id) for match_id in ids]
    assert min(owners.count(node) for node in cluster.nodes if node.role == "master") > 5
    results = await asyncio.gather(*(append(left, match_id, 1, Item(b"a"), Item(b"b", 0, 1, 0)) for match_id in ids))
    assert all(isinstance(result, Appended) for result in results)
    results = await asyncio.gather(*(append(right, match_id, 3, Item(b"c")) for match_id in ids))
    assert all(isinstance(result, Appended) for result in results)
    assert await versions(left, ids) == dict.fromkeys(ids, 4)
    await until(lambda: all(len(entries) == 3 for entries in heard.values()))
    for match_id in ids:
        assert heard[match_id] == await left.read(match_id, 1)
    await left.touch_many({match_id: {"0:a": 60_000} for match_id in ids})
    assert all(members.keys() == {"0:a"} for members in (await right.presence(ids)).values())
    for match_id in ids:
        await right.unsubscribe(match_id)
    assert len(right.ear) == 0

    records = Records(cluster.url)
    for match_id in ids:
        await records.expect(match_id, 1)
        assert await records.put(match_id, match_id.encode()) == match_id.encode()
        assert await records.put(match_id, b"another") == match_id.encode()
        assert (await records.standing(match_id)).kept
    assert [await records.get(match_id) for match_id in ids] == [match_id.encode() for match_id in ids]
    assert set(await records.due(100, TTL_MS)) == set(ids)
    for match_id in ids:
        await records.settled(match_id)
    await records.close()

    codes = [f"CODE{number}" for number in range(12)]
    for code, match_id in zip(codes, ids, strict=False):
        assert await left.claim_room(code, match_id, TTL_MS)
        assert await right.find_room(code) == match_id
        assert not await right.claim_room(code, "another", TTL_MS)
    lobby, notes = Lobby(cluster.url), Notes(cluster.url)
    for match_id in ids[:5]:
        await lobby.publish(match_id, match_id.encode(), TTL_MS)
    await lobby.withdraw(ids[0])
    assert sorted(await lobby.list(10)) == sorted(match_id.encode() for match_id in ids[1:5])
    await notes.put("tested", b"note")
    assert (await notes.all(60))["tested"] == b"note"
    await lobby.close()
    await notes.close()
    before_ms, _ = await left.beat()
    now_ms, gap_ms = await right.beat()
    assert gap_ms is None
    assert all(ended_ms <= before_ms <= now_ms for _, ended_ms in await left.outages())
    assert left.pipeline.state == "up"


@within(10)
async def test_how_it_is_addressed(cluster: Cluster, open_store: Callable[..., Opened]) -> None:
    """A node's plain address is refused, with the form that is wanted; a replica's is no different."""
    assert {node.role for node in cluster.nodes} == {"master", "slave"}
    for node in cluster.nodes:
        with pytest.raises(EngineUnfit, match=r"redis\+cluster://") as raised:
            await open_store(f"redis://127.0.0.1:{node.port}").matches.check_engine()
        assert raised.value.code == "cluster"


@within(20)
async def test_one_tick_is_one_write_a_primary(cluster: Cluster, open_store: Callable[..., Opened]) -> None:
    """What many matches append in one tick goes to each primary in one write."""
    matches = open_store(cluster.url).matches
    ids = [f"match{number}" for number in range(100, 160)]
    for match_id in ids:
        await matches.create(match_id, b"first", TTL_MS)
    await asyncio.gather(*(append(matches, match_id, 1, Item(b"loads the script")) for match_id in ids))
    before = matches.pipeline.writes
    results = await asyncio.gather(*(append(matches, match_id, 2, Item(b"a")) for match_id in ids))
    assert all(isinstance(result, Appended) for result in results)
    assert matches.pipeline.writes == before + 3


@pytest.mark.parametrize("way", ["key by key", "at once"])
@within(40)
async def test_a_slot_moves_in_the_middle_of_play(
    cluster: Cluster, open_store: Callable[..., Opened], way: str
) -> None:
    """While a slot goes to another primary its matches go on: each append once, each subscription with it."""
    store = open_store(cluster.url)
    name = way.replace(" ", "-")
    tag = f"mover-{name}"
    slot, source = slot_of(tag), cluster.owner(tag)
    target = next(node for node in cluster.nodes if node.role == "master" and node is not source)
    play = Play(store.matches, [tag, *(f"other-{name}-{number}" for number in range(10))])
    await play.start()
    await store.matches.touch(tag, {"0:a": 60_000})
    heard: list[int] = []
    await store.matches.subscribe(tag, lambda entries: heard.extend(entry.version for entry in entries))
    await until(lambda: play.at(tag) > 20)
    loop = asyncio.get_running_loop()
    if way == "key by key":
        # Slow enough for appends to meet a match of which one key is here and one there, then one that is all there.
        sleeps_s = iter((0.1, 0.1, 0.8))
        await loop.run_in_executor(
            None, cluster.move_slot, slot, source, target, lambda: time.sleep(next(sleeps_s, 0))
        )
        assert {"ASK", "TRYAGAIN"} <= cluster.errors()
    else:
        await loop.run_in_executor(None, cluster.move_slot_at_once, slot, source, target)
    moved_at = play.at(tag)
    assert cluster.owner(tag) is target
    await until(lambda: play.at(tag) > moved_at + 50 and store.lost)
    await until(lambda: heard and heard[-1] > moved_at + 50)
    assert await store.matches.presence([tag]) != {tag: {}}
    await play.stop()
    await play.check()
    assert set(store.lost) == {tag}
    assert store.states[-1] == "up"
