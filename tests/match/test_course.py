"""A course's window, roster, table and percentiles, from tables written down by hand, and their laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.match import course
from server.match.course import Course, Row
from server.match.entries import Result
from server.match.options import Options
from server.match.record import record
from server.rules.codes import sealed_code
from tests.match.decks import BUSY
from tests.match.driver import SECRET, Driver
from tests.match.records import fresh

NOON = 1_790_000_000_000 - 1_790_000_000_000 % 86_400_000 + 43_200_000
OPTIONS = Options(seats=1, holes=2, spectators="off")
COURSE = Course(
    "c" * 26, "club", "Spring cup", OPTIONS, SECRET, NOON, NOON + 3_600_000, roster=("Ada", "İpek", "Bob")
)


def result(traditional: int, app: int = 0, how: str = "stuck") -> Result:
    """Give a result of which only the scores matter."""
    return Result(how, max(traditional, 0), 0, traditional, app, 0, 0)


def row(member: str, *strokes: int) -> Row:
    """Give a finished round."""
    return Row(member, member, 0, NOON, tuple(result(one) for one in strokes))


def test_a_course_is_read_as_it_was_written() -> None:
    """Stored and read back it is the same; one of a newer program is not guessed about."""
    assert course.load_course(course.dump_course(COURSE)) == COURSE
    with pytest.raises(ValueError, match="newer"):
        course.load_course(course.dump_course(COURSE).replace(b'"x":1', b'"x":2'))
    one = row("m", 3, -2)
    assert course.load_row(course.dump_row(one)) == one
    assert one.member == "m:0"


@pytest.mark.parametrize(
    ("at_ms", "stands"),
    [(-1, "before"), (0, "open"), (1, "open"), (3_599_999, "open"), (3_600_000, "over"), (10**12, "over")],
)
def test_window(at_ms: int, stands: str) -> None:
    """It is open from its first millisecond on, and no longer at the one at which it closes."""
    assert course.standing(COURSE, NOON + at_ms) == stands


@pytest.mark.parametrize("at_ms", [0, 1, 43_200_000, 86_399_999])
def test_a_day_is_the_utc_day(at_ms: int) -> None:
    """The day of a moment begins at its midnight in UTC and ends with the next."""
    midnight = 1_789_948_800_000  # 2026-09-21T00:00:00Z
    assert course.day_window(midnight + at_ms) == (midnight, midnight + 86_400_000)


def test_deals_come_from_the_secret_or_are_typed() -> None:
    """Without typed deals the secret gives them, as in any sealed match without nonces; else they are those."""
    assert course.codes(COURSE) == tuple(sealed_code("golf", "E", 2, SECRET, {}, hole) for hole in (1, 2))
    typed = Course("c", "beat", "Ada", Options(seats=1, holes=1, deals=(BUSY,)), SECRET, 0, 1)
    assert course.codes(typed) == (BUSY,)


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        ([], ()),
        (["Ada", "", "  ", "Bob "], ("Ada", "Bob")),
        (["Ada", "ada"], 2),
        (["Ada", "", "A d a"], 3),
        (["<b>"], 1),
        (["Ada", "x" * 25], 2),
        ([f"Player {number}" for number in range(200)], tuple(f"Player {number}" for number in range(200))),
        ([f"Player {number}" for number in range(201)], 201),
    ],
)
def test_roster(lines: list[str], read: tuple[str, ...] | int) -> None:
    """Names as they are kept; else the first line that is no name, passes for another, or is one too many."""
    assert course.read_roster(lines) == read


@pytest.mark.parametrize(
    ("name", "listed"), [("Ada", "Ada"), ("ADA", "Ada"), ("a da", "Ada"), ("İPEK", "İpek"), ("Eve", None)]
)
def test_a_name_is_found_on_the_roster(name: str, listed: str | None) -> None:
    """Case and spaces don't matter; the name is as the roster has it."""
    assert course.on_roster(COURSE, name) == listed


def test_without_a_roster_all_may_play() -> None:
    """An empty roster lets in anybody, by the name that they give."""
    assert course.on_roster(Course("c", "day", "", OPTIONS, SECRET, 0, 1), "Eve") == "Eve"


@pytest.mark.parametrize(
    ("text", "kept"),
    [(" Spring  cup ", "Spring cup"), ("", None), ("x" * 60, "x" * 60), ("x" * 61, None), ("<i>cup", None)],
)
def test_title(text: str, kept: str | None) -> None:
    """A title has 1 to 60 characters and no markup."""
    assert course.clean_title(text) == kept


@pytest.mark.parametrize(
    ("totals", "first", "better", "places"),
    [
        ([], 0, 0, []),
        ([5, 5, 7], 0, 0, [1, 1, 3]),
        ([-3, 0, 5, 5, 5, 12], 0, 0, [1, 2, 3, 3, 3, 6]),
        # A second page that begins with more of the same: two better ones stand before the three equal.
        ([5, 5, 12], 3, 2, [3, 3, 6]),
        ([12, 13], 50, 50, [51, 52]),
    ],
)
def test_places(totals: list[int], first: int, better: int, places: list[int]) -> None:
    """Equal totals share a place and the next is skipped, also across pages."""
    assert list(course.places(totals, first, better)) == places


