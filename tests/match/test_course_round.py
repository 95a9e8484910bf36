"""A round of a course: an ordinary match of one seat whose holes stay closed to all until the course is over."""

import json
from random import Random
from typing import Any

import pytest

from server.match.commands import Rematch, SetOptions
from server.match.course import finished_round
from server.match.due import due, wakes_at
from server.match.entries import CourseClosed, Entry
from server.match.on_course import OnCourse
from server.match.options import Options
from server.match.record import record
from server.match.verify import verify
from server.match.view import snapshot
from tests.match.decks import BUSY
from tests.match.driver import START_MS, Driver
from tests.match.naive import cards_in

CLOSES = START_MS + 3_600_000
ALONE = Options(seats=1, holes=2, spectators="off")


def a_round(options: Options = ALONE, closes_at_ms: int = CLOSES, **more: Any) -> Driver:
    """Begin a round."""
    driver = Driver(options, course=OnCourse("c" * 26, closes_at_ms), **more)
    driver.wait()
    assert driver.state.phase == "playing"
    return driver


@pytest.mark.parametrize("deals", [(), (BUSY, BUSY)])
@pytest.mark.parametrize("undo", ["off", "plays", "all"])
def test_nothing_of_an_open_course_leaves(deals: tuple[str, ...], undo: str) -> None:
    """To its end and after it no view and no patch of a round has a code, a secret, or a card that it has not turned."""
    told: list[str] = []

    def hear(driver: Driver, entry: Entry, patches: dict[int | None, dict[str, Any]]) -> None:
        hand = driver.state.seats[0].hand
        if hand is None or driver.state.table is None:
            return
        drawn = {card for logged in hand.log for step in logged.steps for card in step[2:]}
        known = drawn | {
            str(card) for name, pile in driver.state.table.piles.items() if name != "stock" for card in pile
        }
        for viewer, view in driver.folded.items():
            for text in (json.dumps(view), json.dumps(patches.get(viewer, {}))):
                assert cards_in(text) <= known, (viewer, entry)
                assert "GO2-" not in text
                assert "GOX-" not in text
                assert driver.secret not in text
            told.append(json.dumps(view["boards"]))

    options = Options(seats=1, holes=2, undo=undo, spectators="live", deals=deals)
    driver = a_round(options, watchers=[hear])
    driver.play_all(Random(3))
    assert driver.state.phase == "ended"
    assert len(told) > 100
    view = driver.folded[0]
    assert [(hole["code"], hole["stock"]) for hole in view["match"]["card"]] == [(None, [])] * 2
    assert [hole["scores"]["0"]["how"] != "" for hole in view["match"]["card"]] == [True, True]
    assert view["match"]["code"] is None
    assert view["match"]["course"] == {"id": "c" * 26, "closes_at": CLOSES, "open": True}


def test_who_looks_on_sees_the_deal_alone() -> None:
    """Whoever isn't the round's own seat may play the course yet: it sees the deal, and counts."""
    driver = a_round(Options(seats=1, holes=1, spectators="live", deals=(BUSY,)))
    dealt = snapshot(driver.state, None)["boards"]["0"]
    driver.script("0:PPDP")
    assert driver.folded[None]["boards"]["0"] == dealt
    assert driver.folded[None]["seats"]["0"]["cards_left"] == 32
    driver.script("0:G")
    assert driver.folded[None]["boards"]["0"] == dealt
    driver.wait(3_600_000)
    assert driver.folded[None]["boards"]["0"] == driver.folded[0]["boards"]["0"] != dealt


def test_all_opens_when_the_course_is_over() -> None:
    """At its end, by the clock, the whole card comes with codes and stock; an unfinished round just goes on."""
    driver = a_round(Options(seats=1, holes=3, hole_seconds=0, spectators="off"))
    driver.script("0:DG")
    driver.next_hole()
    driver.script("0:DD")
    assert wakes_at(driver.state) == CLOSES
    assert driver.wait(CLOSES - driver.now_ms - 1) == []
    assert driver.folded[0]["match"]["card"][0]["code"] is None
    assert driver.wait(2) == [CourseClosed()]
    card = driver.folded[0]["match"]["card"]
    assert [hole["code"] for hole in card] == [driver.state.closed[0].code]
    assert len(card[0]["stock"]) == 16
    assert driver.folded[0]["match"]["course"]["open"] is False
    assert driver.folded[0]["match"]["code"] == driver.state.code
    assert driver.state.phase == "playing"
    driver.script("0:G")
    driver.next_hole()
    driver.script("0:G")
    driver.next_hole()
    assert driver.folded[0]["match"]["card"][2]["code"] == driver.state.closed[2].code
    assert finished_round(driver.state) is None  # too late for the table
    assert wakes_at(driver.state) == 0


def test_a_round_that_ended_still_hears_of_the_close() -> None:
    """The end of the match is not the end of its secrets; that comes with the course's, once."""
    driver = a_round(Options(seats=1, holes=1, hole_seconds=60))
    assert wakes_at(driver.state) == driver.state.hole_deadline_ms
    driver.script("0:G")
    assert (driver.state.phase, wakes_at(driver.state)) == ("ended", CLOSES)
    assert driver.wait(CLOSES) == [CourseClosed()]
    assert due(driver.state, driver.world, driver.now_ms + 10**9) is None


def test_the_record_is_the_same_whenever_it_is_made() -> None:
    """A round's record agrees with itself, and the close of its course changes nothing in it."""
    driver = a_round(ALONE)
    driver.play_all(Random(8))
    before = record(driver.entries)
    assert verify(before).faults == ()
    driver.wait(CLOSES)
    assert driver.state.course_over
    assert record(driver.entries) == before


def test_a_course_is_played_once_and_as_it_is() -> None:
    """Its options can't be changed, and there is no rematch on the same deals."""
    driver = Driver(ALONE, course=OnCourse("c" * 26, CLOSES))
    assert driver.refused(SetOptions(0, ALONE)) == "not_open"
    driver.wait()
    driver.play_all(Random(2))
    assert driver.refused(Rematch(0, "n" * 26, "HGFEDCBA", "7f" * 32)) == "not_open"


def test_which_rounds_count() -> None:
    """A round is in the table once all its holes are closed; one that was left, or is no course's, is not."""
    driver = a_round(ALONE)
    driver.script("0:G")
    assert finished_round(driver.state) is None
    driver.next_hole()
    driver.script("0:PG" if driver.plays(0) else "0:DG")
    counted = finished_round(driver.state)
    assert counted is not None
    assert (counted.name, counted.member, len(counted.results)) == ("Ada", "m" * 26 + ":0", 2)
    assert counted.ended_at_ms == driver.state.closed_at_ms
    left = a_round(ALONE)
    left.script("0:L")
    assert left.state.phase == "ended"
    assert finished_round(left.state) is None
    plain = Driver(Options(seats=1, holes=1))
    plain.wait()
    plain.script("0:G")
    assert finished_round(plain.state) is None
