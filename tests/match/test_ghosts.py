"""Ghosts are rivals whose record is known: what may be seen of them, counted by hand, and by its law."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from server.match.ghosts import Ghost, ghost_of, ghosts_view, sight
from server.match.on_course import OnCourse
from server.match.options import Options
from server.match.record import record
from server.match.view import snapshot
from tests.match.decks import BUSY, clearable
from tests.match.driver import Driver
from tests.match.naive import Naive
from tests.match.records import fresh

FAR_MS = 10**9


def course_options(undo: str = "plays", deals: tuple[str, ...] = (BUSY,)) -> Options:
    """Give a round's options."""
    return Options(seats=1, holes=len(deals), undo=undo, hole_seconds=0, spectators="off", deals=deals)


def haunt(script: str, undo: str = "plays", deals: tuple[str, ...] = (BUSY,)) -> tuple[Ghost, Naive, dict[str, Any]]:
    """Play a script, an action a second, and give it as a ghost, read naively, and as its record."""
    naive = Naive()
    driver = Driver(course_options(undo, deals), watchers=[lambda _, entry, __: naive.take(entry)])
    driver.wait()
    for letter in script:
        if letter == "N":
            driver.next_hole()
            continue
        driver.now_ms = driver.state.opened_at_ms + 1000 * (1 + len(driver.hand(0).log)) - 1
        driver.act(0, letter)
        driver.wait()
    told = record(driver.entries)
    return ghost_of(told, 0, "Eve"), naive, told


def beside(script: str, undo: str = "plays", deals: tuple[str, ...] = (BUSY,), over: bool = False) -> Driver:
    """Play a script as the one who looks."""
    course = OnCourse("c" * 26, 10**15) if not over else None
    driver = Driver(course_options(undo, deals), course=course)
    driver.wait()
    driver.script(f"0:{script}" if script else "")
    return driver


# (the ghost's script, mine, seconds since my hole opened, actions of the ghost in sight), counted by hand.
# Letters: P play, D draw, U undo, G give up.
COUNTED = [
    # Nothing before my first draw, whatever its clock says.
    ("PPDPDPG", "", 99, 0),
    ("PPDPDPG", "PPP", 99, 0),
    # Up to, and not including, the ghost's k-th draw.
    ("PPDPDPG", "D", 99, 2),
    ("PPDPDPG", "PDPD", 99, 4),
    ("PPDPDPG", "DDD", 99, 6),
    ("DDDG", "D", 99, 0),
    ("DDDG", "DD", 99, 1),
    ("PPUPDPG", "D", 99, 4),
    # And no further than its clock: an action a second, the first after one.
    ("PPDPDPG", "D", 0, 0),
    ("PPDPDPG", "D", 1, 1),
    ("PPDPDPG", "D", 2, 2),
    ("PPDPDPG", "D", 3, 2),
    ("PPDPDPG", "DDD", 3, 3),
    ("PPDPDPG", "DDD", 5, 5),
    # My own end opens nothing: others still play the course.
    ("PPDPDPG", "G", 99, 0),
    ("PPDPDPG", "DG", 99, 2),
    ("PPDPDPG", "DG", 0, 2),
    ("PPDPDPG", "DDDG", 99, 6),
]


@pytest.mark.parametrize(
    ("ghost", "mine", "seconds", "count", "undo"),
    [(*one, undo) for one in COUNTED for undo in ("off", "plays") if undo == "plays" or "U" not in one[0]],
)
def test_counted_by_hand(ghost: str, mine: str, seconds: int, count: int, undo: str) -> None:
    """As many of a ghost's actions are in sight as section 3 says of a rival, and as its clock has reached."""
    spirit, naive, _ = haunt(ghost, undo)
    driver = beside(mine, undo)
    (seen,) = ghosts_view(driver.state, 0, [spirit], driver.state.opened_at_ms + 1000 * seconds)
    assert seen["board"] == naive.board(0, count)


