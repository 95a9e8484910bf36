"""A progress line for commands that take a while, on standard error, and only when that is a terminal.

Knows what is done and how much there is; knows nothing of what is being done.
"""

import sys
import time
from typing import Final, TextIO

_BAR: Final = 30
_EVERY_S: Final = 0.1
"""Seconds between two looks of the line: often enough to move, seldom enough to cost nothing."""

_WIPE: Final = "\r\x1b[K"


class Progress:
    """One line that is written over and over; used as a context, so that it is wiped whatever happens."""

    __slots__ = ("_done", "_next", "_shown", "_started", "_stream", "_total", "_what")

    def __init__(self, what: str, total: int | None = None, stream: TextIO | None = None) -> None:
        """Count `what`, such as "deals"; with `total` known there is a bar. The stream is stderr by default."""
        self._stream = sys.stderr if stream is None else stream
        self._what = what
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._shown = self._stream.isatty()
        self._next = self._started

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown:
            self._stream.write(_WIPE)
            self._stream.flush()

    def step(self, note: str = "") -> None:
        """Count one more, and show it with a note, if there is someone to look and the last look is a while ago."""
        self._done += 1
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + _EVERY_S
        line = f"{self._done:,} {self._what}"
        if self._total is not None:
            filled = _BAR * self._done // self._total
            line = f"[{'#' * filled}{'.' * (_BAR - filled)}] {self._done:,} of {self._total:,} {self._what}"
        rate = self._done / max(now - self._started, 1e-9)
        self._stream.write(f"{_WIPE}{line}, {rate:.0f} a second{note and ', '}{note}")
        self._stream.flush()
