"""The laws of the stream, each on the real engine."""

import asyncio
from collections.abc import Callable

import pytest
from store_tools import TTL_MS, Engine, Opened, append, versions, within

from server.store.matches import Already, Appended, Conflict, Fenced, Gone, Item, Matches, Refused, Stored


def keys_of(engine: Engine) -> list[bytes]:
    """All keys in the engine."""
    return sorted(engine.admin.keys("*"))


@within(10)
async def test_create_makes_a_match_once(matches: Matches) -> None:
    """A match made again stays what it was, and its first entry is version 1 at the engine's time."""
    made, at_ms = await matches.create("m", b"first", TTL_MS)
    again, later_ms = await matches.create("m", b"other", TTL_MS)
    assert (made, again) == (True, False)
    assert later_ms >= at_ms
    assert await matches.read("m") == [Stored(1, at_ms, b"first", -1, 0, 0)]


@within(10)
async def test_only_create_makes_keys(matches: Matches, engine: Engine) -> None:
    """Appending to, touching or reading a match that is not there leaves nothing behind."""
    assert await append(matches, "nil", 1, Item(b"x")) == Gone()
    assert await append(matches, "nil", 0, Item(b"x", 0, 1, 1)) == Gone()
    await matches.touch("nil", {"0:a": 1_000})
    assert await matches.read("nil") is None
    assert await versions(matches, ["nil"]) == {"nil": None}
    assert await matches.presence(["nil"]) == {"nil": {}}
    assert keys_of(engine) == []


@within(10)
async def test_items_of_one_append_share_version_order_and_time(matches: Matches) -> None:
    """All items come in order, one version each, all with the engine's time that the result tells."""
    await matches.create("m", b"first", TTL_MS)
    items = [Item(b"a\r\n\x00\xff", 0, 1, 0), Item(b"", 0, 1, 1), Item(b"rule"), Item(b"c", 3, 2, 9)]
    result = await append(matches, "m", 1, *items)
    assert isinstance(result, Appended)
    assert (result.first, result.last) == (2, 5)
    assert await matches.read("m", 1) == [
        Stored(version, result.at_ms, item.payload, item.seat, item.generation, item.seq)
        for version, item in enumerate(items, 2)
    ]
    assert await matches.read("m", 5) == []
    assert await versions(matches, ["m", "other"]) == {"m": 5, "other": None}


