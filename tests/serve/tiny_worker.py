"""A worker that serves one line of text: the supervisor's tests need a process, not a game.

TINY_WORKER in the environment: `fail` ends at once, `deaf` ignores SIGTERM.
"""

import argparse
import os
import signal
import socket
import sys

from server.runtime.handshake import say_ready

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--name")
    for flag in ("--fd", "--ready-fd", "--alive-fd"):
        parser.add_argument(flag, type=int)
    given = parser.parse_args()
    how = os.environ.get("TINY_WORKER")
    if how == "fail":
        sys.exit(3)
    signal.signal(signal.SIGTERM, signal.SIG_IGN if how == "deaf" else lambda *_: sys.exit(0))
    listener = socket.socket(fileno=given.fd)
    listener.setblocking(True)
    say_ready(given.ready_fd)
    while True:
        line, _ = listener.accept()
        with line:
            line.recv(4096)
            line.sendall(f"{os.getpid()} {given.name}\n".encode())
