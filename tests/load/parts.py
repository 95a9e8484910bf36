"""A worker's own work for a move, without sockets and engine: what is left when the kernel is taken away.

Real gateway, rooms, audiences and outboxes, from the bytes of a message to the bytes that would be written; the engine
is an echo that accepts each append a tick later. All rooms play one hole that was played beforehand, as many moves a
tick as seats. `python tests/load/parts.py` prints microseconds a move and where they went, by a sampling of the stack;
and what a match costs whose seats are on two workers: both keep it, and each hears what the other appended. With
BENCH_SERVER_DIR it is that build's work; compiled functions are not on the stack, so that their time is their callers'.
"""

import asyncio
import gc
import itertools
import signal
import sys
import time
from collections import Counter
from types import FrameType
from typing import Any, cast

from load_run import BUILD, ROOT

sys.path.insert(0, str(BUILD or ROOT))

import uvloop
from micro import played
from pydantic_core import to_json
from websockets.protocol import State

from server import settings
from server.match.entries import Acted, Entry, HoleOpened, dump
from server.match.evolve import evolve, replay
from server.match.state import Match
from server.runtime.allowance import Allowance
from server.runtime.clock import EngineClock
from server.runtime.gateway import Gateway
from server.runtime.metrics import Metrics
from server.runtime.outbox import Outbox, Post
from server.runtime.room import Room
from server.runtime.session import Session
from server.store.entries import publication, stored_from_publication
from server.store.line import pack
from server.store.matches import Appended, Item, Matches, Stored

ROOMS, SEATS, SPECTATORS, SEED = 100, 4, 2, 4
SPREAD = 20
"""Rooms for the comparison of one worker and two."""
STAGES = {
    "Gateway._hear_now": "hear: parse a message, look at allowances, put it into the room's mailbox",
    "decide_all": "decide: judge it, state its effects, dump the entry",
    "Matches.append": "append: the engine's command",
    "evolve": "apply: the state after it",
    "Quiet.__init__": "tell: what changes in each view",
    "Quiet.text": "tell: what changes in each view",
    "entry": "tell: encode and frame",
    "encode": "tell: encode and frame",
    "frame": "tell: encode and frame",
    "Outbox.push": "tell: queue for six sockets",
    "Post.deliver": "write: join a socket's frames (the system's call is not in this)",
}
"""By function: the innermost of these on the stack takes the sample."""
REST = "the room's and the loop's own steps between these, counters, ledger"
Round = list[tuple[int, bytes]]


class Line:
    """A connection whose transport takes everything and counts its writes."""

    state = State.OPEN

    def __init__(self) -> None:
        self.transport = self.protocol = self
        self.writes = 0

    def is_closing(self) -> bool:
        """It never is."""
        return False

    def get_write_buffer_size(self) -> int:
        """Everything is sent at once."""
        return 0

    def write(self, data: bytes) -> None:
        """Take one write."""
        self.writes += 1


class EchoEngine:
    """Accepts each append in the next tick, and publishes it to the match's room on the other worker, if it has one."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.appends = 0
        self.elsewhere: Room | None = None

    def submit(self, parts: tuple[Any, ...], callback: Any, key: str = "", durable: bool = False) -> None:
        """Answer as the script does."""
        pack(parts)
        self.appends += 1
        first, count = int(parts[7]) + 1, (len(parts) - 11) // 4
        now_ms = time.monotonic_ns() // 1_000_000
        self._loop.call_soon(callback, [0, first, first + count - 1, now_ms, b""])
        if self.elsewhere is not None:
            items = [Item(parts[at + 3], *parts[at : at + 3]) for at in range(11, len(parts), 4)]
            heard = publication(Appended(first, first + count - 1, now_ms), "other", items)
            self._loop.call_soon(self._publish, self.elsewhere, heard)

    def _publish(self, room: Room, heard: bytes) -> None:
        room.replica.take(stored_from_publication(heard))


class Sampler:
    """Looks at the stack once a millisecond of CPU and counts in which stage it is."""

    def __init__(self) -> None:
        self.stages: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def start(self) -> None:
        """Begin to look."""
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)

    def stop(self) -> None:
        """Look no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _look(self, number: int, frame: FrameType | None) -> None:
        stage = REST
        if frame is not None:
            self.functions[frame.f_code.co_qualname] += 1
        while frame is not None:
            name = frame.f_code.co_qualname
            if name in STAGES:
                stage = STAGES[name]
                break
            frame = frame.f_back
        self.stages[stage] += 1


