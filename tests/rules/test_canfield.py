"""Canfield against golden tables that are written from the rule text, not from the code."""

import json
from pathlib import Path
from typing import Any

import pytest
from rules_helpers import choose, dealt, follow

from server.rules.base import Board, Refusal, Score, act, can_undo, decide, decide_draw, decide_undo, new_board, undo
from server.rules.canfield import Canfield, CanfieldRules, base_rank
from server.rules.cards import DECK, parse_cards
from server.rules.table import Draw, PileId, Play, Table

GAME = Canfield()
THREE, ONE = CanfieldRules(3), CanfieldRules(1)
FOLDER = Path(__file__).parent / "golden"
PUBLISHED: Any = json.loads((FOLDER / "cf1-d3-aaaaacl.json").read_text(encoding="utf-8"))
WON: Any = json.loads((FOLDER / "canfield-won.json").read_text(encoding="utf-8"))
DECK_WON = parse_cards(WON["deck"])


def table(columns: str, waste: str = "", stock: str = "", reserve: str = "", **homes: str) -> Table:
    """Give a table: columns with bars between, the stock's first card drawn first, the reserve's last its top."""
    piles = {PileId(f"foundation.{suit}"): parse_cards(homes.get(suit, "")) for suit in "SHDC"}
    for number, cards in enumerate(columns.split("|"), 1):
        piles[PileId(f"column.{number}")] = parse_cards(cards)
    piles[PileId("reserve")] = parse_cards(reserve)
    piles[PileId("waste")] = parse_cards(waste)
    piles[PileId("stock")] = parse_cards(stock)[::-1]
    down = len(piles[PileId("reserve")]) - 1
    return Table(piles, {PileId("reserve"): down} if down > 0 else {})


def answer(at: Table, source: str, target: str, card: str, rules: CanfieldRules = THREE) -> str:
    """Return `legal`, or the code with which a play is refused."""
    decided = decide(GAME, rules, new_board(at), PileId(source), PileId(target), parse_cards(card)[0])
    return decided.code if isinstance(decided, Refusal) else "legal"


def played(at: Table, source: str, target: str, card: str) -> Table:
    """Return the table after a legal play."""
    board = new_board(at)
    decided = decide(GAME, THREE, board, PileId(source), PileId(target), parse_cards(card)[0])
    assert not isinstance(decided, Refusal), decided
    return act(board, decided).table


def test_the_deal() -> None:
    """Thirteen to the reserve, one to the first foundation, one to each of four columns, 34 to the stock."""
    at = GAME.deal(DECK, THREE)
    assert at.piles["reserve"] == DECK[:13]
    assert at.face_down == {"reserve": 12}
    assert at.piles["foundation.H"] == DECK[13:14]
    assert [at.piles[f"column.{number}"] for number in range(1, 5)] == [(card,) for card in DECK[14:18]]
    assert at.piles["stock"] == DECK[18:][::-1]
    assert at.piles["waste"] == ()
    assert base_rank(at) == 1
    # The base card's suit first, then spade, heart, diamond, club without it.
    assert [pile for pile in at.piles if pile.startswith("foundation")] == [f"foundation.{suit}" for suit in "HSDC"]


# (column's last card, card that is played on it, legal): down by one, alternating colours, king on ace.
COLUMNS = [
    ("7S", "6H", True), ("7C", "6H", True), ("7D", "6H", False), ("7S", "6C", False), ("7S", "5H", False),
    ("7S", "8H", False), ("AS", "KH", True), ("AS", "KD", True), ("AS", "KC", False), ("KH", "AS", False),
    ("2D", "AC", True), ("KH", "QS", True), ("QS", "JD", True), ("JD", "TC", True), ("7S", "7H", False),
]  # fmt: skip


@pytest.mark.parametrize(("under", "card", "legal"), COLUMNS)
def test_columns(under: str, card: str, legal: bool) -> None:
    """A card goes onto the other colour one rank higher; ranks go round."""
    at = table(f"{under}|9S 9H|9D|9C", waste=card, S="3S")
    assert answer(at, "waste", "column.1", card) == ("legal" if legal else "not_alternating")


