"""Deals are solved in processes of their own, off the loop; one that dies costs nobody an answer."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.rules.best import best_of
from server.runtime import solving
from server.runtime.metrics import Metrics
from server.runtime.solving import COMMAND, Solvers, Unsolved
from server.store.solutions import Solutions
from tests.given import no_task_left

from .servers import Engine, children_of, kill, runs

CODE = "GO2-E-AAAAAAB"
HANGS = (sys.executable, "-c", "import sys; [sys.stdin.readline() for _ in iter(int, 1)]")
MOST_MIB = 64


@pytest.fixture
async def solvers(engine: Engine) -> AsyncIterator[Callable[..., Solvers]]:
    """Make pools, each with a connection of its own; afterwards no process and no task of them is left."""
    async with no_task_left(), pools(engine) as make:
        yield make


@asynccontextmanager
async def pools(engine: Engine) -> AsyncIterator[Callable[..., Solvers]]:
    """Make pools and end them."""
    made: list[tuple[Solvers, Solutions]] = []

    def make(processes: int = 1, command: tuple[str, ...] = COMMAND, url: str = engine.url) -> Solvers:
        solutions = Solutions(url, timeout_s=0.5)
        made.append((Solvers(solutions, Metrics(), processes, command), solutions))
        return made[-1][0]

    before = set(children_of(os.getpid()))
    yield make
    for pool, solutions in made:
        async with asyncio.timeout(20):
            await pool.close()
        await solutions.close()
    assert not [pid for pid in children_of(os.getpid()) if pid not in before and runs(pid)]


def peak_mib(pid: int) -> float:
    """Return the most memory that a process held at once."""
    return int(Path(f"/proc/{pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


def counted(pool: Solvers, where: str) -> int:
    """How many deals a pool has counted."""
    return pool._metrics.counts.get(("solved", where), 0)


async def test_it_gives_what_the_solver_gives_and_keeps_it(solvers: Callable[..., Solvers]) -> None:
    """The answer is the solver's, line and all; asked at once it's worked out once, and another pool finds it kept."""
    async with asyncio.timeout(60):
        one, two = solvers(), solvers()
        code = "GO2-S2V-AAAAAAD"
        expected = best_of(code)
        assert await asyncio.gather(*(one.best(code) for _ in range(5))) == [expected] * 5
        assert (counted(one, "anew"), counted(one, "kept"), len(one)) == (1, 0, 0)
        assert await two.best(code) == expected
        assert (counted(two, "anew"), counted(two, "kept")) == (0, 1)


async def test_the_strokes_of_several_deals(solvers: Callable[..., Solvers]) -> None:
    """What is known is told, what takes too long is left open and not lost; without processes there is nothing."""
    async with asyncio.timeout(60):
        known, open_ = "GO2-E-AAAAAFA", "GO2-E-AAAAAFB"
        one, hangs = solvers(), solvers(command=HANGS)
        assert await one.strokes([known, known], 40) == [best_of(known).strokes] * 2
        assert await hangs.strokes([open_, known], 1.0) == [None, best_of(known).strokes]
        assert len(hangs) == 1  # it is still being solved
        assert await one.strokes([], 1.0) == []
        assert await solvers(0).strokes([known], 1.0) is None


async def test_no_more_processes_than_allowed_and_each_is_small_and_polite(
    solvers: Callable[..., Solvers], solving_pids: Callable[[], list[int]]
) -> None:
    """Two at most for many deals; none holds more than 64 MiB, and all give way to what serves players."""
    async with asyncio.timeout(60):
        pool = solvers(2)
        codes = [f"GO2-{rule}-AAAAAB{letter}" for rule in ("E", "S2V") for letter in "ABCD"]
        assert solving_pids() == []  # none before there is something to do
        found = await asyncio.gather(*map(pool.best, codes))
        assert all(len(best.line) > 10 for best in found)
        pids = solving_pids()
        assert len(pids) == 2
        for pid in pids:
            assert peak_mib(pid) <= MOST_MIB
            assert os.getpriority(os.PRIO_PROCESS, pid) >= 10


async def test_a_killed_process_costs_no_answer(
    solvers: Callable[..., Solvers], solving_pids: Callable[[], list[int]]
) -> None:
    """Killed while it rests and again and again while it works: the deal is tried in a new one."""
    async with asyncio.timeout(60):
        pool = solvers()
        await pool.best("GO2-E-AAAAACA")
        (first,) = solving_pids()
        kill(first)
        assert await pool.best("GO2-E-AAAAACB") == best_of("GO2-E-AAAAACB")
        (second,) = solving_pids()
        os.kill(second, signal.SIGSTOP)
        asked = asyncio.create_task(pool.best("GO2-E-AAAAACC"))
        while not (pool._asked and not pool._idle):
            await asyncio.sleep(0.01)
        kill(second)
        assert await asked == best_of("GO2-E-AAAAACC")


async def test_one_that_hangs_or_cannot_start_is_given_up(
    solvers: Callable[..., Solvers], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After three tries the deal is said to be unsolved, and the next one is tried anew."""
    monkeypatch.setattr(solving, "PATIENCE_S", 0.05)
    async with asyncio.timeout(60):
        for command in (HANGS, (sys.executable, "-c", "raise SystemExit(3)")):
            pool = solvers(command=command)
            for code in ("GO2-E-AAAAADA", "GO2-E-AAAAADA"):
                with pytest.raises(Unsolved) as unsolved:
                    await pool.best(code)
                assert (unsolved.value.why, len(pool)) == ("failed", 0)


