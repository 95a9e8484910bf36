"""Totals against par and places, from results written down by hand."""

import pytest

from server.match.commands import Kick, Leave
from server.match.decide import World
from server.match.entries import Result
from server.match.formats import Totals, places, totals
from server.match.options import Options
from server.match.state import ClosedHole, Match, Seat
from server.match.view import snapshot
from tests.match.driver import Driver

CLOSED = (ClosedHole(1, "", "easy", (), {}),)


def result(traditional: int, app: int = 0) -> Result:
    """Give a result of which only the scores matter."""
    return Result("gave_up", max(traditional, 0), 0, traditional, app, 0, 0)


def match(scoring: str, rows: list[tuple[int, int]], gone: frozenset[int] = frozenset()) -> Match:
    """Give a match of one closed hole with these (traditional, app) scores."""
    seats = {
        n: Seat(f"P{n}", str(n), standing="left" if n in gone else "here", results=(result(*row),))
        for n, row in enumerate(rows)
    }
    options = Options(scoring=scoring)
    return Match("m", "R", options, "", 0, phase="between", seats=seats, closed=CLOSED)


@pytest.mark.parametrize(
    ("scoring", "rows", "expected"),
    [
        ("traditional", [(5, 0), (5, 0), (7, 0)], [1, 1, 3]),
        ("traditional", [(9, 0), (-3, 0), (0, 0)], [3, 1, 2]),
        ("traditional", [(4, 0), (4, 0), (4, 0)], [1, 1, 1]),
        ("traditional", [(1, 0), (2, 0), (2, 0), (3, 0)], [1, 2, 2, 4]),
        # The two scores disagree: two clears tie at 350, while -3 beats -1.
        ("traditional", [(-1, 350), (-3, 350)], [2, 1]),
        ("app", [(-1, 350), (-3, 350)], [1, 1]),
        ("app", [(10, 150), (4, 270), (35, 0)], [2, 1, 3]),
    ],
)
def test_places(scoring: str, rows: list[tuple[int, int]], expected: list[int]) -> None:
    """By the deciding score, lower or higher wins; ties share a place and the next is skipped."""
    assert list(places(match(scoring, rows)).values()) == expected


def test_nobody_has_a_place_before_the_first_close() -> None:
    """Places begin with the first closed hole."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(2)
    assert places(driver.state) == {}
    assert driver.folded[0]["seats"]["0"]["place"] is None


def test_who_dropped_out_is_placed_by_its_total() -> None:
    """A seat that left has paid for the holes that it did not play: its total decides, as everybody's."""
    assert places(match("traditional", [(1, 0), (30, 0), (2, 0)], frozenset({0, 2}))) == {0: 1, 1: 3, 2: 2}


@pytest.mark.parametrize(
    ("strokes", "app", "expected"),
    [
        ([], [], Totals(0, 0, 0, 0)),
        ([5] * 9, [150] * 9, Totals(9, 45, 1350, 0)),
        ([5] * 18, [0] * 18, Totals(18, 90, 0, 0)),
        ([-16], [350], Totals(1, -16, 350, -21)),
        ([35, 35], [0, 0], Totals(2, 70, 0, 60)),
        ([3, 0, -1, 2], [0, 350, 350, 10], Totals(4, 4, 710, -16)),
    ],
)
def test_totals(strokes: list[int], app: list[int], expected: Totals) -> None:
    """Totals sum the closed holes; to par is the strokes minus five a hole."""
    seat = Seat("A", "a", results=tuple(result(*row) for row in zip(strokes, app, strict=True)))
    assert totals(Options(), seat) == expected


@pytest.mark.parametrize(("holes", "par"), [(1, 5), (9, 45), (18, 90)])
def test_par(holes: int, par: int) -> None:
    """Par is 45 for nine holes and 90 for eighteen."""
    assert Driver(Options(holes=holes)).folded[0]["match"]["par"] == par


def finished() -> Driver:
    """Give a match that seat 1 has won before seat 0 and seat 2."""
    driver = Driver(Options(holes=1, hole_seconds=0, deals=("GO2-E-AAAAAAB",)))
    driver.seat_all(3)
    while not driver.plays(1):
        driver.act(1, "D")
    driver.script("1:PG 0:G 2:G")
    assert driver.state.phase == "ended"
    assert places(driver.state) == {0: 2, 1: 1, 2: 2}
    return driver


def test_leaving_the_podium_changes_no_place() -> None:
    """A match that is over has its places: the winner may go."""
    driver = finished()
    driver.must(Leave(1))
    assert places(driver.state) == {0: 2, 1: 1, 2: 2}
    assert snapshot(driver.state, 0)["seats"]["1"]["place"] == 1


def test_a_late_kick_changes_no_place() -> None:
    """Nor does putting somebody out who went away after the end."""
    driver = finished()
    driver.world = World({1: driver.now_ms - 60_000})
    driver.must(Kick(0, 1))
    assert places(driver.state) == {0: 2, 1: 1, 2: 2}


def test_an_abandoned_match_is_placed_by_its_holes() -> None:
    """Where everybody has left, nobody stayed to come before the others."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(2)
    driver.script("0:G 1:G 0:L 1:L")
    assert driver.state.abandoned
    assert places(driver.state) == {0: 1, 1: 1}
