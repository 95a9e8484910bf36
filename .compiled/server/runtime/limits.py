"""How much of a match one seat may fill: entries besides its moves, and letters that wait for the engine.

The rules bound the moves of a hole. What nothing else bounds (ready toggled, options changed, pages that take a seat
over again and again) is bounded here, so that no stream grows without end. Knows commands and seats, no sockets.
"""

from collections.abc import Collection
from typing import Final, Protocol

from server.match.commands import (
    AddBot,
    Claim,
    Command,
    Done,
    DrawCard,
    GiveUp,
    Join,
    Leave,
    Next,
    PlayCard,
    SetOptions,
    Undo,
)
from server.match.state import Match
from server.runtime.allowance import Allowances

CHANGES_AT_ONCE: Final = 60.0
CHANGES_A_SECOND: Final = 1.0
"""Of one seat's changes: no hand is faster at a button that counts."""
MOST_BEFORE_START: Final = 2_000
"""Versions of a match that has not begun; then it can only be left or started as it stands."""
MOST_CLAIMS: Final = 1_000
"""Generations of a seat: reloads of its page, in all its life."""
MOST_WAITING: Final = 512
"""Letters that wait in all."""
MOST_WAITING_OF_ONE: Final = 64
"""Letters of one seat that wait; the others' moves must find room while the engine is away."""

_BOUNDED_BY_THE_RULES: Final = (PlayCard, DrawCard, Undo, GiveUp, Done, Next)
_BEFORE_START: Final = ("lobby", "countdown")


class Waiting(Protocol):
    """A letter, as far as it counts here."""

    seat: int


class Limits:
    """The limits of one match on one worker."""

    def __init__(self) -> None:
        self._changes = Allowances(CHANGES_AT_ONCE, CHANGES_A_SECOND)

    def refuse(self, command: Command, state: Match, waiting: Collection[Waiting]) -> bool:
        """Whether a command comes too often, or behind too many letters that wait."""
        crowded = len(waiting) >= MOST_WAITING_OF_ONE  # else none has as many
        if not crowded and isinstance(command, _BOUNDED_BY_THE_RULES):
            return False  # nearly all
        if len(waiting) >= MOST_WAITING:
            return True
        if isinstance(command, Join):
            return state.version >= MOST_BEFORE_START and state.phase in _BEFORE_START
        if isinstance(command, Leave):
            return False
        if crowded and sum(letter.seat == command.seat for letter in waiting) >= MOST_WAITING_OF_ONE:
            return True
        if isinstance(command, _BOUNDED_BY_THE_RULES):
            return False
        if isinstance(command, Claim) and state.generations.get(command.seat, 0) >= MOST_CLAIMS:
            return True
        if isinstance(command, (SetOptions, AddBot)) and state.version >= MOST_BEFORE_START:
            return True
        return not self._changes.take(str(command.seat))
