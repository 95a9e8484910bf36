"""Disks that are full, read-only or damaged, and streams that this program can't read: nothing is destroyed."""

import asyncio
import contextlib
import hashlib
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.store.engine import socket_path_for
from server.store.matches import Item, Matches, Result
from tests.hostile.harness import OwnEngine, open_house, until
from tests.hostile.test_engine_faults import hear_status, statuses
from tests.runtime.bots import Bot
from tests.runtime.checks import check_acked, check_record
from tests.runtime.crowd import get, record_of, seat_all
from tests.runtime.servers import ROOT, Serve, Server, Street, runs

MakeBot = Callable[..., Bot]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, where this account may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("this account may not mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def engine_pid(server: Server) -> int:
    """Return the process number of a server's engine."""
    return int((server.data_dir / "engine.lock").read_text())


async def filled(server: Server, bot: MakeBot, fill: Callable[[], Any], free: Callable[[], None]) -> None:
    """Play, let the disk be full for a while, play to the end: what was acked is there, what was not is not."""
    async with asyncio.timeout(60):
        ada, bob = [await bot(server.url, name).open() for name in ("Ada", "Bob")]
        await seat_all(ada, [bob], holes=1, hole_seconds=900)
        for one in (ada, bob):
            await one.until_phase("playing")
            kind, fields = one.choice() or ("", {})
            await one.must(kind, **fields)
        first_engine = engine_pid(server)
        fill()
        kind, fields = ada.choice() or ("", {})
        await ada.send(kind, **fields)
        await hear_status(bob, "engine_away")
        await until(lambda: not runs(first_engine), 0.02)
        free()
        await hear_status(bob, "ok")
        await asyncio.gather(ada.play(), bob.play())
        record = await record_of(ada)
    check_record(record, [ada, bob])
    for one in (ada, bob):
        check_acked(record, one)
        assert "engine_away" in statuses(one)
        assert one.resumes == 0


@pytest.mark.processes
async def test_full_disk(serve: Serve, bot: MakeBot, small_disk: Path) -> None:
    """A full disk ends the engine by design: pages show it, and play goes on once there is room again."""
    serve._place = small_disk
    server = serve("--log", "error")
    filler = small_disk / "filler"

    def fill() -> None:
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
            while True:
                file.write(b"x")

    await filled(server, bot, fill, filler.unlink)


@pytest.mark.processes
async def test_file_that_may_not_grow(serve: Serve, bot: MakeBot) -> None:
    """An engine that can't make its file longer ends, is replaced, and nothing that was acked is lost."""
    server = serve("--log", "error")

    def fill() -> None:
        size = max(path.stat().st_size for path in (server.data_dir / "stream").iterdir())
        resource.prlimit(engine_pid(server), resource.RLIMIT_FSIZE, (size + 20, resource.RLIM_INFINITY))

    await filled(server, bot, fill, lambda: None)
    assert "the engine ended; starting it again" in server.errors.read_text()


def contents(directory: Path) -> dict[str, str]:
    """Return the hash of every file that holds matches."""
    files = [
        path for path in directory.rglob("*") if path.is_file() and path.name not in ("engine.log", "engine.lock")
    ]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.name != "fairway.lock"}


def start_that_fails(data_dir: Path, client_dir: Path) -> str:
    """Start a server that can't; return what it says, which must be words and no traceback."""
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0"]
    given = ["--data-dir", str(data_dir), "--client-dir", str(client_dir), "--log", "error"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([*command, *given], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=30)
    with contextlib.suppress(OSError):
        socket_path_for(data_dir).parent.rmdir()
    assert ended.returncode == 1, ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""
    return ended.stderr


@pytest.mark.processes
def test_read_only_directory(tmp_path: Path, client_dir: Path) -> None:
    """A data directory that can't be written stops the start with one clear line."""
    place = tmp_path / "data"
    place.mkdir()
    if os.geteuid() == 0:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", str(place)], capture_output=True
        )
        if mounted.returncode:
            pytest.skip("the system lets this account write everywhere, and mount nothing")
    else:
        place.chmod(0o500)
    try:
        words = start_that_fails(place, client_dir)
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", str(place)], check=True)
    assert words.count("\n") == 1
    assert f"The data directory {place} can't be written" in words


async def played(server: Server, bot: MakeBot) -> Bot:
    """Play a few moves on a server."""
    async with asyncio.timeout(20):
        ada = await bot(server.url).open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        for stock in range(16, 6, -1):
            await ada.must("draw", stock=stock)
    return ada


