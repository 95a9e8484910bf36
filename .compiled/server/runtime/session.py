"""One connection as the rooms know it: whom it speaks for, and its outbox.

A session is in no match or in one. It holds no match state; what it may see follows from its seat alone.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from server.protocol.server import Frame, encode
from server.runtime.outbox import Outbox

if TYPE_CHECKING:
    from server.runtime.room import Room

REPLACED = 4001
BYE = 4002
RELOAD = 4003
TRY_LATER = 1013
RESTART = 1012


class Session:
    """A connection. `name` is unique among all workers; `hang_up(code)` closes it after what was said."""

    __slots__ = ("address", "generation", "hang_up", "lease", "name", "outbox", "room", "seat")

    def __init__(self, name: str, address: str, outbox: Outbox, hang_up: Callable[[int], None]) -> None:
        self.name = name
        self.address = address
        self.outbox = outbox
        self.hang_up = hang_up
        self.room: Room | None = None
        self.seat: int | None = None
        self.generation = 0
        self.lease: tuple[str, str] | None = None  # the match and the member that it was entered as

    def say(self, frame: Frame) -> None:
        """Queue one frame for this connection alone."""
        self.outbox.push(encode(frame))

    @property
    def member(self) -> str:
        """The session's name in the match's presence; a later connection of the same seat has another."""
        return f"{'w' if self.seat is None else self.seat}:{self.name}"
