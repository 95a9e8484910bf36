"""Strangers who were seated together: nobody waits for one who does not come, and none of them rules over the others."""

from dataclasses import replace
from random import Random

from server.match.commands import AddBot, Join, Kick, Leave, Ready, SetOptions, Start
from server.match.due import wakes_at
from server.match.entries import Created, Entry, MatchEnded, SeatLeft
from server.match.evolve import evolve
from server.match.options import Options
from server.match.state import GATHER_MS
from server.match.view import snapshot
from tests.match.driver import SECRET, Driver


def strangers(count: int = 3) -> Driver:
    """Give a quick match just made, nobody ready."""
    driver = Driver(Options(seats=count))
    seated = tuple((number, f"Player {number}", f"{number:064x}") for number in range(count))
    created = Created("m" * 26, "ABCDEFGH", driver.options, SECRET, 0, seated, 2, quick=True)
    driver.entries = [Entry(1, driver.now_ms, created)]
    driver.state = evolve(None, driver.entries[0])
    driver.folded = {}
    driver._settle_viewers()
    return driver


def test_it_starts_when_all_are_there() -> None:
    """Everybody ready: the countdown runs at once, without a word of the host's."""
    driver = strangers(4)
    assert snapshot(driver.state, 0)["match"]["quick"]
    driver.must(*(Ready(seat, True) for seat in range(4)))
    driver.wait()
    assert driver.state.phase == "countdown"
    driver.wait(3_000)
    assert driver.state.phase == "playing"
    assert not snapshot(Driver(Options()).state, 0)["match"]["quick"]


def test_who_does_not_come_is_not_waited_for() -> None:
    """After twelve seconds the seats of those who are not ready are free, and the others begin."""
    driver = strangers(4)
    driver.must(Ready(1, True), Ready(3, True))
    assert wakes_at(driver.state) == driver.entries[0].at_ms + GATHER_MS
    assert driver.wait(GATHER_MS - 100) == []
    done = driver.wait(100)
    assert done[:2] == [SeatLeft(0), SeatLeft(2)]
    assert driver.state.phase == "countdown"
    assert driver.state.host == 1
    driver.wait(3_000)
    assert driver.state.playing() == [1, 3]


def test_one_who_is_left_is_in_a_room_of_their_own() -> None:
    """Who alone came may take a bot, or be joined by anybody; the room is no dead end."""
    driver = strangers(3)
    driver.must(Ready(2, True))
    driver.wait(GATHER_MS)
    assert driver.state.here().keys() == {2}
    assert driver.state.host == 2
    assert driver.state.phase == "lobby"
    assert wakes_at(driver.state) == 0
    driver.must(AddBot(2, "searching", "b" * 32, "b" * 64), Ready(0, True))
    driver.wait()
    assert driver.state.phase == "countdown"


def test_nobody_came_at_all() -> None:
    """A match whose people all stayed away ends by itself."""
    driver = strangers(2)
    assert driver.wait(GATHER_MS) == [SeatLeft(0), SeatLeft(1), MatchEnded(abandoned=True)]


def test_a_bot_is_never_late() -> None:
    """A house player that is just coming in keeps its seat."""
    driver = strangers(3)
    driver.must(Ready(0, True), Leave(1), Leave(2), AddBot(0, "greedy", "b" * 32, "b" * 64))
    assert driver.wait(GATHER_MS) == []
    driver.must(Ready(1, True))
    driver.wait()
    assert driver.state.phase == "countdown"


def test_a_stranger_who_hosts_has_no_say() -> None:
    """Before the start the host, who is one by chance, puts nobody out and changes no rule; a bot may be put out."""
    driver = strangers(3)
    driver.must(Leave(2), AddBot(0, "greedy", "b" * 32, "b" * 64))
    assert driver.refused(Kick(0, 1)) == "not_open"
    assert driver.refused(SetOptions(0, replace(driver.state.options, undo="all"))) == "not_open"
    assert driver.refused(Start(0)) == "not_ready"
    driver.must(Kick(0, 2), Join("Dora", "d" * 64))
    driver.must(*(Ready(seat, True) for seat in range(3)))
    driver.wait()
    driver.wait(3_000)
    driver.play_all(Random(4))
    assert driver.state.phase == "ended"
