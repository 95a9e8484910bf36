"""What entries of the whole match change: creation, a best found, time given back, the end. Pure, as `evolve` is."""

from typing import Any

from server.match.entries import BestFound, CourseClosed, Created, Entry, MatchEnded, RematchNamed, TimeGiven
from server.match.state import GATHER_MS, Match, Seat, changed


def created(body: Created, at_ms: int) -> Match:
    """Begin a match as its first entry says."""
    bots: dict[int, Any] = {number: {"bot": strength, "token": token} for number, strength, token in body.bots}
    seats = {number: Seat(name, token, **bots.get(number, {})) for number, name, token in body.seated}
    if body.options.alone:
        seats = {number: changed(seat, ready=True) for number, seat in seats.items()}
    return Match(
        match_id=body.match_id,
        room=body.room,
        options=body.options,
        secret=body.secret,
        host=body.host,
        sealing=body.sealing,
        course=body.course,
        version=1,
        seats=seats,
        generations=dict.fromkeys(seats, 1),
        gather_until_ms=at_ms + GATHER_MS if body.quick else 0,
    )


def best_found(state: Match, entry: Entry, body: BestFound) -> Match:
    """Keep what a closed hole's deal allowed; its line as long as no other hole is dealt."""
    line = body.line if body.hole == state.hole else state.line
    return changed(state, version=entry.version, bests={**state.bests, body.hole: body.strokes}, line=line)


def time_given(state: Match, entry: Entry, body: TimeGiven) -> Match:
    """Move all that is to come by an outage of the engine."""

    def later(when_ms: int) -> int:
        return when_ms + body.ms if when_ms else 0

    return changed(
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
    return changed(state, version=entry.version, next_match=(body.match_id, body.room, body.secret))


def match_ended(state: Match, entry: Entry, body: MatchEnded) -> Match:
    """End the match; no clock runs any more."""
    return changed(
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
    return changed(state, version=entry.version, course_over=True)
