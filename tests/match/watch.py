"""Reads over the server's shoulder: every frame's and snapshot's JSON is searched for what its viewer may not know.

It is searched as text, so that it does not matter where something would have slipped in.
"""

import json
from functools import lru_cache
from typing import Any

from server.match.entries import Entry
from server.rules import codes
from tests.match.driver import Driver
from tests.match.naive import Naive, cards_in, parted


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
                rest, card = parted(frame)
                texts = [json.dumps(rest), *([json.dumps(card)] if card else [])]
                assert not [secret for secret in forbidden for text in texts if secret in text], (viewer, entry)
                if self.naive.open:
                    assert cards_in(texts[0]) <= self.naive.may_know(viewer), (viewer, entry)
            if self.naive.open:
                self._boards(viewer, view, entry)

    def _boards(self, viewer: int | None, view: dict[str, Any], entry: Entry) -> None:
        for owner in self.naive.actions:
            board = self.naive.board(owner, self.naive.shown[viewer, owner])
            assert view["boards"][str(owner)] == board, (viewer, owner, entry)
