"""Russian Solitaire against golden tables that are written from the rule text, not from the code."""

import json
from pathlib import Path
from typing import Any

import pytest
from rules_helpers import dealt, follow

from server.rules.base import Refusal, Score, act, can_undo, decide, decide_draw, decide_undo, new_board, undo
from server.rules.cards import DECK, parse_cards
from server.rules.russian import Russian, RussianRules
from server.rules.table import Draw, PileId, Table

GAME = Russian()
CLASSIC, RELAXED = RussianRules(False), RussianRules(True)
WON: Any = json.loads((Path(__file__).parent / "golden" / "russian-won.json").read_text(encoding="utf-8"))


def table(columns: str, down: str = "0000000", **homes: str) -> Table:
    """Give a table: columns with bars between; `down` counts the face-down cards of each."""
    piles = {PileId(f"foundation.{suit}"): parse_cards(homes.get(suit, "")) for suit in "SHDC"}
    for number, cards in enumerate((columns + "|" * 6).split("|")[:7], 1):
        piles[PileId(f"column.{number}")] = parse_cards(cards)
    return Table(piles, {PileId(f"column.{n}"): int(count) for n, count in enumerate(down, 1) if int(count)})


def answer(at: Table, source: str, target: str, card: str, rules: RussianRules = CLASSIC) -> str:
    """Return `legal`, or the code with which a play is refused."""
    decided = decide(GAME, rules, new_board(at), PileId(source), PileId(target), parse_cards(card)[0])
    return decided.code if isinstance(decided, Refusal) else "legal"


def test_the_deal() -> None:
    """Columns of 1, 6, 7, 8, 9, 10, 11; the second to seventh have 1 to 6 face down below five face up."""
    at = GAME.deal(DECK, CLASSIC)
    columns = [at.piles[f"column.{number}"] for number in range(1, 8)]
    assert [len(column) for column in columns] == [1, 6, 7, 8, 9, 10, 11]
    assert sum(columns, ()) == DECK
    assert at.face_down == {f"column.{number}": number - 1 for number in range(2, 8)}
    assert sum(at.face_down.values()) == 21
    assert "stock" not in at.piles
    assert "waste" not in at.piles


# (column's last card, card, in Classic, in Relaxed).
COLUMNS = [
    ("8H", "7H", "legal", "legal"), ("8D", "7H", "not_same_suit", "legal"), ("8S", "7H", "not_same_suit", "legal"),
    ("6H", "7H", "not_same_suit", "not_one_lower"), ("9H", "7H", "not_same_suit", "not_one_lower"),
    ("KS", "QS", "legal", "legal"), ("AS", "KS", "not_same_suit", "not_one_lower"), ("2C", "AC", "legal", "legal"),
    ("", "KD", "legal", "legal"), ("", "QD", "only_king", "only_king"), ("", "AD", "only_king", "only_king"),
]  # fmt: skip


@pytest.mark.parametrize(("under", "card", "classic", "relaxed"), COLUMNS)
def test_columns(under: str, card: str, classic: str, relaxed: str) -> None:
    """One rank higher, of the same suit or of any; an empty column takes only a king."""
    at = table(f"{under}|3C {card}")
    assert answer(at, "column.2", "column.1", card, CLASSIC) == classic
    assert answer(at, "column.2", "column.1", card, RELAXED) == relaxed


def test_a_group_moves_in_any_order() -> None:
    """The published group of one game's third move goes onto the 4 of clubs with the 3 of clubs that begins it."""
    at = table("4C|9D 3C 7D AS 4S TH")
    board = new_board(at)
    events = decide(GAME, CLASSIC, board, PileId("column.2"), PileId("column.1"), parse_cards("3C")[0])
    assert act(board, events).table.piles["column.1"] == parse_cards("4C 3C 7D AS 4S TH")
    assert answer(at, "column.2", "column.1", "7D") == "not_same_suit"
    # A king goes with what lies on it.
    assert answer(table("|9D KC 7D AS"), "column.2", "column.1", "KC") == "legal"
    assert answer(table("|9D 5C 7D AS"), "column.2", "column.1", "5C") == "only_king"


def test_twenty_cards_move_and_no_more() -> None:
    """A group of more than twenty is refused."""
    rest = [card for card in DECK if card not in ("8H", "7H")]
    for count, expected in ((20, "legal"), (21, "too_many_cards")):
        group = " ".join(["7H", *rest[: count - 1]])
        assert answer(table(f"8H|{group}"), "column.2", "column.1", "7H") == expected


def test_face_down_cards() -> None:
    """One that is uncovered turns by itself; until then it can't be moved, nor can anything be learnt by its name."""
    at = table("8H|3C 9D 7H", down="0200000")
    assert answer(at, "column.2", "column.1", "9D") == "stale"
    board = new_board(at)
    board = act(board, decide(GAME, CLASSIC, board, PileId("column.2"), PileId("column.1"), parse_cards("7H")[0]))
    assert board.table.piles["column.2"] == parse_cards("3C 9D")
    assert board.table.face_down == {"column.2": 1}
    assert GAME.score(board.table, "playing", CLASSIC).app - GAME.score(at, "playing", CLASSIC).app == 5
    assert not can_undo(GAME, CLASSIC, board, "plays")
    assert can_undo(GAME, CLASSIC, board, "all")
    back = undo(board)
    assert back.table == at
    assert (back.moves, back.undos, back.seen) == (1, 1, {"9D"})


