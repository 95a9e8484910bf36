"""Locks that end with their holder.

Law: a lock is an `flock` on a file, so the system frees it whenever the holder ends, `kill -9` included;
the file's text is only a help for people (who holds it) and is never trusted. Knows files; nothing of what
they guard.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path


def take_lock(path: Path) -> int | None:
    """Lock the file, made if missing; give its descriptor (closing it frees the lock), None if another
    holds it.

    A child that inherits the descriptor holds the lock as well. Raises OSError when the file can't be
    opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def name_holder(descriptor: int, pid: int) -> None:
    """Write into the locked file which process holds it."""
    # A full disk must not stop a start: the text is only a help.
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{pid}\n".encode(), 0)


def holder(path: Path) -> str:
    """Give the process number that the holder wrote, or "unknown"."""
    try:
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return "unknown"
    return text if text.isdecimal() else "unknown"
