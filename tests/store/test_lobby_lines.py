"""The lobby is a hint: it expires by itself and never grows without bound."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from store_tools import Engine, within

from server.store.lobby import MOST_LINES, Lobby


@pytest.fixture
async def lobby(engine: Engine) -> AsyncIterator[Lobby]:
    """A lobby on the shared engine."""
    lobby = Lobby(engine.url)
    yield lobby
    await lobby.close()


@within(10)
async def test_published_renewed_withdrawn(lobby: Lobby) -> None:
    """A room has one line, the last one published, until it is withdrawn; the freshest come first."""
    assert await lobby.list(10) == []
    await lobby.publish("m1", b"one", 60_000)
    await lobby.publish("m2", b"two", 61_000)
    await lobby.publish("m1", b"one, two seats", 62_000)
    assert await lobby.list(10) == [b"one, two seats", b"two"]
    assert await lobby.list(1) == [b"one, two seats"]
    await lobby.withdraw("m1")
    await lobby.withdraw("m1")
    assert await lobby.list(10) == [b"two"]


@within(10)
async def test_lines_expire(lobby: Lobby, engine: Engine) -> None:
    """A line that is not renewed is not listed any more, and an idle lobby leaves no keys behind."""
    await lobby.publish("m1", b"short", 50)
    await lobby.publish("m2", b"long", 250)
    await asyncio.sleep(0.1)
    assert await lobby.list(10) == [b"long"]
    await lobby.publish("m3", b"three", 100)
    assert engine.admin.hkeys("fw:{lobby}:lines") == [b"m2", b"m3"]
    await asyncio.sleep(0.25)
    assert engine.admin.keys("fw:{lobby}*") == []
    with pytest.raises(ValueError, match="above 0"):
        await lobby.publish("m1", b"one", 0)


@within(20)
async def test_bounded(engine: Engine, lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the cap the lines that would end first go."""
    assert MOST_LINES <= 1_000
    monkeypatch.setattr("server.store.lobby.MOST_LINES", 30)
    for number in range(50):
        await lobby.publish(f"m{number}", b"%d" % number, 60_000 + 10 * number)
    assert engine.admin.zcard("fw:{lobby}:ends") == 30
    assert engine.admin.hlen("fw:{lobby}:lines") == 30
    assert (await lobby.list(1), len(await lobby.list(5_000))) == ([b"49"], 30)