async def test_too_many_and_none_are_refused(
    solvers: Callable[..., Solvers], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue has an end; a server without solving processes says so at once; closing answers who waits."""
    monkeypatch.setattr(solving, "MOST_WAITING", 2)
    async with asyncio.timeout(60):
        with pytest.raises(Unsolved, match="off"):
            await solvers(0).best(CODE)
        pool = solvers(command=HANGS)
        waiting = [asyncio.create_task(pool.best(f"GO2-E-AAAAAE{letter}")) for letter in "AB"]
        while len(pool) < 2:
            await asyncio.sleep(0.01)
        with pytest.raises(Unsolved, match="busy"):
            await pool.best("GO2-E-AAAAAEC")
        waiting[0].cancel()  # who goes away takes nobody's answer along
        await asyncio.wait([waiting[0]])
        assert len(pool) == 2
        await pool.close()
        with pytest.raises(Unsolved, match="off"):
            await waiting[1]


async def test_it_ends_after_a_while_without_work(
    solvers: Callable[..., Solvers], solving_pids: Callable[[], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its memory is given back; the next deal gets a new process."""
    monkeypatch.setattr(solving, "IDLE_S", 0.05)
    async with asyncio.timeout(60):
        pool = solvers()
        await pool.best("GO2-E-AAAAAFA")
        while solving_pids():
            await asyncio.sleep(0.01)
        assert (await pool.best("GO2-E-AAAAAFB")).line


async def test_without_an_engine_it_solves_all_the_same(solvers: Callable[..., Solvers], tmp_path: Path) -> None:
    """The store is a cache: where it is away the answer is only not kept."""
    async with asyncio.timeout(60):
        pool = solvers(url=f"unix://{tmp_path}/none.sock")
        assert await pool.best(CODE) == best_of(CODE)
        assert await pool.best(CODE) == best_of(CODE)
        assert counted(pool, "anew") == 2


async def test_what_was_kept_and_makes_no_sense_is_worked_out_again(
    solvers: Callable[..., Solvers], engine: Engine
) -> None:
    """Something else under a deal's key does no harm."""
    solutions = Solutions(engine.url)
    code = "GO2-E-AAAAAGA"
    pool = solvers()
    async with asyncio.timeout(60):
        for kept in (b"{}", b"[]", b"\xff", b'{"strokes":1,"cleared":false,"line":3}'):
            await solutions.put(code, kept)
            assert await pool.best(code) == best_of(code)
        await solutions.close()
