"""Several bots at once, and what is asked of a server over plain HTTP."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from .bots import Bot


@contextlib.asynccontextmanager
async def crowd() -> AsyncIterator[Callable[..., Bot]]:
    """Make bots; their lines are closed in the end.

    Allowances go by address, and a test's bots are many people: each has a loopback address of its own.
    """
    made: list[Bot] = []

    def make(url: str, name: str = "Ada", seed: int = 0) -> Bot:
        number = len(made) + 2
        made.append(Bot(url, name, seed, f"127.0.{number // 250}.{number % 250 + 1}"))
        return made[-1]

    yield make
    for one in made:
        await one.close()


async def seat_all(host: Bot, others: list[Bot], **options: Any) -> None:
    """Host a room, fill it and start: everybody hears the countdown."""
    await host.host(seats=len(others) + 1, **options)
    for other in others:
        await other.join(host.room)
    for bot in [host, *others]:
        if not bot.view["seats"][str(bot.seat)]["ready"]:
            await bot.must("ready", ready=True)


async def get(url: str, path: str, *, source: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, str], str]:
    """GET over plain HTTP from a loopback address: (status, headers in lower case, body)."""
    host, _, port = url.removeprefix("ws://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
    try:
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
        writer.write("\r\n".join(lines).encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    status, *fields = head.decode().split("\r\n")
    pairs = (field.split(": ", 1) for field in fields)
    return int(status.split()[1]), {name.lower(): value for name, value in pairs}, body.decode()


async def record_of(bot: Bot) -> Any:
    """Fetch the record of the bot's match, which has ended."""
    status, _, body = await get(bot.url, f"/api/matches/{bot.match_id}", source=bot.address)
    assert status == 200, body
    return json.loads(body)
