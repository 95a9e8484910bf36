"""Messages in pieces and bunches: whatever way the bytes come, each is heard once and in order."""

import asyncio
import json
import secrets
from typing import Any

import pytest

from .servers import House, Street


def framed(text: str, opcode: int = 1, final: bool = True) -> bytes:
    """Return a client's frame."""
    data, key = text.encode(), secrets.token_bytes(4)
    head = bytes([(0x80 if final else 0) | opcode])
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return head + size + key + bytes(byte ^ key[place % 4] for place, byte in enumerate(data))


class Raw:
    """A line that says exactly the bytes that it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def hear(self, kind: str) -> dict[str, Any]:
        """Return the next message of a kind."""
        while True:
            head = await self.reader.readexactly(2)
            size = head[1]
            if size == 126:
                size = int.from_bytes(await self.reader.readexactly(2), "big")
            data = await self.reader.readexactly(size)
            message: dict[str, Any] = json.loads(data) if head[0] == 0x81 else {"t": "a pong of the line"}
            if message["t"] == kind:
                return message


async def seated(house: House) -> Raw:
    """Return a line with a seat in a room of its own."""
    port = int(house.url.rsplit(":", 1)[1])
    raw = Raw(*await asyncio.open_connection("127.0.0.1", port))
    raw.writer.write(
        b"GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await raw.reader.readuntil(b"\r\n\r\n")
    host = {"t": "host", "name": "Ada", "token": secrets.token_hex(16)}
    raw.writer.write(framed('{"t":"hello","protocol":1}') + framed(json.dumps(host)))
    await raw.hear("snapshot")
    return raw


def ready(seq: int) -> str:
    """Say ready, and take it back in turn."""
    return json.dumps({"t": "ready", "seq": seq, "ready": seq % 2 == 1})


@pytest.mark.parametrize("wire", ["direct", "public"])
async def test_bytes_in_pieces(street: Street, wire: str) -> None:
    """Whole, byte by byte, in bunches, as fragments, between pings and late ones: each is answered once, in order."""
    street.wire = wire  # type: ignore[assignment]
    async with asyncio.timeout(20):
        house = await street.open()
        raw = await seated(house)
        (line,) = house.gateway.connections
        write, ping = raw.writer.write, framed('{"t":"ping","n":1}')
        write(framed(ready(1)))
        for byte in framed(ready(2)):
            write(bytes([byte]))
            await asyncio.sleep(0)
        write(framed(ready(3)) + framed(ready(4)) + ping + framed(ready(5)))
        text = ready(6)
        write(framed(text[:9], final=False) + framed("between", opcode=9) + framed(text[9:], opcode=0))
        whole = framed(ready(7))
        write(whole[:2])  # the head alone: the parser waits within a frame, with nothing left over
        await asyncio.sleep(0.05)
        write(whole[2:])
        await asyncio.sleep(0.05)
        write(framed(ready(8)) + whole[:3])
        await asyncio.sleep(0.05)
        write(whole[3:])  # a repeated one: acked
        for seq in range(1, 9):
            while True:
                told = await raw.hear("e")
                if "seq" in told:
                    break
            assert told["seq"] == seq
        assert (await raw.hear("ack"))["seq"] == 7
        # The short way is open again after all that, where there is one.
        assert getattr(line, "aligned", False) == (wire == "direct")
        raw.writer.close()
