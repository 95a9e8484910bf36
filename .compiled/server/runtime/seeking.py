"""What one match wants found, and what was found of it: asked of the solving processes, handed to `due` in the world.

Nothing waits for it: what could not be found now is asked for again at the next look around.
"""

import logging
from collections.abc import Awaitable, Callable

from server.match.due import wanted
from server.match.state import Match
from server.match.winnable import MOST_SKIPPED, DealFound, DealWanted, deal_wanted
from server.rules.best import Best
from server.runtime.solving import Solvers, Unsolved

log = logging.getLogger("fairway.seeking")


class Seeker:
    """Seeks for one room; `found` is called when there is something new for `due`."""

    def __init__(
        self, solvers: Solvers, spawn: Callable[[Awaitable[None]], object], found: Callable[[], None]
    ) -> None:
        self._solvers, self._spawn, self._found = solvers, spawn, found
        self._asked: set[str | DealWanted] = set()
        self.bests: dict[str, Best] = {}
        self.deals: dict[DealWanted, DealFound] = {}

    def __len__(self) -> int:
        """How many answers are on their way."""
        return len(self._asked)

    def look(self, state: Match, now_ms: int) -> None:
        """Ask for what the match wants and nobody is asked for yet; forget what it has."""
        if not self._solvers.processes:
            return
        codes = [hole.code for hole in wanted(state, now_ms)]
        self.bests = {code: best for code, best in self.bests.items() if code in codes}
        for code in codes:
            if code not in self.bests and code not in self._asked:
                self._asked.add(code)
                self._spawn(self._seek(code))
        needed = deal_wanted(state)
        self.deals = {one: found for one, found in self.deals.items() if one == needed}
        if needed is not None and needed not in self.deals and needed not in self._asked:
            self._asked.add(needed)
            self._spawn(self._seek_deal(needed))

    async def _seek_deal(self, needed: DealWanted) -> None:
        """Try one candidate after another. It may be wanted no more by then: `due` asks for what it needs."""
        try:
            for attempt in range(MOST_SKIPPED + 1):
                code = needed.candidate(attempt)
                if (await self._solvers.best(code)).cleared:
                    self.deals[needed] = DealFound(code, attempt)
                    break
        except Unsolved as unsolved:
            log.warning("no deal was found for a hole", extra={"why": unsolved.why})
        finally:
            self._asked.discard(needed)
        self._found()

    async def _seek(self, code: str) -> None:
        try:
            self.bests[code] = await self._solvers.best(code)
        except Unsolved as unsolved:
            log.warning("the best of a hole was not found", extra={"why": unsolved.why})
        finally:
            self._asked.discard(code)
        self._found()
