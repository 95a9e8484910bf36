"""Golf's variant fields against golden tables that are written from the rule text, each field apart."""

from dataclasses import replace
from itertools import product

import pytest
from rules_helpers import golf_table

from server.rules.base import Refusal, Score, act, can_undo, decide, decide_draw, decide_undo, new_board, undo
from server.rules.cards import DECK, JOKERS, CardsError, deck_with, parse_cards
from server.rules.codes import CodeError, code_for_deck, deal_of, deck_of, match_code, parse_code, short_code
from server.rules.golf import CLASSIC, EASY, STRICT, Golf, GolfRules
from server.rules.table import Draw, Moved, Play

GOLF = Golf()
BOOLS = (False, True)
J1, J2 = JOKERS
PLAY = Play("column.1", "waste")

# (queen on king, king-ace joined): what plays on a king, on a queen and on an ace; other ranks are no concern.
KINGS = {
    (True, True): {"K": "QA", "Q": "JK", "A": "2K"},
    (True, False): {"K": "Q", "Q": "JK", "A": "2"},
    (False, True): {"K": "A", "Q": "JK", "A": "2K"},
    (False, False): {"K": "", "Q": "JK", "A": "2"},
}
PAIRS = {(True, True): 26, (True, False): 24, (False, True): 25, (False, False): 23}


@pytest.mark.parametrize("fields", KINGS)
@pytest.mark.parametrize("draw_only_when_stuck", BOOLS)
def test_kings_queens_and_aces(fields: tuple[bool, bool], draw_only_when_stuck: bool) -> None:
    """The two fields decide apart what joins, in whichever way one draws; all other ranks join as ever."""
    rules = GolfRules(*fields, draw_only_when_stuck)
    pairs = 0
    for waste, card in product(DECK[:13], DECK[13:26]):
        plays = GOLF.moves(golf_table([card], waste), rules) == (PLAY,)
        pairs += plays
        if waste[0] in KINGS[fields]:
            assert plays == (card[0] in KINGS[fields][waste[0]]), (waste, card)
    assert pairs == PAIRS[fields]


@pytest.mark.parametrize("fields", KINGS)
def test_draw_only_when_stuck(fields: tuple[bool, bool]) -> None:
    """While a card plays, a draw is refused with the field and allowed without; where none plays both draw."""
    plays = new_board(golf_table(["9D"], "8S", "3H"))
    nothing = new_board(golf_table(["9D"], "2S", "3H"))
    forced, free = (GolfRules(*fields, draw_only_when_stuck=stuck) for stuck in (True, False))
    assert decide_draw(GOLF, forced, plays, 1) == Refusal("play_exists")
    assert not isinstance(decide_draw(GOLF, free, plays, 1), Refusal)
    assert GOLF.moves(plays.table, forced) == (PLAY,)
    assert GOLF.moves(plays.table, free) == (PLAY, Draw())
    assert GOLF.moves(nothing.table, forced) == GOLF.moves(nothing.table, free) == (Draw(),)


# -- jokers


@pytest.mark.parametrize("rules", [replace(rules, jokers=2) for rules in (EASY, CLASSIC, STRICT)], ids=str)
def test_jokers_join_everything(rules: GolfRules) -> None:
    """A joker plays on each card, a king too, and each card and the other joker play on it."""
    for joker, other in ((J1, J2), (J2, J1)):
        for card in (*DECK, other):
            for waste, exposed in ((joker, card), (card, joker)):
                board = new_board(golf_table([exposed], waste))
                events = decide(GOLF, rules, board, "column.1", "waste", exposed)
                assert events == (Moved("column.1", "waste", (exposed,)),)
                assert GOLF.outcome(board.table, rules) is None


@pytest.mark.parametrize(
    ("columns", "waste", "may_draw"),
    [
        (["9D"], "2S", True),
        (["*1 9D"], "2S", True),
        (["9D *1"], "KS", False),
        (["9D"], "*2", False),
        (["KD", "*1"], "KS", False),
    ],
)
def test_a_joker_means_that_a_play_exists(columns: list[str], waste: str, may_draw: bool) -> None:
    """Exposed or on the waste it stops a strict draw and being stuck; covered it does neither."""
    rules = replace(STRICT, jokers=2)
    drawn = decide_draw(GOLF, rules, new_board(golf_table(columns, waste, "3H")), 1)
    assert isinstance(drawn, Refusal) != may_draw
    assert GOLF.outcome(golf_table(columns, waste), rules) == ("stuck" if may_draw else None)


