"""What goes into a match's stream, what comes out, and what the engine answers. Payloads stay opaque."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from server.values import value

NOBODY = -1


@value(frozen=True, slots=True)
class Item:
    """One entry to be appended.

    An entry that comes from a seat's command bears the seat, its generation and the command's seq, by which
    it is applied once. The item that begins a generation (somebody sits down, or another page takes over)
    bears the higher generation, and as seq the one before the first that the page will use (usually 0). An
    entry that is nobody's command has seat -1.
    """

    payload: bytes
    seat: int = NOBODY
    generation: int = 0
    seq: int = 0


@value(frozen=True, slots=True)
class Stored:
    """One entry of a stream: its version, the engine's time in ms at which it was appended, and its item."""

    version: int
    at_ms: int
    payload: bytes
    seat: int
    generation: int
    seq: int


@value(frozen=True, slots=True)
class Appended:
    """All items are in the stream, as the versions `first` to `last`, all at `at_ms`."""

    first: int
    last: int
    at_ms: int


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

    `missing` holds exactly the entries in between. It is empty when the engine is *behind* the one who asks
    (it lost what it had: a failover, an old backup): then everything must be read again.
    """

    missing: tuple[Stored, ...]
    at_ms: int
    version: int


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such match any more; nothing was appended."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The engine refused (`oom`, `misconf`, `denied`, ...); nothing was appended. `words` are its own."""

    code: str
    words: str = ""


Result = Appended | Already | Fenced | Conflict | Gone | Refused


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
    """The entries of one publication: `version at name`, then for each `seat generation seq length`, payload."""
    end = data.index(b"\n")
    first, at, _ = data[:end].split(b" ")
    version, at_ms = int(first), int(at)
    out = []
    while end + 1 < len(data):
        start = end + 1
        end = data.index(b"\n", start)
        seat, generation, seq, length = map(int, data[start:end].split())
        out.append(Stored(version, at_ms, data[end + 1 : end + 1 + length], seat, generation, seq))
        version += 1
        end += length
    return out


def result_of(reply: object) -> Result:
    """What append.lua's reply means."""
    if isinstance(reply, list) and reply:
        if reply[0] == 0:  # far the most of them, so not by a pattern: that costs three times as much
            return Appended(reply[1], reply[2], reply[3])
        match reply:
            case [1, int(index), int(version), int(at_ms)]:
                return Already(index, version, at_ms)
            case [2, int(index), int(generation)]:
                return Fenced(index, generation)
            case [3, int(version), int(at_ms), list(missing)]:
                return Conflict(tuple(stored_from_lists(missing)), at_ms, version)
            case [4]:
                return Gone()
    return Refused("refused", f"an answer of unknown shape: {reply!r}")
