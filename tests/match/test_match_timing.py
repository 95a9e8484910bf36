"""Time in a match: deadlines, the last seat, the next hole, catching up, and outages that are given back."""

import pytest

from server.match.commands import CloseSeat, DrawCard, GiveUp, Next, Ready
from server.match.decide import World
from server.match.due import wakes_at
from server.match.entries import HoleClosed, HoleOpened, MatchEnded, TimeGiven
from server.match.options import Options
from tests.match.decks import BARREN, BUSY, LAST_PLAY
from tests.match.driver import Driver


def playing(seats: int = 2, **options: object) -> Driver:
    """Give a match whose first hole is open."""
    driver = Driver(Options(**{"holes": 2, **options}))
    driver.seat_all(seats)
    return driver


def test_a_hole_has_four_minutes_by_default() -> None:
    """Four minutes after it opened the hole closes; who still plays has timed out."""
    driver = playing()
    opened = driver.state.opened_at_ms
    assert driver.folded[0]["match"]["deadline"] == opened + 240_000 == wakes_at(driver.state)
    assert driver.wait(opened + 240_000 - driver.now_ms - 1) == []
    closed = driver.wait(1)[0]
    assert isinstance(closed, HoleClosed)
    assert closed.closed_at_ms == opened + 240_000
    assert {result.ending for result in closed.results.values()} == {"timed_out"}
    assert driver.hand(0).ended_at_ms == opened + 240_000


def test_moves_after_the_deadline_are_too_late() -> None:
    """At the deadline itself a hole is over for moves, even before anybody closed it."""
    driver = playing()
    driver.now_ms = driver.state.deadline_ms
    assert driver.refused(DrawCard(0, 16)) == "hole_over"
    driver.now_ms -= 1
    driver.must(DrawCard(0, 16))


def test_without_limit_a_hole_stays_open() -> None:
    """A private room without a limit waits for its players."""
    driver = playing(hole_seconds=0)
    assert driver.folded[0]["match"]["deadline"] is None
    assert driver.wait(10_000_000) == []
    assert driver.state.phase == "playing"


@pytest.mark.parametrize("seconds", [0, 240])
def test_the_last_seat_has_sixty_seconds(seconds: int) -> None:
    """Once all others have ended, the last seat has at most 60 s more, with or without a limit."""
    driver = playing(3, hole_seconds=seconds)
    driver.must(GiveUp(0, 1))
    assert driver.state.deadline_ms == (driver.state.opened_at_ms + 240_000 if seconds else 0)
    driver.must(GiveUp(1, 1))
    ended = driver.entries[-1].at_ms
    assert driver.folded[2]["match"]["deadline"] == ended + 60_000
    driver.wait(ended + 60_000 - driver.now_ms - 1)
    assert driver.state.phase == "playing"
    driver.wait(1)
    assert driver.state.phase == "between"
    assert driver.state.closed_at_ms == ended + 60_000
    assert driver.state.closed[0].results[2].ending == "timed_out"


def test_the_last_seat_has_no_more_than_the_hole() -> None:
    """With less than 60 s to go the hole's own deadline stands."""
    driver = playing()
    deadline = driver.state.deadline_ms
    driver.now_ms = deadline - 10_000
    driver.must(GiveUp(0, 1))
    assert driver.state.deadline_ms == deadline


def test_who_plays_alone_is_not_hurried() -> None:
    """The 60 s are for somebody's waiting: one seat alone, or alone since a hole before, has none."""
    driver = playing(2, hole_seconds=0)
    driver.script("1:L 0:G")
    driver.must(Next(0, 1))
    driver.wait()
    assert driver.state.hole == 2
    assert driver.state.deadline_ms == 0


def test_the_last_seats_time_ends_with_the_hole() -> None:
    """The next hole begins with its own time, not with what is left of the last seat's."""
    driver = playing(2)
    driver.script("0:G 1:G")
    driver.must(Next(0, 1), Next(1, 1))
    driver.wait()
    assert driver.state.deadline_ms == driver.state.opened_at_ms + 240_000


def test_stuck_when_the_time_passes_is_stuck() -> None:
    """A seat that is stuck, and could still undo, is stuck when the time passes, not timed out."""
    driver = playing(2, deals=(LAST_PLAY,), holes=1)
    driver.act(0, "D" * 16 + "P")
    assert driver.hand(0).ending == "stuck"
    assert not driver.hand(0).ended
    driver.wait(240_000)
    results = driver.state.closed[0].results
    assert (results[0].ending, results[0].app, results[0].traditional) == ("stuck", 0, 34)
    assert results[1].ending == "timed_out"


# -- closing an offline seat


