"""An audience: each viewer hears what is its own to hear, whatever was built for the others."""

from typing import Any

from pydantic_core import from_json

from server.match.telling import tell
from server.protocol import server as say
from server.runtime.audience import Audience
from server.runtime.session import Session

from ..match.driver import Driver


class Box:
    """An outbox that keeps what was pushed."""

    def __init__(self) -> None:
        self.pushed: list[bytes] = []

    def push(self, payload: bytes, framed: bytes | None = None) -> None:
        """Keep it."""
        self.pushed.append(payload)
