"""Golf against golden tables that are written from the rule text, not from the code."""

import pytest
from rules_helpers import golf_table

from server.rules.base import (
    Refusal,
    Score,
    act,
    can_undo,
    decide,
    decide_draw,
    decide_undo,
    new_board,
)
from server.rules.cards import DECK, CardsError
from server.rules.golf import CLASSIC, EASY, STRICT, Golf, GolfRules, joins
from server.rules.table import Dealt, Draw, Moved, Play

GOLF = Golf()
RULES = {"easy": EASY, "classic": CLASSIC, "strict": STRICT}
RANKS = "A23456789TJQK"

# For each waste rank the ranks that play on it. Neighbours join; the rules differ only about kings.
MIDDLE = {
    "2": "A3",
    "3": "24",
    "4": "35",
    "5": "46",
    "6": "57",
    "7": "68",
    "8": "79",
    "9": "8T",
    "T": "9J",
    "J": "TQ",
    "Q": "JK",
}
PLAYS_ON = {
    "easy": {**MIDDLE, "A": "2K", "K": "QA"},
    "classic": {**MIDDLE, "A": "2", "K": "Q"},
    "strict": {**MIDDLE, "A": "2", "K": ""},
}
PAIRS = {"easy": 26, "classic": 24, "strict": 23}


@pytest.mark.parametrize("name", RULES)
def test_which_ranks_join(name: str) -> None:
    """All 13 x 13 pairs join exactly as the rule's table says, 26, 24 and 23 of them."""
    joined = {
        (waste, card)
        for number_waste, waste in enumerate(RANKS, 1)
        for number_card, card in enumerate(RANKS, 1)
        if joins(RULES[name], number_waste, number_card)
    }
    assert joined == {(waste, card) for waste in RANKS for card in PLAYS_ON[name][waste]}
    assert len(joined) == PAIRS[name]


@pytest.mark.parametrize("name", RULES)
def test_pairs_on_the_table(name: str) -> None:
    """For all pairs and all suits, a move is offered, decided and no end exactly where the table says so."""
    for waste in DECK:
        for card in DECK:
            table = golf_table([card], waste)
            plays = card[0] in PLAYS_ON[name][waste[0]]
            assert GOLF.moves(table, RULES[name]) == ((Play("column.1", "waste"),) if plays else ())
            assert GOLF.outcome(table, RULES[name]) == (None if plays else "stuck")
            decided = decide(GOLF, RULES[name], new_board(table), "column.1", "waste", card)
            if plays:
                assert decided == (Moved("column.1", "waste", (card,)),)
            else:
                assert decided == Refusal("not_adjacent", {"card": card, "waste": waste})


def test_the_fields_stand_apart() -> None:
    """Queen on king and king-ace are fields of their own."""
    assert joins(GolfRules(False, True, False), 13, 1)
    assert not joins(GolfRules(False, True, False), 13, 12)
    assert joins(GolfRules(True, False, True), 13, 12)
    assert not joins(GolfRules(True, False, True), 1, 13)


@pytest.mark.parametrize(
    ("waste", "exposed", "easy", "classic", "strict"),
    [
        ("KS", "QH", None, None, "stuck"),
        ("KS", "AH", None, "stuck", "stuck"),
        ("KS", "KH", "stuck", "stuck", "stuck"),
        ("KS", "JH", "stuck", "stuck", "stuck"),
        ("KS", "2H", "stuck", "stuck", "stuck"),
        ("AS", "KH", None, "stuck", "stuck"),
        ("AS", "2H", None, None, None),
        ("AS", "QH", "stuck", "stuck", "stuck"),
        ("AS", "AH", "stuck", "stuck", "stuck"),
        ("QS", "KH", None, None, None),
        ("QS", "JH", None, None, None),
        ("QS", "AH", "stuck", "stuck", "stuck"),
        ("QS", "QH", "stuck", "stuck", "stuck"),
        ("2S", "AH", None, None, None),
        ("2S", "KH", "stuck", "stuck", "stuck"),
        ("JS", "QH", None, None, None),
    ],
)
def test_kings_aces_and_queens_with_an_empty_stock(
    waste: str, exposed: str, easy: str | None, classic: str | None, strict: str | None
) -> None:
    """Where only one card is exposed and the stock is empty, the rule decides whether the seat is stuck."""
    table = golf_table([f"7D {exposed}"], waste)
    assert [GOLF.outcome(table, rules) for rules in (EASY, CLASSIC, STRICT)] == [easy, classic, strict]


