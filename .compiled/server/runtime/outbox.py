"""What waits to be written: a bounded outbox for each socket, and one post for all, which goes once a loop tick.

All that one socket is told in a tick is one write; that something waits at all is one callback for all sockets.

A slow reader costs the others nothing: nobody waits for it, and what piles up past the limit ends its connection; the
page comes back and resumes. This is the one place that writes past the library: frames are built once for all who
hear the same, so they go to the transport directly, whose buffer is watched here. `direct=False` uses the library's
own public `broadcast` instead.
"""

import asyncio

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.protocol import State

LIMIT_BYTES = 512 * 1024
"""Unsent bytes after which a reader counts as gone; a snapshot has about 4 KB."""


def frame(payload: bytes) -> bytes:
    """Return an unmasked, final WebSocket text frame (RFC 6455, 5.2) around UTF-8 `payload`."""
    size = len(payload)
    if size < 126:
        return b"\x81" + bytes((size,)) + payload
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload


class Post:
    """The outboxes of one worker that something waits in."""

    __slots__ = ("_loop", "_waiting")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Outbox] = []

    def collect(self, outbox: "Outbox") -> None:
        """Have an outbox flushed once this tick is over; to be asked once until then."""
        if not self._waiting:
            self._loop.call_soon(self.deliver)
        self._waiting.append(outbox)

    def deliver(self) -> None:
        """Flush all that was collected. What is wrong with one line costs the others nothing."""
        waiting, self._waiting = self._waiting, []
        for outbox in waiting:
            try:
                outbox.flush()
            except Exception as error:
                self._loop.call_exception_handler({"message": "an outbox could not be flushed", "exception": error})


class Outbox:
    """The outgoing side of one connection. `overflowed`: the limit ended it."""

    __slots__ = ("_direct", "_limit", "_post", "_waiting", "_ws", "overflowed")

    def __init__(self, ws: ServerConnection, post: Post, direct: bool = True, limit_bytes: int = LIMIT_BYTES) -> None:
        self._ws, self._post = ws, post
        self._direct = direct
        self._limit = limit_bytes
        self._waiting: list[bytes] = []
        self.overflowed = False

    def push(self, payload: bytes, framed: bytes | None = None) -> None:
        """Queue a message; `framed` is its frame where it was built for several hearers. Never blocks."""
        if not self._waiting:
            self._post.collect(self)
        self._waiting.append((framed or frame(payload)) if self._direct else payload)

    def flush(self) -> None:
        """Write what waits, now. A closing or closed connection drops it."""
        waiting, ws = self._waiting, self._ws
        self._waiting = []
        transport = ws.transport
        # A transport may close before the library knows: asyncio's ignores what is written then, uvloop's raises.
        if not waiting or ws.protocol.state is not State.OPEN or transport.is_closing():
            return
        if self._direct:
            transport.write(waiting[0] if len(waiting) == 1 else b"".join(waiting))
        else:
            for payload in waiting:
                broadcast([self._ws], payload, text=True)
        if transport.get_write_buffer_size() > self._limit:
            # A close frame would wait behind all that is unread: end the line, and the page resumes.
            self.overflowed = True
            transport.abort()
