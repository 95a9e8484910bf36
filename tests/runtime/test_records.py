"""Every ended match leaves a record that outlives it, whoever was killed and when; a setting says for how long."""

import asyncio
import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
import redis

from server.runtime.lifetimes import DAY_MS, Lifetimes, lifetimes_for
from server.runtime.records import RecordKeeper
from server.store.errors import EngineError

from .bots import Bot
from .crowd import get
from .servers import Engine, House, Serve, Street

MakeBot = Callable[..., Bot]


def keep(house: House, **lives: Any) -> None:
    """Give a worker other lifetimes, its records' among them."""
    house.hub._lifetimes = house.hub.records._lifetimes = Lifetimes(**lives)


async def ended(house: House, bot: MakeBot, **options: Any) -> Bot:
    """Play a match of one to its end."""
    ada = await bot(house.url, "Ada").open()
    await ada.host(seats=1, holes=1, **options)
    await ada.until_phase("playing")
    await ada.must("draw", stock=16)
    await ada.must("give_up", hole=1)
    await ada.until_phase("ended")
    return ada


async def kept(engine: Engine, match_id: str) -> bytes:
    """Wait until the engine has a record, and return it."""
    with redis.Redis(unix_socket_path=str(engine.socket)) as admin:
        while (data := admin.get(f"fw:{{{match_id}}}:r")) is None:
            await asyncio.sleep(0.01)
        assert isinstance(data, bytes)
        return data


def forget(engine: Engine, match_id: str, *kinds: str) -> None:
    """Take keys of a match away: its stream and head as if they had run out, or its record."""
    with redis.Redis(unix_socket_path=str(engine.socket)) as admin:
        assert admin.delete(*(f"fw:{{{match_id}}}:{kind}" for kind in kinds)) == len(kinds)


def expected(engine: Engine) -> set[str]:
    """Return the matches whose record somebody still looks for."""
    with redis.Redis(unix_socket_path=str(engine.socket)) as admin:
        return {member.decode() for member in admin.zrange("fw:{records}", 0, -1)}


async def test_record_outlives_its_match(street: Street, bot: MakeBot) -> None:
    """The record is kept when the match ends, and the same bytes are served when stream and head are long gone."""
    async with asyncio.timeout(20):
        one, two = await street.open("w1"), await street.open("w2")
        ada = await ended(one, bot)
        data = await kept(street.engine, ada.match_id)
        path = f"/api/matches/{ada.match_id}"
        status, headers, body = await get(one.url, path)
        assert (status, headers["content-type"]) == (200, "application/json; charset=utf-8")
        assert body.encode() == gzip.decompress(data)
        assert json.loads(body)["holes"][0]["seats"]["0"]["result"]["how"] == "gave_up"
        await ada.do("leave")  # home after the end: nothing of it is in the record
        await ada.close()
        forget(street.engine, ada.match_id, "s", "h")
        for house in (one, two):
            assert await get(house.url, path) == (status, headers, body)


async def test_record_is_gzipped_for_whom_takes_it(house: House, bot: MakeBot, street: Street) -> None:
    """A browser gets the record as it is kept, a program that takes no gzip gets it plain."""
    async with asyncio.timeout(20):
        ada = await ended(house, bot)
        data = await kept(street.engine, ada.match_id)
        host, _, port = house.url.removeprefix("ws://").rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        asked = f"GET /api/matches/{ada.match_id} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(asked.encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        assert b"Content-Encoding: gzip" in head
        assert b"Vary: Accept-Encoding" in head
        assert body == data


@pytest.mark.parametrize("how", ["opened", "asked", "swept"])
async def test_missed_record_is_made_good(street: Street, bot: MakeBot, how: str) -> None:
    """Where no worker came to write it, the next who opens the match, asks for it or sweeps does."""
    async with asyncio.timeout(20):
        house = await street.open("w1")
        keep(house, look_ms=100)
        ada = await ended(house, bot)
        first = await kept(street.engine, ada.match_id)
        await ada.close()
        forget(street.engine, ada.match_id, "r")
        other = await street.open("w2")
        keep(other, look_ms=100)
        if how == "opened":
            again = bot(other.url, "Ada")
            again.token, again.match_id = ada.token, ada.match_id
            await again.open()
            await again.resume(fresh=True)
        elif how == "asked":
            assert (await get(other.url, f"/api/matches/{ada.match_id}"))[0] == 200
        else:
            while ada.match_id in expected(street.engine):
                await asyncio.sleep(0.05)
                await other.sweep()
        assert await kept(street.engine, ada.match_id) == first