@pytest.mark.parametrize("mine", ["", "D", "DDD", "DPG"])
def test_where_draws_are_undone_nothing_opens(mine: str) -> None:
    """With undo `all` no own draw is settled, so that a ghost's board stays as it was dealt."""
    spirit, naive, _ = haunt("PPDPDPG", "all")
    (seen,) = ghosts_view(beside(mine, "all").state, 0, [spirit], FAR_MS * FAR_MS)
    assert seen["board"] == naive.board(0, 0)


# (seconds, state, ended, cards left, stock, app, traditional) of a ghost that did PPDPDP, then gave up after 7 s.
CLOCK = [
    (0, "playing", False, 35, 16, 0, 35),
    (1, "playing", False, 34, 16, 10, 34),
    (3, "playing", False, 33, 15, 20, 33),
    (6, "playing", False, 31, 14, 40, 31),
    (7, "gave_up", True, 31, 14, 0, 31),
    (99, "gave_up", True, 31, 14, 0, 31),
]


@pytest.mark.parametrize(("seconds", "state", "ended", "left", "stock", "app", "traditional"), CLOCK)
def test_counts_grow_by_its_clock(
    seconds: int, state: str, ended: bool, left: int, stock: int, app: int, traditional: int
) -> None:
    """Counts are those that the ghost had so long after its hole opened, whatever is in sight of its board."""
    spirit, _, _ = haunt("PPDPDPG")
    driver = beside("")
    (seen,) = ghosts_view(driver.state, 0, [spirit], driver.state.opened_at_ms + 1000 * seconds)
    assert (seen["name"], seen["state"], seen["ended"]) == ("Eve", state, ended)
    assert (seen["cards_left"], seen["stock"], seen["app"], seen["traditional"]) == (left, stock, app, traditional)
    assert seen["totals"] == {"thru": 0, "traditional": 0, "app": 0, "to_par": 0}
    assert seen["results"] == []


def test_when_my_hole_is_closed_its_result_stands() -> None:
    """Once my hole is closed the ghost's clock is at its end, its result counts, and the next hole begins anew."""
    clear = clearable()
    spirit, naive, told = haunt("P" * 35 + "N" + "PPDPDPG", deals=(clear, BUSY))
    assert told["holes"][0]["seats"]["0"]["result"]["how"] == "cleared"
    assert spirit.holes[0].ended_at_ms == 35_000
    driver = beside("PG", deals=(clear, BUSY))
    assert driver.state.phase == "between"
    (seen,) = ghosts_view(driver.state, 0, [spirit], driver.now_ms)
    assert (seen["state"], seen["ended"], seen["cards_left"], seen["stock"]) == ("cleared", True, 0, 16)
    assert seen["totals"] == {"thru": 1, "traditional": -16, "app": 350, "to_par": -21}
    assert [one["how"] for one in seen["results"]] == ["cleared"]
    driver.next_hole()
    (seen,) = ghosts_view(driver.state, 0, [spirit], driver.now_ms)
    assert (seen["state"], seen["cards_left"], seen["totals"]["thru"]) == ("playing", 35, 1)
    driver.script("0:DG")
    assert driver.state.phase == "ended"
    (seen,) = ghosts_view(driver.state, 0, [spirit], driver.now_ms)
    assert seen["board"] == naive.board(0, 2)
    assert seen["totals"]["thru"] == 2


def test_all_is_seen_where_nothing_is_hidden() -> None:
    """When the course is over, a round that is over sees the ghosts' boards whole."""
    spirit, naive, _ = haunt("PPDPDPG")
    driver = beside("G", over=True)
    (seen,) = ghosts_view(driver.state, 0, [spirit], driver.now_ms)
    assert seen["board"] == naive.board(0, 6)


