"""A match of Spit: rounds in place of holes, and one table for two. Pure.

The order of the stream is the judge: a play names the top that it was meant for, and is decided on the table as all
entries before it left it. Seat 0 plays side 0, seat 1 side 1. Rounds are won and lost as holes of match play are, by the
cards left in the stockpiles.
"""

from collections.abc import Mapping
from typing import Any, Final

from server.match.commands import SpitPlay
from server.match.entries import Entry, HoleClosed, Result
from server.match.formats import over
from server.match.spit_entries import SpitDealt, SpitPlayed, SpitTurned
from server.match.state import PAUSE_MS, ClosedHole, Match, changed
from server.rules import spit
from server.rules.base import Ending, Refusal
from server.rules.cards import Card
from server.rules.codes import deck_of, parse_code, sealed_code
from server.rules.table import HIDDEN

SPIT_MS = 1_500
"""So long both look at a table on which neither can play, before the next cards are turned."""


# -- deciding --------------------------------------------------------------------------------------------------------


def decide_play(state: Match, command: SpitPlay, now_ms: int) -> SpitPlayed | Refusal:
    """Judge a play: refused with `not_open`, `hole_over`, and what `spit.judge` refuses with."""
    table = state.spit
    if state.phase != "playing" or table is None:
        return Refusal("not_open")
    if spit.over(table) or 0 < state.deadline_ms <= now_ms:
        return Refusal("hole_over")
    move = spit.Move(command.source, command.target, Card(command.card))
    refusal = spit.judge(table, command.seat, move, command.on)
    return refusal or SpitPlayed(command.seat, command.source, command.target, command.card)


# -- what falls due --------------------------------------------------------------------------------------------------


def dealt_round(state: Match, opened_at_ms: int) -> SpitDealt:
    """Deal the next round: its deck is that of the code which secret and nonces give, as for a hole of the first game."""
    options = state.options
    hole = state.hole + 1
    game = options.game_of(hole)
    letter = game.letter_of(options.rules_of(hole))
    code = sealed_code(game.name, letter, state.sealing, state.secret, state.nonces, hole)
    return SpitDealt(hole, code, opened_at_ms, options.hole_seconds)


def due_round(state: Match, table: spit.Spit, now_ms: int) -> HoleClosed | SpitTurned | None:
    """Return what the open round needs: its end, or the next spit once both have looked long enough."""
    if spit.over(table):
        return _closing(state, table, 0)
    if state.hole_deadline_ms and now_ms >= state.hole_deadline_ms:
        return _closing(state, table, state.hole_deadline_ms)
    if state.spit_at_ms and now_ms >= state.spit_at_ms:
        one, other = [str(side.stock[0]) if side.stock else "" for side in table.sides]
        return SpitTurned((one, other))
    return None


def _closing(state: Match, table: spit.Spit, closed_at_ms: int) -> HoleClosed:
    return HoleClosed(state.hole, closed_at_ms, {seat: result_of(table, seat) for seat in state.seats})


def result_of(table: spit.Spit, side: int) -> Result:
    """Return what a side made of a round: `cleared` without cards, `stuck` where nobody could play on, else `timed_out`.

    Who was beaten to it is `done`. Both scores count cards: those left, and ten for each that is gone.
    """
    mine, left = table.sides[side], table.sides[side].left
    ending: Ending = "timed_out"
    if not left:
        ending = "cleared"
    elif spit.over(table):
        ending = "stuck" if table.sides[1 - side].left else "done"
    return Result(ending, left, len(mine.stock), left, 10 * (spit.HAND - left), 0, 0)


# -- applying --------------------------------------------------------------------------------------------------------


def evolve_dealt(state: Match, entry: Entry, body: SpitDealt) -> Match:
    """Open a round."""
    opened_at_ms = body.opened_at_ms or entry.at_ms
    seats = {number: changed(seat, next=False) for number, seat in state.seats.items()}
    state = changed(
        state,
        phase="playing",
        seats=seats,
        hole=body.hole,
        code=body.code,
        opened_at_ms=opened_at_ms,
        hole_deadline_ms=opened_at_ms + 1000 * body.seconds if body.seconds else 0,
        starts_at_ms=0,
    )
    return _laid(state, entry, spit.deal(deck_of(parse_code(body.code))))


