"""Those of one worker who wait for a quick match: asked for in the shared queue every second until they are seated.

The queue is a hint with a lease. Whoever asks brings an offer (an id, a room code, a secret); the queue gives it to all
who are seated by it, so that the worker of any of them makes the match, once however many do. So none is lost with a
worker, and who does not come is not waited for (`due`).
"""

import contextlib
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_network

from server.match.entries import Created
from server.match.names import tell_apart
from server.match.options import Options
from server.protocol import server as say
from server.rules.codes import SEALING
from server.runtime.ids import new_match_id, new_room_code, new_secret, token_hash
from server.runtime.session import Session
from server.store.queue import PATIENCE_MS, Full, Held, Queue, Seated

ASK_S = 1.0
LOOPBACK_6 = "::/64"
"""What limits count `::1` by."""

log = logging.getLogger("fairway.waiters")


@dataclass(slots=True)
class Waiter:
    """One who waits: the ticket is the hash of the token that will be its seat's."""

    ticket: str
    person: str
    held: tuple[str, ...]
    players: int = 0


class Waiters:
    """The sessions that wait for a quick match. `make` makes a match, and is safe to be repeated."""

    def __init__(
        self,
        queue: Queue,
        make: Callable[[Created], Awaitable[bool]],
        spawn: Callable[[Awaitable[None]], object],
        now_ms: Callable[[], int],
    ) -> None:
        self._queue, self._make, self._spawn, self._now_ms = queue, make, spawn, now_ms
        self._waiting: dict[Session, Waiter] = {}
        self.patience_ms = PATIENCE_MS

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait(self, session: Session, name: str, token: str, browser: str) -> str | None:
        """Let a session wait, or answer it at once. Returns the code of a refusal, None without. Raises EngineError."""
        held = (f"b:{token_hash(browser)}", *_address(session.address))
        ticket = token_hash(token)
        waiter = Waiter(ticket, json.dumps({"name": name, "owner": ticket}), held)
        if self._waiting.get(session, waiter).ticket != ticket:
            self.leave(session)
        self._waiting[session] = waiter
        code = await self._ask(session, waiter)
        if code is not None:
            self._waiting.pop(session, None)
        return code

    def leave(self, session: Session) -> None:
        """A session waits no longer, or never did; its place goes to nobody."""
        waiter = self._waiting.pop(session, None)
        if waiter is not None:
            self._spawn(self._give_up(waiter.ticket))

    async def _give_up(self, ticket: str) -> None:
        await self._queue.leave(ticket)

    async def ask_all(self) -> None:
        """Keep everybody's place, and seat whom the queue seats. Raises EngineError."""
        for session, waiter in list(self._waiting.items()):
            if self._waiting.get(session) is waiter:
                code = await self._ask(session, waiter)
                if code is not None:
                    self._waiting.pop(session, None)
                    session.say(say.error(code))

    async def _ask(self, session: Session, waiter: Waiter) -> str | None:
        offer = json.dumps({"match": new_match_id(), "room": new_room_code(), "secret": new_secret()})
        answer = await self._queue.wait(
            waiter.ticket, waiter.person, waiter.held, offer, patience_ms=self.patience_ms
        )
        if isinstance(answer, Held):
            return "already_waiting"
        if isinstance(answer, Full):
            return "too_fast"
        if isinstance(answer, Seated):
            created = created_of(answer)
            if not await self._make(created):
                log.warning("a quick match's room code was taken", extra={"match": created.match_id})
                return "no_such_room"
            if self._waiting.pop(session, None) is not None:
                session.say(say.matched(created.match_id, created.room))
        elif self._waiting.get(session) is waiter and answer.waiting != waiter.players:
            waiter.players = answer.waiting
            session.say(say.waiting(answer.waiting, self._now_ms() - answer.waited_ms))
        return None


def created_of(seated: Seated) -> Created:
    """Return how a quick match begins: everybody in the order of their coming, under the default rules."""
    offer = json.loads(seated.offer)
    people = [json.loads(person) for person in seated.people]
    names: list[str] = []
    for person in people:
        names.append(tell_apart(person["name"], names))
    rows = tuple((number, names[number], person["owner"]) for number, person in enumerate(people))
    options = Options(seats=len(people))
    return Created(offer["match"], offer["room"], options, offer["secret"], 0, rows, SEALING, quick=True)


def _address(address: str) -> tuple[str, ...]:
    """Return an address as something that waits once. This machine's own stands for nobody: a proxy may be behind it."""
    with contextlib.suppress(ValueError):
        if ip_network(address).network_address.is_loopback or address == LOOPBACK_6:
            return ()
    return ("a:" + "".join(address.split()),) if address else ()