# Base rank 7. (what lies on the foundation of spades, card, answer).
FOUNDATIONS = [
    ("", "7S", "legal"), ("", "AS", "not_next"), ("", "8S", "not_next"), ("7S", "8S", "legal"), ("7S", "9S", "not_next"),
    ("7S 8S 9S TS JS QS KS", "AS", "legal"), ("7S 8S 9S TS JS QS KS AS 2S 3S 4S 5S", "6S", "legal"),
    ("7S", "8C", "other_suit"), ("", "7C", "other_suit"),
]  # fmt: skip


@pytest.mark.parametrize(("lies", "card", "expected"), FOUNDATIONS)
def test_foundations(lies: str, card: str, expected: str) -> None:
    """Up by one from the base rank in one suit, ace after king; an empty one takes its own base card alone."""
    at = table("2H|2D|3H|3D", waste=card, H="7H", S=lies)
    assert answer(at, "waste", "foundation.S", card) == expected


# Column 1 ends with 9H 8S 7D 6C: its runs begin at each of them. (first card, target, answer).
BLOCKS = [
    ("9H", "column.2", "legal"), ("8S", "column.3", "legal"), ("7D", "column.4", "legal"), ("KD", "column.2", "not_a_run"),
    ("7D", "column.2", "not_alternating"), ("9H", "foundation.H", "one_at_a_time"), ("6C", "foundation.C", "not_next"),
    ("6C", "stock", "bad_place"), ("6C", "waste", "bad_place"), ("6C", "reserve", "bad_place"),
    ("6C", "column.1", "bad_place"), ("6C", "column.9", "bad_place"), ("6H", "column.2", "stale"),
]  # fmt: skip


@pytest.mark.parametrize(("card", "target", "expected"), BLOCKS)
def test_blocks(card: str, target: str, expected: str) -> None:
    """Any alternating descending run moves, the whole of it or its end only; nothing goes onto the reserve."""
    at = table("KD 9H 8S 7D 6C|TS|9D|8C", S="3S", reserve="2D 4H")
    assert answer(at, "column.1", target, card) == expected


def test_only_tops_play() -> None:
    """Of the waste only the last card plays, of the reserve only the top; the cards under it are not known."""
    at = table("7S|7C|7D|7H", waste="6H 6D", reserve="5D 6H", S="3S")
    assert answer(at, "waste", "column.1", "6H") == "blocked"
    assert answer(at, "waste", "column.1", "6D") == "legal"
    assert answer(at, "reserve", "column.2", "6H") == "legal"
    assert answer(at, "reserve", "column.2", "5D") == "stale"


def test_an_emptied_column_is_filled_at_once() -> None:
    """The reserve's top fills it, and the next one turns up; with the reserve empty it stays empty."""
    at = played(table("6H|7S|9D|9C", reserve="2C 3C 4C", S="3S"), "column.1", "column.2", "6H")
    assert at.piles["column.1"] == ("4C",)
    assert (at.piles["reserve"], at.face_down) == (("2C", "3C"), {"reserve": 1})
    at = played(table("6H|7S|9D|9C", reserve="4C", S="3S"), "column.1", "column.2", "6H")
    assert (at.piles["column.1"], at.piles["reserve"], at.face_down) == (("4C",), (), {})
    at = played(table("6H|7S|9D|9C", S="3S"), "column.1", "column.2", "6H")
    assert at.piles["column.1"] == ()
    # An empty column takes any card, or a run.
    assert answer(at, "column.3", "column.1", "9D") == "legal"
    assert answer(at, "column.2", "column.1", "7S") == "legal"


def test_the_reserve_plays() -> None:
    """Its top goes to a foundation or a column, then the next one plays."""
    at = played(table("7S|9C|9D|2H", reserve="5S 4S", S="3S"), "reserve", "foundation.S", "4S")
    assert at.face_down == {}
    at = played(at, "reserve", "foundation.S", "5S")
    assert (at.piles["foundation.S"], at.piles["reserve"]) == (("3S", "4S", "5S"), ())


