"""The few words that seats may say to all in a match: heard now or never, on every worker, kept nowhere.

Law: only a seat that is here speaks, and only what `protocol.client.REACTIONS` lists; nothing of a match can be told
by it that the speaker did not choose to say.
"""

from collections.abc import Callable
from typing import Final

from server.match.state import Match
from server.protocol import server as say
from server.protocol.client import REACTIONS
from server.runtime.allowance import Allowances
from server.runtime.audience import Audience
from server.store.matches import Matches

SAID: Final = (4.0, 0.4)
"""Burst and rate a second of what one seat says: a few words in a row, no chatter."""


class Reactions:
    """What is said in one match. `state` gives the match as this worker knows it."""

    def __init__(self, matches: Matches, audience: Audience, state: Callable[[], Match]) -> None:
        self._matches, self._audience, self._state = matches, audience, state
        self._said = Allowances(*SAID)

    def say(self, seat: int, reaction: str) -> bool:
        """Let all hear what a seat says; False, and nothing heard, if it says too much."""
        if not self._said.take(str(seat)):
            return False
        word = f"{seat}:{reaction}"
        self._matches.pass_on(self._state().match_id, word)
        self.heard(word)
        return True

    def heard(self, word: str) -> None:
        """Tell this worker's sessions what a seat said here or elsewhere; an unknown word is a newer program's."""
        seat, _, reaction = word.partition(":")
        if reaction in REACTIONS and seat.isdecimal() and int(seat) in self._state().here():
            self._audience.say_all(say.reaction(int(seat), reaction))
