"""Answers that come late, in another order, or not at all: the copy of a match on a worker stays the stream's."""

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from server.store.matches import Conflict, Head, Item, Result

from .bots import Bot
from .checks import check_moves, check_record
from .crowd import record_of, seat_all
from .servers import House, Street

MakeBot = Callable[..., Bot]


def snapshots(one: Bot) -> int:
    """Return how many whole views a page was shown."""
    return sum(heard.frame["t"] == "snapshot" for heard in one.heard)


async def test_head_that_was_read_before_a_move(house: House, bot: MakeBot) -> None:
    """A move that is appended while the heads are polled does not look like a match that went backwards."""
    async with asyncio.timeout(30):
        ada = await bot(house.url).open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        heads = house.hub.matches.heads

        async def late(match_ids: Collection[str]) -> dict[str, Head | None]:
            answer = await heads(match_ids)
            await ada.must("draw", stock=16)
            return answer

        house.hub.matches.heads = late  # type: ignore[method-assign]
        await house.poll()
        del house.hub.matches.heads
        await ada.must("draw", stock=15)
        await ada.pong()
        assert snapshots(ada) == 1


async def test_conflict_that_is_answered_late(street: Street, bot: MakeBot) -> None:
    """A conflict's answer that comes after newer entries, by publication, takes nothing back."""
    async with asyncio.timeout(30):
        one, two = await street.open("w1"), await street.open("w2")
        ada, bob = await bot(one.url, "Ada").open(), await bot(two.url, "Bob").open()
        append, late = one.hub.matches.append, 0

        def slow(
            match: str, version: int, items: list[Item], ttl: int, done: Callable[[Result], None], digest: str
        ) -> None:
            def answer(result: Result) -> None:
                nonlocal late
                if isinstance(result, Conflict):
                    late += 1
                    asyncio.get_running_loop().call_later(0.01, done, result)
                else:
                    done(result)

            # Sent late, so that bob's next move is there before it.
            asyncio.get_running_loop().call_later(0.005, append, match, version, items, ttl, answer, digest)

        one.hub.matches.append = slow  # type: ignore[assignment,method-assign]
        await seat_all(ada, [bob], holes=2, undo="all")
        one.pass_time(3000)
        await asyncio.gather(ada.play(undo=0.1), bob.play(undo=0.1))
        assert late > 1
        assert snapshots(ada) == snapshots(bob) == 1
        record: Any = await record_of(ada)
        check_record(record, [ada, bob])
        check_moves(record, ada)
        check_moves(record, bob)