def test_scores_with_jokers() -> None:
    """Left in the columns a joker counts 1 and costs 10; removing it adds 10; the stock's count as ever."""
    rules = replace(STRICT, jokers=2)
    board = new_board(golf_table(["*1 2D 9D"], "2S"))
    assert GOLF.score(board.table, "stuck", rules) == Score(app=290, traditional=3)
    assert GOLF.score(board.table, "playing", rules) == Score(app=320, traditional=3)
    board = new_board(golf_table(["9D *2"], "2S", "*1 3S"))
    events = decide(GOLF, rules, board, "column.1", "waste", J2)
    assert not isinstance(events, Refusal)
    board = act(board, events)
    assert GOLF.score(board.table, "playing", rules) == Score(app=340, traditional=1)
    events = decide(GOLF, rules, board, "column.1", "waste", "9D")
    assert not isinstance(events, Refusal)
    board = act(board, events)
    assert GOLF.outcome(board.table, rules) == "cleared"
    assert GOLF.score(board.table, "cleared", rules) == Score(app=350, traditional=-2)


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("empty_start", BOOLS)
def test_the_layout(jokers: int, empty_start: bool) -> None:
    """The stock has 16 cards, one more a joker, one more with an empty start; the best score is minus that."""
    rules = replace(EASY, jokers=jokers, empty_start=empty_start)
    deck = deck_with(jokers)
    table = GOLF.deal(deck, rules)
    stock = 16 + jokers + empty_start
    assert GOLF.cards_left(table) == 35
    assert GOLF.stock_left(table) == stock
    assert table.piles["waste"] == (() if empty_start else ("TD",))
    assert table.piles["stock"][-1] == ("TD" if empty_start else "JD")
    assert table.piles["stock"][0] == deck[-1]
    cleared = golf_table([], "" if empty_start else "TD", " ".join(table.piles["stock"][::-1]))
    assert GOLF.score(cleared, "cleared", rules).traditional == -stock
    assert GOLF.score(table, "unplayed", rules) == Score(app=0, traditional=35)


def test_a_joker_as_first_waste_card() -> None:
    """It leaves the first play free: the exposed card of each column plays."""
    deck = [card for card in deck_with(1) if card != J1]
    table = GOLF.deal([*deck[:35], J1, *deck[35:]], replace(STRICT, jokers=1))
    assert table.piles["waste"] == (J1,)
    moves = GOLF.moves(table, replace(STRICT, jokers=1))
    assert moves == tuple(Play(f"column.{number}", "waste") for number in range(1, 8))


# -- the empty start


@pytest.mark.parametrize("rules", [replace(rules, empty_start=True) for rules in (EASY, CLASSIC, STRICT)], ids=str)
def test_the_first_play(rules: GolfRules) -> None:
    """Any exposed card begins, nothing is drawn before; a covered card stays blocked; undo leads back to it."""
    start = new_board(GOLF.deal(DECK, rules))
    exposed = ["5S", "TS", "2H", "7H", "QH", "4D", "9D"]
    assert GOLF.moves(start.table, rules) == tuple(Play(f"column.{number}", "waste") for number in range(1, 8))
    assert GOLF.outcome(start.table, rules) is None
    assert decide_draw(GOLF, rules, start, 17) == Refusal("first_play")
    assert decide_draw(GOLF, rules, start, 16) == Refusal("stale")
    assert decide(GOLF, rules, start, "column.1", "waste", "4S") == Refusal("blocked", {"card": "4S"})
    assert decide(GOLF, rules, start, "column.1", "column.2", "5S") == Refusal("bad_target")
    assert decide_undo(GOLF, rules, start, "all") == Refusal("nothing_to_undo")
    for number, card in enumerate(exposed, 1):
        events = decide(GOLF, rules, start, f"column.{number}", "waste", card)
        assert not isinstance(events, Refusal)
        board = act(start, events)
        assert board.table.piles["waste"] == (card,)
        assert can_undo(GOLF, rules, board, "plays")
        assert undo(board).table == start.table
        assert GOLF.moves(undo(board).table, rules) == GOLF.moves(start.table, rules)


