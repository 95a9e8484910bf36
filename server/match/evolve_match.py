"""What entries that concern no seat change: a best that was found, time given back, the rematch. Pure, as `evolve` is."""

from dataclasses import replace

from server.match.entries import BestFound, Entry, RematchNamed, TimeGiven
from server.match.state import Match


def best_found(state: Match, entry: Entry, body: BestFound) -> Match:
    """Keep what a closed hole's deal allowed; its line as long as no other hole is dealt."""
    line = body.line if body.hole == state.hole else state.line
    return replace(state, version=entry.version, bests={**state.bests, body.hole: body.strokes}, line=line)


def time_given(state: Match, entry: Entry, body: TimeGiven) -> Match:
    """Move all that is to come by an outage of the engine."""

    def later(when_ms: int) -> int:
        return when_ms + body.ms if when_ms else 0

    return replace(
        state,
        version=entry.version,
        settled_ms=body.until_ms,
        opened_at_ms=later(state.opened_at_ms) if state.phase == "playing" else state.opened_at_ms,
        hole_deadline_ms=later(state.hole_deadline_ms),
        last_seat_deadline_ms=later(state.last_seat_deadline_ms),
        starts_at_ms=later(state.starts_at_ms),
    )


def rematch_named(state: Match, entry: Entry, body: RematchNamed) -> Match:
    """Name the next match."""
    return replace(state, version=entry.version, next_match=(body.match_id, body.room, body.secret))
