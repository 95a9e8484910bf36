"""What a million players ask of the engine: measured on one engine with as many rooms, leases and heads.

Run it by hand: `python tests/load/scale.py [--players 1000000]`; it takes some minutes and 2 GB, and prints what
docs/scale.md plans with. Streams are real matches', played by the rules; the rest is made at full size.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1] / "match"))

import uvloop
from driver import random_match

from server.match.entries import Entry, dump
from server.match.options import Options
from server.store.ear import Ear
from server.store.line import parse_address
from server.store.lobby import Lobby
from server.store.matches import Appended, Item, Matches
from tests.store.store_tools import TTL_MS, Engine

SEATS = 4
STREAMS = 3_000
BATCH = 10_000
MOVES = 20_000


def say(what: str, figure: float, unit: str) -> None:
    """Print one figure."""
    print(f"{what:<78} {figure:>12,.1f} {unit}", flush=True)  # noqa: T201 - it is what this is for


class Scale:
    """One engine and one worker's store, and what it costs them."""

    def __init__(self, engine: Engine, players: int) -> None:
        self.engine, self.players = engine, players
        self.matches = Matches(engine.url, lost=lambda _: None, timeout_s=30)
        self.ids = [f"{number:026d}" for number in range(players // SEATS)]

    def used(self) -> int:
        """The engine's memory in all."""
        return int(self.engine.admin.info("memory")["used_memory"])

    def cpu_s(self) -> float:
        """The engine's seconds on a CPU."""
        info = self.engine.admin.info("cpu")
        return float(info["used_cpu_user"] + info["used_cpu_sys"])

    async def cost(self, what: str, times: int, work: Callable[[], Awaitable[Any]]) -> None:
        """Print what something costs the engine and this process, each time."""
        engine_s, own_s, clock_s = self.cpu_s(), time.process_time(), time.perf_counter()
        await work()
        clock_s = time.perf_counter() - clock_s
        own_s = time.process_time() - own_s
        say(f"{what}: engine", 1e6 * (self.cpu_s() - engine_s) / times, "us each")
        say(f"{what}: worker", 1e6 * own_s / times, "us each")
        say(f"{what}: at this pace", times / clock_s, "a second")

    async def streams(self) -> None:
        """What real matches weigh: 9 holes of 4, played out by chance."""
        for holes in (1, 9):
            games = [random_match(seed, Options(holes=holes, seats=SEATS), check=False).entries for seed in range(5)]
            sizes = [sum(len(dump(entry.body)) for entry in entries) for entries in games]
            say(f"entries of a match of {holes} holes and 4 players", sum(map(len, games)) / len(games), "")
            say("payload of such a match", sum(sizes) / len(sizes), "bytes")
            before = self.used()
            made = STREAMS // holes
            for start in range(0, made, 50):
                await asyncio.gather(
                    *(self._store(f"real{holes}-{n}", games[n % 5]) for n in range(start, min(start + 50, made)))
                )
            weight = (self.used() - before) / made
            say(f"engine memory of such a match, stream and head ({made:,} made)", weight, "bytes")

    async def _store(self, match_id: str, entries: list[Entry]) -> None:
        await self.matches.create(match_id, dump(entries[0].body), TTL_MS)
        for start in range(1, len(entries), 16):  # one at a time would weigh the same and take longer
            part = entries[start : start + 16]
            items = [Item(dump(e.body), e.seat, e.generation, e.seq) for e in part]
            await self._append(match_id, start, items)

    async def _append(self, match_id: str, version: int, items: list[Item]) -> None:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.matches.append(match_id, version, items, TTL_MS, future.set_result)
        assert isinstance(await future, Appended)

    async def crowd(self) -> None:
        """Heads, leases and room codes of all players' matches, and what it costs to keep them."""
        before, many = self.used(), len(self.ids)
        await self._in_batches([("create", match_id) for match_id in self.ids])
        say(f"engine memory of a match just made ({many:,} made)", (self.used() - before) / many, "bytes")
        before = self.used()
        leases = {
            match_id: {f"{seat}:w1.{n}{seat}": 15_000 for seat in range(SEATS)} for n, match_id in enumerate(self.ids)
        }
        await self.matches.touch_many(leases)
        say("engine memory of a match's four leases", (self.used() - before) / len(self.ids), "bytes")
        before = self.used()
        await self._in_batches([("room", match_id) for match_id in self.ids])
        say("engine memory of a room's code", (self.used() - before) / len(self.ids), "bytes")
        some = Random(1).sample(self.ids, BATCH // SEATS)
        touched = {match_id: leases[match_id] for match_id in some}
        await self.cost("leases renewed, a player", BATCH, lambda: self.matches.touch_many(touched))
        await self.cost("leases read, a match", len(some), lambda: self.matches.presence(some))
        await self.cost("heads compared, a match", len(some), lambda: self.matches.heads(some))

    async def _in_batches(self, what: list[tuple[str, str]]) -> None:
        async def one(kind: str, match_id: str) -> None:
            if kind == "create":
                await self.matches.create(match_id, b"x" * 300, TTL_MS)
            else:
                await self.matches.claim_room(f"R{match_id}", match_id, TTL_MS)

        for start in range(0, len(what), 64):
            await asyncio.gather(*(one(*each) for each in what[start : start + 64]))

    async def moves(self) -> None:
        """Appends among all those matches, and what each further worker that hears them adds."""
        playing = self.ids[:500]
        versions = dict.fromkeys(playing, 1)
        payload = b'{"k":"acted","m":["column.3","waste","9C"],"e":[["m",3,5]]}'.ljust(110)
        ears: list[Ear] = []

        async def play() -> None:
            left, done = MOVES, asyncio.Event()

            def go(match_id: str) -> None:
                nonlocal left
                if left <= 0:
                    done.set()
                    return
                left -= 1
                version = versions[match_id]
                versions[match_id] = version + 1
                item = Item(payload, 0, 1, version)
                self.matches.append(match_id, version, [item], TTL_MS, lambda _: go(match_id))

            for match_id in playing:
                go(match_id)
            await done.wait()
            await asyncio.sleep(0.2)

        for listeners in (0, 1, 2, 4):
            while len(ears) < listeners:
                ear = Ear(parse_address(self.engine.url), lambda _: None)
                ear.start()
                ears.append(ear)
                for match_id in playing:
                    await ear.subscribe(f"fw:{{{match_id}}}:c", lambda _: None)
            await self.cost(f"moves appended, 500 at once, heard by {listeners}", MOVES, play)
        for ear in ears:
            await ear.close()

    async def lobby(self) -> None:
        """A list that is full, as it is at this size whatever is done: its publishing, its reading."""
        lobby = Lobby(self.engine.url, timeout_s=30)
        row = json.dumps(
            {"room": "ABCDEFGH", "host": "Somebody long", "rule": "easy", "holes": 9, "seats": 4}
        ).encode()
        for rooms in (100, 1_000, 10_000):
            ids = self.ids[:rooms]

            async def publish(ids: list[str] = ids) -> None:
                for match_id in ids:
                    await lobby.publish(match_id, row, 600_000)

            await self.cost(f"a room put into the lobby, {rooms:,} rooms asking", rooms, publish)

            async def look() -> None:
                for _ in range(200):
                    await lobby.list(100)

            await self.cost(f"the lobby's first 100 listed, {rooms:,} rooms", 200, look)
        await lobby.close()


async def main() -> None:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1_000_000)
    players = parser.parse_args().players
    engine = Engine(fsync="everysec")
    try:
        engine.start()
        scale = Scale(engine, players)
        await scale.streams()
        await scale.crowd()
        await scale.moves()
        await scale.lobby()
        say("engine memory in all at the end", scale.used() / 1e6, "MB")
        await scale.matches.close()
    finally:
        engine.clean()


if __name__ == "__main__":
    uvloop.run(main())
