"""What a room decides in one go: all that is due and all that waits, in order. Changes nothing but the mailbox.

The outcome is one append: either all of it happens or none, and then everything is decided again.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(slots=True)
class Letter:
    """A command on its way; `answer` is called once for those that no seat's seq answers (join, claim)."""

    command: Command
    session: Session | None = None
    seat: int = -1
    generation: int = 0
    seq: int = 0
    answer: Callable[[Refusal | None], None] | None = None


@dataclass(slots=True)
class Outcome:
    """What was decided: a body and its item, or a refusal; without a letter, something fell due by itself."""

    letter: Letter | None
    body: Body | None = None
    item: Item | None = None
    refusal: Refusal | None = None


def decide_all(
    mailbox: deque[Letter],
    replica: Replica,
    now_ms: int,
    world: World,
    fence: Callable[[Letter], None],
    repeat: Callable[[Letter], None],
) -> tuple[list[Outcome], Match]:
    """Decide what is due and what waits, each on the state that the one before would make.

    Takes from `mailbox` what it decides. A command of a page that was taken over goes to `fence`, one whose seq was
    used to `repeat`. Returns what to append and to answer, and the state after it (quiet moves may be left out).
    """
    state, ledger = replica.state, replica.ledger
    version = state.version
    ahead: dict[int, Entry] = {}
    outcomes: list[Outcome] = []
    seqs = ledger.last_seqs()

    def happen(body: Body, letter: Letter | None) -> None:
        nonlocal version
        item = item_of(body, letter)
        outcomes.append(Outcome(letter, body, item))
        version += 1
        entry = Entry(version, now_ms, body, item.seat, item.generation, item.seq)
        if quiet(body):
            ahead[item.seat] = entry  # it moves cards of this hand alone: the others' moves need not wait for it
        else:
            settle()
            apply(entry)
            fall_due()

    def apply(entry: Entry) -> None:
        nonlocal state
        state = evolve(state, entry)

    def settle() -> None:
        for entry in ahead.values():
            apply(entry)
        ahead.clear()

    def fall_due() -> None:
        body = due(state, world, now_ms)
        if body is not None:
            happen(body, None)

    fall_due()
    while mailbox and len(outcomes) < MOST_ITEMS:
        letter = mailbox.popleft()
        if letter.seq:
            seat = state.seats.get(letter.seat)
            if seat is None or letter.generation < seat.generation:
                fence(letter)
                continue
            if letter.seq <= seqs.get(letter.seat, 0):
                if letter.seq > ledger.last_seq(letter.seat):
                    mailbox.appendleft(letter)  # repeated within this append: answered after it
                    break
                repeat(letter)
                continue
        if ahead and (letter.seat in ahead or not isinstance(letter.command, _MOVES)):
            settle()
        judged = decide(state, letter.command, now_ms, world)
        if isinstance(judged, Refusal):
            outcomes.append(Outcome(letter, refusal=judged))
            continue
        if letter.seq:
            seqs[letter.seat] = letter.seq
        happen(judged, letter)
    return outcomes, state


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
