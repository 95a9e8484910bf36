"""Black Hole against golden tables that are written from the rule text, not from the code."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_helpers import dealt, follow

from server.rules.base import Refusal, Score, act, can_undo, decide, decide_draw, decide_undo, new_board
from server.rules.black_hole import JOINED, BlackHole
from server.rules.cards import DECK, CardsError, parse_cards
from server.rules.codes import deal_of, deck_of, match_code, parse_code
from server.rules.table import Draw, PileId, Play, Table, evolve

GAME = BlackHole()
WON: Any = json.loads((Path(__file__).parent / "golden" / "black_hole-won.json").read_text(encoding="utf-8"))


def table(fans: str, hole: str = "AS") -> Table:
    """Give a table: fans with bars between, deepest card first."""
    piles = {PileId("waste"): parse_cards(hole)}
    for number, cards in enumerate((fans + "|" * 16).split("|")[:17], 1):
        piles[PileId(f"column.{number}")] = parse_cards(cards)
    return Table(piles, {})


def answer(at: Table, source: str, target: str, card: str) -> str:
    """Return `legal`, or the code with which a play is refused."""
    decided = decide(GAME, JOINED, new_board(at), PileId(source), PileId(target), parse_cards(card)[0])
    return decided.code if isinstance(decided, Refusal) else "legal"


def test_the_deal() -> None:
    """The ace of spades lies in the hole, the other 51 in seventeen fans of three, all open; there is no stock."""
    at = GAME.deal(DECK, JOINED)
    assert at.piles["waste"] == ("AS",)
    fans = [at.piles[f"column.{number}"] for number in range(1, 18)]
    assert [len(fan) for fan in fans] == [3] * 17
    assert sum(fans, ()) == DECK[1:]
    assert at.face_down == {}
    assert len(at.piles) == 18
    assert (GAME.cards_left(at), GAME.stock_left(at)) == (51, 0)
    assert GAME.coming(at, JOINED) == frozenset()
    assert not GAME.hides
    with pytest.raises(CardsError, match="52"):
        GAME.deal(DECK[:51], JOINED)


@pytest.mark.parametrize("place", [0, 1, 25, 51])
def test_where_the_ace_lies_means_nothing(place: int) -> None:
    """The ace of spades goes to the hole wherever the deck has it; the others keep their order."""
    rest = DECK[1:]
    assert GAME.deal((*rest[:place], DECK[0], *rest[place:]), JOINED) == GAME.deal(DECK, JOINED)


# (in the hole, what falls in, what doesn't): one rank higher or lower, of any suit, king and ace joined.
JOINS = [
    ("AS", "2H 2S KD KS", "QD AD 3C 9S"),
    ("KC", "AD QH QC", "KD JH 2H"),
    ("QD", "KD JD KS", "QH AD TD"),
    ("8H", "7D 9D 7H 9S", "8D 6D TD"),
    ("TC", "9S JS", "TH 8S QC"),
    ("2D", "AC 3S", "2C KD 4D"),
]


@pytest.mark.parametrize(("lies", "fits", "others"), JOINS)
def test_what_falls_in(lies: str, fits: str, others: str) -> None:
    """One rank higher or lower than the card that went in last, ranks going round."""
    for card, expected in [(card, "legal") for card in fits.split()] + [
        (one, "not_adjacent") for one in others.split()
    ]:
        at = table(f"5H 5D {card}", lies)
        assert answer(at, "column.1", "waste", card) == expected
        assert (Play(PileId("column.1"), PileId("waste")) in GAME.moves(at, JOINED)) == (expected == "legal")


def test_refusals() -> None:
    """A covered card is blocked, nothing goes onto a fan or out of the hole, and there is nothing to draw."""
    at = table("2H 2D 9C||2S KD", "QS AS")
    assert answer(at, "column.1", "waste", "2H") == "blocked"
    assert answer(at, "column.1", "waste", "2D") == "blocked"
    assert answer(at, "column.3", "waste", "2S") == "blocked"
    assert answer(at, "column.3", "waste", "KD") == "legal"
    assert answer(at, "column.3", "column.1", "KD") == "bad_target"
    assert answer(at, "waste", "column.2", "AS") == "bad_target"
    assert answer(at, "waste", "waste", "AS") == "bad_target"
    assert answer(at, "column.3", "stock", "KD") == "bad_target"
    assert answer(at, "column.2", "waste", "KD") == "stale"
    assert answer(at, "column.18", "waste", "KD") == "stale"
    assert decide_draw(GAME, JOINED, new_board(at), 0) == Refusal("stock_empty")
    assert decide_draw(GAME, JOINED, new_board(at), 1) == Refusal("stale")
    with pytest.raises(ValueError, match="no stock"):
        GAME.effects(at, Draw(), JOINED)


# (fans, in the hole, how it stands): nothing else ends it.
ENDS = [
    ("2H", "AS", None), ("2H 9C|KD", "AS", None), ("2H 9C", "AS", "stuck"), ("AD|AC", "AS", "stuck"), ("", "AS", "cleared"),
    ("", "AS 2H", "cleared"), ("QD", "AS", "stuck"), ("QD", "AS KD", None),
]  # fmt: skip


@pytest.mark.parametrize(("fans", "hole", "expected"), ENDS)
def test_how_a_hole_ends(fans: str, hole: str, expected: str | None) -> None:
    """Cleared once the fans are gone, stuck as soon as nothing plays."""
    at = table(fans, hole)
    assert GAME.outcome(at, JOINED) == expected
    assert bool(GAME.moves(at, JOINED)) == (expected is None)


# (cards left, ending, points, strokes): ten a card removed, ten less for each left, never below 0.
SCORES = [
    *(
        (0, "cleared", 510, 0),
        (51, "playing", 0, 51),
        (51, "stuck", 0, 51),
        (51, "unplayed", 0, 51),
        (1, "stuck", 490, 1),
    ),
    *((10, "playing", 410, 10), (10, "stuck", 310, 10), (10, "gave_up", 310, 10), (10, "timed_out", 310, 10)),
    *((25, "stuck", 10, 25), (26, "stuck", 0, 26), (26, "playing", 250, 26), (40, "gave_up", 0, 40)),
]


@pytest.mark.parametrize(("left", "ending", "points", "strokes"), SCORES)
def test_scores(left: int, ending: Any, points: int, strokes: int) -> None:
    """Both scores follow from the cards left; there is no stock to take off."""
    cards = DECK[1 : 1 + left]
    at = table("|".join(" ".join(cards[number::17]) for number in range(17)), " ".join((DECK[0], *DECK[1 + left :])))
    assert GAME.cards_left(at) == left
    assert GAME.score(at, ending, JOINED) == Score(points, strokes)


def test_a_won_game() -> None:
    """The golden game is of its code, clears all in 51 plays and then takes nothing back; before, undo goes all the way."""
    assert list(deck_of(parse_code(WON["code"]))) == WON["deck"].split()
    game, rules, board = dealt(WON["code"])
    assert (game.name, rules) == ("black_hole", JOINED)
    nearly = follow(GAME, rules, board, WON["line"][:-1])
    assert can_undo(GAME, rules, nearly, "plays")
    assert nearly.seen == frozenset()
    won = follow(GAME, rules, nearly, WON["line"][-1:])
    assert (won.moves, GAME.outcome(won.table, rules)) == (51, "cleared")
    assert GAME.score(won.table, "cleared", rules) == Score(510, 0)
    assert decide_undo(GAME, rules, won, "all") == Refusal("nothing_to_undo")


def test_letters() -> None:
    """J is its only rule; it is not solved here."""
    assert GAME.rules_of(GAME.letter_of(JOINED)) == JOINED
    for letters in ("E", "JJ", "", "j", "J1"):
        with pytest.raises(ValueError, match="rule letter"):
            GAME.rules_of(letters)
    assert GAME.jokers(JOINED) == 0
    with pytest.raises(ValueError, match="not solved"):
        GAME.solve(GAME.deal(DECK, JOINED), JOINED)


@given(st.integers(0, 2**128 - 1), st.lists(st.integers(0, 99), max_size=51))
def test_what_holds_whatever_is_played(value: int, choices: list[int]) -> None:
    """Cards are conserved, exactly the exposed neighbours play, and the counts and both scores follow from the fans."""
    game, rules, at = deal_of(parse_code(match_code("black_hole", "J", value)))
    board = new_board(at)
    ranks = "A23456789TJQK"
    for choice in choices:
        piles = board.table.piles
        assert sorted(sum(piles.values(), ())) == sorted(DECK)
        top = ranks.index(piles["waste"][-1][0])
        ends = {name: pile[-1] for name, pile in piles.items() if name != "waste" and pile}
        fits = [name for name, card in ends.items() if (ranks.index(card[0]) - top) % 13 in (1, 12)]
        moves = game.moves(board.table, rules)
        assert [move.source for move in moves if isinstance(move, Play)] == fits
        left = sum(len(pile) for name, pile in piles.items() if name != "waste")
        assert game.cards_left(board.table) == left
        assert game.score(board.table, "playing", rules) == Score(510 - 10 * left, left)
        if not moves:
            assert game.outcome(board.table, rules) == ("stuck" if left else "cleared")
            break
        assert game.outcome(board.table, rules) is None
        events = game.effects(board.table, moves[choice % len(moves)], rules)
        after = act(board, events)
        assert evolve(board.table, events) == after.table
        board = after
