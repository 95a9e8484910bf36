"""The one place that reaches behind the library's public door, for speed; `wire=public` goes through the door.

What is used here is not part of websockets' public interface: `ServerConnection.process_event` and `data_received`,
the protocol's `current_size`, where its parser stands, and `apply_mask`. The version is pinned, and the tests of the
runtime run over both ways. Two things are gained for nearly every move: no task is switched to, since a message that
can be answered at once is heard in the connection's own callback; and a short message that came whole and alone is
not taken through the general parser. Order holds: what waits for the task is never overtaken.
"""

from collections.abc import Callable
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # it chooses C or Python
from websockets.protocol import Event, State
from websockets.streams import StreamReader

_FINAL_TEXT = 0x81
_MASKED = 0x80
_HEAD, _LONGEST = 6, 125
"""Bytes before a short message of a client, and the most that are in one (RFC 6455, 5.2)."""
_BETWEEN_FRAMES = StreamReader.at_eof.__code__
"""Where the parser waits when it has seen no byte of the next frame."""


class DirectConnection(ServerConnection):
    """A connection whose text messages are offered to `hear` first, which says whether it took one."""

    hear: Callable[[bytes], bool] | None = None
    queued = 0
    """Messages that the task has not finished with; whoever reads them says so with `done`."""
    aligned = False
    """The parser stands between two frames."""

    def data_received(self, data: bytes) -> None:
        """Hear one short message that came whole; give all else to the library's parser."""
        hear = self.hear
        if hear is not None and self.aligned and not self.queued:
            size = len(data) - _HEAD
            if (
                0 < size <= _LONGEST
                and data[0] == _FINAL_TEXT
                and data[1] == _MASKED | size
                and self.protocol.state is State.OPEN
                and hear(apply_mask(data[_HEAD:], data[2:_HEAD]))
            ):
                return
        super().data_received(data)
        self.aligned = self.protocol.current_size is None and _waits_in(self.protocol.parser) is _BETWEEN_FRAMES

    def process_event(self, event: Event) -> None:
        """Hear a whole text message now, or leave it to the task."""
        opcode = event.opcode if isinstance(event, Frame) else None
        if isinstance(event, Frame) and (opcode is Opcode.TEXT or opcode is Opcode.BINARY):
            hear, free = self.hear, not self.queued
            if hear is not None and free and event.fin and opcode is Opcode.TEXT and hear(bytes(event.data)):
                return
            self.queued += 1
        super().process_event(event)


def _waits_in(generator: Any) -> object:
    """Return the code in which a chain of generators waits."""
    while (inner := getattr(generator, "gi_yieldfrom", None)) is not None:
        generator = inner
    return getattr(generator, "gi_code", None)


def done(connection: ServerConnection) -> None:
    """Say that the task is through with one message."""
    if isinstance(connection, DirectConnection):
        connection.queued -= 1


def listen(connection: ServerConnection, hear: Callable[[bytes], bool]) -> None:
    """Have messages offered to `hear`, where the connection can do that."""
    if isinstance(connection, DirectConnection):
        connection.hear = hear
