"""Spit by itself: tables from docs/games.md, and laws that hold at every step of random rounds."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules import spit
from server.rules.base import Refusal
from server.rules.cards import DECK, Card
from server.rules.spit import COLUMNS, HEAPS, Move, Side, Spit


def cards(text: str) -> tuple[Card, ...]:
    """Read cards from a text."""
    return tuple(Card(word) for word in text.split())


def table(ours: str, theirs: str, heaps: str, stocks: tuple[str, str] = ("", "")) -> Spit:
    """Lay a table: stockpiles between bars, their tops last."""
    one, other = [
        Side(tuple(cards(pile) for pile in text.split("|")), cards(stock))
        for text, stock in zip((ours, theirs), stocks, strict=True)
    ]
    left, right = cards(heaps)
    return Spit((one, other), ((left,), (right,)))


@pytest.mark.parametrize(
    ("top", "card", "yes"),
    [
        ("7C", "8H", True),
        ("7C", "6C", True),
        ("KD", "AS", True),
        ("AS", "KD", True),
        ("AS", "2D", True),
        ("QH", "KH", True),
        ("7C", "7D", False),
        ("7C", "9C", False),
        ("QH", "AH", False),
        ("KH", "2H", False),
    ],
)
def test_what_goes_onto_a_heap(top: str, card: str, yes: bool) -> None:
    """One rank higher or lower, round the corner, of any suit; never the same rank."""
    assert spit.joins(Card(top), Card(card)) is yes


def test_the_deal() -> None:
    """Card after card to the two in turn: 1 to 5 in the stockpiles, eleven spit cards each, of which one is turned."""
    laid = spit.deal(DECK)
    assert laid.sides[0].piles == (
        cards("AS"),
        cards("3S 5S"),
        cards("7S 9S JS"),
        cards("KS 2H 4H 6H"),
        cards("8H TH QH AD 3D"),
    )
    assert laid.sides[0].stock == cards("7D 9D JD KD 2C 4C 6C 8C TC QC")
    assert laid.sides[1].piles[4] == cards("9H JH KH 2D 4D")
    assert laid.heaps == (cards("5D"), cards("6D"))
    assert [(move.source, move.target, move.card) for move in spit.moves(laid, 0)] == [
        ("column.2", "heap.2", "5S"),
        ("column.4", "heap.1", "6H"),
    ]
    assert {(move.card, move.target) for move in spit.moves(laid, 1)} == {
        ("6S", "heap.1"),
        ("4D", "heap.1"),
        ("7H", "heap.2"),
    }
    with pytest.raises(ValueError, match="52"):
        spit.deal(DECK[1:])


OURS = table("8S|2D 9D||KC|3H 4H", "TC|QC|AC|5C|6C", "9C 7D")


@pytest.mark.parametrize(
    ("move", "on", "code"),
    [
        (("column.1", "heap.1", "8S"), "9C", None),
        (("column.1", "heap.2", "8S"), "7D", None),
        (("column.1", "heap.1", "8S"), "7D", "lost_race"),
        (("column.1", "heap.1", "8S"), "", "lost_race"),
        (("column.4", "heap.1", "KC"), "9C", "not_adjacent"),
        (("column.2", "heap.1", "9D"), "9C", "not_adjacent"),
        (("column.2", "heap.1", "2D"), "9C", "stale"),
        (("column.3", "heap.1", "8S"), "9C", "stale"),
        (("column.9", "heap.1", "8S"), "9C", "stale"),
        (("column.2", "column.3", "9D"), "", None),
        (("column.4", "column.3", "KC"), "", "bad_place"),
        (("column.2", "column.1", "9D"), "", "bad_place"),
        (("column.2", "stock", "9D"), "", "bad_place"),
    ],
)
def test_what_is_refused(move: tuple[str, str, str], on: str, code: str | None) -> None:
    """Another top than meant, a card that doesn't join or isn't open, a place that isn't empty, a single card moved."""
    refusal = spit.judge(OURS, 0, Move(move[0], move[1], Card(move[2])), on)
    assert (refusal.code if isinstance(refusal, Refusal) else None) == code


def test_both_spit_at_once() -> None:
    """Each puts its next spit card onto its own heap; who has none puts nothing."""
    both = spit.spat(table("2D||||", "2C||||", "9C 7D", ("3H 4H", "5H")))
    assert both.heaps == (cards("9C 3H"), cards("7D 5H"))
    assert [side.stock for side in both.sides] == [cards("4H"), ()]
    assert spit.spat(both).heaps == (cards("9C 3H 4H"), cards("7D 5H"))


def test_when_a_round_is_over() -> None:
    """A side without stockpile cards, or nobody who can play or spit."""
    assert spit.over(table("||||", "2C||||", "9C 7D", ("3H", "")))
    stuck = table("2D||||", "3C||||", "9C 7D")
    assert spit.blocked(stuck)
    assert spit.over(stuck)
    assert not spit.over(table("2D||||", "3C||||", "9C 7D", ("", "3H")))
    assert not spit.over(table("2D 5H||||", "3C||||", "9C 7D"))


@given(st.integers(0, 2**32))
def test_laws_of_a_round(seed: int) -> None:
    """The 52 cards stay; what is offered is what is not refused; a round ends."""
    random = Random(seed)
    deck = list(DECK)
    random.shuffle(deck)
    now = spit.deal(deck)
    for _ in range(200):
        everywhere = [card for heap in now.heaps for card in heap]
        everywhere += [card for side in now.sides for pile in (*side.piles, side.stock) for card in pile]
        assert sorted(everywhere) == sorted(DECK)
        if spit.over(now):
            break
        side = random.randrange(2)
        offered = spit.moves(now, side)
        allowed = set()
        for source, pile in zip(COLUMNS, now.sides[side].piles, strict=True):
            for target in (*COLUMNS, *HEAPS):
                move = Move(source, target, pile[-1] if pile else Card("AS"))
                on = str(now.heaps[HEAPS.index(target)][-1]) if target in HEAPS else ""
                if spit.judge(now, side, move, on) is None:
                    allowed.add(move)
        assert set(offered) == allowed
        if offered:
            now = spit.played(now, side, random.choice(offered))
        elif spit.blocked(now):
            now = spit.spat(now)
    assert spit.over(now)