@within(20)
async def test_one_compare(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Of two that append after the same version exactly one wins; the other is given just what it missed."""
    left, right = open_store(engine.url).matches, open_store(engine.url).matches
    await left.create("m", b"first", TTL_MS)
    version, winners = 1, set()
    for number in range(100):
        # Unequal batches, so that versions and missing entries cannot agree by accident.
        ours = [Item(b"left%d.%d" % (number, i)) for i in range(1 + number % 3)]
        theirs = [Item(b"right%d.%d" % (number, i)) for i in range(1 + number % 2)]
        asked = [append(left, "m", version, *ours), append(right, "m", version, *theirs)]
        results = await asyncio.gather(*(asked if number % 2 else reversed(asked)))
        won = [result for result in results if isinstance(result, Appended)]
        beaten = [result for result in results if isinstance(result, Conflict)]
        assert (len(won), len(beaten)) == (1, 1)
        read = await left.read("m", version)
        assert read is not None
        assert beaten[0].missing == tuple(read)
        assert (won[0].first, won[0].last) == (version + 1, read[-1].version)
        assert beaten[0].version == read[-1].version
        winners.add(read[0].payload[:1])
        version = read[-1].version
    assert winners == {b"l", b"r"}


@within(20)
async def test_redoing_after_conflicts_loses_nothing(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Two who race freely and redo what was beaten each have all their items in, once and in order."""
    stores = [open_store(engine.url).matches for _ in range(2)]
    await stores[0].create("m", b"first", TTL_MS)

    async def play(seat: int) -> int:
        version, seq, conflicts = 1, 1, 0
        await asyncio.sleep(0)
        while seq <= 100:
            result = await append(stores[seat], "m", version, Item(b"%d" % seq, seat, 1, seq))
            if isinstance(result, Conflict):
                assert [entry.version for entry in result.missing] == list(range(version + 1, result.version + 1))
                version, conflicts = result.version, conflicts + 1
            else:
                assert isinstance(result, Appended)
                assert result.first == version + 1
                version, seq = result.last, seq + 1
        return conflicts

    assert sum(await asyncio.gather(play(0), play(1))) > 0
    read = await stores[0].read("m", 1)
    assert read is not None
    assert [entry.version for entry in read] == list(range(2, 202))
    for seat in range(2):
        assert [entry.seq for entry in read if entry.seat == seat] == list(range(1, 101))


@within(10)
async def test_exactly_once(matches: Matches) -> None:
    """A command sent again is answered with its version and appends nothing, whatever version is known."""
    await matches.create("m", b"first", TTL_MS)
    await append(matches, "m", 1, Item(b"sits", 0, 1, 0))
    await append(matches, "m", 2, Item(b"a", 0, 1, 1))
    await append(matches, "m", 3, Item(b"b", 0, 1, 2), Item(b"other", 1, 1, 0))
    for known in (5, 3, 1):
        again = await append(matches, "m", known, Item(b"new"), Item(b"b", 0, 1, 2))
        assert isinstance(again, Already)
        assert (again.index, again.version) == (1, 4)
    older = await append(matches, "m", 5, Item(b"a", 0, 1, 1))
    assert isinstance(older, Already)
    assert older.version == 0
    assert await versions(matches, ["m"]) == {"m": 5}


@within(10)
async def test_one_command_twice_in_a_batch(matches: Matches) -> None:
    """A command that stands in one batch twice is told so, without a version that it does not have."""
    await matches.create("m", b"first", TTL_MS)
    result = await append(matches, "m", 1, Item(b"a", 0, 1, 0), Item(b"b", 0, 1, 1), Item(b"b", 0, 1, 1))
    assert isinstance(result, Already)
    assert (result.index, result.version) == (2, 0)
    assert await versions(matches, ["m"]) == {"m": 1}


@within(10)
async def test_a_takeover_fences_the_older_page(matches: Matches) -> None:
    """After a higher generation the older one is fenced, and the newer counts its own seqs."""
    await matches.create("m", b"first", TTL_MS)
    await append(matches, "m", 1, Item(b"sits", 0, 1, 0), Item(b"a", 0, 1, 1))
    assert isinstance(await append(matches, "m", 3, Item(b"takes over", 0, 2, 0)), Appended)
    assert await append(matches, "m", 4, Item(b"b", 0, 1, 2)) == Fenced(0, 2)
    assert await append(matches, "m", 2, Item(b"rule"), Item(b"a", 0, 1, 1)) == Fenced(1, 2)
    assert isinstance(await append(matches, "m", 4, Item(b"b", 0, 2, 1)), Appended)
    # Freed, then taken by somebody else.
    assert isinstance(await append(matches, "m", 5, Item(b"another sits", 0, 3, 0)), Appended)
    assert await append(matches, "m", 6, Item(b"c", 0, 2, 2)) == Fenced(0, 3)


@within(10)
async def test_rival_takeovers_are_no_duplicates(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Of two pages that begin the same generation one wins; the other hears of a conflict, then is fenced."""
    left, right = open_store(engine.url).matches, open_store(engine.url).matches
    await left.create("m", b"first", TTL_MS)
    first = await append(left, "m", 1, Item(b"left", 0, 1, 0))
    second = await append(right, "m", 1, Item(b"right", 0, 1, 0))
    assert isinstance(first, Appended)
    assert isinstance(second, Conflict)
    assert [entry.payload for entry in second.missing] == [b"left"]
    assert await append(right, "m", 2, Item(b"right", 0, 1, 0)) == Fenced(0, 1)


@within(10)
async def test_a_batch_is_all_or_nothing(matches: Matches, engine: Engine) -> None:
    """One item that may not be appended keeps out the whole batch, wherever it stands, and changes no key."""
    await matches.create("m", b"first", TTL_MS)
    await append(matches, "m", 1, Item(b"sits", 0, 2, 0), Item(b"a", 0, 2, 1))
    before = (await matches.read("m"), engine.admin.hgetall("fw:{m}:h"))
    for bad, expected in ((Item(b"a", 0, 2, 1), Already), (Item(b"old", 0, 1, 5), Fenced)):
        for position in range(3):
            batch = [Item(b"rule"), Item(b"b", 1, 1, 0)]
            batch.insert(position, bad)
            result = await append(matches, "m", 3, *batch)
            assert isinstance(result, expected)
            assert result.index == position
    assert (await matches.read("m"), engine.admin.hgetall("fw:{m}:h")) == before


@within(10)
async def test_an_engine_that_lost_entries(matches: Matches) -> None:
    """Who knows more than the engine gets a conflict without entries, and the engine's version."""
    await matches.create("m", b"first", TTL_MS)
    result = await append(matches, "m", 7, Item(b"a"))
    assert isinstance(result, Conflict)
    assert (result.missing, result.version) == ((), 1)


@within(10)
async def test_a_head_without_its_stream(matches: Matches, engine: Engine) -> None:
    """A match whose stream was taken away is gone; no second stream begins in its place."""
    await matches.create("m", b"first", TTL_MS)
    engine.admin.delete("fw:{m}:s")
    assert await append(matches, "m", 1, Item(b"a")) == Gone()
    assert keys_of(engine) == [b"fw:{m}:h"]


@within(10)
async def test_a_stream_ahead_of_its_head(matches: Matches, engine: Engine) -> None:
    """When head and stream disagree the append is refused and nothing is written."""
    await matches.create("m", b"first", TTL_MS)
    engine.admin.hset("fw:{m}:h", "v", "0")
    result = await append(matches, "m", 0, Item(b"a"))
    assert isinstance(result, Refused)
    assert result.code == "refused"
    assert engine.admin.hget("fw:{m}:h", "v") == b"0"
    assert engine.admin.xlen("fw:{m}:s") == 1


@within(10)
async def test_time_never_turns_back(matches: Matches, engine: Engine) -> None:
    """With the engine's clock set back, entries go on at the time of the last one."""
    await matches.create("m", b"first", TTL_MS)
    engine.admin.hset("fw:{m}:h", "t", "2000000000000")
    result = await append(matches, "m", 1, Item(b"a"))
    assert isinstance(result, Appended)
    assert result.at_ms == 2_000_000_000_000


@within(10)
async def test_all_keys_expire_together(matches: Matches, engine: Engine) -> None:
    """Stream, head and presence end at the same moment, moved only when it differs materially."""

    def ends() -> set[int]:
        return {engine.admin.pexpiretime(key) for key in keys_of(engine)}

    await matches.create("m", b"first", 50_000)
    await matches.touch("m", {"0:a": 1_000})
    assert len(keys_of(engine)) == 3
    at_create = ends()
    assert len(at_create) == 1
    await append(matches, "m", 1, Item(b"a"), ttl_ms=50_500)
    assert ends() == at_create
    await append(matches, "m", 2, Item(b"b"), ttl_ms=100_000)
    assert len(ends()) == 1
    assert max(ends()) - max(at_create) > 40_000
    await append(matches, "m", 3, Item(b"ended"), ttl_ms=60)
    await asyncio.sleep(0.1)
    assert await append(matches, "m", 4, Item(b"late")) == Gone()
    assert await matches.read("m") is None
    assert keys_of(engine) == []


@within(10)
async def test_appends_of_one_match_keep_their_order(matches: Matches) -> None:
    """Appends that are submitted without waiting are carried out in that order."""
    await matches.create("m", b"first", TTL_MS)
    results = await asyncio.gather(
        *(append(matches, "m", version, Item(b"%d" % version)) for version in range(1, 201))
    )
    assert [result.first for result in results if isinstance(result, Appended)] == list(range(2, 202))
    read = await matches.read("m", 1)
    assert read is not None
    assert [entry.payload for entry in read] == [b"%d" % version for version in range(1, 201)]


@within(10)
async def test_one_tick_is_one_write(matches: Matches) -> None:
    """What many matches append in one tick of the loop goes to the engine in one write."""
    ids = [f"m{number}" for number in range(100)]
    for match_id in ids:
        await matches.create(match_id, b"first", TTL_MS)
    await append(matches, "m0", 1, Item(b"loads the script"))
    before = matches.pipeline.writes
    results = await asyncio.gather(
        *(append(matches, match_id, 2 if match_id == "m0" else 1, Item(b"a")) for match_id in ids)
    )
    assert all(isinstance(result, Appended) for result in results)
    assert matches.pipeline.writes == before + 1


@within(10)
async def test_what_makes_no_sense_is_not_sent(matches: Matches) -> None:
    """An append of nothing, or one that would expire at once, is the caller's fault and raises."""
    with pytest.raises(ValueError, match="at least one item"):
        await append(matches, "m", 1)
    with pytest.raises(ValueError, match="above 0"):
        await append(matches, "m", 1, Item(b"a"), ttl_ms=0)


@within(10)
async def test_room_codes(matches: Matches, engine: Engine) -> None:
    """A code leads to the match that claimed it first, lives as long as it is kept, and then is free."""
    assert await matches.claim_room("ABCD", "m1", 60_000)
    assert await matches.claim_room("ABCD", "m1", 60_000)  # repeated after a lost reply
    assert not await matches.claim_room("ABCD", "m2", 60_000)
    assert await matches.find_room("ABCD") == "m1"
    assert await matches.find_room("NONE") is None
    assert await matches.keep_room("ABCD", "m1", 90_000)
    assert engine.admin.pttl("fw:room:{ABCD}") > 80_000
    assert not await matches.keep_room("ABCD", "m2", 90_000)
    assert await matches.keep_room("ABCD", "m1", 40)
    await asyncio.sleep(0.08)
    assert await matches.claim_room("ABCD", "m2", 60_000)
