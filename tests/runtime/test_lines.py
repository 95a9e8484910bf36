"""Lines that don't read, lines that flood, plain HTTP; and that nothing of them stays behind."""

import asyncio
import contextlib
import gc
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .bots import Bot
from .crowd import get
from .servers import House, Street
from .test_reconnect import started, twin

MakeBot = Callable[..., Bot]


async def test_reader_that_stops(house: House, bot: MakeBot) -> None:
    """A page that stops reading is cut once its outbox is full; its rivals play on as fast, and it can come back."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1, undo="all")
        idle = await bot(house.url, "Idle").open()
        await idle.watch(ada.room)
        idle.ws.transport.pause_reading()
        await ada.until(lambda: ada.heard[-1].frame.get("spectators") == 1)
        (session,) = house.hub.rooms[ada.match_id].audience.sessions[None]
        session.outbox._limit = 4_096  # the kernel's own buffers take what is sent before that
        loop = asyncio.get_running_loop()
        slowest, before_it = 0.0, len(ada.heard)
        stuffing = "x" * 65_536
        rounds = 0
        while not session.outbox.overflowed:
            rounds += 1
            assert rounds < 2_000, "the outbox never filled"
            session.say({"t": "pong", "n": 0, "pad": stuffing})
            before = loop.time()
            if bob.view["you"]["undo"]:
                await bob.must("undo", moves=bob.view["you"]["move_count"], undos=bob.view["you"]["undo_count"])
            elif rounds < 400:
                await bob.must("draw", stock=16)
            slowest = max(slowest, loop.time() - before)
        assert slowest < 1.0
        await ada.must("draw", stock=16)
        await bob.until(lambda: bob.view["seats"]["0"]["stock"] == 15)
        await ada.until(lambda: any(heard.frame.get("spectators") == 0 for heard in ada.heard[before_it:]))
        idle.ws.transport.resume_reading()
        assert await idle.closed() == 1006
        await idle.come_back()
        await idle.refresh()


async def test_flood(street: Street, bot: MakeBot) -> None:
    """Who sends far more than anybody can play hears too_fast and is closed; the others notice nothing."""
    async with asyncio.timeout(20):
        house = await street.open("w1", generous=False)
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1)
        with contextlib.suppress(ConnectionClosed):  # a busy machine may close it before the last is sent
            for number in range(400):
                await ada.ws.send(json.dumps({"t": "ping", "n": number}))
                if number % 50 == 0:
                    await bob.pong()
        assert await ada.closed() == 1008
        assert ada.heard[-1].frame["code"] == "too_fast"
        await bob.must("draw", stock=16)
        await ada.come_back()
        assert ada.view["seats"]["1"]["stock"] == 15


async def test_quick_plays_are_no_flood(street: Street, bot: MakeBot) -> None:
    """A whole hole played as fast as a line carries it is no flood."""
    async with asyncio.timeout(20):
        house = await street.open("w1", generous=False)
        players = await started(house, bot, "Ada", "Bob", holes=1)
        await asyncio.gather(*(one.play() for one in players))
        assert {one.resumes for one in players} == {0}


async def test_rooms_by_address(street: Street, bot: MakeBot) -> None:
    """One address makes so many rooms and no more; another may still make one."""
    async with asyncio.timeout(20):
        house = await street.open("w1", generous=False)
        codes = []
        for number in range(40):
            one = bot(house.url, f"Host {number}")
            one.address = "127.0.3.1"
            await one.open()
            await one.say(t="host", name="Ada", token=one.token, options={"seats": 2})
            frame = await one.hear()
            codes.append(frame.get("code"))
            await one.close()
        assert codes[:25] == [None] * 25
        assert set(codes[35:]) == {"too_many_rooms"}
        await (await bot(house.url).open()).host(seats=2)


async def test_silent_line(house: House) -> None:
    """A line that never greets is told so and closed."""
    house.gateway._greeting_s = 0.1
    async with asyncio.timeout(30):
        ws = await connect(f"{house.url}/ws")
        assert isinstance(raw := await ws.recv(), str)
        assert json.loads(raw)["code"] == "not_greeted"
        with pytest.raises(ConnectionClosed):
            await ws.recv()
        assert ws.close_code == 1008


async def test_half_a_handshake(house: House, bot: MakeBot) -> None:
    """Bytes that are no HTTP, and a line that says nothing, cost only themselves."""
    async with asyncio.timeout(30):
        host, _, port = house.url.removeprefix("ws://").rpartition(":")
        for junk in (b"", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00\x01", b"\r\n" * 500, b"A" * 20_000):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(junk)
            await writer.drain()
            writer.transport.abort()
        await (await bot(house.url).open()).host(seats=1)


async def test_pages_and_headers(house: House) -> None:
    """The page and the answers for programs bear the security headers; what isn't there is not found."""
    async with asyncio.timeout(30):
        for path, status in (
            ("/", 200),
            ("/index.html", 200),
            ("/?x=1", 200),
            ("/healthz", 200),
            ("/readyz", 200),
            ("/nothing", 404),
            ("/../pyproject.toml", 404),
            ("/%2e%2e/pyproject.toml", 404),
            ("/api/matches/" + "a" * 26, 404),
        ):
            answered, headers, body = await get(house.url, path)
            assert answered == status, path
            assert "default-src 'none'" in headers["content-security-policy"], path
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "server" not in headers
            assert body
        _, headers, body = await get(house.url, "/")
        assert "<title>Fairway</title>" in body
        status, _, body = await get(house.url, "/", **{"If-None-Match": headers["etag"]})
        assert (status, body) == (304, "")
        status, _, _ = await get(house.url, "/ws")
        assert status == 426


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "null", "http://127.0.0.1.evil.example"]
)
async def test_foreign_origin(house: House, origin: str) -> None:
    """A page of another origin gets no line."""
    async with asyncio.timeout(30):
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{house.url}/ws", additional_headers={"Origin": origin})
        assert refused.value.response.status_code == 403


