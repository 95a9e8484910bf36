"""How long what a match left with the engine is kept."""

from dataclasses import dataclass
from typing import Final

from server.match.state import Match

DAY_MS: Final = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long a match's keys live after its last entry, in ms, by what it has come to.

    `record_ms`: how long its record lives after its end, None for ever. `look_ms`: after so long without an entry
    somebody looks whether a match has ended without its record being kept.
    """

    waiting_ms: int = 2 * 3_600_000
    playing_ms: int = DAY_MS
    ended_ms: int = 90 * DAY_MS
    abandoned_ms: int = 3_600_000
    record_ms: int | None = None
    look_ms: int = 15 * 60_000

    def of(self, state: Match) -> int:
        """Return the lifetime that a state deserves. A round of a course lives until that is over, and a day."""
        course = state.course
        if course is None or state.course_over or not state.opened_at_ms:
            return self._usual(state)
        return max(self._usual(state), course.closes_at_ms - max(state.opened_at_ms, state.closed_at_ms) + DAY_MS)

    def _usual(self, state: Match) -> int:
        if state.phase == "ended":
            return self.abandoned_ms if state.abandoned and not state.closed else self.ended_ms
        return self.waiting_ms if state.phase in ("lobby", "countdown") else self.playing_ms


def lifetimes_for(record_days: int | None) -> Lifetimes:
    """Return the usual lifetimes with records kept for so many days, None for ever.

    A stream holds all that its record does, so it doesn't outlive it.
    """
    if record_days is None:
        return Lifetimes()
    record_ms = record_days * DAY_MS
    return Lifetimes(ended_ms=min(Lifetimes().ended_ms, record_ms), record_ms=record_ms)
