"""One connection to the engine that mends itself. It carries bytes and replies, and knows no meaning.

A new connection first ends the old one by its client id: whatever the engine had not read of it is then never
executed, so that what is sent again cannot be overtaken by itself. Client ids begin anew when an engine
restarts, so an id is ended only while it bears this line's own name.
"""

import asyncio
import contextlib
import logging
import random
import secrets
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast
from urllib.parse import parse_qs, unquote, urlsplit

import hiredis

Part = bytes | str | int

# The stub of pack_command asks for a tuple of exactly one part.
pack: Callable[[tuple[Part, ...]], bytes] = hiredis.pack_command  # type: ignore[assignment]

log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 1.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where the engine listens: a Unix socket's path, or host and port."""

    path: str | None
    host: str
    port: int
    database: int
    username: str | None
    password: str | None
    tls: ssl.SSLContext | None


CLUSTER_SCHEMES = ("redis+cluster", "rediss+cluster")


def is_cluster(url: str) -> bool:
    """Whether an address names nodes of a cluster."""
    return urlsplit(url).scheme in CLUSTER_SCHEMES


def parse_addresses(url: str) -> list[Address]:
    """Read `redis+cluster://user:password@host:port,host:port` or `rediss+cluster://`: some nodes of a cluster.

    Raises ValueError as `parse_address` does.
    """
    parts = urlsplit(url)
    if parts.scheme not in CLUSTER_SCHEMES:
        return [parse_address(url)]
    if parts.path.strip("/"):
        raise ValueError("a cluster has one database, 0")
    user, at, places = parts.netloc.rpartition("@")
    scheme, query = parts.scheme.removesuffix("+cluster"), f"?{parts.query}" if parts.query else ""
    addresses = [parse_address(f"{scheme}://{user}{at}{place}{query}") for place in places.split(",")]
    # One context for all: a node is told by its address, and those that it names take over the first one's.
    return [replace(address, tls=addresses[0].tls) for address in addresses]


def parse_address(url: str) -> Address:
    """Read `unix:///path`, `redis://user:password@host:port/db` or `rediss://` (`?ssl_ca_certs=`, `?db=`).

    Raises ValueError for any other scheme, or a port or database that is not a number.
    """
    parts = urlsplit(url)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    username = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    if parts.scheme == "unix":
        return Address(unquote(parts.path), "", 0, int(query.get("db", "0")), username, password, None)
    if parts.scheme not in ("redis", "rediss"):
        raise ValueError(f"an engine's address begins with unix://, redis:// or rediss://, not {parts.scheme!r}")
    tls = None
    if parts.scheme == "rediss":
        tls = ssl.create_default_context(cafile=query.get("ssl_ca_certs"))
        if query.get("ssl_cert_reqs") == "none":
            tls.check_hostname = False
            tls.verify_mode = ssl.CERT_NONE
    database = int(parts.path.strip("/") or query.get("db", "0"))
    return Address(None, parts.hostname or "localhost", parts.port or 6379, database, username, password, tls)


class _Wire(asyncio.Protocol):
    """The bytes of one connection. `hear` gets each reply in order; before it is set, `ask` awaits them."""

    def __init__(self) -> None:
        self._reader = hiredis.Reader()
        self._asked: deque[asyncio.Future[object]] = deque()
        self.hear: Callable[[object], None] = self._answer
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass of it

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        gets = self._reader.gets
        try:
            while (reply := gets()) is not False:
                self.hear(reply)
        except hiredis.ProtocolError:
            log.warning("the engine's answer makes no sense: connecting anew")
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        for future in self._asked:
            if not future.done():
                future.set_exception(ConnectionError("the engine closed the connection"))
        if not self.closed.done():
            self.closed.set_result(None)

    async def ask(self, *parts: Part) -> object:
        if self.transport.is_closing():
            raise ConnectionError("the engine closed the connection")
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._asked.append(future)
        self.transport.write(pack(parts))
        return await future

    def _answer(self, reply: object) -> None:
        future = self._asked.popleft() if self._asked else None
        if future is not None and not future.done():
            future.set_result(reply)


async def ask_once(address: Address, *parts: Part, timeout_s: float) -> object:
    """One command on a connection of its own; the reply, an error reply too. Raises OSError or TimeoutError."""
    wire: _Wire | None = None
    try:
        async with asyncio.timeout(timeout_s):
            wire = await _reach(address)
            return await wire.ask(*parts)
    finally:
        if wire is not None:
            wire.transport.abort()


