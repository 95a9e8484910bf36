"""The room before the start, and who is let in."""

import pytest

from tests.browser.pages import host, join
from tests.browser.stage import COUNTDOWN_MS, Stage
from tests.runtime.bots import Denied

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_link_to_send(stage: Stage) -> None:
    """The room shows its link as text, copies it, and warns that a loopback address is of no use to a friend."""
    page = await stage.page(permissions=["clipboard-read", "clipboard-write"])
    room = await host(page, stage.url)
    assert await page.at("link").inner_text() == f"{stage.url}#{room}"
    assert await page.at("room-code").inner_text() == room
    assert "this computer only" in await page.at("loopback").inner_text()
    await page.at("copy-link").click()
    await page.at("copy-link").filter(has_text="Copied").wait_for()
    assert await page.page.evaluate("() => navigator.clipboard.readText()") == f"{stage.url}#{room}"
    # Plain HTTP over a LAN has no clipboard API: the text itself is copied or at least selected.
    await page.page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    await page.page.wait_for_timeout(2_600)
    await page.at("copy-link").click()
    await page.at("copy-link").filter(has_text="op").wait_for()
    assert await page.page.evaluate("() => getSelection().toString()") == f"{stage.url}#{room}"


async def test_who_comes_and_goes(stage: Stage) -> None:
    """Who joins, says ready, leaves or is removed shows at once; who was removed is told so in words."""
    page = await stage.page()
    room = await host(page, stage.url)
    cara = await stage.page("Cara")
    await join(cara, stage.url, room)
    dora = await (await stage.bot("Dora")).join(room)
    await page.at("seat-2").wait_for()
    await dora.must("ready", ready=True)
    await page.at("seat-2").filter(has_text="Ready").wait_for()
    assert await page.at("kick-0").count() == 0, "nobody removes himself"
    assert await cara.at("kick-2").count() == 0, "only the host removes"
    await page.at("kick-1").click()
    await cara.at("error").wait_for()
    assert await cara.at("error").inner_text() == "The host has removed you from the room."
    await page.at("seat-1").wait_for(state="detached")
    await dora.do("leave")
    await page.at("seat-2").wait_for(state="detached")
    lines = await page.page.locator("#log p").all_inner_texts()
    assert [line for line in lines if "Dora" in line] == ["Dora has come in.", "Dora is ready.", "Dora has left."]


async def test_a_host_who_leaves(stage: Stage) -> None:
    """When the host leaves, the next seat hosts: it may start, remove and change the options."""
    host_bot = await (await stage.bot("Bob")).host(seats=3)
    page = await stage.page()
    await join(page, stage.url, host_bot.room)
    await (await stage.bot("Cara")).join(host_bot.room)
    assert await page.at("change-options").count() == 0
    await host_bot.do("leave")
    await page.at("change-options").wait_for()
    await page.at("kick-2").wait_for()
    await page.at("start").wait_for()
    assert await page.at("seat-1").get_by_text("host").count() == 1


async def test_options_are_changed(stage: Stage) -> None:
    """The host changes the options: all see them, nobody is ready any more, and a refused change says so."""
    page = await stage.page()
    room = await host(page, stage.url)
    bob = await (await stage.bot("Bob")).join(room)
    await bob.must("ready", ready=True)
    await page.at("change-options").click()
    await page.at("option-undo").select_option("all")
    await page.at("option-spectators").select_option("live")
    await page.at("save-options").click()
    await page.until("view.match.options.undo === 'all'")
    await bob.until(lambda: not bob.view["seats"]["1"]["ready"])
    assert "Everything" in await page.page.locator(".summary").inner_text()
    assert await page.page.get_by_text("anyone with the link may see cards to come").count() == 1
    await page.at("change-options").click()
    await page.at("option-seats").select_option("1")
    await page.at("save-options").click()
    await page.at("banner").filter(has_text="More seats are taken").wait_for()
    await page.until("view.match.options.seats === 4")


async def test_a_full_room(stage: Stage) -> None:
    """A full room says so in words, keeps the name, and lets one watch instead."""
    bob = await (await stage.bot("Bob")).host(seats=2)
    await (await stage.bot("Cara")).join(bob.room)
    page = await stage.page()
    await page.page.goto(f"{stage.url}#{bob.room}")
    await page.at("name").fill("Ada")
    await page.at("invited-join").click()
    await page.at("error").wait_for()
    assert await page.at("error").inner_text() == "All seats of this room are taken."
    assert await page.at("name").input_value() == "Ada"
    await page.at("invited-watch").click()
    await page.until("view.you.role === 'spectator'")
    assert await page.page.get_by_text("You are watching").count() == 1


async def test_coming_late_is_watching(stage: Stage) -> None:
    """Who joins after the start watches; where spectators are off he is told so in words."""
    bob = await (await stage.bot("Bob")).host(seats=3)
    cara = await (await stage.bot("Cara")).join(bob.room)
    shut = await (await stage.bot("Dora")).host(seats=2, spectators="off")
    emre = await (await stage.bot("Emre")).join(shut.room)
    for bot in (bob, cara, shut, emre):
        await bot.must("ready", ready=True)
    for first in (bob, shut):
        await first.until_phase("countdown")
    stage.house.pass_time(COUNTDOWN_MS)
    for first in (bob, shut):
        await first.until_phase("playing")
    stage.house.clock.ahead_ms = 0
    page = await stage.page()
    await page.page.goto(f"{stage.url}#{bob.room}")
    await page.at("name").fill("Ada")
    await page.at("invited-join").click()
    await page.until("view.you.role === 'spectator'")
    await page.at("spectate-board-1").wait_for()
    other = await stage.page()
    await other.page.goto(f"{stage.url}#{shut.room}.watch")
    await other.at("error").wait_for()
    assert await other.at("error").inner_text() == "This room plays without spectators."
    with pytest.raises(Denied):
        await (await stage.bot("Fay")).watch(shut.room)


async def test_a_public_room_is_listed(stage: Stage) -> None:
    """A public room shows on the first page while it waits, and its button leads in."""
    page = await stage.home()
    bob = await (await stage.bot("Berthold")).host(visibility="public", seats=2)
    await page.page.get_by_role("button", name="Join Berthold’s room").click()
    await page.until("view.you.seat === 1")
    assert (await page.view())["match"]["room"] == bob.room


async def test_an_unknown_room(stage: Stage) -> None:
    """A code that leads nowhere is put in words, and what was typed stays."""
    page = await stage.home()
    for typed in ("ABC", "QQQQQQQQ"):
        await page.at("join-code").fill(typed)
        await page.at("join").click()
        await page.at("error").filter(has_text="There is no such room").wait_for()
        assert await page.at("join-code").input_value() == typed
