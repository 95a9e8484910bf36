"""A process that solves: a deal code a line in, what is best on it a line of JSON out. Ends when its input does.

Polite (a high nice value) and small; knows no match, no engine and no secret. It may be killed at any time.
"""

import json
import os
import signal
import sys
from typing import Final

from server.rules.best import best_of, dump_best
from server.runtime.children import follow_own_parent

_NICE: Final = 10
_LONGEST: Final = 200
"""Characters of a line that are read; a code has fewer."""


def main() -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: whoever asks ends this process
    follow_own_parent(signal.SIGKILL)
    os.nice(_NICE)
    while line := sys.stdin.readline(_LONGEST):
        answer = dump_best(best_of(line.strip()))
        sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