def rounds_of(entries: list[Entry]) -> list[Round]:
    """Return what the seats say: in each round one move of each that has one left, since none waits for another's."""
    state: Match = replay(entries[:1])
    said: dict[int, list[bytes]] = {seat: [] for seat in range(SEATS)}
    for entry in entries[1:]:
        body = entry.body
        if isinstance(body, Acted):
            event: Any = body.events[0]
            hand = state.seats[body.seat].hand
            assert hand is not None
            move: dict[str, Any] = {"t": "draw", "seq": entry.seq, "stock": hand.counts.stock}
            if body.what == "play":
                place = {"source": event.source, "target": event.target, "card": event.cards[0]}
                move = {"t": "play", "seq": entry.seq, **place}
            said[body.seat].append(to_json(move))
        state = evolve(state, entry)
    longest = max(map(len, said.values()))
    return [[(seat, own[turn]) for seat, own in said.items() if turn < len(own)] for turn in range(longest)]


def hole_of(seed: int) -> tuple[list[Entry], list[Entry]]:
    """Return a match's entries until its hole is open, and its moves up to the first that ends something."""
    entries = played(1, SEATS, seed)
    opened = next(place for place, entry in enumerate(entries) if isinstance(entry.body, HoleOpened)) + 1
    moves = itertools.takewhile(lambda one: isinstance(one.body, Acted) and not one.body.ended, entries[opened:])
    return entries[:opened], list(moves)


class Crowd:
    """Rooms with their sessions, wired as a worker's; `workers` 2: each match is on two, with half of the sessions."""

    def __init__(self, begin: list[Entry], rooms: int, workers: int, apart: bool) -> None:
        self.apart = apart
        self.metrics, clock, self.engine, post = Metrics(), EngineClock(), EchoEngine(), Post()
        clock.observe(begin[-1].at_ms)
        matches = object.__new__(Matches)  # its constructor would connect
        matches._author, matches._numbers, matches._replicas = "parts", itertools.count(), 0
        matches._append = cast(Any, type("Script", (), {"sha": "0" * 40}))
        matches.pipeline = cast(Any, self.engine)
        hub: Any = type("Hub", (), {"metrics": self.metrics, "clock": clock, "clubhouse": None})()
        gateway = Gateway(hub, "w1", allowed=settings.Allowances())
        self.hear, self.allowance = gateway._hear_now, Allowance(1e9, 1e9)
        self.lines: list[Line] = []
        self.rooms: list[tuple[list[Room], list[Session]]] = []
        stored = [Stored(e.version, e.at_ms, dump(e.body), e.seat, e.generation, e.seq) for e in begin]
        for _ in range(rooms):
            held = [
                Room(
                    stored,
                    matches,
                    clock,
                    outages=tuple,
                    solvers=cast(Any, None),  # nothing is solved within a hole
                    changed=lambda room, before, entry: None,
                    spawn=asyncio.ensure_future,  # type: ignore[arg-type]
                    ttl_ms=lambda state: 1,
                    metrics=self.metrics,
                )
                for _ in range(workers)
            ]
            for room in held:
                leases = {f"{seat}:elsewhere": begin[-1].at_ms + 60_000 for seat in range(SEATS)}
                room.audience.heard_leases(leases)
            sessions = []
            for place, seat in enumerate([*range(SEATS), *[None] * SPECTATORS]):
                line = Line()
                self.lines.append(line)
                session = Session("s", "127.0.0.1", Outbox(cast(Any, line), post), lambda code: None)
                held[place % workers].enter(session, seat)
                sessions.append(session)
            self.rooms.append((held, sessions))

    async def play(self, rounds: list[Round]) -> list[float]:
        """Play all rounds in all rooms; return the seconds of CPU that each took."""
        took = []
        for one in rounds:
            began = time.process_time()
            for worker in range(len(self.rooms[0][0])):  # one after the other: no append finds the match gone on
                await self._round(one, worker)
            took.append(time.process_time() - began)
        return took

    async def _round(self, one: Round, worker: int) -> None:
        for held, sessions in self.rooms:
            self.engine.elsewhere = held[1 - worker] if len(held) > 1 else None
            for seat, data in one:
                if seat % len(held) == worker:
                    self.hear(sessions[seat], self.allowance, data)
            if self.apart:
                await asyncio.sleep(0)  # so that the append is submitted while `elsewhere` is this match's
        while not all(room.settled for held, _ in self.rooms for room in held):
            await asyncio.sleep(0)
        await asyncio.sleep(0)