@pytest.mark.parametrize(("rules", "turned"), [(THREE, 3), (ONE, 1)])
def test_draws(rules: CanfieldRules, turned: int) -> None:
    """A draw turns three or what is left, or one; then the whole waste goes back in order, without limit or cost."""
    board = new_board(table("7S|9C|9D|2H", stock="AH 2C 3H 4C 5H", S="3S"))
    order: list[str] = []
    while (left := GAME.stock_left(board.table)) > 0:
        board = act(board, decide_draw(GAME, rules, board, left))
        assert GAME.stock_left(board.table) == max(0, left - turned)
        order = list(board.table.piles["waste"])
    assert order == ["AH", "2C", "3H", "4C", "5H"]
    score = GAME.score(board.table, "playing", rules)
    for _ in range(3):
        board = act(board, decide_draw(GAME, rules, board, 0))
        assert (board.table.piles["stock"][::-1], board.table.piles["waste"]) == (tuple(order), ())
        for left in range(5, 0, -turned):
            board = act(board, decide_draw(GAME, rules, board, left))
        assert list(board.table.piles["waste"]) == order
    assert GAME.score(board.table, "playing", rules) == score
    assert decide_draw(GAME, rules, board, 3) == Refusal("stale")
    bare = new_board(table("7S|9C|9D|2H", S="3S"))
    assert decide_draw(GAME, rules, bare, 0) == Refusal("stock_empty")
    assert Draw() not in GAME.moves(bare.table, rules)


def test_a_foundation_gives_back() -> None:
    """Its top may go back to a column without loss, and pays once only; the last card of all stays."""
    at = table("9H|JD|9C|2H", S="3S 4S 5S 6S 7S 8S", reserve="AH 2D")
    start = GAME.score(at, "playing", THREE).app
    back = played(at, "foundation.S", "column.1", "8S")
    assert GAME.score(back, "playing", THREE).app == start - 5
    again = played(back, "column.1", "foundation.S", "8S")
    assert GAME.score(again, "playing", THREE).app == start
    assert answer(at, "foundation.S", "column.2", "8S") == "not_alternating"
    assert answer(at, "foundation.S", "foundation.H", "8S") == "bad_place"
    assert answer(at, "foundation.S", "column.1", "7S") == "blocked"
    alone = table("4H|JD|9C|2H", S="3S")
    assert answer(alone, "foundation.S", "column.1", "3S") == "base_stays"
    two = table("4H|JD|9C|2H", S="3S", D="3D")
    assert answer(two, "foundation.S", "column.1", "3S") == "legal"


@pytest.mark.parametrize(("home", "points"), [(1, 0), (2, 5), (14, 65), (52, 255)])
def test_scores(home: int, points: int) -> None:
    """Five points a card on a foundation but for the base card, 255 in all; however the hole ends."""
    cards = {suit: " ".join(DECK[13 * i : 13 * i + 13][: max(0, home - 13 * i)]) for i, suit in enumerate("SHDC")}
    at = table("|||", **cards)
    for ending in ("playing", "cleared", "done", "gave_up", "timed_out", "unplayed"):
        assert GAME.score(at, ending, THREE) == Score(points, 52 - home)
    assert GAME.cards_left(at) == 52 - home
    assert GAME.outcome(at, THREE) == ("cleared" if home == 52 else None)


def test_a_full_foundation_takes_nothing() -> None:
    """After thirteen cards nothing follows, though ranks go round."""
    full = "7S 8S 9S TS JS QS KS AS 2S 3S 4S 5S 6S"
    at = table("2H|2D|3H|3D", S=full, H="7H")
    assert not any(isinstance(move, Play) and move.target == "foundation.S" for move in GAME.moves(at, THREE))


def test_no_foundation_has_begun() -> None:
    """A table without any card on a foundation has no base rank."""
    with pytest.raises(ValueError, match="begun"):
        base_rank(table("2H|2D|3H|3D"))


