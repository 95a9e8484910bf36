"""Boards: the history's length, and what every game of the registry must give."""

import pytest

from server.rules.base import Board, act, new_board, preset_name, undo
from server.rules.cards import DECK
from server.rules.games import GAMES
from server.rules.golf import EASY, GolfRules
from server.rules.table import Moved, Table

THERE = (Moved("column.1", "waste", ("9C",)),)
BACK = (Moved("waste", "column.1", ("9C",)),)


def test_the_last_hundred_actions_can_be_undone() -> None:
    """The history holds the latest 100 actions; the counter counts all of them."""
    board = new_board(Table({"column.1": ("9C",), "waste": ()}, {}))
    for count in range(1, 126):
        board = act(board, THERE if count % 2 else BACK)
        assert len(board.history) == min(count, 100)
        assert board.history[-1] == (THERE if count % 2 else BACK)
        assert board.moves == count
    undone = 0
    while board.history:
        board = undo(board)
        undone += 1
        assert (board.moves, board.undos) == (125, undone)
    assert undone == 100
    # Action 25 was the last that stays: an odd one, so the card lies on the waste.
    assert board.table.piles == {"column.1": (), "waste": ("9C",)}


def test_undo_of_nothing() -> None:
    """A board without history has nothing to take back."""
    with pytest.raises(IndexError):
        undo(new_board(Table({}, {})))


def test_a_new_board() -> None:
    """A new board has its table and nothing else."""
    table = Table({"column.1": ("9C",)}, {})
    assert new_board(table) == Board(table=table, history=(), moves=0, undos=0)


def test_events_are_taken_from_any_iterable() -> None:
    """An action may come as a list; it is kept as a tuple."""
    board = act(new_board(Table({"column.1": ("9C",), "waste": ()}, {})), list(THERE))
    assert board.history == (THERE,)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_keeps_the_contract(name: str) -> None:
    """A game has its own name, named rules with one letter each, and deals all 52 cards under each."""
    game = GAMES[name]
    assert game.name == name
    letters = {game.letter_of(rules) for rules in game.presets.values()}
    assert len(letters) == len(game.presets)
    for preset, rules in game.presets.items():
        assert game.rules_of(game.letter_of(rules)) == rules
        assert preset_name(game, rules) == preset
        table = game.deal(DECK, rules)
        assert sorted(card for pile in table.piles.values() for card in pile) == sorted(DECK)
        assert game.cards_left(table) > 0
        assert game.outcome(table, rules) is None
        assert game.moves(table, rules)
        assert game.seen(table, table) == frozenset()


def test_rules_without_a_name() -> None:
    """Rules that the game does not list have no name."""
    assert preset_name(GAMES["golf"], EASY) == "easy"
    with pytest.raises(ValueError, match="no name"):
        preset_name(GAMES["golf"], GolfRules(False, True, False))
