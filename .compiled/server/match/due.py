"""What falls due by itself: start, close, next hole, end, a new host, time given back. Pure.

Any worker that holds the match may append what `due` says; the version compare makes exactly one of them win.
Entries that fall due at a set time state that time, so that a match which nobody held catches up in its own order.
"""

from dataclasses import replace

from server.match import formats, spit_play
from server.match.decide import World
from server.match.entries import (
    BestFound,
    Body,
    CountdownStarted,
    CourseClosed,
    Created,
    HoleClosed,
    HoleOpened,
    HostChanged,
    MatchEnded,
    Result,
    SeatLeft,
    TimeGiven,
)
from server.match.spit_entries import SpitDealt, SpitTurned
from server.match.state import COUNTDOWN_MS, HOST_OFFLINE_MS, ClosedHole, Match, Seat
from server.match.winnable import deal_wanted
from server.rules.base import Ending
from server.rules.codes import SEALING, sealed_code

BEST_FOR_MS = 3_600_000
"""So long after its last hole, or its course, closed an ended match still gets what was found of its deals: old streams
stay as they are."""


def due(state: Match, world: World, now_ms: int) -> Body | None:
    """Return the next thing that must happen at `now_ms` (engine clock), or None. Call again after applying it."""
    if state.course is not None and state.course_open and now_ms >= state.course.closes_at_ms:
        return CourseClosed()
    if world.bests:
        for hole in wanted(state, now_ms):
            best = world.bests.get(hole.code)
            if best is not None:
                return BestFound(hole.hole, best.strokes, best.line)
    if state.phase == "ended":
        return None
    given = _time_to_give(state, world)
    if given is not None:
        return given
    if state.conceded is not None:
        return MatchEnded(abandoned=not state.here())
    people, here = state.people(), state.here()
    if here and not people:
        return SeatLeft(next(iter(here)))  # house players play for somebody, or go home
    if state.phase == "playing":
        body: Body | None = _due_playing(state, now_ms)
    elif not people:
        body = MatchEnded(abandoned=True)
    elif state.phase == "between":
        body = _due_between(state, world, now_ms)
    else:
        body = _due_before(state, now_ms)
    if isinstance(body, HoleOpened):
        body = _with_deal(state, world, body)
    return body or _new_host(state, world, now_ms)


def _with_deal(state: Match, world: World, opened: HoleOpened) -> HoleOpened | None:
    """Deal what was looked for, where that is to be; None as long as it wasn't found.

    It opens at the entry's own time, since nobody could play before.
    """
    needed = deal_wanted(state)
    if needed is None:
        return opened
    found = world.deals.get(needed)
    return None if found is None else replace(opened, code=found.code, opened_at_ms=0, skipped=found.skipped)


def wanted(state: Match, now_ms: int) -> list[ClosedHole]:
    """Return the closed holes whose best is to be found. That takes work, which isn't done here: it goes into the world.

    Never an open hole, nor one of a course that others may still play: what is found is told to all.
    """
    if len(state.bests) >= len(state.closed) or state.course_open or state.spit is not None:
        return []
    shown_at_ms = max(state.closed_at_ms, 0 if state.course is None else state.course.closes_at_ms)
    if state.phase == "ended" and now_ms - shown_at_ms > BEST_FOR_MS:
        return []
    open_ones = [hole for hole in state.closed if hole.hole not in state.bests]
    return [hole for hole in open_ones if state.options.game_of(hole.hole).solvable]


def wakes_at(state: Match, world: World | None = None) -> int:
    """Return when the clock alone makes something due (ms), 0 if it doesn't; presence may do so earlier.

    Nor does the clock open a hole whose deal isn't found in the world: what finds it wakes the match.
    """
    ends_at_ms = _clock_ends_at(state)
    if state.phase != "playing":
        needed = deal_wanted(state)
        if needed is not None and (world is None or needed not in world.deals):
            ends_at_ms = 0
    elif state.spit_at_ms:
        ends_at_ms = min(state.spit_at_ms, ends_at_ms or state.spit_at_ms)
    if state.course is None or state.course_over:
        return ends_at_ms
    return min(ends_at_ms or state.course.closes_at_ms, state.course.closes_at_ms)


def _clock_ends_at(state: Match) -> int:
    return state.deadline_ms or state.starts_at_ms or (state.gather_until_ms if late(state) else 0)


def late(state: Match) -> list[int]:
    """Return the strangers of a quick match who are not ready, before it begins."""
    if state.phase != "lobby" or not state.gather_until_ms:
        return []
    return [number for number, seat in state.seats.items() if not (seat.ready or seat.bot)]


