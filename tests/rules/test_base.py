"""Boards: the history's length, and what every game of the registry must give."""

import pytest

from server.rules.base import Board, act, known, new_board, rule_fields, rule_name, rules_named, undo
from server.rules.cards import deck_with
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


def test_what_was_judged_is_applied_as_it_was_judged() -> None:
    """Judging a move and applying it make one board; another move from the same position makes its own."""
    golf = GAMES["golf"]
    piles = {
        "stock": ("3D",),
        **{f"column.{n}": () for n in range(3, 8)},
        "column.1": ("9C",),
        "column.2": ("8C",),
        "waste": ("TC",),
    }
    board = new_board(Table(piles, {}))
    known(golf, EASY, board)
    judged = act(board, THERE)
    assert act(board, judged.history[-1]) is judged
    again = act(board, [*THERE])
    assert (again, again is judged) == (judged, False)
    other = (Moved("column.2", "waste", ("8C",)),)
    assert act(board, other).history == (other,)


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
    """A game has its own name, named rules with one letter each, and deals all cards of its decks under each."""
    game = GAMES[name]
    assert game.name == name
    letters = {game.letter_of(rules) for rules in game.presets.values()}
    assert len(letters) == len(game.presets)
    for preset, rules in game.presets.items():
        assert game.rules_of(game.letter_of(rules)) == rules
        assert rule_name(game, rules) == preset
        deck = deck_with(0, game.decks)
        table = game.deal(deck, rules)
        assert sorted(card for pile in table.piles.values() for card in pile) == sorted(deck)
        assert game.cards_left(table) > 0
        assert game.outcome(table, rules) is None
        assert game.moves(table, rules)
        hidden = {*table.piles.get("stock", ())}
        hidden |= {card for name, count in table.face_down.items() for card in table.piles[name][:count]}
        assert game.coming(table, rules) <= hidden


def test_names_of_rules() -> None:
    """Rules have one name, a preset's or their letters, which leads back to them; nothing else is a name."""
    golf = GAMES["golf"]
    assert rule_name(golf, EASY) == "easy"
    assert rule_name(golf, GolfRules(False, True, False, jokers=2)) == "K2"
    for rules in [golf.rules_of(letters) for letters in ("E", "C", "S", "F", "E1", "S2V", "CV", "L2")]:
        assert rules_named(golf, rule_name(golf, rules)) == rules
    for name in ("E", "N", "S", "e1", "E3", "EV1", "hard", "", "Easy"):
        with pytest.raises(ValueError, match=r"rule letter|name of these"):
            rules_named(golf, name)
    with pytest.raises(ValueError, match="no such rules"):
        rule_name(golf, GolfRules(True, True, False, jokers=3))


def test_fields_of_rules() -> None:
    """Each field is told by its name, as it goes over the wire."""
    assert rule_fields(GolfRules(False, True, False, 1, True)) == {
        "queen_on_king": False,
        "king_ace_joined": True,
        "draw_only_when_stuck": False,
        "jokers": 1,
        "empty_start": True,
    }
