"""Lines that have come in, counted before anything was said on them, so that a flood of silent ones ends here.

Knows transports and addresses; nothing of what is said. A proxy that the settings name is many people and not
counted; what it forwards is counted by the gateway.
"""

import asyncio
import resource
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from websockets.asyncio.server import ServerConnection

from server.runtime.addresses import Network, is_trusted

RESERVED_FILES: Final = 128
"""Descriptors kept for the engine, logs and the listener."""


def most_lines() -> int:
    """Let this process open as many files as it may, and return how many lines that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 65_536, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(RESERVED_FILES, soft - RESERVED_FILES)


class Doorstep:
    """All lines of one worker, by address. Past a limit the newest is ended at once, without a word."""

    def __init__(self, most_by_address: int, most: int, trusted: Sequence[Network] = ()) -> None:
        self._most_by_address, self._most, self._trusted = most_by_address, most, trusted
        self._by_address: Counter[str] = Counter()
        self._lines: dict[ServerConnection, str] = {}
        self.turned_away = 0
        self.came = 0
        """How many lines there have been."""

    def __len__(self) -> int:
        return len(self._lines)

    def connection_type(self, base: type[ServerConnection] = ServerConnection) -> type[ServerConnection]:
        """Return the connections that are counted here, for the library to make."""
        doorstep = self

        class Counted(base):  # type: ignore[valid-type, misc]  # one of two classes
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                doorstep._came(self, transport)

            def connection_lost(self, exc: Exception | None) -> None:
                doorstep._went(self)
                super().connection_lost(exc)

        return Counted

    def abort_all(self) -> None:
        """End all lines that there still are, whatever they wait for."""
        for line in list(self._lines):
            line.transport.abort()

    def _came(self, line: ServerConnection, transport: Any) -> None:
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        self._lines[line] = address
        self._by_address[address] += 1
        self.came += 1
        crowd = self._by_address[address] > self._most_by_address and not is_trusted(address, self._trusted)
        if crowd or len(self._lines) > self._most:
            self.turned_away += 1
            transport.abort()

    def _went(self, line: ServerConnection) -> None:
        address = self._lines.pop(line, None)
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
