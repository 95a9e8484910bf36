"""Names: what is kept of what was typed, what can't be a name, and which pass for one another."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.match.names import LONGEST, clean, skeleton, tell_apart


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ali", "Ali"),
        (" Ali ", "Ali"),
        ("Ali\u200b", "Ali"),
        ("\u202eAli\u202c", "Ali"),
        ("Ali\x00\x07", "Ali"),
        ("Ay\u00adşe", "Ayşe"),
        ("Mary  Ann", "Mary Ann"),
        ("Mary\tAnn\n", "Mary Ann"),
        ("Mary\u00a0Ann", "Mary Ann"),
        ("Mary\u2028Ann", "Mary Ann"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),
        ("Tom & Jerry", "Tom & Jerry"),
        ("&amp;", "&amp;"),
        ("क्‍ष", "क्‍ष"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("x" * 24, "x" * 24),
        ("x" * 24 + "   ", "x" * 24),
        ("e\u0301" * 24, "é" * 24),
        ("ㅤAda", "Ada"),
        ("0", "0"),
    ],
)
def test_what_is_kept(typed: str, kept: str) -> None:
    """Spaces are single, invisible characters go (the joiners of scripts and emoji stay)."""
    assert clean(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "\u00a0\u3000",
        "\u200b\u200c\u200d",
        "\u202e",
        "\u2800",
        "\u3164",
        "\ufe0f",
        "\u0301",
        "\u0301 \u200d",
        "\ue000",
        "\x00",
        "x" * 25,
        "x" * 481,
        " " * 481 + "x",
        "<b>Ada</b>",
        "a < b",
        "Ada>",
    ],
)
def test_what_is_no_name(typed: str) -> None:
    """Empty, longer than 24 characters, or nothing that shows."""
    assert clean(typed) is None


@given(st.text(st.characters(), max_size=40))
@example("e\u200b\u0301")
@example("\u1100\u200b\u1161")
def test_a_kept_name_is_kept_as_it_is(typed: str) -> None:
    """Cleaning twice is cleaning once; a name is composed, of 1 to 24 characters, without a control among them."""
    name = clean(typed)
    if name is not None:
        assert clean(name) == name
        assert 1 <= len(name) <= LONGEST
        assert unicodedata.is_normalized("NFC", name)
        assert not {unicodedata.category(char) for char in name} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ali", " Ali "),
        ("Ali", "Ali\u200b"),
        ("Ali", "Ali\u200d"),
        ("Ali", "Ali\ufe0f"),
        ("Ali", "Ali\U000e0100"),
        ("Ali", "ALI"),
        ("Ali", "A l i"),
        ("Ali", "Ａｌｉ"),
        ("straße", "STRASSE"),
        ("José", "Jose\u0301"),
        ("Ali", "A\u180bli"),
    ],
)
def test_look_alikes(one: str, other: str) -> None:
    """Case, width, spaces and what does not show make no other name."""
    assert skeleton(one) == skeleton(clean(other) or "")
    assert tell_apart(clean(other) or "", [one]) == f"{clean(other)} (2)"


@pytest.mark.parametrize(("one", "other"), [("Ali", "Alı"), ("Ada", "Adam"), ("José", "Jose"), ("A1", "A2")])
def test_names_that_differ(one: str, other: str) -> None:
    """Names that look different are left alone."""
    assert tell_apart(other, [one]) == other


def test_numbers_go_on() -> None:
    """The third of a name is the third, and one that calls itself the second is in the way."""
    assert tell_apart("Ali", ["Ali", "Ali (2)"]) == "Ali (3)"
    assert tell_apart("ali", ["Ali", "ALI(2)", "Ali (3)"]) == "ali (4)"


def test_a_long_name_makes_room_for_its_number() -> None:
    """A number fits into the 24 characters too."""
    assert tell_apart("x" * 24, ["x" * 24]) == "x" * 20 + " (2)"
    assert tell_apart("x" * 19 + " yyyy", ["x" * 19 + " yyyy"]) == "x" * 19 + " (2)"