async def test_own_origin(house: House) -> None:
    """The server's own page gets one."""
    async with asyncio.timeout(30):
        own = house.url.replace("ws://", "http://")
        async with connect(f"{house.url}/ws", additional_headers={"Origin": own}) as ws:
            await ws.send('{"t":"hello","protocol":1}')
            assert isinstance(raw := await ws.recv(), str)
            assert json.loads(raw)["t"] == "welcome"


async def test_drain(street: Street, bot: MakeBot) -> None:
    """A worker that stops says so before it closes with 1012."""
    async with asyncio.timeout(30):
        house = await street.open()
        (ada,) = await started(house, bot, "Ada", holes=1)
        await ada.pong()
        await house.stop()
        assert await ada.closed() == 1012
        assert ada.heard[-1].frame == {"t": "status", "state": "draining"}


async def test_stop_that_is_not_heard(street: Street) -> None:
    """Background work that misses its cancellation, as a client library may make it, does not hold a stop up."""
    async with asyncio.timeout(30):
        house = await street.open()
        await asyncio.sleep(0.1)
        beat, beating = house.hub.matches.beat, asyncio.Event()

        async def deaf() -> tuple[int, int | None]:
            beating.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            return await beat()

        house.hub.matches.beat = deaf  # type: ignore[method-assign]
        await beating.wait()
        await house.stop()


async def test_presence(house: House, bot: MakeBot) -> None:
    """Everybody hears who is online and how many look on, as they come and go."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1)
        eve = await bot(house.url, "Eve").open()
        await eve.watch(ada.room)

        def said(**presence: object) -> Callable[[], bool]:
            return lambda: ada.heard[-1].frame == {"t": "presence", **presence}

        await ada.until(said(seats={"0": None, "1": None}, spectators=1))
        await eve.close()
        await ada.until(said(seats={"0": None, "1": None}, spectators=0))
        bob.cut()
        await ada.until(lambda: ada.heard[-1].frame["t"] == "presence" and ada.heard[-1].frame["seats"]["1"])
        assert abs(ada.heard[-1].frame["seats"]["1"] - house.clock.now_ms()) < 2_000
        await bob.come_back()
        await ada.until(said(seats={"0": None, "1": None}, spectators=0))


async def test_presence_after_a_takeover(house: House, bot: MakeBot) -> None:
    """A seat whose second page goes is offline at once: the first page's lease ended with the first page."""
    async with asyncio.timeout(30):
        ada, bob = await started(house, bot, "Ada", "Bob", holes=1)
        await house.poll()
        second = await twin(bot, ada).open()
        await second.resume(fresh=True)
        assert await ada.closed() == 4001
        await asyncio.sleep(0.05)
        await house.poll()
        second.cut()
        await bob.until(lambda: bob.heard[-1].frame["t"] == "presence" and bob.heard[-1].frame["seats"]["0"])
        await asyncio.sleep(0.05)
        await house.poll()
        await bob.pong()
        shown = [heard.frame["seats"]["0"] for heard in bob.heard if heard.frame["t"] == "presence"]
        assert shown[-1] is not None


async def test_nothing_stays(street: Street, bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many rooms, pages, cuts and refusals a worker holds no room, channel, task or session more."""
    monkeypatch.setattr("server.runtime.hub.LINGER_S", 0.0)
    async with asyncio.timeout(60):
        house = await street.open()
        await (await bot(house.url).open()).pong()
        await house.poll()

        def held() -> tuple[int, ...]:
            gc.collect()
            hub, gateway = house.hub, house.gateway
            return (
                len(hub.rooms),
                house.subscriptions,
                len(hub.chores),
                len(hub._ended),
                len(hub.lookers),
                len(gateway.connections),
                len(gateway._closing),
                len(asyncio.all_tasks()),
            )

        def descriptors() -> int:
            return len(list(Path("/proc/self/fd").iterdir()))

        before, open_before = held(), descriptors()
        for number in range(10):
            pages = [await bot(house.url, f"P{number}").open() for _ in range(4)]
            await pages[0].host(seats=3, visibility="public")
            await pages[1].join(pages[0].room)
            await pages[2].watch(pages[0].room)
            await pages[3].say(t="lobby")
            await pages[3].say(t="watch", room="QQQQQQQQ")
            await pages[3].pong()
            await pages[1].must("ready", ready=True)
            pages[2].cut()
            for one in pages:
                await (one.close() if number % 2 else asyncio.sleep(0))
                one.cut()
                await one.ws.wait_closed()
        for _ in range(20):
            await asyncio.sleep(0.05)
            await house.poll()
            if held() == before:
                break
        assert held() == before
        assert descriptors() <= open_before + 10  # the store's pool of connections may have grown