@pytest.mark.parametrize("name", RULES)
def test_never_stuck_while_the_stock_has_a_card(name: str) -> None:
    """One stock card is enough to go on, and a draw is offered."""
    table = golf_table(["7D"], "2S", "3H")
    assert GOLF.outcome(table, RULES[name]) is None
    assert GOLF.moves(table, RULES[name]) == (Draw(),)


@pytest.mark.parametrize("name", RULES)
def test_cleared_with_stock_left(name: str) -> None:
    """The last column card clears at once, whatever the stock; then nothing is legal."""
    board = new_board(golf_table(["7D"], "6S", "3H 4H"))
    events = decide(GOLF, RULES[name], board, "column.1", "waste", "7D")
    assert not isinstance(events, Refusal)
    board = act(board, events)
    assert GOLF.outcome(board.table, RULES[name]) == "cleared"
    assert GOLF.moves(board.table, RULES[name]) == ()
    assert GOLF.score(board.table, "cleared", RULES[name]) == Score(350, -2)
    assert decide_draw(GOLF, RULES[name], board, 2) == Refusal("hole_over")
    assert decide(GOLF, RULES[name], board, "column.1", "waste", "7D") == Refusal("stale")
    for mode in ("plays", "all"):
        assert decide_undo(GOLF, RULES[name], board, mode) == Refusal("nothing_to_undo")
        assert not can_undo(GOLF, RULES[name], board, mode)


def test_cleared_with_an_empty_stock_is_not_stuck() -> None:
    """Cleared is looked at first."""
    table = golf_table([], "7D")
    assert GOLF.outcome(table, EASY) == "cleared"
    assert GOLF.moves(table, EASY) == ()
    assert GOLF.score(table, "cleared", EASY) == Score(350, 0)


def test_a_strict_draw_waits_until_nothing_plays() -> None:
    """Strict refuses a draw while a play exists; the others allow it."""
    board = new_board(golf_table(["9D 7D", "KD"], "6S", "3H"))
    assert decide_draw(GOLF, STRICT, board, 1) == Refusal("play_exists")
    assert GOLF.moves(board.table, STRICT) == (Play("column.1", "waste"),)
    for rules in (EASY, CLASSIC):
        assert decide_draw(GOLF, rules, board, 1) == (Dealt(("3H",)),)
        assert GOLF.moves(board.table, rules) == (Play("column.1", "waste"), Draw())
    on_king = new_board(golf_table(["QD"], "KS", "3H"))
    assert decide_draw(GOLF, STRICT, on_king, 1) == (Dealt(("3H",)),)
    assert decide_draw(GOLF, STRICT, new_board(golf_table(["KD"], "QS", "3H")), 1) == Refusal("play_exists")


def test_draws_come_in_the_stock_order() -> None:
    """The stock's first card is drawn first, and lies on the waste."""
    board = new_board(golf_table(["7D"], "2S", "9H 8H"))
    board = act(board, decide_draw(GOLF, EASY, board, 2))
    assert board.table.piles["waste"] == ("2S", "9H")
    for seen in (-1, 0, 2, 16):
        assert decide_draw(GOLF, EASY, board, seen) == Refusal("stale")
    board = act(board, decide_draw(GOLF, EASY, board, 1))
    assert board.table.piles["waste"] == ("2S", "9H", "8H")
    assert decide_draw(GOLF, EASY, board, 1) == Refusal("stale")
    assert decide_draw(GOLF, EASY, board, 0) == Refusal("stock_empty")


