"""How long what a match left with the engine is kept."""

from dataclasses import dataclass

from server.match.state import Match


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long a match's keys live after its last entry, in ms, by what it has come to."""

    waiting_ms: int = 2 * 3_600_000
    playing_ms: int = 24 * 3_600_000
    ended_ms: int = 90 * 24 * 3_600_000
    abandoned_ms: int = 3_600_000

    def of(self, state: Match) -> int:
        """Return the lifetime that a state deserves."""
        if state.phase == "ended":
            return self.abandoned_ms if state.abandoned and not state.closed else self.ended_ms
        return self.waiting_ms if state.phase in ("lobby", "countdown") else self.playing_ms
