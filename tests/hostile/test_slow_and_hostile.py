"""Clients that are slow, silent, loud or false: they cost themselves something, and the others nothing."""

import asyncio
import contextlib
import json
import secrets
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.runtime.addresses import party_of
from server.runtime.allowance import Allowances
from server.runtime.limits import CHANGES_A_SECOND, CHANGES_AT_ONCE, MOST_WAITING_OF_ONE
from server.settings import SettingError, read_settings
from tests.hostile.harness import Faulty, open_house, start_hole, until
from tests.runtime.bots import Bot, Denied
from tests.runtime.servers import House, Street

MakeBot = Callable[..., Bot]


def address_of(house: House) -> tuple[str, int]:
    """Return where a worker listens."""
    host, _, port = house.url.removeprefix("ws://").rpartition(":")
    return host, int(port)


async def silent(house: House, said: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a raw line and say little."""
    reader, writer = await asyncio.open_connection(*address_of(house))
    writer.write(said)
    return reader, writer


# -- slow readers


async def paced_moves(ada: Bot, count: int) -> list[float]:
    """Play and take back again and again; return how long each answer took, in ms."""
    took = []
    while len(took) < count:
        you = ada.view["you"]
        if you["undo"] and len(took) % 2:
            kind, fields = "undo", {"moves": you["move_count"], "undos": you["undo_count"]}
        else:
            kind, fields = ada.move(["stock", "waste"])
        began = time.perf_counter()
        await ada.must(kind, **fields)
        took.append(1000 * (time.perf_counter() - began))
    return took


def p99(values: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(values)[int(0.99 * (len(values) - 1))]


async def test_readers_that_stop_cost_the_others_nothing(
    street: Street, bot: MakeBot, capsys: pytest.CaptureFixture[str]
) -> None:
    """With twenty readers that stopped every move is still answered, and how fast is shown; they are let go."""
    async with asyncio.timeout(60):
        house = await street.open()
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=2, holes=1, undo="all", spectators="live")
        bob = await bot(house.url, "Bob").open()
        await bob.join(ada.room)
        for one in (ada, bob):
            await one.must("ready", ready=True)
        house.pass_time(3_000)
        await ada.until_phase("playing")
        alone = await paced_moves(ada, 250)

        sockets = []
        for number in range(20):
            raw = socket.socket()
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.setblocking(False)
            raw.bind((f"127.0.3.{number + 1}", 0))
            await asyncio.get_running_loop().sock_connect(raw, address_of(house))
            # The library would go on reading; a page in a sleeping laptop doesn't.
            ws = await connect(f"{house.url}/ws", sock=raw, compression=None, ping_interval=None)
            await ws.send('{"t":"hello","protocol":1}')
            await ws.send(json.dumps({"t": "watch", "room": ada.room}))
            await ws.recv()
            await asyncio.sleep(0.01)
            ws.transport.pause_reading()
            sockets.append(ws)
        for line in house.gateway.connections:
            if line.remote_address[0].startswith("127.0.3."):
                line.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        room = house.hub.rooms[ada.match_id]
        watching = room.audience.sessions[None]
        await until(lambda: len(room.audience.sessions.get(None, [])) == 20)
        outboxes = [session.outbox for session in watching]
        for outbox in outboxes:
            outbox._limit = 20_000  # reached sooner than half a megabyte; kernel buffers come on top
        with_them = await paced_moves(ada, 250)
        filler = secrets.token_hex(2048)
        for outbox in outboxes:
            for _ in range(20):
                outbox.push(json.dumps({"t": "status", "state": filler}).encode())
        async with asyncio.timeout(30):
            await until(lambda: not room.audience.sessions.get(None))
        assert all(outbox.overflowed for outbox in outboxes)
        assert house.hub.metrics.counts["overflows", ""] == 20
        for ws in sockets:
            ws.transport.abort()
            await ws.wait_closed()
        with capsys.disabled():
            words = f"p99 {p99(alone):.1f} ms alone, {p99(with_them):.1f} ms with 20 stopped readers"
            sys.stdout.write(f"\n  a rival's answers: {words}\n")
        # Printed, not judged: a machine that is shared makes any bound wrong. Nobody waited: each move was answered.
        assert len(with_them) == len(alone) == 250


# -- lines that say little, or nothing


async def test_lines_that_never_finish_a_handshake(street: Street, bot: MakeBot) -> None:
    """Silent lines, half a request and a drip of header bytes are ended by the clock; players hear nothing of it."""
    async with asyncio.timeout(30):
        house = await open_house(street, handshake_s=0.6)
        lines = [await silent(house, said) for said in (b"", b"GET /ws HT", b"GET /ws HTTP/1.1\r\nHost: x\r\n")]
        ada = await bot(house.url).open()
        await ada.host(seats=1, holes=1)
        assert len(house.worker._doorstep) == 4
        async with asyncio.timeout(3):
            while len(house.worker._doorstep) > 1:
                lines[2][1].write(b"X-Drip: 1\r\n")
                await ada.pong()
                await asyncio.sleep(0.05)
        for reader, writer in lines:
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
        await ada.pong()


async def test_line_that_shakes_hands_and_says_nothing(street: Street) -> None:
    """A WebSocket that never says hello is ended with a word of why."""
    async with asyncio.timeout(30):
        house = await open_house(street)
        house.gateway._greeting_s = 0.3
        async with connect(f"{house.url}/ws") as ws:
            assert json.loads(await ws.recv())["code"] == "not_greeted"
            with pytest.raises(ConnectionClosed):
                await ws.recv()
            assert ws.close_code == 1008


async def test_flood_before_hello(street: Street) -> None:
    """A flood of messages before hello runs out of credit as any other does."""
    async with asyncio.timeout(30):
        house = await open_house(street)
        async with connect(f"{house.url}/ws", max_queue=None) as ws:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(400):
                    await ws.send("{}")
            await ws.wait_closed()
            assert ws.close_code == 1008
        assert house.hub.metrics.counts["errors", "too_fast"] == 1
        assert house.hub.metrics.counts["errors", "unknown_type"] <= 210


async def test_flood_of_silent_lines_from_one_address(street: Street, bot: MakeBot) -> None:
    """Past the limit an address's next lines are ended at once; others come in as before."""
    async with asyncio.timeout(20):
        house = await open_house(street, FAIRWAY_ALLOWANCES="connections=10")
        lines = [await silent(house) for _ in range(100)]
        await until(lambda: house.worker._doorstep.turned_away == 26)
        assert len(house.worker._doorstep) == 74
        ada = await bot(house.url).open()
        await ada.host(seats=1, holes=1)
        for _, writer in lines:
            writer.transport.abort()
        await until(lambda: len(house.worker._doorstep) == 1)


async def test_connections_of_one_address(street: Street, bot: MakeBot) -> None:
    """One address may have so many connections and is told about the next; when one goes, another may come."""
    async with asyncio.timeout(20):
        house = await open_house(street, FAIRWAY_ALLOWANCES="connections=5")
        ada = bot(house.url)
        many = [await Bot(house.url, f"Player {n}", address=ada.address).open() for n in range(5)]
        sixth = Bot(house.url, "Sixth", address=ada.address)
        with pytest.raises((AssertionError, ConnectionClosed)):
            await sixth.open()
        assert house.hub.metrics.counts["errors", "too_many"] == 1
        await (await bot(house.url, "Other").open()).host(seats=1, holes=1)
        await many[0].close()
        await until(lambda: house.gateway._by_address[ada.address] == 4)
        await ada.open()
        for one in [*many, sixth]:
            await one.close()


# -- who is meant by an address

PROXIES = read_settings({"FAIRWAY_TRUSTED_PROXIES": "10.0.0.0/8, 127.0.0.1 fd00::/8"}, {}).trusted_proxies


@pytest.mark.parametrize(
    ("peer", "said", "party"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),  # not from a proxy that is trusted: made up
        ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ("10.1.2.3", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),  # what the browser made up stands in front
        ("10.1.2.3", ["6.6.6.6", "198.51.100.1, 10.9.9.9"], "198.51.100.1"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", ["nonsense"], "10.1.2.3"),
        ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ("2001:db8:1:2:3:4:5:6", [], "2001:db8:1:2::/64"),
        ("fd00::1", ["2001:db8:1:2:ffff::1"], "2001:db8:1:2::/64"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_whom_limits_count_for(peer: str, said: list[str], party: str) -> None:
    """A forwarded address is believed only from a proxy that the settings name, and only its last unknown hop."""
    assert party_of(peer, said, PROXIES) == party


async def test_players_behind_a_trusted_proxy(street: Street, bot: MakeBot) -> None:
    """Behind a proxy that is trusted each browser has its own limits."""
    async with asyncio.timeout(20):
        house = await open_house(street, FAIRWAY_ALLOWANCES="connections=2", FAIRWAY_TRUSTED_PROXIES="127.0.0.1")
        opened = []
        for number in range(6):
            headers = {"X-Forwarded-For": f"198.51.100.{number}"}
            opened.append(await connect(f"{house.url}/ws", additional_headers=headers))
            await opened[-1].send('{"t":"hello","protocol":1}')
            assert json.loads(await opened[-1].recv())["t"] == "welcome"
        assert len(house.gateway._by_address) == 6
        for ws in opened:
            await ws.close()


async def test_club_behind_one_address(street: Street, bot: MakeBot) -> None:
    """A club behind one address plays: sixty people come in at once, and all come back at once after a restart."""
    async with asyncio.timeout(60):
        house = await open_house(street)
        address = bot(house.url).address
        people = [Bot(house.url, f"Player {n}", address=address) for n in range(60)]
        hosts, guests = people[:15], people[15:]
        await asyncio.gather(*(one.open() for one in people))
        await asyncio.gather(*(one.host(seats=4, holes=1) for one in hosts))
        await asyncio.gather(*(one.join(hosts[n % 15].room) for n, one in enumerate(guests)))
        for one in people:
            one.cut()
        await asyncio.gather(*(one.come_back() for one in people))
        assert all(one.seat is not None for one in people)
        for one in people:
            await one.close()


# -- origins


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://{host}", True),
        ("https://{host}", True),
        ("https://golf.example", True),
        ("https://GOLF.example", True),
        ("http://golf.example", False),
        ("https://golf.example.evil.example", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
    ],
)
async def test_origin(street: Street, origin: str | None, allowed: bool) -> None:
    """Pages of other origins can't connect in their visitors' name."""
    async with asyncio.timeout(30):
        house = await open_house(street, FAIRWAY_ORIGINS="https://golf.example")
        host = house.url.removeprefix("ws://")
        headers = {} if origin is None else {"Origin": origin.format(host=host)}
        if allowed:
            async with connect(f"{house.url}/ws", additional_headers=headers):
                pass
        else:
            with pytest.raises(InvalidStatus) as denied:
                await connect(f"{house.url}/ws", additional_headers=headers)
            assert denied.value.response.status_code == 403


async def test_no_compression(house: House) -> None:
    """Compression is not agreed to, whatever a client offers: it would triple the cost of a connection."""
    async with asyncio.timeout(30), connect(f"{house.url}/ws", compression="deflate") as ws:
        assert ws.response is not None
        assert "Sec-WebSocket-Extensions" not in ws.response.headers


# -- limits of what one may do


async def test_guessing_room_codes(street: Street, bot: MakeBot) -> None:
    """Who tries codes is stopped after a few dozen, also for a right one; others, and who has a link, come in."""
    async with asyncio.timeout(20):
        house = await open_house(street)
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=4, holes=1)
        eve = await bot(house.url, "Eve").open()
        codes: list[str] = []
        for number in range(40):
            with pytest.raises(Denied) as denied:
                await eve.watch(f"ABCDEF{'ABCDEFGH'[number % 8]}{'ABCDEFGH'[number // 8]}")
            codes.append(denied.value.code)
        assert codes == ["no_such_room"] * 30 + ["too_fast"] * 10
        with pytest.raises(Denied, match="too_fast"):
            await eve.watch(ada.room)
        bob = await bot(house.url, "Bob").open()
        await bob.join(ada.room)
        eve.match_id = ada.match_id
        await eve.resume(fresh=True)
        assert eve.seat is None


async def test_rooms_made_by_one_address(street: Street, bot: MakeBot) -> None:
    """One address makes some dozens of rooms, then has to wait; others may still make theirs."""
    async with asyncio.timeout(30):
        house = await open_house(street)
        eve = bot(house.url, "Eve")
        codes = []
        for number in range(35):
            one = await Bot(house.url, f"Eve {number}", address=eve.address).open()
            try:
                await one.host(seats=1, holes=1)
            except Denied as denied:
                codes.append(denied.code)
            await one.close()
        assert set(codes) == {"too_many_rooms"}
        assert 3 <= len(codes) <= 5
        await (await bot(house.url, "Ada").open()).host(seats=1, holes=1)


async def test_spectators_of_one_match(street: Street, bot: MakeBot) -> None:
    """A match has room for so many spectators on all workers together; the next is told, players come in as ever."""
    async with asyncio.timeout(30):
        houses = [await street.open("w1"), await street.open("w2")]
        for house in houses:
            house.gateway.entrance.most_spectators = 6
        ada = await bot(houses[0].url, "Ada").open()
        await ada.host(seats=2, holes=1)
        for number in range(6):
            await (await bot(houses[number % 2].url, f"Fan {number}").open()).watch(ada.room)
        for house in houses:
            await house.poll()
        for house in houses:
            with pytest.raises(Denied, match="room_full"):
                await (await bot(house.url, "Late").open()).watch(ada.room)
        bob = await bot(houses[1].url, "Bob").open()
        await bob.join(ada.room)
        assert bob.seat == 1


async def toggles(one: Bot, kind: str, what: Callable[[int], dict[str, Any]], count: int) -> list[str]:
    """Send a command again and again, a little apart; return the codes of those that were refused."""
    codes = []
    for number in range(count):
        answer = await one.do(kind, **what(number))
        if answer["t"] == "refused":
            codes.append(answer["code"])
    return codes


async def test_toggles_fill_no_stream(street: Street, bot: MakeBot) -> None:
    """Ready and options toggled without end are slowed down to about one a second a seat; who wants to leave may."""
    async with asyncio.timeout(30):
        house = await open_house(street)
        house.gateway._messages = (5_000, 5_000)
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await ada.host(seats=3, holes=1)
        await bob.join(ada.room)
        refused = await toggles(bob, "ready", lambda n: {"ready": n % 2 == 0}, 100)
        assert set(refused) == {"too_fast"}
        assert len(refused) >= 35
        refused = await toggles(ada, "options", lambda n: {"options": {"seats": 3, "holes": 1 + n % 2}}, 100)
        assert set(refused) == {"too_fast"}
        assert len(refused) >= 35
        assert house.hub.rooms[ada.match_id].state.version < 140
        assert (await bob.do("leave"))["t"] in ("e", "ack")


async def test_reloads_without_end(street: Street, bot: MakeBot) -> None:
    """A page that is loaded again and again is let in a good while, then told to wait."""
    burst, a_second = CHANGES_AT_ONCE, CHANGES_A_SECOND
    async with asyncio.timeout(60):
        house = await open_house(street)
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=2, holes=1)
        began, before, codes = time.monotonic(), house.hub.rooms[ada.match_id].state.version, []
        while len(codes) < 10:
            ada.cut()
            await ada.open()
            try:
                await ada.resume(fresh=True)
            except Denied as denied:
                codes.append(denied.code)
        assert set(codes) == {"too_fast"}
        let_in = house.hub.rooms[ada.match_id].state.version - before
        assert burst / 2 < let_in <= burst + a_second * (time.monotonic() - began)


async def test_flooding_seat_leaves_room_for_the_others(faulty: Faulty, bot: MakeBot) -> None:
    """While the engine is away one seat can't fill the mailbox: the rival's move waits, and happens."""
    async with asyncio.timeout(30):
        house = await faulty.open()
        house.gateway._messages = (5_000, 5_000)
        ada, bob = [await bot(faulty.urls[0], name).open() for name in ("Ada", "Bob")]
        await start_hole(ada, [bob], [house])
        faulty.engine_side[0].up.open.clear()
        floods = [await bob.send("undo", moves=n, undos=0) for n in range(1_000)]
        kind, fields = ada.choice() or ("", {})
        seq = await ada.send(kind, **fields)
        await asyncio.sleep(0.3)
        faulty.engine_side[0].heal()
        assert (await ada.answer(seq))["t"] == "e"
        await bob.until(lambda: not bob.unanswered)
        codes = [bob.answers[flood][0].get("code") for flood in floods]
        assert codes.count("too_fast") >= 1_000 - 2 * MOST_WAITING_OF_ONE


def test_allowances_are_forgotten() -> None:
    """The map of addresses shrinks again once their buckets are full; an empty one is known without being spent."""
    now = [0.0]
    allowances = Allowances(2, 1, clock=lambda: now[0])
    for number in range(5_000):
        allowances.take(str(number))
        now[0] += 0.01
    assert len(allowances) <= 2_100
    assert not allowances.empty("new")
    assert allowances.take("one", 2)
    assert allowances.empty("one")
    now[0] += 1
    assert not allowances.empty("one")
    assert allowances.take("one")


def test_trusted_proxies_are_read() -> None:
    """Networks of proxies come from a flag or the environment, reach the workers; nonsense is refused."""
    settings = read_settings({}, {"trusted_proxies": "10.0.0.0/8,::1"})
    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.0/8", "::1/128"]
    assert read_settings(settings.environment(), {}).trusted_proxies == settings.trusted_proxies
    for wrong in ("golf.example", "10.0.0.1/8", "10.0.0.0/33"):
        with pytest.raises(SettingError, match="FAIRWAY_TRUSTED_PROXIES: must be addresses or networks"):
            read_settings({"FAIRWAY_TRUSTED_PROXIES": wrong}, {})
