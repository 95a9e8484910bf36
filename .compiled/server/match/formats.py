"""What holes add up to: totals against par, nines, places, and how a match stands in its format. Pure.

Stroke play: the sum of the closed holes by the room's deciding score; equal totals share a place (1, 1, 3). Where
games are mixed, whose scores have nothing in common, a hole counts the share of its game's most that was made (ADR 0017).
Match play, of two seats: each hole is won, lost or halved, and the lead decides (rules.md, "Match formats"); the words
for it ("2 up", "dormie", "3&2") are the pages', made from these numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from server.match.entries import Result
from server.match.options import MORE_HOLES, Options, Scoring
from server.match.state import Match, Seat

NINE: Final = 9
ROUND: Final = 18
"""Holes of a round that has a front and a back nine."""


@dataclass(frozen=True, slots=True)
class Totals:
    """A seat's closed holes together. `to_par` counts strokes over (+) or under (-) the par of those holes.

    `points`: of mixed games, None of one game.
    """

    thru: int
    traditional: int
    app: int
    to_par: int
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How match play stands after `thru` closed holes.

    `leader` (None if level) is `up` holes ahead with `left` holes of the round to come, 0 in sudden death. `over`: no
    further hole follows; then `winner` is a seat, or None if the match is halved, and `conceded` the seat that went.
    """

    leader: int | None
    up: int
    left: int
    thru: int
    over: bool
    winner: int | None
    conceded: int | None

    @property
    def dormie(self) -> bool:
        """The leader can't be beaten in the round any more: it is as far ahead as there are holes left."""
        return not self.over and self.up > 0 and self.up == self.left


def totals_fields(sums: Totals) -> dict[str, int]:
    """Return sums of closed holes as views and records say them."""
    told = {"thru": sums.thru, "traditional": sums.traditional, "app": sums.app, "to_par": sums.to_par}
    return told if sums.points is None else {**told, "points": sums.points}


def standing_fields(now: Standing | None) -> dict[str, Any] | None:
    """Return how match play stands as views and records say it; None in stroke play."""
    if now is None:
        return None
    return {
        "leader": now.leader,
        "up": now.up,
        "left": now.left,
        "thru": now.thru,
        "dormie": now.dormie,
        "over": now.over,
        "winner": now.winner,
        "conceded": now.conceded,
    }


def summed(options: Options, results: Sequence[Result], first: int = 1) -> Totals:
    """Add up the results of holes that follow each other from the hole `first` on."""
    thru = len(results)
    strokes = sum(result.traditional for result in results)
    points = None
    if options.mix:
        points = sum(options.points(hole, result.app) for hole, result in enumerate(results, first))
    return Totals(thru, strokes, sum(result.app for result in results), strokes - options.par * thru, points)


def totals(options: Options, seat: Seat) -> Totals:
    """Sum what a seat made of the closed holes."""
    return summed(options, seat.results)


def rank(scoring: Scoring, sums: Totals) -> int:
    """Return what places go by: strokes, or points below zero, so that less is better."""
    if scoring == "traditional":
        return sums.traditional
    return -(sums.app if sums.points is None else sums.points)


def nines(options: Options, results: Sequence[Result]) -> list[dict[str, int]] | None:
    """Sum a seat's front nine ("out") and back nine ("in") of a round of eighteen; None for any other round."""
    if options.holes != ROUND:
        return None
    halves = ((results[:NINE], 1), (results[NINE:ROUND], NINE + 1))
    return [totals_fields(summed(options, part, first)) for part, first in halves]


def hole_winner(results: Mapping[int, Result], scoring: Scoring) -> int | None:
    """Return the seat that wins a hole of match play, None where it is halved.

    Giving up loses it outright; two that gave up, and all other ends, go by the deciding score. A hole is of one game,
    so that where points decide the app score does.
    """
    (one, ours), (other, theirs) = results.items()
    if (ours.ending == "gave_up") != (theirs.ending == "gave_up"):
        return other if ours.ending == "gave_up" else one
    ahead = theirs.traditional - ours.traditional if scoring == "traditional" else ours.app - theirs.app
    if ahead == 0:
        return None
    return one if ahead > 0 else other


def stands(options: Options, seats: Iterable[int], winners: Sequence[int | None], conceded: int | None) -> Standing:
    """Return how match play stands: `winners` of the closed holes, `conceded` the seat that left before the end."""
    one, other = seats
    lead = sum((winner == one) - (winner == other) for winner in winners)
    thru, up = len(winners), abs(lead)
    left = max(0, options.holes - thru)
    leader = None if lead == 0 else one if lead > 0 else other
    if conceded is not None:
        return Standing(leader, up, left, thru, True, other if conceded == one else one, conceded)
    last = options.holes + (MORE_HOLES if options.sudden_death else 0)
    over = up > left or thru >= last
    return Standing(leader, up, left, thru, over, leader if over else None, None)


def standing(state: Match) -> Standing | None:
    """Return how the match stands, None in stroke play and before there are two seats that play it."""
    if not state.options.match_play or not state.hole:
        return None
    winners = [hole_winner(closed.results, state.options.scoring) for closed in state.closed]
    return stands(state.options, state.seats, winners, state.conceded)


def over(state: Match) -> bool:
    """Say whether no further hole follows the closed ones."""
    now = standing(state)
    return len(state.closed) >= state.options.holes if now is None else now.over


def over_best(state: Match, seat: Seat) -> int | None:
    """Sum the strokes over the best that the deals allowed, over the holes where that was found; None before the first.

    Nor is there such a sum of mixed games: strokes of one have nothing to do with those of another.
    """
    if state.options.mix:
        return None
    found = [
        result.traditional - state.bests[closed.hole]
        for closed, result in zip(state.closed, seat.results, strict=False)
        if closed.hole in state.bests
    ]
    return sum(found) if found else None


def places(state: Match) -> dict[int, int]:
    """Return each seat's place after the closed holes, 1 the best; nobody has one before the first close.

    Totals alone decide: who left pays for each hole that it did not play. In match play the lead decides, and who
    left has lost, whenever that was.
    """
    sums = {number: totals(state.options, seat) for number, seat in state.seats.items()}
    return placed(state.options.scoring, sums, standing(state), len(state.closed))


def placed(scoring: Scoring, sums: Mapping[int, Totals], now: Standing | None, closed: int) -> dict[int, int]:
    """Return the places that these totals, or the standing of match play, give after so many closed holes."""
    if not closed and (now is None or not now.over):
        return {}
    if now is not None:
        ahead = now.winner if now.over else now.leader
        return {number: 1 if ahead in (None, number) else 2 for number in sums}
    keys = {number: rank(scoring, total) for number, total in sums.items()}
    return {number: 1 + sum(other < mine for other in keys.values()) for number, mine in keys.items()}
