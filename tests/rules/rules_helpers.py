"""Small builders that the rules' tests share. They build tables and boards, and know no rule."""

from collections.abc import Sequence
from typing import Any

from server.rules.base import Board, Game, Refusal, act, decide, decide_draw, new_board
from server.rules.cards import parse_cards
from server.rules.codes import deal_of, parse_code
from server.rules.table import Event, PileId, Table


def golf_table(columns: Sequence[str], waste: str, stock: str = "") -> Table:
    """Give a table of up to seven columns, deepest card first; the stock's first card is drawn first."""
    piles = {PileId(f"column.{number}"): () for number in range(1, 8)}
    for number, cards in enumerate(columns, 1):
        piles[PileId(f"column.{number}")] = parse_cards(cards)
    piles[PileId("waste")] = parse_cards(waste)
    piles[PileId("stock")] = parse_cards(stock)[::-1]
    return Table(piles, {})


def dealt(code: str) -> tuple[Game, Any, Board]:
    """Give the game, rules and untouched board of a code."""
    game, rules, table = deal_of(parse_code(code))
    return game, rules, new_board(table)


def choose(game: Game, rules: Any, board: Board, step: Sequence[str]) -> tuple[Event, ...] | Refusal:
    """Decide a step such as ["stock", "waste"] or ["column.5", "waste", "9C"]."""
    if step[0] == "stock":
        return decide_draw(game, rules, board, game.stock_left(board.table))
    source, target, card = step
    return decide(game, rules, board, source, target, card)


def follow(game: Game, rules: Any, board: Board, line: Sequence[Sequence[str]]) -> Board:
    """Act a whole line; every step must be legal."""
    for step in line:
        events = choose(game, rules, board, step)
        assert not isinstance(events, Refusal), (step, events)
        board = act(board, events)
    return board
