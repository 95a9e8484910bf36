"""This worker's copy of one match: a cache of the stream. Entries go in by version only, whichever way they came.

By reply, by publication or by reading, an entry is applied exactly once and in order; a gap is read, and a copy that
is ahead of the engine (a failover, an older backup) begins again. Judges nothing, tells nobody: its listener does.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from server.match.entries import Entry, SchemaTooNew, load
from server.match.evolve import evolve, replay
from server.match.state import Match
from server.runtime.ledger import Ledger
from server.store.matches import Matches, Stored

log = logging.getLogger("fairway.replica")


class Listener(Protocol):
    """What a copy's owner hears."""

    def applied(self, before: Match, entry: Entry, after: Match) -> None:
        """One entry was applied."""

    def began_again(self) -> None:
        """The copy was made anew from the stream: nothing that was told before holds."""

    def vanished(self) -> None:
        """The match does not exist any more."""

    def failed(self, code: str) -> None:
        """This program can't read the stream (`stream_newer`, `stream_bad`)."""

    def wake(self) -> None:
        """There may be something to do."""


class Replica:
    """The state and the ledger of a match that was read whole."""

    def __init__(
        self,
        entries: list[Entry],
        matches: Matches,
        listener: Listener,
        spawn: Callable[[Awaitable[None]], object],
    ) -> None:
        self.state = replay(entries)
        self.ledger = Ledger()
        self.ledger.begin(entries)
        self._matches, self._listener, self._spawn = matches, listener, spawn
        self._reading = False
        self.ended = False

    def apply(self, entry: Entry) -> None:
        """Apply the entry that follows; a known one is dropped. Raises ValueError for one out of order."""
        if entry.version > self.state.version:
            self._step(entry, evolve(self.state, entry))

    def _step(self, entry: Entry, after: Match) -> None:
        before, self.state = self.state, after
        self.ledger.step(before, entry)
        self._listener.applied(before, entry, after)

    def take(self, stored: Iterable[Stored]) -> None:
        """Apply entries as the engine gives them; a gap is read in the background."""
        for one in stored:
            if self.ended or one.version <= self.state.version:
                continue
            if one.version > self.state.version + 1:
                self.catch_up()
                return
            try:
                entry = load_entry(one)
                after = evolve(self.state, entry)
            except Exception as error:  # whatever it is that can't be made of it
                self._listener.failed(unreadable(error, self.state.match_id).code)
                return
            self._step(entry, after)
        self._listener.wake()

    def head_is(self, version: int | None, asked_at: int) -> None:
        """Compare with the engine's head, as polled: publication only hurries.

        `asked_at` is this copy's version when it asked. What was applied since then is not in the answer, so only a
        head behind `asked_at` has gone backwards.
        """
        if version is None:
            self._listener.vanished()
        elif version > self.state.version:
            self.catch_up()
        elif version < asked_at:
            self.begin_again()

    async def refresh(self) -> None:
        """Read now what this copy may have missed. Raises EngineError."""
        stored = await self._matches.read(self.state.match_id, self.state.version)
        if self.ended:
            return
        if stored is None:
            self._listener.vanished()
        else:
            self.take(stored)

    def catch_up(self) -> None:
        """Read what is missing, in the background."""
        self._read_after(self.state.version)

    def begin_again(self) -> None:
        """Read everything anew, in the background: the engine knows less than this copy."""
        log.warning("a match went backwards", extra={"match": self.state.match_id})
        self._read_after(0)

    def _read_after(self, version: int) -> None:
        if not self._reading and not self.ended:
            self._reading = True
            self._spawn(self._read(version))

    async def _read(self, after: int) -> None:
        asked_at = self.state.version
        try:
            stored = await self._matches.read(self.state.match_id, after)
        finally:
            self._reading = False
        if self.ended:
            return
        if stored is None:
            self._listener.vanished()
        elif after or (stored and stored[-1].version >= asked_at):
            self.take(stored)
        else:
            try:
                entries = load_entries(stored)
                self.state = replay(entries)
            except Exception as error:  # the same
                self._listener.failed(unreadable(error, self.state.match_id).code)
                return
            self.ledger.begin(entries)
            self._listener.began_again()
        self._listener.wake()


class Unreadable(Exception):
    """This program can't make a match of a stream. `code`: `stream_newer`, or `stream_bad` for what nobody wrote."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def unreadable(error: Exception, match_id: str) -> Unreadable:
    """Say in the log what can't be read, and in a code whose fault it is."""
    code = "stream_newer" if isinstance(error, SchemaTooNew) else "stream_bad"
    # The error's words may quote the entry, and so a card: its type must do.
    log.error("a stream can't be read", extra={"match": match_id, "fault": code, "why": type(error).__name__})
    return Unreadable(code)


def load_entry(stored: Stored) -> Entry:
    """Read a stored entry. Raises SchemaTooNew or ValueError."""
    return Entry(stored.version, stored.at_ms, load(stored.payload), stored.seat, stored.generation, stored.seq)


def load_entries(stored: Iterable[Stored]) -> list[Entry]:
    """Read stored entries. Raises SchemaTooNew or ValueError."""
    return [load_entry(one) for one in stored]
