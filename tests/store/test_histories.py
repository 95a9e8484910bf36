"""The digest in a match's head: equal versions with unequal digests are different histories."""

import asyncio
from collections.abc import Callable

from store_tools import TTL_MS, Engine, Opened, append, until, within

from server.store.entries import chain
from server.store.matches import Appended, Conflict, Head, Item, Matches, Result, Stored


async def append_on(matches: Matches, match_id: str, head: Head, *items: Item) -> Result:
    """Append to this very history."""
    future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    matches.append(match_id, head.version, items, TTL_MS, future.set_result, head.digest)
    return await future


@within(10)
async def test_both_sides_reckon_alike(matches: Matches) -> None:
    """The digest that the engine keeps is the chain over the entries as they are read, whatever they hold."""
    await matches.create("m", b"first\n", TTL_MS)
    await append(matches, "m", 1, Item(b"a\x00\xff\r\n", 0, 1, 0), Item(b"", 0, 1, 1), Item(b"c" * 5_000))
    await append(matches, "m", 4, Item("ü".encode()))
    history = await matches.history("m")
    assert history is not None
    head, entries = history
    digest = ""
    for entry in entries:
        digest = chain(digest, entry)
    assert head == Head(5, digest) == (await matches.heads(["m"]))["m"]
    assert [entry.digest for entry in entries] == ["", "", "", "", digest]
    assert (await matches.history("m", 5)) == (head, [])


@within(10)
async def test_a_decision_holds_on_its_own_history_only(matches: Matches) -> None:
    """With the digest of another history an append of the right version is a conflict, and writes nothing."""
    await matches.create("m", b"first", TTL_MS)
    head = (await matches.heads(["m"]))["m"]
    assert head is not None
    other = Head(1, "0" * 16)
    conflict = await append_on(matches, "m", other, Item(b"a"))
    assert isinstance(conflict, Conflict)
    assert (conflict.version, conflict.digest, conflict.missing) == (1, head.digest, ())
    assert isinstance(await append_on(matches, "m", head, Item(b"a")), Appended)
    behind = await append_on(matches, "m", head, Item(b"b"))
    assert isinstance(behind, Conflict)
    assert behind.missing[-1].digest == behind.digest == chain(head.digest, behind.missing[0])


@within(10)
async def test_publications_tell_it(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Whoever hears an append hears the digest after it, whether the script publishes or the worker does."""
    matches, waits = open_store(engine.url).matches, open_store(engine.url, replicas=1).matches
    await matches.create("m", b"first", TTL_MS)
    heard: list[Stored] = []
    await matches.subscribe("m", heard.extend)
    for store in (matches, waits):
        head = (await matches.heads(["m"]))["m"]
        assert head is not None
        assert isinstance(await append_on(store, "m", head, Item(b"a", 0, 1, head.version), Item(b"b")), Appended)
    await until(lambda: len(heard) == 4)
    read = await matches.read("m", 1) or []
    assert heard == read
    assert heard[-1].digest == read[-1].digest != ""
    assert [bool(entry.digest) for entry in heard] in ([False, True, True, True], [False, True, False, True])


@within(10)
async def test_matches_of_older_programs(matches: Matches, engine: Engine) -> None:
    """A head without a digest never gets one, and nothing is compared with it."""
    await matches.create("m", b"first", TTL_MS)
    engine.admin.hdel("fw:{m}:h", "d")
    result = await append_on(matches, "m", Head(1, "0" * 16), Item(b"a"))
    assert isinstance(result, Appended)
    assert await matches.heads(["m"]) == {"m": Head(2, "")}
