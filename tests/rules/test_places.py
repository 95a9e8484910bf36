"""What the games of rows share, against golden tables from docs/games.md, and laws over random games of each."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_helpers import play_on

from server.rules.base import Refusal, Score, decide, decide_draw, new_board, undo
from server.rules.cards import DECK, parse_cards
from server.rules.codes import deal_of, match_code, parse_code, short_code
from server.rules.games import GAMES
from server.rules.places import PlacesGame, PlacesRules
from server.rules.table import (
    Dealt,
    Draw,
    PileId,
    Play,
    Table,
    Turned,
    dump_event,
    evolve,
    load_event,
    steps,
    steps_back,
    take_back,
)

NAMES = ("tri_peaks", "pyramid_golf")
JOINED, APART = PlacesRules(True), PlacesRules(False)
LONG = bool(os.environ.get("FAIRWAY_LONG"))


def game_of(name: str) -> PlacesGame:
    """Return one of these games."""
    game = GAMES[name]
    assert isinstance(game, PlacesGame)
    return game


def table(cards: dict[int, str], waste: str, stock: str = "", down: str = "") -> Table:
    """Give a table by the numbers of its places; the stock's first card is drawn first."""
    piles = {PileId(f"place.{number}"): parse_cards(cards.get(number, "")) for number in range(1, 29)}
    piles |= {PileId("waste"): parse_cards(waste), PileId("stock"): parse_cards(stock)[::-1]}
    return Table(piles, {PileId(f"place.{number}"): 1 for number in map(int, down.split())})


def answer(game: PlacesGame, at: Table, place: int, rules: PlacesRules = JOINED, target: str = "waste") -> str:
    """Return `legal`, or the code with which a play of a place's card is refused."""
    source = PileId(f"place.{place}")
    decided = decide(game, rules, new_board(at), source, PileId(target), at.piles[source][0])
    return decided.code if isinstance(decided, Refusal) else "legal"


# (card on the waste, card, joined, apart)
RANKS = [
    ("8H", "7S", True, True), ("8H", "9D", True, True), ("8H", "8S", False, False), ("8H", "TS", False, False),
    ("8H", "6H", False, False), ("KS", "QD", True, True), ("QS", "KD", True, True), ("KS", "AD", True, False),
    ("AS", "KD", True, False), ("AS", "2C", True, True), ("2S", "AC", True, True), ("AS", "QD", False, False),
    ("KS", "2D", False, False), ("TC", "JC", True, True), ("9C", "JC", False, False),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("waste", "card", "joined", "apart"), RANKS)
def test_ranks(name: str, waste: str, card: str, joined: bool, apart: bool) -> None:
    """One rank higher or lower, whatever the suit; king and ace join by the preset."""
    at = table({28: card}, waste, "3C")
    for rules, plays in ((JOINED, joined), (APART, apart)):
        assert answer(game_of(name), at, 28, rules) == ("legal" if plays else "not_adjacent")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused(name: str) -> None:
    """Other targets and sources, an empty stock, a draw after a clear; one card at a time is all there is."""
    game = game_of(name)
    at = table({27: "9C", 28: "7S"}, "8H")
    for target in ("stock", "place.27", "place.1", "column.1", "foundation.S", "reserve", ""):
        assert answer(game, at, 28, target=target) == "bad_target"
    assert decide(game, JOINED, new_board(at), PileId("waste"), PileId("waste"), parse_cards("8H")[0]).code == (
        "bad_target"
    )
    for source, card in (("place.28", "9C"), ("place.1", "9C"), ("stock", "9C"), ("column.1", "9C")):
        wish = decide(game, JOINED, new_board(at), PileId(source), PileId("waste"), parse_cards(card)[0])
        assert wish == Refusal("stale")
    assert decide_draw(game, JOINED, new_board(at), 0) == Refusal("stock_empty")
    assert decide_draw(game, JOINED, new_board(at), 1) == Refusal("stale")
    done = table({}, "8H", "3C")
    assert decide_draw(game, JOINED, new_board(done), 1) == Refusal("hole_over")
    # A draw is there while a card plays.
    playing = table({28: "7S"}, "8H", "3C 4C")
    assert decide_draw(game, JOINED, new_board(playing), 2) == (Dealt(parse_cards("3C")),)


