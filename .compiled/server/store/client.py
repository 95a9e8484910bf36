"""redis-py, held on a short leash: a bounded pool that waits its turn, time limits, and one kind of error.

Law: everything sent here may be sent twice, since redis-py repeats what timed out.
"""

from collections.abc import Sequence
from typing import Any

import redis.asyncio
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff

from server.store.errors import EngineError
from server.store.scripts import Script
from server.store.verdicts import refusal_code

Argument = str | bytes | int
Sent = tuple[Argument, ...]
Call = tuple[Sequence[str], Sequence[Argument]]
"""The keys and the arguments of one run of a script."""

_BATCH = 500


def engine_error(error: Exception) -> EngineError:
    """What redis-py raised or handed over, as the store's own error."""
    words = str(error) or type(error).__name__
    if isinstance(error.__cause__, exceptions.AuthenticationError):
        error = error.__cause__  # which redis-py dresses up as a lost connection
    match error:
        case exceptions.AuthenticationError() | exceptions.NoPermissionError():
            return EngineError("denied", words)
        case exceptions.OutOfMemoryError():
            return EngineError("oom", words)
        case exceptions.MovedError() | exceptions.AskError():
            return EngineError("moved", words)
        case exceptions.ConnectionError() | exceptions.TimeoutError() | OSError():
            return EngineError("engine_away", words)
        case exceptions.ReadOnlyError() | exceptions.ClusterDownError() | exceptions.TryAgainError():
            return EngineError("engine_away", words)
    return EngineError(refusal_code(words), words)


class Client:
    """The awaited commands of one store. Raises EngineError, and nothing of redis-py's own."""

    def __init__(self, url: str, *, connections: int = 8, timeout_s: float = 5.0, retries: int = 2) -> None:
        pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=connections,
            timeout=timeout_s,
            protocol=2,
            socket_timeout=timeout_s,
            socket_connect_timeout=timeout_s,
            retry=Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.25), retries),
        )
        self._redis: Any = redis.asyncio.Redis.from_pool(pool)  # its stubs type a reply as two things at once

    async def close(self) -> None:
        """Close the pool."""
        await self._redis.aclose()

    async def run(self, script: Script, keys: Sequence[str], *args: Argument) -> Any:
        """Run one script that may be run twice."""
        return (await self.run_many(script, [(keys, args)]))[0]

    async def run_many(self, script: Script, calls: Sequence[Call]) -> list[Any]:
        """Run one script for each call, many to a round trip; replies in that order."""
        commands: list[Sent] = [("EVALSHA", script.sha, len(keys), *keys, *args) for keys, args in calls]
        replies: list[Any] = []
        for start in range(0, len(commands), _BATCH):
            batch = commands[start : start + _BATCH]
            answers = await self._send(batch)
            unknown = [i for i, answer in enumerate(answers) if isinstance(answer, exceptions.NoScriptError)]
            if unknown:
                again = await self._send([("EVAL", script.text, *batch[i][2:]) for i in unknown])
                for i, answer in zip(unknown, again, strict=True):
                    answers[i] = answer
            replies += answers
        return _checked(replies)

    async def many(self, commands: Sequence[Sent]) -> list[Any]:
        """Send plain commands, many to a round trip; replies in that order."""
        replies: list[Any] = []
        for start in range(0, len(commands), _BATCH):
            replies += await self._send(commands[start : start + _BATCH])
        return _checked(replies)

    async def everywhere(self, *command: Argument) -> list[Any]:
        """Ask each engine that there is."""
        return await self.many([command])

    async def _send(self, batch: Sequence[Sent]) -> list[Any]:
        # Errors come as replies: raised, they would carry the whole command, and payloads are not for logs.
        pipeline = self._redis.pipeline(transaction=False)
        for command in batch:
            pipeline.execute_command(*command)
        try:
            replies: list[Any] = await pipeline.execute(raise_on_error=False)
        except (exceptions.RedisError, OSError) as error:
            raise engine_error(error) from error
        return replies


def _checked(replies: list[Any]) -> list[Any]:
    for reply in replies:
        if isinstance(reply, EngineError):
            raise reply
        if isinstance(reply, Exception):
            raise engine_error(reply)
    return replies
