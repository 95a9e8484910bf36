"""Match play: the words of rules.md as numbers, when it ends, and what giving up, time and leaving cost."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.match.commands import Claim, CloseSeat, Kick, Leave, Ready, SetOptions, Start
from server.match.decide import World
from server.match.entries import HoleOpened, MatchEnded, Result
from server.match.evolve import replay
from server.match.formats import hole_winner, places, standing, stands
from server.match.options import Options
from server.rules.base import Ending
from server.rules.codes import sealed_code
from tests.match.decks import BUSY
from tests.match.driver import NONCES, SECRET, Driver
from tests.match.match_play import ROOM, holes, match_play, naive, win

WINNER = {"0": 0, "1": 1, "=": None}


def played(text: str, **options: Any) -> dict[str, Any]:
    """Return how a match of 18 holes stands after these, in numbers."""
    room = replace(ROOM, holes=18, **options)
    now = stands(room, (0, 1), [WINNER[letter] for letter in text], None)
    return {name: getattr(now, name) for name in ("leader", "up", "left", "dormie", "over", "winner")}


def row(leader: int | None, up: int, left: int, state: str = "", winner: int | None = None) -> dict[str, Any]:
    """Return a line of the table; `state` is dormie, over, or neither."""
    names = ("leader", "up", "left", "dormie", "over", "winner")
    return dict(zip(names, (leader, up, left, state == "dormie", state == "over", winner), strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", row(None, 0, 18)),  # all square before the first hole
        ("0", row(0, 1, 17)),  # 1 up, and 1 down for the other
        ("11", row(1, 2, 16)),  # 2 up for seat 1, 2 down for seat 0
        ("01", row(None, 0, 16)),  # all square
        ("0=1=", row(None, 0, 14)),
        ("0" * 8 + "=", row(0, 8, 9)),
        ("0" * 9, row(0, 9, 9, "dormie")),  # nine up with nine to play
        ("=" * 15 + "00", row(0, 2, 1, "over", 0)),  # 2&1
        ("=" * 14 + "00", row(0, 2, 2, "dormie")),
        ("=" * 13 + "000", row(0, 3, 2, "over", 0)),  # 3&2, the rules' own example
        ("=" * 13 + "111", row(1, 3, 2, "over", 1)),
        ("0" * 10, row(0, 10, 8, "over", 0)),  # 10&8, the most that there is
        ("=" * 17, row(None, 0, 1)),
        ("=" * 16 + "0", row(0, 1, 1, "dormie")),
        ("=" * 17 + "0", row(0, 1, 0, "over", 0)),  # decided on the last hole: 1 up
        ("=" * 16 + "00", row(0, 2, 0, "over", 0)),  # 1 up before it: 2 up on the last
        ("=" * 16 + "01", row(None, 0, 0, "over")),  # halved at the end
        ("=" * 18, row(None, 0, 0, "over")),
    ],
)
def test_the_words_of_match_play(text: str, expected: dict[str, Any]) -> None:
    """Lead, holes left, dormie and the end are what rules.md says."""
    assert played(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=" * 18, row(None, 0, 0)),  # level: it goes on
        ("=" * 18 + "0", row(0, 1, 0, "over", 0)),
        ("=" * 16 + "01" + "===" + "1", row(1, 1, 0, "over", 1)),
        ("=" * 18 + "=" * 8, row(None, 0, 0)),
        ("=" * 18 + "=" * 8 + "1", row(1, 1, 0, "over", 1)),
        ("=" * 18 + "=" * 9, row(None, 0, 0, "over")),  # nine more, then halved
        ("=" * 17 + "0", row(0, 1, 0, "over", 0)),  # not level: no sudden death
        ("=" * 16 + "0", row(0, 1, 1, "dormie")),
    ],
)
def test_sudden_death(text: str, expected: dict[str, Any]) -> None:
    """A level match goes on until a hole is won, for nine holes at most."""
    assert played(text, sudden_death=True) == expected


def result(ending: Ending, traditional: int, app: int) -> Result:
    """Return a result of which the end and the scores matter."""
    return Result(ending, max(0, traditional), 0, traditional, app, 0, 0)


@pytest.mark.parametrize(
    ("scoring", "ours", "theirs", "winner"),
    [
        ("traditional", result("stuck", 4, 270), result("stuck", 5, 250), 3),
        ("traditional", result("stuck", 5, 250), result("stuck", 4, 270), 6),
        ("traditional", result("stuck", 5, 250), result("timed_out", 5, 250), None),
        # The two scores disagree: two clears tie at 350 while -3 beats -1.
        ("traditional", result("cleared", -1, 350), result("cleared", -3, 350), 6),
        ("app", result("cleared", -1, 350), result("cleared", -3, 350), None),
        ("app", result("stuck", 18, 0), result("stuck", 17, 10), 6),
        ("app", result("stuck", 10, 150), result("stuck", 17, 10), 3),
        # Giving up loses outright, whatever the score.
        ("traditional", result("gave_up", 1, 0), result("timed_out", 35, 0), 6),
        ("traditional", result("stuck", 30, 0), result("gave_up", 2, 0), 3),
        ("app", result("gave_up", 1, 330), result("stuck", 35, 0), 6),
        # Two that gave up compare scores; timing out counts by score.
        ("traditional", result("gave_up", 7, 0), result("gave_up", 9, 0), 3),
        ("traditional", result("gave_up", 9, 0), result("gave_up", 9, 0), None),
        ("traditional", result("timed_out", 3, 0), result("stuck", 4, 270), 3),
    ],
)
def test_who_wins_a_hole(scoring: Any, ours: Result, theirs: Result, winner: int | None) -> None:
    """The better deciding score wins a hole, equal is halved, and giving up loses it."""
    assert hole_winner({3: ours, 6: theirs}, scoring) == winner


@given(st.text("01=", max_size=27), st.integers(1, 18), st.booleans())
def test_the_lead_is_the_sum_of_the_holes(text: str, count: int, sudden: bool) -> None:
    """As far as a match goes its lead is the sum of its holes, and it ends exactly when the rules' sentences say."""
    options = replace(ROOM, holes=count, sudden_death=sudden)
    for thru in range(len(text) + 1):
        part = text[:thru]
        now = stands(options, (0, 1), [WINNER[letter] for letter in part], None)
        lead, ended = naive(options, part)
        assert now.up == abs(part.count("0") - part.count("1")) == abs(lead)
        assert now.leader == (None if lead == 0 else 0 if lead > 0 else 1)
        assert (now.thru, now.left) == (thru, max(0, count - thru))
        assert now.over == ended
        assert now.dormie == (not ended and 0 < abs(lead) == count - thru)
        assert now.winner == (now.leader if ended else None)
        if ended:
            return


