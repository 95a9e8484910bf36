"""The house players of one worker: who is called, and by whom.

Which seats are house players' stands in the match itself. One whose seat nobody speaks for is called by a worker that
holds the match, as long as a person is there; a short hold in the store makes it one worker, and a second one would
only take the seat over. So the players of a killed worker come back on another, and none is run for an empty room.
"""

import asyncio
import contextlib
import logging
import secrets
from typing import Final

from server.match.state import Seat
from server.runtime.house_player import HousePlayer, Pace
from server.runtime.metrics import Metrics
from server.runtime.room import Room
from server.store.errors import EngineError
from server.store.matches import Matches

HOLD_MS: Final = 8_000
"""Long enough for a player to come in; then its presence says that it is there."""

log = logging.getLogger("fairway.house")


class House:
    """Calls house players to matches. `url` is where this server's sockets are, empty until it listens."""

    def __init__(self, matches: Matches, metrics: Metrics, pace: Pace, most: int) -> None:
        self._matches, self._metrics = matches, metrics
        self.pace, self.most, self.url = pace, most, ""
        self._players: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._stopped = False

    def __len__(self) -> int:
        return len(self._players)

    @property
    def full(self) -> bool:
        """Whether this worker runs as many as it may."""
        return len(self._players) >= self.most

    def look(self, room: Room) -> None:
        """Call the house players of a match whose seats nobody speaks for, if a person is there to play with."""
        state = room.state
        bots = {number: seat for number, seat in state.here().items() if seat.bot}
        if not bots or state.phase == "ended" or room.gone or self._stopped or not self.url:
            return
        offline = room.world().offline_since
        if all(number in offline for number in state.people()):
            return
        for number, seat in bots.items():
            called = (state.match_id, seat.token)
            if number in offline and called not in self._players and not self.full:
                task = asyncio.get_running_loop().create_task(self._call(state.match_id, number, seat))
                self._players[called] = task
                task.add_done_callback(lambda _, called=called: self._players.pop(called, None))  # type: ignore[misc]

    async def _call(self, match_id: str, number: int, seat: Seat) -> None:
        if seat.bot is None:
            raise ValueError(f"seat {number} is a person's")
        facts = {"match": match_id, "seat": number}
        try:
            if not await self._matches.hold_seat(match_id, number, HOLD_MS):
                return
            log.info("a house player is called", extra=facts)
            self._metrics.count("house_players_called")
            player = HousePlayer(self.url, match_id, seat.token, seat.bot, self.pace, secrets.randbits(64))
            try:
                await player.run()
            finally:
                await self._matches.let_seat_go(match_id, number)
        except EngineError as error:
            log.warning("engine", extra={"fault": error.code})
        except Exception:
            log.exception("a house player failed", extra=facts)

    async def stop(self) -> None:
        """Let all players go; whoever holds their matches calls them again."""
        self._stopped = True
        players = list(self._players.values())
        for player in players:
            player.cancel()
        for player in players:
            with contextlib.suppress(asyncio.CancelledError):
                await player