async def _reach(address: Address) -> _Wire:
    """Connect, and log in. Raises OSError."""
    loop = asyncio.get_running_loop()
    if address.path is not None:
        _, wire = await loop.create_unix_connection(_Wire, address.path)
    else:
        _, wire = await loop.create_connection(_Wire, address.host, address.port, ssl=address.tls)
    try:
        if address.password is not None:
            user = (address.username,) if address.username else ()
            _insist(await wire.ask("AUTH", *user, address.password))
        if address.database:
            _insist(await wire.ask("SELECT", address.database))
    except BaseException:
        wire.transport.abort()
        raise
    return wire


def _insist(reply: object) -> None:
    if isinstance(reply, hiredis.ReplyError):
        raise ConnectionError(str(reply))


class Line:
    """Keeps one connection open: connects, greets, and after a loss does so again, and while that
    fails with growing pauses.

    `on_open` is called when commands may be written, `hear` with each reply in order, `on_close` when the
    connection that was opened is lost. All are called from the loop and must not raise.
    """

    def __init__(
        self,
        address: Address,
        *,
        on_open: Callable[[], None],
        hear: Callable[[object], None],
        on_close: Callable[[], None],
        greeting_timeout_s: float = 5.0,
    ) -> None:
        self._address = address
        self._on_open, self._hear, self._on_close = on_open, hear, on_close
        self._greeting_timeout_s = greeting_timeout_s
        self._name = f"fairway-{secrets.token_hex(6)}"
        self._old_id: int | None = None
        self._wire: _Wire | None = None
        self._task: asyncio.Task[None] | None = None
        self.trouble = ""
        """Why the last attempt to connect failed, for a log or a health page."""

    @property
    def is_open(self) -> bool:
        """Whether commands may be written now."""
        return self._wire is not None

    @property
    def client_id(self) -> int | None:
        """The engine's id of the present connection, or of the last one."""
        return self._old_id

    def start(self) -> None:
        """Begin to connect; returns at once."""
        if self._task is None:
            self._task = asyncio.create_task(self._keep_open(), name="engine line")

    def write(self, data: bytes) -> None:
        """Write to the open connection; without one this does nothing, and `on_open` will come."""
        # uvloop raises where asyncio's own transports ignore a write that comes between the end and word of it.
        if self._wire is not None and not self._wire.transport.is_closing():
            self._wire.transport.write(data)

    def drop(self) -> None:
        """Give the present connection up as lost; a new one follows."""
        if self._wire is not None:
            self._wire.transport.abort()

    async def close(self) -> None:
        """End the connection and stop connecting."""
        if self._task is not None:
            wire = self._wire
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
            if wire is not None:
                await wire.closed

    async def _keep_open(self) -> None:
        pause_s = _FIRST_PAUSE_S
        while True:
            wire = await self._connect()
            if wire is not None:
                self._wire = wire
                wire.hear = self._hear
                self._on_open()
                try:
                    await asyncio.shield(wire.closed)
                finally:
                    self._wire = None
                    wire.transport.abort()
                self._on_close()
                pause_s = _FIRST_PAUSE_S
            await asyncio.sleep(pause_s * random.uniform(0.5, 1))  # noqa: S311 - jitter, not a secret
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    async def _connect(self) -> _Wire | None:
        wire: _Wire | None = None
        try:
            async with asyncio.timeout(self._greeting_timeout_s):
                wire = await _reach(self._address)
                await self._greet(wire)
        except Exception as error:  # whatever it was: a line that stops trying would hold up everything
            trouble = str(error) or type(error).__name__
            if trouble != self.trouble:
                log.warning("cannot reach the engine: %s", trouble)
            self.trouble = trouble
            if wire is not None:
                wire.transport.abort()
            return None
        except asyncio.CancelledError:
            if wire is not None:
                wire.transport.abort()
            raise
        self.trouble = ""
        return wire

    async def _greet(self, wire: _Wire) -> None:
        # This only helps: an engine that forbids it is used all the same.
        await wire.ask("CLIENT", "SETNAME", self._name)
        if self._old_id is not None:
            listed = await wire.ask("CLIENT", "LIST", "ID", self._old_id)
            if isinstance(listed, bytes) and f" name={self._name} ".encode() in listed:
                await wire.ask("CLIENT", "KILL", "ID", self._old_id)
        client_id = await wire.ask("CLIENT", "ID")
        self._old_id = client_id if isinstance(client_id, int) else None
