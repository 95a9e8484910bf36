"""What a room decides in one go: all that is due and all that waits, in order. Changes nothing but the mailbox.

The outcome is one append: either all of it happens or none, and then everything is decided again.
"""

from collections import deque
from collections.abc import Callable

from server.match.commands import Command, DrawCard, PlayCard, Undo
from server.match.decide import World, decide
from server.match.due import due
from server.match.entries import Acted, Body, Entry, SeatClaimed, SeatTaken, dump
from server.match.evolve import evolve
from server.match.state import Match
from server.rules.base import Refusal
from server.runtime.replica import Replica
from server.runtime.session import Session
from server.store.matches import Item

MOST_ITEMS = 64
_MOVES = (PlayCard, DrawCard, Undo)
_NO_WORLD = World()
"""All that a move needs to know of the outside."""


class Letter:
    """A command on its way; `answer` is called once for those that no seat's seq answers (join, claim)."""

    __slots__ = ("answer", "command", "generation", "seat", "seq", "session")

    def __init__(
        self,
        command: Command,
        session: Session | None = None,
        seat: int = -1,
        generation: int = 0,
        seq: int = 0,
        answer: Callable[[Refusal | None], None] | None = None,
    ) -> None:
        self.command = command
        self.session = session
        self.seat = seat
        self.generation = generation
        self.seq = seq
        self.answer = answer


class Outcome:
    """What was decided: a body and its item, or a refusal; without a letter, something fell due by itself."""

    __slots__ = ("body", "item", "letter", "refusal")

    def __init__(
        self,
        letter: Letter | None,
        body: Body | None = None,
        item: Item | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        self.letter = letter
        self.body = body
        self.item = item
        self.refusal = refusal


def decide_all(
    mailbox: deque[Letter],
    replica: Replica,
    now_ms: int,
    world: Callable[[], World],
    fence: Callable[[Letter], None],
    repeat: Callable[[Letter], None],
    *,
    look: bool,
) -> tuple[list[Outcome], Match]:
    """Decide what is due and what waits, each on the state that the one before would make.

    Takes from `mailbox` what it decides. A command of a page that was taken over goes to `fence`, one whose seq was
    used to `repeat`. What is due is asked only where there is reason to `look`, and after what may make something due.
    Returns what to append and to answer, and the state after it (quiet moves may be left out).
    """
    ahead, ledger = _Ahead(replica.state, now_ms, world), replica.ledger
    seqs = ledger.last_seqs()
    if look:
        ahead.fall_due()
    while mailbox and len(ahead.outcomes) < MOST_ITEMS:
        letter = mailbox.popleft()
        if letter.seq:
            seat = ahead.state.seats.get(letter.seat)
            if seat is None or letter.generation < seat.generation:
                fence(letter)
                continue
            if letter.seq <= seqs.get(letter.seat, 0):
                if letter.seq > ledger.last_seq(letter.seat):
                    mailbox.appendleft(letter)  # repeated within this append: answered after it
                    break
                repeat(letter)
                continue
        judged = ahead.judge(letter)
        if isinstance(judged, Refusal):
            ahead.outcomes.append(Outcome(letter, refusal=judged))
            continue
        if letter.seq:
            seqs[letter.seat] = letter.seq
        ahead.happen(judged, letter)
    return ahead.outcomes, ahead.state


class _Ahead:
    """The state as it will be once all that was decided here is appended, and what that is.

    A class, and not functions within a function that call one another: those hold each other, and with them every
    state that was ever decided on, until the collector of cycles comes by.
    """

    __slots__ = ("_now_ms", "_quiet", "_version", "_world", "outcomes", "state")

    def __init__(self, state: Match, now_ms: int, world: Callable[[], World]) -> None:
        self.state = state
        self.outcomes: list[Outcome] = []
        self._now_ms, self._world, self._version = now_ms, world, state.version
        self._quiet: dict[int, tuple[int, Body, Item]] = {}

    def judge(self, letter: Letter) -> Body | Refusal:
        """Judge a command on what was decided before it."""
        if self._quiet and (letter.seat in self._quiet or not isinstance(letter.command, _MOVES)):
            self._settle()
        move = isinstance(letter.command, _MOVES)
        return decide(self.state, letter.command, self._now_ms, _NO_WORLD if move else self._world())

    def happen(self, body: Body, letter: Letter | None) -> None:
        """Let a body be appended, and all that falls due by it."""
        item = item_of(body, letter)
        self.outcomes.append(Outcome(letter, body, item))
        self._version += 1
        if quiet(body):  # it moves cards of this hand alone: the others' moves need not wait for it
            self._quiet[item.seat] = self._version, body, item
        else:
            self._settle()
            self._apply(self._version, body, item)
            self.fall_due()

    def fall_due(self) -> None:
        """Let what is due happen."""
        body = due(self.state, self._world(), self._now_ms)
        if body is not None:
            self.happen(body, None)

    def _settle(self) -> None:
        for one in self._quiet.values():
            self._apply(*one)
        self._quiet.clear()

    def _apply(self, version: int, body: Body, item: Item) -> None:
        self.state = evolve(self.state, Entry(version, self._now_ms, body, item.seat, item.generation, item.seq))


def quiet(body: Body) -> bool:
    """Whether a body moves cards of one hand and nothing else: nothing can fall due by it."""
    return isinstance(body, Acted) and not body.ended


def item_of(body: Body, letter: Letter | None) -> Item:
    """Return the item that carries a body: a seat's command, the beginning of a generation, or nobody's."""
    if isinstance(body, (SeatTaken, SeatClaimed)):
        return Item(dump(body), body.seat, body.generation, 0)
    if letter is not None and letter.seq:
        return Item(dump(body), letter.seat, letter.generation, letter.seq)
    return Item(dump(body))
