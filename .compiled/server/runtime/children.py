"""Child processes that don't outlive the supervisor.

Law: a child is started from the supervisor's main thread, in a session of its own (Ctrl+C and a closed
terminal reach only the supervisor, which ends its children in order), and is told by the kernel when the
supervisor dies. Where the kernel can't (not Linux), workers watch a pipe and the next start ends the
engine. A child that ends is started again, later each time it fails at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO

PR_SET_PDEATHSIG = 1
FIRST_DELAY_S = 0.05
LONGEST_DELAY_S = 5.0
# A child that ran for this long had started well: its next failure counts as the first.
STEADY_S = 10.0


def end_with_parent(signal_number: int) -> Callable[[], None] | None:
    """Make a function for the child, between fork and exec: the kernel sends it that signal when this
    thread ends.

    None where there is no such call.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl  # looked up now: little is safe after a fork
    parent = os.getpid()

    def ask_kernel() -> None:
        prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
        if os.getppid() != parent:  # it died before the call
            os.kill(os.getpid(), signal.SIGKILL)

    return ask_kernel


def follow_own_parent(signal_number: int) -> None:
    """Have the kernel send this process the signal when the process that started it ends (Linux; else
    nothing).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)


def spawn(
    command: Sequence[str],
    *,
    on_parent_death: int,
    environment: Mapping[str, str] | None = None,
    inherit: Sequence[int] = (),
    output: IO[bytes] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child; `inherit` are descriptors it gets, `output` takes its stdout and stderr (else they are
    ours).
    """
    return subprocess.Popen(  # noqa: S603 - the command is made by us, not by a request
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        env=dict(os.environ if environment is None else environment),
        pass_fds=tuple(inherit),
        start_new_session=True,
        umask=0o077,  # matches are nobody else's to read, wherever the data directory is
        preexec_fn=end_with_parent(on_parent_death),  # safe: this process has one thread
    )


class Kept:
    """A process that is started again when it ends. Times are of `time.monotonic`, in seconds."""

    def __init__(self, name: str, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.name = name
        self.failures = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.due_at: float | None = time.monotonic()
        self._start = start
        self._started_at = 0.0

    def start_if_due(self, now: float) -> bool:
        """Start the process if its time has come; say whether it was started. Raises what starting raises."""
        if self.due_at is None or now < self.due_at:
            return False
        self.due_at = None
        try:
            self.process = self._start()
        except BaseException:
            self._failed(now)
            raise
        self._started_at = now
        return True

    def ended(self, now: float) -> int | None:
        """Give the exit status if the process has ended since the last call (negative: by that signal), and
        plan the next.
        """
        if self.process is None:
            return None
        status = self.process.poll()
        if status is None:
            return None
        # What it had started itself (its helpers share its session) must not stay behind.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process = None
        if now - self._started_at >= STEADY_S:
            self.failures = 0
        self._failed(now)
        return status

    def send(self, signal_number: int) -> None:
        """Send the signal if the process runs."""
        if self.process is not None:
            self.process.send_signal(signal_number)

    def _failed(self, now: float) -> None:
        self.due_at = now + min(FIRST_DELAY_S * 2**self.failures, LONGEST_DELAY_S)
        self.failures = min(self.failures + 1, 16)


def describe_exit(status: int) -> str:
    """Say an exit status in words: "exit status 1", "signal SIGKILL"."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"