@given(st.text("01=", min_size=12, max_size=12), st.integers(1, 3), st.booleans())
def test_a_match_ends_when_its_standing_says(text: str, count: int, sudden: bool) -> None:
    """Played out, hole after hole opens until the match is over, and none after that."""
    driver = match_play(holes=count, sudden_death=sudden)
    for thru, letter in enumerate(text, 1):
        win(driver, WINNER[letter])
        lead, ended = naive(driver.state.options, text[:thru])
        now = driver.folded[None]["match"]["standing"]
        assert (now["up"], now["over"], now["thru"]) == (abs(lead), ended, thru)
        assert driver.folded[0]["match"]["card"][-1]["winner"] == WINNER[letter]
        if ended:
            break
        driver.next_hole()
    assert driver.state.phase == "ended"
    assert len(driver.state.closed) == thru
    assert replay(driver.entries) == driver.state


def test_an_early_end() -> None:
    """Two up with one to play is the end of three holes; nobody waits for the third."""
    driver = match_play()
    holes(driver, "0")
    win(driver, 0)
    assert driver.state.phase == "ended"
    assert standing(driver.state) == stands(ROOM, (0, 1), [0, 0], None)
    assert driver.state.starts_at_ms == 0
    assert places(driver.state) == {0: 1, 1: 2}
    view = driver.folded[1]
    assert view["match"]["standing"] == {
        "leader": 0,
        "up": 2,
        "left": 1,
        "thru": 2,
        "dormie": False,
        "over": True,
        "winner": 0,
        "conceded": None,
    }
    assert [hole["winner"] for hole in view["match"]["card"]] == [0, 0]


