"""The pipelined connection: what each error reply leads to, silence, and callers that fail."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

import pytest
from redis import exceptions
from store_tools import Engine, MadeUpEngine, until, within

from server.store.client import engine_error
from server.store.entries import Refused, result_of
from server.store.line import parse_address
from server.store.pipeline import Pipeline, State
from server.store.scripts import load_script
from server.store.verdicts import VERDICTS, Refusal, Then

APPEND = load_script("append")


@pytest.fixture
async def made_up() -> AsyncIterator[Callable[..., object]]:
    """Open a pipeline on an engine that answers by a script."""
    async with AsyncExitStack() as stack:

        async def open_one(
            script: Sequence[bytes | None], **options: object
        ) -> tuple[Pipeline, MadeUpEngine, list[State]]:
            engine = MadeUpEngine(script)
            await engine.start()
            stack.push_async_callback(engine.close)
            states: list[State] = []
            pipeline = Pipeline(parse_address(engine.url), scripts=[APPEND], on_state=states.append, **options)
            pipeline.start()
            stack.push_async_callback(pipeline.close, 0)
            return pipeline, engine, states

        yield open_one


def evaluations(engine: MadeUpEngine) -> list[bytes]:
    """The first argument of each EVALSHA that came."""
    return [command[2] for command in engine.seen if command[0] == b"EVALSHA"]


@pytest.mark.parametrize("word", [word for word, then in VERDICTS.items() if then is Then.AGAIN])
@within(10)
async def test_sent_again_after_a_while(made_up: Callable[..., object], word: str) -> None:
    """An error that passes by itself is waited out, and the same command sent again, every time."""
    pipeline, engine, _ = await made_up([word.encode().join((b"-", b" for now")), b"-%s" % word.encode()])
    assert await pipeline.ask("EVALSHA", APPEND.sha, "one") == b"ok"
    assert evaluations(engine) == [b"one"] * 3
    assert engine.connections == 1


@pytest.mark.parametrize("word", [word for word, then in VERDICTS.items() if then is Then.RECONNECT])
@within(10)
async def test_connected_anew(made_up: Callable[..., object], word: str) -> None:
    """A node that may not write any more is left; the command goes to whoever answers at the address now."""
    pipeline, engine, states = await made_up([b"-%s You can't write" % word.encode()])
    assert await pipeline.ask("EVALSHA", APPEND.sha, "one") == b"ok"
    assert evaluations(engine) == [b"one"] * 2
    assert engine.connections == 2
    assert states == ["up", "down", "up"]


@pytest.mark.parametrize(
    ("word", "code"),
    [(word, then) for word, then in VERDICTS.items() if isinstance(then, str)] + [("ERR", "refused")],
)
@within(10)
async def test_refused_with_a_code(made_up: Callable[..., object], word: str, code: str) -> None:
    """An error that stays is handed on with its code and the engine's words; the next command passes."""
    pipeline, engine, _ = await made_up([b"-%s because" % word.encode()])
    refused, passed = await asyncio.gather(
        pipeline.ask("EVALSHA", APPEND.sha, "one"), pipeline.ask("EVALSHA", APPEND.sha, "two")
    )
    assert refused == Refusal(code, f"{word} because")
    assert passed == b"ok"
    assert evaluations(engine) == [b"one", b"two"]


@within(10)
async def test_a_script_that_is_not_known_is_loaded_once(made_up: Callable[..., object]) -> None:
    """After NOSCRIPT the script is loaded once, before all that waits for it is sent again in order."""
    pipeline, engine, _ = await made_up([b"-NOSCRIPT No matching script"] * 3)
    names = ["one", "two", "three"]
    assert await asyncio.gather(*(pipeline.ask("EVALSHA", APPEND.sha, name) for name in names)) == [b"ok"] * 3
    assert [command[0] for command in engine.seen] == [b"EVALSHA"] * 3 + [b"SCRIPT"] + [b"EVALSHA"] * 3
    assert evaluations(engine) == [b"one", b"two", b"three"] * 2
    assert pipeline.waiting == 0


@within(10)
async def test_a_script_that_cannot_be_loaded(made_up: Callable[..., object]) -> None:
    """An engine that never knows the script is not asked for ever."""
    pipeline, _, _ = await made_up([b"-NOSCRIPT No matching script"] * 20)
    refused = await pipeline.ask("EVALSHA", APPEND.sha, "one")
    assert isinstance(refused, Refusal)
    assert refused.code == "refused"


@within(10)
async def test_silence(made_up: Callable[..., object]) -> None:
    """A silent engine is told as down, then connected to anew; what waited is answered after all."""
    pipeline, engine, states = await made_up([None], stall_after_s=0.5, reply_timeout_s=1.0)
    assert await pipeline.ask("EVALSHA", APPEND.sha, "one") == b"ok"
    assert evaluations(engine) == [b"one"] * 2
    assert states == ["up", "down", "up"]
    assert engine.connections == 2


