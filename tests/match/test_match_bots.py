"""House players' seats: who may give them, who gets them back, and that nobody ever waits for one."""

import json
from dataclasses import replace
from random import Random

import pytest

from server.match.commands import AddBot, Join, Kick, Leave, Next, Ready, Rematch, SetOptions
from server.match.decide import World
from server.match.due import due, rematch_of
from server.match.entries import BotSeated, Entry, HoleOpened, HostChanged, MatchEnded, SeatLeft, SeatTaken
from server.match.evolve import evolve
from server.match.names import BOT_NAMES, bot_name
from server.match.options import Options
from server.match.record import record
from server.match.state import Match
from server.match.view import snapshot
from tests.match.driver import Driver

TOKENS = {seat: f"{seat}b" * 16 for seat in range(9)}


def add(seat: int = 0, number: int = 1, strength: str = "searching") -> AddBot:
    """Ask for a house player; `number` makes its token."""
    return AddBot(seat, strength, TOKENS[number], f"{number}" * 64)  # type: ignore[arg-type]


def with_bots(people: int = 1, bots: int = 1, **options: object) -> Driver:
    """Give a room with people in its first seats and house players behind them; all but the host are ready."""
    driver = Driver(Options(**{"holes": 1, "seats": people + bots, **options}))
    driver.join_all(people)
    for number in range(people, people + bots):
        driver.must(add(0, number), Ready(number, True))
    driver.must(*(Ready(seat, True) for seat in range(1, people)))
    return driver


def started(people: int = 1, bots: int = 1, **options: object) -> Driver:
    """Give such a room in its first hole."""
    driver = with_bots(people, bots, **options)
    driver.must(Ready(0, True))
    driver.wait()
    driver.wait(3_000)
    assert driver.state.phase == "playing"
    return driver


def test_a_bots_seat_says_what_it_is_and_tells_no_token() -> None:
    """Its strength stands in every view and its name says it too; its token in no view and no record."""
    driver = started()
    for viewer in (0, 1, None):
        view = snapshot(driver.state, viewer)
        assert [seat["bot"] for seat in view["seats"].values()] == [None, "searching"]
        assert view["seats"]["1"]["name"] == "Birdie (bot)"
        assert TOKENS[1] not in json.dumps(view)
    driver.play_all(Random(3))
    made = record(driver.entries)
    assert made["seats"][1]["name"] == "Birdie (bot)"
    assert TOKENS[1] not in json.dumps(made)


def test_only_the_host_gives_a_seat_and_only_before_the_start() -> None:
    """Not a guest, not in a full room, not once the match has begun."""
    driver = with_bots(people=2, bots=1, seats=3)
    assert driver.refused(add(1, 5)) == "not_host"
    assert driver.refused(add(0, 5)) == "room_full"
    driver.must(Ready(0, True))
    driver.wait()
    driver.wait(3_000)
    assert driver.refused(add(0, 5)) == "started"


def test_a_person_takes_a_free_seat_first_and_then_the_youngest_bots() -> None:
    """Whoever comes before the start gets a seat as long as a house player has one, the last to come goes first."""
    driver = with_bots(people=1, bots=3, seats=5)
    driver.must(Kick(0, 1), add(0, 7))  # seat 1 has the youngest now
    driver.must(Join("Bob", "b" * 64))
    assert driver.state.seats[4].name == "Bob", "a free seat comes first"
    for token, seat in (("c", 1), ("d", 3), ("e", 2)):
        generation = driver.state.seats[seat].generation
        driver.must(Join("Cem", token * 64))
        taken = driver.entries[-1].body
        assert isinstance(taken, SeatTaken)
        assert (taken.seat, taken.generation) == (seat, generation + 1)
        assert driver.state.seats[seat].bot is None
        assert not driver.state.seats[seat].ready
    assert driver.refused(Join("Eve", "f" * 64)) == "room_full"


def test_a_countdown_ends_when_a_bot_makes_room() -> None:
    """A join is a join: the countdown stops, and the person is asked to be ready."""
    driver = with_bots()
    driver.must(Ready(0, True))
    driver.wait()
    assert driver.state.phase == "countdown"
    driver.must(Join("Bob", "b" * 64))
    assert driver.state.phase == "lobby"
    assert driver.wait(10_000) == []