def test_an_offline_seat_is_closed_after_a_minute() -> None:
    """A seat 60 s offline may be closed for this hole by any other, which counts as given up."""
    driver = playing(3)
    driver.world = World({1: driver.now_ms})
    driver.now_ms += 59_999
    assert driver.refused(CloseSeat(2, 1, 1)) == "seat_online"
    driver.now_ms += 1
    assert driver.refused(CloseSeat(2, 1, 2)) == "stale"
    driver.must(CloseSeat(2, 1, 1))
    assert driver.hand(1).ending == "gave_up"
    assert driver.state.seats[1].standing == "here"
    assert driver.refused(CloseSeat(2, 1, 1)) == "hole_over"
    assert driver.refused(CloseSeat(2, 2, 1)) == "no_such_seat"


def test_a_stuck_offline_seat_is_closed_as_stuck() -> None:
    """Who had no move left has given nothing up."""
    driver = playing(2, deals=(LAST_PLAY,), holes=1)
    driver.act(1, "D" * 16 + "P")
    driver.world = World({1: driver.now_ms - 60_000})
    driver.must(CloseSeat(0, 1, 1))
    assert driver.hand(1).ending == "stuck"


# -- between holes


def test_the_next_hole_starts_by_itself_after_twenty_seconds() -> None:
    """Twenty seconds after the last closed the next hole opens, at that very time."""
    driver = playing()
    driver.script("0:G 1:G")
    starts = driver.state.closed_at_ms + 20_000
    assert driver.folded[0]["match"]["starts_at"] == starts
    assert driver.wait(starts - driver.now_ms - 1) == []
    assert isinstance(driver.wait(1)[0], HoleOpened)
    assert driver.state.opened_at_ms == starts


def test_the_next_hole_starts_sooner_when_all_say_next() -> None:
    """When everybody who is there says next it opens at once; who is offline is not waited for."""
    driver = playing(3)
    driver.script("0:G 1:G 2:G")
    driver.must(Next(0, 1))
    assert driver.folded[1]["seats"]["0"]["next"] is True
    assert driver.wait() == []
    driver.must(Next(1, 1))
    assert driver.wait() == []
    driver.world = World({2: driver.now_ms})
    assert isinstance(driver.wait()[0], HoleOpened)
    assert not any(seat.next for seat in driver.state.seats.values())


def test_nobody_there_to_say_next_waits_for_the_clock() -> None:
    """All being offline does not start a hole early."""
    driver = playing(2)
    driver.script("0:G 1:G")
    driver.world = World({0: driver.now_ms, 1: driver.now_ms})
    assert driver.wait() == []
    assert driver.state.phase == "between"


def test_alone_the_next_hole_waits() -> None:
    """A game alone goes on only when its player says so."""
    driver = Driver(Options(seats=1, holes=2))
    driver.wait()
    driver.script("0:G")
    assert driver.folded[0]["match"]["starts_at"] is None
    assert driver.wait(10_000_000) == []
    driver.must(Next(0, 1))
    driver.wait()
    assert driver.state.hole == 2


def test_the_match_ends_with_its_last_hole() -> None:
    """After the last hole nothing is waited for."""
    driver = playing(holes=1)
    driver.script("0:G 1:G")
    assert driver.entries[-1].body == MatchEnded(abandoned=False)
    assert driver.folded[0]["match"]["phase"] == "ended"
    assert driver.folded[0]["match"]["starts_at"] is None


def test_a_match_that_nobody_held_catches_up_in_order() -> None:
    """After a long absence everything happened when it was due, hole by hole."""
    driver = playing(2, holes=2)
    opened = driver.state.opened_at_ms
    bodies = driver.wait(10_000_000)
    assert [type(body) for body in bodies] == [HoleClosed, HoleOpened, HoleClosed, MatchEnded]
    first, second, third, _ = bodies
    assert first.closed_at_ms == opened + 240_000
    assert second.opened_at_ms == opened + 260_000
    assert third.closed_at_ms == opened + 500_000
    assert {r.ending for hole in driver.state.closed for r in hole.results.values()} == {"timed_out"}


# -- outages


def test_an_outage_is_given_back_to_the_open_hole() -> None:
    """What the engine was away is added to the hole's time, once."""
    driver = playing()
    deadline, opened = driver.state.deadline_ms, driver.state.opened_at_ms
    driver.now_ms += 10_000
    driver.world = World(outages=((driver.now_ms, driver.now_ms + 5_000),))
    assert driver.wait(5_000) == [TimeGiven(5_000, driver.now_ms - 1)]
    assert driver.state.deadline_ms == deadline + 5_000
    assert driver.state.opened_at_ms == opened + 5_000
    assert driver.folded[0]["match"]["deadline"] == deadline + 5_000
    assert driver.wait(1_000) == []


def test_an_outage_is_given_back_before_anything_falls_due() -> None:
    """An outage that reaches past the deadline closes nobody's hole."""
    driver = playing()
    deadline = driver.state.deadline_ms
    driver.world = World(outages=((deadline - 1_000, deadline + 30_000),))
    driver.now_ms = deadline + 30_000
    assert [type(body) for body in driver.wait()] == [TimeGiven]
    assert driver.state.deadline_ms == deadline + 31_000


