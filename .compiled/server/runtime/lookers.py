"""The lobby on one worker: who looks at it, what each was shown last, and what a match's line there says.

A line is a hint that expires unless it is announced again; nobody is let into a match by it.
"""

import json
from typing import Any

from server.match.state import Match
from server.match.view import options_view
from server.protocol import server as say
from server.rules.base import rule_fields
from server.runtime.session import Session
from server.store.lobby import Lobby

LINE_MS = 10_000
ROWS = 100


class Lookers:
    """The sessions that look at the lobby. What reads or writes it raises EngineError."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._shown: dict[Session, bytes] = {}

    def __len__(self) -> int:
        return len(self._shown)

    async def look(self, session: Session) -> None:
        """Show a session the public rooms, now and from now on whenever they change."""
        self._shown[session] = b""
        await self.show()

    def leave(self, session: Session) -> None:
        """Show a session no more."""
        self._shown.pop(session, None)

    async def show(self) -> None:
        """Show everybody the public rooms, if they differ from what that session was shown."""
        if not self._shown:
            return
        rows: list[dict[str, Any]] = [json.loads(line) for line in await self._lobby.list(ROWS)]
        payload = say.encode(say.lobby(rows))
        for session, shown in list(self._shown.items()):
            if shown != payload:
                self._shown[session] = payload
                session.outbox.push(payload)

    async def announce(self, state: Match) -> None:
        """Put a match's line in or renew it; take it out if it has none."""
        line = line_of(state)
        if line is None:
            await self._lobby.withdraw(state.match_id)
        else:
            await self._lobby.publish(state.match_id, json.dumps(line).encode(), LINE_MS)


def line_of(state: Match) -> dict[str, Any] | None:
    """Return the lobby's line of a match, None if it has none: private, begun, full or over."""
    options = state.options
    if options.visibility != "public" or state.phase not in ("lobby", "countdown") or not state.seats:
        return None
    if len(state.seats) >= options.seats:
        return None
    host = state.seats.get(state.host)
    mix = options_view(options).get("mix")
    return {
        **({} if mix is None else {"mix": mix}),
        **({} if options.mode == "solitaire" else {"mode": options.mode}),
        "room": state.room,
        "host": host.name if host is not None else "",
        "game": options.game,
        "rule": options.rule,
        "variant": rule_fields(options.rules),
        "holes": options.holes,
        "seats": options.seats,
        "taken": len(state.seats),
        "scoring": options.scoring,
        "format": options.format,
        "sudden_death": options.sudden_death,
        "winnable": options.winnable,
    }
