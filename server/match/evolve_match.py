"""What entries that concern no seat change: a best that was found, time given back, the end. Pure, as `evolve` is."""

from dataclasses import replace

from server.match.entries import BestFound, CourseClosed, Entry, MatchEnded, RematchNamed, TimeGiven
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
        spit_at_ms=later(state.spit_at_ms),
    )


def rematch_named(state: Match, entry: Entry, body: RematchNamed) -> Match:
    """Name the next match."""
    return replace(state, version=entry.version, next_match=(body.match_id, body.room, body.secret))


def match_ended(state: Match, entry: Entry, body: MatchEnded) -> Match:
    """End the match; no clock runs any more."""
    return replace(
        state,
        version=entry.version,
        phase="ended",
        starts_at_ms=0,
        hole_deadline_ms=0,
        last_seat_deadline_ms=0,
        spit_at_ms=0,
        abandoned=body.abandoned,
    )


def course_closed(state: Match, entry: Entry, body: CourseClosed) -> Match:
    """Show what the round hid while others played its course."""
    return replace(state, version=entry.version, course_over=True)
