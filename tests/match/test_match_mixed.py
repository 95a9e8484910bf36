"""Matches that mix games: which hole is of which game, one total of several scales, and what can't be mixed."""

import copy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from server.match.commands import AddBot, Leave, SetOptions
from server.match.course import Course, codes, ranks, recorded_codes, recorded_rounds, round_options
from server.match.entries import HoleOpened, Result
from server.match.formats import summed
from server.match.ghosts import ghost_of, ghosts_view
from server.match.on_course import OnCourse
from server.match.options import Options, check, dump_options, load_options
from server.match.record import record, unsolved
from server.match.sums import sums_of
from server.match.verify import verify
from server.match.view import best_view, snapshot
from server.rules.codes import parse_code
from server.rules.games import GAMES
from tests.match.driver import Driver, random_match
from tests.match.test_match_games import Reader

MIX = (("golf", "strict"), ("canfield", "draw_one"), ("russian", "classic"))
MIXED = Options(game="golf", rule="strict", mix=MIX, scoring="points", holes=4, seats=3, hole_seconds=0)
GOLFS = replace(MIXED, mix=(("golf", "strict"), ("golf", "easy")))


@pytest.mark.parametrize(
    ("hole", "app", "points"),
    [
        (1, 350, 1000),
        (1, 340, 971),
        (1, 10, 28),
        (1, 0, 0),
        (2, 255, 1000),
        (2, 130, 509),
        (2, 5, 19),
        (3, 625, 1000),
        (3, 620, 992),
        (3, 5, 8),
        (4, 175, 500),
        (4, 150, 428),
    ],
)
def test_points(hole: int, app: int, points: int) -> None:
    """A hole's share of 350 (Golf), 255 (Canfield) or 625 (Russian Solitaire) in thousandths, rounded down."""
    assert MIXED.points(hole, app) == points


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_no_score_of_a_game_is_worth_what_another_is(game: Any) -> None:
    """Between two scores that a game can make, five or ten points apart, there is always a point: none become equal."""
    steps = [1000 * app // game.full for app in range(0, game.full + 1, 5)]
    assert len(set(steps)) == len(steps)
    assert steps[-1] == 1000


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, None),
        ({"mix": MIX[:1]}, "mix"),
        ({"mix": (MIX[0], MIX[0])}, "mix"),
        ({"mix": (*MIX, *MIX)}, "mix"),
        ({"mix": (*MIX, MIX[0])}, None),
        ({"mix": (MIX[1], MIX[0])}, "mix"),
        ({"rule": "easy"}, "mix"),
        ({"mix": (MIX[0], ("chess", "easy"))}, "mix"),
        ({"mix": (MIX[0], ("canfield", "easy"))}, "mix"),
        ({"mix": (MIX[0], ("golf", "L2V"))}, None),
        ({"mix": ()}, "scoring"),
        ({"scoring": "app"}, "scoring"),
        ({"scoring": "traditional"}, "scoring"),
        ({"winnable": True}, "winnable"),
        ({"winnable": True, "mix": GOLFS.mix}, None),
        ({"seats": 2, "format": "match", "sudden_death": True}, None),
        ({"holes": 2}, "mix"),
        ({"holes": 3, "deals": ("GO2-E-AAAAAAB", "CF2-D3-AAAAAAB", "RU2-R-AAAAAAB")}, None),
        ({"holes": 3, "deals": ("GO2-E-AAAAAAB", "RU2-R-AAAAAAB", "CF2-D3-AAAAAAB")}, "deals"),
    ],
)
def test_what_can_be_mixed(changes: dict[str, Any], wrong: str | None) -> None:
    """Known games and rules, at least two that differ and no more than holes, points; the rest as for one game."""
    assert check(replace(MIXED, **changes)) == wrong


def test_the_stored_form() -> None:
    """A mix is read as it was written; where there is none nothing is written of it."""
    assert load_options(dump_options(MIXED)) == MIXED
    assert dump_options(MIXED)["mix"][1] == {"game": "canfield", "rule": "draw_one"}
    assert "mix" not in dump_options(Options())
    assert MIXED.par == 0
    assert [game.name for game in MIXED.games] == ["golf", "canfield", "russian"]


