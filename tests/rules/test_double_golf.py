"""Double Golf against golden tables that are written from the rule text, and what two cards of one name must not mix."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_helpers import dealt, follow

from server.protocol.typed import deal_code
from server.rules.base import Refusal, Score, act, decide, decide_draw, new_board
from server.rules.cards import DECK, CardsError, is_card, parse_cards, rank, suit
from server.rules.codes import CodeError, code_for_deck, deal_of, deck_of, match_code, parse_code
from server.rules.double_golf import DoubleGolf
from server.rules.table import PileId, Play, Table, dump_event, load_event

GAME = DoubleGolf()
EASY, CLASSIC, STRICT = (GAME.presets[name] for name in ("easy", "classic", "strict"))
BOTH = (*DECK, *(card + "2" for card in DECK))
WON: Any = json.loads((Path(__file__).parent / "golden" / "double_golf-won.json").read_text(encoding="utf-8"))


def cards(text: str) -> tuple[Any, ...]:
    """Read cards, those of the second deck with their mark."""
    return parse_cards(text, 2)


def table(columns: str, waste: str, stock: str = "") -> Table:
    """Give a table: columns with bars between, deepest card first; the stock's first card is drawn first."""
    piles = {PileId("waste"): cards(waste), PileId("stock"): cards(stock)[::-1]}
    for number, pile in enumerate((columns + "|" * 8).split("|")[:9], 1):
        piles[PileId(f"column.{number}")] = cards(pile)
    return Table(piles, {})


def answer(at: Table, source: str, card: str, rules: Any = EASY, target: str = "waste") -> str:
    """Return `legal`, or the code with which a play is refused."""
    decided = decide(GAME, rules, new_board(at), PileId(source), PileId(target), card)
    return decided.code if isinstance(decided, Refusal) else "legal"


def drawn(at: Table, rules: Any) -> str:
    """Return `legal`, or the code with which a draw is refused."""
    decided = decide_draw(GAME, rules, new_board(at), GAME.stock_left(at))
    return decided.code if isinstance(decided, Refusal) else "legal"


def test_the_deal() -> None:
    """Nine columns of seven, all open, one card on the waste, forty in the stock."""
    at = GAME.deal(BOTH, EASY)
    columns = [at.piles[f"column.{number}"] for number in range(1, 10)]
    assert [len(column) for column in columns] == [7] * 9
    assert sum(columns, ()) == BOTH[:63]
    assert at.piles["waste"] == BOTH[63:64]
    assert at.piles["stock"][::-1] == BOTH[64:]
    assert (GAME.cards_left(at), GAME.stock_left(at), at.face_down) == (63, 40, {})
    assert GAME.coming(at, EASY) == {BOTH[64]}
    assert (GAME.decks, GAME.hides) == (2, True)


@pytest.mark.parametrize("deck", [DECK, BOTH[:-1], (*BOTH[:-1], BOTH[0]), (*BOTH[:-1], "*1")])
def test_what_is_no_deal(deck: Any) -> None:
    """One deck, a card too few, a card thrice under one name, a joker: refused."""
    with pytest.raises(CardsError):
        GAME.deal(deck, EASY)


# (on the waste, card, under Easy, Classic and Strict): as Golf, whatever the decks.
JOINS = [
    ("8H", "9C", "yes yes yes"),
    ("8H", "9C2", "yes yes yes"),
    ("8H2", "7D", "yes yes yes"),
    ("8H2", "8H", "no no no"),
    ("8H", "TC2", "no no no"),
    ("KS", "QS2", "yes yes no"),
    ("KS2", "AD", "yes no no"),
    ("AD2", "KS2", "yes no no"),
    ("AD", "2D2", "yes yes yes"),
    ("QS2", "KS", "yes yes yes"),
]


@pytest.mark.parametrize(("lies", "card", "expected"), JOINS)
def test_what_plays(lies: str, card: str, expected: str) -> None:
    """One rank higher or lower; a second deck's card as the first one's."""
    at = table(f"5H 5D {card}", lies, "2C")
    for rules, yes in zip((EASY, CLASSIC, STRICT), expected.split(), strict=True):
        assert answer(at, "column.1", card, rules) == ("legal" if yes == "yes" else "not_adjacent")


def test_two_of_a_name_are_two_cards() -> None:
    """A play takes the card that it names from where it lies; its double elsewhere is left, and is not taken for it."""
    at = table("9C 4S|3D 9C2|9H", "8H", "9H2")
    assert answer(at, "column.1", "9C") == "blocked"
    assert answer(at, "column.1", "9C2") == "stale"
    assert answer(at, "column.2", "9C2") == "legal"
    assert answer(at, "column.2", "9C") == "stale"
    assert answer(at, "column.3", "9H2") == "stale"
    assert answer(at, "column.1", "9C3") == "stale"
    after = act(new_board(at), decide(GAME, EASY, new_board(at), PileId("column.2"), PileId("waste"), "9C2")).table
    assert after.piles["waste"] == ("8H", "9C2")
    assert after.piles["column.1"] == ("9C", "4S")
    # In one column, the one under the other.
    stacked = table("9C 9C2", "8H")
    assert answer(stacked, "column.1", "9C2") == "legal"
    assert answer(stacked, "column.1", "9C") == "blocked"
    # On the waste, and drawn.
    board = new_board(table("9C", "8H", "8H2"))
    board = act(board, decide_draw(GAME, EASY, board, 1))
    assert board.table.piles["waste"] == ("8H", "8H2")
    assert board.seen == {"8H2"}