async def measure(
    repeats: int, sampler: Sampler | None = None, rooms: int = ROOMS, workers: int = 1, apart: bool = False
) -> dict[str, float]:
    """Return the microseconds of CPU, the writes and the appends of a move.

    Of each round the cheapest of all repeats counts, which others disturbed least.
    """
    begin, moves = hole_of(SEED)
    rounds, took, made = rounds_of([*begin, *moves]), [], rooms * len(moves)
    for _ in range(repeats):
        crowd = Crowd(begin, rooms, workers, apart)
        await asyncio.sleep(0)
        before = sum(line.writes for line in crowd.lines)
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 5, 50)  # as a worker does
        if sampler:
            sampler.start()
        took.append(await crowd.play(rounds))
        if sampler:
            sampler.stop()
        gc.unfreeze()
        assert crowd.metrics.counts["moves", ""] == made, crowd.metrics.counts
        writes = sum(line.writes for line in crowd.lines) - before
    cheapest = sum(map(min, zip(*took, strict=True)))
    return {"us": 1e6 * cheapest / made, "writes": writes / made, "appends": crowd.engine.appends / made}


def figures(repeats: int = 12) -> dict[str, Any]:
    """Return a move's cost, and each stage's share of it."""
    sampler = Sampler()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        cost = runner.run(measure(repeats))
        runner.run(measure(repeats, sampler))
        alone, spread = (
            runner.run(measure(repeats, rooms=SPREAD, workers=workers, apart=True)) for workers in (1, 2)
        )
    total = sampler.stages.total()
    shares = {stage: count / total for stage, count in sampler.stages.most_common()}
    functions = {name: count / total for name, count in sampler.functions.most_common(12)}
    more = {"alone_us": alone["us"], "spread_us": spread["us"]}
    return cost | more | {"shares": shares, "functions": functions, "samples": total}


def lines(found: dict[str, Any]) -> list[str]:
    """Return them as a table in Markdown."""
    head = f"A worker's own work, without kernel and engine: {found['us']:.0f} us a move"
    rows = [f"| {stage} | {share:.0%} | {share * found['us']:.1f} |" for stage, share in found["shares"].items()]
    tops = ", ".join(f"`{name}` {share:.0%}" for name, share in found["functions"].items())
    return [
        f"{head} ({found['writes']:.2f} writes, {found['appends']:.2f} appends; {found['samples']} samples).",
        "",
        "| stage | share | us a move |",
        "|---|---|---|",
        *rows,
        "",
        f"By function alone: {tops}.",
        f"One match alone: {found['alone_us']:.0f} us a move on one worker, {found['spread_us']:.0f} us in all on two, "
        f"{found['spread_us'] / found['alone_us']:.2f} times as much.",
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines(figures())) + "\n")
