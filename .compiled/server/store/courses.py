"""The courses of an engine or a cluster: what each is, who has claimed a name in it, and the table of finished rounds.

All keys of a course share its hash tag and live as long as the course itself. A course is opaque bytes, made once
under its id, whoever comes first; so is a row. Every method raises EngineError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.store.client import Sent
from server.store.cluster_client import open_client
from server.store.scripts import load_script

MOST_ROWS: Final = 10_000
"""Of one course's table: some 700 bytes each for nine holes."""


def _key(course_id: str, kind: str) -> str:
    return f"fw:{{{course_id}}}:{kind}"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row and its rank, and how many rows are better."""

    rank: int
    row: bytes
    better: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a table: `rows` as (rank, row) in order, `better` than the first of them, `total` rows in all.

    `spread`: how many rounds made each rank, by hole (from 1). `own` is the row that was asked for besides.
    """

    total: int
    better: int
    rows: tuple[tuple[int, bytes], ...]
    spread: dict[int, dict[int, int]]
    own: Ranked | None


class Courses:
    """The courses of one engine or cluster."""

    def __init__(self, url: str, *, connections: int = 2, timeout_s: float = 5.0) -> None:
        self._client = open_client(url, connections=connections, timeout_s=timeout_s)
        self._done = load_script("course_done")
        self._claim = load_script("course_claim")
        self._table = load_script("course_table")

    async def make(self, course_id: str, payload: bytes, ends_at_ms: int | None) -> bytes:
        """Make a course unless it is there; give the one that is. It lives until a moment of the engine's clock."""
        command: Sent = ("SET", _key(course_id, "course"), payload, "NX")
        if ends_at_ms is not None:
            command = (*command, "PXAT", ends_at_ms)
        _, kept = await self._client.many([command, ("GET", _key(course_id, "course"))])
        return payload if kept is None else bytes(kept)  # None: it ended in between

    async def change(self, course_id: str, payload: bytes) -> bool:
        """Say anew what a course is, as long as it lives; False if there is none."""
        (done,) = await self._client.many([("SET", _key(course_id, "course"), payload, "XX", "KEEPTTL")])
        return done is not None

    async def get(self, course_id: str) -> bytes | None:
        """What a course is."""
        return (await self.get_many([course_id]))[0]

    async def get_many(self, course_ids: Sequence[str]) -> list[bytes | None]:
        """What many courses are, None for those that don't exist."""
        kept = await self._client.many([("GET", _key(course_id, "course")) for course_id in course_ids])
        return [None if payload is None else bytes(payload) for payload in kept]

    async def claim(self, course_id: str, name: str, match_id: str) -> str | None:
        """Claim a name for a round; give the round that has it now, None if there is no such course."""
        keys = (_key(course_id, "course"), _key(course_id, "names"))
        holder = await self._client.run(self._claim, keys, name, match_id)
        return None if holder is None else holder.decode()

    async def claims(self, course_id: str) -> dict[str, str]:
        """The names that were claimed, each with its round."""
        (flat,) = await self._client.many([("HGETALL", _key(course_id, "names"))])
        rows = flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)
        return {name.decode(): match_id.decode() for name, match_id in rows}

    async def done(
        self, course_id: str, member: str, rank: int, row: bytes, holes: Sequence[int], most: int = MOST_ROWS
    ) -> bool:
        """Add a finished round to the table, `holes` its rank on each; False where it was there, or can't be.

        It can't be in a course that is gone, or in a table of `most` rows.
        """
        keys = [_key(course_id, kind) for kind in ("course", "ranks", "rows", "spread")]
        said = await self._client.run(self._done, keys, member, rank, row, most, *holes)
        return bool(said == 1)

    async def table(self, course_id: str, first: int, count: int, member: str = "") -> Stretch:
        """The table's rows from `first` (from 0) on, the best first, and `member`'s own row."""
        keys = [_key(course_id, kind) for kind in ("ranks", "rows", "spread")]
        total, better, flat, counted, own = await self._client.run(self._table, keys, first, count, member)
        spread: dict[int, dict[int, int]] = {}
        for field, rounds in zip(counted[::2], counted[1::2], strict=True):
            hole, rank = field.split(b":")
            spread.setdefault(int(hole), {})[int(rank)] = int(rounds)
        return Stretch(
            total,
            better,
            tuple((int(rank), bytes(row)) for rank, row in zip(flat[::2], flat[1::2], strict=True)),
            spread,
            Ranked(int(own[0]), bytes(own[1]), own[2]) if own else None,
        )

    async def sizes(self, course_ids: Sequence[str]) -> list[int]:
        """How many rows the tables of many courses have."""
        return await self._client.many([("ZCARD", _key(course_id, "ranks")) for course_id in course_ids])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
