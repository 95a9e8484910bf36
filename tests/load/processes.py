"""Processes as the kernel sees them: CPU time, memory, and starting and ending them. Linux only."""

import contextlib
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path


def cpu_s(pids: Iterable[int]) -> float:
    """Return the seconds that these processes spent on a CPU, by the scheduler's own count (nanoseconds)."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                total += int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0])
    return total / 1e9


def waited_s(pids: Iterable[int]) -> float:
    """Return the seconds that these processes could have run but had no CPU."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                total += int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[1])
    return total / 1e9


def machine_cpu_s() -> float:
    """Return the seconds that all CPUs together were busy since the machine started."""
    with Path("/proc/stat").open() as stat:
        ticks = [int(word) for word in stat.readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def memory_kb(pids: Iterable[int]) -> float:
    """Return the resident memory of these processes, shared pages counted by their share."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
            total += int(found[1]) if found else 0
    return total


def tree(pid: int) -> list[int]:
    """Return a process and all that it started."""
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{one}/task"):
                todo += [int(word) for word in Path(f"/proc/{one}/task/{task}/children").read_text().split()]
    return found


def is_engine(pid: int) -> bool:
    """Whether a process of the server's tree is its engine."""
    with contextlib.suppress(OSError):
        return b"server.cli" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def pin(pids: Iterable[int], cpu: int | None) -> None:
    """Keep processes, with all their threads, on one CPU where there are several."""
    if cpu is None:
        return
    for pid in pids:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                os.sched_setaffinity(int(task), {cpu})


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int, process: subprocess.Popen[bytes], patience_s: float = 20.0) -> None:
    """Wait until something listens. Raises RuntimeError if the process ends first, or nothing does in time."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.01)
    raise RuntimeError("the server does not listen")


def end(process: "subprocess.Popen[bytes] | subprocess.Popen[str] | None", patience_s: float = 15.0) -> None:
    """End a process that was started here, kindly at first."""
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
