"""`make bench`: the real server beside a bare broadcast server, on the same work, in one run.

The real server has one worker, its embedded engine, and every move on disk before it is told; the other ("L1") has
neither rules nor a store. Rounds are interleaved and medians shown; CPU a move and the ratio count, since a shared
machine makes the clock's figures worse. It fails on nothing but a match that does not re-run from its record.

    BENCH_FULL=1      all sizes, with 1,000 and 4,000 players at a human pace (about 15 minutes)
    BENCH_ONLY        patterns of what to run: closed:100,pace,memory; small: what single steps cost
    BENCH_MINUTES     begin no further run once so many have passed
    BENCH_SERVER_DIR  a folder with another build of the package `server` (compiled), measured in the same rounds
    BENCH_OUT         where the raw figures go (default test-report/bench.json)
    BENCH_PLOT        where the plot goes (default beside it)
"""

import fnmatch
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import micro
import parts
import plot
from compiler import NoCompiler
from load_run import BUILD, HERE, ROOT, Load, build_generator, run

ROUNDS = 3
HOLES = {1: 18, 10: 18, 100: 3, 250: 2}
Rows = dict[tuple[str, int, str], dict[str, float]]


def loads(full: bool) -> list[Load]:
    """Return one round's runs."""
    matches, players = ((1, 10, 100, 250), (250, 1_000, 4_000)) if full else ((1, 10, 100), (250,))
    servers: list[tuple[str, bool]] = [("echo", False), ("fairway", False), *([("fairway", True)] if BUILD else [])]
    return [
        *(Load("closed", name, m, holes=HOLES[m], compiled=built) for m in matches for name, built in servers),
        *(
            Load("pace", name, p // 4, rate=1, holes=1, seconds=3, compiled=built)
            for p in players
            for name, built in servers
        ),
        *([Load("pace", "fairway", 1_000, rate=1, holes=1, seconds=3, workers=2)] if full else []),
        Load("closed", "fairway", 10, holes=HOLES[10], idle=5_000),
        *(Load("memory", name, 167, holes=1, memory=True, compiled=built) for name, built in servers),
    ]


def medians(results: list[dict[str, Any]]) -> Rows:
    """Return the median of every figure, by kind, matches and server."""
    groups: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault((result["kind"], result["matches"], result["server"]), []).append(result)
    return {
        key: {
            name: statistics.median([one[name] for one in group])
            for name, value in group[0].items()
            if isinstance(value, int | float)
        }
        for key, group in groups.items()
    }


def table(rows: Rows) -> list[str]:
    """Return the lines of a table in Markdown."""
    lines = [
        "| work | server | moves/s | own p50 / p99 ms | rivals p50 / p99 ms | server CPU ms per 1,000 moves | x L1 "
        "| engine CPU | generator CPU | bytes a move | server's core, others |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for (kind, matches, server), row in rows.items():
        if kind == "memory":
            continue
        yardstick = rows.get((kind, matches, "echo"))
        ratio = row["server_ms"] / yardstick["server_ms"] if yardstick else 0
        work = f"{matches} matches" if kind == "closed" else f"{4 * matches:,} players, 1 move/s"
        lines.append(
            f"| {work} | {'L1' if server == 'echo' else server} | {row['moves_s']:,.0f} "
            f"| {row['own_p50']:.1f} / {row['own_p99']:.1f} | {row['rivals_p50']:.1f} / {row['rivals_p99']:.1f} "
            f"| {row['server_ms']:.0f} | {ratio:.2f} | {row['engine_ms']:.0f} | {row['generator_ms']:.0f} "
            f"| {row['bytes_a_move']:.0f} | {row['server_load']:.2f}, {row['others']:.2f} |"
        )
    for (kind, _, server), row in rows.items():
        if kind == "memory":
            name = "L1" if server == "echo" else server
            sizes = f"{row['kb_idle']:.1f} KB a connection idle, {row['kb_playing']:.1f} KB in a match"
            lines += ["", f"{name}: {sizes} after its first move."]
    return lines


def small_figures(build: Path | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what single steps cost with a build, or without one: in a process of its own, which imports that alone."""
    code = "import json, sys, micro, parts; json.dump([micro.measure(), parts.figures()], sys.stdout)"
    environment = {**os.environ, "BENCH_SERVER_DIR": str(build or "")}
    did = subprocess.run([sys.executable, "-c", code], cwd=HERE, env=environment, stdout=subprocess.PIPE, check=True)
    small, own = json.loads(did.stdout)
    return small, own


def _wanted(load: Load, patterns: str) -> bool:
    return _named(load.kind, patterns) or _named(f"{load.kind}:{load.matches}", patterns)


def _named(name: str, patterns: str) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns.split(","))


def _keep(out: Path, raw: dict[str, Any]) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(raw, indent=1))


def main() -> int:
    """Run the rounds, print the table, draw the plot."""
    began_all, minutes = time.monotonic(), float(os.environ.get("BENCH_MINUTES", "inf"))
    full, only = bool(os.environ.get("BENCH_FULL")), os.environ.get("BENCH_ONLY", "*")
    out = Path(os.environ.get("BENCH_OUT", ROOT / "test-report" / "bench.json"))
    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            generator = build_generator(Path(folder))
        except NoCompiler as why:
            print(why, file=sys.stderr)
            return 0
        todo = [load for load in loads(full) if _wanted(load, only)]
        for number in range(1, ROUNDS + 1):
            for load in todo:
                if load.memory and number > 1:
                    continue  # it hardly differs from run to run
                if time.monotonic() - began_all > 60 * minutes:
                    continue
                began = time.monotonic()
                try:
                    result = run(generator, load)
                except (RuntimeError, OSError) as why:  # the others still say something
                    print(f"round {number}: {load.kind}, {load.matches} matches, {load.server}: {why}")
                    continue
                results.append(result | {"round": number})
                _keep(out, {"runs": results})
                cpu = f", {result['server_ms']:.0f} ms of CPU per 1,000 moves" if "server_ms" in result else ""
                what = f"{load.kind}, {load.matches} matches, {result['server']}{cpu}"
                print(f"round {number}: {what} ({time.monotonic() - began:.0f} s)", flush=True)
    rows = medians(results)
    print("", *table(rows), sep="\n")
    small: dict[str, Any] = {}
    for name, build in (("fairway", None), ("fairway, compiled", BUILD)):
        if _named("small", only) and (build or name == "fairway"):
            small[name], own = small_figures(build)
            print(
                "", *([f"{name}:", ""] if BUILD else []), *micro.lines(small[name]), "", *parts.lines(own), sep="\n"
            )
            small[name]["parts"] = own
    records = sum(result.get("records", 0) for result in results)
    print(f"\n{records} ended matches re-ran from their records. Load average {os.getloadavg()[0]:.1f}.")
    _keep(out, {"runs": results, "small": small})
    plot.draw(rows, small, Path(os.environ.get("BENCH_PLOT", out.with_suffix(".svg"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