def test_refusals() -> None:
    """As Golf: onto the waste only, a draw where the rule allows it."""
    at = table("9C||2S", "8H", "3C")
    assert answer(at, "column.1", "9C", target="column.2") == "bad_target"
    assert answer(at, "waste", "8H", target="column.2") == "bad_target"
    assert [drawn(at, rules) for rules in (EASY, CLASSIC, STRICT)] == ["legal", "legal", "play_exists"]
    assert drawn(table("9C", "8H"), EASY) == "stock_empty"
    assert drawn(table("", "8H", "3C"), EASY) == "hole_over"


# (columns, waste, stock, how it stands, strokes once ended, points).
ENDS = [
    ("9C", "8H", "3C", None, 1, 610),
    ("9C", "8H2", "", None, 1, 610),
    ("5C", "8H", "3C", None, 1, 610),
    ("5C", "8H", "", "stuck", 1, 610),
    ("8C2|8C", "8H", "", "stuck", 2, 590),
    ("", "8H", "3C 3C2", "cleared", -2, 630),
    ("", "8H", "", "cleared", 0, 630),
]


@pytest.mark.parametrize(("columns", "waste", "stock", "outcome", "strokes", "points"), ENDS)
def test_ends_and_scores(
    columns: str, waste: str, stock: str, outcome: str | None, strokes: int, points: int
) -> None:
    """Cleared with or without stock left, stuck with an empty stock; ten a card removed, ten less for each left."""
    at = table(columns, waste, stock)
    assert GAME.outcome(at, EASY) == outcome
    assert GAME.score(at, "gave_up", EASY) == Score(points, strokes)
    assert GAME.score(at, "unplayed", EASY) == Score(0, 63)


def test_a_won_game() -> None:
    """The golden game is of its code, clears all and leaves what it says in the stock."""
    assert list(deck_of(parse_code(WON["code"]))) == WON["deck"].split()
    game, rules, board = dealt(WON["code"])
    assert (game.name, rules) == ("double_golf", EASY)
    board = follow(GAME, rules, board, WON["line"])
    assert GAME.outcome(board.table, rules) == "cleared"
    assert GAME.score(board.table, "cleared", rules) == Score(630, -WON["left_in_stock"])


def test_how_cards_are_typed() -> None:
    """A card that comes again without a mark is the second deck's: any 104 cards make a code."""
    plain = " ".join((*DECK, *DECK))
    assert cards(plain) == BOTH
    assert cards("9C2 9C 10♥ th") == ("9C2", "9C", "TH", "TH2")
    code = deal_code(plain, "double_golf", "E")
    assert code == "DGX-E-" + "A" * 118
    assert deck_of(parse_code(code)) == BOTH
    with pytest.raises(CardsError, match="twice"):
        code_for_deck("double_golf", "E", cards("9C 9C " + plain))
    assert parse_code(code_for_deck("double_golf", "S", BOTH[::-1])).letter == "S"
    with pytest.raises(CodeError) as past:
        parse_code("DGX-E-" + "Z" * 118)
    assert past.value.code == "out_of_range"
    # In one deck the mark means nothing.
    with pytest.raises(CardsError, match="not a card"):
        code_for_deck("golf", "E", cards("9C2 " + " ".join(DECK[1:])))


def test_cards_of_the_second_deck() -> None:
    """They have their double's rank and suit, and go through stored events."""
    for first, second in zip(DECK, BOTH[52:], strict=True):
        assert (rank(second), suit(second)) == (rank(first), suit(first))
        assert is_card(second)
    assert not any(is_card(text) for text in ("9C1", "9C22", "*12", "2", "9C2 "))
    (event,) = GAME.effects(table("9C2", "8H"), Play(PileId("column.1"), PileId("waste")), EASY)
    assert load_event(dump_event(event)) == event


def test_letters() -> None:
    """Golf's eight letters without jokers or an empty start; it is not solved here."""
    letters = "EFCDRSKL"
    assert [GAME.letter_of(GAME.rules_of(letter)) for letter in letters] == list(letters)
    assert [GAME.letter_of(rules) for rules in (EASY, CLASSIC, STRICT)] == ["E", "C", "S"]
    for other in ("N", "E1", "EV", "", "e", "J"):
        with pytest.raises(ValueError, match="rule letter"):
            GAME.rules_of(other)
    assert GAME.jokers(EASY) == 0
    with pytest.raises(ValueError, match="not solved"):
        GAME.solve(GAME.deal(BOTH, EASY), EASY)


@given(st.integers(0, 2**128 - 1), st.sampled_from("ECSR"), st.lists(st.integers(0, 99), max_size=100))
def test_what_holds_whatever_is_played(value: int, letter: str, choices: list[int]) -> None:
    """All 104 cards stay on the table, each once; a hole is over exactly when nothing can be done."""
    game, rules, at = deal_of(parse_code(match_code("double_golf", letter, value)))
    board = new_board(at)
    for choice in choices:
        piles = board.table.piles
        assert sorted(sum(piles.values(), ())) == sorted(BOTH)
        left, stock = game.cards_left(board.table), game.stock_left(board.table)
        assert left + stock + len(piles["waste"]) == 104
        assert game.score(board.table, "playing", rules) == Score(630 - 10 * left, left or -stock)
        moves = game.moves(board.table, rules)
        assert bool(moves) == (game.outcome(board.table, rules) is None)
        if not moves:
            break
        board = act(board, game.effects(board.table, moves[choice % len(moves)], rules))
