"""What bad input gets: one answer with a stable code and words, and nothing changes."""

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any

import pytest

from server.protocol.words import ERRORS, REFUSALS

from .bots import Bot, Denied, Frame
from .crowd import seat_all
from .servers import House

MakeBot = Callable[..., Bot]
DECK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


async def said_to(bot: Bot, raw: str | bytes) -> list[Frame]:
    """Send something raw; return all that was said to it, presence and pongs left out: at least one frame."""
    before = len(bot.heard)

    def answers() -> list[Frame]:
        return [heard.frame for heard in bot.heard[before:] if heard.frame["t"] not in ("presence", "pong")]

    await bot.ws.send(raw)
    await bot.until(answers)
    await bot.pong()  # a second answer would come before it
    return answers()


async def one_error(bot: Bot, raw: str | bytes) -> Frame:
    """Send something bad: it gets exactly one answer, with words in English that stand beside its code."""
    (frame,) = await said_to(bot, raw)
    assert frame["t"] in ("error", "refused"), frame
    assert frame["words"]
    assert frame["words"] != frame["code"]
    assert frame["code"] in ERRORS.keys() | REFUSALS.keys()
    return frame


BAD = [
    ("", "bad_json"),
    ("{", "bad_json"),
    ('{"t":"ping","n":1}{', "bad_json"),
    ("nonsense", "bad_json"),
    ("[" * 5000, "bad_json"),
    ('{"t":"ping","n":NaN}', "bad_field"),
    ("[]", "not_object"),
    ("null", "not_object"),
    ("17", "not_object"),
    ('"hello"', "not_object"),
    ("{}", "unknown_type"),
    ('{"t":null}', "unknown_type"),
    ('{"t":17}', "unknown_type"),
    ('{"t":"fly"}', "unknown_type"),
    ('{"T":"ping","n":1}', "unknown_type"),
    ('{"t":"ping"}', "bad_field"),
    ('{"t":"ping","n":"1"}', "bad_field"),
    ('{"t":"ping","n":1.5}', "bad_field"),
    ('{"t":"ping","n":true}', "bad_field"),
    ('{"t":"ping","n":-1}', "bad_field"),
    ('{"t":"ping","n":99999999999999999999999999}', "bad_field"),
    ('{"t":"ping","n":1,"m":2}', "bad_field"),
    ('{"t":"lobby","off":"yes"}', "bad_field"),
    ('{"t":"play","seq":1,"source":"column.1","target":"waste"}', "bad_field"),
    ('{"t":"play","seq":1,"source":"column.1","target":"waste","card":["9C"]}', "bad_field"),
    ('{"t":"play","seq":1,"source":"column.1","target":"waste","card":"9C","seat":1}', "bad_field"),
    ('{"t":"play","seq":1,"source":"column.1","target":"waste","card":"9C","generation":9}', "bad_field"),
    ('{"t":"play","seq":0,"source":"column.1","target":"waste","card":"9C"}', "bad_field"),
    ('{"t":"draw","seq":1,"stock":"16"}', "bad_field"),
    ('{"t":"draw","stock":16}', "bad_field"),
    ('{"t":"ready","seq":1,"ready":1}', "bad_field"),
    ('{"t":"kick","seq":1,"seat":8}', "bad_field"),
    ('{"t":"give_up","seq":1,"hole":0}', "bad_field"),
    ('{"t":"give_up","seq":1,"hole":28}', "bad_field"),
    ('{"t":"resume","match":"../../etc/passwd"}', "bad_field"),
    ('{"t":"options","seq":1,"options":{"holes":0}}', "bad_options"),
    (b"\x00\x01", "binary"),
    (b'{"t":"ping","n":1}', "binary"),
    (json.dumps({"t": "ping", "n": 1, "pad": "x" * 8192}), "too_large"),
    (json.dumps({"t": "ping", "n": 1, "pad": "x" * 60_000}), "too_large"),
]


