"""Deploys: a worker that is told to stop drains, the other goes on, and what an earlier version wrote replays."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from server.match.entries import Entry, load
from server.match.evolve import replay
from server.match.record import record
from server.match.view import snapshot
from server.store.matches import Item, Matches
from tests.hostile.harness import Faulty, start_hole, until
from tests.hostile.test_engine_faults import statuses
from tests.hostile.test_workers import record_of_again, spread
from tests.runtime.bots import Bot, Denied
from tests.runtime.checks import check_acked, check_record
from tests.runtime.crowd import get, seat_all
from tests.runtime.servers import Serve, Server, Street, runs

MakeBot = Callable[..., Bot]
STREAMS = sorted((Path(__file__).parent / "streams").glob("v*.json"))


async def drained(server: Server, pid: int) -> None:
    """Tell one worker to stop, and wait until it has and another serves in its place."""
    os.kill(pid, signal.SIGTERM)
    await until(lambda: not runs(pid), 0.01)
    await until(lambda: len(server.worker_pids()) == 2, 0.01)


async def look_on(eve: Bot) -> None:
    """Watch a match to its end, coming back whenever the line is lost."""
    while eve.match["phase"] != "ended":
        try:
            await eve.hear()
        except ConnectionClosed:
            await eve.come_back()


@pytest.mark.processes
async def test_rolling_restart(serve: Serve, bot: MakeBot) -> None:
    """Two workers are restarted one after the other in the middle of a match: players see a banner, and play on."""
    server = serve("--workers", "2", "--log", "error")
    async with asyncio.timeout(60):
        ada, bob = bot(server.url, "Ada"), bot(server.url, "Bob")
        await spread(ada, bob)
        await seat_all(ada, [bob], holes=1)
        for one in (ada, bob):
            await one.until_phase("playing")
        eve = await bot(server.url, "Eve").open()
        await eve.watch(ada.room)
        watching = asyncio.ensure_future(look_on(eve))
        deadline = ada.match["deadline"]
        playing = asyncio.gather(*(one.play(pause_s=0.15) for one in (ada, bob)))
        await asyncio.sleep(0.5)
        old = server.worker_pids()
        for pid in old:
            await drained(server, pid)
            await asyncio.sleep(1)
        assert not set(old) & set(server.worker_pids())
        await playing
        await watching
        record = await record_of_again(ada)
    check_record(record, [ada, bob])
    assert ada.resumes + bob.resumes >= 2
    for one in (ada, bob):
        check_acked(record, one)
        # One step each time: what was missed, or a whole view from a worker that has only just read the match.
        assert sum(heard.frame["t"] == "snapshot" for heard in one.heard) <= 1 + one.resumes
    assert eve.resumes == statuses(eve).count("draining") >= 1
    assert eve.match["card"] == ada.match["card"]
    assert ada.match["deadline"] in (None, deadline)  # there was always somebody to play with


@pytest.mark.processes
async def test_time_is_repaid_when_nobody_could_play(serve: Serve, bot: MakeBot) -> None:
    """The only worker is away for more than two seconds: the running hole's deadline moves by about that."""
    server = serve("--log", "error")
    async with asyncio.timeout(40):
        ada, bob = [await bot(server.url, name).open() for name in ("Ada", "Bob")]
        await seat_all(ada, [bob], holes=1)
        for one in (ada, bob):
            await one.until_phase("playing")
        deadline = ada.match["deadline"]
        server.stop()
        with pytest.raises(ConnectionClosed):
            await ada.until(lambda: False)
        assert ada.close_code == 1012
        assert statuses(ada) == ["draining"]
        await asyncio.sleep(2.5)
        again = serve("--log", "error", again=server)
        for one in (ada, bob):
            one.url = again.url
            await one.come_back()
        await ada.until(lambda: ada.match["deadline"] > deadline + 2_000)
        assert ada.match["deadline"] < deadline + 15_000
        await asyncio.gather(ada.play(), bob.play())
        record = await record_of_again(ada)
    check_record(record, [ada, bob])


async def test_draining_worker(faulty: Faulty, bot: MakeBot) -> None:
    """A draining worker says so, settles the move that is in flight, and closes with 1012."""
    async with asyncio.timeout(30):
        house = await faulty.open()
        ada, bob = [await bot(faulty.urls[0], name).open() for name in ("Ada", "Bob")]
        await start_hole(ada, [bob], [house])
        eve = await bot(faulty.urls[0], "Eve").open()
        faulty.engine_side[0].up.delay_s = 0.3
        kind, fields = ada.choice() or ("", {})
        seq = await ada.send(kind, **fields)
        await asyncio.sleep(0.05)
        stopping = asyncio.ensure_future(house.stop())
        await bob.until(lambda: statuses(bob) == ["draining"])
        assert (await ada.answer(seq))["t"] == "e"
        for one in (ada, bob, eve):
            with pytest.raises(ConnectionClosed):
                await one.until(lambda: False)
            assert one.close_code == 1012
        await stopping
        faulty.houses.clear()


