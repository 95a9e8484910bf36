"""Before the start: seats, ready, countdown, host, kicks, options; and what a seat's leaving does at any time."""

from dataclasses import replace

import pytest

from server.match.commands import (
    Claim,
    Join,
    Kick,
    Leave,
    Next,
    Ready,
    SetOptions,
    Start,
)
from server.match.decide import World
from server.match.entries import CountdownStarted, HoleOpened, HostChanged, MatchEnded
from server.match.options import Options
from tests.match.driver import Driver


def lobby(seats: int = 3, **options: object) -> Driver:
    """Give a room with so many people in it, nobody ready."""
    driver = Driver(Options(holes=1, **options))
    driver.join_all(seats)
    return driver


def counting(seats: int = 3, **options: object) -> Driver:
    """Give a room whose countdown runs."""
    driver = lobby(seats, **options)
    driver.must(*(Ready(seat, True) for seat in range(seats)))
    driver.wait()
    assert driver.state.phase == "countdown"
    return driver


def test_the_countdown_takes_three_seconds() -> None:
    """When all seated, two or more, are ready, the first hole opens three seconds later, not before."""
    driver = counting()
    body = driver.entries[-1].body
    assert isinstance(body, CountdownStarted)
    assert body.starts_at_ms == driver.entries[-1].at_ms - 1 + 3_000
    assert driver.folded[0]["match"]["starts_at"] == body.starts_at_ms
    assert driver.wait(body.starts_at_ms - driver.now_ms - 1) == []
    assert isinstance(driver.wait(1)[0], HoleOpened)
    assert driver.state.opened_at_ms == body.starts_at_ms


def test_one_ready_person_waits_for_another() -> None:
    """A host alone in a room for more is not started by being ready, but may start."""
    driver = lobby(1)
    driver.must(Ready(0, True))
    assert driver.wait(60_000) == []
    driver.must(Start(0))
    driver.wait(3_000)
    assert driver.state.phase == "playing"


def test_the_host_starts_without_being_ready() -> None:
    """The host's start stands for the host's ready; the others must have said it."""
    driver = lobby(2)
    assert driver.refused(Start(0)) == "not_ready"
    driver.must(Ready(1, True), Start(0))
    driver.wait(3_000)
    assert driver.state.phase == "playing"


@pytest.mark.parametrize(
    "command",
    [
        Join("Late", "f" * 64),
        Leave(2),
        Kick(0, 2),
        Ready(1, False),
        SetOptions(0, Options(holes=1, undo="all")),
    ],
)
def test_the_countdown_is_cancelled(command: object) -> None:
    """A join, a leave, a kick, an un-ready or new options put the room back into the lobby."""
    driver = counting()
    driver.must(command)
    assert driver.state.phase == "lobby"
    assert driver.state.starts_at_ms == 0
    assert driver.folded[0]["match"]["starts_at"] is None


def test_a_claim_does_not_cancel_the_countdown() -> None:
    """A page that takes its own seat over changes nothing for the others."""
    driver = counting()
    driver.must(Claim(1))
    assert driver.state.phase == "countdown"
    assert driver.folded[1]["you"]["generation"] == 2


def test_those_who_remain_ready_count_down_again() -> None:
    """When the one that left was all they waited for, the others' countdown begins anew."""
    driver = counting()
    driver.wait(2_000)
    driver.must(Leave(2))
    assert isinstance(driver.wait()[0], CountdownStarted)
    assert driver.state.starts_at_ms > driver.now_ms + 2_900


def test_alone_starts_at_once() -> None:
    """One seat: nobody says ready, nothing counts down, the hole is open as soon as the room is there."""
    driver = Driver(Options(seats=1, undo="all", hole_seconds=0))
    bodies = driver.wait()
    assert [type(body) for body in bodies] == [HoleOpened]
    assert driver.state.opened_at_ms == driver.entries[-1].at_ms
    assert driver.folded[0]["match"]["deadline"] is None


def test_a_room_made_smaller_to_one_starts_at_once() -> None:
    """A host who turns the room into a game alone is ready by that."""
    driver = lobby(1)
    driver.must(SetOptions(0, replace(driver.state.options, seats=1)))
    assert isinstance(driver.wait()[0], HoleOpened)


def test_new_options_ask_everybody_again() -> None:
    """What was agreed to has changed: every ready falls, the host's too."""
    driver = lobby()
    driver.must(Ready(0, True), Ready(1, True), SetOptions(0, Options(holes=1, seats=3)))
    assert not any(seat.ready for seat in driver.state.seats.values())
    assert driver.folded[1]["match"]["options"]["seats"] == 3


def test_free_seats_are_filled_from_the_lowest() -> None:
    """A seat left before the start is free again, with nothing of its former owner but a later generation."""
    driver = lobby(3)
    driver.must(Claim(1), Ready(1, True), Leave(1), Join("New", "e" * 64))
    seat = driver.state.seats[1]
    assert (seat.name, seat.token_hash, seat.ready, seat.generation) == ("New", "e" * 64, False, 3)
    assert list(driver.state.seats) == [0, 1, 2]


def test_look_alike_names_are_told_apart() -> None:
    """Nobody sits down under a name that passes for another's."""
    driver = Driver(Options(seats=5))
    for number, name in enumerate(("Ali", "ALI", "A li", "Ali\u200d"), 1):
        driver.must(Join(name, f"{number:064x}"))
    assert [seat.name for seat in driver.state.seats.values()] == [
        "Ada",
        "Ali",
        "ALI (2)",
        "A li (3)",
        "Ali\u200d (4)",
    ]


