"""Check what a record says of the best that its deals allowed. Pure.

A line is replayed by the rules; that nothing better can be reached is asked of a solver, if one is given.
"""

from collections.abc import Callable, Iterator
from typing import Any

from server.match.shape import Fault
from server.rules.best import Best, followed
from server.rules.codes import CodeError, deal_of, parse_code

Solve = Callable[[str], Best]
"""Finds the best of a deal code, as `server.rules.best.best_of` does."""


def check_best(hole: dict[str, Any], path: str, solve: Solve | None) -> Iterator[Fault]:
    """Give what is wrong with a hole's `best`; `path` is the hole's. A record may do without one."""
    best = hole.get("best")
    if best is None:
        return
    if hole["closed_at"] is None:
        yield Fault(f"{path}.best", "is there though the hole did not close")
        return
    try:
        game, rules, table = deal_of(parse_code(hole["code"]))
    except CodeError:
        return  # the code is at fault, and named as such
    end = followed(game, rules, table, best["line"])
    outcome = None if end is None else game.outcome(end, rules)
    if end is None or outcome is None:
        yield Fault(f"{path}.best.line", "is not a line that the rules allow and that ends the hole")
        return
    strokes = game.score(end, outcome, rules).traditional
    if best["strokes"] != strokes:
        yield Fault(f"{path}.best.strokes", f"should be {strokes}, to which the line comes")
        return
    for seat, told in hole["seats"].items():
        if told["result"] is not None and told["result"]["traditional"] < strokes:
            yield Fault(f"{path}.best.strokes", f"is more than what seat {seat} took")
            return
    if solve is not None and game.solvable and solve(hole["code"]).strokes != strokes:
        yield Fault(f"{path}.best.strokes", f"should be {solve(hole['code']).strokes}, which the deal allows")