@pytest.mark.parametrize("name", NAMES)
def test_how_it_ends(name: str) -> None:
    """Cleared with the last card, even with stock left; stuck once the stock is empty and nothing plays."""
    game = game_of(name)
    for at, ends in (
        (table({}, "8H", "3C"), "cleared"),
        (table({28: "7S"}, "8H"), None),
        (table({28: "JS"}, "8H"), "stuck"),
        (table({28: "JS"}, "8H", "3C"), None),
        (table({28: "KS"}, "AH"), None),
    ):
        assert game.outcome(at, JOINED) == ends
    assert game.outcome(table({28: "KS"}, "AH"), APART) == "stuck"


# (cards left, stock, traditional, points while playing, points in the end); 28 cards, ten points each.
SCORES = [
    (28, 23, 28, 0, 0), (27, 20, 27, 10, 0), (15, 3, 15, 130, 0), (14, 3, 14, 140, 0), (13, 0, 13, 150, 20),
    (4, 0, 4, 240, 200), (1, 0, 1, 270, 260), (0, 0, 0, 280, 280), (0, 23, -23, 280, 280), (0, 7, -7, 280, 280),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("left", "stock", "strokes", "playing", "ended"), SCORES)
def test_scores(name: str, left: int, stock: int, strokes: int, playing: int, ended: int) -> None:
    """Both of Golf's scores, from the position alone; unplayed are 28 strokes and no points."""
    game = game_of(name)
    at = table(dict(zip(range(1, left + 1), DECK, strict=False)), "KC", " ".join(DECK[28 : 28 + stock]))
    assert (game.cards_left(at), game.stock_left(at)) == (left, stock)
    assert game.score(at, "playing", JOINED) == Score(playing, strokes)
    for ending in ("cleared",) if not left else ("stuck", "gave_up", "timed_out"):
        assert game.score(at, ending, JOINED) == Score(ended, strokes)
    assert game.score(at, "unplayed", JOINED) == Score(0, 28)


@pytest.mark.parametrize(
    ("name", "par", "mean"), [("golf", 5, 5.66), ("tri_peaks", 1, 1.07), ("pyramid_golf", 7, 7.85)]
)
def test_par(name: str, par: int, mean: float) -> None:
    """Par is what the first play there is, and else a draw, comes to on the average, rounded down."""
    game, count = GAMES[name], 1000 if LONG else 100
    rules = next(iter(game.presets.values()))
    total = 0
    for value in range(count):
        at = deal_of(parse_code(short_code(value, name, game.letter_of(rules))))[2]
        while (ending := game.outcome(at, rules)) is None:
            at = evolve(at, game.effects(at, game.moves(at, rules)[0], rules))
        total += game.score(at, ending, rules).traditional
    assert game.par == par == int(mean)
    # The standard error of a hundred deals is under 1; of all it is the very figure.
    assert abs(total / count - mean) < (0.005 if LONG else 3)


values = st.integers(0, 2**128 - 1)
names = st.sampled_from(NAMES)
letters = st.sampled_from("JA")
modes = st.sampled_from(["off", "plays", "all"])
choices = st.lists(st.integers(0, 99), max_size=60)


def start_of(name: str, letter: str, value: int) -> tuple[Any, Any, Any]:
    """Give a dealt board."""
    game, rules, at = deal_of(parse_code(match_code(name, letter, value)))
    return game, rules, new_board(at)