async def test_bad_messages(house: House, bot: MakeBot) -> None:
    """Every malformed message of a seat in the middle of a hole gets its one code, and nobody else hears anything."""
    async with asyncio.timeout(20):
        ada, bob = bot(house.url, "Ada"), bot(house.url, "Bob")
        await ada.open()
        await bob.open()
        await seat_all(ada, [bob], holes=1)
        house.pass_time(3000)
        for one in (ada, bob):
            await one.until_phase("playing")
            await one.pong()
        version, heard = ada.version, len(bob.heard)
        for raw, code in BAD:
            frame = await one_error(ada, raw)
            assert frame["code"] == code, (raw[:80], frame)
        await bob.pong()
        assert [h.frame["t"] for h in bob.heard[heard:]] == ["pong"]
        assert ada.version == version
        assert house.hub.rooms[ada.match_id].state.version == version
        await ada.must("give_up", hole=1)  # and it goes on playing


@pytest.mark.parametrize(
    "name",
    ["", " \t\n ", "\u200b\u2060", "\u3164", "x" * 25, "\u0301", "x" * 600, "\u202e\u202d", "<b>x</b>", '"><script>'],
)
async def test_bad_names(house: House, bot: MakeBot, name: str) -> None:
    """A name that is empty, too long, invisible or has markup in it makes no room and takes no seat."""
    async with asyncio.timeout(30):
        ada, eve = bot(house.url), bot(house.url, "Eve")
        await ada.open()
        await eve.open()
        await ada.host(seats=2)
        for message in ({"t": "host", "options": {}}, {"t": "join", "room": ada.room}):
            raw = json.dumps({**message, "name": name, "token": eve.token})
            assert (await one_error(eve, raw))["code"] == "bad_name"
        await ada.pong()
        assert ada.version == 1
        assert list(house.hub.rooms) == [ada.match_id]


async def test_names_are_text(house: House, bot: MakeBot) -> None:
    """What another parser might take for more than text is text: it comes back to everybody as it was typed."""
    async with asyncio.timeout(30):
        names = ["{{7*7}}", "a&amp;b\\u0041", "अली", "💥'; DROP", "javascript:a()", '"quoted\\"']
        ada = await bot(house.url, names[0]).open()
        await ada.host(seats=8)
        for name in names[1:]:
            await (await bot(house.url, name).open()).join(ada.room)
        await ada.pong()
        assert [seat["name"] for seat in ada.view["seats"].values()] == names


async def test_names_that_look_alike(house: House, bot: MakeBot) -> None:
    """Two who call themselves the same are told apart."""
    async with asyncio.timeout(30):
        ada = await bot(house.url, "Ali").open()
        await ada.host(seats=4)
        for name in (" Ali ", "A\u200bli", "ＡＬＩ"):
            await (await bot(house.url, name).open()).join(ada.room)
        await ada.pong()
        names = [seat["name"] for seat in ada.view["seats"].values()]
        assert len({name.casefold() for name in names}) == 4
        assert all("\u200b" not in name for name in names)


OPTIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"holes": 0}, "bad_options", "holes"),
    ({"holes": 19}, "bad_options", "holes"),
    ({"format": "match", "seats": 4}, "bad_options", "seats"),
    ({"format": "match", "seats": 1}, "bad_options", "seats"),
    ({"sudden_death": True}, "bad_options", "sudden_death"),
    ({"winnable": True, "deals": ["GO2-E-AAAAAAB"]}, "bad_options", "winnable"),
    ({"winnable": True}, "winnable_off", ""),
    ({"holes": "9"}, "bad_options", "holes"),
    ({"seats": 0}, "bad_options", "seats"),
    ({"seats": 9}, "bad_options", "seats"),
    ({"hole_seconds": 59}, "bad_options", "hole_seconds"),
    ({"hole_seconds": 901}, "bad_options", "hole_seconds"),
    ({"hole_seconds": 0, "visibility": "public"}, "bad_options", "hole_seconds"),
    ({"rule": "queen"}, "bad_options", "rule"),
    ({"game": "chess"}, "bad_options", "game"),
    ({"scoring": "best"}, "bad_options", "scoring"),
    ({"undo": True}, "bad_options", "undo"),
    ({"spectators": "all"}, "bad_options", "spectators"),
    ({"visibility": "hidden"}, "bad_options", "visibility"),
    ({"jokers": 2}, "bad_options", "jokers"),
    ({"deals": ["GO2-E-AAAAAAB"] * 19}, "bad_options", "deals"),
    ({"deals": "GO2-E-AAAAAAB"}, "bad_options", "deals"),
    ({"deals": ["GO1-E-AAAAAAC"]}, "foreign_code", ""),
    ({"deals": ["CF1-D3-AAAAACL"]}, "foreign_code", ""),
    ({"deals": ["XX2-E-AAAAAAB"]}, "unknown_game", ""),
    ({"deals": ["GO2-Q-AAAAAAB"]}, "unknown_rule", ""),
    ({"deals": ["GO2-E-ZZZZZZZ"]}, "out_of_range", ""),
    ({"deals": ["GO2-E-AAAAAAB", "GO2-E-A"]}, "bad_code", ""),
    ({"deals": [" ".join(DECK[:51])]}, "wrong_count", ""),
    ({"deals": [" ".join([*DECK[:51], DECK[0]])]}, "card_twice", ""),
    ({"deals": [" ".join([*DECK[:51], "1X"])]}, "bad_card", ""),
    ({"deals": [""]}, "wrong_count", ""),
]


async def test_bad_options(house: House, bot: MakeBot) -> None:
    """Options out of range and deals that can't be dealt are refused with what is wrong, when hosting and later."""
    async with asyncio.timeout(20):
        ada, eve = await bot(house.url).open(), await bot(house.url, "Eve").open()
        await ada.host(seats=2)
        for options, code, field in OPTIONS:
            frame = await one_error(
                eve, json.dumps({"t": "host", "name": "Eve", "token": eve.token, "options": options})
            )
            assert frame["code"] == code, (options, frame)
            assert frame["params"].get("field", "") == field, (options, frame)
            frame = await one_error(ada, json.dumps({"t": "options", "seq": 1, "options": options}))
            assert frame["code"] == code, (options, frame)
        assert list(house.hub.rooms) == [ada.match_id]
        assert house.hub.rooms[ada.match_id].state.version == 1


async def test_52_cards_are_a_deal(house: House, bot: MakeBot) -> None:
    """The same deck with all 52 cards is taken, dealt, and the room says that the deal is open."""
    async with asyncio.timeout(30):
        ada = await bot(house.url).open()
        await ada.host(seats=1, deals=[" ".join(DECK)])
        await ada.until_phase("playing")
        assert ada.match["open_deal"] is True
        assert ada.match["options"]["holes"] == 1
        shown = [card for name, pile in ada.board.items() if name != "stock" for card in pile]
        assert sorted(shown) == sorted(DECK[:36])


async def test_before_hello(house: House, bot: MakeBot) -> None:
    """Who has not greeted gets nothing but that answer, and may still greet."""
    async with asyncio.timeout(30):
        eve = bot(house.url)
        eve.say = _silent  # type: ignore[method-assign]  # it opens without a hello
        eve.hear = _welcome  # type: ignore[method-assign]
        await eve.open()
        del eve.say, eve.hear  # type: ignore[method-assign]
        for raw in ('{"t":"ping","n":1}', '{"t":"draw","seq":1,"stock":16}', '{"t":"watch","room":"ABCDEFGH"}'):
            await eve.ws.send(raw)
            assert (await eve.hear())["code"] == "not_greeted"
        await eve.ws.send("{")
        assert (await eve.hear())["code"] == "bad_json"
        await eve.ws.send('{"t":"hello","protocol":1}')
        assert (await eve.hear())["t"] == "welcome"


async def _silent(**message: Any) -> None:
    del message


async def _welcome() -> Frame:
    return {"t": "welcome", "worker": ""}