@pytest.mark.processes
async def test_damaged_file(serve: Serve, bot: MakeBot, client_dir: Path) -> None:
    """Damage in the middle of the engine's file stops the start with a clear word, and not a byte is changed."""
    server = serve("--log", "error")
    await played(server, bot)
    server.stop()
    path = max((server.data_dir / "stream").glob("*.incr.aof"), key=lambda file: file.stat().st_size)
    data = bytearray(path.read_bytes())
    middle = data.index(b"\r\n$", len(data) // 2) + 3
    data[middle : middle + 2] = b"zz"
    path.write_bytes(data)
    before = contents(server.data_dir)
    words = start_that_fails(server.data_dir, client_dir)
    assert "no match there was changed" in words
    assert "damaged" in words
    assert contents(server.data_dir) == before


@pytest.mark.processes
async def test_torn_tail(serve: Serve, bot: MakeBot) -> None:
    """A file that ends in the middle of a command, as power failures leave it, is mended; the torn end is kept."""
    server = serve("--log", "error")
    ada = await played(server, bot)
    server.kill()
    shutil.rmtree(socket_path_for(server.data_dir).parent, ignore_errors=True)
    path = max((server.data_dir / "stream").glob("*.incr.aof"), key=lambda file: file.stat().st_size)
    whole = path.read_bytes()
    torn = whole + b"*5\r\n$4\r\nXADD\r\n$30\r\nfw:{half"
    path.write_bytes(torn)
    again = serve("--log", "error", again=server)
    async with asyncio.timeout(20):
        ada.url = again.url
        await ada.open()
        await ada.resume()
        await ada.must("draw", stock=6)
    kept = [file.read_bytes() for file in server.data_dir.rglob("*torn*")]
    assert kept == [torn[len(whole) :]]


# -- streams that can't be read


async def write(street: Street, match_id: str, version: int, payload: bytes) -> None:
    """Append to a match what another program might."""
    matches = Matches(street.engine.url, lost=lambda _: None)
    future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    matches.append(match_id, version, [Item(payload)], 600_000, future.set_result)
    await future
    await matches.close()


STRANGE = [
    (b'{"k":"acted","x":99,"seat":0,"how":"of the future"}', "stream_newer", 501),
    (b'{"k":"teleported","x":1}', "stream_bad", 500),
    (b"\xff\x00 not even text", "stream_bad", 500),
    (b'{"k":"claimed","x":1,"seat":7,"generation":"x"}', "stream_bad", 500),
    (b'{"k":"opened","x":1,"hole":1,"code":"nonsense","opened_at_ms":0,"seconds":0}', "stream_bad", 500),
]


@pytest.mark.errors_expected
@pytest.mark.parametrize(("payload", "code", "status"), STRANGE, ids=range(len(STRANGE)))
async def test_stream_that_is_not_understood(
    street: Street, own_engine: OwnEngine, bot: MakeBot, payload: bytes, code: str, status: int
) -> None:
    """An entry of a newer version, or no entry at all: who is in is told, who comes too; nothing of it is changed."""
    street.engine = own_engine
    async with asyncio.timeout(20):
        house = await open_house(street)
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        other = await bot(house.url, "Other").open()
        await other.host(seats=1, holes=1)
        await other.until_phase("playing")
        await write(street, ada.match_id, ada.version, payload)
        with contextlib.suppress(Exception):
            await ada.until(lambda: ada.heard[-1].frame["t"] == "error")
        assert ada.heard[-1].frame["code"] == code
        matches = Matches(own_engine.url, lost=lambda _: None)
        before = await matches.read(ada.match_id)
        await house.poll()
        assert house.subscriptions == 1
        again = bot(house.url, "Ada")
        again.token, again.match_id = ada.token, ada.match_id
        await again.open()
        for message in ({"t": "resume", "match": ada.match_id, "token": ada.token}, {"t": "watch", "room": ada.room}):
            await again.say(**message)
            await again.until(lambda: again.heard[-1].frame["t"] == "error")
            assert again.heard[-1].frame["code"] == code
            await again.pong()
        assert (await get(house.url, f"/api/matches/{ada.match_id}"))[0] == status
        await other.must("draw", stock=16)  # another match doesn't suffer
        assert await matches.read(ada.match_id) == before
        assert house.subscriptions == 1
        await matches.close()
