"""The best that deals allow, as it was found: opaque bytes by deal code, for a while. Every method raises EngineError.

A cache: what is not there is worked out again. So that a worker needs not solve what another one has.
"""

from typing import Final

from server.store.cluster_client import open_client

KEPT_S: Final = 24 * 3_600


def _key(code: str) -> str:
    return f"fw:{{{code}}}:b"


class Solutions:
    """The solutions that one engine or cluster keeps."""

    def __init__(self, url: str, *, connections: int = 2, timeout_s: float = 2.0) -> None:
        self._client = open_client(url, connections=connections, timeout_s=timeout_s)

    async def get(self, code: str) -> bytes | None:
        """The solution of a deal, None where none is kept."""
        (found,) = await self._client.many([("GET", _key(code))])
        return None if found is None else bytes(found)

    async def put(self, code: str, solution: bytes) -> None:
        """Keep a solution for a day."""
        await self._client.many([("SET", _key(code), solution, "EX", KEPT_S)])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