@pytest.mark.parametrize("protocol", [0, 2, 99])
async def test_another_protocol(house: House, bot: MakeBot, protocol: int) -> None:
    """A page of another protocol hears one error and is closed with 4003."""
    async with asyncio.timeout(30):
        eve = bot(house.url)
        eve.hear = _welcome  # type: ignore[method-assign]
        eve.say = lambda **_: eve.ws.send(json.dumps({"t": "hello", "protocol": protocol}))  # type: ignore[method-assign]
        await eve.open()
        del eve.say, eve.hear  # type: ignore[method-assign]
        assert (await eve.hear())["code"] == "protocol_newer"
        heard = len(eve.heard)
        assert await eve.closed() == 4003
        assert len(eve.heard) == heard


async def test_beyond_the_limit(house: House, bot: MakeBot) -> None:
    """A frame of over 64 KB ends only the connection that sent it, with 1009; its seat can come back."""
    async with asyncio.timeout(30):
        ada, bob = await bot(house.url).open(), await bot(house.url, "Bob").open()
        await ada.host(seats=3)
        await bob.join(ada.room)
        await ada.ws.send("x" * 70_000)
        assert await ada.closed() == 1009
        await bob.must("ready", ready=True)
        await ada.come_back()
        assert ada.seat == 0
        assert ada.view["seats"]["1"]["ready"] is True


async def test_rooms_that_are_not_there(house: House, bot: MakeBot) -> None:
    """Unknown codes and ids lead nowhere, and say so."""
    async with asyncio.timeout(30):
        eve = await bot(house.url).open()
        token, nowhere = eve.token, "a" * 26
        for message in (
            {"t": "join", "room": "QQQQQQQQ", "name": "Eve", "token": token},
            {"t": "join", "room": "{x}:*", "name": "Eve", "token": token},
            {"t": "join", "match": nowhere, "name": "Eve", "token": token},
            {"t": "join", "name": "Eve", "token": token},
            {"t": "watch", "room": "QQQQQQQQ"},
            {"t": "watch", "match": nowhere},
            {"t": "resume", "match": nowhere},
            {"t": "resume", "match": nowhere, "token": token, "version": 5, "generation": 1},
        ):
            assert (await one_error(eve, json.dumps(message)))["code"] == "no_such_room", message
        assert not house.hub.rooms


async def test_full_room_wrong_token_and_twice_in(house: House, bot: MakeBot) -> None:
    """A full room, a token that owns no seat there, a bad token and a second match on one line are refused."""
    async with asyncio.timeout(30):
        ada, bob, eve = [await bot(house.url, name).open() for name in ("Ada", "Bob", "Eve")]
        await ada.host(seats=2)
        await bob.join(ada.room)
        await ada.pong()
        join = {"t": "join", "room": ada.room, "name": "Eve", "token": eve.token}
        assert (await one_error(eve, json.dumps(join)))["code"] == "room_full"
        resume = {"t": "resume", "match": ada.match_id, "token": secrets.token_hex(16), "version": 1, "generation": 1}
        assert (await one_error(eve, json.dumps(resume)))["code"] == "wrong_token"
        assert (await one_error(eve, json.dumps({**resume, "generation": 99})))["code"] == "wrong_token"
        for token in ("", "f" * 31, "F" * 32, "g" * 32, "f" * 33):
            for message in ({**join, "token": token}, {**resume, "token": token}):
                assert (await one_error(eve, json.dumps(message)))["code"] == "bad_token", message
        for bad in ({"t": "watch", "room": ada.room}, join, {"t": "host", "name": "B", "token": bob.token}):
            assert (await one_error(bob, json.dumps(bad)))["code"] == "in_match"
        assert house.hub.rooms[ada.match_id].state.version == ada.version == 2


