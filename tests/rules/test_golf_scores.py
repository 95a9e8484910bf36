"""Golf's two scores and its undo modes, from the rule text's own figures."""

import pytest
from rules_helpers import choose, golf_table

from server.rules.base import (
    Board,
    Refusal,
    Score,
    act,
    can_undo,
    decide,
    decide_draw,
    decide_undo,
    new_board,
    undo,
)
from server.rules.cards import DECK, parse_cards
from server.rules.golf import EASY, STRICT, Golf
from server.rules.table import Moved, Table

GOLF = Golf()


def removed(count: int, stock: str = "") -> Table:
    """Give a table with `count` of the 35 cards removed."""
    left = DECK[: 35 - count]
    return golf_table([" ".join(left[start : start + 5]) for start in range(0, len(left), 5)], "KC", stock)


@pytest.mark.parametrize(
    ("gone", "playing", "ended"),
    [
        (0, 0, 0),
        (1, 10, 0),
        (16, 160, 0),
        (17, 170, 0),
        (18, 180, 10),
        (24, 240, 130),
        (25, 250, 150),
        (30, 300, 250),
        (31, 310, 270),
        (34, 340, 330),
    ],
)
def test_scores_of_a_hole_that_is_not_cleared(gone: int, playing: int, ended: int) -> None:
    """While playing +10 a card; once ended -10 a card left, never below 0; the columns count."""
    table = removed(gone, "2C 3C")
    assert GOLF.score(table, "playing", EASY) == Score(playing, 35 - gone)
    for ending in ("stuck", "gave_up", "timed_out"):
        assert GOLF.score(table, ending, EASY) == Score(ended, 35 - gone)


@pytest.mark.parametrize("stock", range(17))
def test_scores_of_a_clear(stock: int) -> None:
    """A clear is 350, and minus the stock left: -16 at best."""
    table = removed(35, " ".join(DECK[:stock]))
    assert GOLF.score(table, "cleared", STRICT) == Score(350, -stock)
    # The position counts: it is a clear before anyone has said so.
    assert GOLF.score(table, "playing", STRICT) == Score(350, -stock)


def test_a_hole_never_played() -> None:
    """A hole never played is 0 and 35."""
    assert GOLF.score(GOLF.deal(DECK, EASY), "unplayed", EASY) == Score(0, 35)
    assert GOLF.score(removed(30), "unplayed", EASY) == Score(0, 35)


# Nineteen cards left; 9S plays on the ten, and nothing plays on a nine of the seven columns then.
NINETEEN = ["2H 3H 9S", "2D 3D KS", "2C 3C KH", "4H 5H KD", "4D 5D KC", "4C 5C AS", "AH"]
EIGHTEEN = ["2H 3H", *NINETEEN[1:]]


def test_undoing_the_last_play_takes_the_penalty_away() -> None:
    """Stuck at r = 17 shows 0; undoing that last play shows 160 and r = 16."""
    board = new_board(golf_table(NINETEEN, "TS"))
    after = act(board, decide(GOLF, EASY, board, "column.1", "waste", "9S"))
    assert GOLF.outcome(after.table, EASY) == "stuck"
    assert GOLF.score(after.table, "stuck", EASY) == Score(0, 18)
    back = undo(after)
    assert GOLF.outcome(back.table, EASY) is None
    assert GOLF.score(back.table, "playing", EASY) == Score(160, 19)
    assert GOLF.cards_left(back.table) == 35 - 16


def test_undoing_the_last_draw_takes_the_penalty_away() -> None:
    """Stuck at r = 17 by a draw shows 0; undoing that draw shows 170."""
    board = new_board(golf_table(EIGHTEEN, "TS", "9S"))
    after = act(board, decide_draw(GOLF, EASY, board, 1))
    assert GOLF.outcome(after.table, EASY) == "stuck"
    assert GOLF.score(after.table, "stuck", EASY) == Score(0, 18)
    assert GOLF.score(undo(after).table, "playing", EASY) == Score(170, 18)


def played() -> Board:
    """Give a board after a play, a draw and a play."""
    board = new_board(golf_table(["9D 7D", "4C"], "6S", "3H 2C"))
    for step in (["column.1", "waste", "7D"], ["stock", "waste"], ["column.2", "waste", "4C"]):
        board = act(board, choose(GOLF, EASY, board, step))
    return board


def test_undo_off() -> None:
    """With undo off nothing is taken back."""
    assert decide_undo(GOLF, EASY, played(), "off") == Refusal("undo_off")
    assert decide_undo(GOLF, EASY, new_board(golf_table(["9D"], "6S")), "off") == Refusal("undo_off")


def test_undo_plays() -> None:
    """Mode plays goes back to the last draw and not past it."""
    board = played()
    assert can_undo(GOLF, EASY, board, "plays")
    assert decide_undo(GOLF, EASY, board, "plays") == (Moved("column.2", "waste", ("4C",)),)
    board = undo(board)
    assert decide_undo(GOLF, EASY, board, "plays") == Refusal("undo_past_draw")
    assert not can_undo(GOLF, EASY, board, "plays")


def test_undo_all() -> None:
    """Mode all goes back to the deal: the card is face down again, moves never go down, undos count."""
    board = played()
    start = new_board(golf_table(["9D 7D", "4C"], "6S", "3H 2C"))
    assert board.seen == {"3H"}
    assert (board.moves, board.undos) == (3, 0)
    for undos in (1, 2, 3):
        assert can_undo(GOLF, EASY, board, "all")
        board = undo(board)
        assert (board.moves, board.undos) == (3, undos)
    assert board.table == start.table
    assert board.seen == {"3H"}
    assert board.table.piles["stock"] == ("2C", "3H")
    assert decide(GOLF, EASY, board, "column.2", "waste", "4C").code == "not_adjacent"
    assert decide_undo(GOLF, EASY, board, "all") == Refusal("nothing_to_undo")
    assert decide_undo(GOLF, EASY, board, "plays") == Refusal("nothing_to_undo")
    board = act(board, decide(GOLF, EASY, board, "column.1", "waste", "7D"))
    assert (board.moves, board.undos) == (4, 3)


def test_seen_cards() -> None:
    """Seen are the cards drawn, not those played; the next one is coming, until none is."""
    board = new_board(golf_table(["9D 7D"], "6S", "3H 2C"))
    assert (board.seen, GOLF.coming(board.table, EASY)) == (frozenset(), {"3H"})
    board = act(board, decide(GOLF, EASY, board, "column.1", "waste", "7D"))
    assert (board.seen, GOLF.coming(board.table, EASY)) == (frozenset(), {"3H"})
    board = act(board, decide_draw(GOLF, EASY, board, 2))
    assert (board.seen, GOLF.coming(board.table, EASY)) == ({"3H"}, {"2C"})
    board = act(board, decide_draw(GOLF, EASY, board, 1))
    assert (board.seen, GOLF.coming(board.table, EASY)) == (set(parse_cards("3H 2C")), frozenset())
