"""Reactions: all in the match hear them wherever they are, and none of it is kept."""

import asyncio
import json
from collections.abc import Callable

from .bots import Bot, Frame
from .servers import Street
from .test_bad_input import one_error

MakeBot = Callable[..., Bot]


def reactions(bot: Bot) -> list[tuple[int, str]]:
    """Return what a bot heard said."""
    return [(one.frame["seat"], one.frame["reaction"]) for one in bot.heard if one.frame["t"] == "reaction"]


async def test_reactions(street: Street, bot: MakeBot) -> None:
    """Players and spectators of both workers hear a word once each, those of another match none; no version is spent."""
    async with asyncio.timeout(20):
        one, two = await street.open(), await street.open()
        ada, bob = await bot(one.url, "Ada").open(), await bot(two.url, "Bob").open()
        near, far = await bot(one.url, "Near").open(), await bot(two.url, "Far").open()
        other = await bot(two.url, "Other").open()
        await ada.host(seats=2)
        await bob.join(ada.room)
        await near.watch(ada.room)
        await far.watch(ada.room)
        await other.host(seats=2)
        await ada.until(lambda: "1" in ada.view["seats"])
        version = ada.version
        await ada.say(t="react", reaction="good_luck")
        await bob.until(lambda: reactions(bob))
        await bob.say(t="react", reaction="thanks")
        said = [(0, "good_luck"), (1, "thanks")]
        for hearer in (ada, bob, near, far):
            await hearer.until(lambda hearer=hearer: len(reactions(hearer)) == 2)
            await hearer.pong()
            assert reactions(hearer) == said
        await other.pong()
        assert (reactions(other), ada.version) == ([], version)


async def test_what_can_not_be_said(street: Street, bot: MakeBot) -> None:
    """Spectators, strangers, unknown words and too many of them are refused by a code, and nobody hears anything."""
    async with asyncio.timeout(20):
        house = await street.open()
        ada, eve, far = await bot(house.url, "Ada").open(), await bot(house.url, "Eve").open(), bot(house.url, "Far")
        await ada.host(seats=2)
        await eve.watch(ada.room)
        await far.open()

        async def answer(speaker: Bot, **message: object) -> Frame:
            return await one_error(speaker, json.dumps({"t": "react", **message}))

        assert (await answer(eve, reaction="wow"))["code"] == "spectators_cannot"
        assert (await answer(far, reaction="wow"))["code"] == "not_in_match"
        for bad in ("<b>", "WOW", "", None, 1, ["wow"]):
            error = await answer(ada, reaction=bad)
            assert (error["code"], error["params"]) == ("bad_field", {"field": "reaction"})
        assert (await answer(ada, reaction="wow", seat=1))["params"] == {"field": "seat"}
        for _ in range(4):
            await ada.say(t="react", reaction="wow")
        await ada.pong()
        assert (await answer(ada, reaction="wow"))["code"] == "too_fast"
        await eve.pong()
        assert reactions(eve) == reactions(ada) == [(0, "wow")] * 4
        ready = await ada.must("ready", ready=True)
        assert ready["seats"]["0"]["ready"] is True


async def test_words_of_a_newer_program(street: Street, bot: MakeBot) -> None:
    """A word that this program doesn't know, or of a seat that is not here, is passed over."""
    async with asyncio.timeout(20):
        house = await street.open()
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=2)
        room = house.hub.rooms[ada.match_id]
        for word in ("0:sneeze", "7:wow", "-1:wow", "wow", "", "x:wow", "0:wow"):
            room.reactions.heard(word)
        await ada.pong()
        assert reactions(ada) == [(0, "wow")]