def position(board: Board) -> dict[str, Any]:
    """Give a board as the published positions are written."""
    piles = board.table.piles
    return {
        "reserve_count": len(piles["reserve"]),
        "reserve_top": piles["reserve"][-1],
        "columns": [list(piles[f"column.{number}"]) for number in range(1, 5)],
        "stock_count": len(piles["stock"]),
        "waste": list(piles["waste"]),
    }


def test_the_published_game() -> None:
    """A deal that begins as the published one goes through its position after three moves."""
    board = new_board(GAME.deal(DECK_WON, THREE))
    piles = board.table.piles
    assert list(piles["reserve"][-1:-5:-1]) == PUBLISHED["reserve_from_top"]
    assert (len(piles["reserve"]), len(piles["stock"])) == (PUBLISHED["reserve_count"], PUBLISHED["stock_count"])
    assert piles["foundation.H"] == (PUBLISHED["base"],)
    assert position(board)["columns"] == PUBLISHED["columns"]
    # AS can't start the spade foundation: only 7S can.
    assert choose(GAME, THREE, board, ["column.4", "foundation.S", "AS"]).code == "not_next"
    board = follow(GAME, THREE, board, WON["line"][:3])
    golden = PUBLISHED["positions"][0]
    assert position(board) == {key: golden[key] for key in position(board)}
    assert board.table.piles["foundation.H"][-1] == golden["foundations"]["H"]


def test_a_won_game_has_255_points() -> None:
    """A game that is played to its end without take-backs scores 255, and its last move ends it."""
    board = follow(GAME, THREE, new_board(GAME.deal(DECK_WON, THREE)), WON["line"])
    assert GAME.outcome(board.table, THREE) == "cleared"
    assert GAME.score(board.table, "cleared", THREE) == Score(255, 0)
    assert decide_undo(GAME, THREE, board, "all") == Refusal("nothing_to_undo")
    for _ in range(100):
        board = undo(board)
    assert len(board.history) == 0
    assert board.moves == len(WON["line"])


def test_undo_plays_stops_where_something_was_seen_first() -> None:
    """A draw can't be taken back while it shows new cards; once the stock has gone round it can."""
    board = new_board(table("7S|9C|9D|2H", stock="AH 2C 3H", S="3S"))
    board = act(board, decide_draw(GAME, THREE, board, 3))
    assert decide_undo(GAME, THREE, board, "plays") == Refusal("undo_past_draw")
    assert can_undo(GAME, THREE, board, "all")
    board = act(board, decide_draw(GAME, THREE, board, 0))
    board = act(board, decide_draw(GAME, THREE, board, 3))
    for _ in range(2):
        assert can_undo(GAME, THREE, board, "plays")
        board = undo(board)
    assert decide_undo(GAME, THREE, board, "plays") == Refusal("undo_past_draw")
    assert board.table.piles["waste"] == ("AH", "2C", "3H")


def test_what_is_coming() -> None:
    """The reserve's next card, and as many of the stock as a draw turns."""
    at = table("7S|9C|9D|2H", stock="AH 2C 3H 4C", reserve="5D 6D 7D", S="3S")
    assert GAME.coming(at, THREE) == {"6D", "AH", "2C", "3H"}
    assert GAME.coming(at, ONE) == {"6D", "AH"}
    assert GAME.coming(table("7S|9C|9D|2H", reserve="5D", S="3S"), THREE) == frozenset()


def test_letters() -> None:
    """D3 and D1 are its rules; it is not solved here."""
    assert [GAME.rules_of(letters) for letters in ("D3", "D1")] == [THREE, ONE]
    for letters in ("D2", "E", "", "d3"):
        with pytest.raises(ValueError, match="rule letter"):
            GAME.rules_of(letters)
    with pytest.raises(ValueError, match="not solved"):
        GAME.solve(GAME.deal(DECK, THREE), THREE)
    game, rules, board = dealt("CF2-D1-AAAAAAB")
    assert (game.name, rules) == ("canfield", ONE)
    assert board.table == dealt("CF2-D3-AAAAAAB")[2].table