@pytest.mark.parametrize(
    ("spread", "mine", "hundredth"),
    [
        ({4: 1}, 4, None),  # nobody else
        ({4: 1, 9: 1}, 4, 100),
        ({4: 1, 9: 1}, 9, 0),
        ({4: 2}, 4, 50),
        ({-3: 1, 0: 1, 5: 3, 12: 1}, 5, 40),  # of five others one is worse, two are equal
        ({-3: 1, 0: 1, 5: 3, 12: 1}, -3, 100),
        ({-3: 1, 0: 1, 5: 3, 12: 1}, 0, 80),
        ({-3: 1, 0: 1, 5: 3, 12: 1}, 12, 0),
        ({1: 1, 2: 1, 3: 2}, 2, 67),  # two of three
        ({1: 2, 2: 1, 3: 1}, 1, 83),  # 2.5 of three
    ],
)
def test_percentile(spread: dict[int, int], mine: int, hundredth: int | None) -> None:
    """How many of a hundred others a result beats, ties counting half, rounded half up."""
    assert course.percentile(spread, mine) == hundredth


@pytest.mark.parametrize(
    ("strokes", "bests", "over"),
    [
        ((5, -3), (-3, -3), 8),
        ((-3, 0), (-3, 0), 0),
        ((5, -3), (None, -3), None),  # one hole is not solved yet
        ((5, -3), None, None),  # nothing is solved
    ],
)
def test_strokes_over_the_best(
    strokes: tuple[int, ...], bests: tuple[int | None, ...] | None, over: int | None
) -> None:
    """A round is so many strokes over what its deals allowed, where that is known of all of them."""
    results = [Result("stuck", max(0, one), max(0, -one), one, 0, 0, 0) for one in strokes]
    assert course.over_best(results, bests) == over


@given(st.lists(st.integers(-16, 35), min_size=2, max_size=40))
def test_percentiles_agree_with_places(strokes: list[int]) -> None:
    """A better result never has a lower percentile, equal ones have the same, and all are within 0 and 100."""
    spread = {one: strokes.count(one) for one in strokes}
    found = [course.percentile(spread, one) for one in sorted(strokes)]
    assert all(one is not None and 0 <= one <= 100 for one in found)
    assert found == sorted(found, key=lambda one: -(one or 0))
    by_hand = [sum((other > one) + (other == one) / 2 for other in strokes) - 0.5 for one in sorted(strokes)]
    for one, beaten in zip(found, by_hand, strict=True):
        assert one is not None
        assert abs(one - 100 * beaten / (len(strokes) - 1)) <= 0.5


@given(st.lists(st.integers(-5, 5), max_size=30), st.integers(1, 7))
def test_pages_make_the_whole(totals: list[int], size: int) -> None:
    """The places of a table read page by page are those of the whole table."""
    ordered = sorted(totals)
    whole = [1 + sum(other < one for other in ordered) for one in ordered]
    paged: list[int] = []
    for first in range(0, len(ordered), size):
        page = ordered[first : first + size]
        paged += course.places(page, first, sum(other < page[0] for other in ordered))
    assert paged == whole


def test_less_is_better_by_either_score() -> None:
    """Strokes count as they are; points count below zero."""
    results = (result(-3, 350), result(10, 150))
    assert course.ranks(OPTIONS, results) == (-3, 10)
    assert course.ranks(Options(scoring="app"), results) == (-350, -150)


def test_ghosts_are_the_first_three() -> None:
    """At most three of the table's best; the one to be beaten comes first in any case."""
    rows = [row(name, 1) for name in "abcde"]
    assert [one.name for one in course.ghosts_for(rows)] == ["a", "b", "c"]
    assert [one.name for one in course.ghosts_for(rows, "d:0")] == ["d", "a", "b"]
    assert [one.name for one in course.ghosts_for(rows[:1], "x:0")] == ["a"]
    assert course.ghosts_for([]) == ()


def test_rows_out_of_a_record() -> None:
    """Every seat with a result in each hole that was closed has a row; who was put out has its holes counted."""
    told = fresh("gone")
    rows = course.recorded_rounds(told)
    assert [(one.name, one.seat, len(one.results)) for one in rows] == [
        (seat["name"], seat["seat"], 2) for seat in told["seats"]
    ]
    sums = {one.seat: sum(course.ranks(OPTIONS, one.results)) for one in rows}
    assert sums == {seat["seat"]: seat["traditional"] for seat in told["seats"]}
    assert course.recorded_codes(told) == tuple(hole["code"] for hole in told["holes"])
    del told["holes"][1]["seats"]["2"]
    assert [one.seat for one in course.recorded_rounds(told)] == [0, 1, 3]
    for hole in told["holes"]:
        hole["closed_at"] = None
    assert course.recorded_rounds(told) == ()
    assert course.recorded_codes({"holes": 20 * fresh("gone")["holes"]}) == 9 * course.recorded_codes(fresh("gone"))
    driver = Driver(Options(seats=1, holes=1))
    driver.wait()
    driver.script("0:G")
    (alone,) = course.recorded_rounds(record(driver.entries))
    assert (alone.name, alone.results[0].ending, alone.results[0].traditional) == ("Ada", "gave_up", 35)


def test_a_round_is_played_alone_for_strokes() -> None:
    """Whatever room the options are of, a round has one seat and no spectators; its deals are sealed, or these."""
    room = Options(seats=2, holes=3, undo="off", format="match", sudden_death=True, spectators="live", rule="strict")
    assert course.round_options(room) == Options(seats=1, holes=3, undo="off", spectators="off", rule="strict")
    typed = course.round_options(Options(deals=(BUSY, BUSY, BUSY), holes=3), (BUSY,))
    assert (typed.holes, typed.deals, typed.seats) == (1, (BUSY,), 1)