async def test_who_may_not_play(house: House, bot: MakeBot) -> None:
    """A spectator, a line in no match, and a seat that is not the host are refused; nothing changes."""
    async with asyncio.timeout(30):
        ada, bob, eve = [await bot(house.url, name).open() for name in ("Ada", "Bob", "Eve")]
        await seat_all(ada, [bob], holes=1)
        house.pass_time(3000)
        await ada.until_phase("playing")
        kind, fields = ada.choice() or ("", {})
        play = json.dumps({"t": kind, "seq": 1, **fields})
        assert (await one_error(eve, play))["code"] == "not_in_match"
        await eve.watch(ada.room)
        for raw in (play, '{"t":"leave","seq":2}', '{"t":"kick","seq":3,"seat":0}', '{"t":"start","seq":1}'):
            assert (await one_error(eve, raw))["code"] == "spectators_cannot"
        version = ada.version
        assert (await bob.do("kick", seat=0))["code"] == "not_host"
        assert (await bob.do("start"))["code"] == "not_host"
        assert (await ada.do("kick", seat=1))["code"] == "seat_online"
        assert (await ada.do("kick", seat=5))["code"] == "no_such_seat"
        assert (await ada.do("close_seat", seat=1, hole=1))["code"] == "seat_online"
        assert (await ada.do("rematch"))["code"] == "not_open"
        assert (await ada.do("next", hole=1))["code"] == "not_open"
        assert (await ada.do("ready", ready=True))["code"] == "not_open"
        await ada.pong()
        assert house.hub.rooms[ada.match_id].state.version == ada.version == version


async def start_alone(one: Bot, **options: Any) -> Bot:
    """Open a one-seat match and wait until it plays."""
    await one.open()
    await one.host(**{"seats": 1, "holes": 1, **options})
    await one.until_phase("playing")
    return one


async def test_refused_moves(house: House, bot: MakeBot) -> None:
    """Each move that the rules forbid is refused with its reason and leaves no trace."""
    async with asyncio.timeout(30):
        ada = await start_alone(bot(house.url), undo="plays")
        version, board = ada.version, json.dumps(ada.board)
        offered = {(move[0], move[2]) for move in ada.view["you"]["moves"] if len(move) == 3}
        columns = {name: pile for name, pile in ada.board.items() if name.startswith("column.")}
        for name, pile in columns.items():
            refused = await ada.do("play", source=name, target="waste", card=pile[0])
            assert refused["code"] == "blocked"
            if (name, pile[-1]) not in offered:
                refused = await ada.do("play", source=name, target="waste", card=pile[-1])
                assert refused["code"] == "not_adjacent"
        top = columns["column.1"][-1]
        assert (await ada.do("play", source="column.1", target="column.2", card=top))["code"] == "bad_target"
        assert (await ada.do("play", source="column.9", target="waste", card=top))["code"] == "stale"
        assert (await ada.do("play", source="stock", target="waste", card="?"))["code"] != ""
        assert (await ada.do("play", source="column.2", target="waste", card=top))["code"] == "stale"
        assert (await ada.do("draw", stock=15))["code"] == "stale"
        assert (await ada.do("undo", moves=0, undos=0))["code"] == "nothing_to_undo"
        assert (await ada.do("undo", moves=3, undos=0))["code"] == "stale"
        assert (await ada.do("done", hole=1))["code"] == "not_stuck"
        assert (await ada.do("give_up", hole=2))["code"] == "stale"
        assert (await ada.do("kick", seat=0))["code"] == "no_such_seat"
        assert (ada.version, json.dumps(ada.board)) == (version, board)
        await ada.must("draw", stock=16)
        assert (await ada.do("undo", moves=1, undos=0))["code"] == "undo_past_draw"
        await ada.must("give_up", hole=1)
        await ada.until_phase("ended")
        assert (await ada.do("draw", stock=15))["code"] == "not_open"


async def test_doubled_key_press(house: House, bot: MakeBot) -> None:
    """Two draws and two plays of a doubled key press happen once; the second of each is stale."""
    async with asyncio.timeout(30):
        ada = await start_alone(bot(house.url))
        first, second = await ada.send("draw", stock=16), await ada.send("draw", stock=16)
        assert (await ada.answer(first))["t"] == "e"
        assert (await ada.answer(second))["code"] == "stale"
        while not (plays := [move for move in ada.view["you"]["moves"] if len(move) == 3]):
            await ada.must("draw", stock=len(ada.board["stock"]))
        source, target, card = plays[0]
        first = await ada.send("play", source=source, target=target, card=card)
        second = await ada.send("play", source=source, target=target, card=card)
        assert (await ada.answer(first))["t"] == "e"
        assert (await ada.answer(second))["code"] == "stale"
        assert ada.view["you"]["move_count"] == len(ada.acted()[1])