def evolve_played(state: Match, entry: Entry, body: SpitPlayed) -> Match:
    """Put a card where it was played."""
    move = spit.Move(body.source, body.target, Card(body.card))
    return _laid(state, entry, spit.played(_table(state), body.seat, move))


def evolve_turned(state: Match, entry: Entry, body: SpitTurned) -> Match:
    """Turn the next spit cards."""
    return _laid(state, entry, spit.spat(_table(state)))


def _laid(state: Match, entry: Entry, table: spit.Spit) -> Match:
    waits = spit.blocked(table) and not spit.over(table)
    return changed(state, version=entry.version, spit=table, spit_at_ms=entry.at_ms + SPIT_MS if waits else 0)


def _table(state: Match) -> spit.Spit:
    if state.spit is None:
        raise ValueError("no round was dealt")
    return state.spit


def evolve_closed(state: Match, entry: Entry, body: HoleClosed) -> Match:
    """Close a round; its table stays to be looked at."""
    closed_at_ms = body.closed_at_ms or entry.at_ms
    seats = {
        number: changed(seat, results=(*seat.results, body.results[number]), next=False)
        for number, seat in state.seats.items()
    }
    state = changed(
        state,
        version=entry.version,
        phase="between",
        seats=seats,
        hole_deadline_ms=0,
        spit_at_ms=0,
        closed_at_ms=closed_at_ms,
        starts_at_ms=0,
        closed=(*state.closed, ClosedHole(body.hole, state.code, "", (), body.results)),
    )
    return state if over(state) else changed(state, starts_at_ms=closed_at_ms + PAUSE_MS)


HANDLERS: Final[Mapping[type[Any], Any]] = {
    SpitDealt: evolve_dealt,
    SpitPlayed: evolve_played,
    SpitTurned: evolve_turned,
}


# -- what is seen ----------------------------------------------------------------------------------------------------


def spit_view(state: Match) -> dict[str, Any] | None:
    """Return what all see of the shared table: each heap's top and height, and when the next spit comes (ms)."""
    if state.spit is None:
        return None
    return {
        "tops": [str(heap[-1]) for heap in state.spit.heaps],
        "heights": [len(heap) for heap in state.spit.heaps],
        "spit_at": state.spit_at_ms or None,
    }


def spit_boards(table: spit.Spit) -> dict[str, dict[str, list[str]]]:
    """Return both boards, which are the same for everybody: of a stockpile the top alone is open, to its owner too."""
    boards = {}
    for seat, side in enumerate(table.sides):
        piles = {
            name: [HIDDEN] * (len(pile) - 1) + [str(card) for card in pile[-1:]]
            for name, pile in zip(spit.COLUMNS, side.piles, strict=True)
        }
        boards[str(seat)] = {**piles, "stock": [HIDDEN] * len(side.stock)}
    return boards


def spit_moves(state: Match, table: spit.Spit, seat: int) -> list[list[str]]:
    """Return a seat's legal plays as its page is told them."""
    if state.phase != "playing" or spit.over(table):
        return []
    return [[move.source, move.target, str(move.card)] for move in spit.moves(table, seat)]


def spit_counts(state: Match, table: spit.Spit, seat: int) -> dict[str, Any]:
    """Return the live counts of a seat, in the form that seats of other games have."""
    made = result_of(table, seat)
    ended = state.phase != "playing" or spit.over(table)
    return {
        "state": made.ending if ended else "playing",
        "ended": ended,
        "cards_left": made.cards_left,
        "stock": made.stock,
        "app": made.app,
        "traditional": made.traditional,
        "ended_at": state.closed_at_ms if ended and state.phase != "playing" else None,
    }
