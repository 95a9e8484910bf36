"""The command `fairway` as it is, but with the tiny worker and a short patience."""

import sys
from pathlib import Path

from server import cli
from server.runtime import engine_process, supervisor

if __name__ == "__main__":
    supervisor.WORKER_COMMAND = (sys.executable, str(Path(__file__).with_name("tiny_worker.py")))
    supervisor.DRAIN_S = 1.0
    engine_process.ORPHAN_PATIENCE_S = 2.0
    sys.exit(cli.main())