@within(10)
async def test_spoken_to_unasked(made_up: Callable[..., object]) -> None:
    """A connection on which something comes that nobody asked for is left; nobody gets another's answer."""
    pipeline, engine, _ = await made_up([b"+ok\r\n-ERR unasked"])
    assert await pipeline.ask("EVALSHA", APPEND.sha, "one") == b"ok"
    assert await pipeline.ask("EVALSHA", APPEND.sha, "two") == b"ok"
    assert engine.connections == 2


@within(10)
async def test_a_callback_that_fails_harms_no_other(engine: Engine) -> None:
    """What a caller's callback raises goes to the loop's handler; the answers after it come all the same."""
    loop = asyncio.get_running_loop()
    complaints: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    pipeline = Pipeline(parse_address(engine.url))
    pipeline.start()

    def fails(reply: object) -> None:
        raise LookupError(reply)

    pipeline.submit(("PING",), fails)
    assert await pipeline.ask("ECHO", "after") == b"after"
    assert [type(complaint["exception"]) for complaint in complaints] == [LookupError]
    await pipeline.close()


@within(10)
async def test_a_bound_on_what_waits() -> None:
    """Beyond the bound a new command is refused, later and not from within; closing answers all the rest."""
    pipeline = Pipeline(parse_address("unix:///tmp/fw-nobody-is-here.sock"), most_waiting=2)
    pipeline.start()
    answers: list[object] = []
    for _ in range(3):
        pipeline.submit(("PING",), answers.append)
    assert answers == []
    await until(lambda: answers)
    assert answers == [Refusal("engine_away", "not sent")]
    assert pipeline.trouble or pipeline.state == "down"
    await pipeline.close(patience_s=0.05)
    assert [answer.code for answer in answers if isinstance(answer, Refusal)] == [
        "engine_away",
        "closed",
        "closed",
    ]
    pipeline.submit(("PING",), answers.append)
    await until(lambda: len(answers) == 4)


@within(10)
async def test_closing_waits_for_answers(engine: Engine) -> None:
    """What was submitted before closing is answered, not refused."""
    pipeline = Pipeline(parse_address(engine.url))
    pipeline.start()
    answers: list[object] = []
    for number in range(50):
        pipeline.submit(("ECHO", number), answers.append)
    await pipeline.close()
    assert answers == [b"%d" % number for number in range(50)]


@within(10)
async def test_an_answer_that_is_no_protocol(made_up: Callable[..., object]) -> None:
    """Bytes that make no sense end the connection, and the command is sent again on a new one."""
    pipeline, engine, _ = await made_up([b"?what"])
    assert await pipeline.ask("EVALSHA", APPEND.sha, "one") == b"ok"
    assert engine.connections == 2


def test_an_append_of_unknown_answer() -> None:
    """An answer that no script of ours gives is a refusal, not a crash."""
    assert result_of([9, b"what"]) == Refused("refused", "an answer of unknown shape: [9, b'what']")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (exceptions.MovedError("1 127.0.0.1:7000"), "moved"),
        (exceptions.ClusterDownError("down"), "engine_away"),
        (exceptions.BusyLoadingError("loading"), "engine_away"),
        (exceptions.ReadOnlyError("replica"), "engine_away"),
        (exceptions.NoPermissionError("no"), "denied"),
        (exceptions.AuthenticationError("no"), "denied"),
        (exceptions.OutOfMemoryError("full"), "oom"),
        (exceptions.ResponseError("MISCONF cannot write"), "misconf"),
        (exceptions.ResponseError("BUSY a script"), "engine_away"),
        (exceptions.ResponseError("ERR what"), "refused"),
        (exceptions.TimeoutError(), "engine_away"),
        (OSError("gone"), "engine_away"),
    ],
)
def test_errors_of_awaited_commands(error: Exception, code: str) -> None:
    """Whatever the other client raises becomes the same codes, with words."""
    translated = engine_error(error)
    assert translated.code == code
    assert translated.words


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("unix:///run/e.sock", ("/run/e.sock", "", 0, 0, None, None)),
        ("unix://ada:s%40c@/run/e.sock?db=3", ("/run/e.sock", "", 0, 3, "ada", "s@c")),
        ("redis://", (None, "localhost", 6379, 0, None, None)),
        ("redis://:pw@example:7000/2", (None, "example", 7000, 2, None, "pw")),
    ],
)
def test_addresses(url: str, expected: tuple[object, ...]) -> None:
    """An address gives path or host and port, database, user and password."""
    address = parse_address(url)
    found = (
        address.path,
        address.host,
        address.port,
        address.database,
        address.username,
        address.password,
    )
    assert found == expected
    assert address.tls is None


def test_addresses_with_tls() -> None:
    """`rediss` checks the certificate unless told otherwise; any other scheme is refused."""
    checked = parse_address("rediss://example").tls
    unchecked = parse_address("rediss://example?ssl_cert_reqs=none").tls
    assert checked is not None
    assert unchecked is not None
    assert checked.check_hostname
    assert not unchecked.check_hostname
    with pytest.raises(ValueError, match="http"):
        parse_address("http://example")