async def test_no_new_rooms_while_draining(street: Street, bot: MakeBot) -> None:
    """A draining worker makes no room, but lets people into those that there are; it says so to all who come."""
    async with asyncio.timeout(20):
        house = await street.open()
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=2, holes=1)
        house.gateway.entrance.draining = True
        bob = await bot(house.url, "Bob").open()
        with pytest.raises(Denied, match="draining"):
            await bob.host(seats=1)
        assert statuses(bob) == ["draining"]
        await bob.join(ada.room)
        assert bob.seat == 1
        status, _, body = await get(house.url, "/readyz")
        assert (status, body) == (503, "draining\n")
        assert (await get(house.url, "/healthz"))[0] == 200


async def test_drain_does_not_wait_for_the_silent(faulty: Faulty, bot: MakeBot) -> None:
    """Lines that never shook hands, and readers that stopped, don't hold a draining worker up."""
    async with asyncio.timeout(20):
        house = await faulty.open()
        host, _, port = house.url.removeprefix("ws://").rpartition(":")
        _, silent = await asyncio.open_connection(host, int(port))
        ada = await bot(faulty.urls[0], "Ada").open()
        await ada.host(seats=2, holes=1)
        faulty.player_side[0].up.open.clear()  # her goodbye never arrives
        async with asyncio.timeout(6):
            await house.stop()
        faulty.houses.clear()
        silent.transport.abort()


# -- what an earlier version wrote


def entries_of(stored: dict[str, Any]) -> list[Entry]:
    """Read an exported stream."""
    rows = stored["entries"]
    bodies = [load(json.dumps(row["payload"]).encode()) for row in rows]
    return [
        Entry(row["version"], row["at"], body, row["seat"], row["generation"], row["seq"])
        for row, body in zip(rows, bodies, strict=True)
    ]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_earlier_stream_replays(path: Path) -> None:
    """A match that an earlier version recorded leads to the same views and the same record, for ever."""
    stored = json.loads(path.read_text("utf-8"))
    entries = entries_of(stored)
    state = replay(entries)
    assert state.phase == "ended"
    for viewer, view in stored["views"].items():
        shown = json.loads(json.dumps(snapshot(state, None if viewer == "spectator" else int(viewer))))
        assert_holds(shown, view)
    # The record's own schema names its form, which may grow; what it says of the match may not change.
    told = {key: value for key, value in stored["record"].items() if key != "schema"}
    assert_holds(json.loads(json.dumps(record(entries))), told)


def assert_holds(now: Any, then: Any, where: str = "") -> None:
    """What was said then is said now; newer versions may say more."""
    if isinstance(then, dict):
        for key, value in then.items():
            assert key in now, f"{where}.{key}"
            assert_holds(now[key], value, f"{where}.{key}")
    elif isinstance(then, list):
        assert len(now) == len(then), where
        for number, (one, other) in enumerate(zip(now, then, strict=True)):
            assert_holds(one, other, f"{where}[{number}]")
    else:
        assert now == then, where


def test_there_is_a_stream_of_this_version() -> None:
    """The stored match has an entry of every kind that a whole match can hold."""
    stored = json.loads(STREAMS[-1].read_text("utf-8"))
    kinds = {row["payload"]["k"] for row in stored["entries"]}
    usual = (
        "created taken claimed left kicked options ready countdown opened acted ended closed next time over rematch"
    )
    assert kinds >= set(usual.split())
    assert {row["payload"].get("what") for row in stored["entries"]} >= {"play", "draw", "undo"}
    assert {row["payload"]["x"] for row in stored["entries"]} == {1}


async def test_any_stored_stream_is_served(street: Street) -> None:
    """The engine's own stream of such a match is read by a worker as it was by the one that wrote it."""
    stored = json.loads(STREAMS[-1].read_text("utf-8"))
    async with asyncio.timeout(20):
        house = await street.open()
        matches = Matches(street.engine.url, lost=lambda _: None)
        match_id = stored["entries"][0]["payload"]["match_id"]
        rows = [json.dumps(row["payload"]).encode() for row in stored["entries"]]
        await matches.create(match_id, rows[0], 60_000)
        for version, (row, entry) in enumerate(zip(rows[1:], stored["entries"][1:], strict=True), 1):
            future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            item = Item(row, entry["seat"], entry["generation"], entry["seq"])
            matches.append(match_id, version, [item], 60_000, future.set_result)
            await future
        await matches.close()
        bot = Bot(house.url, "Eve")
        await bot.open()
        bot.match_id, bot.token = match_id, None
        await bot.resume(fresh=True)
        assert_holds(bot.view["match"]["card"], stored["views"]["spectator"]["match"]["card"])
        await bot.close()
