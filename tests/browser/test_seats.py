"""One seat and its pages: a second tab, a reload, a rematch, a server that is newer."""

import json

import pytest
from playwright.async_api import WebSocketRoute

from tests.browser.stage import COUNTDOWN_MS, Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_two_tabs_on_one_seat(stage: Stage) -> None:
    """The tab opened last plays; the first says so, offers to play here, and takes the seat back with its board."""
    page, _ = await stage.playing("Bob")
    await page.act()
    second = await stage.page(beside=page)
    await second.page.goto(page.page.url)
    await second.until("view.you.seat === 1")
    await page.at("play-here").wait_for()
    assert (await second.view())["boards"] == (await page.view())["boards"]
    assert await second.act()
    await page.at("play-here").click()
    await second.at("play-here").wait_for()
    await page.until("view.you.move_count === 2")
    assert not await page.at("banner").is_visible()
    assert await page.act()


async def test_a_reload_keeps_the_seat(stage: Stage) -> None:
    """A page loaded again comes back to its seat, board and counters, without asking anything."""
    page, _ = await stage.playing("Bob")
    for _ in range(4):
        await page.act()
    before = await page.view()
    await page.page.reload()
    await page.until("view.you.seat === 1")
    after = await page.view()
    assert after["boards"] == before["boards"]
    assert after["you"]["move_count"] == before["you"]["move_count"]
    assert await page.act()
    # Leaving the table keeps the seat: the room's link leads back to it.
    link = page.page.url
    await page.at("home").click()
    await page.at("confirm").click()
    await page.at("play-alone").wait_for()
    await page.page.goto(link)
    await page.until("view.you.seat === 1 && view.you.move_count === 5")
    assert not page.complaints


async def test_a_rematch_of_the_same_people(stage: Stage) -> None:
    """One asks for a rematch, the other follows: the same people sit in a new room and can begin."""
    page, (bob,) = await stage.playing("Bob", holes=1)
    await bob.must("give_up", hole=1)
    await page.page.keyboard.press("g")
    await page.page.keyboard.press("Enter")
    await page.at("podium").wait_for()
    old = (await page.view())["match"]
    await page.at("rematch").click()
    await page.until(f"view.match.id !== '{old['id']}' && view.match.phase === 'lobby'")
    await bob.until(lambda: bob.match["next"])
    follower = await stage.bot("Bob")
    follower.token, follower.match_id = bob.token, bob.match["next"]["match"]
    await follower.resume(fresh=True)
    view = await page.view()
    assert [seat["name"] for seat in view["seats"].values()] == ["Bob", "Ada"]
    assert view["match"]["options"] == old["options"]
    await follower.must("ready", ready=True)
    await page.at("ready").click()
    await page.until("view.match.phase === 'countdown'")
    stage.house.pass_time(COUNTDOWN_MS)
    await page.until("view.match.phase === 'playing'")
    stage.house.clock.ahead_ms = 0


async def test_a_newer_server_reloads_the_page_once(stage: Stage) -> None:
    """A page that is older than its server loads itself again once, then says so and stays."""
    page = await stage.page()
    lines = []

    async def newer(route: WebSocketRoute) -> None:
        lines.append(route)

        async def answer(_: str | bytes) -> None:
            route.send(json.dumps({"t": "error", "code": "protocol_newer", "words": "Reload.", "params": {}}))
            await route.close(code=4003, reason="newer")

        route.on_message(answer)

    loads = []
    page.page.on("load", lambda _: loads.append(1))
    await page.page.route_web_socket("**/ws", newer)
    await page.page.goto(stage.url)
    await page.at("banner").filter(has_text="newer than this page").wait_for()
    await page.page.wait_for_timeout(1_500)
    assert len(lines) == 2
    assert len(loads) == 2
