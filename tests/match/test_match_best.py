"""The best of a closed hole: an entry that comes after the close, told to all, and never of an open hole."""

import json

import pytest

from server.match.decide import World
from server.match.due import BEST_FOR_MS, due, wanted
from server.match.entries import BestFound, MatchEnded
from server.match.options import Options
from server.match.record import record, unsolved
from server.match.verify import verify
from server.match.view import best_view
from server.rules.best import Best, best_of
from tests.match.driver import Driver, random_match


def closed(holes: int = 2, **options: object) -> Driver:
    """Give a match of two whose first hole has just closed."""
    driver = Driver(Options(seats=2, holes=holes, **options))  # type: ignore[arg-type]
    driver.seat_all(2)
    driver.script("0:DG 1:G")
    return driver


def test_nothing_is_wanted_of_an_open_hole() -> None:
    """While a hole is open its best is neither wanted nor told, even where somebody has it at hand."""
    driver = Driver(Options(seats=2))
    driver.seat_all(2)
    code = driver.state.code
    driver.world = World(bests={code: best_of(code)})
    assert wanted(driver.state, driver.now_ms) == []
    assert driver.wait() == []
    assert best_view(driver.state) is None
    driver.script("0:G 1:D")
    assert best_view(driver.state) is None
    assert driver.folded[1]["match"]["best"] == {}


def test_the_best_of_a_closed_hole_is_told_to_all() -> None:
    """Once it is found it stands in everybody's view, and each seat's strokes over it, summed hole by hole."""
    driver = closed()
    first = driver.state.code
    assert [hole.code for hole in wanted(driver.state, driver.now_ms)] == [first]
    driver.solve()
    best = best_of(first)
    assert driver.entries[-1].body == BestFound(1, best.strokes, best.line)
    for view in driver.folded.values():  # the driver holds each against its snapshot
        assert view["match"]["best"] == {"1": best.strokes}
        assert view["seats"]["0"]["totals"]["over_best"] == 35 - best.strokes
    assert wanted(driver.state, driver.now_ms) == []
    driver.next_hole()
    driver.script("0:G 1:G")
    assert driver.folded[1]["seats"]["0"]["totals"]["over_best"] == 35 - best.strokes, "the second isn't found yet"
    driver.solve()
    both = 70 - best.strokes - best_of(driver.state.code).strokes
    assert driver.folded[1]["seats"]["0"]["totals"]["over_best"] == both


def test_the_line_can_be_stepped_through_beside_what_everybody_did() -> None:
    """Steps of the line and of every seat's actions lead from the deal to where they ended."""
    driver = closed()
    assert best_view(driver.state) is None, "not found yet"
    driver.solve()
    shown = best_view(driver.state)
    assert shown is not None
    assert (shown["hole"], shown["strokes"]) == (1, best_of(driver.state.code).strokes)
    assert [tuple(step) for step in shown["line"]] == list(best_of(driver.state.code).line)
    assert shown["piles"]["stock"] == ["?"] * 16
    assert shown["plays"] == {"0": [[["stock", "waste", driver.state.closed[0].stock[0]]]], "1": []}
    driver.next_hole()
    assert driver.state.phase == "playing"
    assert best_view(driver.state) is None
    assert driver.state.line == (), "a line is kept for as long as it can be asked for"


def test_it_may_come_late() -> None:
    """Found while the next hole is open, and after the match's end, it is told all the same."""
    driver = closed()
    code = driver.state.code
    driver.next_hole()
    driver.solve()
    assert driver.state.bests == {1: best_of(code).strokes}
    assert driver.state.line == ()
    driver.script("0:G 1:G")
    assert isinstance(driver.entries[-1].body, MatchEnded)
    driver.solve()
    assert sorted(driver.state.bests) == [1, 2]
    assert driver.state.line == best_of(driver.state.code).line
    assert due(driver.state, driver.world, driver.now_ms) is None


def test_an_old_match_is_left_as_it_is() -> None:
    """Long after the end nothing is wanted any more, so that opening a match does not renew its life."""
    driver = closed(holes=1)
    assert driver.state.phase == "ended"
    late = driver.state.closed_at_ms + BEST_FOR_MS
    assert len(wanted(driver.state, late)) == 1
    assert wanted(driver.state, late + 1) == []
    world = World(bests={driver.state.code: best_of(driver.state.code)})
    assert due(driver.state, world, late + 1) is None


def test_only_what_is_wanted_is_taken() -> None:
    """The best of another deal is not this hole's."""
    driver = closed()
    driver.world = World(bests={"GO2-E-AAAAAAB": best_of("GO2-E-AAAAAAB")})
    assert driver.wait() == []


@pytest.mark.parametrize("rule", ["easy", "S2V", "L1", "classic"])
def test_records_have_it_from_the_entries_or_from_whoever_solves(rule: str) -> None:
    """The two ways give the same record but for the versions; a checker that solves finds nothing better."""
    driver = random_match(4, Options(seats=2, holes=2, rule=rule), check=False)
    without = record(driver.entries)
    codes = [hole["code"] for hole in without["holes"]]
    assert unsolved(without) == codes
    assert verify(without, best_of).faults == ()
    given = record(driver.entries, {code: best_of(code) for code in codes})
    driver.solve()
    made = record(driver.entries)
    assert made == given
    assert unsolved(made) == []
    for hole, code in zip(made["holes"], codes, strict=True):
        best = best_of(code)
        assert hole["best"] == {"strokes": best.strokes, "line": [list(step) for step in best.line]}
        assert all(hand["result"]["traditional"] >= best.strokes for hand in hole["seats"].values())
    assert verify(json.loads(json.dumps(made)), best_of).faults == ()


def test_a_record_says_what_the_entry_says() -> None:
    """Should two ever differ, the stream is right."""
    driver = closed(holes=1)
    code = driver.state.code
    driver.solve()
    made = record(driver.entries, {code: Best(99, False, ())})
    assert made["holes"][0]["best"]["strokes"] == best_of(code).strokes


def test_an_older_hole_takes_nothing_of_the_latest() -> None:
    """Where the best of the first hole is found after that of the second, the second's line stays."""
    driver = closed(holes=3)
    first = driver.state.code
    driver.next_hole()
    driver.script("0:G 1:G")
    second = driver.state.code
    for code in (second, first):
        driver.world = World(bests={code: best_of(code)})
        driver.wait()
    assert driver.state.bests == {1: best_of(first).strokes, 2: best_of(second).strokes}
    assert driver.state.line == best_of(second).line


@pytest.mark.parametrize(("game", "missing"), [("golf", ["GO2-E-AAAAAAB"]), ("canfield", [])])
def test_a_record_says_what_is_still_to_be_found(game: str, missing: list[str]) -> None:
    """Only a closed hole of a game that can be solved, whose best is not said."""
    holes = [
        {"code": "GO2-E-AAAAAAA", "closed_at": 1, "best": {"strokes": -2, "line": []}},
        {"code": "GO2-E-AAAAAAB", "closed_at": 1, "best": None},
        {"code": "GO2-E-AAAAAAC", "closed_at": None, "best": None},
    ]
    assert unsolved({"game": game, "holes": holes}) == missing
