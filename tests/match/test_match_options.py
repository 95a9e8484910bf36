"""A room's options: defaults, ranges, what contradicts what, and their stored form."""

from dataclasses import replace

import pytest

from server.match.options import Options, check, dump_options, load_options

DEFAULT = Options()


def test_the_defaults() -> None:
    """Nine holes of Easy by the traditional score, four minutes each, undo of plays, fair spectators, private."""
    assert dump_options(DEFAULT) == {
        "game": "golf",
        "rule": "easy",
        "holes": 9,
        "scoring": "traditional",
        "undo": "plays",
        "seats": 4,
        "hole_seconds": 240,
        "spectators": "fair",
        "visibility": "private",
        "deals": [],
        "help": "off",
        "format": "stroke",
        "sudden_death": False,
        "winnable": False,
    }
    assert check(DEFAULT) is None


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"game": "chess"}, "game"),
        ({"rule": "hard"}, "rule"),
        ({"rule": "strict"}, None),
        ({"holes": 0}, "holes"),
        ({"holes": 1}, None),
        ({"holes": 18}, None),
        ({"holes": 19}, "holes"),
        ({"seats": 0}, "seats"),
        ({"seats": 1}, None),
        ({"seats": 8}, None),
        ({"seats": 9}, "seats"),
        ({"hole_seconds": 0}, None),
        ({"hole_seconds": 0, "visibility": "public"}, "hole_seconds"),
        ({"hole_seconds": 1}, "hole_seconds"),
        ({"hole_seconds": 59}, "hole_seconds"),
        ({"hole_seconds": 60, "visibility": "public"}, None),
        ({"hole_seconds": 900}, None),
        ({"hole_seconds": 901}, "hole_seconds"),
        ({"deals": ("GO2-E-AAAAAAB",), "holes": 1}, None),
        ({"deals": ("GO2-E-AAAAAAB",)}, "deals"),
        ({"format": "match", "seats": 2}, None),
        ({"format": "match", "seats": 2, "sudden_death": True}, None),
        ({"format": "match"}, "seats"),
        ({"format": "match", "seats": 1}, "seats"),
        ({"format": "match", "seats": 3}, "seats"),
        ({"sudden_death": True}, "sudden_death"),
        ({"sudden_death": True, "seats": 2}, "sudden_death"),
    ],
)
def test_ranges(changes: dict[str, object], wrong: str | None) -> None:
    """The first option that is out of its range or contradicts another is named."""
    assert check(replace(DEFAULT, **changes)) == wrong


def test_a_deal_of_another_game_is_no_deal_here() -> None:
    """A code deals its own game: a room of another can't use it."""
    room = Options(game="canfield", rule="draw_one", scoring="app", holes=1)
    assert check(replace(room, deals=("GO2-E-AAAAAAB",))) == "deals"
    assert check(replace(room, deals=("CF2-D3-AAAAAAB",))) is None
    assert check(replace(room, scoring="traditional")) == "scoring"


def test_options_come_back_from_their_stored_form() -> None:
    """What was stored is read back; a field that an older stream lacks has its default."""
    options = Options(seats=2, holes=1, deals=("GO2-E-AAAAAAB",))
    assert load_options(dump_options(options)) == options
    assert load_options({"seats": 2}) == Options(seats=2)


def test_what_follows_from_options() -> None:
    """Typed deals make an open deal, one seat a game alone."""
    assert (DEFAULT.open_deal, DEFAULT.alone) == (False, False)
    assert Options(deals=("GO2-E-AAAAAAB",)).open_deal
    assert Options(seats=1).alone
    assert (DEFAULT.match_play, Options(format="match", seats=2).match_play) == (False, True)
    assert [Options(deals=("GO2-E-AAAAAAB",), holes=1).typed(hole) for hole in (0, 1, 2)] == [False, True, False]
