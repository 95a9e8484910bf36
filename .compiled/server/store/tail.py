"""The end of an append-only file that a killed engine did not finish writing, cut off and kept.

Law: nothing is destroyed. What is cut was never acked (an engine that syncs always acks after the whole
write), and it is kept in a file beside all the same, since damage can look like an unfinished end. The
engine's own way, `aof-load-truncated`, throws it away, and with it all that follows a damaged length.
"""

import mmap
import os
from dataclasses import dataclass
from pathlib import Path

from server.store.errors import EngineUnfit

LONGEST_TAIL = 4 * 1024 * 1024
"""One append's transaction is far below this; a longer "tail" is damage further up."""

_MULTI = b"*1\r\n$5\r\nMULTI\r\n"
_EXEC = b"*1\r\n$4\r\nEXEC\r\n"
_LONGEST_NUMBER = 24


@dataclass(frozen=True, slots=True)
class Mended:
    """What was cut off: how many bytes, from where in which file, and where they are kept."""

    path: Path
    offset: int
    length: int
    kept: Path


def mend_torn_tail(stream_dir: Path) -> Mended | None:
    """Cut the unfinished last command or transaction off, while no engine runs on it; None when it is whole.

    Raises EngineUnfit `corrupt`, and changes nothing, when the file is damaged rather than unfinished.
    """
    path = _growing_file(stream_dir)
    size = path.stat().st_size
    if size == 0:
        return None
    with path.open("r+b") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            offset = _whole_until(data, path)
            tail = data[offset:]
        if not tail:
            return None
        if len(tail) > LONGEST_TAIL:
            raise EngineUnfit("corrupt", f"{path} cannot be read from byte {offset} on")
        kept = _keep(path, tail)
        file.truncate(offset)
        os.fsync(file.fileno())
    return Mended(path, offset, len(tail), kept)


def _growing_file(stream_dir: Path) -> Path:
    """The last increment that the manifest names: lines of `file <name> seq <n> type <b|h|i>`."""
    manifests = list(stream_dir.glob("*.manifest"))
    if len(manifests) != 1:
        raise EngineUnfit("corrupt", f"{stream_dir} has {len(manifests)} manifests")
    names = []
    for line in manifests[0].read_text("utf-8").splitlines():
        words = line.split()
        facts = dict(zip(words[::2], words[1::2], strict=False))
        if facts.get("type") == "i" and "file" in facts:
            names.append(facts["file"])
    if not names or not (path := stream_dir / names[-1]).is_file():
        raise EngineUnfit("corrupt", f"{manifests[0]} names no file that grows")
    return path


def _whole_until(data: mmap.mmap, path: Path) -> int:
    """Where the last whole command ends; one inside a transaction is whole with its EXEC."""
    at = whole = 0
    inside = False
    while at < len(data):
        try:
            end = _command_end(data, at)
        except ValueError as error:
            raise EngineUnfit("corrupt", f"{path} is damaged at byte {at}: {error}") from error
        if end is None:
            break
        if end - at <= len(_MULTI):
            command = data[at:end].upper()
            inside = command == _MULTI or (inside and command != _EXEC)
        at = end
        if not inside:
            whole = at
    return whole


def _command_end(data: mmap.mmap, at: int) -> int | None:
    """Where the command that begins at `at` ends; None when the file ends first. ValueError: it is none."""
    header = _number(data, at, b"*")
    if header is None:
        return None
    count, at = header
    for _ in range(count):
        header = _number(data, at, b"$")
        if header is None:
            return None
        length, start = header
        at = start + length + 2
        if at > len(data):
            return None
        if data[at - 2 : at] != b"\r\n":
            raise ValueError("a part does not end where it says")
    return at


def _number(data: mmap.mmap, at: int, mark: bytes) -> tuple[int, int] | None:
    """The number of a header line, and where the next byte is."""
    end = data.find(b"\r\n", at, at + _LONGEST_NUMBER)
    line = data[at : at + _LONGEST_NUMBER] if end < 0 else data[at:end]
    if line and line[:1] != mark:
        raise ValueError(f"{line[:1]!r} where {mark!r} should be")
    if end < 0:
        if at + _LONGEST_NUMBER <= len(data):
            raise ValueError("a length without an end")
        return None
    number = int(line[1:])
    if number < 0:
        raise ValueError("a length below 0")
    return number, end + 2


def _keep(path: Path, tail: bytes) -> Path:
    number = 1
    while True:
        kept = path.parent.parent / f"{path.name}.torn-{number}"
        try:
            with kept.open("xb") as file:
                file.write(tail)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            number += 1
        else:
            return kept
