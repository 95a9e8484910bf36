"""The server compiled is the server interpreted: mypyc takes the sources, and the tests pass on what it makes."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.rules.games import GAMES

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "compile-server"
TESTS = ("rules", "match", "protocol", "runtime", "serve")
"""What decides and tells, and servers in processes of their own."""


def run(*command: str, **more: str) -> str:
    """Run a command to its good end and return what it said."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("FAIRWAY_LONG", "PYTEST_"))}
    done = subprocess.run(command, cwd=ROOT, env=ours | more, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    return done.stdout


def test_it_can_be_compiled() -> None:
    """Nothing in the modules that are compiled is beyond mypyc; what it gets wrong at run time, the long run finds."""
    run(sys.executable, str(SCRIPT), "--check")


@pytest.mark.long
def test_the_tests_pass_on_it(tmp_path: Path) -> None:
    """Rules, laws, golden tables and whole matches over sockets, judged and told by compiled modules."""
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.skip("no C compiler")
    made = tmp_path / "made"
    run(sys.executable, str(SCRIPT), str(made))
    path = {"PYTHONPATH": str(made), "PYTHONSAFEPATH": "1"}
    where = run(sys.executable, "-c", "import server.match.decide as module; print(module.__file__)", **path)
    assert where.startswith(str(made))
    assert where.strip().endswith(".so")
    chosen = [f"tests/{folder}" for folder in TESTS]
    quiet = ("-q", "-p", "no:cacheprovider", "-o", f"pythonpath={made} .")
    said = run(sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *quiet, *chosen, **path)
    assert " passed" in said


def test_every_game_is_among_them() -> None:
    """A game that is left interpreted could not build on one that is compiled."""
    named = runpy.run_path(str(SCRIPT))["MODULES"]["rules"].split()
    assert {type(game).__module__.rpartition(".")[2] for game in GAMES.values()} <= set(named)


def test_what_was_made_of_other_sources_is_not_taken(tmp_path: Path) -> None:
    """Only a folder that bears the sum of these very sources fits."""
    made = tmp_path / "made"
    made.mkdir()
    (made / "fits").write_text("another\n")
    asked = subprocess.run([sys.executable, str(SCRIPT), "--fits", str(made)], check=False)
    assert asked.returncode == 1