def test_there_are_no_ghosts_before_a_hole_and_after_their_own() -> None:
    """Before the first deal there is nothing to see; a ghost stays away from holes that it did not play."""
    spirit, _, told = haunt("PPDPDPG")
    waiting = Driver(course_options(), course=OnCourse("c" * 26, FAR_MS))
    assert ghosts_view(waiting.state, 0, [spirit], FAR_MS) == []
    driver = beside("G", deals=(BUSY, BUSY))
    driver.next_hole()
    assert driver.state.hole == 2
    assert ghosts_view(driver.state, 0, [spirit], FAR_MS * FAR_MS) == []
    for spoil in (
        {"closed_at": None},
        {"seats": {"0": {**told["holes"][0]["seats"]["0"], "result": None}}},
        {"seats": {}},
    ):
        assert ghost_of({**told, "holes": [{**told["holes"][0], **spoil}]}, 0, "Eve").holes == ()


def test_a_seat_that_left_sees_the_deal() -> None:
    """Who has no hand in a hole has drawn nothing in it."""
    spirit, naive, _ = haunt("PPDPDPG", deals=(BUSY,))
    driver = beside("L", deals=(BUSY, BUSY))
    seats = {0: driver.state.seats[0].__class__("Ada", "")}
    state = replace(driver.state, seats=seats, phase="playing")
    (seen,) = ghosts_view(state, 0, [spirit], FAR_MS * FAR_MS)
    assert seen["board"] == naive.board(0, 0)


def test_a_move_that_can_not_be_stops_it() -> None:
    """A ghost out of a record that was tampered with stands still from there on; nothing fails."""
    _, naive, told = haunt("PPDPDPG")
    told["holes"][0]["seats"]["0"]["moves"][4][2] = "column.1"
    told["holes"][0]["seats"]["0"]["moves"][4][0] = "play"
    spirit = ghost_of(told, 0, "Eve")
    (seen,) = ghosts_view(beside("DDDD").state, 0, [spirit], FAR_MS * FAR_MS)
    assert seen["board"] == naive.board(0, 4)


@pytest.mark.parametrize("name", ["sealed", "variant", "alone", "gone", "typed", "old"])
def test_every_record_makes_ghosts(name: str) -> None:
    """Of any kind of record each seat's play ends on the result that the record has."""
    told = fresh(name)
    for seat in told["seats"]:
        spirit = ghost_of(told, seat["seat"], seat["name"])
        for hole, ghost in zip(told["holes"], spirit.holes, strict=True):
            result = hole["seats"][str(seat["seat"])]["result"]
            assert (ghost.result.ending, ghost.counts[-1].cards_left) == (result["how"], result["cards_left"])
            assert ghost.counts[-1].stock == result["stock"]
            assert ghost.ended_at_ms >= (ghost.hand.log[-1].at_ms if ghost.hand.log else 0)


@pytest.mark.parametrize("seed", range(6))
def test_what_opens_only_grows_and_is_no_card_to_come(seed: int) -> None:
    """Over time and own draws sight of a ghost only grows, and it never shows a stock card that I haven't drawn."""
    random = Random(seed)
    options = Options(seats=1, holes=1, undo="plays", spectators="off")
    first = Driver(options, secret=f"{seed:064x}")
    first.wait()
    while first.state.phase == "playing":
        first.now_ms += random.randrange(1, 900)
        first.step(random)
    spirit = ghost_of(record(first.entries), 0, "Eve")
    mine = Driver(options, secret=f"{seed:064x}", course=OnCourse("c" * 26, 10**15))
    mine.wait()
    stock = {str(card) for card in (mine.state.table.piles["stock"] if mine.state.table else ())}
    before = -1
    while mine.state.phase == "playing":
        (seen,) = ghosts_view(mine.state, 0, [spirit], mine.now_ms)
        own = snapshot(mine.state, 0)["boards"]["0"]
        assert (set(seen["board"]["waste"]) & stock) <= set(own["waste"])
        assert set(seen["board"]["stock"]) <= {"?"}
        count = sight(mine.state, 0, spirit.holes[0], mine.now_ms - mine.state.opened_at_ms)
        assert count >= before
        before = count
        mine.now_ms += random.randrange(1, 900)
        mine.step(random, undo_chance=0)
