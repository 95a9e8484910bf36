"""The best that a deal allows, as steps that can be drawn without rules."""

import json

import pytest

from server.rules.base import Game
from server.rules.best import best_of, dump_best, followed, load_best
from server.rules.codes import CodeError, deal_of, parse_code
from server.rules.games import GAMES
from server.rules.table import STOCK, Table

CODES = ["GO2-E-AAAAAAB", "GO2-S-AAAAAAB", "GO2-C1V-AAAAAAC", "GO1-E-AAAAAAB"]


@pytest.mark.parametrize("code", CODES)
def test_the_line_of_a_best_is_played_by_the_rules_and_comes_to_it(code: str) -> None:
    """Steps name pile, pile and card; followed, they end the hole with the strokes that are said."""
    best = best_of(code)
    game, rules, table = deal_of(parse_code(code))
    end = followed(game, rules, table, best.line)
    assert end is not None
    assert game.outcome(end, rules) == ("cleared" if best.cleared else "stuck")
    assert game.score(end, "stuck", rules).traditional == best.strokes
    assert all(len(step) == 3 for step in best.line)
    assert sum(source == STOCK for source, *_ in best.line) == len(table.piles[STOCK]) - len(end.piles[STOCK])


def test_a_best_comes_back_from_its_stored_form() -> None:
    """What is dumped goes through JSON and is the same value again."""
    best = best_of("GO2-S-AAAAAAB")
    assert load_best(json.loads(json.dumps(dump_best(best)))) == best


def test_a_line_that_the_rules_do_not_allow_is_not_followed() -> None:
    """A wrong card, a play of another column and a line that goes on after its end come to nothing."""
    game, rules, table = deal_of(parse_code("GO2-E-AAAAAAB"))
    line = best_of("GO2-E-AAAAAAB").line
    assert followed(game, rules, table, []) == table
    for wrong in (["stock", "waste", "AS"], ["column.1", "column.2", "9H"], ["column.9", "waste", "9H"], []):
        assert followed(game, rules, table, [*line[:3], wrong, *line[3:]]) is None
    assert followed(game, rules, table, [*line, ("stock", "waste", "7D")]) is None


def test_what_cannot_be_solved_is_refused() -> None:
    """A text that is no code says so."""
    with pytest.raises(CodeError):
        best_of("GO2-E-A")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_says_whether_it_can_be_solved(game: Game) -> None:
    """One that can't refuses to be."""
    if not game.solvable:
        with pytest.raises(ValueError, match="solved"):
            game.solve(Table({}, {}), next(iter(game.presets.values())))