def test_an_empty_waste_and_no_stock() -> None:
    """Whatever is left of the stock, an exposed card plays on an empty waste; with no columns left it is over."""
    rules = replace(STRICT, empty_start=True)
    table = golf_table(["9D", "KD"], "")
    assert GOLF.outcome(table, rules) is None
    assert len(GOLF.moves(table, rules)) == 2
    assert GOLF.outcome(golf_table([], ""), rules) == "cleared"
    assert decide_draw(GOLF, rules, new_board(golf_table([], "", "3H")), 1) == Refusal("hole_over")


# -- codes

LETTERS = {
    "E": (True, True, False),
    "F": (True, True, True),
    "C": (True, False, False),
    "D": (True, False, True),
    "R": (False, False, False),
    "S": (False, False, True),
    "K": (False, True, False),
    "L": (False, True, True),
}
RULES = {
    letter + jokers + vacant: GolfRules(*fields, jokers=int(jokers or 0), empty_start=vacant == "V")
    for letter, fields in LETTERS.items()
    for jokers in ("", "1", "2")
    for vacant in ("", "V")
}


def test_each_combination_has_one_rule() -> None:
    """The 48 combinations of fields and the 48 rules of codes are one to one, and all are read and written."""
    assert len(RULES) == len(set(RULES.values())) == 48
    for letters, rules in RULES.items():
        assert GOLF.letter_of(rules) == letters
        code = parse_code(f" go2-{letters.lower()}-aaaaaab")
        assert (code.text, code.letter) == (f"GO2-{letters}-AAAAAAB", letters)
        assert deal_of(code)[1] == rules
        assert short_code(1, letter=letters) == code.text
        assert parse_code(match_code("golf", letters, 1)).letter == letters
        deck = deck_with(rules.jokers)[::-1]
        assert deck_of(parse_code(code_for_deck("golf", letters, deck))) == deck


def test_only_jokers_change_the_cards() -> None:
    """One value deals the same cards under all rules with as many jokers, and others with another number."""
    decks = {letters: deck_of(parse_code(f"GO2-{letters}-ABCDEFG")) for letters in RULES}
    for letters, rules in RULES.items():
        assert decks[letters] == decks["E" + str(rules.jokers or "")]
    plain, one, two = ([card for card in decks[name] if card not in JOKERS] for name in ("E", "E1", "E2"))
    assert plain != one != two != plain


@pytest.mark.parametrize("rule", ["E0", "E3", "EV1", "EVV", "E11", "N1", "NV", "1", "V", "EC", "Z", "E 1", "E-1"])
def test_rules_that_are_none(rule: str) -> None:
    """Three jokers, parts in another order or an unknown letter are named as the code's rule."""
    with pytest.raises(CodeError) as error:
        parse_code(f"GO2-{rule}-AAAAAAB")
    assert error.value.part == ("shape" if rule == "E-1" else "rule")


@pytest.mark.parametrize(
    ("code", "part", "words"),
    [
        ("GOX-E1-" + "A" * 48, "length", "50 letters"),
        ("GOX-E2V-" + "A" * 50, "length", "51 letters"),
        ("GOX-EV-" + "A" * 50, "length", "48 letters"),
        ("GOX-E1-" + "Z" * 50, "value", "past the last"),
        ("GO1-E1-AAAAAAB", "rule", "Use a GO2 code"),
        ("GO1-EV-AAAAAAB", "rule", "Use GOX-EV-"),
        ("GO1-F-AAAAAAB", "rule", "Use GOX-F-"),
    ],
)
def test_refused_codes(code: str, part: str, words: str) -> None:
    """A length that its rule hasn't, a value past the last deal and a published deal under it are refused."""
    with pytest.raises(CodeError, match=words) as error:
        parse_code(code)
    assert error.value.part == part


@pytest.mark.parametrize(
    ("letters", "cards", "code"),
    [
        ("E", "*1", "bad_card"),
        ("E1", "*2", "bad_card"),
        ("E1", "", "wrong_count"),
        ("E2", "*1", "wrong_count"),
        ("E2", "*1 *1", "card_twice"),
        ("E3", "", "ValueError"),
    ],
)
def test_decks_of_another_rule(letters: str, cards: str, code: str) -> None:
    """A deck whose jokers are not those of the rule has no code."""
    with pytest.raises(ValueError, match=r"joker|takes|twice|rule letter") as error:
        code_for_deck("golf", letters, [*DECK, *parse_cards(cards)])
    assert getattr(error.value, "code", "ValueError") == code
    assert isinstance(error.value, CardsError) == (code != "ValueError")
