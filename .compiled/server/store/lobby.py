"""The lobby: a line for each public room that waits. A hint that expires, never trusted for joining."""

from server.store.cluster_client import open_client
from server.store.scripts import load_script

MOST_LINES = 1_000
_KEYS = ("fw:{lobby}:ends", "fw:{lobby}:lines")


class Lobby:
    """The summaries of open rooms (opaque bytes). Every method raises EngineError when the engine is away."""

    def __init__(self, url: str, *, connections: int = 2, timeout_s: float = 5.0) -> None:
        self._client = open_client(url, connections=connections, timeout_s=timeout_s)
        self._publish = load_script("lobby_publish")
        self._list = load_script("lobby_list")

    async def publish(self, match_id: str, summary: bytes, ttl_ms: int) -> None:
        """Put a match's line in, or renew it; after `ttl_ms` it is gone. At most 1,000 lines are kept."""
        if ttl_ms <= 0:
            raise ValueError("a time to live is above 0 ms")
        await self._client.run(self._publish, _KEYS, match_id, summary, ttl_ms, MOST_LINES)

    async def withdraw(self, match_id: str) -> None:
        """Take a match's line out."""
        ends, lines = _KEYS
        await self._client.many([("ZREM", ends, match_id), ("HDEL", lines, match_id)])

    async def list(self, limit: int) -> list[bytes]:
        """At most `limit` summaries, those that live longest first."""
        summaries: list[bytes] = await self._client.run(self._list, _KEYS, limit)
        return summaries

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
