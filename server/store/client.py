"""redis-py, held on a short leash: a bounded pool that waits its turn, time limits, and one kind of error.

Law: everything sent here may be sent twice, since redis-py repeats what timed out.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import redis.asyncio
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff

from server.store.errors import EngineError
from server.store.pipeline import refusal_code
from server.store.scripts import Script

_BATCH = 500


@asynccontextmanager
async def engine_errors() -> AsyncIterator[None]:
    """Turn what redis-py raises into EngineError."""
    try:
        yield
    except (exceptions.ConnectionError, exceptions.TimeoutError, OSError) as error:
        raise EngineError("engine_away", str(error)) from error
    except exceptions.OutOfMemoryError as error:
        raise EngineError("oom", str(error)) from error
    except exceptions.ReadOnlyError as error:
        raise EngineError("engine_away", str(error)) from error
    except (exceptions.NoPermissionError, exceptions.AuthenticationError) as error:
        raise EngineError("denied", str(error)) from error
    except exceptions.RedisError as error:
        raise EngineError(refusal_code(str(error)), str(error)) from error


class Client:
    """The awaited commands of one store. Raises EngineError, and nothing of redis-py's own."""

    def __init__(self, url: str, *, connections: int = 8, timeout_s: float = 5.0) -> None:
        pool = redis.asyncio.BlockingConnectionPool.from_url(
            url,
            max_connections=connections,
            timeout=timeout_s,
            protocol=2,
            socket_timeout=timeout_s,
            socket_connect_timeout=timeout_s,
            retry=Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.25), 2),
        )
        self.redis: Any = redis.asyncio.Redis.from_pool(
            pool
        )  # its stubs type each reply as two things at once

    async def close(self) -> None:
        """Close the pool."""
        await self.redis.aclose()

    async def run(self, script: Script, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run one script that may be run twice."""
        return (await self.run_many(script, [(keys, args)]))[0]

    async def run_many(
        self, script: Script, calls: Sequence[tuple[Sequence[str], Sequence[str | bytes | int]]]
    ) -> list[Any]:
        """Run one script for each (keys, args), many to a round trip; replies in that order."""
        replies: list[Any] = []
        async with engine_errors():
            for start in range(0, len(calls), _BATCH):
                batch = calls[start : start + _BATCH]
                try:
                    replies += await self._evaluate(script, batch)
                except exceptions.NoScriptError:
                    await self.redis.script_load(script.text)
                    replies += await self._evaluate(script, batch)
        return replies

    async def many(self, commands: Sequence[tuple[str | bytes | int, ...]]) -> list[Any]:
        """Send plain commands, many to a round trip; replies in that order."""
        replies: list[Any] = []
        async with engine_errors():
            for start in range(0, len(commands), _BATCH):
                pipeline = self.redis.pipeline(transaction=False)
                for command in commands[start : start + _BATCH]:
                    pipeline.execute_command(*command)
                replies += await pipeline.execute()
        return replies

    async def _evaluate(
        self, script: Script, batch: Sequence[tuple[Sequence[str], Sequence[str | bytes | int]]]
    ) -> list[Any]:
        pipeline = self.redis.pipeline(transaction=False)
        for keys, args in batch:
            pipeline.evalsha(script.sha, len(keys), *keys, *args)
        replies: list[Any] = await pipeline.execute()
        return replies