@pytest.mark.parametrize(
    ("source", "target", "card", "refusal"),
    [
        ("column.1", "waste", "9D", Refusal("blocked", {"card": "9D"})),
        ("column.1", "waste", "2C", Refusal("blocked", {"card": "2C"})),
        ("column.1", "waste", "JH", Refusal("not_adjacent", {"card": "JH", "waste": "6S"})),
        ("column.2", "waste", "JH", Refusal("stale")),
        ("column.3", "waste", "JH", Refusal("stale")),
        ("column.8", "waste", "JH", Refusal("stale")),
        ("nowhere", "waste", "JH", Refusal("stale")),
        ("column.1", "waste", "??", Refusal("stale")),
        ("column.2", "column.1", "5D", Refusal("bad_target")),
        ("column.2", "column.2", "5D", Refusal("bad_target")),
        ("column.2", "stock", "5D", Refusal("bad_target")),
        ("column.2", "nowhere", "5D", Refusal("bad_target")),
        ("waste", "column.1", "6S", Refusal("bad_target")),
        ("waste", "waste", "6S", Refusal("bad_target")),
        ("stock", "waste", "7H", Refusal("stale")),
        ("stock", "waste", "4H", Refusal("stale")),
    ],
)
def test_refused_plays(source: str, target: str, card: str, refusal: Refusal) -> None:
    """Each wrong play has its code, and naming a stock card tells nothing about it."""
    board = new_board(golf_table(["9D 2C JH", "5D"], "6S", "7H 4H"))
    assert decide(GOLF, EASY, board, source, target, card) == refusal


def test_a_face_down_card_is_not_confirmed() -> None:
    """Naming a face-down card is answered as if it were not there; those above it are seen."""
    table = golf_table(["9D 2C JH"], "6S")
    board = new_board(type(table)(table.piles, {"column.1": 2}))
    assert decide(GOLF, EASY, board, "column.1", "waste", "2C") == Refusal("stale")
    assert decide(GOLF, EASY, board, "column.1", "waste", "JH").code == "not_adjacent"


def test_the_layout() -> None:
    """Cards 1 to 35 fill the columns in turn, deepest first; then one to the waste; then the stock."""
    table = GOLF.deal(DECK, EASY)
    assert table == golf_table(
        [
            "AS 2S 3S 4S 5S",
            "6S 7S 8S 9S TS",
            "JS QS KS AH 2H",
            "3H 4H 5H 6H 7H",
            "8H 9H TH JH QH",
            "KH AD 2D 3D 4D",
            "5D 6D 7D 8D 9D",
        ],
        "TD",
        "JD QD KD AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",
    )
    assert GOLF.cards_left(table) == 35
    assert GOLF.stock_left(table) == 16


def test_what_is_not_dealt() -> None:
    """No deck, and a deck with other jokers than the rules have, are refused."""
    for deck, rules in [(DECK[:51], EASY), (DECK, GolfRules(True, True, False, jokers=1)), ((*DECK, "*1"), EASY)]:
        with pytest.raises(CardsError):
            GOLF.deal(deck, rules)


def test_rule_letters() -> None:
    """E, C and S are the named rules' letters, N reads as E; nothing unknown is one."""
    assert [GOLF.rules_of(letter) for letter in "ECSN"] == [EASY, CLASSIC, STRICT, EASY]
    assert [GOLF.letter_of(rules) for rules in RULES.values()] == ["E", "C", "S"]
    for letter in ("", "e", "X", "EC", "N1", "E0", "E3", "1", "V", "EV1", "EVV", "E12"):
        with pytest.raises(ValueError, match="no rule letter"):
            GOLF.rules_of(letter)
    with pytest.raises(ValueError, match="no such rules"):
        GOLF.letter_of(GolfRules(False, True, False, jokers=3))


def test_presets() -> None:
    """The three rules have the fields of the rule text, the default first."""
    assert list(GOLF.presets) == ["easy", "classic", "strict"]
    assert GolfRules(queen_on_king=True, king_ace_joined=True, draw_only_when_stuck=False) == EASY
    assert GolfRules(queen_on_king=True, king_ace_joined=False, draw_only_when_stuck=False) == CLASSIC
    assert GolfRules(queen_on_king=False, king_ace_joined=False, draw_only_when_stuck=True) == STRICT
    assert all(rules.jokers == 0 and not rules.empty_start for rules in RULES.values())