@given(names, letters, values, modes, choices)
def test_a_game_holds_together(name: str, letter: str, value: int, mode: str, numbers: list[int]) -> None:
    """Cards are conserved and counts follow, replayed events and a viewer's steps lead to the same table, what ends has no
    moves, and undoing everything leads back to the deal.
    """
    game, rules, board = start_of(name, letter, value)
    start = at = board.table
    down = {*start.face_down, "stock"}
    told = {pile: ["?"] * len(cards) if pile in down else list(cards) for pile, cards in start.piles.items()}
    for kind, events, after in play_on(game, rules, board, mode, numbers):
        board, piles = after, after.table.piles
        at = evolve(at, map(load_event, map(dump_event, events))) if kind == "act" else take_back(at, events)
        assert at == after.table
        assert sorted(card for pile in piles.values() for card in pile) == sorted(DECK)
        for source, target, *cards in (
            (step for event in events for step in steps(event))
            if kind == "act"
            else (step for event in reversed(events) for step in steps_back(event))
        ):
            del told[source][-len(cards) :]
            told[target] += cards
        hidden = {pile: len(cards) if pile == "stock" else at.face_down.get(pile, 0) for pile, cards in piles.items()}
        assert told == {pile: ["?"] * hidden[pile] + list(cards[hidden[pile] :]) for pile, cards in piles.items()}
        left, stock = game.cards_left(at), game.stock_left(at)
        outcome = game.outcome(at, rules)
        assert left + stock + len(piles["waste"]) == 52
        assert (outcome is None) == bool(game.moves(at, rules))
        assert game.score(at, outcome or "playing", rules).traditional == (left or -stock)
        # What lies open is what nothing covers, in the game that deals face down.
        if start.face_down:
            covered = {place for place, others in game.covered_by.items() if any(piles[other] for other in others)}
            assert set(at.face_down) == {place for place in covered if piles[place]}
    while board.history:
        board = undo(board)
    assert board.table == start


@given(names, letters, values, choices)
def test_legal_is_what_is_offered(name: str, letter: str, value: int, numbers: list[int]) -> None:
    """Of all face-up cards exactly the offered ones are decided; of the rest those that are covered are blocked."""
    game, rules, board = start_of(name, letter, value)
    for after in [board, *(entry[2] for entry in play_on(game, rules, board, "all", numbers)[-3:])]:
        at, moves = after.table, game.moves(after.table, rules)
        assert len(set(moves)) == len(moves)
        for place, others in game.covered_by.items():
            if not at.piles[place] or place in at.face_down:
                continue
            decided = decide(game, rules, after, place, PileId("waste"), at.piles[place][0])
            assert isinstance(decided, Refusal) != (Play(place, PileId("waste")) in moves)
            if isinstance(decided, Refusal):
                covered = any(at.piles[other] for other in others)
                assert decided.code == ("blocked" if covered else "not_adjacent")
        drawn = decide_draw(game, rules, after, game.stock_left(at))
        assert isinstance(drawn, Refusal) != (Draw() in moves)


@given(names, letters, values, choices)
def test_what_turns_up_was_coming(name: str, letter: str, value: int, numbers: list[int]) -> None:
    """Each card that an action shows was coming, and an action that shows none changes nothing of what is."""
    game, rules, board = start_of(name, letter, value)
    for kind, events, after in play_on(game, rules, board, "off", numbers):
        assert kind == "act"
        coming = game.coming(board.table, rules)
        shown = {card for event in events if isinstance(event, Dealt) for card in event.cards}
        shown |= {event.card for event in events if isinstance(event, Turned)}
        assert shown <= coming
        assert after.seen == board.seen | shown
        assert shown or game.coming(after.table, rules) == coming
        board = after


@pytest.mark.parametrize("name", NAMES)
def test_the_layout_covers_as_the_rules_do(name: str) -> None:
    """The page's layout says of each place what covers it, and in each shape exactly those cards lie on it, drawn later."""
    layout = json.loads((Path(__file__).parents[2] / "client_web" / "layouts" / f"{name}.json").read_text("utf-8"))
    covers = {place: list(others) for place, others in game_of(name).covered_by.items() if others}
    assert layout["covered_by"] == covers
    rows = [number for number, length in enumerate(layout["rows"]) for _ in range(length)]
    row_of = {f"place.{number}": row for number, row in enumerate(rows, 1)}
    assert len(row_of) == 28
    for shape in layout["shapes"].values():
        at = shape["piles"]
        for place, row in row_of.items():
            x, y = at[place]["x"], at[place]["y"]
            lying = [other for other in row_of if row_of[other] == row + 1 and abs(at[other]["x"] - x) < 1]
            assert lying == covers.get(place, [])
            assert all(0 < at[other]["y"] - y < 1 for other in lying)
            assert all(layout["reading"].index(other) > layout["reading"].index(place) for other in lying)
