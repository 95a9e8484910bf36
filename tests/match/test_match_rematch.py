"""Rematches, and what the fold refuses: streams and commands that cannot be."""

from dataclasses import replace

import pytest

from server.match.commands import Leave, PlayCard, Rematch
from server.match.due import rematch_of
from server.match.entries import Entry
from server.match.evolve import evolve, replay
from server.match.options import Options
from server.match.view import snapshot
from tests.match.driver import Driver


def over(seats: int = 3) -> Driver:
    """Give a match that is over."""
    driver = Driver(Options(holes=1, hole_seconds=0))
    driver.seat_all(seats)
    driver.script(" ".join(f"{seat}:G" for seat in range(seats)))
    assert driver.state.phase == "ended"
    return driver


REMATCH = Rematch(2, "n" * 26, "HGFEDCBA", "7f" * 32)


def test_a_rematch_seats_the_same_people() -> None:
    """The next match has the same options, host and seats, with the names and tokens of those still here."""
    driver = over()
    driver.must(Leave(1), REMATCH)
    created = rematch_of(driver.state)
    following = evolve(None, Entry(1, driver.now_ms, created))
    assert (following.match_id, following.room, following.secret) == ("n" * 26, "HGFEDCBA", "7f" * 32)
    assert following.options == driver.state.options
    assert following.host == 0
    assert {n: (seat.name, seat.token_hash) for n, seat in following.seats.items()} == {
        0: ("Ada", "a" * 64),
        2: ("Player 2", f"{2:064x}"),
    }
    assert not any(seat.ready for seat in following.seats.values())
    assert driver.folded[None]["match"]["next"] == {"match": "n" * 26, "room": "HGFEDCBA"}
    assert "7f7f" not in str(snapshot(driver.state, 0))


def test_a_rematch_without_the_host_has_another() -> None:
    """Where the host left after the end, whoever hosts is there."""
    driver = over()
    driver.must(Leave(0), REMATCH)
    assert rematch_of(driver.state).host == 1
    driver.must(Leave(1), Leave(2))
    assert rematch_of(driver.state).host == 0


def test_one_rematch_is_named() -> None:
    """The second asks in vain; before the end nobody may."""
    driver = over()
    driver.must(REMATCH)
    assert driver.refused(replace(REMATCH, seat=0)) == "stale"
    with pytest.raises(ValueError, match="no rematch"):
        rematch_of(over().state)


# -- the fold's own errors


def test_streams_that_cannot_be() -> None:
    """An empty stream, one that does not begin with a creation, and a gap are errors, not guesses."""
    driver = Driver(Options())
    driver.join_all(2)
    with pytest.raises(ValueError, match="empty stream"):
        replay([])
    with pytest.raises(ValueError, match="begins"):
        replay(driver.entries[1:])
    with pytest.raises(ValueError, match="does not follow"):
        replay([*driver.entries, driver.entries[-1]])


def test_nobody_speaks_for_an_empty_seat() -> None:
    """A command of a seat that nobody has, or that was given up, is not the sender's."""
    driver = Driver(Options(holes=2))
    driver.seat_all(2)
    driver.must(Leave(1))
    for seat in (1, 7):
        assert driver.refused(PlayCard(seat, "column.1", "waste", "AS")) == "not_your_seat"