def test_the_last_seats_time_is_given_back_too() -> None:
    """Both deadlines of a hole move."""
    driver = playing()
    driver.must(GiveUp(0, 1))
    deadline = driver.state.deadline_ms
    driver.world = World(outages=((driver.now_ms, driver.now_ms + 4_000),))
    driver.wait(4_000)
    assert driver.state.deadline_ms == deadline + 4_000


def test_an_outage_in_the_countdown_and_between_holes_is_given_back() -> None:
    """The start of the first hole and that of the next one wait as much longer."""
    driver = Driver(Options(holes=2))
    driver.join_all(2)
    driver.must(Ready(0, True), Ready(1, True))
    driver.wait()
    starts = driver.state.starts_at_ms
    outages = ((driver.now_ms + 1_000, driver.now_ms + 8_000),)
    driver.world = World(outages=outages)
    driver.wait(8_000)
    assert driver.state.phase == "countdown"
    assert driver.state.starts_at_ms == starts + 7_000
    driver.wait(3_000)
    driver.script("0:G 1:G")
    starts = driver.state.starts_at_ms
    driver.world = World(outages=(*outages, (driver.now_ms + 5_000, driver.now_ms + 50_000)))
    driver.wait(50_000)
    assert driver.state.phase == "between"
    assert driver.state.starts_at_ms == starts + 45_000


def test_an_outage_before_the_clock_started_gives_nothing() -> None:
    """What was over before the hole opened is nobody's loss; of what reached into it only that part counts."""
    driver = playing()
    opened, deadline = driver.state.opened_at_ms, driver.state.deadline_ms
    driver.world = World(outages=((opened - 9_000, opened - 1_000),))
    assert driver.wait() == []
    driver.world = World(outages=((opened - 9_000, opened + 6_000),))
    assert driver.wait(6_000) == [TimeGiven(6_000, opened + 6_000)]
    assert driver.state.deadline_ms == deadline + 6_000


def test_an_outage_after_the_deadline_gives_nothing() -> None:
    """A hole whose time had passed before the engine went away is closed at its time."""
    driver = playing(holes=1)
    deadline = driver.state.deadline_ms
    driver.world = World(outages=((deadline, deadline + 30_000),))
    driver.now_ms = deadline + 30_000
    assert [type(body) for body in driver.wait()] == [HoleClosed, MatchEnded]
    assert driver.state.closed_at_ms == deadline


def test_an_outage_is_given_to_the_clock_that_ran_when_it_began() -> None:
    """Found out about late, an outage goes to the pause in which it fell, and moves the hole after it as a whole."""
    driver = playing()
    deadline = driver.state.deadline_ms
    driver.world = World(outages=((deadline + 5_000, deadline + 15_000),))
    driver.now_ms = deadline + 100_000
    assert [type(body) for body in driver.wait()] == [HoleClosed, TimeGiven, HoleOpened]
    assert driver.state.opened_at_ms == deadline + 30_000


def test_two_outages_are_both_given_back() -> None:
    """One after the other, whether they are known at once or not."""
    driver = playing()
    now, deadline = driver.now_ms, driver.state.deadline_ms
    driver.world = World(outages=((now + 1_000, now + 4_000), (now + 10_000, now + 12_000)))
    assert driver.wait(15_000) == [TimeGiven(3_000, now + 4_000), TimeGiven(2_000, now + 12_000)]
    assert driver.state.deadline_ms == deadline + 5_000


def test_overlapping_outages_are_given_back_once() -> None:
    """The time that two reports of an outage share counts once."""
    driver = playing()
    now, deadline = driver.now_ms, driver.state.deadline_ms
    driver.world = World(outages=((now + 1_000, now + 6_000), (now + 4_000, now + 9_000)))
    driver.wait(15_000)
    assert driver.state.deadline_ms == deadline + 8_000


def test_an_outage_in_a_hole_without_limit_moves_its_clock() -> None:
    """The time that a hole shows has no outage in it, also where nothing is due."""
    driver = playing(hole_seconds=0)
    opened = driver.state.opened_at_ms
    driver.world = World(outages=((driver.now_ms, driver.now_ms + 3_000),))
    driver.wait(3_000)
    assert driver.state.opened_at_ms == opened + 3_000
    assert driver.state.deadline_ms == 0


def test_outages_matter_to_running_clocks_only() -> None:
    """A lobby, and a pause that waits for its player, have nothing to give back."""
    driver = Driver(Options(seats=1, holes=2, deals=(BARREN, BUSY)))
    outage = World(outages=((driver.now_ms + 100, driver.now_ms + 9_000),))
    driver.wait()
    driver.script("0:G")
    driver.world = outage
    assert driver.wait(10_000) == []
    room = Driver(Options())
    room.world = outage
    assert room.wait(10_000) == []