def _time_to_give(state: Match, world: World) -> TimeGiven | None:
    """An outage is given back to the clock that ran when it began, and to that one only."""
    ends_at_ms = _clock_ends_at(state)
    if state.phase == "playing":
        clock_from_ms = state.opened_at_ms
    elif state.phase == "between" and ends_at_ms:
        clock_from_ms = state.closed_at_ms
    elif state.phase == "countdown":
        clock_from_ms = state.starts_at_ms - COUNTDOWN_MS
    else:
        return None
    for from_ms, until_ms in world.outages:
        began_ms = max(from_ms, clock_from_ms, state.settled_ms)
        if until_ms <= state.settled_ms or until_ms <= began_ms or (ends_at_ms and ends_at_ms <= began_ms):
            continue
        return TimeGiven(until_ms - began_ms, until_ms)
    return None


def _due_before(state: Match, now_ms: int) -> Body | None:
    missing = late(state)
    if missing and state.gather_until_ms <= now_ms:
        return SeatLeft(missing[0])  # strangers wait for nobody who does not come
    if state.phase == "countdown":
        return open_hole(state, state.starts_at_ms) if now_ms >= state.starts_at_ms else None
    everybody = all(seat.ready for seat in state.seats.values())
    if everybody and (len(state.seats) > 1 or state.options.alone):
        return open_hole(state, 0) if state.options.alone else CountdownStarted(now_ms + COUNTDOWN_MS)
    return None


def _new_host(state: Match, world: World, now_ms: int) -> HostChanged | None:
    """A room must not wait for a host who is away: the next seat that is there hosts."""
    since_ms = world.offline_since.get(state.host)
    if since_ms is None or now_ms - since_ms < HOST_OFFLINE_MS:
        return None
    online = [number for number in state.people() if number not in world.offline_since]
    heirs = [number for number in online if number > state.host] or online
    return HostChanged(heirs[0]) if heirs else None


def open_hole(state: Match, opened_at_ms: int) -> HoleOpened | SpitDealt:
    """Deal the hole that follows: a typed code if there is one, else what secret and nonces give it.

    The holes of sudden death follow from them too: the commitment bound those from the start.
    """
    if state.options.mode == "spit":
        return spit_play.dealt_round(state, opened_at_ms)
    hole = state.hole + 1
    options = state.options
    if options.typed(hole):
        code = options.deals[hole - 1]
    else:
        game = options.game_of(hole)
        letter = game.letter_of(options.rules_of(hole))
        code = sealed_code(game.name, letter, state.sealing, state.secret, state.nonces, hole)
    return HoleOpened(hole, code, opened_at_ms, options.hole_seconds)


def _due_playing(state: Match, now_ms: int) -> HoleClosed | SpitTurned | None:
    if state.spit is not None:
        return spit_play.due_round(state, state.spit, now_ms)
    if not state.playing():
        return close_hole(state, 0)
    deadline_ms = state.deadline_ms
    if deadline_ms and now_ms >= deadline_ms:
        return close_hole(state, deadline_ms)
    return None


def close_hole(state: Match, closed_at_ms: int) -> HoleClosed:
    """State everybody's result. Who still plays has timed out, unless stuck."""
    return HoleClosed(
        state.hole, closed_at_ms, {number: _result(state, seat) for number, seat in state.seats.items()}
    )


def _result(state: Match, seat: Seat) -> Result:
    game, hand = state.game, seat.hand
    table = hand.board.table if hand is not None else state.table
    if table is None:
        raise ValueError("no hole was dealt")
    if hand is None:
        score = game.score(table, "unplayed", state.rules)
        return Result("unplayed", game.cards_left(table), game.stock_left(table), score.traditional, score.app, 0, 0)
    ending: Ending = "timed_out" if hand.ending == "playing" else hand.ending
    score = game.score(table, ending, state.rules)
    return Result(
        ending,
        game.cards_left(table),
        game.stock_left(table),
        score.traditional,
        score.app,
        hand.board.moves,
        hand.board.undos,
    )


def _due_between(state: Match, world: World, now_ms: int) -> Body | None:
    if formats.over(state):
        return MatchEnded(abandoned=False)
    # House players are always ready: the next hole waits for the people.
    waiting = [n for n, seat in state.people().items() if not seat.next and n not in world.offline_since]
    anybody = any(seat.next for seat in state.people().values())
    if anybody and not waiting:
        return open_hole(state, 0)
    if state.starts_at_ms and now_ms >= state.starts_at_ms:
        return open_hole(state, state.starts_at_ms)
    return None


def rematch_of(state: Match) -> Created:
    """Return how the next match begins: the same people, options and host; any reader may create it.

    Raises ValueError if no rematch was named.
    """
    if state.next_match is None:
        raise ValueError("no rematch was named")
    match_id, room, secret = state.next_match
    here = state.here()
    seated = tuple((number, seat.name, seat.token_hash) for number, seat in here.items())
    host = state.host if state.host in here else min(state.people(), default=0)
    bots = tuple((number, seat.bot, seat.token) for number, seat in here.items() if seat.bot)
    return Created(match_id, room, state.options, secret, host, seated, SEALING, bots=bots)
