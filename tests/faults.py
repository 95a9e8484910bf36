"""Deliberate one-line faults: do the tests notice? `python tests/faults.py [NAME ...]` says which were caught.

Each fault is put into a copy of the project in a temporary folder, and the quick tests (rules, match, protocol) run
against that copy until the first failure. A fault that nothing catches is a hole in the tests: the exit status is 1.
It takes a few minutes, so it is part of the long run only (`FAIRWAY_LONG=1`).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
COPIED: Final = (
    "server",
    "client_web",
    "tests/conftest.py",
    "tests/load",
    "tests/rules",
    "tests/match",
    "tests/protocol",
    "docs",
    "pyproject.toml",
)
QUICK: Final = ("tests/match", "tests/rules", "tests/protocol")
PATIENCE_S: Final = 300


@dataclass(frozen=True, slots=True)
class Fault:
    """One line of one file, and what it is made into."""

    name: str
    file: str
    line: str
    made: str


FAULTS: Final = (
    # rules
    Fault(
        "king and ace joined in Classic", "rules/adjacent.py", "        return king_ace_joined", "        return True"
    ),
    Fault(
        "a queen on a strict king",
        "rules/adjacent.py",
        "        return queen_on_king",
        "        return True",
    ),
    Fault(
        "no king on a queen",
        "rules/adjacent.py",
        "    if waste_rank == KING and card_rank == QUEEN:",
        "    if {waste_rank, card_rank} == {KING, QUEEN}:",
    ),
    Fault(
        "the score's floor is gone",
        "rules/adjacent.py",
        "app=max(0, points - _POINTS_A_CARD * left)",
        "app=points - _POINTS_A_CARD * left",
    ),
    Fault("a clear ignores the stock", "rules/adjacent.py", "traditional=-stock", "traditional=0"),
    Fault(
        "stuck while stock is left",
        "rules/column_golf.py",
        "        if piles[STOCK] or not piles[WASTE]:\n            return None",
        "        if len(piles[STOCK]) > 1 or not piles[WASTE]:\n            return None",
    ),
    Fault(
        "strict may draw any time",
        "rules/column_golf.py",
        "        may_draw = not rules.draw_only_when_stuck if plays",
        "        may_draw = True if plays",
    ),
    Fault("undo goes past a draw", "rules/base.py", '    if mode == "plays" and len', '    if mode == "off" and len'),
    # what a viewer sees
    Fault(
        "rivals of an open game are shown",
        "match/sight.py",
        'state.phase == "playing" and not state.game.hides',
        'state.phase == "between" and not state.game.hides',
    ),
    Fault(
        "one draw too far",
        "match/sight.py",
        "        return hand.shown[stretches - 1] if stretches else 0",
        "        return hand.shown[stretches - 1] + 1 if stretches else 0",
    ),
    Fault(
        "k-th draw counted from the next",
        "match/sight.py",
        "key=lambda one: not one <= seen)",
        "key=lambda one: not one < seen)",
    ),
    Fault(
        "the highest k of the others",
        "match/view.py",
        "    seen = min(others)",
        "    seen = max(others)",
    ),
    Fault(
        "own draws counted where they are undone",
        "match/sight.py",
        '    if not seen or state.options.undo == "all":',
        "    if not seen:",
    ),
    Fault(
        "spectators always live", "match/view.py", 'own is None and state.options.spectators == "live"', "own is None"
    ),
    Fault(
        "ended seats see all",
        "match/view.py",
        'own is None and state.options.spectators == "live"',
        'own is not None or state.options.spectators == "live"',
    ),
    Fault(
        "the owner counts as another",
        "match/view.py",
        "if number != owner and other.hand is not None",
        "if other.hand is not None",
    ),
    Fault(
        "what was seen is forgotten",
        "match/view.py",
        "        seen = max(seen, own.saw.get(owner, 0))",
        "",
    ),
    Fault(
        "a last draw opens one more",
        "match/sight.py",
        "        return seen[-2] if len(seen) > 1 else _NOTHING",
        "        return seen[-1]",
    ),
    Fault(
        "a last stretch lies open to whom nothing more can come",
        "match/sight.py",
        "    return bool(coming) and coming <= seen",
        "    return coming <= seen",
    ),
    Fault(
        "the code shows early",
        "match/view.py",
        'state.phase in ("between", "ended")',
        'state.phase in ("playing", "between", "ended")',
    ),
    Fault("typed deals in the options", "match/view.py", '    del plain["deals"]\n', ""),
    Fault(
        "the stock lies open",
        "match/view.py",
        "        down = len(cards) if name == STOCK else",
        "        down = 0 if name == STOCK else",
    ),
    # the match
    Fault(
        "stuck times out",
        "match/due.py",
        '"timed_out" if hand.ending == "playing"',
        '"timed_out" if hand.ending in ("playing", "stuck")',
    ),
    Fault(
        "no last minute", "match/evolve.py", "    if len(state.playing()) == 1:", "    if len(state.playing()) == 9:"
    ),
    Fault(
        "absent seats are waited for",
        "match/due.py",
        "if not seat.next and n not in world.offline_since]",
        "if not seat.next]",
    ),
    Fault(
        "an outage given to a clock not yet running",
        "match/due.py",
        "began_ms = max(from_ms, clock_from_ms, ",
        "began_ms = max(from_ms, ",
    ),
    Fault(
        "ties skip no place",
        "match/formats.py",
        "1 + sum(other < mine for other in keys.values())",
        "1 + len({other for other in keys.values() if other < mine})",
    ),
    Fault(
        "higher strokes win",
        "match/formats.py",
        "        return sums.traditional",
        "        return -sums.traditional",
    ),
    Fault("par is four", "rules/golf.py", "    par: int = 5", "    par: int = 4"),
    Fault("an online seat is kicked", "match/decide.py", "now_ms - since >= OFFLINE_MS", "now_ms - since >= 0"),
    Fault(
        "the countdown goes on",
        "match/evolve.py",
        '    if state.phase == "countdown":\n        changes',
        '    if state.phase == "lobby":\n        changes',
    ),
    Fault(
        "the deadline is one late",
        "match/decide.py",
        "0 < state.deadline_ms <= now_ms",
        "0 < state.deadline_ms < now_ms",
    ),
    Fault(
        "a leaver's cards are forgiven",
        "match/evolve.py",
        '_end_hand(state, entry, number, "gave_up")',
        '_end_hand(state, entry, number, "playing")',
    ),
    Fault(
        "the record shows a token",
        "match/record.py",
        '"name": seat.name,',
        '"name": seat.name,\n                "token_hash": seat.token_hash,',
    ),
)


def run(fault: Fault | None) -> tuple[bool, str, float]:
    """Run the quick tests on a copy with this fault (None: without any): caught, the first failure, seconds."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source, target = ROOT / name, copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        if fault is not None:
            path = copy / "server" / fault.file
            text = path.read_text(encoding="utf-8")
            if text.count(fault.line) != 1:
                raise ValueError(f"{fault.name}: the line stands {text.count(fault.line)} times in {fault.file}")
            path.write_text(text.replace(fault.line, fault.made), encoding="utf-8")
        began = time.monotonic()
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--no-header",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
        ]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "FAIRWAY_LONG": "", "FAIRWAY_PROFILE": "faults"}
        done = subprocess.run(
            [*command, *QUICK],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        failures = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        first = failures[0].split(" - ")[0].split("::", 1)[-1] if failures else ""
        return done.returncode == 1, first, time.monotonic() - began


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command prints


def main(names: list[str]) -> int:
    """Report on the faults named, else on all. Gives 0 if each was caught, 1 if not, 2 for a broken start."""
    if run(None)[0]:
        _say("The tests fail without any fault; mend them first.")
        return 2
    missed = 0
    for fault in FAULTS:
        if names and fault.name not in names:
            continue
        caught, first, seconds = run(fault)
        missed += not caught
        _say(f"{'caught' if caught else 'MISSED'}  {fault.name:44} {seconds:5.1f} s  {first}")
    _say(f"{missed} missed" if missed else "all caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