def test_one_token_takes_one_seat() -> None:
    """A join that is sent twice takes no second seat."""
    driver = lobby(1)
    driver.must(Join("Bob", "b" * 64))
    assert driver.refused(Join("Bob", "b" * 64)) == "stale"
    assert len(driver.state.seats) == 2


# -- host


def test_when_the_host_leaves_the_next_seat_hosts() -> None:
    """The seat after the host's hosts; after the last one the first."""
    driver = lobby(3)
    driver.must(Leave(0))
    assert driver.state.host == 1
    assert driver.folded[2]["match"]["host"] == 1
    driver.must(Join("Zoe", "c" * 64))
    assert driver.state.host == 1
    driver.must(Leave(1))
    assert driver.state.host == 2
    driver.must(Leave(2))
    assert driver.state.host == 0


def test_the_next_seat_hosts_during_play_too() -> None:
    """A host that leaves while a hole is open hands over to the next seat that is still in the match."""
    driver = Driver(Options(holes=2))
    driver.seat_all(3)
    driver.must(Leave(1), Leave(0))
    assert driver.state.host == 2


def test_who_is_not_the_host_leaves_the_host() -> None:
    """Another's leaving changes no host."""
    driver = lobby(3)
    driver.must(Leave(1))
    assert driver.state.host == 0


@pytest.mark.parametrize(
    ("offline", "host"),
    [
        ({}, 0),
        ({1: 0}, 0),
        ({0: 0}, 1),
        ({0: 0, 1: 0}, 2),
        ({0: 0, 1: 30_000}, 2),
        ({0: 0, 1: 0, 2: 0}, 0),
    ],
)
def test_a_host_who_is_away_hands_over(offline: dict[int, int], host: int) -> None:
    """After the host was offline for 30 s the next seat that is online hosts; nobody online, nobody new."""
    driver = lobby(3)
    start = driver.now_ms
    driver.world = World({seat: start + since for seat, since in offline.items()})
    assert driver.wait(29_999) == []
    driver.wait(1)
    assert driver.state.host == host


def test_the_turn_to_host_goes_round() -> None:
    """After the last seat the first one that is online hosts."""
    driver = lobby(3)
    driver.apply(HostChanged(2))
    driver.world = World({2: driver.now_ms, 0: driver.now_ms})
    assert driver.wait(30_000) == [HostChanged(1)]


def test_an_absent_host_hands_over_during_play() -> None:
    """Also while a hole is open and between holes."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(2)
    driver.world = World({0: driver.now_ms})
    assert driver.wait(30_000) == [HostChanged(1)]
    assert driver.wait(30_000) == []


# -- kick, leave, late joiners


def test_a_kicked_seat_cannot_come_back() -> None:
    """Before the start the host may put anybody out; the place is free, its owner's token is not welcome."""
    driver = lobby(3)
    driver.must(Kick(0, 1))
    assert list(driver.state.seats) == [0, 2]
    assert "1" not in driver.folded[2]["seats"]
    assert driver.refused(Join("Player 1", f"{1:064x}")) == "kicked"
    driver.must(Join("Other", "d" * 64))


def test_a_kick_during_play_needs_a_minute_offline() -> None:
    """After the start only a seat that has been offline for 60 s is put out, which gives its hole up."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(3)
    assert driver.refused(Kick(0, 1)) == "seat_online"
    driver.world = World({1: driver.now_ms})
    driver.now_ms += 59_999
    assert driver.refused(Kick(0, 1)) == "seat_online"
    driver.now_ms += 1
    driver.must(Kick(0, 1))
    assert driver.state.seats[1].standing == "kicked"
    assert driver.hand(1).ending == "gave_up"
    assert driver.folded[0]["seats"]["1"]["state"] == "kicked"
    assert 1 not in driver.folded


def test_leaving_pays_the_penalty_and_later_holes_are_unplayed() -> None:
    """Who leaves gives the open hole up; the holes after it count 35 and 0."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(2)
    driver.act(1, "D")
    driver.must(Leave(1))
    driver.script("0:G")
    driver.must(Next(0, 1))
    driver.wait()
    assert driver.folded[0]["boards"].keys() == {"0"}
    assert driver.folded[0]["seats"]["1"]["cards_left"] is None
    driver.script("0:G")
    first, second = (hole.results[1] for hole in driver.state.closed)
    assert (first.ending, first.traditional, first.app) == ("gave_up", 35, 0)
    assert (second.ending, second.traditional, second.app) == ("unplayed", 35, 0)
    assert driver.state.phase == "ended"


def test_late_joiners_look_on() -> None:
    """Once the first hole is open nobody gets a seat."""
    driver = Driver(Options(holes=2))
    driver.seat_all(2)
    assert driver.refused(Join("Late", "f" * 64)) == "not_open"
    driver.script("0:G 1:G")
    assert driver.refused(Join("Late", "f" * 64)) == "not_open"


def test_an_empty_room_is_over() -> None:
    """When the last one leaves, before the start or later, the match is abandoned."""
    driver = lobby(1)
    driver.must(Leave(0))
    assert driver.wait() == [MatchEnded(abandoned=True)]
    assert driver.folded[None]["match"]["abandoned"] is True
    playing = Driver(Options(seats=1))
    playing.wait()
    playing.must(Leave(0))
    assert playing.wait()[-1] == MatchEnded(abandoned=True)
    assert playing.wait(900_000) == []