async def test_repeated_seq(house: House, bot: MakeBot) -> None:
    """A command that is sent again gets its old version as an answer, also much later; nothing happens twice."""
    async with asyncio.timeout(30):
        ada = await start_alone(bot(house.url))
        first = await ada.do("draw", stock=16)
        for _ in range(2):
            assert await said_to(ada, json.dumps(ada.sent[1])) == [{"t": "ack", "seq": 1, "v": first["v"]}]
        second = await ada.do("draw", stock=15)
        # The same seq with another content is still the old command.
        assert await said_to(ada, '{"t":"draw","seq":1,"stock":14}') == [{"t": "ack", "seq": 1, "v": first["v"]}]
        assert await said_to(ada, json.dumps(ada.sent[2])) == [{"t": "ack", "seq": 2, "v": second["v"]}]
        assert len(ada.board["stock"]) == 14


async def test_repeated_seq_in_one_write(house: House, bot: MakeBot) -> None:
    """The same command three times before any answer happens once, and each time is answered."""
    async with asyncio.timeout(30):
        ada = await start_alone(bot(house.url))
        seq = await ada.send("draw", stock=16)
        await ada.say(**ada.sent[seq])
        await ada.say(**ada.sent[seq])
        await ada.until(lambda: len(ada.answers.get(seq, [])) == 3)
        told, *acks = ada.answers[seq]
        assert [ack["t"] for ack in acks] == ["ack", "ack"]
        assert {ack["v"] for ack in acks} == {told["v"]}
        assert len(ada.board["stock"]) == 15


async def test_seqs_out_of_order(house: House, bot: MakeBot) -> None:
    """A seq that comes after a higher one has had its time: stale; a gap in the numbers is no error."""
    async with asyncio.timeout(30):
        ada = await start_alone(bot(house.url))
        ada.seq = 9
        await ada.must("draw", stock=16)
        (frame,) = await said_to(ada, '{"t":"draw","seq":4,"stock":15}')
        assert (frame["t"], frame["seq"], frame["code"]) == ("refused", 4, "stale")
        await ada.must("draw", stock=15)
        assert ada.seq == 11


async def test_refused_seq_may_come_again(house: House, bot: MakeBot) -> None:
    """A refused command leaves no trace: its seq is judged anew when it comes again."""
    async with asyncio.timeout(30):
        ada = await start_alone(bot(house.url))
        assert (await ada.do("draw", stock=3))["code"] == "stale"
        ada.seq -= 1
        ada.answers.clear()
        await ada.must("draw", stock=16)


async def test_forged_seat(house: House, bot: MakeBot) -> None:
    """Another's seqs and generations are worth nothing: who a line speaks for follows from its token alone."""
    async with asyncio.timeout(30):
        ada, bob = await bot(house.url, "Ada").open(), await bot(house.url, "Bob").open()
        await seat_all(ada, [bob], holes=1)
        house.pass_time(3000)
        for one in (ada, bob):
            await one.until_phase("playing")
        await ada.must("draw", stock=16)
        await bob.pong()
        stock = len(bob.board["stock"])
        # Bob sends what Ada's next command would be: it is his own.
        (frame,) = await said_to(bob, json.dumps({"t": "draw", "seq": ada.seq + 1, "stock": stock}))
        assert len(bob.board["stock"]) == stock - 1
        assert frame["seq"] == ada.seq + 1
        await ada.pong()
        assert len(ada.board["stock"]) == 15
        eve = await bot(house.url, "Eve").open()
        eve.match_id = ada.match_id
        with pytest.raises(Denied) as denied:
            await eve.resume(fresh=True, generation=99, version=ada.version)
        assert denied.value.code == "wrong_token"
        await ada.must("draw", stock=15)
