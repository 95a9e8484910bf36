"""One match on one worker: a mailbox, a copy of the state, one append in flight. Decide, append, then tell.

What waits is decided in order on the copy and sent as one append with the version that was decided on; if others were
faster, their entries are applied and everything is decided again. Refusals judged behind an unsettled append wait for
it. Nothing here reads the engine's answer but through the store's results.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable

from server.match.commands import Command
from server.match.decide import World
from server.match.due import wakes_at
from server.match.entries import Acted, Entry, SeatClaimed, SeatKicked, SeatLeft, SeatTaken
from server.match.state import Match
from server.protocol import server as say
from server.rules.base import Refusal
from server.runtime.answers import Answers
from server.runtime.audience import Audience
from server.runtime.clock import Alarm, EngineClock
from server.runtime.deciding import Letter, Outcome, decide_all, quiet
from server.runtime.limits import Limits
from server.runtime.metrics import Metrics
from server.runtime.reactions import Reactions
from server.runtime.replica import Replica
from server.runtime.seeking import Seeker
from server.runtime.session import BYE, RESTART, Session
from server.runtime.solving import Solvers
from server.store.matches import Already, Appended, Conflict, Fenced, Gone, Head, Matches, Result, Stored

REFUSED_PAUSE_S = 1.0

log = logging.getLogger("fairway.room")


class Room:
    """A match that this worker holds. `changed(room, before, entry)` is called after each applied entry."""

    def __init__(
        self,
        stored: list[Stored],
        matches: Matches,
        clock: EngineClock,
        *,
        outages: Callable[[], tuple[tuple[int, int], ...]],
        changed: Callable[["Room", Match, Entry], None],
        spawn: Callable[[Awaitable[None]], object],
        ttl_ms: Callable[[Match], int],
        metrics: Metrics,
        solvers: Solvers,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.replica = Replica(stored, matches, self, spawn)
        self.audience = Audience()
        self.reactions = Reactions(matches, self.audience, lambda: self.state)
        self._answers = Answers(
            self.audience, self.replica.ledger, metrics, here=lambda session: session.room is self
        )
        self.gone = False
        self.idle_since: float | None = self._loop.time()
        self._matches, self._clock = matches, clock
        self._outages, self._changed, self._ttl_ms, self._metrics = outages, changed, ttl_ms, metrics
        self._sent_at_s = 0.0
        self._mailbox: deque[Letter] = deque()
        self._in_flight: list[Outcome] | None = None
        self._decided_on = self.replica.head
        self._asking = 0
        self._limits = Limits()
        self._scheduled = self._answering = False
        self._look = True
        self._alarm = Alarm(clock, self.wake)
        self.seeker = Seeker(solvers, spawn, self.wake)
        self._alarm.set(wakes_at(self.state))

    @property
    def state(self) -> Match:
        """The match as this worker knows it."""
        return self.replica.state

    @property
    def settled(self) -> bool:
        """Nothing waits for the engine, and nobody for an answer."""
        return self._in_flight is None and not self._mailbox and not self._asking

    @property
    def letters(self) -> int:
        """How many commands wait to be decided."""
        return len(self._mailbox)

    # -- what sessions ask

    def post(self, letter: Letter) -> None:
        """Take a command into the mailbox; it is decided within this loop tick unless an append is in flight."""
        if self.gone:
            self._answers.reply(letter, Refusal("gone"))
        elif self._limits.refuse(letter.command, self.state, self._mailbox):
            self._answers.reply(letter, Refusal("too_fast"))
        else:
            self._mailbox.append(letter)
            self._go_on()

    async def ask(self, command: Command) -> Refusal | None:
        """Post a command that has no seq, and wait for what became of it: None if it happened."""
        future: asyncio.Future[Refusal | None] = self._loop.create_future()

        def answer(refusal: Refusal | None) -> None:
            if not future.done():
                future.set_result(refusal)

        self.post(Letter(command, answer=answer))
        self._asking += 1
        try:
            return await future
        finally:
            self._asking -= 1

    def seat_of(self, token_hash: str) -> int | None:
        """Return the seat that a token owns."""
        for number, seat in self.state.here().items():
            if seat.token_hash == token_hash:
                return number
        return None

    def enter(self, session: Session, seat: int | None, version: int | None = None) -> None:
        """Let a session in: what it missed since `version` if that can be told, else its whole view."""
        state = self.state
        session.room, session.seat = self, seat
        session.generation = state.seats[seat].generation if seat is not None else 0
        self.audience.add(session)
        self.idle_since = None
        missed = self.replica.ledger.missed(version, state)
        now_ms = self._clock.now_ms()
        if version is not None:
            self._metrics.count("resumes", "snapshot" if missed is None else "tail")
        if missed is None:
            self.audience.show(state, session, now_ms, self.replica.ledger.last_seq(seat))
        else:
            self.audience.catch_up(session, missed)
        self.audience.say_presence(state, self.world().offline_since, now_ms, to=session)
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
        """Look for what is due, and at the mailbox, once this tick is over, or once the append in flight is answered."""
        self._look = True
        self._go_on()

    def _go_on(self) -> None:
        """Look at the mailbox at that time. A letter makes nothing due before it is decided."""
        if self._in_flight is None and not self._scheduled and not self.gone:
            self._scheduled = True
            self._loop.call_soon(self._pump)

    def world(self) -> World:
        """What the match may know of the outside now."""
        outages = self._outages()
        if self.audience.complete(self.state):  # nearly always
            return World({}, outages, self.seeker.bests, self.seeker.deals)
        offline_since = self.audience.offline_since(
            self.state, self._clock.now_ms(), outages[-1][1] if outages else 0
        )
        return World(offline_since, outages, self.seeker.bests, self.seeker.deals)

    def look_around(self) -> None:
        """Presence may have changed: say so, and see what it makes due, and what is to be found."""
        self.seeker.look(self.state, self._clock.now_ms())
        self.audience.say_presence(self.state, self.world().offline_since, self._clock.now_ms())
        self.wake()

    def _pump(self) -> None:
        self._scheduled = False
        if self._in_flight is not None or self.gone or self.replica.doubted:
            return
        now_ms = self._clock.now_ms()
        look, self._look = self._look or self._alarm.rang_by(now_ms), False
        outcomes, after = decide_all(
            self._mailbox, self.replica, now_ms, self.world, self._answers.fence, self._answers.repeat, look=look
        )
        items = [outcome.item for outcome in outcomes if outcome.item is not None]
        if items:
            self._in_flight, self._decided_on = outcomes, self.replica.head
            self._sent_at_s = time.perf_counter()
            version, digest = self._decided_on
            self._matches.append(self.state.match_id, version, items, self._ttl_ms(after), self._appended, digest)
            return
        for outcome in outcomes:
            self._answers.settle(outcome)
        if look:
            self._alarm.set(wakes_at(self.state, self.world()))
        if self._mailbox:
            self._go_on()

    # -- what the engine answers

    def _appended(self, result: Result) -> None:
        if self.gone:
            return
        outcomes, self._in_flight = self._in_flight or [], None
        self._metrics.durations["append_seconds"].observe(time.perf_counter() - self._sent_at_s)
        happened = [outcome for outcome in outcomes if outcome.item is not None]
        if isinstance(result, Appended):
            self._take(result, happened)
            for outcome in outcomes:
                self._answers.settle(outcome)
            # Moves of single hands make nothing due; what else happened looks around, or somebody has asked to.
            if self._look or self._mailbox:
                self._go_on()
            return
        elif isinstance(result, Gone):
            self.vanished()
        elif isinstance(result, Conflict):
            self.replica.take(result.missing)
            self.replica.head_is(Head(result.version, result.digest), self._decided_on)
            self._put_back(outcomes)
        elif isinstance(result, (Already, Fenced)):
            # Only after a reply was lost on the way, or a takeover that this copy has not heard of.
            odd = happened[result.index]
            outcomes.remove(odd)
            self.replica.catch_up()
            if isinstance(result, Fenced):
                self._answers.fence(odd.letter)
            elif odd.letter is not None and odd.letter.session is not None:
                odd.letter.session.say(say.ack(odd.letter.seq, result.version or self.state.version))
            self._put_back(outcomes)
        else:
            log.warning("append refused", extra={"match": self.state.match_id, "fault": result.code})
            self._metrics.count("engine_errors", result.code)
            for outcome in outcomes:
                if outcome.letter is not None:
                    self._answers.reply(outcome.letter, outcome.refusal or Refusal("engine_away"))
            self._loop.call_later(REFUSED_PAUSE_S, self.wake)
            return
        self.wake()

    def _take(self, result: Appended, happened: list[Outcome]) -> None:
        """Apply what was appended, and count it at once: all of it has one time."""
        at_ms, last, version, moves = result.at_ms, result.last, result.first - 1, 0
        self._answering = True
        try:
            for outcome in happened:
                body, item = outcome.body, outcome.item
                version += 1
                if body is None or item is None:
                    continue
                moves += isinstance(body, Acted)
                self._look = self._look or not quiet(body)
                entry = Entry(version, at_ms, body, item.seat, item.generation, item.seq)
                self.replica.apply(entry, result.digest if version == last else "")
        finally:
            self._answering = False
        if moves:
            self._metrics.count("moves", times=moves)
        self._metrics.durations["told_seconds"].observe(self._age_s(at_ms), len(happened))

    def _age_s(self, at_ms: int) -> float:
        """Return how long ago (s) the engine's clock showed `at_ms`."""
        return max(0, self._clock.now_ms() - at_ms) / 1000

    def _put_back(self, outcomes: list[Outcome]) -> None:
        """What was not appended is decided again, in its old order, before what came later."""
        letters = [outcome.letter for outcome in outcomes if outcome.letter is not None]
        self._mailbox.extendleft(reversed(letters))

    # -- what the copy hears

    def applied(self, before: Match, entry: Entry, after: Match) -> None:
        """Tell an entry that was applied, and see to those whose seat it took."""
        body = entry.body
        if isinstance(body, SeatClaimed):
            for session in self.audience.sessions.get(body.seat, [])[:]:
                if session.generation < body.generation:
                    self.audience.replace(session)
        elif isinstance(body, (SeatLeft, SeatKicked)) or (isinstance(body, SeatTaken) and body.seat in before.seats):
            self._unseat(body, entry)  # also a house player that made room
        self.audience.tell(before, entry, after)
        self._metrics.count("entries", type(body).__name__)
        if not self._answering:
            self._metrics.durations["told_seconds"].observe(self._age_s(entry.at_ms))
        self._changed(self, before, entry)
        if not quiet(body):
            self._alarm.set(wakes_at(self.state, self.world()))
            self.seeker.look(self.state, self._clock.now_ms())

    def _unseat(self, body: SeatLeft | SeatKicked | SeatTaken, entry: Entry) -> None:
        """Who lost the seat hears no more of it: an answer, and the end of the line."""
        for session in self.audience.sessions.get(body.seat, [])[:]:
            self.audience.remove(session)
            session.room = None
            session.say(say.error("kicked") if isinstance(body, SeatKicked) else say.ack(entry.seq, entry.version))
            session.hang_up(BYE)

    def began_again(self, before: Match) -> None:
        """Nothing that was told holds any more: everybody gets a new view, or comes in anew."""
        now_ms = self._clock.now_ms()
        for session in self.audience:
            if session.seat is not None and _owner(before, session.seat) != _owner(self.state, session.seat):
                self.audience.remove(session)
                session.room = None
                session.hang_up(RESTART)
                continue
            self.audience.show(self.state, session, now_ms, self.replica.ledger.last_seq(session.seat))

    def vanished(self) -> None:
        """The match does not exist any more: say so and end."""
        self._end(say.gone())

    def failed(self, code: str) -> None:
        """This program can't go on with the match: say why and end; the stream stays as it is."""
        log.error("room failed", extra={"match": self.state.match_id, "fault": code})
        self._end(say.error(code))

    def _end(self, word: say.Frame) -> None:
        if self.gone:
            return
        self.gone = self.replica.ended = True
        self.stop_timer()
        waiting = [outcome.letter for outcome in self._in_flight or [] if outcome.letter is not None]
        for letter in [*waiting, *self._mailbox]:
            self._answers.reply(letter, Refusal("gone"))
        self._mailbox.clear()
        self._in_flight = None
        for session in self.audience:
            session.say(word)
            session.room = None
            session.hang_up(BYE)
        self.audience.sessions.clear()

    def stop_timer(self) -> None:
        """Let the clock make nothing due any more."""
        self._alarm.stop()


def _owner(state: Match, number: int) -> tuple[str, int] | None:
    """Return whose a seat is, and which of their pages speaks for it."""
    seat = state.here().get(number)
    return None if seat is None else (seat.token_hash, seat.generation)
