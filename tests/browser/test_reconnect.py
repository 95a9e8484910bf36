"""The server goes away in the middle of a hole; the pages come back by themselves."""

import json

import pytest
from playwright.async_api import Browser

from tests.browser.pages import PHONE, host, join, open_player
from tests.runtime.servers import Serve

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("way", ["stopped", "killed"])
async def test_pages_go_on_where_they_were(browser: Browser, serve: Serve, way: str) -> None:
    """After a stop, and after kill -9 of everything, both pages go on: the same boards, the lost time given back."""
    server = serve()
    url = f"http://127.0.0.1:{server.port}/"
    ada = await open_player(browser, "Ada")
    bob = await open_player(browser, "Bob", viewport=PHONE)
    room = await host(ada, url, holes="2", seats="2")
    await join(bob, url, room)
    for player in (ada, bob):
        await player.at("ready").click()
    for player in (ada, bob):
        await player.until("view.match.phase === 'playing'")
        for _ in range(5):
            await player.act()
    before = {player.name: await player.view() for player in (ada, bob)}
    if way == "stopped":
        server.stop()
    else:
        server.kill()
    await ada.at("banner").wait_for()
    await ada.page.wait_for_timeout(3_000)
    serve(again=server)
    for player in (ada, bob):
        await player.page.wait_for_function(
            "() => document.querySelector('[data-testid=banner]')?.offsetParent == null", timeout=20_000
        )
        await player.until("view.match.phase === 'playing'")
        await player.until(f"view.match.deadline > {before[player.name]['match']['deadline'] + 2_000}")
        after, was = await player.view(), before[player.name]
        own = str(was["you"]["seat"])
        assert after["boards"][own] == was["boards"][own]
        assert after["you"]["moves"] == was["you"]["moves"]
        assert after["you"]["move_count"] == was["you"]["move_count"]
        # The time that the server was away is not played: all but a moment of it is given back.
        given_back = after["match"]["deadline"] - was["match"]["deadline"]
        assert 2_000 < given_back < 15_000
        assert after["match"]["opened_at"] - was["match"]["opened_at"] == given_back
    for player in (ada, bob):
        assert await player.act(), "play goes on"
        assert not player.complaints, json.dumps(player.complaints)
