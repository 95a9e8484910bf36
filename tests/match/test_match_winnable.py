"""Winnable deals only: the first in the secret's order that can be cleared, decided before the hole, shown after it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from server.match.commands import Ready, SetOptions
from server.match.decide import World
from server.match.due import due, wakes_at
from server.match.entries import HoleOpened
from server.match.options import Options, check
from server.match.record import record
from server.match.sums import SUMS, sums_of
from server.match.verify import verify
from server.match.winnable import MOST_SKIPPED, DealFound, deal_wanted
from server.rules.best import best_of
from server.rules.codes import match_code, parse_code
from server.rules.shuffle import mixed_hole_value
from tests.match.driver import NONCES, SECRET, Driver, first_winnable

STRICT = Options(seats=2, holes=2, rule="strict", winnable=True)


def counting(options: Options = STRICT, **given: Any) -> Driver:
    """Give a match whose countdown runs."""
    driver = Driver(options, **given)
    driver.join_all(options.seats)
    for seat in range(options.seats):
        driver.must(Ready(seat, True, NONCES[seat]))
    driver.wait()
    assert driver.state.phase == "countdown"
    return driver


def test_it_is_the_first_in_the_order_that_the_secret_gives() -> None:
    """Each candidate follows from secret, nonces, hole and its number alone; those before the deal can't be cleared."""
    driver = counting()
    driver.now_ms += 3_000
    driver.solve()
    opened = driver.entries[-1].body
    assert isinstance(opened, HoleOpened)
    nonces = {seat: bytes.fromhex(NONCES[seat]) for seat in (0, 1)}
    codes = [
        match_code("golf", "S", mixed_hole_value(bytes.fromhex(SECRET), nonces, 1, attempt))
        for attempt in range(opened.skipped + 1)
    ]
    assert opened.code == codes[-1]
    assert [best_of(code).cleared for code in codes] == [False] * opened.skipped + [True]
    assert opened.skipped > 0, "a strict deal is seldom winnable: this secret passes some over"


def test_a_hole_waits_for_its_deal_and_nothing_else_does() -> None:
    """Nothing opens before it is found, the clock rings in vain for nobody, and the room may still be changed."""
    driver = counting()
    starts_at = driver.state.starts_at_ms
    assert driver.wait(10_000) == []
    assert driver.state.phase == "countdown"
    assert wakes_at(driver.state) == wakes_at(driver.state, driver.world) == 0
    needed = deal_wanted(driver.state)
    assert needed is not None
    driver.world = World(deals={needed: first_winnable(needed)})
    assert wakes_at(driver.state, driver.world) == starts_at
    late = due(driver.state, driver.world, driver.now_ms)
    assert isinstance(late, HoleOpened)
    assert late.opened_at_ms == 0, "it opens when it was found: nobody loses time"
    driver.must(SetOptions(0, replace(STRICT, winnable=False)))
    assert deal_wanted(driver.state) is None


def test_what_was_found_for_other_nonces_is_not_taken() -> None:
    """A countdown that begins anew fixes the nonces anew, and with them the deal."""
    driver = counting()
    first = deal_wanted(driver.state)
    assert first is not None
    driver.must(Ready(1, False))
    assert deal_wanted(driver.state) is None
    driver.must(Ready(1, True, "0f" * 16))
    driver.wait()
    driver.world = World(deals={first: DealFound(first.candidate(0), 0)})
    assert driver.wait(5_000) == []
    assert deal_wanted(driver.state) not in (None, first)


def test_the_next_deal_is_wanted_while_a_hole_is_played_and_none_after_the_last() -> None:
    """So that nobody waits between holes; and in a match of one seat from the start."""
    driver = counting()
    driver.now_ms += 3_000
    driver.solve()
    second = deal_wanted(driver.state)
    assert second is not None
    assert second.hole == 2
    driver.script("0:G 1:G")
    assert deal_wanted(driver.state) == second
    driver.next_hole()
    assert driver.state.phase == "between"
    driver.solve()
    assert (driver.state.phase, driver.state.hole) == ("playing", 2)
    assert deal_wanted(driver.state) is None
    alone = Driver(Options(seats=1, rule="R", winnable=True))
    assert alone.wait() == []
    alone.solve()
    assert best_of(alone.state.code).cleared


def test_nothing_of_it_is_told_before_the_close() -> None:
    """Neither the code, nor the candidates, nor how many were passed over is in any view while the hole is open."""
    driver = counting()
    driver.now_ms += 3_000
    driver.solve()
    opened = driver.entries[-1].body
    assert isinstance(opened, HoleOpened)
    needed = replace(deal_wanted(driver.state), hole=1)  # type: ignore[type-var]
    for view in driver.folded.values():
        text = json.dumps(view)
        assert "skipped" not in text
        assert view["match"]["best"] == {}
        for attempt in range(opened.skipped + 2):
            assert needed.candidate(attempt).rpartition("-")[2] not in text


def test_a_record_says_it_and_the_check_solves_the_skipped_ones_again() -> None:
    """More or fewer than it was is named, by the code without a solver, and by the solver where the code was made fit."""
    driver = counting(replace(STRICT, holes=1))
    driver.now_ms += 3_000
    driver.solve()
    needed = deal_wanted(counting(replace(STRICT, holes=1)).state)
    assert needed is not None
    driver.script("0:G 1:G")
    made = record(driver.entries)
    skipped = made["holes"][0]["skipped"]
    assert verify(made, best_of).faults == ()

    def spoiled(**changes: Any) -> Any:
        spoil = json.loads(json.dumps(made))
        spoil["holes"][0].update(changes)
        spoil[SUMS] = sums_of(spoil)
        return spoil

    def named(value: Any, **more: Any) -> set[str]:
        return {fault.field for fault in verify(value, **more).faults}

    assert "holes[0].code" in named(spoiled(skipped=skipped - 1))
    for other in (skipped - 1, skipped + 1):
        fits = spoiled(skipped=other, code=needed.candidate(other))
        assert "holes[0].skipped" not in named(fits)
        assert "holes[0].skipped" in named(fits, solve=best_of)
    assert "holes[0].skipped" in named(spoiled(skipped=MOST_SKIPPED + 1))
    plain = spoiled(skipped=1)
    plain["options"]["winnable"] = False
    assert "holes[0].skipped" in named(plain)


@pytest.mark.parametrize("deals", [(), ("GO2-E-AAAAAAB",)])
def test_typed_deals_are_played_as_they_are(deals: tuple[str, ...]) -> None:
    """Nothing is passed over of what somebody typed in: the two options contradict each other."""
    wanted = "winnable" if deals else None
    assert check(Options(holes=1, deals=tuple(parse_code(deal).text for deal in deals), winnable=True)) == wanted


def test_a_room_from_before_there_were_attempts_cannot_have_it() -> None:
    """A match of the first derivation knows no second candidate."""
    driver = Driver(Options(seats=2), sealing=1)
    assert driver.refused(SetOptions(0, STRICT)) == "bad_options"
    assert driver.do(SetOptions(0, replace(STRICT, winnable=False))) is None
