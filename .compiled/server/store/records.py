"""The records of ended matches, which outlive their streams, and the list of matches that may still want one.

A record is opaque bytes under its match's hash tag, written once and never changed. Whoever is to get one stands in
a list from before its match is made until its record was found there: so a record that a killed worker did not write
is missed by somebody. What the bytes mean is not known here. Every method raises EngineError.
"""

from dataclasses import dataclass
from typing import Final

from server.store.client import Sent
from server.store.cluster_client import open_client
from server.store.scripts import load_script

_EXPECTED: Final = "fw:{records}"


def _key(match_id: str, kind: str) -> str:
    return f"fw:{{{match_id}}}:{kind}"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands with the engine: whether its record is kept, and when its last entry came (None: gone)."""

    kept: bool
    last_at_ms: int | None


class Records:
    """The records of one engine or cluster."""

    def __init__(self, url: str, *, connections: int = 2, timeout_s: float = 5.0) -> None:
        self._client = open_client(url, connections=connections, timeout_s=timeout_s)
        self._due = load_script("records_due")

    async def get(self, match_id: str) -> bytes | None:
        """The record of a match, None where none is kept."""
        (record,) = await self._client.many([("GET", _key(match_id, "r"))])
        return None if record is None else bytes(record)

    async def put(self, match_id: str, record: bytes, ends_at_ms: int | None = None) -> bytes:
        """Keep a record, for ever or until a moment of the engine's clock; give the one that is kept.

        The first one stays: a record that was written before is not changed, and its end isn't either.
        """
        command: Sent = ("SET", _key(match_id, "r"), record, "NX")
        if ends_at_ms is not None:
            command = (*command, "PXAT", ends_at_ms)
        _, kept = await self._client.many([command, ("GET", _key(match_id, "r"))])
        return record if kept is None else bytes(kept)  # None: it ended in between

    # Who may want one

    async def expect(self, match_id: str, look_at_ms: int) -> None:
        """Have somebody look at a match, not before this moment of the engine's clock."""
        await self._client.many([("ZADD", _EXPECTED, look_at_ms, match_id)])

    async def due(self, most: int, again_ms: int) -> list[str]:
        """Take over the matches that it is time to look at, at most so many.

        They come up again after `again_ms`, for anybody, unless they are `settled` by then: who dies over one loses
        it to another.
        """
        ids = await self._client.run(self._due, (_EXPECTED,), most, again_ms)
        return [match_id.decode() for match_id in ids]

    async def standing(self, match_id: str) -> Standing:
        """How a match stands."""
        kept, last_at = await self._client.many([("EXISTS", _key(match_id, "r")), ("HGET", _key(match_id, "h"), "t")])
        return Standing(bool(kept), None if last_at is None else int(last_at))

    async def settled(self, match_id: str) -> None:
        """Nobody need look at this match again."""
        await self._client.many([("ZREM", _EXPECTED, match_id)])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
