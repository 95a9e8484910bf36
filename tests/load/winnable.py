"""How many deals of a game can be won with all cards known: deal after deal is searched to the end.

    python tests/load/winnable.py canfield --out canfield.jsonl --seconds 3600
    python tests/load/winnable.py canfield --bare --out bare.jsonl --deals 5000
    python tests/load/winnable.py black_hole --out hole.jsonl --deals 10000

The deals are those of the short codes from `--first` on, so a run can be repeated and any answer looked at. Each answer is
written to `--out` as it comes, and what stands there is not asked again, unless it was undecided and more positions are
allowed now. The search is C (see searches.py); each line that wins is played by the server's rules. `--bare` is Canfield
with nothing put onto a card of the base rank in a column.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from server.rules.codes import deal_of, parse_code, short_code
from server.rules.games import GAMES
from server.solve_share import interval
from tests.load.compiler import NoCompiler, build
from tests.load.searches import SEARCHED, Search

Results = dict[str, dict[str, Any]]


def summary(results: Results) -> str:
    """Put in words what was found: counts, the share of the decided, and how far the undecided could move it."""
    answers = [result["result"] for result in results.values()]
    won, lost, undecided = (answers.count(result) for result in ("won", "lost", "undecided"))
    decided = won + lost
    if not decided:
        return f"{undecided} undecided"
    low, high = interval(won, decided)
    least, most = interval(won, len(answers))[0], interval(won + undecided, len(answers))[1]
    positions = sorted(result["positions"] for result in results.values())
    return (
        f"{len(answers)} deals: {won} won, {lost} lost, {undecided} undecided ({undecided / len(answers):.2%})\n"
        f"of the decided {won / decided:.3%} can be won, 95 % interval {low:.3%} to {high:.3%}\n"
        f"with the undecided all lost or all won: {won / len(answers):.3%} to {(won + undecided) / len(answers):.3%}, "
        f"intervals {least:.3%} to {most:.3%}\n"
        f"positions: median {positions[len(positions) // 2]:,}, most {positions[-1]:,}, in all {sum(positions):,}"
    )


def read(out: Path) -> Results:
    """Read the answers of earlier runs, the last one for each code."""
    lines = out.read_text().splitlines() if out.exists() else []
    return {result["code"]: result for result in map(json.loads, lines)}


class Run:
    """One run: deals handed out to searches, answers written down."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.rules = GAMES[asked.game].rules_of(asked.letter)
        self.results = read(asked.out)
        self.ends = time.monotonic() + asked.seconds
        self.turn = threading.Lock()
        self.codes = self._codes()
        self.failed: list[Exception] = []

    def _codes(self) -> Iterator[str]:
        for value in range(self.asked.first, self.asked.first + self.asked.deals):
            code = short_code(value, self.asked.game, self.asked.letter)
            known = self.results.get(code)
            if known is None or (known["result"] == "undecided" and known["limit"] < self.asked.positions):
                yield code

    def _next(self) -> str | None:
        with self.turn:
            over = self.failed or time.monotonic() >= self.ends
            return None if over else next(self.codes, None)

    def _write(self, result: dict[str, Any]) -> None:
        with self.turn, self.asked.out.open("a") as out:
            self.results[result["code"]] = result
            out.write(json.dumps(result) + "\n")

    def _answers(self, search: Search) -> None:
        try:
            while (code := self._next()) is not None:
                answer = search.ask(deal_of(parse_code(code))[2])
                found = {"code": code, "result": answer.result, "positions": answer.positions}
                self._write(found | {"moves": len(answer.line), "limit": self.asked.positions})
        except Exception as error:
            self.failed.append(error)

    def go(self) -> None:
        """Search until the deals or the seconds are used up; a deal that was begun is ended."""
        options = ["bare"] if self.asked.bare else []
        with tempfile.TemporaryDirectory() as folder:
            searched = SEARCHED[self.asked.game]
            program = build(searched.program, Path(folder))
            searches = [
                Search(searched, self.rules, program, self.asked.positions, *options) for _ in range(self.asked.jobs)
            ]
            threads = [threading.Thread(target=self._answers, args=(search,)) for search in searches]
            try:
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            finally:
                for search in searches:
                    search.close()
        if self.failed:
            raise self.failed[0]


def main(arguments: list[str]) -> int:
    """Run and print what is known then."""
    parser = argparse.ArgumentParser(description="How many deals of a game can be won with all cards known.")
    parser.add_argument("game", choices=sorted(SEARCHED))
    parser.add_argument("--letter", help="the rule letter, by default the one that is published")
    parser.add_argument("--bare", action="store_true", help="Canfield: nothing goes onto a card of the base rank")
    parser.add_argument("--seconds", type=float, default=3600, help="begin no deal after so many")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the value of the first short code")
    parser.add_argument("--jobs", type=int, default=1, help="searches at once; each may need 1 GB")
    parser.add_argument("--positions", type=int, default=20_000_000, help="give a deal up after so many")
    parser.add_argument("--out", type=Path, required=True, help="where the answers stand, a line each")
    asked = parser.parse_args(arguments)
    asked.letter = asked.letter or SEARCHED[asked.game].letter
    run = Run(asked)
    try:
        run.go()
    except NoCompiler as error:
        print(error)
        return 1
    print(summary(run.results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
