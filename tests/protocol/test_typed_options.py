"""Options and deals as people type them: made into a room's options, or refused by what is wrong with them."""

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.match.options import Options, check
from server.protocol import typed
from server.protocol.client import OptionsSaid, ProtocolError
from server.protocol.typed import deal_code, options_of
from server.protocol.words import ERRORS
from server.rules.base import rule_fields, rule_name
from server.rules.cards import DECK
from server.rules.codes import code_for_deck, deal_of, deck_of, parse_code
from server.rules.games import GAMES

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


def test_match_play_has_two_seats() -> None:
    """Seats that are left out are two; other numbers, and sudden death in stroke play, contradict the format."""
    assert options_of(said(format="match")).seats == 2
    options = options_of(said(format="match", seats=2, sudden_death=True, deals=["GO2-E-AAAAAAB"]))
    assert (options.format, options.sudden_death, options.holes) == ("match", True, 1)
    assert options_of(said()).seats == 4
    assert refused(format="match", seats=4) == ("bad_options", {"field": "seats"})
    assert refused(format="match", seats=1) == ("bad_options", {"field": "seats"})
    assert refused(seats=2, sudden_death=True) == ("bad_options", {"field": "sudden_death"})


def test_spit_is_match_play_unless_it_says_otherwise() -> None:
    """What is left out follows from the mode; another format that is named contradicts it."""
    options = options_of(said(mode="spit"))
    assert (options.mode, options.format, options.seats) == ("spit", "match", 2)
    assert options_of(said(mode="spit", format="match")) == options
    code, params = refused(mode="spit", format="stroke")
    assert (code, set(params)) == ("bad_options", {"field"})


MIX = [
    {"game": "canfield"},
    {"game": "golf", "rule": "strict", "variant": {"jokers": 1}},
    {"game": "russian", "rule": "R"},
]


def test_mixed_games() -> None:
    """Each game has its first rule where none is named; game, rule and what decides follow from the mix."""
    options = options_of(said(mix=MIX[:2]))
    assert options.mix == (("canfield", "draw_three"), ("golf", "S1"))
    assert (options.game, options.rule, options.scoring) == ("canfield", "draw_three", "points")
    told = {"mix": MIX[:2], "game": "canfield", "rule": "draw_three", "variant": {"turned": 3}, "scoring": "points"}
    assert options_of(said(**told)) == options
    deals = options_of(said(mix=MIX[:2], deals=["CF2-D1-AAAAAAB", " ".join(map(str, CARDS)) + " *1"])).deals
    assert [parse_code(deal).game for deal in deals] == ["canfield", "golf"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"mix": [{"game": "chess"}, MIX[0]]}, "mix"),
        ({"mix": MIX[:1]}, "mix"),
        ({"mix": [MIX[0], MIX[0]]}, "mix"),
        ({"mix": MIX[:2], "holes": 1}, "mix"),
        ({"mix": MIX}, "rule"),
        ({"mix": MIX[:2], "game": "golf"}, "game"),
        ({"mix": MIX[:2], "rule": "draw_one"}, "rule"),
        ({"mix": MIX[:2], "variant": {"turned": 1}}, "variant"),
        ({"mix": [MIX[0], {"game": "golf", "variant": {"jokers": 3}}]}, "variant.jokers"),
        ({"mix": MIX[:2], "scoring": "app"}, "scoring"),
        ({"scoring": "points"}, "scoring"),
        ({"mix": MIX[:2], "winnable": True}, "winnable"),
        ({"mix": MIX[:2], "deals": ["GO2-E-AAAAAAB", "CF2-D3-AAAAAAB"]}, "deals"),
    ],
)
def test_what_contradicts_a_mix_is_named(options: dict[str, Any], field: str) -> None:
    """Unknown games and rules, one game alone, and what says otherwise beside it."""
    assert refused(**options) == ("bad_options", {"field": field})


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
        "help": "highlight",
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
        ({"rule": "E"}, "rule"),
        ({"rule": "N"}, "rule"),
        ({"rule": "E3"}, "rule"),
        ({"rule": "easy", "variant": {"draw_only_when_stuck": True}}, "variant.draw_only_when_stuck"),
        ({"rule": "strict", "variant": {"jokers": 1, "queen_on_king": True}}, "variant.queen_on_king"),
        ({"rule": "classic", "variant": {"king_ace_joined": True}}, "variant.king_ace_joined"),
        ({"rule": "K2", "variant": {"jokers": 1}}, "variant.jokers"),
        ({"rule": "K2", "variant": {"empty_start": True}}, "variant.empty_start"),
        ({"hole_seconds": 1}, "hole_seconds"),
        ({"hole_seconds": 59}, "hole_seconds"),
        ({"hole_seconds": 0, "visibility": "public"}, "hole_seconds"),
    ],
)
def test_options_that_contradict(options: dict[str, Any], field: str) -> None:
    """What the shape allows and the room does not is refused by its name."""
    assert refused(**options) == ("bad_options", {"field": field})


