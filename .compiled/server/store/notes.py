"""What workers leave for each other to read: one short note a worker, forgotten when it isn't renewed.

A hint only: nothing is decided by it. Payloads stay opaque.
"""

import time
from typing import Final

from server.store.cluster_client import open_client

_KEY: Final = "fw:{notes}"
KEPT_S: Final = 3_600


class Notes:
    """The notes of all workers of one engine. Every method raises EngineError when the engine is away."""

    def __init__(self, url: str, *, connections: int = 2, timeout_s: float = 2.0) -> None:
        self._client = open_client(url, connections=connections, timeout_s=timeout_s)

    async def put(self, name: str, payload: bytes) -> None:
        """Leave or renew the note of `name`."""
        stamp = b"%d " % int(time.time())
        await self._client.many([("HSET", _KEY, name, stamp + payload), ("EXPIRE", _KEY, KEPT_S)])

    async def all(self, fresh_s: float) -> dict[str, bytes]:
        """Return the notes of at most this age, by name; older ones are thrown away."""
        (flat,) = await self._client.many([("HGETALL", _KEY)])
        rows = flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)
        notes, stale = {}, []
        for name, line in rows:
            stamp, _, payload = line.partition(b" ")
            if time.time() - int(stamp) <= fresh_s:
                notes[name.decode()] = payload
            else:
                stale.append(name)
        if stale:
            await self._client.many([("HDEL", _KEY, *stale)])
        return notes

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
