"""The best that a deal allows, as it is stored, sent and shown: strokes, and a line that reaches them. Pure.

Knows codes, and from the registry which games can be solved; how a game is solved is the game's own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from server.rules.base import Game
from server.rules.codes import deal_of, parse_code
from server.rules.table import Table, evolve, steps

Step = tuple[str, ...]
"""Source pile, target pile and the cards that go, as in `server.rules.table.steps`."""


@dataclass(frozen=True, slots=True)
class Best:
    """What a deal is worth with all its cards known.

    `strokes`: the lowest reachable traditional score. `cleared`: whether its line clears the columns. `line`: the
    steps of a line that reaches it and ends the hole.
    """

    strokes: int
    cleared: bool
    line: tuple[Step, ...]


def best_of(code: str) -> Best:
    """Solve the deal of a code under the rule in it. Takes some ten milliseconds, and memory for NumPy.

    Raises CodeError, and ValueError for a game that can't be solved.
    """
    game, rules, table = deal_of(parse_code(code))
    solution = game.solve(table, rules)
    line: list[Step] = []
    for move in solution.line:
        events = game.effects(table, move, rules)
        line += [tuple(step) for event in events for step in steps(event)]
        table = evolve(table, events)
    return Best(solution.best, solution.cleared, tuple(line))


def dump_best(best: Best) -> dict[str, Any]:
    """Give a best as JSON-able values."""
    return {"strokes": best.strokes, "cleared": best.cleared, "line": [list(step) for step in best.line]}


def load_best(plain: dict[str, Any]) -> Best:
    """Read back what `dump_best` gave. Raises KeyError or TypeError for anything else."""
    return Best(plain["strokes"], plain["cleared"], tuple(tuple(step) for step in plain["line"]))


def followed(game: Game, rules: Any, table: Table, line: Iterable[Iterable[str]]) -> Table | None:
    """Play a line from a dealt table, each step by the rules; None at the first that they don't allow."""
    for step in line:
        for move in game.moves(table, rules):
            events = game.effects(table, move, rules)
            if [told for event in events for told in steps(event)] == [list(step)]:
                table = evolve(table, events)
                break
        else:
            return None
    return table
