"""What goes into a match's stream, what comes out, and what the engine answers. Payloads stay opaque."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha1
from typing import Final, NamedTuple

NOBODY = -1
_DIGITS = 16


class Head(NamedTuple):
    """How far a match is, and the digest of all its entries up to there; empty where it is not known.

    Equal versions with different digests are different histories: the engine lost entries that it had.
    """

    version: int
    digest: str


@dataclass(slots=True, unsafe_hash=True)
class Item:
    """One entry to be appended.

    An entry that comes from a seat's command bears the seat, its generation and the command's seq, by which
    it is applied once. The item that begins a generation (somebody sits down, or another page takes over)
    bears the higher generation, and as seq the one before the first that the page will use (usually 0). An
    entry that is nobody's command has seat -1.
    """

    payload: Final[bytes]
    seat: Final[int]
    generation: Final[int]
    seq: Final[int]

    def __init__(self, payload: bytes, seat: int = NOBODY, generation: int = 0, seq: int = 0) -> None:
        self.payload = payload
        self.seat = seat
        self.generation = generation
        self.seq = seq


@dataclass(slots=True, unsafe_hash=True)
class Stored:
    """One entry of a stream: its version, the engine's time in ms at which it was appended, and its item.

    `digest` is the match's after this entry, where the engine told it (with the last of what it gave).
    """

    version: Final[int]
    at_ms: Final[int]
    payload: Final[bytes]
    seat: Final[int]
    generation: Final[int]
    seq: Final[int]
    digest: str = field(compare=False)

    def __init__(
        self, version: int, at_ms: int, payload: bytes, seat: int, generation: int, seq: int, digest: str = ""
    ) -> None:
        self.version = version
        self.at_ms = at_ms
        self.payload = payload
        self.seat = seat
        self.generation = generation
        self.seq = seq
        self.digest = digest


@dataclass(slots=True, unsafe_hash=True)
class Appended:
    """All items are in the stream, as the versions `first` to `last`, all at `at_ms`.

    `digest` is the match's after `last`; empty where the engine does not tell.
    """

    first: Final[int]
    last: Final[int]
    at_ms: Final[int]
    digest: str = field(compare=False)

    def __init__(self, first: int, last: int, at_ms: int, digest: str = "") -> None:
        self.first = first
        self.last = last
        self.at_ms = at_ms
        self.digest = digest


@dataclass(frozen=True, slots=True)
class Already:
    """Item `index` had been applied before; nothing was appended now.

    `version` is the one it was applied as, or 0 when it is older than the seat's last command, or when the
    same command stands earlier in this batch.
    """

    index: int
    version: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Fenced:
    """Item `index` bears an older generation than its seat has now (`generation`); nothing was appended."""

    index: int
    generation: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """The match is at `version`, not at the one decided on; nothing was appended.

    `missing` holds exactly the entries in between. It is empty when the engine's history is not the one that
    was decided on: it is *behind* the one who asks, or at the same version with another `digest` (it lost what
    it had: a failover, an old backup). Then everything must be read again.
    """

    missing: tuple[Stored, ...]
    at_ms: int
    version: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such match any more; nothing was appended."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The engine refused (`oom`, `misconf`, `denied`, ...); nothing was appended. `words` are its own."""

    code: str
    words: str = ""


Result = Appended | Already | Fenced | Conflict | Gone | Refused


def chain(digest: str, entry: Stored) -> str:
    """The digest after an entry, from the one before it ("" before the first). append.lua does the same."""
    payload = entry.payload
    numbers = (entry.version, entry.at_ms, entry.seat, entry.generation, entry.seq, len(payload))
    text = b"%b%d %d\n%d %d %d %d\n%b" % (digest.encode(), *numbers, payload)
    return sha1(text, usedforsecurity=False).hexdigest()[:_DIGITS]


def head_of(fields: Sequence[bytes | None]) -> Head | None:
    """The head from its fields `v` and `d`; None where there is none."""
    version, digest = fields
    return None if version is None else Head(int(version), (digest or b"").decode())


def told(entries: list[Stored], head: Head) -> list[Stored]:
    """Entries with the head's digest on the one that it belongs to, if that is among them."""
    if entries and head.digest and 0 <= (index := head.version - entries[0].version) < len(entries):
        entries[index] = replace(entries[index], digest=head.digest)
    return entries


def publication(result: Appended, name: str, items: Iterable[Item]) -> bytes:
    """What append.lua publishes, for appends that are published only when the replicas have them."""
    lines = (b"%d %d %d %d\n%b" % (i.seat, i.generation, i.seq, len(i.payload), i.payload) for i in items)
    return f"{result.first} {result.at_ms} {name} {result.digest}\n".encode() + b"".join(lines)


_WORD = b"0 0 "


def word_publication(author: str, word: str) -> bytes:
    """A word passed on beside the stream: a publication of no entries, which older programs pass over."""
    return b"%b%b %b\n" % (_WORD, author.encode(), word.encode())


def word_of(data: bytes) -> str | None:
    """The word that a publication passes on; None for one of entries."""
    return data[:-1].rpartition(b" ")[2].decode() if data.startswith(_WORD) else None


def stored(entry_id: bytes, fields: Mapping[bytes, bytes]) -> Stored:
    """An entry as the engine gives it, id `<version>-0`."""
    return Stored(
        int(entry_id.partition(b"-")[0]),
        int(fields[b"t"]),
        fields[b"p"],
        int(fields[b"s"]),
        int(fields[b"g"]),
        int(fields[b"q"]),
    )


def stored_from_lists(entries: Iterable[Sequence[object]]) -> list[Stored]:
    """Entries as the raw protocol gives them: [id, [field, value, ...]]."""
    out = []
    for entry_id, fields in entries:
        assert isinstance(entry_id, bytes)  # noqa: S101 - the engine's own shape
        assert isinstance(fields, list)  # noqa: S101 - the same
        out.append(stored(entry_id, dict(zip(fields[::2], fields[1::2], strict=True))))
    return out


def stored_from_publication(data: bytes) -> list[Stored]:
    """The entries of a publication: `version at name digest`, then each `seat generation seq length` and payload."""
    end = data.index(b"\n")
    first, at, _, digest = data[:end].decode().split(" ")
    version, at_ms = int(first), int(at)
    out = []
    while end + 1 < len(data):
        start = end + 1
        end = data.index(b"\n", start)
        seat, generation, seq, length = map(int, data[start:end].split())
        out.append(Stored(version, at_ms, data[end + 1 : end + 1 + length], seat, generation, seq))
        version += 1
        end += length
    return told(out, Head(version - 1, digest))


def result_of(reply: object) -> Result:
    """What append.lua's reply means."""
    if isinstance(reply, list) and reply:
        if reply[0] == 0:  # far the most of them, so not by a pattern: that costs three times as much
            return Appended(reply[1], reply[2], reply[3], reply[4].decode())
        match reply:
            case [1, int(index), int(version), int(at_ms)]:
                return Already(index, version, at_ms)
            case [2, int(index), int(generation)]:
                return Fenced(index, generation)
            case [3, int(version), int(at_ms), list(missing), bytes(digest)]:
                head = Head(version, digest.decode())
                return Conflict(tuple(told(stored_from_lists(missing), head)), at_ms, version, head.digest)
            case [4]:
                return Gone()
    return Refused("refused", f"an answer of unknown shape: {reply!r}")
