"""Ghosts: the recorded play of those who finished a course, beside somebody's round. Pure.

A ghost is shown as a rival whose record is known (rules.md, section 3): the viewer, whose round it is, sees its moves
up to, and not including, the latest that showed it what the viewer has seen for good; and of
those only what the ghost's clock has reached, which runs as it ran in its record from the moment the hole opens.
Counts are the clock's alone. As `view` does for seats, this decides what of a ghost leaves; nothing else may.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.match.entries import Result
from server.match.formats import totals, totals_fields
from server.match.patch import move
from server.match.record import result_fields
from server.match.replay import recorded_events
from server.match.sight import behind, settled
from server.match.state import Counts, Hand, Logged, Match, Seat
from server.match.view import public_piles
from server.rules import base
from server.rules.base import Ending, Refusal
from server.rules.cards import Card
from server.rules.codes import deal_of, parse_code
from server.rules.table import Table, steps, steps_back


@dataclass(frozen=True, slots=True)
class GhostHole:
    """A ghost's hole. Times are ms since the hole opened; `counts[i]` are those after i actions of the hand's log."""

    dealt: Table
    hand: Hand
    counts: tuple[Counts, ...]
    ended_at_ms: int
    result: Result


@dataclass(frozen=True, slots=True)
class Ghost:
    """Somebody's recorded play of a course's holes, in order."""

    name: str
    holes: tuple[GhostHole, ...]


def ghost_of(record: Mapping[str, Any], seat: int, name: str) -> Ghost:
    """Return a seat's play out of a record (`record.record`), as far as the seat has results. Raises CodeError."""
    undo = record["options"]["undo"]
    holes: list[GhostHole] = []
    for hole in record["holes"]:
        told = hole["seats"].get(str(seat))
        if told is None or told["result"] is None or hole["closed_at"] is None:
            break
        holes.append(_hole(hole, told, undo))
    return Ghost(name, tuple(holes))


def _hole(hole: Mapping[str, Any], told: Mapping[str, Any], undo: base.UndoMode) -> GhostHole:
    game, rules, dealt = deal_of(parse_code(hole["code"]))

    def counted(table: Table, ending: Ending) -> Counts:
        score = game.score(table, ending, rules)
        return Counts(game.cards_left(table), game.stock_left(table), score.app, score.traditional)

    board = base.new_board(dealt)
    log: list[Logged] = []
    shown: list[int] = []
    opened: list[frozenset[Card]] = []
    counts = [counted(dealt, "playing")]
    for what, at_ms, *words in told["moves"]:
        events = recorded_events(game, rules, board, undo, what, words)
        if isinstance(events, Refusal):
            break  # no record of ours has it; a ghost that stands still harms nobody
        if what == "undo":
            board = base.undo(board)
            seen = [tuple(step) for event in reversed(events) for step in steps_back(event)]
        else:
            before, board = board, base.act(board, events)
            seen = [tuple(step) for event in events for step in steps(event)]
            if len(board.seen) > len(before.seen):
                shown.append(len(log))
                opened.append(board.seen)
        log.append(Logged(len(log) + 1, max(0, at_ms - hole["opened_at"]), what, tuple(seen)))
        counts.append(counted(board.table, game.outcome(board.table, rules) or "playing"))
    result = told["result"]
    fields = ("cards_left", "stock", "traditional", "app", "moves", "undos")
    made = Result(result["how"], *(result[name] for name in fields))
    last_ms = log[-1].at_ms if log else 0
    ended_at_ms = hole["closed_at"] if told["ended"] is None else told["ended"]["at"]
    if told["ended"] is None and made.ending in ("cleared", "stuck"):
        ended_at_ms = hole["opened_at"] + last_ms  # it ended with its last move
    return GhostHole(
        dealt,
        Hand(board, counts[-1], made.ending, 0, 0, tuple(log), tuple(shown), tuple(opened)),
        tuple(counts),
        max(last_ms, ended_at_ms - hole["opened_at"]),
        made,
    )


def reached(hole: GhostHole, elapsed_ms: int) -> int:
    """Return how many of its actions a ghost had done so long after the hole opened."""
    return bisect_right(hole.hand.log, elapsed_ms, key=lambda logged: logged.at_ms)


def sight(state: Match, seat: int, hole: GhostHole, elapsed_ms: int) -> int:
    """Return how many of a ghost's actions in the open hole the round's seat may see."""
    clock = reached(hole, elapsed_ms)
    own = state.seats[seat].hand
    if own is None:
        return 0
    if not state.course_open and state.phase != "playing":
        return clock
    return min(clock, behind(state, hole.hand, settled(state, own)))


def ghosts_view(state: Match, seat: int, ghosts: Sequence[Ghost], now_ms: int) -> list[dict[str, Any]]:
    """Return each ghost as the round's seat may see it at `now_ms` (engine clock), in the form of seats and boards.

    While the seat's own hole is open the ghosts' clocks run; once it is closed they stand at their end.
    """
    if not state.hole:
        return []
    elapsed_ms = now_ms - state.opened_at_ms
    return [_ghost_view(state, seat, ghost, elapsed_ms) for ghost in ghosts if len(ghost.holes) >= state.hole]


def _ghost_view(state: Match, seat: int, ghost: Ghost, elapsed_ms: int) -> dict[str, Any]:
    hole = ghost.holes[state.hole - 1]
    if state.phase != "playing":
        elapsed_ms = max(elapsed_ms, hole.ended_at_ms)
    ended = elapsed_ms >= hole.ended_at_ms
    done = [one.result for one in ghost.holes[: len(state.closed)]]
    options = state.options
    sums = totals(options, Seat(ghost.name, "", results=tuple(done)))
    result, counts = hole.result, hole.counts[reached(hole, elapsed_ms)]
    if ended:
        counts = Counts(result.cards_left, result.stock, result.app, result.traditional)
    piles = public_piles(hole.dealt)
    for logged in hole.hand.log[: sight(state, seat, hole, elapsed_ms)]:
        move(piles, logged.steps)
    return {
        "name": ghost.name,
        "state": result.ending if ended else "playing",
        "ended": ended,
        "cards_left": counts.cards_left,
        "stock": counts.stock,
        "app": counts.app,
        "traditional": counts.traditional,
        **({"points": state.points(counts.app)} if options.mix else {}),
        "totals": totals_fields(sums),
        "results": [result_fields(options, number, one) for number, one in enumerate(done, 1)],
        "board": piles,
    }
