"""Laws of a match, over random and wild ones: whatever is played, these hold at every version."""

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from server.match.commands import Next
from server.match.decide import World, decide
from server.match.due import due, wakes_at
from server.match.entries import Entry, dump, load
from server.match.evolve import evolve, replay
from server.match.record import record
from server.match.verify import verify
from server.match.view import horizon
from server.rules.base import Refusal
from server.rules.cards import deck_with
from tests.match.driver import Driver, Told, random_match
from tests.match.recompute import recompute
from tests.match.watch import Watch
from tests.match.wild import MATCHES, random_command, random_options, wild_match

seeds = st.integers(0, 2**64)


def finish(driver: Driver) -> None:
    """Bring a match to its end from wherever it stands."""
    driver.world = World()
    driver.wait()
    while driver.state.phase != "ended":
        if driver.state.phase == "lobby":
            for seat in driver.state.here():
                driver.act(seat, "L")
        for seat in driver.state.playing():
            driver.act(seat, "G")
        driver.wait(3_000)
        for seat, taken in driver.state.here().items():
            if driver.state.phase == "between" and not taken.next:
                driver.must(Next(seat, driver.state.hole))
        driver.wait()


def only_growing() -> Told:
    """While a viewer keeps its role, the part of each board's story that it sees never shrinks within a hole."""
    seen: dict[tuple[int, int | None, int], int] = {}

    def watch(driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        for viewer in driver.folded:
            for owner in driver.state.seats:
                key = (driver.state.hole, viewer, owner)
                now = horizon(driver.state, viewer, owner)
                assert now >= seen.get(key, 0), key
                seen[key] = now

    return watch


def not_due_again(driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
    """What fell due and was applied is not due again."""
    again = due(driver.state, driver.world, driver.now_ms)
    assert again is None or again != entry.body


def all_cards_there(driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
    """Each hand holds the cards of the deck, and each board in sight as many places."""
    rules = driver.state.rules
    deck = sorted(deck_with(0 if rules is None else rules.jokers))
    for seat in driver.state.seats.values():
        if seat.hand is not None:
            assert sorted(card for pile in seat.hand.board.table.piles.values() for card in pile) == deck
    for view in driver.folded.values():
        for board in view["boards"].values():
            cards = [card for pile in board.values() for card in pile]
            named = [card for card in cards if card != "?"]
            assert len(cards) == len(deck)
            assert len(named) == len(set(named))


@settings(max_examples=MATCHES)
@given(seeds)
def test_laws_of_wild_matches(seed: int) -> None:
    """Wherever anything happens, at every version: nothing hidden leaves, the folded views are the snapshots (the driver
    compares them), what was seen only grows, nothing is due twice, no card is lost. At the end the stream gives the
    state, no decision changes it, and the record is what a separate reading of the rules and the check make of it.

    All in one match, since playing it is what takes the time.
    """
    watch = Watch()
    driver = wild_match(seed, watch, only_growing(), not_due_again, all_cards_there)
    assert watch.frames
    assert driver.folded.keys() == {None, *driver.state.here()}
    the_stream_gives_the_state(driver)
    decisions_change_nothing(driver, Random(seed))
    nothing_is_due_now(driver)
    finish(driver)
    made = record(driver.entries)
    recompute(made)
    assert verify(json.loads(json.dumps(made))).faults == ()


def the_stream_gives_the_state(driver: Driver) -> None:
    """The fold of the stored entries is the live state, at the end and at every version on the way."""
    state = None
    for entry in driver.entries:
        stored = Entry(entry.version, entry.at_ms, load(dump(entry.body)), entry.seat, entry.generation, entry.seq)
        state = evolve(state, stored)
        assert state.version == entry.version
    assert state == driver.state == replay(driver.entries)


def decisions_change_nothing(driver: Driver, random: Random) -> None:
    """Deciding anything, and what is refused above all, leaves the state as it was."""
    before = repr(driver.state)
    judged = [decide(driver.state, random_command(driver, random), driver.now_ms, driver.world) for _ in range(30)]
    assert any(isinstance(one, Refusal) for one in judged)
    assert repr(driver.state) == before


def nothing_is_due_now(driver: Driver) -> None:
    """Once all that is due was applied nothing is due at that instant, and the next clock, if any, lies ahead."""
    driver.wait()
    assert due(driver.state, driver.world, driver.now_ms) is None
    wakes = wakes_at(driver.state)
    assert wakes == 0 or wakes > driver.now_ms or driver.state.phase == "ended"


@settings(max_examples=MATCHES)
@given(seeds, st.integers(1, 4))
def test_the_record_adds_up_by_the_rules(seed: int, seats: int) -> None:
    """Every move, result, total and place in a record is what a separate reading of the rules makes of it."""
    options = random_options(Random(seed), seats, 3)
    driver = random_match(seed, options, check=False)
    totals = recompute(record(driver.entries))
    assert len(totals) == seats
    assert options.match_play or all(total["thru"] == 3 for total in totals.values())
