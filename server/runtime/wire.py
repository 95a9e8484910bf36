"""The one place that reaches behind the library's public door, for speed; `wire=public` goes through the door.

`ServerConnection.process_event` is not part of websockets' public interface: its version is pinned and the tests of
the runtime run over both ways. What is gained is a task's switch for every move: a message that can be answered at
once is heard in the connection's own callback. Order holds: what waits for the task is never overtaken.
"""

from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import Event


class DirectConnection(ServerConnection):
    """A connection whose text messages are offered to `hear` first, which says whether it took one."""

    hear: Callable[[bytes], bool] | None = None
    queued = 0
    """Messages that the task has not finished with; whoever reads them says so with `done`."""

    def process_event(self, event: Event) -> None:
        """Hear a whole text message now, or leave it to the task."""
        opcode = event.opcode if isinstance(event, Frame) else None
        if isinstance(event, Frame) and (opcode is Opcode.TEXT or opcode is Opcode.BINARY):
            hear, free = self.hear, not self.queued
            if hear is not None and free and event.fin and opcode is Opcode.TEXT and hear(bytes(event.data)):
                return
            self.queued += 1
        super().process_event(event)


def done(connection: ServerConnection) -> None:
    """Say that the task is through with one message."""
    if isinstance(connection, DirectConnection):
        connection.queued -= 1


def listen(connection: ServerConnection, hear: Callable[[bytes], bool]) -> None:
    """Have messages offered to `hear`, where the connection can do that."""
    if isinstance(connection, DirectConnection):
        connection.hear = hear
