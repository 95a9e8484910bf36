"""Deal codes: reading, writing, refusing. What they deal is in test_shuffle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules.cards import DECK, CardsError
from server.rules.codes import (
    CodeError,
    DealCode,
    code_for_deck,
    deal_of,
    deck_of,
    match_code,
    parse_code,
    short_code,
)
from server.rules.golf import CLASSIC, EASY, STRICT
from server.rules.shuffle import DECKS


def letters_of(value: int, length: int) -> str:
    """Write a number in base 26, however large, the way a person would: digit by digit from the left."""
    return "".join(chr(65 + value // 26**place % 26) for place in range(length - 1, -1, -1))


def refused(text: str) -> CodeError:
    """Give the error with which a text is refused; its words are one printable line."""
    with pytest.raises(CodeError) as error:
        parse_code(text)
    assert str(error.value) == error.value.words
    assert error.value.words.isprintable()
    assert error.value.words.endswith(".")
    return error.value


def test_the_written_example() -> None:
    """AAAAAAB is 1."""
    assert parse_code("GO2-E-AAAAAAB") == DealCode("GO2-E-AAAAAAB", "golf", "2", "E", 1)
    assert short_code(1) == "GO2-E-AAAAAAB"


@pytest.mark.parametrize(
    "text",
    [
        "GO2-S-AAAIIAB",
        "go2-s-aaaiiab",
        " \t\r\n GO2-S-AAAIIAB \n\n",
        "\u00a0\u3000\u2028GO2-S-AAAIIAB\u200b\u200b \ufeff",
        "go2-s-aaaııab",
        "GO2-S-AAAİİAB",
        "GO2-S-AAAI\u0307İAB",
        "go2-s-aaai\u0307ıab",
        "\ufeff go2-S-AaAiIaB",
        "\n" * 5000 + "GO2-S-AAAIIAB" + " " * 5000,
    ],
)
def test_ways_to_type_a_code(text: str) -> None:
    """Case, the Turkish i in all its forms, and what is around a code make no difference."""
    assert parse_code(text).text == "GO2-S-AAAIIAB"


def test_the_legacy_letter() -> None:
    """N reads as E, and the canonical text has E."""
    assert parse_code("go2-n-aaaaaab") == parse_code("GO2-E-AAAAAAB")
    assert parse_code("GOX-N-" + "A" * 48).text == "GOX-E-" + "A" * 48
    assert match_code("golf", "N", 7) == match_code("golf", "E", 7)


@pytest.mark.parametrize(
    ("text", "part", "code"),
    [
        ("", "shape", "bad_code"),
        ("   ", "shape", "bad_code"),
        ("hello", "shape", "bad_code"),
        ("GO2-E", "shape", "bad_code"),
        ("GO2-E-AAAAAAB-", "shape", "bad_code"),
        ("GO2–E–AAAAAAB", "shape", "bad_code"),
        ("GO2-E-AAAAAAB GO2-E-AAAAAAC", "shape", "bad_code"),
        ("--", "game", "unknown_game"),
        ("XX2-E-AAAAAAB", "game", "unknown_game"),
        ("G02-E-AAAAAAB", "game", "unknown_game"),
        ("CF2-E-AAAAAAB", "rule", "unknown_rule"),
        ("CF2-D2-AAAAAAB", "rule", "unknown_rule"),
        ("RU2-D3-AAAAAAB", "rule", "unknown_rule"),
        ("GO2-D3-AAAAAAB", "rule", "unknown_rule"),
        ("CF3-D3-AAAAAAB", "version", "bad_code"),
        ("RUX-C-" + "A" * 47, "length", "bad_code"),
        ("CF2-D1-ZZZZZZZ", "value", "out_of_range"),
        ("ＧＯ2-E-AAAAAAB", "game", "unknown_game"),
        ("GO-E-AAAAAAB", "version", "bad_code"),
        ("GO3-E-AAAAAAB", "version", "bad_code"),
        ("GO12-E-AAAAAAB", "version", "bad_code"),
        ("TP1-J-AAAAAAB", "version", "bad_code"),
        ("PG3-A-AAAAAAB", "version", "bad_code"),
        ("PG2-E-AAAAAAB", "rule", "unknown_rule"),
        ("GO²-E-AAAAAAB", "version", "bad_code"),
        ("GO2--AAAAAAB", "rule", "unknown_rule"),
        ("GO2-X-AAAAAAB", "rule", "unknown_rule"),
        ("GO2-EE-AAAAAAB", "rule", "unknown_rule"),
        ("GO2- E-AAAAAAB", "rule", "unknown_rule"),
        ("GO1-X-AAAAAAB", "rule", "unknown_rule"),
        ("GO2-E-", "value", "bad_code"),
        ("GO2-E-AAAAAA1", "value", "bad_code"),
        ("GO2-E-AAA AAB", "value", "bad_code"),
        ("GO2-E-AAAAAÄB", "value", "bad_code"),
        ("GO2-E-AAAAAßB", "value", "bad_code"),
        ("GO2-E-AAAAAAА", "value", "bad_code"),
        ("GO2-E-AAAAAA", "length", "bad_code"),
        ("GO2-E-AAAAAAAA", "length", "bad_code"),
        ("GO2-E-" + "A" * 27, "length", "bad_code"),
        ("GO2-E-" + "A" * 29, "length", "bad_code"),
        ("GO2-E-" + "A" * 48, "length", "bad_code"),
        ("GOX-E-" + "A" * 47, "length", "bad_code"),
        ("GOX-E-" + "A" * 49, "length", "bad_code"),
        ("GOX-E-AAAAAAB", "length", "bad_code"),
        ("GO2-E-" + "A" * 195, "length", "bad_code"),
        ("A" * 10000, "length", "bad_code"),
        ("\u200b " * 10000 + "x", "shape", "bad_code"),
        ("GO1-E-AAAAAAC", "version", "foreign_code"),
        ("GO1-E-AAAAAAA", "version", "foreign_code"),
        ("GO1-C-ZZZZZZZ", "version", "foreign_code"),
        ("GO1-E-AAAAAAAB", "version", "foreign_code"),
        ("go1-n-xyz", "version", "foreign_code"),
        ("GO1-S-AAAAAAB", "rule", "foreign_code"),
        ("CF1-D3-AAAAACL", "version", "foreign_code"),
        ("CF1-D1-AAAAAAA", "version", "foreign_code"),
        ("ru1-c-aaaaaaa", "version", "foreign_code"),
        ("RU1", "version", "foreign_code"),
    ],
)
def test_refused_codes(text: str, part: str, code: str) -> None:
    """What is wrong is named by its part and a stable code."""
    error = refused(text)
    assert (error.part, error.code) == (part, code)


@pytest.mark.parametrize("text", ["GO1-E-AAAAAAC", "CF1-D3-AAAAACL", "RU1-R-AAAAAAB"])
def test_words_for_foreign_codes(text: str) -> None:
    """The words say why, and what to use instead."""
    words = refused(text).words
    assert words.startswith(text[:3])
    assert "not published" in words
    assert f"{text[:2]}2-" in words or "GO2" in words


def test_a_strict_published_deal_gets_its_code() -> None:
    """The words for GO1-S- name the code that deals the same cards under Strict."""
    words = refused("GO1-S-AAAAAAB").words
    instead = next(word for word in words.replace(",", "").split() if word.startswith("GOX-"))
    assert deck_of(parse_code(instead)) == deck_of(parse_code("GO1-E-AAAAAAB"))
    assert parse_code(instead).letter == "S"


@pytest.mark.parametrize(("head", "length", "limit"), [("GO2", 7, 2**32), ("GO2", 28, 2**128), ("GOX", 48, DECKS)])
def test_values_never_wrap(head: str, length: int, limit: int) -> None:
    """The last value is read, the next one and the last that can be written are out of range."""
    assert parse_code(f"{head}-C-{letters_of(limit - 1, length)}").value == limit - 1
    for value in (limit, limit + 1, 26**length - 1):
        error = refused(f"{head}-C-{letters_of(value, length)}")
        assert (error.part, error.code) == ("value", "out_of_range")


def test_52_factorial() -> None:
    """The limit of GOX codes is 52!, and 48 letters are just enough for it."""
    product = 1
    for number in range(1, 53):
        product *= number
    assert product == DECKS
    assert 26**47 < DECKS < 26**48


def test_values_that_are_not_written() -> None:
    """Writing a value out of range raises."""
    for value in (-1, 2**32):
        with pytest.raises(ValueError, match="range"):
            short_code(value)
    for value in (-1, 2**128):
        with pytest.raises(ValueError, match="range"):
            match_code("golf", "E", value)
    with pytest.raises(ValueError, match="rule letter"):
        match_code("golf", "Q", 1)
    with pytest.raises(CardsError):
        code_for_deck("golf", "E", DECK[1:])


@given(st.integers(0, 2**32 - 1), st.sampled_from("ECS"))
def test_short_codes_round_trip(value: int, letter: str) -> None:
    """A short code has 7 letters and gives its number and rule back."""
    text = short_code(value, letter=letter)
    assert text == f"GO2-{letter}-{letters_of(value, 7)}"
    assert parse_code(text) == DealCode(text, "golf", "2", letter, value)


@given(st.integers(0, 2**128 - 1), st.sampled_from("ECS"))
def test_match_codes_round_trip(value: int, letter: str) -> None:
    """A match's code has 28 letters and gives its number and rule back."""
    text = match_code("golf", letter, value)
    assert text == f"GO2-{letter}-{letters_of(value, 28)}"
    assert parse_code(text.lower()) == DealCode(text, "golf", "2", letter, value)


@given(st.permutations(DECK), st.sampled_from("ECS"))
def test_decks_round_trip(deck: list[str], letter: str) -> None:
    """Any 52 cards have a code, and the code deals them."""
    text = code_for_deck("golf", letter, deck)
    code = parse_code(text)
    assert code.text == text
    assert deck_of(code) == tuple(deck)


@given(st.one_of(st.text(max_size=60), st.text(alphabet="GO12XECN-AIiİı\u0307 ", max_size=60)))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text does anything but be read, to a canonical text that reads the same, or raise CodeError."""
    try:
        code = parse_code(text)
    except CodeError:
        return
    assert parse_code(code.text) == code


@pytest.mark.parametrize(("letter", "rules"), [("E", EASY), ("C", CLASSIC), ("S", STRICT), ("N", EASY)])
def test_the_letter_decides_the_rules_only(letter: str, rules: object) -> None:
    """A code's letter gives the rules and changes no card."""
    game, dealt_rules, table = deal_of(parse_code(f"GO2-{letter}-ABCDEFG"))
    assert game.name == "golf"
    assert dealt_rules == rules
    assert table == deal_of(parse_code("GO2-E-ABCDEFG"))[2]
