"""Small builders that the rules' tests share. They build tables and boards, play at random, and know no rule."""

from collections.abc import Sequence
from typing import Any

from server.rules.base import (
    Board,
    Game,
    Refusal,
    act,
    can_undo,
    decide,
    decide_draw,
    decide_undo,
    new_board,
    undo,
)
from server.rules.cards import parse_cards
from server.rules.codes import deal_of, parse_code
from server.rules.table import Draw, Event, Move, PileId, Table

UNDO_FROM = 85
"""Of the numbers to 99 that `play_on` is given, those from which on undo, where that is possible."""


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


def decided(game: Game, rules: Any, board: Board, move: Move) -> tuple[Event, ...] | Refusal:
    """Decide a legal move as a client would ask for it."""
    if isinstance(move, Draw):
        return decide_draw(game, rules, board, game.stock_left(board.table))
    return decide(game, rules, board, move.source, move.target, board.table.piles[move.source][-move.count])


def play_on(
    game: Game, rules: Any, board: Board, mode: Any, numbers: list[int]
) -> list[tuple[str, tuple[Event, ...], Board]]:
    """Play a random game; give what was done at each step (act or undo), its events and the board after."""
    done = []
    for number in numbers:
        if number >= UNDO_FROM and can_undo(game, rules, board, mode):
            events = decide_undo(game, rules, board, mode)
            assert not isinstance(events, Refusal)
            board = undo(board)
            done.append(("undo", events, board))
        elif moves := game.moves(board.table, rules):
            events = decided(game, rules, board, moves[number % len(moves)])
            assert not isinstance(events, Refusal)
            board = act(board, events)
            done.append(("act", events, board))
    return done