def test_places_follow_the_lead() -> None:
    """Who is up is first, whatever the strokes; all square is shared; nobody has a place before the first close."""
    driver = match_play(holes=9)
    assert places(driver.state) == {}
    holes(driver, "0")
    assert places(driver.state) == {0: 1, 1: 2}
    holes(driver, "1")
    assert places(driver.state) == {0: 1, 1: 1}
    # One hole lost by many strokes and two won by few: strokes don't count.
    holes(driver, "11")
    assert driver.folded[None]["seats"]["1"]["place"] == 1


def test_a_halved_match_is_shared() -> None:
    """Level at the end without sudden death: both are first."""
    driver = match_play(holes=2)
    holes(driver, "01")
    assert driver.state.phase == "ended"
    assert places(driver.state) == {0: 1, 1: 1}


def test_sudden_death_goes_on_to_the_ninth_hole_more() -> None:
    """Eighteen halved holes and nine more are halved; each extra hole is dealt from the secret, as all are."""
    driver = match_play(holes=18, sudden_death=True)
    holes(driver, "=" * 27)
    assert driver.state.phase == "ended"
    assert (len(driver.state.closed), places(driver.state)) == (27, {0: 1, 1: 1})
    nonces = {0: NONCES[0], 1: NONCES[1]}
    assert [hole.code for hole in driver.state.closed] == [
        sealed_code("golf", "E", 2, SECRET, nonces, hole) for hole in range(1, 28)
    ]
    assert driver.folded[0]["seats"]["0"]["nines"] == [
        {"thru": 9, "traditional": 315, "app": 0, "to_par": 270},
        {"thru": 9, "traditional": 315, "app": 0, "to_par": 270},
    ]
    assert driver.folded[0]["seats"]["0"]["totals"]["thru"] == 27


def test_the_extra_holes_of_typed_deals_are_sealed() -> None:
    """Who typed a deal in has not seen the hole that follows it: its code is hidden until it closes."""
    driver = match_play(holes=1, sudden_death=True, deals=(BUSY,))
    assert driver.folded[1]["match"]["code"] == BUSY
    holes(driver, "=")
    sealed = sealed_code("golf", "E", 2, SECRET, {0: NONCES[0], 1: NONCES[1]}, 2)
    assert driver.state.code == sealed
    assert driver.folded[1]["match"]["code"] is None
    win(driver, 1)
    assert driver.folded[1]["match"]["code"] == sealed
    assert driver.state.phase == "ended"


def test_giving_up_loses_the_hole_to_a_worse_board() -> None:
    """A seat gives up with fewer cards left than the other has when its time runs out, and has lost the hole."""
    driver = match_play(holes=1, deals=(BUSY,))
    driver.script("0:PPG")
    driver.wait(60_000)
    mine, theirs = (driver.state.closed[0].results[seat] for seat in (0, 1))
    assert (mine.ending, theirs.ending) == ("gave_up", "timed_out")
    assert mine.traditional < theirs.traditional
    assert driver.folded[None]["match"]["standing"]["winner"] == 1


def test_two_that_give_up_compare_scores() -> None:
    """The one with fewer cards left wins the hole."""
    driver = match_play(holes=1, deals=(BUSY,))
    driver.script("0:PG 1:PPG")
    assert driver.folded[None]["match"]["card"][0]["winner"] == 1


@pytest.mark.parametrize("before", ["", "1", "1="])
def test_leaving_concedes_the_match(before: str) -> None:
    """Whoever is ahead: who leaves has lost, the match is over at once, and the open hole counts for nobody."""
    driver = match_play(holes=5)
    holes(driver, before)
    driver.script("0:D")
    driver.must(Leave(1))
    assert isinstance(driver.wait()[0], MatchEnded)
    assert (driver.state.phase, driver.state.abandoned, driver.state.deadline_ms) == ("ended", False, 0)
    now = standing(driver.state)
    assert now is not None
    assert (now.over, now.winner, now.conceded, now.thru) == (True, 0, 1, len(before))
    assert places(driver.state) == {0: 1, 1: 2}
    view = driver.folded[0]
    assert view["you"]["moves"] == []
    assert view["match"]["code"] == driver.state.code
    assert len(view["match"]["card"]) == len(before)
    assert replay(driver.entries) == driver.state


def test_leaving_between_two_holes_concedes() -> None:
    """No further hole opens."""
    driver = match_play()
    win(driver, 1)
    driver.must(Leave(1))
    assert driver.wait() == [MatchEnded(abandoned=False)]
    assert places(driver.state) == {0: 1, 1: 2}


