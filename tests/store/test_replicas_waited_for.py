"""WAIT once a tick: nothing durable is answered before the replicas have it, or have had their time."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

import pytest
from store_tools import TTL_MS, Engine, MadeUpEngine, Opened, append, until, within

from server.store.line import Address, parse_address
from server.store.matches import Appended, Item
from server.store.pipeline import Pipeline
from server.store.verdicts import Command, Refusal


@pytest.fixture
async def made_up() -> AsyncIterator[Callable[..., object]]:
    """Open a pipeline that waits for one replica, on an engine that answers by a script."""
    async with AsyncExitStack() as stack:

        async def open_one(
            script: Sequence[bytes | None], waits: Sequence[bytes | None] = (), **options: object
        ) -> tuple[Pipeline, MadeUpEngine]:
            engine = MadeUpEngine(script, waits)
            await engine.start()
            stack.push_async_callback(engine.close)
            pipeline = Pipeline(parse_address(engine.url), **{"replicas": 1, **options})
            pipeline.start()
            stack.push_async_callback(pipeline.close, 0)
            return pipeline, engine

        yield open_one


async def durable(pipeline: Pipeline, *names: str) -> list[object]:
    """Submit durable commands in one tick, and await their answers."""
    futures: list[asyncio.Future[object]] = []
    for name in names:
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        pipeline.submit(("EVALSHA", "sha", name), future.set_result, durable=True)
        futures.append(future)
    return await asyncio.gather(*futures)


def sent(engine: MadeUpEngine) -> list[bytes]:
    """What came, in order."""
    return [command[2] if command[0] == b"EVALSHA" else b" ".join(command) for command in engine.seen]


@within(10)
async def test_one_wait_a_tick(made_up: Callable[..., object]) -> None:
    """A tick's durable commands are followed by one WAIT; commands that are not durable need none."""
    pipeline, engine = await made_up([])
    assert await durable(pipeline, "one", "two") == [b"ok", b"ok"]
    assert await pipeline.ask("EVALSHA", "sha", "three") == b"ok"
    assert sent(engine) == [b"one", b"two", b"WAIT 1 1000", b"three"]
    assert pipeline.unreplicated == 0


@within(10)
async def test_nothing_is_answered_before(made_up: Callable[..., object]) -> None:
    """While the replicas have not answered nothing is; a lost connection then sends all of it again."""
    pipeline, engine = await made_up([], [None], stall_after_s=0.25, reply_timeout_s=0.5)
    asked = asyncio.create_task(durable(pipeline, "one", "two"))
    await until(lambda: len(engine.seen) == 3)
    await asyncio.sleep(0.05)
    assert pipeline.waiting == 2
    assert not asked.done()
    assert await asked == [b"ok", b"ok"]
    assert sent(engine) == [b"one", b"two", b"WAIT 1 1000"] * 2


@within(10)
async def test_replicas_that_do_not_answer(made_up: Callable[..., object]) -> None:
    """What too few replicas have in time is answered all the same and counted; then less time is given."""
    pipeline, engine = await made_up([], [b":0", b":0", b":1"])
    for name in ("one", "two", "three", "four"):
        assert await durable(pipeline, name) == [b"ok"]
    assert [words for words in sent(engine) if words.startswith(b"WAIT")] == [
        b"WAIT 1 1000",
        b"WAIT 1 20",
        b"WAIT 1 20",
        b"WAIT 1 1000",
    ]
    assert pipeline.unreplicated == 2


@within(10)
async def test_an_engine_that_is_a_replica_by_now(made_up: Callable[..., object]) -> None:
    """An error instead of a number, after a change of roles, makes all unknown; one that forbids it does not."""
    words = b"-ERR WAIT cannot be used with replica instances"
    pipeline, engine = await made_up([], [words, b"-NOPERM no WAIT for you"])
    assert await durable(pipeline, "one") == [b"ok"]
    assert sent(engine) == [b"one", b"WAIT 1 1000"] * 2
    assert (engine.connections, pipeline.unreplicated) == (2, 1)


@within(10)
async def test_refusals_do_not_wait(made_up: Callable[..., object]) -> None:
    """A refused command is answered at once."""
    pipeline, _ = await made_up([b"-OOM full"], [None])
    assert await durable(pipeline, "one") == [Refusal("oom", "OOM full")]


@pytest.mark.parametrize("word", ["MOVED", "ASK"])
@within(10)
async def test_another_nodes(made_up: Callable[..., object], word: str) -> None:
    """Without a cluster a slot that is elsewhere is a refusal; in one the command is handed over, unanswered."""
    words = f"{word} 7 127.0.0.1:7000"
    pipeline, _ = await made_up([b"-" + words.encode()])
    assert await pipeline.ask("EVALSHA", "sha", "one") == Refusal("moved", words)
    handed: list[tuple[Command, str]] = []

    def redirect(asked: Address, command: Command, said: str) -> None:
        handed.append((command, said))

    routed, _ = await made_up([b"-" + words.encode()], redirect=redirect)
    answers: list[object] = []
    routed.adopt(Command(b"*3\r\n$7\r\nEVALSHA\r\n$3\r\nsha\r\n$3\r\none\r\n", answers.append, 7))
    await until(lambda: handed)
    assert (handed[0][1], routed.waiting, answers) == (words, 0, [])
    routed.adopt(handed[0][0], asking=True)
    await until(lambda: answers == [b"ok"])


@within(10)
async def test_an_engine_without_replicas(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """Where there are no replicas at all play goes on after the first wait, and it is told."""
    matches = open_store(engine.url, replicas=1).matches
    await matches.create("m", b"first", TTL_MS)
    for version in range(1, 6):
        assert isinstance(await append(matches, "m", version, Item(b"a", 0, 1, version)), Appended)
    assert matches.pipeline.unreplicated == 5
