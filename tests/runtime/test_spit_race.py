"""Spit over real sockets: of two who play for the same heap, on two workers, exactly one has it."""

import asyncio
from collections.abc import Callable
from typing import Any

from server.match.verify import verify
from server.protocol.server import FRAMES

from .bots import Bot
from .crowd import record_of, seat_all
from .servers import Street

MakeBot = Callable[..., Bot]


def play_for(bot: Bot, heap: str | None) -> dict[str, Any] | None:
    """Return a play that the bot may say now, for this heap if there is one."""
    moves = [move for move in bot.view["you"]["moves"] if heap in (None, move[1])]
    if not moves:
        return None
    source, target, card = moves[0]
    tops = dict(zip(("heap.1", "heap.2"), bot.match["spit"]["tops"], strict=True))
    return {"source": source, "target": target, "card": card, "on": tops.get(target, "")}


async def test_of_two_exactly_one_has_the_heap(street: Street, bot: MakeBot) -> None:
    """Each contest has one winner and one lost race; both see the same table, a spectator too; the record holds."""
    async with asyncio.timeout(120):
        one, two = await street.open("w1"), await street.open("w2")
        ada, bob = await bot(one.url, "Ada").open(), await bot(two.url, "Bob").open()
        await seat_all(ada, [bob], mode="spit", holes=1, hole_seconds=0)
        eve = await (await bot(two.url, "Eve").open()).watch(ada.room)
        await ada.until_phase("playing")  # after the real countdown: the record's times are held against each other
        contests = 0
        while ada.match["phase"] == "playing":
            await bob.until(lambda: bob.version >= ada.version)
            await ada.until(lambda: ada.version >= bob.version)
            if ada.match["phase"] != "playing":
                break  # what was heard just now was the end
            if ada.view["boards"] != bob.view["boards"] or ada.match["spit"] != bob.match["spit"]:
                assert ada.version != bob.version
                continue
            wanted = [heap for heap in ("heap.1", "heap.2") if play_for(ada, heap) and play_for(bob, heap)]
            if wanted:
                ours, theirs = play_for(ada, wanted[0]), play_for(bob, wanted[0])
                assert ours
                assert theirs
                answers = await asyncio.gather(ada.do("spit", **ours), bob.do("spit", **theirs))
                assert sorted(answer["t"] for answer in answers) == ["e", "refused"]
                code = next(answer["code"] for answer in answers if answer["t"] == "refused")
                over = any(seat["cards_left"] == 0 for one_of in (ada, bob) for seat in one_of.view["seats"].values())
                assert code == "lost_race" or (over and code in ("hole_over", "not_open")), code
                contests += code == "lost_race"
            elif (said := play_for(ada, None)) is not None:
                await ada.must("spit", **said)
            elif (said := play_for(bob, None)) is not None:
                await bob.must("spit", **said)
            else:
                version = ada.version  # neither can play: the server turns the next cards, after a second and a half
                await ada.until(lambda version=version: ada.version > version)  # type: ignore[misc]
        assert contests > 0
        await ada.until_phase("ended")
        await eve.until(lambda: eve.match["phase"] == "ended")
        assert eve.view["boards"] == ada.view["boards"]
        assert all(FRAMES.validate_python(heard.frame) for heard in (*ada.heard, *eve.heard))
        made = await record_of(ada)
        assert verify(made).faults == ()
        assert made["schema"] == 5