def test_the_first_to_leave_concedes() -> None:
    """When both go before anything else happens the second has won, and nobody is left."""
    driver = match_play()
    driver.must(Leave(0), Leave(1))
    assert driver.wait() == [MatchEnded(abandoned=True)]
    now = standing(driver.state)
    assert now is not None
    assert (now.winner, now.conceded) == (1, 0)


def test_leaving_after_the_end_concedes_nothing() -> None:
    """A match that was won stays won."""
    driver = match_play()
    holes(driver, "00")
    driver.must(Leave(0))
    assert driver.state.conceded is None
    assert places(driver.state) == {0: 1, 1: 2}


def test_a_seat_that_is_put_out_has_lost() -> None:
    """A seat that is kicked after a minute away can't play on; one that is closed for a hole has lost that hole."""
    driver = match_play(holes=3)
    driver.world = World({1: driver.now_ms - 60_000})
    driver.must(CloseSeat(0, 1, 1))
    driver.wait(60_000)
    assert driver.folded[0]["match"]["standing"]["leader"] == 0
    assert driver.state.phase == "between"
    driver.must(Kick(0, 1))
    driver.wait()
    now = standing(driver.state)
    assert now is not None
    assert (driver.state.phase, now.winner, now.conceded) == ("ended", 0, 1)


def test_leaving_stroke_play_concedes_nothing() -> None:
    """In stroke play the others play on, and there is no standing of holes."""
    driver = Driver(Options(seats=2, holes=2))
    driver.seat_all(2)
    driver.must(Leave(1))
    driver.wait()
    assert (driver.state.phase, driver.state.conceded) == ("playing", None)
    view = driver.folded[0]["match"]
    assert view["standing"] is None
    driver.script("0:G")
    assert "winner" not in driver.folded[0]["match"]["card"][0]


def test_match_play_wants_two() -> None:
    """The host can't start alone; with the other seat taken it can."""
    driver = Driver(ROOM)
    assert driver.folded[0]["match"]["standing"] is None
    driver.must(Ready(0, True))
    assert driver.refused(Start(0)) == "too_few"
    assert driver.wait() == []
    driver.join_all(2)
    driver.must(Ready(1, True, NONCES[1]))
    driver.wait()
    driver.wait(3_000)
    assert driver.state.phase == "playing"
    assert driver.folded[0]["match"]["standing"]["thru"] == 0


def test_a_room_of_three_can_not_become_match_play() -> None:
    """The seats that are taken must fit."""
    driver = Driver(Options(seats=3))
    driver.join_all(3)
    assert driver.refused(SetOptions(0, ROOM)) == "seats_taken"
    driver.must(Leave(2), SetOptions(0, ROOM))
    assert driver.state.options == ROOM


def test_a_takeover_concedes_nothing() -> None:
    """A newer page of a seat is the same seat."""
    driver = match_play()
    driver.must(Claim(1))
    assert driver.wait() == []
    assert driver.state.conceded is None


def test_nines_are_of_eighteen_holes() -> None:
    """The front nine is what was closed of holes 1 to 9, the back nine of 10 to 18; shorter rounds have none."""
    driver = match_play(holes=18)
    holes(driver, "=0=1=0=1=" + "0=")
    front, back = driver.folded[1]["seats"]["1"]["nines"]
    assert (front["thru"], back["thru"]) == (9, 2)
    whole = driver.folded[1]["seats"]["1"]["totals"]
    assert {name: front[name] + back[name] for name in front} == {name: whole[name] for name in front}
    assert match_play(holes=17).folded[0]["seats"]["0"]["nines"] is None


def test_stroke_play_of_eighteen_has_nines_too() -> None:
    """Nines do not depend on the format, and a match of stroke play ends after its holes."""
    driver = Driver(Options(seats=2, holes=18, hole_seconds=0))
    driver.seat_all(2)
    for _ in range(18):
        driver.script("0:G 1:G")
        driver.next_hole()
    assert (driver.state.phase, driver.state.hole) == ("ended", 18)
    assert [nine["thru"] for nine in driver.folded[0]["seats"]["0"]["nines"]] == [9, 9]
    assert sum(isinstance(entry.body, HoleOpened) for entry in driver.entries) == 18