@pytest.mark.parametrize(
    ("sent", "rule"),
    [
        ({}, "easy"),
        ({"variant": {}}, "easy"),
        ({"rule": "strict", "variant": {}}, "strict"),
        ({"variant": {"queen_on_king": False, "king_ace_joined": False, "draw_only_when_stuck": True}}, "strict"),
        ({"variant": {"king_ace_joined": False}}, "classic"),
        ({"variant": {"draw_only_when_stuck": True}}, "F"),
        ({"variant": {"queen_on_king": False, "jokers": 2, "empty_start": True}}, "K2V"),
        ({"rule": "classic", "variant": {"jokers": 1}}, "C1"),
        ({"rule": "strict", "variant": {"queen_on_king": False, "jokers": 0, "empty_start": True}}, "SV"),
        ({"rule": "L1V"}, "L1V"),
        ({"rule": "L1V", "variant": {"jokers": 1, "empty_start": True, "queen_on_king": False}}, "L1V"),
    ],
)
def test_a_rule_by_name_and_fields(sent: dict[str, Any], rule: str) -> None:
    """A name, fields, or both that agree, make one rule, which has one name."""
    options = options_of(said(**sent))
    assert options.rule == rule
    assert check(options) is None


def test_a_rule_that_the_view_tells_can_be_sent_back() -> None:
    """The view's rule and variant, sent as options, are the same rule, for each combination of fields."""
    for letters in (
        first + jokers + vacant for first in "EFCDRSKL" for jokers in ("", "1", "2") for vacant in ("", "V")
    ):
        rules = deal_of(parse_code(f"GO2-{letters}-AAAAAAB"))[1]
        name = rule_name(GAMES["golf"], rules)
        assert options_of(said(variant=rule_fields(rules))).rule == name
        assert options_of(said(rule=name, variant=rule_fields(rules))).rule == name


def test_a_contradiction_is_put_in_words() -> None:
    """The words have the rule and the field, so that somebody who types options knows which to leave out."""
    with pytest.raises(ProtocolError) as error:
        options_of(said(rule="strict", variant={"queen_on_king": True}))
    assert "'strict'" in error.value.words
    assert "'queen_on_king'" in error.value.words


def test_fields_of_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose rules have none of these fields has no such variant."""

    @dataclass(frozen=True)
    class Other:
        colours: int = 4

    other = SimpleNamespace(presets={"plain": Other()}, fields={"colours": (4, 2)}, added=frozenset())
    monkeypatch.setattr(typed, "GAMES", {**GAMES, "other": other})
    assert refused(game="other", rule="plain", variant={"jokers": 1}) == ("bad_options", {"field": "variant.jokers"})


@pytest.mark.parametrize(
    ("sent", "deal", "code", "params"),
    [
        ({"variant": {"jokers": 1}}, " ".join(CARDS), "wrong_count", {"count": 52, "wanted": 53}),
        ({}, " ".join([*CARDS, "*1"]), "bad_card", {"card": "*1"}),
        ({"rule": "E1"}, " ".join([*CARDS, "*2"]), "bad_card", {"card": "*2"}),
        ({"rule": "E2"}, " ".join([*CARDS, "*2", "*2"]), "card_twice", {"card": "*2"}),
        ({"rule": "E2"}, "GO2-E3-AAAAAAB", "unknown_rule", {"part": "rule"}),
        ({"rule": "E2"}, "GO1-E2-AAAAAAB", "foreign_code", {"part": "rule"}),
    ],
)
def test_deals_that_the_room_cannot_play(
    sent: dict[str, Any], deal: str, code: str, params: dict[str, str | int]
) -> None:
    """Typed cards need the jokers of the room's rule; a code brings its own rule, which must be one."""
    assert refused(deals=[deal], **sent) == (code, params)


def test_typed_cards_with_jokers() -> None:
    """A deck with jokers under a rule with as many has its long code; codes of other rules stand beside it."""
    options = options_of(said(rule="E2", deals=[" ".join(["*2", *CARDS, "*1"]), "go2-sv-aaaaaab"]))
    assert options.deals[1] == "GO2-SV-AAAAAAB"
    assert deck_of(parse_code(options.deals[0])) == ("*2", *CARDS, "*1")


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
        (" ".join(CARDS[:51]), "wrong_count", {"count": 51, "wanted": 52}),
        ("", "wrong_count", {"count": 0, "wanted": 52}),
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
