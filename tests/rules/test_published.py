"""The published deal: its three positions under every rule, and the stored line to a clear."""

import json
from pathlib import Path
from typing import Any

import pytest
from rules_helpers import choose, dealt, follow

from server.rules.base import Board, Refusal, Score, act, decide, decide_draw, new_board
from server.rules.codes import code_for_deck, deal_of, deck_of, parse_code
from server.rules.golf import COLUMNS
from server.rules.published import PUBLISHED
from server.rules.table import Draw

GOLDEN: Any = json.loads((Path(__file__).parent / "golden" / "go1-e-aaaaaab.json").read_text(encoding="utf-8"))
DEAL = PUBLISHED["GO1-AAAAAAB"]
CODES = {"easy": "GO1-E-AAAAAAB", "classic": "GO1-C-AAAAAAB"}


def position(moves: int) -> Board:
    """Give the board after so many moves of the stored line."""
    game, rules, board = dealt("GO1-E-AAAAAAB")
    return follow(game, rules, board, DEAL.line[:moves])


def columns(board: Board) -> list[list[str]]:
    """Give the columns as lists."""
    return [list(board.table.piles[column]) for column in COLUMNS]


def test_the_deal_is_the_published_one() -> None:
    """Columns, waste and first stock card are as published; the rest of the stock are the cards left over."""
    _, _, board = dealt("GO1-E-AAAAAAB")
    assert columns(board) == GOLDEN["columns"]
    assert board.table.piles["waste"] == (GOLDEN["waste"],)
    stock = board.table.piles["stock"][::-1]
    assert stock[0] == GOLDEN["stock_first"]
    assert len(stock) == GOLDEN["stock_count"] == 16
    assert sorted(stock[1:]) == sorted(GOLDEN["stock_rest"])
    assert DEAL.stock_cards_published == 1


def test_every_letter_deals_the_same_cards() -> None:
    """E, C and N deal the same; N is E."""
    assert deck_of(parse_code("GO1-C-AAAAAAB")) == deck_of(parse_code("GO1-E-AAAAAAB")) == DEAL.deck
    assert parse_code("go1-n-aaaaaab") == parse_code("GO1-E-AAAAAAB")
    assert parse_code("GO1-N-AAAAAAB").text == DEAL.code


@pytest.mark.parametrize(("index", "moves"), [(0, 0), (1, 3), (2, 34)])
def test_the_published_positions(index: int, moves: int) -> None:
    """The stored line goes through all three, with the published plays under each rule and the score."""
    golden = GOLDEN["positions"][index]
    board = position(moves)
    assert columns(board) == golden["columns"]
    assert board.table.piles["waste"][-1] == golden["waste"]
    assert len(board.table.piles["stock"]) == golden["stock_count"]
    assert board.moves == moves
    game, _, _ = dealt("GO1-E-AAAAAAB")
    for rule, plays in golden["plays"].items():
        rules = game.presets[rule]
        offered = [move.source for move in game.moves(board.table, rules) if not isinstance(move, Draw)]
        assert offered == [f"column.{number}" for number in plays]
        for number, column in enumerate(COLUMNS, 1):
            card = board.table.piles[column][-1]
            decided = decide(game, rules, board, column, "waste", card)
            assert isinstance(decided, Refusal) == (number not in plays)
        # Nothing plays under this rule or drawing is free: else Strict would refuse to draw.
        drawn = decide_draw(game, rules, board, golden["stock_count"])
        assert isinstance(drawn, Refusal) == (rule == "strict" and bool(plays))
    assert game.score(board.table, "playing", game.presets["easy"]).app == golden["app_score"]
    assert game.cards_left(board.table) == golden.get("cards_left", 35 - golden["app_score"] // 10)


def test_the_published_refusals() -> None:
    """The two taps that the source shows are refused with their codes."""
    game, rules, board = dealt("GO1-E-AAAAAAB")
    codes = {"not one rank higher or lower": "not_adjacent", "blocked": "blocked"}
    for refused in GOLDEN["positions"][0]["refusals"]:
        decided = decide(game, rules, board, f"column.{refused['column']}", "waste", refused["card"])
        assert isinstance(decided, Refusal)
        assert decided.code == codes[refused["why"]]
        assert decided.params["card"] == refused["card"]


def test_the_first_published_moves() -> None:
    """The line begins as published: draw, play column 5, play column 2."""
    assert DEAL.line[:3] == (("stock", "waste"), ("column.5", "waste", "9C"), ("column.2", "waste", "8C"))


def test_the_moves_around_the_third_position() -> None:
    """Move 34 is the king of clubs from column 2; move 35 plays AH of column 3, which Classic refuses."""
    assert DEAL.line[33] == ("column.2", "waste", "KC")
    assert DEAL.line[34] == ("column.3", "waste", "AH")
    assert DEAL.line_published == {1, 2, 3, 34, 35}
    game, _, _ = dealt("GO1-E-AAAAAAB")
    board = position(34)
    assert not isinstance(choose(game, game.presets["easy"], board, DEAL.line[34]), Refusal)
    for rule in ("classic", "strict"):
        refused = choose(game, game.presets[rule], board, DEAL.line[34])
        assert refused == Refusal("not_adjacent", {"card": "AH", "waste": "KC"})


def test_the_line_clears() -> None:
    """Under Easy the line clears in 48 moves with three cards in the stock, and not before its last move."""
    game, rules, board = dealt("GO1-E-AAAAAAB")
    assert DEAL.line_letter == "E"
    for step in DEAL.line:
        assert game.outcome(board.table, rules) is None
        board = act(board, choose(game, rules, board, step))
    assert game.outcome(board.table, rules) == "cleared"
    assert board.moves == len(DEAL.line) == 48
    assert game.score(board.table, "cleared", rules) == Score(350, -3)


def test_the_deal_in_a_code_of_ours() -> None:
    """The same cards have a GOX code, under Strict too."""
    text = code_for_deck("golf", "S", DEAL.deck)
    _, _, table = deal_of(parse_code(text))
    assert table == new_board(dealt("GO1-E-AAAAAAB")[2].table).table
