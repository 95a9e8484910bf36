"""Outboxes and their post: one callback a tick for all, one write a socket, and nobody pays for another's line."""

import asyncio
from typing import Any, cast

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from server.runtime.outbox import Outbox, Post, frame


class Line:
    """A connection and its transport: keeps what is written, or fails at it."""

    state = State.OPEN

    def __init__(self, *, closing: bool = False, broken: bool = False) -> None:
        self.transport = self.protocol = self
        self._closing, self._broken = closing, broken
        self.written: list[bytes] = []
        self.aborted = False

    def is_closing(self) -> bool:
        """Whether the transport knows that it is over."""
        return self._closing

    def write(self, data: bytes) -> None:
        """Take one write."""
        if self._closing or self._broken:
            raise RuntimeError("the handler is closed")
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        """Nobody reads: all that was written is still there."""
        return sum(map(len, self.written))

    def abort(self) -> None:
        """End it."""
        self.aborted = True


def outbox(line: Line, post: Post, limit_bytes: int = 1_000) -> Outbox:
    """Return the outbox of a line."""
    return Outbox(cast(ServerConnection, line), post, limit_bytes=limit_bytes)


async def test_one_callback_and_one_write_a_socket(monkeypatch: Any) -> None:
    """What many sockets are told in one tick costs one callback, and each of them one write, in order."""
    loop, asked = asyncio.get_running_loop(), 0
    call_soon = loop.call_soon

    def counted(callback: Any, *args: Any, **more: Any) -> Any:
        nonlocal asked
        asked += callback == post.deliver
        return call_soon(callback, *args, **more)

    monkeypatch.setattr(loop, "call_soon", counted)
    post, lines = Post(), [Line() for _ in range(5)]
    boxes = [outbox(line, post) for line in lines]
    for turn in range(3):
        for box in boxes:
            box.push(b"%d" % turn)
    boxes[4].push(b"more", frame(b"more"))
    assert [line.written for line in lines] == [[]] * 5
    await asyncio.sleep(0)
    told = b"".join(map(frame, (b"0", b"1", b"2")))
    assert [line.written for line in lines] == [[told]] * 4 + [[told + frame(b"more")]]
    assert asked == 1
    boxes[0].push(b"later")
    await asyncio.sleep(0)
    assert lines[0].written[1:] == [frame(b"later")]
    assert asked == 2


async def test_line_that_closes_under_the_outbox() -> None:
    """What is written to a line that has just closed, unknown to the library, is dropped: uvloop would raise."""
    post, line = Post(), Line(closing=True)
    box = outbox(line, post)
    box.push(b"{}")
    box.flush()
    assert not line.written
    assert not box.overflowed


async def test_fault_of_one_line() -> None:
    """A write that fails is told to the loop; all others are written all the same."""
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    post, lines = Post(), [Line(), Line(broken=True), Line()]
    for line in lines:
        outbox(line, post).push(b"{}")
    await asyncio.sleep(0)
    assert [line.written for line in lines] == [[frame(b"{}")], [], [frame(b"{}")]]
    assert [type(fault["exception"]) for fault in faults] == [RuntimeError]


async def test_reader_that_falls_behind() -> None:
    """A line whose unsent bytes pass the limit is ended at once; up to it, it is kept."""
    post, line = Post(), Line()
    box = outbox(line, post, limit_bytes=40)
    box.push(b"x" * 38)
    await asyncio.sleep(0)
    assert (box.overflowed, line.aborted) == (False, False)
    box.push(b"x")
    await asyncio.sleep(0)
    assert (box.overflowed, line.aborted) == (True, True)
