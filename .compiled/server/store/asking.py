"""Many small questions over the appends' own connection, which costs a fraction of what a client library does for each."""

import asyncio
from collections.abc import Sequence
from functools import partial

from server.store.errors import EngineError
from server.store.line import Part
from server.store.pipeline import Pipeline
from server.store.verdicts import Refusal


async def ask_many(pipeline: Pipeline, commands: Sequence[tuple[Part, ...]], timeout_s: float) -> list[object]:
    """Return the replies, in that order. Raises EngineError where one is refused, or none comes in time."""
    if not commands:
        return []
    replies: list[object] = [None] * len(commands)
    left = len(commands)
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def answered(place: int, reply: object) -> None:
        nonlocal left
        replies[place] = reply
        left -= 1
        if not left and not done.done():
            done.set_result(None)

    for place, command in enumerate(commands):
        pipeline.submit(command, partial(answered, place))
    try:
        async with asyncio.timeout(timeout_s):
            await done
    except TimeoutError as late:
        raise EngineError("engine_away", "no answer in time") from late
    for reply in replies:
        if isinstance(reply, Refusal):
            raise EngineError(reply.code, reply.words)
    return replies
