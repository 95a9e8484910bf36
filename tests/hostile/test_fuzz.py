"""Whatever comes in by a socket is answered or ends that one line: no unhandled exception, no leak, no growth."""

import asyncio
import contextlib
import gc
import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from server.protocol.client import ProtocolError, parse
from server.protocol.typed import options_of
from server.protocol.words import ERRORS, REFUSALS
from tests.hostile.harness import open_house, start_hole, until
from tests.runtime.bots import Bot
from tests.runtime.servers import House, Street, scaled

MakeBot = Callable[..., Bot]
INPUTS = scaled(2_000, 100_000)
LINES = 8

KEYS = """t seq protocol name token room match version generation options source target card stock moves undos hole
seat ready n off deals holes seats rule"""
KINDS = """hello lobby host join watch resume ready start kick leave options play draw undo give_up done close_seat
next rematch ping Hello e snapshot"""
keys, kinds = st.sampled_from(KEYS.split()), st.sampled_from(KINDS.split())
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=40)
    | st.sampled_from(["column.1", "waste", "stock", "9C", "ABCDEFGH", "0" * 32, "a" * 26, "GO2-E-AAAAAAB"])
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys | st.text(max_size=8), inner, max_size=4)
)
messages = st.builds(
    lambda kind, fields: {**fields, "t": kind}, kinds, st.dictionaries(keys, values, max_size=6)
) | st.dictionaries(keys | st.text(max_size=10), values, max_size=5)
texts = messages.map(json.dumps) | values.map(json.dumps) | st.text(max_size=300)


@given(texts | st.binary(max_size=200))
@settings(max_examples=scaled(200, 20_000), deadline=None, suppress_health_check=list(HealthCheck))
def test_parse_never_raises_anything_else(text: str | bytes) -> None:
    """A message is parsed or refused with a code that has words; nothing else comes out."""
    try:
        message = parse(text)
        if hasattr(message, "options"):
            options_of(message.options)
    except ProtocolError as refused:
        known, said = {*ERRORS, *REFUSALS}, (refused.code, refused.words, refused.params)
    else:
        return
    assert said[0] in known
    json.dumps(said)


def mutated(chance: Random, real: list[str], made_up: list[str]) -> str | bytes:
    """Return something that is almost, or not at all, what a page says."""
    frame = chance.choice(real)
    match chance.randrange(9):
        case 0:
            return chance.choice(made_up)
        case 1:
            place = chance.randrange(len(frame) + 1)
            return frame[:place]
        case 2:
            place = chance.randrange(len(frame))
            return frame[:place] + chr(chance.choice([0, 34, 92, 123, 125, 0xD7FF, 0x1F600, 0x200D])) + frame[place:]
        case 3:
            flipped = bytearray(frame.encode())
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
            with contextlib.suppress(UnicodeDecodeError):
                return flipped.decode()
            return bytes(flipped)
        case 4:
            fields = json.loads(frame)
            fields[chance.choice(list(fields))] = json.loads(chance.choice(made_up)) if chance.random() < 0.5 else -1
            return json.dumps(fields)
        case 5:
            fields = json.loads(frame)
            del fields[chance.choice(list(fields))]
            return json.dumps(fields)
        case 6:
            return json.dumps({**json.loads(frame), chance.choice(["x", "seat", "token", "t"]): chance.randrange(9)})
        case 7:
            return frame * chance.choice([2, 40, 200])
        case _:
            return frame  # as it was said once


def sample(count: int) -> list[str]:
    """Draw texts that hypothesis makes up."""
    drawn: list[str] = []

    @given(texts)
    @seed(count)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def draw(text: str) -> None:
        if len(text) < 9_000:
            drawn.append(text)

    draw()
    return [text for text in drawn if _is_json(text)] or ["null"]


def _is_json(text: str) -> bool:
    with contextlib.suppress(ValueError):
        json.loads(text)
        return True
    return False


async def real_frames(house: House, bot: MakeBot) -> tuple[list[str], Bot, Bot]:
    """Play some moves; return what was said in them, and the players in the middle of a hole."""
    ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
    said: list[str] = []
    for one in (ada, bob):
        say = one.say

        async def noted(say: Any = say, **message: Any) -> None:
            said.append(json.dumps(message))
            await say(**message)

        one.say = noted  # type: ignore[method-assign]
    await start_hole(ada, [bob], [house], undo="all")
    for _ in range(10):
        kind, fields = ada.choice(undo=0.2) or ("give_up", {"hole": 1})
        await ada.do(kind, **fields)
    said += [json.dumps({"t": kind, "seq": 99, "hole": 1}) for kind in ("give_up", "done", "next")]
    said += [json.dumps({"t": "resume", "match": ada.match_id, "token": ada.token, "version": 3, "generation": 1})]
    said += ['{"t":"lobby"}', '{"t":"rematch","seq":5}', '{"t":"kick","seq":5,"seat":1}', '{"t":"leave","seq":9}']
    return said, ada, bob


