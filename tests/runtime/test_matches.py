"""Whole matches by bots: what they fold is what a snapshot shows, and the record is what they saw."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from .bots import Bot, Denied
from .checks import Story, check_frames, check_moves, check_record
from .crowd import get, record_of, seat_all
from .servers import House, scaled

MakeBot = Callable[..., Bot]

MATCHES: list[tuple[int, dict[str, Any]]] = [
    (1, {"holes": 3, "rule": "easy", "undo": "all", "hole_seconds": 0}),
    (2, {"holes": 18, "rule": "classic", "scoring": "app", "undo": "off"}),
    (4, {"holes": 2, "rule": "strict", "undo": "plays"}),
    (8, {"holes": 1, "rule": "easy", "scoring": "app", "undo": "all", "visibility": "public"}),
    (2, {"deals": ["GO2-S-AAAAAAB", "GO1-E-AAAAAAB", "GO2-C-AAAZZZZ"], "rule": "easy"}),
]


@pytest.mark.parametrize(("seats", "options"), MATCHES)
async def test_whole_match(house: House, bot: MakeBot, seats: int, options: dict[str, Any]) -> None:
    """From the first page to the record: every fold equals a snapshot, the record equals what its players saw."""
    for seed in range(scaled(1, 20)):
        house.clock.ahead_ms = 0
        async with asyncio.timeout(60):
            bots = [bot(house.url, f"Player {number}", seed) for number in range(seats)]
            for one in bots:
                await one.open()
            await seat_all(bots[0], bots[1:], **options)
            path = f"/api/matches/{bots[0].match_id}"
            status, _, body = await get(house.url, path, source=bots[0].address)
            assert (status, body) == (409, '{"code":"not_ended"}')
            house.pass_time(3000)
            undo = 0.1 if options.get("undo") != "off" else 0.0
            await asyncio.gather(*(one.play(undo=undo, give_up=0.005, peek=0.04) for one in bots))
            for one in bots:
                await one.pong()
            record = await record_of(bots[0])
            assert len(record["holes"]) == len(options.get("deals", ())) or options["holes"]
            check_record(record, bots)
            for one in bots:
                check_moves(record, one)
            for one in bots:
                await one.refresh()


async def test_record_of_nothing(house: House) -> None:
    """A record of a match that never was is not found; something that is no id is said to be none."""
    async with asyncio.timeout(30):
        for name in ("a" * 26, "A" * 26):
            status, _, body = await get(house.url, f"/api/matches/{name}")
            assert (status, body) == (404, '{"code":"no_such_match"}'), name
        for name in ("", "..%2f..", "a" * 25, "a" * 27, "a" * 26 + "/", "a" * 25 + "?"):
            status, _, body = await get(house.url, f"/api/matches/{name}")
            assert (status, body) == (404, '{"code":"bad_match_id"}'), name


@pytest.mark.parametrize("spectators", ["fair", "live", "off"])
@pytest.mark.parametrize("undo", ["off", "plays", "all"])
async def test_frames(house: House, bot: MakeBot, undo: str, spectators: str) -> None:
    """No frame before a hole's close shows an undrawn card, the code, a secret or a move that section 3 hides."""
    for seed in range(scaled(1, 25)):
        house.clock.ahead_ms = 0
        async with asyncio.timeout(60):
            players = [bot(house.url, f"Player {number}", seed) for number in range(3)]
            eve, late = bot(house.url, "Eve"), bot(house.url, "Late")
            tokens = [one.token for one in (*players, late) if one.token]
            for one in (*players, eve, late):
                await one.open()
            await seat_all(players[0], players[1:], holes=2, undo=undo, spectators=spectators)
            watchers: list[Bot] = []
            if spectators == "off":
                with pytest.raises(Denied):
                    await eve.watch(players[0].room)
            else:
                watchers.append(await eve.watch(players[0].room))
            house.pass_time(3000)

            async def come_late(
                late: Bot = late, watchers: list[Bot] = watchers, room: str = players[0].room
            ) -> None:
                await asyncio.sleep(0.05)
                if spectators == "off":
                    with pytest.raises(Denied, match="no_spectators"):
                        await late.join(room)
                    return
                watchers.append(await late.join(room))
                assert late.seat is None
                await late.play(peek=0.02)

            playing = [one.play(undo=0.15, give_up=0.01, peek=0.02, pause_s=0.002) for one in players]
            await asyncio.gather(*playing, *(one.play(peek=0.02) for one in watchers), come_late())
            record = await record_of(players[0])
            check_record(record, [*players, *watchers])
            story = Story(record, players)
            for one in (*players, *watchers):
                assert check_frames(story, one, tokens) > 50
            assert len(watchers) == (0 if spectators == "off" else 2)
