"""No frame and no snapshot holds what its viewer may not know, in random matches of every size and mode.

The same is held of wild matches among the laws.
"""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.match.options import Options
from server.match.view import snapshot
from tests.match.driver import Driver, random_match
from tests.match.naive import cards_in
from tests.match.watch import Watch, hidden_codes
from tests.match.wild import MATCHES, RULES, SPECTATORS, UNDO

seeds = st.integers(0, 2**64)


@pytest.mark.parametrize("undo", UNDO)
@pytest.mark.parametrize("spectators", SPECTATORS)
@pytest.mark.parametrize("seats", [1, 2, 4])
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


@settings(max_examples=MATCHES // 2)
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
