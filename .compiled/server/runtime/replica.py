"""This worker's copy of one match: a cache of the stream. Entries go in by version only, whichever way they came.

By reply, by publication or by reading, an entry is applied exactly once and in order; a gap is read, and a copy that
is ahead of the engine, or of another history (a failover, an older backup), begins again: equal versions with unequal
digests are different matches. Judges nothing, tells nobody: its listener does.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from server.match.entries import Entry, SchemaTooNew, load
from server.match.evolve import evolve, replay
from server.match.state import Match
from server.runtime.ledger import Ledger
from server.store.matches import Head, Matches, Stored, chain

log = logging.getLogger("fairway.replica")


class Listener(Protocol):
    """What a copy's owner hears."""

    def applied(self, before: Match, entry: Entry, after: Match) -> None:
        """One entry was applied."""

    def began_again(self, before: Match) -> None:
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
        stored: list[Stored],
        matches: Matches,
        listener: Listener,
        spawn: Callable[[Awaitable[None]], object],
    ) -> None:
        entries = load_entries(stored)
        self.state = replay(entries)
        self.ledger = Ledger()
        self.ledger.begin(entries)
        self.digest = digest_of(stored)
        self._matches, self._listener, self._spawn = matches, listener, spawn
        self._reading = False
        self.ended = False
        self.doubted = False
        """The engine's history is another one: nothing may be decided on this copy until it has begun again."""

    @property
    def head(self) -> Head:
        """How far this copy is, and on which history."""
        return Head(self.state.version, self.digest)

    def apply(self, entry: Entry, digest: str) -> None:
        """Apply the entry that follows; a known one is dropped. Raises ValueError for one out of order.

        `digest` is the history's after it; empty, and not compared until the next one, where it is not known.
        """
        if entry.version > self.state.version:
            self._step(entry, evolve(self.state, entry), digest)

    def _step(self, entry: Entry, after: Match, digest: str) -> None:
        before, self.state, self.digest = self.state, after, digest
        self.ledger.step(before, entry)
        self._listener.applied(before, entry, after)

    def take(self, stored: Iterable[Stored]) -> None:
        """Apply entries as the engine gives them; a gap is read in the background."""
        stored = [one for one in stored if one.version > self.state.version]
        digests = self._digests(stored)
        if digests is None:
            self.begin_again()
            return
        for one, digest in zip(stored, digests, strict=False):  # only those before a gap have one
            if self.ended or one.version <= self.state.version:
                continue
            try:
                entry = load_entry(one)
                after = evolve(self.state, entry)
            except Exception as error:  # whatever it is that can't be made of it
                self._listener.failed(unreadable(error, self.state.match_id).code)
                return
            self._step(entry, after, digest)
        if len(digests) < len(stored):
            self.catch_up()
        self._listener.wake()

    def _digests(self, stored: list[Stored]) -> list[str] | None:
        """The digests after entries, as far as there is no gap; None if they belong to another history."""
        digest, version = self.digest, self.state.version
        digests: list[str] = []
        for one in stored:
            if one.version != version + 1:
                break
            digest, version = chain(digest, one) if digest else one.digest, one.version
            if one.digest and one.digest != digest:
                return None
            digests.append(digest)
        return digests

    def head_is(self, head: Head | None, asked_at: Head) -> None:
        """Compare with the engine's head, as polled: publication only hurries.

        `asked_at` is this copy's own when it asked. What was applied since then is not in the answer, so only a head
        behind `asked_at` has gone backwards, and only one as far as that can be told apart from it.
        """
        if head is None:
            self._listener.vanished()
        elif head.version < asked_at.version or (head.version == asked_at.version and _differ(head, asked_at)):
            self.begin_again()
        elif head.version > self.state.version:
            self.catch_up()

    async def refresh(self) -> None:
        """Read now what this copy may have missed. Raises EngineError."""
        asked_at = self.head
        history = await self._matches.history(self.state.match_id, asked_at.version)
        if self.ended:
            return
        if history is None:
            self._listener.vanished()
            return
        head, stored = history
        self.take(stored)
        self.head_is(head, asked_at)

    def catch_up(self) -> None:
        """Read what is missing, in the background."""
        self._start(self.refresh)

    def begin_again(self) -> None:
        """Read everything anew, in the background: the engine's history is not this copy's."""
        if not self.doubted and not self.ended:
            log.warning("a match went backwards", extra={"match": self.state.match_id})
            self.doubted = True
        self._start(self._read_anew)

    def _start(self, read: Callable[[], Awaitable[None]]) -> None:
        if not self._reading and not self.ended:
            self._reading = True
            self._spawn(self._run(read))

    async def _run(self, read: Callable[[], Awaitable[None]]) -> None:
        try:
            await read()
            while self.doubted and not self.ended:  # found while reading, or meanwhile
                await self._read_anew()
        finally:
            self._reading = False
            self._listener.wake()

    async def _read_anew(self) -> None:
        """Replace the copy, unless it turns out to be a part of the engine's history."""
        stored = await self._matches.read(self.state.match_id)
        if self.ended:
            return
        self.doubted = False
        if stored is None:
            self._listener.vanished()
            return
        version = self.state.version
        if len(stored) >= version and digest_of(stored[:version]) == self.digest:
            self.take(stored)
            return
        try:
            entries = load_entries(stored)
            state = replay(entries)
        except Exception as error:  # the same
            self._listener.failed(unreadable(error, self.state.match_id).code)
            return
        before, self.state, self.digest = self.state, state, digest_of(stored)
        self.ledger.begin(entries)
        self._listener.began_again(before)


def _differ(one: Head, other: Head) -> bool:
    return bool(one.digest and other.digest) and one.digest != other.digest


def digest_of(stored: Iterable[Stored]) -> str:
    """Return the digest of a history that was read from its first entry on."""
    digest = ""
    for one in stored:
        digest = chain(digest, one)
    return digest


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
