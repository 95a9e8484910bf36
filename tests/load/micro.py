"""What single steps cost, in this process: a move's rules and views, loading a match, and a server's start.

With BENCH_SERVER_DIR they are that build's steps.
"""

import contextlib
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from load_run import BUILD, ROOT, home

sys.path.insert(0, str(BUILD or ROOT))

import processes

from server.match.commands import Command, Done, DrawCard, Next, PlayCard, Ready
from server.match.decide import World, decide
from server.match.due import due
from server.match.entries import Acted, Created, Entry, SeatTaken, dump
from server.match.evolve import evolve, replay
from server.match.options import Options
from server.match.state import Match
from server.match.telling import telling
from server.match.view import snapshot
from server.protocol import server as say
from server.rules.base import Refusal
from server.rules.table import Draw
from server.runtime.ledger import Ledger
from server.runtime.replica import load_entries
from server.store.matches import Stored


def played(holes: int, seats: int = 4, seed: int = 1) -> list[Entry]:
    """Return the entries of a whole match by players who take any move."""
    luck, now, world = random.Random(seed), 1_790_000_000_000, World()
    options = Options(holes=holes, seats=seats)
    created = Created("m" * 26, "ABCDEFGH", options, f"{seed:064x}", 0, ((0, "P0", "0" * 64),))
    entries = [Entry(1, now, created)]
    state = evolve(None, entries[0])

    def happen(body: Any, seat: int = -1, seq: int = 0) -> None:
        nonlocal state
        entries.append(Entry(state.version + 1, now, body, seat, 1 if seq else 0, seq))
        state = evolve(state, entries[-1])

    for seat in range(1, seats):
        happen(SeatTaken(seat, f"P{seat}", f"{seat:064x}", 1), seat)
    seqs = dict.fromkeys(range(seats), 0)
    while state.phase != "ended":
        now += 150
        body = due(state, world, now)
        if body is not None:
            happen(body)
            continue
        commands = [command for seat in range(seats) if (command := _command(state, seat, luck)) is not None]
        if not commands:
            now += 3_000
            continue
        command: Any = luck.choice(commands)
        judged = decide(state, command, now, world)
        assert not isinstance(judged, Refusal), (command, judged)
        seqs[command.seat] += 1
        happen(judged, command.seat, seqs[command.seat])
    return entries


def _command(state: Match, number: int, luck: random.Random) -> Command | None:
    seat = state.seats[number]
    if state.phase in ("lobby", "between"):
        ready = seat.ready if state.phase == "lobby" else seat.next or state.hole >= state.options.holes
        return None if ready else Ready(number, True) if state.phase == "lobby" else Next(number, state.hole)
    hand = seat.hand
    if state.phase != "playing" or hand is None or hand.ended_version:
        return None
    board = hand.board
    moves = state.game.moves(board.table, state.rules)
    if not moves:
        return Done(number, state.hole)
    move = luck.choice(moves)
    if isinstance(move, Draw):
        return DrawCard(number, state.game.stock_left(board.table))
    return PlayCard(number, move.source, move.target, board.table.piles[move.source][-move.count])


def _a_move_us(entries: list[Entry]) -> tuple[float, float]:
    """Return microseconds of CPU a move: decide + evolve + one view, and those with all five distinct viewers."""
    state, world, one, five, moves = replay(entries[:1]), World(), 0.0, 0.0, 0
    for entry in entries[1:]:
        body = entry.body
        if not isinstance(body, Acted):
            state = evolve(state, entry)
            continue
        number, event = body.seat, body.events[0]
        command: Command
        if body.what == "draw":
            hand = state.seats[number].hand
            assert hand is not None
            command = DrawCard(number, hand.counts.stock)
        else:
            command = PlayCard(number, event.source, event.target, event.cards[0])  # type: ignore[union-attr]
        rival = (number + 1) % len(state.seats)
        began = time.process_time_ns()
        decide(state, command, entry.at_ms, world)
        after = evolve(state, entry)
        telling(state, entry, after).text(rival)
        ended = time.process_time_ns()
        told = telling(state, entry, after)
        for viewer in (*after.seats, None):
            told.text(viewer)
        five += time.process_time_ns() - ended
        one += ended - began
        moves += 1
        state = after
    return one / moves / 1e3, five / moves / 1e3


