"""Appends in many matches at once, each noted when it is answered, for comparing with what is there at the end."""

import asyncio
from typing import Any

from server.store.matches import Appended, Conflict, Item, Matches, Result, Stored
from tests.store.store_tools import TTL_MS


class Play:
    """One append after the other in each match, each decided on the head that the last answer told."""

    def __init__(self, matches: Matches, match_ids: list[str]) -> None:
        self.matches = matches
        self.ids = match_ids
        self.acked: dict[str, list[int]] = {match_id: [] for match_id in match_ids}
        self.answers = self.asked = 0
        self.odd: list[Result] = []
        self._going = True
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Make the matches and begin to play in all."""
        for match_id in self.ids:
            made, _ = await self.matches.create(match_id, b"first", TTL_MS)
            assert made
        self._tasks = [asyncio.create_task(self._play(match_id)) for match_id in self.ids]

    def at(self, match_id: str) -> int:
        """How many appends of a match were acked."""
        return len(self.acked[match_id])

    async def stop(self) -> None:
        """Let the appends in flight be answered."""
        self._going = False
        await asyncio.gather(*self._tasks)

    async def check(self) -> None:
        """Each append was answered once, and exactly what was acked is there, once and in order."""
        assert self.answers == self.asked
        assert self.odd == []
        for match_id, acked in self.acked.items():
            read: list[Stored] = await self.matches.read(match_id, 1) or []
            assert [entry.seq for entry in read] == acked == list(range(1, len(acked) + 1)), match_id

    async def _play(self, match_id: str) -> None:
        version, seq = 1, 1
        while self._going:
            result = await self._append(match_id, version, Item(b"%d" % seq, 0, 1, seq))
            if isinstance(result, Appended):
                self.acked[match_id].append(seq)
                version, seq = result.last, seq + 1
            else:
                self.odd.append(result)
                if isinstance(result, Conflict):
                    version = result.version
                else:
                    return
            await asyncio.sleep(0.002)

    async def _append(self, match_id: str, version: int, item: Item) -> Result:
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def done(result: Any) -> None:
            self.answers += 1
            future.set_result(result)

        self.asked += 1
        self.matches.append(match_id, version, [item], TTL_MS, done)
        return await future
