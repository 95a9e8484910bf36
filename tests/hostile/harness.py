"""Engines that may be broken, workers behind faulty lines, and what a stream must look like afterwards."""

import asyncio
import contextlib
import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from server.app import Worker
from server.match.commands import Command, DrawCard, PlayCard, Undo
from server.match.decide import World, decide
from server.match.entries import Acted, Entry
from server.match.evolve import evolve, replay
from server.match.state import Match
from server.rules.table import Dealt, Moved
from server.runtime.listening import open_listener
from server.runtime.replica import load_entries
from server.settings import Fsync, read_settings
from server.store.matches import Matches
from tests.hostile.proxy import Proxy
from tests.runtime.bots import Bot
from tests.runtime.crowd import seat_all
from tests.runtime.servers import Engine, House, ShiftedClock, Street

KEY = "fw:{%s}:%s"


async def until(holds: Callable[[], Any], pause_s: float = 0.005) -> None:
    """Wait for something to become true; the test's own bound ends it."""
    while not holds():
        await asyncio.sleep(pause_s)


class OwnEngine(Engine):
    """An engine of one test. It can be ended and started again on its data, which has all that was acked."""

    fsync: Fsync = "always"

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the process."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.process = None


class Faulty(Street):
    """Workers on an engine of their own, each behind a proxy at both ends.

    `engine_side[n]` and `player_side[n]` are the proxies of `houses[n]`; `urls[n]` leads through the latter.
    """

    def __init__(self, engine: Engine, client_dir: Path) -> None:
        super().__init__(engine, client_dir)
        self.engine_side: list[Proxy] = []
        self.player_side: list[Proxy] = []
        self.urls: list[str] = []

    async def open(self, name: str = "w1") -> House:
        """Start a worker whose lines go through proxies."""
        behind = await Proxy(self.engine.socket).start()
        real, self.engine = self.engine, _Detour(behind.port)  # type: ignore[assignment]
        try:
            house = await super().open(name)
        finally:
            self.engine = real
        front = await Proxy(("127.0.0.1", int(house.url.rpartition(":")[2]))).start()
        self.engine_side.append(behind)
        self.player_side.append(front)
        self.urls.append(f"ws://127.0.0.1:{front.port}")
        return house

    async def end(self) -> None:
        """Heal everything, stop the workers, end the proxies."""
        for proxy in [*self.engine_side, *self.player_side]:
            proxy.heal()
        await super().end()
        for proxy in [*self.engine_side, *self.player_side]:
            await proxy.stop()


class _Detour:
    """Stands where a street expects its engine: the address of the proxy in front of it."""

    def __init__(self, port: int) -> None:
        self.url = f"redis://127.0.0.1:{port}/0"


async def open_house(street: Street, name: str = "w1", **given: Any) -> House:
    """Start a worker with limits or settings (`FAIRWAY_...`) of its own; the street ends it."""
    environ = {"REDIS_URL": street.engine.url, "FAIRWAY_CLIENT_DIR": str(street.client_dir)}
    environ |= {key: given.pop(key) for key in list(given) if key.startswith("FAIRWAY_")}
    settings = read_settings(environ, {})
    listener = open_listener("127.0.0.1", 0)
    url = f"ws://127.0.0.1:{listener.getsockname()[1]}"
    worker, clock, stop = Worker(settings, name, **given), ShiftedClock(), asyncio.Event()
    worker._hub.clock = clock
    task = asyncio.get_running_loop().create_task(worker.run(listener, stop))
    street.houses.append(House(url, worker, clock, stop, task))
    return street.houses[-1]


async def start_hole(host: Bot, others: list[Bot], houses: list[House], **options: Any) -> None:
    """Seat everybody and let the countdown pass at once."""
    await seat_all(host, others, **{"holes": 1, **options})
    for house in houses:
        house.pass_time(3_000)
    for bot in [host, *others]:
        await bot.until_phase("playing")


async def stream_of(engine: Engine, match_id: str) -> list[Entry]:
    """Read a match's whole stream from the engine, by a connection of its own."""
    matches = Matches(engine.url, lost=lambda _: None)
    try:
        stored = await matches.read(match_id)
    finally:
        await matches.close()
    assert stored is not None, "the match is gone"
    return load_entries(stored)


def _command_of(body: Acted, before: Match) -> Command:
    hand = before.seats[body.seat].hand
    assert hand is not None
    if body.what == "undo":
        return Undo(body.seat, hand.board.moves, hand.board.undos)
    event = body.events[0]
    if body.what == "draw":
        assert isinstance(event, Dealt)
        return DrawCard(body.seat, before.game.stock_left(hand.board.table))
    assert isinstance(event, Moved)
    return PlayCard(body.seat, event.source, event.target, event.cards[0])


def check_stream(entries: list[Entry]) -> Match:
    """A stream has no gap and no command twice, and each move in it is judged legal on the state before it."""
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.at_ms for entry in entries] == sorted(entry.at_ms for entry in entries)
    commands = [(entry.seat, entry.generation, entry.seq) for entry in entries if entry.seq]
    assert len(set(commands)) == len(commands), "a command was applied twice"
    for seat in {seat for seat, _, _ in commands}:
        mine = [(generation, seq) for one, generation, seq in commands if one == seat]
        assert mine == sorted(mine), "a seat's commands were applied out of their order"
    state: Match | None = None
    for entry in entries:
        if isinstance(entry.body, Acted):
            assert state is not None
            # A move decided just before the deadline may be stored just after it: time is judged elsewhere.
            timeless = replace(state, hole_deadline_ms=0, last_seat_deadline_ms=0)
            judged = decide(timeless, _command_of(entry.body, state), entry.at_ms, World())
            assert judged == entry.body, (entry, judged)
        state = evolve(state, entry)
    assert state is not None
    assert state == replay(entries)
    return state


def check_told(entries: list[Entry], bot: Bot) -> None:
    """What a seat was told to have happened is in the stream as just that, and what is there was not refused."""
    stored = {(entry.generation, entry.seq): entry for entry in entries if entry.seat == bot.seat and entry.seq}
    by_seq: dict[int, list[Entry]] = {}
    for (_, seq), entry in stored.items():
        by_seq.setdefault(seq, []).append(entry)
    for seq, answers in bot.answers.items():
        for answer in answers:
            if answer["t"] in ("e", "ack"):
                versions = {entry.version for entry in by_seq.get(seq, [])}
                assert answer["v"] in versions, (bot.name, answer, versions)
