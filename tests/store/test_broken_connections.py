"""A broken connection means unknown, not failed: real damage, and each append applied exactly once."""

import asyncio
import random
import signal
from collections.abc import Callable

import pytest
import uvloop
from store_tools import TTL_MS, Engine, Opened, Proxy, append, until, versions, within

from server.store.errors import EngineError, EngineUnfit
from server.store.matches import Appended, Item, Matches, Refused


async def many(matches: Matches, count: int) -> list[str]:
    """Make so many matches."""
    ids = [f"m{number}" for number in range(count)]
    for match_id in ids:
        await matches.create(match_id, b"first", TTL_MS)
    return ids


@within(10)
async def test_swallowed_replies(
    engine: Engine, matches: Matches, proxy: Proxy, open_store: Callable[..., Opened]
) -> None:
    """Appends whose replies were lost are sent again, known, and answered with the versions they have."""
    ids = await many(matches, 40)
    behind = open_store(proxy.url)
    await append(behind.matches, "loads the script", 1, Item(b"a"))
    proxy.mute = True
    asked = [
        asyncio.create_task(append(behind.matches, match_id, 1, Item(b"a"), Item(b"b", 0, 1, 0))) for match_id in ids
    ]
    await until(lambda: all(engine.admin.xlen(f"fw:{{{match_id}}}:s") == 3 for match_id in ids))
    # Half of them have gone on by another's hand before they are sent again.
    for match_id in ids[::2]:
        assert isinstance(await append(matches, match_id, 3, Item(b"c")), Appended)
    assert not any(task.done() for task in asked)
    proxy.mute = False
    proxy.cut()
    for match_id, result in zip(ids, await asyncio.gather(*asked), strict=True):
        assert isinstance(result, Appended)
        assert (result.first, result.last) == (2, 3)
        read = await matches.read(match_id, 1)
        assert read is not None
        assert [entry.payload for entry in read] == [b"a", b"b", b"c"][: len(read)]
        assert result.at_ms == read[0].at_ms
    assert behind.states == ["up", "down", "up"]


@within(20)
async def test_cuts_at_random_moments(
    engine: Engine, matches: Matches, proxy: Proxy, open_store: Callable[..., Opened]
) -> None:
    """Whatever moment the line breaks at, each command is applied once, and each is answered."""
    ids = await many(matches, 20)
    behind = open_store(proxy.url).matches
    draw = random.Random(7)
    going, appended = True, 0

    async def play(match_id: str) -> int:
        nonlocal appended
        version = 1
        while going:
            result = await append(behind, match_id, version, Item(b"%d" % version, 0, 1, version))
            assert isinstance(result, Appended)
            assert result.first == version + 1
            version = result.last
            appended += 1
        return version

    plays = [asyncio.create_task(play(match_id)) for match_id in ids]
    for number in range(25):
        enough = appended + draw.randint(20, 140)
        await until(lambda enough=enough: appended >= enough)
        await asyncio.sleep(draw.uniform(0, 0.002))
        proxy.mute = number % 2 == 0
        if proxy.mute:
            await asyncio.sleep(draw.uniform(0, 0.01))
        proxy.cut()
        proxy.mute = False
    going = False
    ends = await asyncio.gather(*plays)
    assert proxy.accepted > 10
    assert min(ends) > 25
    for match_id, end in zip(ids, ends, strict=True):
        read = await matches.read(match_id, 1)
        assert read is not None
        assert [entry.seq for entry in read] == list(range(1, end))


