"""Whole matches through the page, as people play them."""

import asyncio
import json
import urllib.request
from typing import Any

import pytest
from playwright.async_api import Browser

from tests.browser.pages import PHONE, Player, host, join, open_player
from tests.match.recompute import recompute
from tests.runtime.servers import LONG, Serve

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]


def fetch_record(port: int, match_id: str) -> dict[str, Any]:
    """Return the record of an ended match as anybody gets it."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/matches/{match_id}") as response:
        record = json.load(response)
    assert isinstance(record, dict)
    return record


async def start(*players: Player) -> None:
    """All say ready; the first hole opens after the countdown."""
    for player in players:
        await player.at("ready").click()
    for player in players:
        await player.until("view.match.phase === 'playing'")


def check_codes_hidden(player: Player, record: dict[str, Any]) -> None:
    """No frame that the page received before a hole closed holds its code."""
    closed = 0
    for frame in player.frames:
        if frame["t"] == "snapshot":
            closed = len(frame["view"]["match"]["card"])
        elif frame["t"] == "e":
            closed += len(frame.get("card", []))
        text = json.dumps(frame)
        for hole in record["holes"][closed:]:
            assert hole["code"] not in text, (player.name, hole["hole"])


async def test_nine_holes_through_the_page(browser: Browser, serve: Serve) -> None:
    """Two pages play nine holes by taps and by keys, a third looks on from hole 2; podium and record agree.

    The short run plays the last hole whole, and gives the others up after some moves.
    """
    # What a crash loses is another test's question; this one makes a thousand moves.
    server = serve("--fsync", "everysec")
    url = f"http://127.0.0.1:{server.port}/"
    ada = await open_player(browser, "Ada", reduced_motion="reduce")
    bob = await open_player(browser, "Bob", keys=True, viewport=PHONE, has_touch=True, is_mobile=True)
    eve = await open_player(browser, "Eve", reduced_motion="reduce")
    room = await host(ada, url, holes="9", seats="2")
    await join(bob, url, room)
    await start(ada, bob)
    for hole in range(1, 10):
        await asyncio.gather(*(player.until(f"view.match.hole === {hole}") for player in (ada, bob)))
        if hole == 2:
            for _ in range(6):
                await ada.act()
            await eve.page.goto(f"{url}#{room}.watch")
            await eve.until("view.you.role === 'spectator' && view.match.hole === 2")
            await eve.at("spectate-board-0").wait_for()
            await eve.at("spectate-board-1").wait_for()
        if LONG or hole == 9:
            await asyncio.gather(ada.play_hole(), bob.play_hole())
        else:
            await asyncio.gather(ada.give_up(after=4), bob.give_up(after=9 if hole == 2 else 5))
        if hole < 9:
            await asyncio.gather(*(player.until("view.match.phase === 'between'") for player in (ada, bob)))
            await ada.at("next").click()
            await bob.at("next").click()
    for player in (ada, bob, eve):
        await player.until("view.match.phase === 'ended'")
        await player.at("podium").wait_for()
    view = await ada.view()
    record = fetch_record(server.port, view["match"]["id"])
    sums = recompute(record)
    assert len(record["holes"]) == 9
    for player in (ada, bob, eve):
        for seat, name in enumerate(("Ada", "Bob")):
            words = await player.at(f"podium-{seat}").inner_text()
            assert name in words
            assert str(sums[seat]["app"]) in words.replace(",", "")
            assert str(sums[seat]["traditional"]) in words.replace("\u2212", "-")
        check_codes_hidden(player, record)
        assert not player.complaints, player.complaints
