"""One match on one worker: a mailbox, a copy of the state, one append in flight. Decide, append, then tell.

The copy is a cache of the stream. What waits is decided in order on it and sent as one append with the version that
was decided on; if others were faster, their entries are applied and everything is decided again. Entries are applied
in version order only, whichever way they came. Refusals judged behind an unsettled append wait for it.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from server.match.commands import Command
from server.match.decide import World, decide
from server.match.due import due, wakes_at
from server.match.entries import (
    Acted,
    Body,
    Entry,
    SchemaTooNew,
    SeatClaimed,
    SeatKicked,
    SeatLeft,
    SeatTaken,
    dump,
    load,
)
from server.match.evolve import evolve, replay
from server.match.state import Match
from server.match.view import tell
from server.protocol import server as say
from server.rules.base import Refusal
from server.runtime.audience import Audience
from server.runtime.clock import EngineClock
from server.runtime.ledger import Ledger
from server.runtime.session import BYE, Session
from server.store.matches import Already, Appended, Conflict, Fenced, Gone, Item, Matches, Result, Stored

MOST_ITEMS = 64
MOST_WAITING = 512

log = logging.getLogger("fairway.room")


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
    """What was decided of a letter (None: due by itself): the place of its item, or a refusal."""

    letter: Letter | None
    body: Body | None = None
    refusal: Refusal | None = None


class Room:
    """A match that this worker holds. `changed(room, before, entry)` is called after each applied entry."""

    def __init__(
        self,
        state: Match,
        matches: Matches,
        clock: EngineClock,
        *,
        outages: Callable[[], tuple[tuple[int, int], ...]],
        changed: Callable[["Room", Match, Entry], None],
        spawn: Callable[[Awaitable[None]], None],
        ttl_ms: Callable[[Match], int],
    ) -> None:
        self.state = state
        self.audience = Audience()
        self.ledger = Ledger()
        self.gone = False
        self.idle_since: float | None = None
        self._matches, self._clock = matches, clock
        self._outages, self._changed, self._spawn, self._ttl_ms = outages, changed, spawn, ttl_ms
        self._loop = asyncio.get_running_loop()
        self._mailbox: deque[Letter] = deque()
        self._in_flight: list[Outcome] | None = None
        self._scheduled = False
        self._reading = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at_ms = 0

    # -- what sessions ask

    def post(self, letter: Letter) -> None:
        """Take a command into the mailbox; it is decided within this loop tick unless an append is in flight."""
        if len(self._mailbox) >= MOST_WAITING:
            self._reply(letter, Refusal("too_fast"))
            return
        self._mailbox.append(letter)
        self.wake()

    async def ask(self, command: Command) -> Refusal | None:
        """Post a command that has no seq, and wait for what became of it: None if it happened."""
        future: asyncio.Future[Refusal | None] = self._loop.create_future()

        def answer(refusal: Refusal | None) -> None:
            if not future.done():
                future.set_result(refusal)

        self.post(Letter(command, answer=answer))
        return await future

    def seat_of(self, token_hash: str) -> int | None:
        """Return the seat that a token owns."""
        for number, seat in self.state.here().items():
            if seat.token_hash == token_hash:
                return number
        return None

    def enter(self, session: Session, seat: int | None, version: int | None = None) -> None:
        """Let a session in: what it missed since `version` if that can be told, else its whole view."""
        session.room, session.seat = self, seat
        session.generation = self.state.seats[seat].generation if seat is not None else 0
        self.audience.add(session)
        self.idle_since = None
        missed = self.ledger.missed(version, self.state)
        now_ms = self._clock.now_ms()
        if missed is None:
            self.audience.show(self.state, session, now_ms, self.ledger.last_seq(seat))
        else:
            for before, entry, after in missed:
                seq = entry.seq if entry.seat == seat and entry.seq else None
                session.say(say.entry(entry.version, tell(before, entry, after, seat), seq))
        self.audience.say_presence(self.state, self.world().offline_since, now_ms, to=session)
        self.wake()

    def leave(self, session: Session) -> None:
        """A session is over; its seat stays."""
        if self.audience.remove(session):
            self.audience.forget(session.member, self._clock.now_ms())
            if not len(self.audience):
                self.idle_since = self._loop.time()
        session.room = None

    # -- deciding

    def wake(self) -> None:
        """Look at the mailbox and the clock once this tick is over."""
        if not self._scheduled and self._in_flight is None and not self.gone:
            self._scheduled = True
            self._loop.call_soon(self._pump)

    def world(self) -> World:
        """What the match may know of the outside now."""
        outages = self._outages()
        settled_ms = outages[-1][1] if outages else 0
        return World(self.audience.offline_since(self.state, self._clock.now_ms(), settled_ms), outages)

    def _pump(self) -> None:
        self._scheduled = False
        if self._in_flight is not None or self.gone:
            return
        now_ms, world, state = self._clock.now_ms(), self.world(), self.state
        outcomes: list[Outcome] = []
        items: list[Item] = []
        seqs = self.ledger.last_seqs()

        def happen(body: Body, letter: Letter | None, item: Item) -> None:
            nonlocal state
            outcomes.append(Outcome(letter, body))
            items.append(item)
            quiet = isinstance(body, Acted) and not body.ended and not self._mailbox
            if not quiet:  # nothing more is decided on a quiet move's state in this append
                state = evolve(state, Entry(state.version + 1, now_ms, body, item.seat, item.generation, item.seq))

        def fall_due() -> None:
            while (body := due(state, world, now_ms)) is not None:
                happen(body, None, Item(dump(body)))

        fall_due()
        while self._mailbox and len(items) < MOST_ITEMS:
            letter = self._mailbox.popleft()
            if letter.seq and letter.generation < self._generation(letter.seat):
                if letter.session is not None:
                    self.audience.replace(letter.session)
                continue
            if letter.seq and letter.seq <= seqs.get(letter.seat, 0):
                if letter.seq > self.ledger.last_seq(letter.seat):
                    self._mailbox.appendleft(letter)  # repeated within this batch: answered after it
                    break
                self._repeat(letter)
                continue
            judged = decide(state, letter.command, now_ms, world)
            if isinstance(judged, Refusal):
                outcomes.append(Outcome(letter, refusal=judged))
                continue
            happen(judged, letter, _item_of(judged, letter))
            if letter.seq:
                seqs[letter.seat] = letter.seq
            if not (isinstance(judged, Acted) and not judged.ended):
                fall_due()
        if not items:
            for outcome in outcomes:
                self._settle(outcome)
            self._set_timer()
            return
        self._in_flight = outcomes
        self._matches.append(self.state.match_id, self.state.version, items, self._ttl_ms(state), self._appended)

    def _generation(self, number: int) -> int:
        seat = self.state.seats.get(number)
        return seat.generation if seat is not None else 0

    def _repeat(self, letter: Letter) -> None:
        """Answer a seq that was used: with the version that it became, or that it came to nothing."""
        version = self.ledger.became(letter.seat, letter.seq)
        if letter.session is not None and letter.session.room is self:
            letter.session.say(say.refused(letter.seq, "stale") if version is None else say.ack(letter.seq, version))

    # -- what the engine answers

    def _appended(self, result: Result) -> None:
        outcomes, self._in_flight = self._in_flight or [], None
        happened = [outcome for outcome in outcomes if outcome.body is not None]
        if isinstance(result, Appended):
            for version, outcome in enumerate(happened, result.first):
                if version == self.state.version + 1 and outcome.body is not None:
                    item = _item_of(outcome.body, outcome.letter)
                    self._apply(Entry(version, result.at_ms, outcome.body, item.seat, item.generation, item.seq))
            for outcome in outcomes:
                self._settle(outcome)
        elif isinstance(result, Gone):
            self.vanish()
            return
        elif isinstance(result, (Conflict, Already, Fenced)):
            if isinstance(result, Conflict):
                if result.version < self.state.version:
                    self._reload()
                self.take(result.missing)
            else:
                letter = happened[result.index].letter
                outcomes.remove(happened[result.index])
                self.catch_up()
                if letter is not None and isinstance(result, Fenced) and letter.session is not None:
                    self.audience.replace(letter.session)
                elif letter is not None and isinstance(result, Already) and letter.session is not None:
                    letter.session.say(say.ack(letter.seq, result.version or self.state.version))
            again = [outcome.letter for outcome in outcomes if outcome.letter is not None]
            self._mailbox.extendleft(reversed(again))
        else:
            log.warning("append refused", extra={"match": self.state.match_id, "code": result.code})
            for outcome in outcomes:
                if outcome.letter is not None:
                    self._reply(outcome.letter, outcome.refusal or Refusal("engine_away"))
            self._loop.call_later(1.0, self.wake)
            return
        if not self._reading:
            self.wake()

    def _settle(self, outcome: Outcome) -> None:
        if outcome.letter is not None and (outcome.refusal is not None or outcome.letter.answer is not None):
            self._reply(outcome.letter, outcome.refusal)

    def _reply(self, letter: Letter, refusal: Refusal | None) -> None:
        if letter.answer is not None:
            letter.answer(refusal)
        elif refusal is not None and letter.session is not None:
            letter.session.say(say.refused(letter.seq, refusal.code, dict(refusal.params)))

    # -- entries, in order

    def take(self, stored: Iterable[Stored]) -> None:
        """Apply entries that others appended; known ones are dropped, a gap is read."""
        for one in stored:
            if one.version <= self.state.version or self.gone:
                continue
            if one.version > self.state.version + 1:
                self.catch_up()
                return
            try:
                body = load(one.payload)
            except SchemaTooNew:
                self.fail("stream_newer")
                return
            self._apply(Entry(one.version, one.at_ms, body, one.seat, one.generation, one.seq))
        self.wake()

    def _apply(self, entry: Entry) -> None:
        before, body = self.state, entry.body
        self.state = after = evolve(before, entry)
        self.ledger.step(before, entry, after)
        if isinstance(body, SeatClaimed):
            for session in self.audience.sessions.get(body.seat, [])[:]:
                if session.generation < body.generation:
                    self.audience.replace(session)
        if isinstance(body, (SeatLeft, SeatKicked)):
            self._unseat(body, entry)
        self.audience.tell(before, entry, after)
        self._changed(self, before, entry)
        self._set_timer()

    def _unseat(self, body: SeatLeft | SeatKicked, entry: Entry) -> None:
        """Who lost the seat hears no more of it: an answer, and the end of the line."""
        for session in self.audience.sessions.get(body.seat, [])[:]:
            self.audience.remove(session)
            session.room = None
            if isinstance(body, SeatKicked):
                session.say(say.error("kicked"))
            else:
                session.say(say.ack(entry.seq, entry.version))
            session.hang_up(BYE)

    def catch_up(self) -> None:
        """Read what is missing, in the background."""
        if not self._reading and not self.gone:
            self._reading = True
            self._spawn(self._read(self.state.version))

    def _reload(self) -> None:
        """The engine knows less than this copy (a failover, an older backup): begin again from what it has."""
        if not self._reading and not self.gone:
            self._reading = True
            self._spawn(self._read(0))

    async def _read(self, after: int) -> None:
        try:
            stored = await self._matches.read(self.state.match_id, after)
        finally:
            self._reading = False
        if stored is None:
            self.vanish()
        elif after == 0:
            self._begin_again(stored)
        else:
            self.take(stored)
        self.wake()

    def _begin_again(self, stored: list[Stored]) -> None:
        entries = load_entries(stored)
        self.state = replay(entries)
        self.ledger.begin(entries)
        for session in self.audience:
            self.audience.show(self.state, session, self._clock.now_ms(), self.ledger.last_seq(session.seat))

    def head_is(self, version: int | None) -> None:
        """Compare with the engine's head, as polled: publication only hurries."""
        if version is None:
            self.vanish()
        elif version > self.state.version:
            self.catch_up()
        elif version < self.state.version and self._in_flight is None:
            self._reload()

    def look_around(self) -> None:
        """Presence may have changed: say so, and see what it makes due."""
        world = self.world()
        self.audience.say_presence(self.state, world.offline_since, self._clock.now_ms())
        self.wake()

    # -- time and end

    def _set_timer(self) -> None:
        at_ms = wakes_at(self.state)
        if at_ms == self._timer_at_ms and self._timer is not None:
            return
        self.stop_timer()
        if at_ms and self.state.phase != "ended":
            self._timer_at_ms = at_ms
            # A little late rather than early: the estimate of the engine's clock is never ahead of it.
            delay_s = max(0.0, (at_ms - self._clock.now_ms()) / 1000) + 0.005
            self._timer = self._loop.call_later(delay_s, self._ring)

    def _ring(self) -> None:
        self._timer, self._timer_at_ms = None, 0
        self.wake()

    def stop_timer(self) -> None:
        """Let the clock make nothing due any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at_ms = None, 0

    @property
    def settled(self) -> bool:
        """Nothing waits for the engine."""
        return self._in_flight is None and not self._mailbox

    def vanish(self) -> None:
        """The match does not exist any more: say so and end."""
        self._end(say.gone())

    def fail(self, code: str) -> None:
        """This program cannot go on with the match: say why and end; the stream stays as it is."""
        log.error("room failed", extra={"match": self.state.match_id, "code": code})
        self._end(say.error(code))

    def _end(self, word: say.Frame) -> None:
        if self.gone:
            return
        self.gone = True
        self.stop_timer()
        for outcome in self._in_flight or []:
            if outcome.letter is not None:
                self._reply(outcome.letter, Refusal("gone"))
        for letter in self._mailbox:
            self._reply(letter, Refusal("gone"))
        self._mailbox.clear()
        for session in self.audience:
            session.say(word)
            session.room = None
            session.hang_up(BYE)
        self.audience.sessions.clear()


def _item_of(body: Body, letter: Letter | None) -> Item:
    """Return the item that carries a body: a seat's command, the beginning of a generation, or nobody's."""
    if isinstance(body, (SeatTaken, SeatClaimed)):
        return Item(dump(body), body.seat, body.generation, 0)
    if letter is not None and letter.seq:
        return Item(dump(body), letter.seat, letter.generation, letter.seq)
    return Item(dump(body))


def load_entries(stored: Iterable[Stored]) -> list[Entry]:
    """Read stored entries. Raises SchemaTooNew or ValueError."""
    return [Entry(s.version, s.at_ms, load(s.payload), s.seat, s.generation, s.seq) for s in stored]