@within(10)
async def test_killed_by_the_engine(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """A connection that the engine kills, again and again, costs no append."""
    matches = open_store(engine.url).matches
    ids = await many(matches, 30)
    for version in range(1, 6):
        asked = [asyncio.create_task(append(matches, match_id, version, Item(b"a"))) for match_id in ids]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        engine.admin.client_kill_filter(_id=str(matches.pipeline.client_id))
        assert {(r.first, r.last) for r in await asyncio.gather(*asked) if isinstance(r, Appended)} == {
            (version + 1, version + 1)
        }
    assert set((await versions(matches, ids)).values()) == {6}


@within(10)
async def test_the_old_connection_is_ended(engine: Engine, proxy: Proxy, open_store: Callable[..., Opened]) -> None:
    """A connection that the engine still holds to be whole is ended there before anything is sent again."""
    behind = open_store(proxy.url).matches
    await many(behind, 1)
    old = behind.pipeline.client_id
    proxy.keep_engine_side = True
    proxy.cut()
    result = await append(behind, "m0", 1, Item(b"a"))
    assert isinstance(result, Appended)
    assert behind.pipeline.client_id != old
    assert old not in {int(client["id"]) for client in engine.admin.client_list()}


@within(10)
async def test_scripts_forgotten(matches: Matches, engine: Engine) -> None:
    """An engine that forgot the scripts is told them again, in the middle of traffic."""
    ids = await many(matches, 20)
    for version in range(1, 5):
        engine.admin.script_flush()
        results = await asyncio.gather(*(append(matches, match_id, version, Item(b"a")) for match_id in ids))
        assert all(isinstance(result, Appended) for result in results)
        await matches.touch("m0", {"0:a": 1_000})
        assert (await matches.create("m0", b"", TTL_MS))[0] is False
    assert set((await versions(matches, ids)).values()) == {5}


@within(10)
async def test_out_of_memory(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """A full engine refuses with `oom`, writes nothing of it, still reads, and goes on when there is room."""
    matches = open_store(own_engine.url).matches
    await many(matches, 2)
    await append(matches, "m0", 1, Item(b"sits", 0, 1, 0))
    before = (await matches.read("m0"), own_engine.admin.hgetall("fw:{m0}:h"))
    own_engine.admin.config_set("maxmemory", "100kb")
    results = await asyncio.gather(
        append(matches, "m0", 2, Item(b"a", 0, 1, 1), Item(b"b", 0, 1, 2)),
        append(matches, "m1", 1, Item(b"a")),
    )
    assert [result.code for result in results if isinstance(result, Refused)] == ["oom", "oom"]
    with pytest.raises(EngineError, match="oom"):
        await matches.create("new", b"", TTL_MS)
    assert (await matches.read("m0"), own_engine.admin.hgetall("fw:{m0}:h")) == before
    assert own_engine.admin.keys("fw:{new}*") == []
    own_engine.admin.config_set("maxmemory", "0")
    assert isinstance(await append(matches, "m0", 2, Item(b"a", 0, 1, 1)), Appended)


@within(20)
async def test_killed_and_started_again(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """All that was told as appended is there after a kill -9; what was outstanding is carried out once."""
    store = open_store(own_engine.url)
    matches = store.matches
    ids = await many(matches, 30)
    loop = asyncio.get_running_loop()
    await until(lambda: store.states == ["up"])  # a first kill before that would be no loss of the line
    for version in range(1, 4):
        asked = [asyncio.create_task(append(matches, match_id, version, Item(b"a"))) for match_id in ids]
        await asyncio.sleep(0.001)
        await loop.run_in_executor(None, own_engine.end, signal.SIGKILL)
        told = [task.result() for task in asked if task.done()]
        await loop.run_in_executor(None, own_engine.start_again)
        heads = await versions(matches, ids)
        assert sum(head == version + 1 for head in heads.values()) >= len(told)
        results = await asyncio.gather(*asked)
        assert [(r.first, r.last) for r in results if isinstance(r, Appended)] == [(version + 1, version + 1)] * len(
            ids
        )
    assert set((await versions(matches, ids)).values()) == {4}
    await until(lambda: store.states == ["up"] + ["down", "up"] * 3)


@within(10)
async def test_a_publication_that_fails(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """An append whose publication the engine forbids is appended all the same."""
    own_engine.admin.acl_setuser(
        "mute", enabled=True, passwords=["+s@c"], commands=["+@all"], keys=["*"], reset_channels=True
    )
    url = own_engine.url.replace("unix://", "unix://mute:s%40c@")
    matches = open_store(url).matches
    await many(matches, 1)
    assert isinstance(await append(matches, "m0", 1, Item(b"a")), Appended)
    assert await versions(matches, ["m0"]) == {"m0": 2}
    with pytest.raises(EngineError, match="denied"):
        await matches.subscribe("m0", lambda entries: None)


@within(10)
async def test_databases_and_passwords(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """User, password and database of the address hold for every kind of command; a wrong password is told."""
    own_engine.admin.acl_setuser(
        "ada", enabled=True, passwords=["+pw"], commands=["+@all"], keys=["*"], channels=["*"]
    )
    right = open_store(own_engine.url.replace("unix://", "unix://ada:pw@") + "?db=3").matches
    await right.create("m", b"first", TTL_MS)
    assert isinstance(await append(right, "m", 1, Item(b"a")), Appended)
    await right.subscribe("m", lambda entries: None)
    assert await versions(right, ["m"]) == {"m": 2}
    own_engine.admin.execute_command("SELECT", 3)
    assert own_engine.admin.exists("fw:{m}:h")
    wrong = open_store(own_engine.url.replace("unix://", "unix://ada:no@")).matches
    with pytest.raises(EngineError) as raised:
        await versions(wrong, ["m"])
    assert raised.value.code == "denied"
    await until(lambda: "WRONGPASS" in wrong.pipeline.trouble)
    assert wrong.pipeline.state == "down"


@within(10)
async def test_a_replica(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """While a failover is going on appends wait, awaited commands say so, and then all goes on."""
    matches = open_store(own_engine.url).matches
    await many(matches, 1)
    own_engine.admin.execute_command("REPLICAOF", "127.0.0.1", "1")
    waits = asyncio.create_task(append(matches, "m0", 1, Item(b"a")))
    with pytest.raises(EngineError) as raised:
        await matches.claim_room("ABCD", "m0", TTL_MS)
    assert raised.value.code == "engine_away"
    with pytest.raises(EngineUnfit, match="replica"):
        await matches.check_engine()
    assert not waits.done()
    own_engine.admin.execute_command("REPLICAOF", "NO", "ONE")
    assert await waits == Appended(2, 2, (await matches.read("m0", 1) or [])[0].at_ms)


@within(10)
async def test_words_hold_no_payload(matches: Matches, engine: Engine) -> None:
    """What an error says may go to a log: it does not carry what was to be stored."""
    engine.admin.set("fw:{m}:h", "not a hash")
    with pytest.raises(EngineError) as raised:
        await versions(matches, ["m"])
    assert raised.value.code == "refused"
    engine.admin.delete("fw:{m}:h")
    engine.admin.config_set("maxmemory", "100kb")
    try:
        with pytest.raises(EngineError) as raised:
            await matches.create("m", b"the secret", TTL_MS)
    finally:
        engine.admin.config_set("maxmemory", "0")
    assert raised.value.code == "oom"
    assert "secret" not in str(raised.value)


@within(10)
async def test_an_engine_that_is_away(open_store: Callable[..., Opened]) -> None:
    """Awaited commands say so in one kind of error; an append waits, and is answered on closing at last."""
    matches = open_store("unix:///tmp/fw-nobody-is-here.sock", timeout_s=0.5).matches
    with pytest.raises(EngineError) as raised:
        await matches.read("m")
    assert raised.value.code == "engine_away"
    waits = asyncio.create_task(append(matches, "m", 1, Item(b"a")))
    await asyncio.sleep(0.05)
    assert not waits.done()
    await matches.pipeline.close(patience_s=0)
    assert (await waits) == Refused("closed", "unknown whether it was carried out")


def test_on_uvloop_too(engine: Engine) -> None:
    """The same under uvloop: append, hear, be cut, go on."""

    async def play() -> None:
        lost: list[str] = []
        heard: list[int] = []
        proxy = Proxy(engine.socket)
        await proxy.start()
        matches = Matches(proxy.url, lost=lost.append)
        async with asyncio.timeout(30):
            await matches.create("m", b"first", TTL_MS)
            await matches.subscribe("m", lambda entries: heard.extend(entry.version for entry in entries))
            assert isinstance(await append(matches, "m", 1, Item(b"a")), Appended)
            await until(lambda: heard == [2])
            proxy.mute = True
            asked = asyncio.create_task(append(matches, "m", 2, Item(b"b")))
            await asyncio.sleep(0.05)
            proxy.mute = False
            proxy.cut()
            assert isinstance(await asked, Appended)
            await until(lambda: lost == ["m"])
            assert isinstance(await append(matches, "m", 3, Item(b"c")), Appended)
            await until(lambda: heard[-1] == 4)
            await matches.close()
            await proxy.close()

    uvloop.run(play())