def _cpu_ms(work: Any, times: int = 5) -> float:
    best = float("inf")
    for _ in range(times):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return 1e3 * best


def _resumes(entries: list[Entry]) -> dict[str, float]:
    """Return microseconds of CPU for a page that comes back late in a match: by how many entries it missed."""
    ledger, costs = Ledger(), {}
    moves = [place for place, entry in enumerate(entries) if isinstance(entry.body, Acted)]
    ledger.begin(entries[: moves[-200]])
    state = replay(entries[: moves[-200]])
    for entry in entries[moves[-200] :]:
        if state.hole == 9 and state.phase == "playing" and len(state.playing()) == 1:
            break
        ledger.step(state, entry)
        state = evolve(state, entry)

    def told(count: int) -> None:
        missed = ledger.missed(state.version - count, state)
        assert missed is not None
        assert len(missed) == count
        for before, entry, after in missed:
            say.entry(entry.version, telling(before, entry, after).text(0))

    for count in (1, 5, 15):
        costs[f"resume_us_{count}"] = 1e3 * _cpu_ms(lambda count=count: told(count))
    costs["resume_us_all"] = 1e3 * _cpu_ms(lambda: say.encode(say.snapshot(state.version, 0, snapshot(state, 0))))
    return costs


def _start_s() -> float:
    """Return the seconds from starting the server, engine included, to the page's first byte."""
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        port = processes.free_port()
        where = ["--port", str(port), "--data-dir", str(Path(folder) / "data")]
        command = [sys.executable, "-m", "server.cli", "serve", *where]
        place, told = home(BUILD)
        silent: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        began = time.monotonic()
        server = subprocess.Popen(command, cwd=place, env={**os.environ, **told}, **silent)
        try:
            while time.monotonic() - began < 20:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.005)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as answer:
                answer.read(1)
            return time.monotonic() - began
        finally:
            processes.end(server)


def measure() -> dict[str, Any]:
    """Return all small figures."""
    small: dict[str, Any] = {}
    whole = {holes: played(holes) for holes in (1, 3, 9, 18)}
    costs = [_a_move_us(whole[9]) for _ in range(5)]
    small["move_us"], small["five_views_us"] = min(cost[0] for cost in costs), min(cost[1] for cost in costs)
    small["move_us_by_holes"] = {
        holes: min(_a_move_us(entries)[0] for _ in range(3 + 18 // holes)) for holes, entries in whole.items()
    }
    for holes, entries in whole.items():
        stored = [Stored(e.version, e.at_ms, dump(e.body), e.seat, e.generation, e.seq) for e in entries]
        small[f"load_ms_{holes}"] = _cpu_ms(lambda stored=stored: replay(load_entries(stored)))
        small[f"entries_{holes}"] = len(entries)
    state = replay(whole[9])
    small["snapshot_us"] = 1e3 * _cpu_ms(lambda: [snapshot(state, 0) for _ in range(20)]) / 20
    small |= _resumes(whole[9])
    small["start_s"] = min(_start_s() for _ in range(3))
    return small


def lines(small: dict[str, Any]) -> list[str]:
    """Return the small figures in words."""
    by_length = ", ".join(f"{cost:.0f} at {holes} holes" for holes, cost in small["move_us_by_holes"].items())
    loads = ", ".join(
        f"{small[f'load_ms_{n}']:.1f} ms for {n} holes ({small[f'entries_{n}']} entries)" for n in (1, 3, 9, 18)
    )
    return [
        f"A move's decide + evolve + one view: {small['move_us']:.0f} us of CPU ({by_length}).",
        f"Its views for four seats and a spectator: {small['five_views_us']:.0f} us.",
        f"Loading a match of 4 from its stream: {loads}.",
        f"A whole view: {small['snapshot_us']:.0f} us.",
        "A page that comes back, by the entries that it missed: "
        + ", ".join(f"{small[f'resume_us_{count}']:.0f} us for {count}" for count in (1, 5, 15))
        + f", {small['resume_us_all']:.0f} us for a whole view encoded.",
        f"Start to the page's first byte, engine included: {small['start_s']:.2f} s.",
    ]