# (what lies on the foundation of hearts, column, card, target, answer).
FOUNDATIONS = [
    ("", "AH", "AH", "H", "legal"), ("", "2H", "2H", "H", "not_next"), ("AH", "2H", "2H", "H", "legal"),
    ("AH", "3H", "3H", "H", "not_next"), ("AH", "2S", "2S", "H", "other_suit"), ("AH", "2H 9C", "2H", "H", "one_at_a_time"),
]  # fmt: skip


@pytest.mark.parametrize(("lies", "column", "card", "suit", "expected"), FOUNDATIONS)
def test_foundations(lies: str, column: str, card: str, suit: str, expected: str) -> None:
    """Ace to king in suit, one card at a time from a column's end."""
    assert answer(table(column, H=lies), "column.1", f"foundation.{suit}", card) == expected


def test_a_foundation_gives_back() -> None:
    """Its top goes back to a column without loss: the position counts, and the same card pays once."""
    at = table("3H||9C", H="AH 2H")
    assert answer(at, "foundation.H", "column.1", "2H") == "legal"
    assert answer(at, "foundation.H", "column.1", "AH") == "one_at_a_time"
    assert answer(at, "foundation.H", "column.3", "2H") == "not_same_suit"
    assert answer(at, "foundation.H", "column.2", "2H") == "only_king"
    assert answer(at, "foundation.H", "foundation.S", "2H") == "bad_place"
    board = new_board(at)
    for source, target in (("foundation.H", "column.1"), ("column.1", "foundation.H")) * 2:
        board = act(board, decide(GAME, CLASSIC, board, PileId(source), PileId(target), parse_cards("2H")[0]))
    assert GAME.score(board.table, "playing", CLASSIC) == GAME.score(at, "playing", CLASSIC)


@pytest.mark.parametrize("target", ["waste", "stock", "reserve", "column.1", "column.8", "foundation.X"])
def test_places_that_take_nothing(target: str) -> None:
    """Only other columns and foundations take cards; there is nothing to draw."""
    at = table("3H|4H")
    assert answer(at, "column.1", target, "3H") == "bad_place"
    assert decide_draw(GAME, CLASSIC, new_board(at), 0) == Refusal("stock_empty")
    assert decide_draw(GAME, CLASSIC, new_board(at), 1) == Refusal("stale")
    with pytest.raises(ValueError, match="no stock"):
        GAME.effects(at, Draw(), CLASSIC)


@pytest.mark.parametrize(
    ("home", "down", "points"), [(0, "0123456", 0), (0, "0000000", 105), (1, "0123450", 40), (52, "0000000", 625)]
)
def test_scores(home: int, down: str, points: int) -> None:
    """Ten points a card on a foundation and five a card turned, 625 in all; however the hole ends."""
    cards = {suit: " ".join(DECK[13 * i : 13 * i + 13][: max(0, home - 13 * i)]) for i, suit in enumerate("SHDC")}
    at = table("", down=down, **cards)
    for ending in ("playing", "cleared", "done", "gave_up", "timed_out", "unplayed"):
        assert GAME.score(at, ending, CLASSIC) == Score(points, 52 - home)
    assert (GAME.cards_left(at), GAME.stock_left(at)) == (52 - home, 0)
    assert GAME.outcome(at, CLASSIC) == ("cleared" if home == 52 else None)


def test_a_won_game_has_625_points() -> None:
    """A full game without take-backs scores 625, under both rules; undo goes back a hundred actions at most."""
    for rules in (CLASSIC, RELAXED):
        board = follow(GAME, rules, new_board(GAME.deal(parse_cards(WON["deck"]), rules)), WON["line"])
        assert GAME.outcome(board.table, rules) == "cleared"
        assert GAME.score(board.table, "cleared", rules) == Score(625, 0)
        assert len(board.seen) == 21
        assert decide_undo(GAME, rules, board, "all") == Refusal("nothing_to_undo")


def test_what_is_coming() -> None:
    """The last face-down card of each column."""
    assert GAME.coming(table("8H|3C 9D 7H|2S 5D", down="0210000"), CLASSIC) == {"9D", "2S"}
    assert GAME.coming(table("8H|3C"), CLASSIC) == frozenset()


def test_letters() -> None:
    """C and R are its rules, and deal the same cards; it is not solved here."""
    assert [GAME.rules_of(letters) for letters in ("C", "R")] == [CLASSIC, RELAXED]
    for letters in ("E", "CR", "", "c"):
        with pytest.raises(ValueError, match="rule letter"):
            GAME.rules_of(letters)
    with pytest.raises(ValueError, match="not solved"):
        GAME.solve(GAME.deal(DECK, CLASSIC), CLASSIC)
    game, rules, board = dealt("RU2-R-AAAAAAB")
    assert (game.name, rules) == ("russian", RELAXED)
    assert board.table == dealt("RU2-C-AAAAAAB")[2].table
