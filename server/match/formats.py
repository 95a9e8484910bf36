"""What holes add up to: running totals against par, and places. Pure.

Stroke play: the sum of the closed holes by the room's deciding score; equal totals share a place (1, 1, 3).
"""

from dataclasses import dataclass

from server.match.state import Match, Seat


@dataclass(frozen=True, slots=True)
class Totals:
    """A seat's closed holes together. `to_par` counts strokes over (+) or under (-) the par of those holes."""

    thru: int
    traditional: int
    app: int
    to_par: int


def totals(seat: Seat, par: int) -> Totals:
    """Sum what a seat made of the closed holes; `par` in strokes a hole."""
    thru = len(seat.results)
    strokes = sum(result.traditional for result in seat.results)
    return Totals(thru, strokes, sum(result.app for result in seat.results), strokes - par * thru)


def places(state: Match) -> dict[int, int]:
    """Return each seat's place after the closed holes, 1 the best; nobody has one before the first close.

    Totals alone decide: who left pays for each hole that it did not play.
    """
    if not state.closed:
        return {}
    traditional = state.options.scoring == "traditional"

    def key(seat: Seat) -> int:
        sums = totals(seat, state.game.par)
        return sums.traditional if traditional else -sums.app

    keys = {number: key(seat) for number, seat in state.seats.items()}
    return {number: 1 + sum(other < mine for other in keys.values()) for number, mine in keys.items()}