async def test_sweep_lets_go_of_what_needs_none(street: Street, bot: MakeBot) -> None:
    """Matches that go on, also on a worker that holds them, stay in the list; those that are gone leave it."""
    async with asyncio.timeout(20):
        house, other = await street.open("w1"), await street.open("w2")
        for one in (house, other):
            keep(one, look_ms=50)
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        eve = await bot(house.url, "Eve").open()
        await eve.host(seats=2, holes=1)
        await eve.do("leave")  # it ends before anything was dealt: there is nothing to keep
        for _ in range(4):
            await asyncio.sleep(0.06)
            await house.sweep()
            await other.sweep()
        assert ada.match_id in expected(street.engine)
        while eve.match_id in expected(street.engine):
            await asyncio.sleep(0.06)
            await other.sweep()
        with redis.Redis(unix_socket_path=str(street.engine.socket)) as admin:
            assert admin.exists(f"fw:{{{eve.match_id}}}:r") == 0
        assert ada.match_id in expected(street.engine)
        forget(street.engine, ada.match_id, "s", "h")
        while ada.match_id in expected(street.engine):
            await asyncio.sleep(0.06)
            await other.sweep()


async def test_records_end_by_the_setting(street: Street, bot: MakeBot) -> None:
    """With days given, a record ends so long after its match, and isn't made again from a stream that is still there."""
    async with asyncio.timeout(20):
        house = await street.open("w1")
        keep(house, record_ms=700)
        ada = await ended(house, bot)
        await kept(street.engine, ada.match_id)
        path = f"/api/matches/{ada.match_id}"
        status, _, body = await get(house.url, path)
        assert status == 200
        await asyncio.sleep(0.8)
        assert (await get(house.url, path))[::2] == (404, '{"code":"no_such_match"}')
        with redis.Redis(unix_socket_path=str(street.engine.socket)) as admin:
            assert admin.exists(f"fw:{{{ada.match_id}}}:s") == 1
            assert admin.exists(f"fw:{{{ada.match_id}}}:r") == 0
        assert json.loads(body)["ended_at"] > 0


def test_days_are_lifetimes() -> None:
    """For ever leaves a stream its ninety days; fewer days are the stream's as well."""
    assert lifetimes_for(None) == Lifetimes()
    assert (lifetimes_for(7).record_ms, lifetimes_for(7).ended_ms) == (7 * DAY_MS, 7 * DAY_MS)
    assert (lifetimes_for(400).record_ms, lifetimes_for(400).ended_ms) == (400 * DAY_MS, 90 * DAY_MS)


async def test_record_that_cannot_be_kept_is_told(house: House, bot: MakeBot, street: Street) -> None:
    """An engine that takes no more (its memory is full) still serves records; they are kept once it has room."""
    async with asyncio.timeout(20):
        ada = await ended(house, bot)
        first = await kept(street.engine, ada.match_id)
        forget(street.engine, ada.match_id, "r")
        keeper: RecordKeeper = house.hub.records
        put = keeper._records.put

        async def full(*_: Any) -> bytes:
            raise EngineError("oom", "command not allowed when used memory > 'maxmemory'")

        keeper._records.put = full  # type: ignore[method-assign]
        assert await keeper.get(ada.match_id) == first
        keeper._records.put = put  # type: ignore[method-assign]
        assert await keeper.get(ada.match_id) == await kept(street.engine, ada.match_id) == first


@pytest.mark.processes
async def test_worker_killed_at_the_end(serve: Serve, bot: MakeBot) -> None:
    """All processes killed with -9 right after the end was told: the record is there when it is asked for."""
    async with asyncio.timeout(60):
        server = serve()
        ada = await bot(server.url, "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        await ada.must("give_up", hole=1)
        await ada.until_phase("ended")
        await asyncio.to_thread(server.kill)
        again = await asyncio.to_thread(serve, "--record-days", "30", again=server)
        status, _, body = await get(again.url, f"/api/matches/{ada.match_id}")
        assert (status, json.loads(body)["match"]) == (200, ada.match_id)
        await asyncio.to_thread(again.stop)
