"""Laws over random games: what holds whatever is played, under every rule and undo mode."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rules_helpers import play_on

from server.rules.base import (
    Board,
    Game,
    Refusal,
    decide,
    decide_draw,
    new_board,
    undo,
)
from server.rules.cards import DECK, deck_with
from server.rules.codes import deal_of, match_code, parse_code
from server.rules.golf import COLUMNS
from server.rules.table import (
    Draw,
    Play,
    dump_event,
    evolve,
    load_event,
    steps,
    steps_back,
    take_back,
)

values = st.integers(0, 2**128 - 1)
letters = st.sampled_from(["E", "C", "S", "E", "C", "S", "F", "D1", "R2", "K2V", "L1V", "SV", "E2V"])
modes = st.sampled_from(["off", "plays", "all"])
# Numbers that pick among what is possible; now and then one of them is an undo.
choices = st.lists(st.integers(0, 99), max_size=80)


def start_of(value: int, letter: str) -> tuple[Game, Any, Board]:
    """Give a dealt board."""
    game, rules, table = deal_of(parse_code(match_code("golf", letter, value)))
    return game, rules, new_board(table)


@given(values, letters, modes, choices)
def test_cards_are_conserved(value: int, letter: str, mode: str, numbers: list[int]) -> None:
    """Whatever is played, the table holds the cards of the deck, each once, and counts agree."""
    game, rules, board = start_of(value, letter)
    for _, _, after in play_on(game, rules, board, mode, numbers):
        piles = after.table.piles
        deck = deck_with(game.jokers(rules))
        assert sorted(card for pile in piles.values() for card in pile) == sorted(deck)
        assert game.cards_left(after.table) + game.stock_left(after.table) + len(piles["waste"]) == len(deck)


@given(values, letters, modes, choices)
def test_replay_equals_live(value: int, letter: str, mode: str, numbers: list[int]) -> None:
    """Events dumped, loaded and applied again give every table that was there live."""
    game, rules, board = start_of(value, letter)
    table = board.table
    for kind, events, after in play_on(game, rules, board, mode, numbers):
        loaded = [load_event(dump_event(event)) for event in events]
        assert tuple(loaded) == events
        table = evolve(table, loaded) if kind == "act" else take_back(table, loaded)
        assert table == after.table


@given(values, letters, modes, choices)
def test_a_viewer_who_follows_the_steps(value: int, letter: str, mode: str, numbers: list[int]) -> None:
    """A viewer that follows steps and steps back has the board, the stock as ?, at every version."""
    game, rules, board = start_of(value, letter)
    piles = {
        name: ["?"] * len(cards) if name == "stock" else list(cards) for name, cards in board.table.piles.items()
    }
    for kind, events, after in play_on(game, rules, board, mode, numbers):
        told = [step for event in events for step in (steps if kind == "act" else steps_back)(event)]
        for source, target, *cards in told:
            del piles[source][-len(cards) :]
            piles[target] += cards
        for name, cards in after.table.piles.items():
            assert piles[name] == (["?"] * len(cards) if name == "stock" else list(cards))


@given(values, letters, choices)
def test_undoing_everything_leads_back(value: int, letter: str, numbers: list[int]) -> None:
    """Undoing every action gives the dealt table; moves stay, undos count them."""
    game, rules, start = start_of(value, letter)
    done = play_on(game, rules, start, "off", numbers)
    board = done[-1][2] if done else start
    moves = board.moves
    assert moves == len(done) == len(board.history)
    while board.history:
        board = undo(board)
    assert board.table == start.table
    assert (board.moves, board.undos) == (moves, moves)


@given(values, letters, modes, choices)
def test_legal_is_what_is_offered(value: int, letter: str, mode: str, numbers: list[int]) -> None:
    """At every position exactly the offered moves are decided; all else is refused and changes nothing."""
    game, rules, board = start_of(value, letter)
    done = play_on(game, rules, board, mode, numbers)
    for after in [board, *(entry[2] for entry in done[-3:])]:
        before = repr(after)
        moves = game.moves(after.table, rules)
        assert len(set(moves)) == len(moves)
        for column in COLUMNS:
            for place, card in enumerate(reversed(after.table.piles[column]), 1):
                answer = decide(game, rules, after, column, "waste", card)
                assert isinstance(answer, Refusal) != (Play(column, "waste", place) in moves)
        drawn = decide_draw(game, rules, after, game.stock_left(after.table))
        assert isinstance(drawn, Refusal) != (Draw() in moves)
        assert repr(after) == before


@given(
    values,
    letters,
    choices,
    st.sampled_from([*COLUMNS, "waste", "stock", "foundation.S", "reserve", "column.9", ""]),
    st.sampled_from([*COLUMNS, "waste", "stock", "foundation.S", ""]),
    st.sampled_from([*DECK, "?", ""]),
    st.integers(-1, 20),
)
def test_any_wish_is_answered(
    value: int, letter: str, numbers: list[int], source: str, target: str, card: str, stock: int
) -> None:
    """Any play and any draw gets events that are among the moves, or a refusal from the known codes."""
    game, rules, board = start_of(value, letter)
    done = play_on(game, rules, board, "all", numbers)
    board = done[-1][2] if done else board
    before = repr(board)
    for answer in (decide(game, rules, board, source, target, card), decide_draw(game, rules, board, stock)):
        if isinstance(answer, Refusal):
            assert answer.code in {
                "stale",
                "bad_target",
                "blocked",
                "not_adjacent",
                "stock_empty",
                "play_exists",
                "first_play",
                "hole_over",
            }
        else:
            assert answer in [game.effects(board.table, move, rules) for move in game.moves(board.table, rules)]
    assert repr(board) == before


@given(values, letters, modes, choices)
def test_ends_and_scores(value: int, letter: str, mode: str, numbers: list[int]) -> None:
    """No moves are left exactly when the hole has ended; both scores follow from the counts alone."""
    game, rules, board = start_of(value, letter)
    for _, _, after in play_on(game, rules, board, mode, numbers):
        outcome = game.outcome(after.table, rules)
        assert (outcome is None) == bool(game.moves(after.table, rules))
        left, stock = game.cards_left(after.table), game.stock_left(after.table)
        assert (outcome == "cleared") == (left == 0)
        assert not (outcome == "stuck" and stock)
        score = game.score(after.table, outcome or "playing", rules)
        assert score.traditional == (left or -stock)
        assert score.app == {None: 350 - 10 * left, "cleared": 350}.get(outcome, max(0, 350 - 20 * left))


@given(values, letters, choices)
def test_seen_cards_only_come_from_the_stock(value: int, letter: str, numbers: list[int]) -> None:
    """What is seen of the hidden cards are those drawn so far, the next one is coming."""
    game, rules, start = start_of(value, letter)
    stock = start.table.piles["stock"][::-1]
    most = 0
    for _, _, after in play_on(game, rules, start, "all", numbers):
        drawn = len(stock) - game.stock_left(after.table)
        most = max(most, drawn)
        assert after.seen == set(stock[:most])
        assert game.coming(after.table, rules) == set(stock[drawn : drawn + 1])


@given(values, letters, modes, choices)
def test_undo_keeps_its_mode(value: int, letter: str, mode: str, numbers: list[int]) -> None:
    """Off takes nothing back, plays never a draw; nothing is taken back after a clear."""
    game, rules, board = start_of(value, letter)
    boards = [board, *(entry[2] for entry in play_on(game, rules, board, mode, numbers))]
    for before, after in pairwise(boards):
        assert (after.moves, after.undos) in {
            (before.moves + 1, before.undos),
            (before.moves, before.undos + 1),
        }
        if after.undos > before.undos:
            assert mode != "off"
            assert mode == "all" or game.stock_left(after.table) == game.stock_left(before.table)
            assert game.outcome(before.table, rules) != "cleared"
