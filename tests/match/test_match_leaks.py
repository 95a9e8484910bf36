"""No frame and no snapshot holds what its viewer may not know, in random matches of every size and mode.

Every frame's JSON is searched as text, so that it does not matter where something would have slipped in.
"""

import json
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.match.entries import Entry
from server.match.options import Options
from server.match.view import snapshot
from server.rules import codes
from tests.match.driver import Driver, random_match
from tests.match.naive import Naive, cards_in, without_card
from tests.match.wild import RULES, SPECTATORS, UNDO, wild_match

seeds = st.integers(0, 2**64)


@lru_cache(maxsize=256)
def sealed_code(rule: str, secret: str, nonces: tuple[tuple[int, str], ...], hole: int) -> str:
    """Return the code that the secret and the nonces give a hole."""
    letter = {"easy": "E", "classic": "C", "strict": "S"}.get(rule, rule)
    return codes.sealed_code("golf", letter, codes.SEALING, secret, dict(nonces), hole)


def hidden_codes(driver: Driver, naive: Naive) -> list[str]:
    """Return the codes that nobody may see yet: of the open hole unless it is open to all, and of all to come."""
    options = driver.state.options
    first = naive.hole + 1 if (not naive.open or options.open_deal or options.alone) else naive.hole
    rest = range(first, options.holes + 1)
    if options.deals:
        shown = set(options.deals[: first - 1])
        return [options.deals[hole - 1] for hole in rest if options.deals[hole - 1] not in shown]
    nonces = tuple(driver.state.nonces.items())
    return [sealed_code(options.rule, driver.state.secret, nonces, hole) for hole in rest]


class Watch:
    """Looks at everything that every viewer is given."""

    def __init__(self) -> None:
        self.naive = Naive()
        self.frames = 0

    def __call__(self, driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        """Hold one entry's frames and the snapshots after it against the naive reading."""
        self.naive.take(entry)
        forbidden = [*hidden_codes(driver, self.naive), driver.state.secret, "7f" * 32]
        forbidden += [seat.token_hash for seat in driver.state.seats.values()]
        for viewer, view in driver.folded.items():
            frames = [told[viewer]] if viewer in told else []
            for frame in (*frames, view):  # the driver holds the folded view against the snapshot
                self.frames += 1
                text = json.dumps(frame)
                assert not [secret for secret in forbidden if secret in text], (viewer, entry)
                if self.naive.open:
                    assert cards_in(json.dumps(without_card(frame))) <= self.naive.may_know(viewer), (viewer, entry)
            if self.naive.open:
                self._boards(viewer, view, entry)

    def _boards(self, viewer: int | None, view: dict[str, Any], entry: Entry) -> None:
        for owner in self.naive.actions:
            board = self.naive.board(owner, self.naive.shown[viewer, owner])
            assert view["boards"][str(owner)] == board, (viewer, owner, entry)


@pytest.mark.parametrize("undo", UNDO)
@pytest.mark.parametrize("spectators", SPECTATORS)
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_nothing_hidden_in_any_mode(undo: str, spectators: str, seats: int) -> None:
    """No frame of a whole match names a stock card, a code, the secret or a move that its viewer may not see."""
    watch = Watch()
    options = Options(
        rule=RULES[seats % len(RULES)],
        seats=seats,
        holes=1 + (seats < 3),
        undo=undo,
        spectators=spectators,
        hole_seconds=0,
    )
    random_match(1000 * seats + 7, options, watch)
    assert watch.frames > 100


@settings(max_examples=settings().max_examples // 2)
@given(seeds, st.integers(2, 4), st.sampled_from(UNDO), st.sampled_from(SPECTATORS))
def test_nothing_hidden_in_random_matches(seed: int, seats: int, undo: str, spectators: str) -> None:
    """The same over random matches of one hole, of which seats drop out early."""
    watch = Watch()
    options = Options(
        rule=RULES[seed % len(RULES)], seats=seats, holes=1, undo=undo, spectators=spectators, hole_seconds=0
    )
    driver = Driver(options, watchers=[watch], secret=f"{seed:064x}")
    driver.seat_all(seats)
    driver.play_hole(Random(seed), give_up_chance=0.03, undo_chance=0.15)
    assert driver.state.closed


@given(seeds)
def test_nothing_hidden_where_anything_happens(seed: int) -> None:
    """The same in wild matches: seats leave and are closed, options change, time passes."""
    watch = Watch()
    wild_match(seed, watch)
    assert watch.frames


def test_the_watch_would_notice() -> None:
    """A frame that names an undrawn stock card, at any depth, is found; one that names open cards is not."""
    watch = Watch()
    driver = Driver(Options(seats=2), watchers=[watch])
    driver.seat_all(2)
    stock = watch.naive.deal["stock"]
    known = watch.naive.may_know(None)
    assert cards_in(json.dumps({"seats": {"0": {"hint": [stock[0]]}}})) - known == {stock[0]}
    assert not cards_in(json.dumps(snapshot(driver.state, 0))) - known
    assert hidden_codes(driver, watch.naive)[0] == driver.state.code
    assert len(hidden_codes(driver, watch.naive)) == 9