def test_no_bot_hosts() -> None:
    """A host who leaves or is away is followed by a person, whatever seat a house player has."""
    driver = with_bots(people=1, bots=1, seats=3)
    driver.must(Join("Bob", "b" * 64))
    driver.must(Leave(0))
    assert driver.state.host == 2
    driver = with_bots(people=2, bots=1, seats=4)
    driver.must(Kick(0, 1), add(0, 5), Join("Eve", "e" * 64))
    assert [seat for seat in driver.state.seats if driver.state.seats[seat].bot] == [1, 2]
    driver.world = World(offline_since={0: driver.now_ms})
    assert driver.wait(30_000) == [HostChanged(3)]
    alone = with_bots()
    alone.world = World(offline_since={0: alone.now_ms})
    assert alone.wait(60_000) == [], "nobody but a bot is there"


@pytest.mark.parametrize("phase", ["lobby", "countdown", "playing", "between"])
def test_bots_go_home_with_the_last_person(phase: str) -> None:
    """When no person is left, at whatever time, the house players leave, and the match is abandoned."""
    driver = with_bots(bots=2, holes=2) if phase in ("lobby", "countdown") else started(bots=2, holes=2)
    if phase == "countdown":
        driver.must(Ready(0, True))
        driver.wait()
    if phase == "between":
        driver.play_hole(Random(3))
    assert driver.state.phase == phase
    driver.must(Leave(0))
    done = driver.wait()
    assert done[:2] == [SeatLeft(1), SeatLeft(2)]
    assert done[-1] == MatchEnded(abandoned=True)
    assert driver.state.phase == "ended"
    if phase in ("playing", "between"):
        assert record(driver.entries)["abandoned"]


def test_the_next_hole_waits_for_people_only() -> None:
    """A house player neither keeps the next hole from opening nor opens it: the people do, or the pause's end."""
    driver = started(people=2, bots=1, holes=3)
    driver.play_hole(Random(3))
    driver.must(Next(2, 1))
    assert driver.wait(1_000) == [], "a bot's word opens nothing"
    driver.must(Next(0, 1))
    assert driver.wait(1_000) == [], "Bob is still looking at his card"
    driver.must(Next(1, 1))
    assert isinstance(driver.wait()[0], HoleOpened)
    driver.play_hole(Random(3))
    driver.must(Next(0, 2), Next(1, 2))
    assert isinstance(driver.wait()[0], HoleOpened), "nobody waits for the bot"


def test_bots_come_along_to_a_rematch() -> None:
    """The next match has the same house players, who speak for their seats with the same tokens; a person hosts it."""
    driver = started(people=2, bots=1)
    driver.play_all(Random(3))
    driver.must(Leave(0), Rematch(1, "n" * 26, "HGFEDCBA", "7f" * 32))
    created = rematch_of(driver.state)
    assert created.bots == ((2, "searching", TOKENS[2]),)
    after = evolve(None, Entry(1, 0, created))
    assert after.host == 1
    assert (after.seats[2].bot, after.seats[2].token, after.seats[1].bot) == ("searching", TOKENS[2], None)


def test_options_and_kicks_treat_a_bot_as_a_seat() -> None:
    """New options let a bot's ready fall too, a bot keeps seats from being taken away, and a kick frees its seat."""
    driver = with_bots()
    assert driver.refused(SetOptions(0, replace(driver.state.options, seats=1))) == "seats_taken"
    driver.must(SetOptions(0, replace(driver.state.options, undo="all")))
    assert not driver.state.seats[1].ready
    driver.must(Kick(0, 1))
    assert driver.state.here().keys() == driver.state.people().keys() == {0}


def test_bots_have_names_of_their_own() -> None:
    """Each house player of a room has another name; beyond the list they are told apart by numbers."""
    names: list[str] = []
    for _ in range(len(BOT_NAMES) + 1):
        names.append(bot_name(names))
    assert len({*names}) == len(names)
    assert all("(bot)" in name and len(name) <= 24 for name in names)
    assert bot_name(["Ada"]) == "Birdie (bot)"


def test_a_match_that_ended_keeps_its_bots() -> None:
    """After the end nothing falls due: whoever goes home leaves the others' seats as they are."""
    driver = started()
    driver.play_all(Random(3))
    driver.must(Leave(0))
    assert due(driver.state, World(), driver.now_ms) is None
    assert driver.state.here().keys() == {1}


def test_a_bots_entry_states_the_seat_whole() -> None:
    """What is stored is enough for any worker to speak for the seat."""
    driver = with_bots()
    (seated,) = [entry.body for entry in driver.entries if isinstance(entry.body, BotSeated)]
    assert seated == BotSeated(1, "Birdie (bot)", "1" * 64, 1, "searching", TOKENS[1])
    state: Match = driver.state
    assert (state.seats[1].token_hash, state.seats[1].token) == ("1" * 64, TOKENS[1])
