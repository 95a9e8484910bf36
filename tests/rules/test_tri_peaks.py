"""Tri Peaks against golden tables that are written from docs/games.md, not from the code."""

import json
from pathlib import Path
from typing import Any

import pytest
from rules_helpers import dealt, follow

from server.rules.base import Refusal, Score, act, can_undo, decide, decide_undo, new_board, undo
from server.rules.cards import DECK, parse_cards
from server.rules.places import PlacesRules
from server.rules.table import PileId, Table
from server.rules.tri_peaks import TriPeaks

GAME = TriPeaks()
JOINED, APART = PlacesRules(True), PlacesRules(False)
WASTE = PileId("waste")
WON: Any = json.loads((Path(__file__).parent / "golden" / "tri_peaks-won.json").read_text(encoding="utf-8"))
# The diagram: under each card the two that lie on it.
COVERS = """
1:4,5 2:6,7 3:8,9
4:10,11 5:11,12 6:13,14 7:14,15 8:16,17 9:17,18
10:19,20 11:20,21 12:21,22 13:22,23 14:23,24 15:24,25 16:25,26 17:26,27 18:27,28
"""
ON = {int(place): [int(other) for other in pair.split(",")] for place, pair in (w.split(":") for w in COVERS.split())}


def place(number: int) -> PileId:
    """Return a place's name."""
    return PileId(f"place.{number}")


def only(cards: dict[int, str], waste: str, down: tuple[int, ...] = (), stock: str = "") -> Table:
    """Give a table with these cards in their places and nothing in the others."""
    piles = {place(number): parse_cards(cards.get(number, "")) for number in range(1, 29)}
    piles |= {WASTE: parse_cards(waste), PileId("stock"): parse_cards(stock)[::-1]}
    return Table(piles, {place(number): 1 for number in down})


def test_the_deal() -> None:
    """Rows of 3, 6, 9 and 10, the upper three face down; one card on the waste, 23 in the stock."""
    at = GAME.deal(DECK, JOINED)
    assert [at.piles[place(number)] for number in range(1, 29)] == [(card,) for card in DECK[:28]]
    assert (at.piles["waste"], at.piles["stock"][::-1]) == (DECK[28:29], DECK[29:])
    assert at.face_down == {place(number): 1 for number in range(1, 19)}
    assert (GAME.cards_left(at), GAME.stock_left(at)) == (28, 23)


@pytest.mark.parametrize("number", range(1, 29))
def test_what_covers_what(number: int) -> None:
    """A card turns and plays once both on it are gone, whatever else lies there; either of them alone keeps it covered."""
    two = ON.get(number, [])
    everything = dict(
        zip(range(1, 29), (card for card in DECK if card not in ("8H", "9S", "9C", "7D")), strict=False)
    )
    if not two:
        at = only(everything | {number: "7D"}, "8H", tuple(ON))
        assert not isinstance(decide(GAME, JOINED, new_board(at), place(number), WASTE, "7D"), Refusal)
        return
    first, second = two
    # Nothing else that lies in the last row or above keeps it from turning.
    cards = everything | {number: "7D", first: "9S", second: "9C"}
    at = only({at: card for at, card in cards.items() if at not in below(two)}, "8H", (number,))
    board = new_board(at)
    assert decide(GAME, JOINED, board, place(number), WASTE, "7D") == Refusal("stale")
    board = act(board, decide(GAME, JOINED, board, place(first), WASTE, "9S"))
    assert place(number) in board.table.face_down
    again = act(new_board(at), decide(GAME, JOINED, new_board(at), place(second), WASTE, "9C"))
    assert place(number) in again.table.face_down
    eight = Table({**board.table.piles, WASTE: parse_cards("9S 8H")}, board.table.face_down)
    board = new_board(eight)
    board = act(board, decide(GAME, JOINED, board, place(second), WASTE, "9C"))
    assert place(number) not in board.table.face_down
    assert board.seen == {"7D"}
    last = Table({**board.table.piles, WASTE: parse_cards("8H")}, board.table.face_down)
    assert not isinstance(decide(GAME, JOINED, new_board(last), place(number), WASTE, "7D"), Refusal)


def below(two: list[int]) -> set[int]:
    """Give all places whose cards lie on these, directly or not."""
    found = {other for one in two for other in ON.get(one, [])}
    return found | below(sorted(found)) if found else found


def test_two_turn_at_once() -> None:
    """A card that two face-down ones wait for turns both, in their order; undo turns them back and keeps them seen."""
    at = only({1: "AS", 4: "2H", 5: "3H", 11: "7S"}, "8C", (1, 4, 5))
    board = new_board(at)
    events = decide(GAME, JOINED, board, place(11), WASTE, "7S")
    board = act(board, events)
    assert [type(event).__name__ for event in events] == ["Moved", "Turned", "Turned"]
    assert board.table.face_down == {place(1): 1}
    assert board.seen == {"2H", "3H"}
    assert not can_undo(GAME, JOINED, board, "plays")
    assert can_undo(GAME, JOINED, board, "all")
    back = undo(board)
    assert back.table == at
    assert (back.moves, back.undos, back.seen) == (1, 1, {"2H", "3H"})


def test_what_is_coming() -> None:
    """The stock's next card, and the face-down cards that only open ones cover."""
    at = GAME.deal(DECK, JOINED)
    # The whole of row 3 (places 10 to 18) lies under open cards, the rows above under face-down ones.
    assert GAME.coming(at, JOINED) == {DECK[29], *DECK[9:18]}
    assert GAME.coming(only({1: "AS", 4: "2H", 5: "3H", 11: "7S"}, "8C", (1, 4, 5)), JOINED) == {"2H", "3H"}
    assert GAME.coming(only({1: "AS", 4: "2H", 5: "3H", 12: "7S"}, "8C", (1, 5), "KD 4D"), JOINED) == {"3H", "KD"}


def test_a_won_game() -> None:
    """A won game scores 280 points, and minus the stock that is left; nothing is taken back after it."""
    board = follow(GAME, JOINED, new_board(GAME.deal(parse_cards(WON["deck"]), JOINED)), WON["line"])
    assert GAME.outcome(board.table, JOINED) == "cleared"
    assert GAME.score(board.table, "cleared", JOINED) == Score(280, -WON["stock_left"])
    assert decide_undo(GAME, JOINED, board, "all") == Refusal("nothing_to_undo")
    assert board.seen >= set(parse_cards(WON["deck"])[:18])


def test_letters() -> None:
    """J and A are its rules, and deal the same cards; it is not solved here."""
    assert [GAME.rules_of(letter) for letter in "JA"] == [JOINED, APART]
    assert [GAME.letter_of(rules) for rules in (JOINED, APART)] == ["J", "A"]
    for letter in ("E", "JA", "", "j"):
        with pytest.raises(ValueError, match="rule letter"):
            GAME.rules_of(letter)
    with pytest.raises(ValueError, match="not solved"):
        GAME.solve(GAME.deal(DECK, JOINED), JOINED)
    game, rules, board = dealt("tp2-a-aaaaaab")
    assert (game.name, rules, game.jokers(rules)) == ("tri_peaks", APART, 0)
    assert board.table == dealt("TP2-J-AAAAAAB")[2].table
