"""Winnable deals only: a hole's deal is the first, in the order that the secret gives, which can be cleared. Pure.

Which one that is takes work, and isn't found here: a worker finds it and puts it into its world.
"""

from dataclasses import dataclass
from typing import Final

from server.match import formats
from server.match.state import Match
from server.rules.codes import sealed_code

MOST_SKIPPED: Final = 2_000
"""Deals that may be passed over: of ten thousand such rows not one is as long, even under the hardest rule."""


@dataclass(frozen=True, slots=True)
class DealWanted:
    """The deal that a hole needs: what it follows from. `nonces`: by seat, as they were fixed."""

    game: str
    letter: str
    secret: str
    nonces: tuple[tuple[int, str], ...]
    hole: int

    def candidate(self, attempt: int) -> str:
        """Return the code of the deal that is tried when so many were passed over."""
        nonces = dict(self.nonces)
        return sealed_code(self.game, self.letter, 2, self.secret, nonces, self.hole, attempt)


@dataclass(frozen=True, slots=True)
class DealFound:
    """The first of the candidates that can be cleared, and how many came before it."""

    code: str
    skipped: int


def deal_wanted(state: Match) -> DealWanted | None:
    """Return the deal that the next hole needs, None where it needs none that has to be looked for.

    It is wanted as soon as it is fixed: the first from the countdown on, another from the opening of the hole before.
    """
    options = state.options
    if not options.winnable or state.course is not None or not _comes(state):
        return None
    hole = state.hole + 1
    game = options.game_of(hole)
    letter = game.letter_of(options.rules_of(hole))
    nonces = tuple(state.nonces.items())
    return DealWanted(game.name, letter, state.secret, nonces, hole)


def _comes(state: Match) -> bool:
    """Say whether what the next hole's deal follows from is fixed, and whether there may be such a hole."""
    if state.phase == "lobby":
        return state.options.alone and all(seat.ready for seat in state.seats.values()) and bool(state.seats)
    if state.phase == "playing":
        return state.hole < state.options.holes
    return state.phase == "countdown" or (state.phase == "between" and not formats.over(state))
