"""Options and deals as people type them: made into a room's options, or refused by what is wrong with them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.match.options import Options, check
from server.protocol.client import OptionsSaid, ProtocolError, deal_code, options_of
from server.protocol.words import ERRORS
from server.rules.cards import DECK
from server.rules.codes import code_for_deck, deck_of, parse_code

CARDS = list(DECK)


def said(**options: Any) -> OptionsSaid:
    """Return options as they arrive."""
    return OptionsSaid.model_validate_json(json.dumps(options))


def refused(**options: Any) -> tuple[str, dict[str, Any]]:
    """Return the code and parameters with which options are refused."""
    with pytest.raises(ProtocolError) as error:
        options_of(said(**options))
    assert error.value.code in ERRORS
    assert error.value.words
    return error.value.code, dict(error.value.params)


def dealt(text: str) -> str:
    """Return the code that a text deals, or that with which it is refused."""
    try:
        return deal_code(text, "golf", "E")
    except ProtocolError as error:
        return error.code


def test_options_are_taken_as_they_are() -> None:
    """Every option arrives in the room."""
    sent = {
        "rule": "strict",
        "holes": 18,
        "scoring": "app",
        "undo": "off",
        "seats": 8,
        "hole_seconds": 900,
        "spectators": "live",
        "visibility": "public",
    }
    options = options_of(said(**sent))
    assert {name: getattr(options, name) for name in sent} == sent
    assert check(options) is None


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"game": ""}, "game"),
        ({"rule": "hard"}, "rule"),
        ({"rule": "EASY"}, "rule"),
        ({"hole_seconds": 1}, "hole_seconds"),
        ({"hole_seconds": 59}, "hole_seconds"),
        ({"hole_seconds": 0, "visibility": "public"}, "hole_seconds"),
    ],
)
def test_options_that_contradict(options: dict[str, Any], field: str) -> None:
    """What the shape allows and the room does not is refused by its name."""
    assert refused(**options) == ("bad_options", {"field": field})


def test_typed_deals_count_the_holes() -> None:
    """As many holes as deals, whatever was said; codes are kept in their one form, 52 cards become a code."""
    typed = [" go2-e-aaaaaab\n", "GO1-N-AAAAAAB", " ".join(CARDS), ", ".join(c.replace("T", "10") for c in CARDS)]
    options = options_of(said(deals=typed, rule="classic", holes=9))
    deck = code_for_deck("golf", "C", DECK)
    assert options.deals == ("GO2-E-AAAAAAB", "GO1-E-AAAAAAB", deck, deck)
    assert (options.holes, options.open_deal) == (4, True)


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("GO2-E", "bad_code", {"part": "shape"}),
        ("-", "bad_code", {"part": "shape"}),
        ("GO2-E-AAAAAA", "bad_code", {"part": "length"}),
        ("GO2-E-AAAAAA1", "bad_code", {"part": "value"}),
        ("GO3-E-AAAAAAB", "bad_code", {"part": "version"}),
        ("XX2-E-AAAAAAB", "unknown_game", {"part": "game"}),
        ("GO2-Q-AAAAAAB", "unknown_rule", {"part": "rule"}),
        ("GO2-E-ZZZZZZZ", "out_of_range", {"part": "value"}),
        ("GO1-E-AAAAAAC", "foreign_code", {"part": "version"}),
        ("CF1-D3-AAAAACL", "foreign_code", {"part": "version"}),
        ("RU1-C-AAAAAAB", "foreign_code", {"part": "version"}),
        (" ".join(CARDS[:51]), "wrong_count", {"count": 51}),
        ("", "wrong_count", {"count": 0}),
        (" ".join([*CARDS[:51], CARDS[0]]), "card_twice", {"card": CARDS[0]}),
        (" ".join([*CARDS, CARDS[7]]), "card_twice", {"card": CARDS[7]}),
        (" ".join([*CARDS[:51], "1X"]), "bad_card", {"card": "1X"}),
        ("hello", "bad_card", {"card": "HELLO"}),
    ],
)
def test_deals_that_cannot_be(text: str, code: str, params: dict[str, str | int]) -> None:
    """Unknown and foreign codes, 51 cards, a card twice: each has its code, and a code's wrong part is named."""
    assert refused(deals=[text]) == (code, params)
    assert refused(deals=["GO2-E-AAAAAAB", text]) == (code, params)


@given(st.text(st.characters(), max_size=60) | st.sampled_from(["GO2-E-AAAAAAB", "GO1-E-AAAAAAB"]))
def test_any_text_is_a_deal_or_an_error(text: str) -> None:
    """Whatever is pasted deals something that has a code, or is refused with one of the codes for it."""
    code = dealt(text)
    assert code in ERRORS or parse_code(code).text == code


@given(st.permutations(CARDS), st.sampled_from("ECS"))
def test_any_52_cards_are_dealt_as_they_were_typed(deck: list[str], letter: str) -> None:
    """A deck that is typed in comes back card by card under the room's rule."""
    code = parse_code(deal_code(" ".join(deck), "golf", letter))
    assert list(deck_of(code)) == deck
    assert code.letter == letter


def test_no_deals_leave_the_holes_alone() -> None:
    """Without typed deals the number of holes stands and the deal is sealed."""
    assert options_of(said(holes=3)) == Options(holes=3)
