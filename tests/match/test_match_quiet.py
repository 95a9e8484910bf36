"""What a move tells whom, where somebody has gone; and that a move which was judged is not made twice."""

from server.match.options import Options
from server.match.quiet import Quiet
from server.match.telling import telling
from server.rules.base import Board, act, known
from server.rules.codes import deal_of, parse_code
from server.rules.games import GAMES
from server.rules.table import Draw
from tests.match.driver import Driver


def test_who_left_hears_what_lookers_on_hear() -> None:
    """A seat that left looks on: of a rival's move it hears the same text as a spectator."""
    driver = Driver(Options(seats=3))
    driver.seat_all(3)
    driver.act(2, "L")
    before = driver.state
    driver.act(0, "D")
    told = telling(before, driver.entries[-1], driver.state)
    assert isinstance(told, Quiet)
    assert told.text(2) == told.text(None) != told.text(0)


def test_a_judged_move_is_made_once() -> None:
    """The board after a move is kept with the board before it, for the very same events."""
    _, rules, table = deal_of(parse_code("GO2-E-AAAAAAB"))
    golf = GAMES["golf"]
    board = Board(table, (), 0, 0)
    known(golf, rules, board)
    events = tuple(golf.effects(table, Draw(), rules))
    after = act(board, events)
    assert act(board, events) is after
    assert act(board, list(events)) == after
