"""Who listens to a match on this worker, and who is there on any: sessions, telling, presence.

Views come from `match.view` alone; each distinct one is worked out and encoded once. Presence is a hint with a
lease: it decides who may be closed for being away, never who owns a seat.
"""

from collections.abc import Iterable, Iterator, Mapping

from server.match.entries import Entry
from server.match.state import Match
from server.match.telling import telling
from server.match.view import Viewer, snapshot
from server.protocol import server as say
from server.runtime.outbox import frame
from server.runtime.session import REPLACED, Session

SPECTATOR = "w"
NOBODY = -1


class Audience:
    """The sessions of one room, by viewer, and the leases of all workers' sessions."""

    def __init__(self) -> None:
        self.sessions: dict[Viewer, list[Session]] = {}
        self._leases: dict[str, int] = {}
        self._missing_since: dict[int, int] = {}
        self._said: tuple[dict[int, int | None], int] | None = None

    def __len__(self) -> int:
        return sum(len(sessions) for sessions in self.sessions.values())

    def __iter__(self) -> Iterator[Session]:
        return iter([session for sessions in self.sessions.values() for session in sessions])

    def add(self, session: Session) -> None:
        """Let a session hear; an older one of the same seat is replaced."""
        if session.seat is not None:
            for older in self.sessions.get(session.seat, [])[:]:
                self.replace(older)
        self.sessions.setdefault(session.seat, []).append(session)

    def remove(self, session: Session) -> bool:
        """Let a session hear no more; False if it did not."""
        sessions = self.sessions.get(session.seat, [])
        if session not in sessions:
            return False
        sessions.remove(session)
        if not sessions:
            del self.sessions[session.seat]
        return True

    def replace(self, session: Session) -> None:
        """Tell a session that another page speaks for its seat, and end it."""
        if self.remove(session):
            session.room = None
            session.say(say.replaced())
            session.hang_up(REPLACED)

    def tell(self, before: Match, entry: Entry, after: Match) -> None:
        """Tell everybody one entry: one view and one frame for all who hear the same."""
        if not self.sessions:
            return
        text_for, version = telling(before, entry, after).text, entry.version
        actor = entry.seat if entry.seq else NOBODY
        built: dict[str, tuple[bytes, bytes]] = {}
        for viewer, sessions in self.sessions.items():
            text = text_for(viewer)
            if viewer == actor:  # the one whose command it answers, also where all hear the same of it
                payload = say.entry(version, text, entry.seq)
                framed = frame(payload)
            else:
                known = built.get(text)
                if known is None:
                    payload = say.entry(version, text)
                    known = built[text] = payload, frame(payload)
                payload, framed = known
            for session in sessions:
                session.outbox.push(payload, framed)

    def say_all(self, message: say.Frame) -> None:
        """Say the same to all."""
        payload = say.encode(message)
        framed = frame(payload)
        for sessions in self.sessions.values():
            for session in sessions:
                session.outbox.push(payload, framed)

    def show(self, state: Match, session: Session, now_ms: int, last_seq: int) -> None:
        """Give one session its whole view."""
        view = snapshot(state, session.seat)
        if session.seat is not None:
            view["you"]["next_seq"] = last_seq + 1
        session.say(say.snapshot(state.version, now_ms, view))

    def catch_up(self, session: Session, missed: Iterable[tuple[Match, Entry, Match]]) -> None:
        """Tell one session the steps that it missed."""
        for before, entry, after in missed:
            seq = entry.seq if entry.seat == session.seat and entry.seq else None
            session.outbox.push(say.entry(entry.version, telling(before, entry, after).text(session.seat), seq))

    # Presence

    def leases(self, lease_ms: int) -> dict[str, int]:
        """Return this worker's members, each with a fresh lease."""
        return {session.member: lease_ms for sessions in self.sessions.values() for session in sessions}

    def heard_leases(self, leases: Mapping[str, int]) -> None:
        """Take what the engine has of all workers' leases (member: when it runs out)."""
        self._leases = dict(leases)

    def forget(self, member: str, now_ms: int) -> None:
        """A session of this worker ended: its lease is over at once."""
        self._leases[member] = min(self._leases.get(member, now_ms), now_ms)

    def complete(self, state: Match) -> bool:
        """Whether every seat listens on this very worker, so that nobody is offline."""
        sessions = self.sessions
        for number, seat in state.seats.items():
            if number not in sessions and seat.standing == "here":
                return False
        self._missing_since.clear()
        return True

    def offline_since(self, state: Match, now_ms: int, not_before_ms: int = 0) -> dict[int, int]:
        """Return the seats that are offline and since when (ms), never counting an engine's outage."""
        ends: dict[str, int] = {}
        for member, until_ms in self._leases.items():
            seat = member.split(":", 1)[0]
            ends[seat] = max(ends.get(seat, 0), until_ms)
        offline: dict[int, int] = {}
        for number in state.here():
            if number in self.sessions or (until_ms := ends.get(str(number), 0)) > now_ms:
                self._missing_since.pop(number, None)
                continue
            since_ms = until_ms or self._missing_since.setdefault(number, now_ms)
            offline[number] = max(since_ms, not_before_ms)
        return offline

    def spectators(self, now_ms: int) -> int:
        """Count those who look on, on any worker."""
        here = {session.member for session in self.sessions.get(None, [])}
        return len(here | {m for m, until in self._leases.items() if m[0] == SPECTATOR and until > now_ms})

    def say_presence(self, state: Match, offline: Mapping[int, int], now_ms: int, to: Session | None = None) -> None:
        """Say who is online: to all if it changed, or to one who has just come."""
        seats: dict[int, int | None] = {number: offline.get(number) for number in state.here()}
        current = (seats, self.spectators(now_ms))
        if to is not None:
            to.say(say.presence(*current))
        if current != self._said:
            self._said = current
            self.say_all(say.presence(*current))
