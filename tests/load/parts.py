"""A worker's own work for a move, without sockets and engine: what is left when the kernel is taken away.

Real gateways, rooms, audiences and outboxes, from the bytes of a message to the bytes that would be written; the
engine is an echo that accepts each append a tick later. All rooms play one match that was played beforehand, four
moves a tick. `python tests/load/parts.py [--profile]` prints microseconds a move, and with it where they went.
"""

import argparse
import asyncio
import cProfile
import gc
import itertools
import pstats
import sys
import time
from typing import Any, cast

from load_run import ROOT

sys.path.insert(0, str(ROOT))

import uvloop
from micro import played
from pydantic_core import to_json
from websockets.protocol import State

from server import settings
from server.match.entries import Acted, Entry, dump
from server.match.evolve import evolve, replay
from server.match.state import Match
from server.runtime.allowance import Allowance
from server.runtime.gateway import Gateway
from server.runtime.outbox import Outbox, Post
from server.runtime.metrics import Metrics
from server.runtime.room import Room
from server.runtime.session import Session
from server.runtime.clock import EngineClock
from server.store.matches import Matches, Stored

ROOMS, SEATS, SPECTATORS, SEED = 100, 4, 2, 4
Round = list[tuple[int, bytes]]


class Line:
    """A connection whose transport counts what is written."""

    state = State.OPEN

    def __init__(self) -> None:
        self.transport, self.writes, self.size = self, 0, 0

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, data: bytes) -> None:
        self.writes += 1
        self.size += len(data)

    def writelines(self, data: list[bytes]) -> None:
        self.writes += 1
        self.size += sum(map(len, data))


class EchoEngine:
    """Accepts each append in the next tick."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.appends = 0

    def submit(self, parts: tuple[Any, ...], callback: Any, key: str = "", durable: bool = False) -> None:
        from server.store.line import pack

        pack(parts)
        self.appends += 1
        first, count = int(parts[7]) + 1, (len(parts) - 11) // 4
        now_ms = time.monotonic_ns() // 1_000_000
        self._loop.call_soon(callback, [0, first, first + count - 1, now_ms, b"0123456789abcdef"])


def rounds_of(entries: list[Entry]) -> list[Round]:
    """Return what the seats say: in each round one move of each that has one left, since none waits for another's."""
    state: Match = replay(entries[:1])
    said: dict[int, list[bytes]] = {seat: [] for seat in range(SEATS)}
    for entry in entries[1:]:
        body = entry.body
        if isinstance(body, Acted):
            event: Any = body.events[0]
            if body.what == "draw":
                hand = state.seats[body.seat].hand
                assert hand is not None
                move = {"t": "draw", "seq": entry.seq, "stock": hand.counts.stock}
            else:
                place = {"source": event.source, "target": event.target, "card": event.cards[0]}
                move = {"t": "play", "seq": entry.seq, **place}
            said[body.seat].append(to_json(move))
        state = evolve(state, entry)
    longest = max(map(len, said.values()))
    return [[(seat, own[turn]) for seat, own in said.items() if turn < len(own)] for turn in range(longest)]


def hole_of(seed: int) -> tuple[list[Entry], list[Entry]]:
    """Return a match's entries until its hole is open, and the moves of that hole that end nothing."""
    entries = played(1, SEATS, seed)
    opened = next(place for place, entry in enumerate(entries) if type(entry.body).__name__ == "HoleOpened") + 1
    moves = list(itertools.takewhile(lambda entry: isinstance(entry.body, Acted) and not entry.body.ended, entries[opened:]))
    return entries[:opened], moves


class Crowd:
    """Rooms with their sessions, wired as a worker's."""

    def __init__(self, loop: asyncio.AbstractEventLoop, begin: list[Entry], rooms: int) -> None:
        self.metrics, self.clock = Metrics(), EngineClock()
        self.clock.observe(1_790_000_000_000)
        matches = object.__new__(Matches)
        matches._author, matches._numbers, matches._replicas = "parts", itertools.count(), 0
        matches._append = cast(Any, type("Script", (), {"sha": "0" * 40}))
        self.engine = matches.pipeline = cast(Any, EchoEngine(loop))
        hub: Any = type("Hub", (), {"metrics": self.metrics, "clock": self.clock})()
        self.gateway = Gateway(hub, "w1", allowed=settings.Allowances())
        self.post = Post()
        self.lines: list[Line] = []
        self.rooms: list[list[Session]] = []
        stored = [Stored(e.version, e.at_ms, dump(e.body), e.seat, e.generation, e.seq) for e in begin]
        for _ in range(rooms):
            room = Room(
                stored,
                matches,
                self.clock,
                outages=tuple,
                changed=lambda room, before, entry: None,
                spawn=asyncio.ensure_future,  # type: ignore[arg-type]
                ttl_ms=lambda state: 1,
                metrics=self.metrics,
            )
            sessions = []
            for seat in [*range(SEATS), *[None] * SPECTATORS]:
                line = Line()
                self.lines.append(line)
                session = self.session(line)
                room.enter(session, seat)
                sessions.append(session)
            self.rooms.append(sessions)
        # Each room holds a sealed match of its own; here all are one, and the ledger starts where the seats' seqs do.

    def session(self, line: Line) -> Session:
        """Return a greeted session on a line."""
        return Session("s", "127.0.0.1", Outbox(cast(Any, line), self.post), lambda code: None)

    async def play(self, rounds: list[Round]) -> list[float]:
        """Play all rounds in all rooms; return the seconds of CPU that each took."""
        allowance, hear, took = Allowance(1e9, 1e9), self.gateway._hear_now, []
        rooms = [cast(Room, sessions[0].room) for sessions in self.rooms]
        for one in rounds:
            began = time.process_time()
            for sessions in self.rooms:
                for seat, data in one:
                    hear(sessions[seat], allowance, data)
            while not all(room.settled for room in rooms):
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            took.append(time.process_time() - began)
        return took


async def measure(rooms: int, repeats: int, profile: cProfile.Profile | None = None) -> float:
    """Return microseconds of CPU a move: of each round the cheapest of all repeats, which others disturbed least."""
    begin, moves = hole_of(SEED)
    rounds = rounds_of([*begin, *moves])
    took = []
    for _ in range(repeats):
        crowd = Crowd(asyncio.get_running_loop(), begin, rooms)
        await asyncio.sleep(0)
        before = sum(line.writes for line in crowd.lines)
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 10, 50)
        if profile:
            profile.enable()
        took.append(await crowd.play(rounds))
        if profile:
            profile.disable()
        gc.unfreeze()
        made = len(moves) * rooms
        assert crowd.metrics.counts["moves", ""] == made, crowd.metrics.counts
        writes = sum(line.writes for line in crowd.lines) - before
        print(f"{1e6 * sum(took[-1]) / made:.1f} us, {writes / made:.2f} writes, {crowd.engine.appends / made:.2f} appends")
    return 1e6 * sum(map(min, zip(*took, strict=True))) / made


def main() -> None:
    """Print what a move costs."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--rooms", type=int, default=ROOMS)
    asked.add_argument("--repeats", type=int, default=5)
    asked.add_argument("--profile", action="store_true")
    options = asked.parse_args()
    profile = cProfile.Profile() if options.profile else None
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(f"{runner.run(measure(options.rooms, options.repeats, profile)):.1f} us a move")
    if profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    main()
