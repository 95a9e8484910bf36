"""Exactly once: at every version of a whole match the line is cut at one seam of a move's way.

The seams are those of docs/adr/0001: between send and ack, between append and reply, between reply and broadcast.
"""

import asyncio
from collections.abc import Callable

import pytest
from websockets.exceptions import ConnectionClosed

from tests.hostile.harness import Faulty, check_stream, check_told, start_hole, stream_of, until
from tests.hostile.proxy import Proxy, Verdict, once
from tests.runtime.bots import Bot
from tests.runtime.checks import check_acked, check_record
from tests.runtime.crowd import record_of
from tests.runtime.servers import scaled

MakeBot = Callable[..., Bot]


def is_append(chunk: bytes) -> bool:
    """Whether bytes on their way to the engine hold an append of a move."""
    return b'"k":"acted"' in chunk


def after_append(proxy: Proxy, then: Verdict) -> None:
    """Do `then` to the first answer that comes down after a move's append went up."""
    gone_up = False

    def watch(chunk: bytes) -> Verdict:
        nonlocal gone_up
        gone_up = gone_up or is_append(chunk)
        return Verdict.PASS

    proxy.up.judge = watch
    # A publication or what was asked before may come first, in the same chunk too: only the append's own answer is an
    # array that begins with 0.
    proxy.down.judge = once(then, lambda chunk: gone_up and (b"*4\r\n:0" in chunk or b"*5\r\n:0" in chunk))


class Cutter:
    """Cuts a move's way at one seam; `arm` before the move is sent, `heal` when the damage is done."""

    def __init__(self, faulty: Faulty, seam: str) -> None:
        self.seam = seam
        self.front, self.behind = faulty.player_side[0], faulty.engine_side[0]

    def arm(self) -> None:
        """Get ready for the next move."""
        front, behind = self.front, self.behind
        match self.seam:
            case "send lost":
                front.up.judge = once(Verdict.CUT)
            case "send half":
                front.up.judge = once(Verdict.HALF_CUT)
            case "ack lost":
                front.down.judge = once(Verdict.CUT, lambda chunk: b'"seq"' in chunk)
            case "ack half":
                front.down.judge = once(Verdict.HALF_CUT, lambda chunk: b'"seq"' in chunk)
            case "append lost":
                behind.up.judge = once(Verdict.CUT, is_append)
            case "append half":
                behind.up.judge = once(Verdict.HALF_CUT, is_append)
            case "append passed, line cut":
                behind.up.judge = once(Verdict.PASS_CUT, is_append)
            case "reply lost":
                after_append(behind, Verdict.CUT)
            case "reply half":
                after_append(behind, Verdict.HALF_CUT)
            case "broadcast lost":
                # Nobody hears of what was appended: the rival's line goes through the same proxy.
                front.down.judge = self._deaf

    def _deaf(self, chunk: bytes) -> Verdict:
        return Verdict.CUT if b'"t":"e"' in chunk else Verdict.PASS

    def heal(self) -> None:
        """Let the page come back."""
        self.front.heal()
        self.behind.heal()


SEAMS = [
    "send lost",
    "send half",
    "ack lost",
    "ack half",
    "append lost",
    "append half",
    "append passed, line cut",
    "reply lost",
    "reply half",
    "broadcast lost",
]


async def _cut_at_every_move(faulty: Faulty, ada: Bot, bob: Bot, first: int) -> int:
    """Play a hole to its end, cutting each move's way at the next seam; return how many were cut."""
    cuts = 0
    while ada.match["phase"] == "playing":
        for bot, rival in ((ada, bob), (bob, ada)):
            chosen = bot.choice()
            if chosen is None or bot.match["phase"] != "playing":
                continue
            cutter = Cutter(faulty, SEAMS[(first + cuts) % len(SEAMS)])
            cuts += 1
            engine_lines = cutter.behind.accepted
            cutter.arm()
            await bot.send(chosen[0], **chosen[1])
            if cutter.seam.startswith(("append", "reply")):
                # The player sees nothing but a delay: the worker mends its own line.
                while bot.unanswered:
                    await bot.hear()
                await until(lambda cut=cutter, lines=engine_lines: cut.behind.accepted > lines)
                cutter.heal()
            else:
                await _heard_the_cut(bot)
                cutter.heal()
                # A seat comes back under its generation; a different move instead of the lost one every other time.
                await _back(bot, other_move=cuts // len(SEAMS) % 2 == 1)
            if cutter.seam == "broadcast lost":
                await _heard_the_cut(rival)
                await _back(rival, other_move=False)
            for one in (ada, bob):
                await one.pong()
    return cuts


async def _heard_the_cut(bot: Bot) -> None:
    try:
        while True:
            await bot.hear()
    except ConnectionClosed:
        pass


async def _back(bot: Bot, other_move: bool) -> None:
    """Come back as a page does; with `other_move` a different command is sent instead of the unanswered one."""
    await bot.open()
    await bot.resume()
    lost = [bot.unanswered[seq] for seq in sorted(bot.unanswered)]
    if other_move and lost:
        bot.unanswered.clear()
        said = {name: value for name, value in lost[0].items() if name not in ("t", "seq")}
        others = [bot.move(move) for move in bot.view["you"]["moves"] if bot.move(move)[1] != said]
        if bot.match["phase"] == "playing" and others:
            await bot.do(others[0][0], **others[0][1])
        return
    for message in lost:
        await bot.say(**message)
    while bot.unanswered:
        await bot.hear()


@pytest.mark.parametrize("first", range(scaled(2, len(SEAMS))))
async def test_cut_at_every_version(faulty: Faulty, bot: MakeBot, first: int) -> None:
    """Wherever a move's way is cut, at every version: after coming back it has happened once or not at all."""
    async with asyncio.timeout(60):
        house = await faulty.open()
        ada, bob = [await bot(faulty.urls[0], name).open() for name in ("Ada", "Bob")]
        await start_hole(ada, [bob], [house], undo="off")
        assert await _cut_at_every_move(faulty, ada, bob, first) >= 20
        for one in (ada, bob):
            await one.until_phase("ended")
        entries = await stream_of(faulty.engine, ada.match_id)
        assert check_stream(entries).phase == "ended"
        record = await record_of(ada)
        check_record(record, [ada, bob])
        for one in (ada, bob):
            check_told(entries, one)
            check_acked(record, one)
            view = one.view
            await one.ws.close()
            await one.open()
            await one.resume(fresh=True)
            for part in ("boards", "seats", "match"):
                assert one.view[part] == view[part], part
