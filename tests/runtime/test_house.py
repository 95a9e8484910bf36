"""House players: bots of the server's own over its public wire, in the seats that a host gives them."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from server.runtime.house_player import Pace

from .bots import Bot
from .servers import House, Street

MakeBot = Callable[..., Bot]
QUICK = Pace(0.02)


@pytest.fixture
async def house(street: Street) -> AsyncIterator[House]:
    """One worker whose house players are in a hurry."""
    house = await street.open()
    house.hub.house.pace = QUICK
    return house


async def until(holds: Callable[[], object]) -> None:
    """Wait for what another part of this loop does."""
    async with asyncio.timeout(25):
        while not holds():
            await asyncio.sleep(0.01)


async def test_a_match_against_two(house: House, bot: MakeBot) -> None:
    """A host adds two, they make themselves ready with nonces of their own, and play every hole to its end."""
    ada = await (await bot(house.url).open()).host(holes=2, seats=3)
    await ada.must("add_bot", strength="greedy")
    await ada.must("add_bot", strength="counting")
    seats = ada.view["seats"]
    assert [seats[number]["bot"] for number in "012"] == [None, "greedy", "counting"]
    assert all("(bot)" in seats[number]["name"] for number in "12")
    await ada.until(lambda: seats_ready(ada, "12"))
    await ada.must("ready", ready=True)
    house.pass_time(3_100)
    async with asyncio.timeout(60):
        await ada.play(give_up=0.2)
    assert [len(hole["scores"]) for hole in ada.match["card"]] == [3, 3]
    hows = {hole["scores"][number]["how"] for hole in ada.match["card"] for number in "12"}
    assert hows <= {"cleared", "stuck"}, "they played to the end"
    assert set(ada.match["nonces"]) == {"1", "2"}
    await until(lambda: not len(house.hub.house))


def seats_ready(page: Bot, numbers: str) -> bool:
    """Whether these seats are ready."""
    return all(page.view["seats"][number]["ready"] for number in numbers)
