"""What a room remembers of the entries it applied: each seat's last seq, what seqs became, and the latest steps.

Knows nothing of sockets or the engine; it can be made again from the stream at any time.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable

from server.match.entries import Entry, SeatClaimed, SeatTaken
from server.match.evolve import evolve
from server.match.state import Match

CHUNK = 4
"""Entries for each state that is kept: so many at most are applied again in vain for a page that missed one."""
MOST_CHUNKS = 5
"""A page that missed more than sixteen entries gets its whole view, which is shorter by then, and cheaper to make."""
MOST_ACKS = 128

Told = tuple[Match, Entry, Match]


class Ledger:
    """Answers repeated commands and tells what a page missed."""

    __slots__ = ("_acks", "_before", "_chunks", "_last_seq")

    def __init__(self) -> None:
        self._last_seq: dict[int, int] = {}
        self._acks: dict[int, OrderedDict[int, int]] = {}
        # Entries are small and states are not: one state for each chunk, the others are made again when needed.
        self._chunks: deque[tuple[Match, list[Entry]]] = deque(maxlen=MOST_CHUNKS)
        self._before: Match | None = None  # the last step's, since most pages that come back missed one or nothing

    def note(self, entry: Entry) -> None:
        """Take an entry's seq; a new generation of a seat begins again at 0."""
        body, seat, seq = entry.body, entry.seat, entry.seq
        if isinstance(body, (SeatTaken, SeatClaimed)):
            self._last_seq[body.seat] = 0
            self._acks.pop(body.seat, None)
        elif seq:
            self._last_seq[seat] = seq
            acks = self._acks.get(seat)
            if acks is None:
                acks = self._acks[seat] = OrderedDict()
            acks[seq] = entry.version
            if len(acks) > MOST_ACKS:
                acks.popitem(last=False)

    def step(self, before: Match, entry: Entry) -> None:
        """Take an entry that was applied just now, and the state before it."""
        self.note(entry)
        if not self._chunks or len(self._chunks[-1][1]) >= CHUNK:
            self._chunks.append((before, []))
        self._chunks[-1][1].append(entry)
        self._before = before

    def begin(self, entries: Iterable[Entry]) -> None:
        """Start from a stream that was read whole."""
        self._last_seq.clear()
        self._acks.clear()
        self._chunks.clear()
        self._before = None
        for entry in entries:
            self.note(entry)

    def last_seqs(self) -> dict[int, int]:
        """Return each seat's last seq that happened."""
        return dict(self._last_seq)

    def last_seq(self, seat: int | None) -> int:
        """Return a seat's last seq that happened, 0 at first and for spectators."""
        return 0 if seat is None else self._last_seq.get(seat, 0)

    def became(self, seat: int, seq: int) -> int | None:
        """Return the version that a seq became, None if it came to nothing or is too old."""
        acks = self._acks.get(seat)
        return None if acks is None else acks.get(seq)

    def missed(self, version: int | None, now: Match) -> list[Told] | None:
        """Return the steps after `version` if all are known and of the hole that is open now; else None."""
        if version is None or version > now.version:
            return None
        if version == now.version:
            return []
        if self._before is not None and version == self._before.version:
            return [(self._before, self._chunks[-1][1][-1], now)] if self._before.hole == now.hole else None
        needed = [chunk for chunk in self._chunks if chunk[0].version + len(chunk[1]) > version]
        if not needed or needed[0][0].version > version:
            return None
        state, missed = needed[0][0], []
        for entry in [entry for _, entries in needed for entry in entries]:
            before, state = state, evolve(state, entry)
            if entry.version > version:
                missed.append((before, entry, state))
        return None if missed[0][0].hole != now.hole else missed
