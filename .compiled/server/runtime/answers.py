"""What a room answers to letters that no told entry answers: refusals, repeated commands, pages that were taken over."""

from collections.abc import Callable

from server.protocol import server as say
from server.rules.base import Refusal
from server.runtime.audience import Audience
from server.runtime.deciding import Letter, Outcome
from server.runtime.ledger import Ledger
from server.runtime.metrics import Metrics
from server.runtime.session import Session


class Answers:
    """The answers of one room; `here` says whether a session is in it still."""

    def __init__(self, audience: Audience, ledger: Ledger, metrics: Metrics, here: Callable[[Session], bool]) -> None:
        self._audience, self._ledger, self._metrics, self._here = audience, ledger, metrics, here

    def fence(self, letter: Letter | None) -> None:
        """A command of a page whose seat another page has taken over comes to nothing."""
        if letter is not None and letter.session is not None and self._here(letter.session):
            self._audience.replace(letter.session)

    def repeat(self, letter: Letter) -> None:
        """Answer a seq that was used: with the version that it became, or that it came to nothing."""
        version = self._ledger.became(letter.seat, letter.seq)
        if letter.session is not None and self._here(letter.session):
            letter.session.say(say.refused(letter.seq, "stale") if version is None else say.ack(letter.seq, version))

    def settle(self, outcome: Outcome) -> None:
        """Answer what no told entry answers: refusals, and those who wait for a join or a claim."""
        letter = outcome.letter
        if letter is not None and (outcome.refusal is not None or letter.answer is not None):
            self.reply(letter, outcome.refusal)

    def reply(self, letter: Letter, refusal: Refusal | None) -> None:
        """Tell who sent a letter what became of it."""
        if letter.answer is not None:
            letter.answer(refusal)
        elif refusal is not None and letter.session is not None:
            self._metrics.count("refusals", refusal.code)
            letter.session.say(say.refused(letter.seq, refusal.code, dict(refusal.params)))
