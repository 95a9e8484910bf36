"""Subscriptions: heard in order, and a gap in them is told."""

import asyncio
import signal
from collections.abc import Callable

import pytest
from store_tools import TTL_MS, Engine, Opened, Proxy, append, until, within

from server.store.entries import stored_from_publication, word_of, word_publication
from server.store.errors import EngineError
from server.store.matches import Appended, Item, Matches, Stored


@within(10)
async def test_heard_in_order(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Once subscribed, everything that anybody appends is heard as it is stored, in order."""
    left, right = open_store(engine.url).matches, open_store(engine.url).matches
    await left.create("m", b"first", TTL_MS)
    await left.create("other", b"first", TTL_MS)
    heard: list[list[Stored]] = []
    await left.subscribe("m", heard.append)
    version = 1
    for number in range(60):
        items = [Item(b"%d\n1 2 3\n\x00" % number, 0, 1, number), Item(b"")][: 1 + number % 2]
        result = await append((left, right)[number % 2], "m", version, *items)
        assert isinstance(result, Appended)
        version = result.last
        await append(right, "other", number + 1, Item(b"not for m"))
    await until(lambda: len(heard) == 60)
    assert [entry for entries in heard for entry in entries] == await right.read("m", 1)


@within(10)
async def test_a_word_that_is_passed_on(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """A word reaches who listens to that match, among its entries in order; it is no entry, and nothing keeps it."""
    left, right = open_store(engine.url).matches, open_store(engine.url).matches
    for name in ("m", "other"):
        await left.create(name, b"first", TTL_MS)
    entries: list[Stored] = []
    words: list[str] = []
    own: list[str] = []
    await left.subscribe("m", entries.extend, word=words.append)
    await right.subscribe("m", lambda _: None, own=False, word=own.append)
    await append(right, "m", 1, Item(b"a"))
    right.pass_on("m", "3:wow")
    right.pass_on("other", "4:wow")
    await append(right, "m", 2, Item(b"b"))
    await until(lambda: len(entries) == 2)
    assert (words, own) == (["3:wow"], [])
    assert await right.read("m", 1) == entries


def test_a_word_is_no_entry_to_an_older_program() -> None:
    """What read publications before words were passed on finds none in one, and goes on."""
    assert stored_from_publication(word_publication("author", "0:wow")) == []
    assert word_of(b"57 1790000000000 author digest\n0 1 5 2\n{}") is None


@within(10)
async def test_unsubscribed(matches: Matches) -> None:
    """After unsubscribing nothing is heard; subscribing again at once is no loss."""
    await matches.create("m", b"first", TTL_MS)
    first: list[object] = []
    second: list[object] = []
    await matches.subscribe("m", first.append)
    await matches.unsubscribe("m")
    await matches.unsubscribe("m")
    await matches.subscribe("m", second.append)
    await append(matches, "m", 1, Item(b"a"))
    await until(lambda: second)
    await matches.unsubscribe("m")
    await append(matches, "m", 2, Item(b"b"))
    await asyncio.sleep(0.05)
    assert (len(first), len(second), len(matches.ear)) == (0, 1, 0)


@within(10)
async def test_a_lost_subscription_is_told(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """When the engine ends the connection each match is told as lost once, and goes on being heard."""
    store = open_store(engine.url)
    heard: dict[str, list[int]] = {f"m{number}": [] for number in range(20)}
    for match_id, versions in heard.items():
        await store.matches.create(match_id, b"first", TTL_MS)
        await store.matches.subscribe(
            match_id, lambda entries, versions=versions: versions.extend(e.version for e in entries)
        )
    for times in (1, 2):
        engine.admin.client_kill_filter(_id=str(store.matches.ear.client_id))
        await until(lambda times=times: len(store.lost) == 20 * times)
        for match_id in heard:
            await append(store.matches, match_id, times, Item(b"a"))
    assert sorted(store.lost) == sorted([*heard, *heard])
    await until(lambda: all(versions == [2, 3] for versions in heard.values()))


@within(10)
async def test_a_slot_that_moves_away(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """A subscription that the engine ends unasked is made again, and told as lost."""
    store = open_store(engine.url)
    await store.matches.create("m", b"first", TTL_MS)
    heard: list[object] = []
    await store.matches.subscribe("m", heard.append)
    store.matches.ear._heard([b"sunsubscribe", b"fw:{m}:c", 0])
    await until(lambda: store.lost == ["m"])
    await append(store.matches, "m", 1, Item(b"a"))
    await until(lambda: heard)


@within(10)
async def test_subscribing_waits_for_the_engine(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Subscribing while the engine is away is done when it is back; given up, nothing is left of it."""
    store = open_store(own_engine.url)
    await store.matches.create("m", b"first", TTL_MS)
    own_engine.end(signal.SIGKILL)
    heard: list[object] = []
    waits = asyncio.create_task(store.matches.subscribe("m", heard.append))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await store.matches.subscribe("given up", heard.append)
    assert not waits.done()
    assert len(store.matches.ear) == 1
    await asyncio.get_running_loop().run_in_executor(None, own_engine.start)
    await waits
    await append(store.matches, "m", 1, Item(b"a"))
    await until(lambda: heard)
    assert store.lost == []


@within(20)
async def test_a_silent_line_is_given_up(
    engine: Engine, proxy: Proxy, open_store: Callable[..., Opened], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection on which nothing comes any more, though it is open, is replaced and the gap told."""
    monkeypatch.setattr("server.store.ear._PING_S", 0.05)
    store = open_store(proxy.url, reply_timeout_s=0.5)
    await store.matches.create("m", b"first", TTL_MS)
    heard: list[object] = []
    await store.matches.subscribe("m", heard.append)
    await asyncio.sleep(0.5)  # probes that are answered change nothing
    assert store.lost == []
    proxy.mute_present()
    await until(lambda: store.lost == ["m"])
    await append(store.matches, "m", 1, Item(b"a"))
    await until(lambda: heard)


@within(10)
async def test_a_subscriber_that_fails_harms_no_other(matches: Matches) -> None:
    """What a subscriber raises goes to the loop's handler; the others hear all the same."""
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    heard: list[object] = []

    def fails(entries: list[Stored]) -> None:
        raise LookupError(entries)

    for match_id, callback in (("bad", fails), ("good", heard.append)):
        await matches.create(match_id, b"first", TTL_MS)
        await matches.subscribe(match_id, callback)
        await append(matches, match_id, 1, Item(b"a"))
    await until(lambda: heard and complaints)


@within(10)
async def test_closing_ends_who_waits(open_store: Callable[..., Opened]) -> None:
    """Who still waits for a confirmation when the store closes is told so."""
    matches = open_store("unix:///tmp/fw-nobody-is-here.sock").matches
    waits = asyncio.create_task(matches.subscribe("m", lambda entries: None))
    await asyncio.sleep(0.01)
    await matches.ear.close()
    with pytest.raises(EngineError, match="closed"):
        await waits
