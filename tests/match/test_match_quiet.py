"""What a move tells whom, where somebody has gone; and that a move which was judged is not made twice."""

from dataclasses import fields, replace

import pytest

from server.match.options import Options
from server.match.quiet import Quiet
from server.match.state import Match, Seat, built, changed, copied, moved
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


def test_a_state_moves_the_same_in_every_way() -> None:
    """A seat's new hand changes the version and that seat: copied whole, built anew or as `replace` does it."""
    driver = Driver(Options(seats=3))
    driver.seat_all(3)
    before = driver.state
    driver.act(1, "D")
    hand = driver.state.seats[1].hand
    assert hand is not None
    seats = {**before.seats, 1: replace(before.seats[1], hand=hand)}
    expected = replace(before, version=before.version + 1, seats=seats)
    assert expected == driver.state
    ways = [moved, built, *([copied] if hasattr(before, "__dict__") else [])]
    for way in ways:
        after = way(before, before.version + 1, 1, hand)
        assert after == expected
        assert after.game is before.game
    assert changed(before, version=9) == replace(before, version=9)
    assert before.version == expected.version - 1


@pytest.mark.interpreted
def test_no_field_is_taken_for_another() -> None:
    """Each field is handed on by itself, whatever is in it."""
    driver = Driver(Options(seats=2))
    driver.seat_all(2)
    before = driver.state
    hand = before.seats[1].hand
    assert hand is not None
    fields_of_a_seat = {one.name for one in fields(Seat)}
    seat = replace(before.seats[1], **{name: object() for name in fields_of_a_seat})
    fields_of_a_match = {one.name for one in fields(Match)} - {"options", "hole", "seats"}
    marked = replace(before, seats={**before.seats, 1: seat}, **{name: object() for name in fields_of_a_match})
    for way in (copied, built):
        after = way(marked, 7, 1, hand)
        assert {name for name in fields_of_a_match if getattr(after, name) is not getattr(marked, name)} == {
            "version"
        }
        one = after.seats[1]
        assert {name for name in fields_of_a_seat if getattr(one, name) is not getattr(seat, name)} == {"hand"}
