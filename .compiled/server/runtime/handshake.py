"""What a worker process says to its supervisor, and how it notices that the supervisor is gone.

Law: both go through inherited pipes, never through the network. Knows descriptors; nothing of matches or
sockets.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable


def say_ready(ready_fd: int | None) -> None:
    """Tell the supervisor that this worker serves; call once. Does nothing when nobody waits (None)."""
    if ready_fd is None:
        return
    with contextlib.suppress(OSError):  # the supervisor may have ended meanwhile; that is noticed elsewhere
        os.write(ready_fd, b"\n")
        os.close(ready_fd)


def watch_parent(parent_fd: int, gone: Callable[[], None]) -> None:
    """Call `gone` from a thread of its own when the pipe's other end, which only the supervisor holds,
    closes.
    """

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(parent_fd, 1):
                pass
        gone()

    threading.Thread(target=watch, name="watch-parent", daemon=True).start()