def test_holes_take_the_games_in_turn() -> None:
    """Each hole is dealt of its game and rule, and shown as such; the first comes again after the last."""
    reader = Reader(MIXED)
    driver = random_match(5, MIXED, reader)
    opened = [entry.body for entry in driver.entries if isinstance(entry.body, HoleOpened)]
    dealt = [parse_code(body.code) for body in opened]
    assert [(code.game, code.letter) for code in dealt] == [
        ("golf", "S"),
        ("canfield", "D1"),
        ("russian", "C"),
        ("golf", "S"),
    ]
    assert reader.named > 0
    view = snapshot(driver.state, 0)
    assert [closed["game"] for closed in view["match"]["card"]] == ["golf", "canfield", "russian", "golf"]
    assert (view["match"]["game"], view["match"]["rule"], view["match"]["par"]) == ("golf", "strict", 0)
    assert [named["variant"] for named in view["match"]["options"]["mix"]][1:] == [
        {"turned": 1},
        {"mixed_suits": False},
    ]


def test_every_game_can_be_mixed_with_every_other() -> None:
    """A match over all games there are: each hole of its own, every view what was told, and the record holds."""
    mix = tuple((game.name, next(iter(game.presets))) for game in GAMES.values())
    options = Options(mix=mix, scoring="points", holes=len(mix), seats=2, hole_seconds=0)
    reader = Reader(options)
    driver = random_match(2, options, reader)
    assert reader.named > 0
    made = record(driver.entries)
    assert [hole["game"] for hole in made["holes"]] == list(GAMES)
    assert verify(made).faults == ()
    full = [game.full for game in GAMES.values()]
    for row in made["seats"]:
        apps = [hole["seats"][str(row["seat"])]["result"]["app"] for hole in made["holes"]]
        assert row["points"] == sum(1000 * app // most for app, most in zip(apps, full, strict=True))


def test_one_total_of_all_games() -> None:
    """Totals are the sums of the holes' points, and places go by them: more is better, equal ones share a place."""
    driver = random_match(6, MIXED, check=False)
    view = snapshot(driver.state, None)
    full = {"golf": 350, "canfield": 255, "russian": 625}
    sums = {
        number: sum(
            1000 * closed["scores"][number]["app"] // full[closed["game"]] for closed in view["match"]["card"]
        )
        for number in view["seats"]
    }
    assert len(set(sums.values())) > 1
    for number, seat in view["seats"].items():
        assert seat["totals"]["points"] == sums[number]
        assert seat["place"] == 1 + sum(other > sums[number] for other in sums.values())
        assert seat["totals"]["over_best"] is None


def test_who_left_has_no_points() -> None:
    """A seat that went has none of the open hole, though it had some of an earlier one; the fold holds."""
    driver = Driver(MIXED)
    driver.seat_all(3)
    driver.script("1:D")
    assert snapshot(driver.state, 0)["seats"]["1"]["points"] == 0
    driver.must(Leave(1))
    driver.script("0:G 2:G")
    driver.next_hole()
    assert snapshot(driver.state, 0)["match"]["game"] == "canfield"
    assert snapshot(driver.state, 0)["seats"]["1"]["points"] is None
    assert snapshot(driver.state, 0)["seats"]["2"]["points"] == 0


def test_a_room_may_begin_to_mix_and_stop() -> None:
    """The host changes it before the start; house players too strong for one of the games keep it from happening."""
    driver = Driver(Options())
    driver.must(SetOptions(0, MIXED))
    assert driver.refused(AddBot(0, "counting", "t" * 32, "b" * 64)) == "bot_strength"
    driver.must(SetOptions(0, Options()), AddBot(0, "counting", "t" * 32, "b" * 64))
    assert driver.refused(SetOptions(0, MIXED)) == "bot_strength"
    driver.must(SetOptions(0, GOLFS))


def test_match_play_goes_round() -> None:
    """A hole is won by its own game's score, and sudden death takes the games on in their turn."""
    options = replace(MIXED, seats=2, format="match", sudden_death=True, holes=3, undo="off")
    driver = Driver(options)
    driver.seat_all(2)
    for _ in range(3):
        driver.script("0:G 1:G")
        driver.next_hole()
    assert (driver.state.hole, driver.state.game.name) == (4, "golf")
    driver.script("0:G 1:G")
    driver.next_hole()
    assert driver.state.game.name == "canfield"
    driver.script("1:G")
    driver.wait(60_000)
    made = record(driver.entries)
    assert made["standing"]["winner"] == 0
    assert verify(made).faults == ()


def test_the_record() -> None:
    """A mixed match's record is of a schema of its own and holds; whatever is changed in it is named."""
    driver = random_match(8, replace(MIXED, holes=3, seats=2), check=False)
    driver.solve()
    made = record(driver.entries)
    assert (made["schema"], made["par"]) == (4, 0)
    assert [hole["game"] for hole in made["holes"]] == ["golf", "canfield", "russian"]
    assert verify(made).faults == ()
    assert [hole["best"] is not None for hole in made["holes"]] == [True, False, False]
    assert best_view(driver.state) is None
    assert unsolved(made) == []
    made["holes"][0]["best"] = None
    assert unsolved(made) == [made["holes"][0]["code"]]

    def swap(spoiled: dict[str, Any]) -> None:
        mix = spoiled["options"]["mix"]
        mix[1], mix[2] = mix[2], mix[1]

    changed = {
        "options.mix": lambda told: told["options"]["mix"].clear(),
        "holes[1].code": swap,
        "holes[1].game": lambda told: told["holes"][1].update(game="golf"),
        "holes[2].seats.0.result.points": lambda told: told["holes"][2]["seats"]["0"]["result"].update(points=999),
        "seats[1].points": lambda told: told["seats"][1].update(points=2_999),
        "seats[0].place": lambda told: told["seats"][0].update(place=3),
        "options.scoring": lambda told: told["options"].update(scoring="app"),
    }
    for field, spoil in changed.items():
        spoiled = copy.deepcopy(made)
        spoil(spoiled)
        spoiled["sums"] = sums_of(spoiled)
        assert field in {fault.field for fault in verify(spoiled).faults}, field


def test_a_record_of_one_game_mixes_nothing() -> None:
    """Its schema stays what it was, and neither a mix nor a newer schema can be put into it."""
    made = record(random_match(3, Options(seats=1, holes=1), check=False).entries)
    assert made["schema"] == 3
    assert "game" not in made["holes"][0]
    assert "points" not in made["seats"][0]
    mixed = {**made, "options": {**made["options"], "mix": [{"game": "golf", "rule": "easy"}]}}
    assert "options.mix" in {fault.field for fault in verify(mixed).faults}
    assert "options.mix" in {fault.field for fault in verify({**made, "schema": 4}).faults}


def test_a_course_names_a_game_for_each_hole() -> None:
    """Its sealed deals are of the holes' games, and its table counts points."""
    options = round_options(replace(MIXED, seats=1))
    course = Course("c" * 26, "club", "Cup", options, "5e" * 32, 0, 10**13)
    assert [parse_code(code).game for code in codes(course)] == ["golf", "canfield", "russian", "golf"]
    result = Result("done", 10, 0, 20, 125, 30, 0)
    assert ranks(options, [result] * 3) == (-357, -490, -200)
    assert summed(options, [result] * 3).points == 1047
    assert summed(options, [result], 3).points == 200


def test_a_round_of_a_mixed_match_can_be_beaten() -> None:
    """Its deals, games and ghosts are the match's; of one that ended after a hole one game is left."""
    driver = random_match(9, replace(MIXED, holes=3, seats=2), check=False)
    made = record(driver.entries)
    options = round_options(load_options(made["options"]), recorded_codes(made))
    assert check(options) is None
    assert options.mix == MIX
    rows = recorded_rounds(made)
    beaten = Driver(options, course=OnCourse("c" * 26, 10**14))
    beaten.wait()
    beaten.play_hole(Random(1))
    ghosts = ghosts_view(beaten.state, 0, [ghost_of(made, row.seat, row.name) for row in rows], beaten.now_ms)
    first = made["holes"][0]["seats"]["0"]["result"]
    assert (ghosts[0]["points"], ghosts[0]["totals"]["points"]) == (first["points"], first["points"])
    early = round_options(MIXED, (made["holes"][0]["code"],))
    assert (early.mix, early.game, early.rule, early.scoring) == ((), "golf", "strict", "traditional")
    assert check(early) is None
