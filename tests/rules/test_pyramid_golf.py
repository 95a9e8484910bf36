"""Pyramid Golf against golden tables that are written from docs/games.md, not from the code."""

import json
from pathlib import Path
from typing import Any

import pytest
from rules_helpers import dealt, follow

from server.rules.base import Refusal, Score, decide, decide_undo, new_board
from server.rules.cards import DECK, parse_cards
from server.rules.places import PlacesRules
from server.rules.pyramid_golf import PyramidGolf
from server.rules.table import Moved, PileId, Table

GAME = PyramidGolf()
JOINED = PlacesRules(True)
WASTE = PileId("waste")
WON: Any = json.loads((Path(__file__).parent / "golden" / "pyramid_golf-won.json").read_text(encoding="utf-8"))
# The diagram: under each card the two that lie on it.
COVERS = """
1:2,3
2:4,5 3:5,6
4:7,8 5:8,9 6:9,10
7:11,12 8:12,13 9:13,14 10:14,15
11:16,17 12:17,18 13:18,19 14:19,20 15:20,21
16:22,23 17:23,24 18:24,25 19:25,26 20:26,27 21:27,28
"""
ON = {int(place): [int(other) for other in pair.split(",")] for place, pair in (w.split(":") for w in COVERS.split())}


def answer(there: dict[int, str], number: int) -> Any:
    """Return what is decided of the card of a place, with an 8 on the waste."""
    piles = {PileId(f"place.{at}"): parse_cards(there.get(at, "")) for at in range(1, 29)}
    at = Table(piles | {WASTE: parse_cards("8H"), PileId("stock"): ()}, {})
    source = PileId(f"place.{number}")
    return decide(GAME, JOINED, new_board(at), source, WASTE, at.piles[source][0])


def test_the_deal() -> None:
    """Seven rows of 1 to 7, all open; one card on the waste, 23 in the stock."""
    at = GAME.deal(DECK, JOINED)
    assert [at.piles[f"place.{number}"] for number in range(1, 29)] == [(card,) for card in DECK[:28]]
    assert (at.piles["waste"], at.piles["stock"][::-1]) == (DECK[28:29], DECK[29:])
    assert at.face_down == {}
    assert GAME.coming(at, JOINED) == {DECK[29]}


@pytest.mark.parametrize("number", range(1, 29))
def test_what_covers_what(number: int) -> None:
    """A card plays once both on it are gone; either of them alone blocks it, and no other card does."""
    others = [card for card in DECK if card not in ("8H", "7D")]
    everything = dict(zip(range(1, 29), others, strict=False)) | {number: "7D"}
    two = ON.get(number, [])
    free = {at: card for at, card in everything.items() if at not in two}
    assert answer(free, number) == (Moved(PileId(f"place.{number}"), WASTE, parse_cards("7D")),)
    for one in two:
        assert answer(free | {one: everything[one]}, number) == Refusal("blocked", {"card": "7D"})


def test_a_won_game() -> None:
    """A won game scores 280 points, and minus the stock that is left; nothing is taken back after it."""
    board = follow(GAME, JOINED, new_board(GAME.deal(parse_cards(WON["deck"]), JOINED)), WON["line"])
    assert GAME.outcome(board.table, JOINED) == "cleared"
    assert GAME.score(board.table, "cleared", JOINED) == Score(280, -WON["stock_left"])
    assert decide_undo(GAME, JOINED, board, "all") == Refusal("nothing_to_undo")


def test_letters() -> None:
    """J and A are its rules, and deal the same cards, which are others than those of Tri Peaks."""
    game, rules, board = dealt("PG2-A-AAAAAAB")
    assert (game.name, rules) == ("pyramid_golf", PlacesRules(False))
    assert board.table.piles == dealt("PG2-J-AAAAAAB")[2].table.piles
    assert board.table.piles != dealt("TP2-J-AAAAAAB")[2].table.piles