async def one_line(house: House, chance: Random, inputs: list[str | bytes], address: str) -> int:
    """Send inputs, coming back whenever the server ends the line; return how many lines it took."""
    lines = 0
    left = list(reversed(inputs))
    while left:
        lines += 1
        fuzzer = Bot(house.url, "Fuzz", address=address)
        try:
            await fuzzer.open()
            while left:
                await fuzzer.ws.send(left.pop())
                while chance.random() < 0.9:
                    try:
                        async with asyncio.timeout(0):
                            json.loads(await fuzzer.ws.recv())
                    except TimeoutError:
                        break
                if chance.random() < 0.01:
                    fuzzer.cut()
                    break
        except ConnectionClosed:
            pass
        finally:
            with contextlib.suppress(AttributeError):
                fuzzer.cut()
    return lines


def resident_kb() -> int:
    """Return this process's resident memory."""
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


async def let_go(house: House, left: int) -> None:
    """Have every match dropped that nobody is in, until so many are left."""
    while len(house.hub.rooms) > left:
        for room in house.hub.rooms.values():
            if room.idle_since is not None:
                room.idle_since -= 60
        await house.poll()


async def test_fuzz_the_gateway(street: Street, bot: MakeBot, capsys: pytest.CaptureFixture[str]) -> None:
    """Thousands of made-up and mutated messages: a bystander notices nothing, and nothing is left of it."""
    asyncio.get_running_loop().set_debug(False)  # its own records of every task would be the growth
    async with asyncio.timeout(scaled(60, 1_800)):
        house = await open_house(street)
        house.gateway._messages = (1e9, 1e9)
        for name in ("entries", "rooms", "_guesses"):
            getattr(house.gateway.entrance, name)._burst = 1e9
        eve = await bot(house.url, "Eve").open()
        await eve.host(seats=1, holes=1, undo="all", hole_seconds=0)
        await eve.until_phase("playing")
        made_up, chance = sample(300), Random(4)
        resident: list[int] = []
        sent = lines = 0
        while sent < INPUTS:
            # New players each time: the frames hold their tokens, and may well put them out or take them over.
            said, ada, bob = await real_frames(house, bot)
            batch = [[mutated(chance, said, made_up) for _ in range(125)] for _ in range(LINES)]
            counts = await asyncio.gather(
                *(one_line(house, chance, inputs, f"127.0.4.{n + 1}") for n, inputs in enumerate(batch))
            )
            sent, lines = sent + LINES * 125, lines + sum(counts)
            await eve.must("draw", stock=16)
            await eve.must("undo", moves=eve.view["you"]["move_count"], undos=eve.view["you"]["undo_count"])
            for one in (ada, bob):
                one.cut()
            await until(lambda: len(house.gateway.connections) == 1)
            await let_go(house, 1)
            gc.collect()
            resident.append(resident_kb())
        await eve.close()
        await until(lambda: not house.gateway.connections)
        await let_go(house, 0)
        assert not house.hub.sessions
        assert not house.gateway._closing
        assert house.subscriptions == 0
        assert ("errors", "internal") not in house.hub.metrics.counts
        growth = resident[-1] - resident[len(resident) // 2]
        with capsys.disabled():
            sys.stdout.write(f"\n  {sent} inputs over {lines} lines; memory grew by {growth} KB in the second half\n")
        assert growth < 20_000


async def raw(house: House, data: bytes) -> bytes:
    """Send raw bytes on a line of their own; return what comes back until it ends."""
    host, _, port = house.url.removeprefix("ws://").rpartition(":")
    came = house.worker._doorstep.came
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(data)
        # The system connects before the worker does: on a busy machine the line would be gone before it was seen.
        await until(lambda: house.worker._doorstep.came > came)
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(0.3):
                return await reader.read()
        return b""
    finally:
        writer.transport.abort()


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS on a plain port
        b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 20_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"GET " + b"/" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"POST /ws HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        b"GET /api/matches/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/matches/%00%0a HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        UPGRADE + b"\x81\x05hello",  # not masked
        UPGRADE + b"\xf1\x80\x00\x00\x00\x00",  # reserved bits
        UPGRADE + b"\x83\x80\x00\x00\x00\x00",  # unknown kind of frame
        UPGRADE + b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",  # a length beyond all memory
        UPGRADE + b"\x81\x82\x00\x00\x00\x00\xff\xfe",  # not UTF-8
        UPGRADE + b"\x01\x81\x00\x00\x00\x00{" + b"\x81\x81\x00\x00\x00\x00}",  # a message inside a message
        UPGRADE + b"\x88\x81\x00\x00\x00\x00x",  # a close that is none
        UPGRADE + b"\x89\xfe\x01\x00\x00\x00\x00\x00" + b"p" * 256,  # a ping that is too long
    ],
    ids=range(17),
)
async def test_bytes_that_are_no_protocol(house: House, data: bytes) -> None:
    """Bytes that are neither HTTP nor WebSocket end their own line, and nothing stays of it."""
    async with asyncio.timeout(30):
        answer = await raw(house, data)
        assert b"root:" not in answer
        assert b"Traceback" not in answer
        house.worker._doorstep.abort_all()
        await until(lambda: not house.gateway.connections and not len(house.worker._doorstep))
