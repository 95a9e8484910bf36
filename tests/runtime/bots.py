"""Bots: clients that know the wire and nothing else of the server.

A bot folds what it hears by its own small fold, plays moves that it was offered, keeps every raw frame, and after a
cut line comes back, resumes and sends again what was not answered, as a page does.
"""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

View = dict[str, Any]
Frame = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """One frame as it came, and the version that the page was at after it."""

    raw: str
    frame: Frame
    version: int


class Denied(Exception):
    """The server answered with an error instead of letting the bot in."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame["code"])
        self.code: str = frame["code"]
        self.frame = frame


def fold(view: View, frame: Frame) -> None:
    """Apply an "e" frame to a view in place, as docs/protocol.md says it."""
    view["match"].update(frame.get("match", {}))
    view["match"]["card"].extend(frame.get("card", []))
    for number, seat in frame.get("seats", {}).items():
        if seat is None:
            view["seats"].pop(number)
        else:
            view["seats"][number] = {**view["seats"].get(number, {}), **seat}
    if "boards" in frame:
        view["boards"] = json.loads(json.dumps(frame["boards"]))
    for number, steps in frame.get("moved", {}).items():
        for source, target, *cards in steps:
            pile = view["boards"][number][source]
            assert len(pile) >= len(cards), (frame, pile)
            del pile[len(pile) - len(cards) :]
            view["boards"][number][target] += cards
    view["you"].update(frame.get("you", {}))
    if "seq" in frame:
        view["you"]["next_seq"] = frame["seq"] + 1


class Bot:
    """One page. `address` is the loopback address that it comes from: allowances go by address."""

    def __init__(self, url: str, name: str, seed: int = 0, address: str = "127.0.0.1") -> None:
        self.url, self.name, self.address = url, name, address
        self.random = Random(f"{name}{seed}")
        self.token: str | None = secrets.token_hex(16)
        self.match_id = ""
        self.view: View = {}
        self.version = 0
        self.seq = 0
        self.heard: list[Heard] = []
        self.unanswered: dict[int, Frame] = {}
        self.answers: dict[int, list[Frame]] = {}
        self.sent: dict[int, Frame] = {}
        self.lives: list[tuple[dict[int, Frame], dict[int, list[Frame]]]] = []
        self.worker = ""
        self.workers: list[str] = []
        self.resumes = 0
        self.pings = 0
        self.close_code: int | None = None
        self.ws: ClientConnection

    # -- the line

    async def open(self) -> "Bot":
        """Connect and greet."""
        self.ws = await connect(
            f"{self.url}/ws",
            compression=None,
            local_addr=(self.address, 0),
            max_size=None,
            max_queue=None,
            close_timeout=1,
        )
        await self.say(t="hello", protocol=1)
        frame = await self.hear()
        assert frame["t"] == "welcome", frame
        self.worker = frame["worker"]
        self.workers.append(self.worker)
        return self

    async def close(self) -> None:
        """Go away in order."""
        with contextlib.suppress(AttributeError):
            await self.ws.close()

    def cut(self) -> None:
        """Lose the line."""
        self.ws.transport.abort()

    async def say(self, **message: Any) -> None:
        """Send one message."""
        await self.ws.send(json.dumps(message))

    async def hear(self) -> Frame:
        """Take the next frame in."""
        try:
            raw = await self.ws.recv()
        except ConnectionClosed:
            self.close_code = self.ws.close_code
            raise
        assert isinstance(raw, str)
        frame: Frame = json.loads(raw)
        kind = frame["t"]
        if kind == "snapshot":
            generation = self.view["you"].get("generation") if self.view else None
            self.view, self.version = json.loads(json.dumps(frame["view"])), frame["v"]
            if generation not in (None, self.view["you"].get("generation")):
                self._begin_a_life()
            if "next_seq" in self.view["you"]:
                self._next_seq_is(self.view["you"]["next_seq"])
            self.match_id = self.view["match"]["id"]
        elif kind == "e":
            assert frame["v"] == self.version + 1, (self.name, frame, self.version)
            self.version = frame["v"]
            fold(self.view, frame)
        if kind in ("e", "ack", "refused") and "seq" in frame:
            self.answers.setdefault(frame["seq"], []).append(frame)
            self.unanswered.pop(frame["seq"], None)
        self.heard.append(Heard(raw, frame, self.version))
        return frame

    def _begin_a_life(self) -> None:
        """A fresh page counts its commands from 1 again."""
        self.lives.append((self.sent, self.answers))
        self.sent, self.answers, self.unanswered = {}, {}, {}

    def _next_seq_is(self, next_seq: int) -> None:
        self.unanswered = {seq: said for seq, said in self.unanswered.items() if seq >= next_seq}
        self.seq = max([next_seq - 1, *self.unanswered])

    # -- coming in

    async def _come_in(self, **message: Any) -> "Bot":
        """Send a message that lets in, and hear all that it brings; a ping marks the end."""
        before = len(self.heard)
        await self.say(**message)
        await self.pong()
        for heard in self.heard[before:]:
            if heard.frame["t"] == "error":
                raise Denied(heard.frame)
        return self

    async def closed(self) -> int | None:
        """Hear all until the line is closed; return the code."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.hear()
        return self.close_code

    async def pong(self) -> None:
        """Hear all that was said so far."""
        self.pings += 1
        await self.say(t="ping", n=self.pings)
        while (frame := await self.hear())["t"] != "pong" or frame["n"] != self.pings:
            pass

    async def host(self, **options: Any) -> "Bot":
        """Make a room."""
        await self._come_in(t="host", name=self.name, token=self.token, options=options)
        await self.until(lambda: self.view)
        return self

    async def join(self, room: str) -> "Bot":
        """Take a seat; who comes too late looks on."""
        await self._come_in(t="join", name=self.name, token=self.token, room=room)
        await self.until(lambda: self.view)
        if self.seat is None:
            self.token = None
        return self

    async def watch(self, room: str) -> "Bot":
        """Look on."""
        self.token = None
        return await self._come_in(t="watch", room=room)

    async def resume(self, *, fresh: bool = False, **more: Any) -> "Bot":
        """Come back to the match: with the last version, or `fresh` like a page that was loaded anew."""
        message: dict[str, Any] = {"t": "resume", "match": self.match_id, **more}
        if self.token is not None:
            message["token"] = self.token
        if not fresh:
            message["version"] = self.version
            if self.seat is not None:
                message["generation"] = self.view["you"]["generation"]
        return await self._come_in(**message)

    async def come_back(self, fresh: bool = False) -> None:
        """Connect until it works, resume, send again what was not answered."""
        while True:
            try:
                await self.open()
                await self.resume(fresh=fresh)
                for message in [self.unanswered[seq] for seq in sorted(self.unanswered)]:
                    await self.say(**message)
            except (OSError, InvalidHandshake, InvalidMessage, EOFError):
                await asyncio.sleep(0.02 + 0.05 * self.random.random())
            except ConnectionClosed:
                assert self.close_code not in (4001, 4002, 4003), self.close_code
                await asyncio.sleep(0.02 + 0.05 * self.random.random())
            else:
                self.resumes += 1
                return

    # -- what it sees

    @property
    def match(self) -> View:
        """The match's part of the view."""
        return self.view["match"]

    @property
    def room(self) -> str:
        """The room's code."""
        return str(self.match["room"])

    @property
    def seat(self) -> int | None:
        """Its seat, None for a spectator."""
        return self.view["you"]["seat"] if self.view else None

    @property
    def board(self) -> View:
        """Its own board."""
        return self.view["boards"][str(self.seat)]

    async def until(self, holds: Callable[[], object]) -> None:
        """Hear frames until something holds."""
        while not holds():
            await self.hear()

    async def until_phase(self, *phases: str) -> None:
        """Hear frames until the match is in one of these phases."""
        await self.until(lambda: self.match["phase"] in phases)

    # -- what it does

    async def send(self, kind: str, **fields: Any) -> int:
        """Send a seat's command; return its seq."""
        self.seq += 1
        message = {"t": kind, "seq": self.seq, **fields}
        self.unanswered[self.seq] = self.sent[self.seq] = message
        await self.say(**message)
        return self.seq

    async def answer(self, seq: int) -> Frame:
        """Hear frames until the command is answered; return the first answer."""
        await self.until(lambda: seq in self.answers)
        return self.answers[seq][0]

    async def do(self, kind: str, **fields: Any) -> Frame:
        """Send a command and return its answer."""
        return await self.answer(await self.send(kind, **fields))

    async def must(self, kind: str, **fields: Any) -> Frame:
        """Do what may not be refused."""
        frame = await self.do(kind, **fields)
        assert frame["t"] == "e", frame
        return frame

    def choice(self, undo: float = 0.0, give_up: float = 0.0) -> tuple[str, dict[str, Any]] | None:
        """Return something that it may do now, None if it can only wait."""
        you, phase, hole = self.view["you"], self.match["phase"], self.match["hole"]
        if you["role"] != "seat":
            return None
        if phase == "between" and not self.view["seats"][str(self.seat)]["next"]:
            return "next", {"hole": hole}
        if phase != "playing":
            return None
        if you["moves"] and self.random.random() < give_up:
            return "give_up", {"hole": hole}
        if you["undo"] and self.random.random() < undo:
            return "undo", {"moves": you["move_count"], "undos": you["undo_count"]}
        if you["moves"]:
            plays = [move for move in you["moves"] if len(move) == 3]
            move = self.random.choice(plays if plays and self.random.random() < 0.85 else you["moves"])
            return self.move(move)
        return ("done", {"hole": hole}) if you["done"] else None

    def move(self, move: list[str]) -> tuple[str, dict[str, Any]]:
        """Return the command that makes an offered move."""
        if len(move) == 2:
            return "draw", {"stock": len(self.board["stock"])}
        return "play", {"source": move[0], "target": move[1], "card": move[2]}

    async def refresh(self) -> None:
        """Open a second line as the same page: what was folded so far equals the snapshot that it brings."""
        second = Bot(self.url, self.name, address=self.address)
        second.token, second.match_id, second.pings = self.token, self.match_id, self.pings
        await second.open()
        more = {} if self.seat is None else {"generation": self.view["you"]["generation"]}
        await second.resume(fresh=True, **more)
        shown = next(heard.frame for heard in second.heard if heard.frame["t"] == "snapshot")
        await self.until(lambda: self.version == shown["v"])
        assert self.view == shown["view"], (self.name, self.version)
        self.heard += second.heard
        if self.seat is None:
            self.heard = self.heard[: -len(second.heard)]
            await second.close()
            return
        await self.closed()
        assert self.close_code == 4001
        self.close_code = None
        self.ws, self.view, self.version = second.ws, second.view, second.version

    async def play(
        self,
        until: Callable[[], object] | None = None,
        *,
        peek: float = 0.0,
        undo: float = 0.0,
        give_up: float = 0.0,
        cut: float = 0.0,
        pause_s: float = 0.0,
        fresh: float = 0.0,
    ) -> None:
        """Play by itself until the match has ended (or `until` holds), coming back whenever the line is lost.

        `cut` is the chance to cut the line itself right after sending; `fresh`, to come back as a new page;
        `peek`, to compare what was folded with a fresh snapshot.
        """
        ends = until or (lambda: self.match["phase"] == "ended")
        while not ends():
            try:
                if not self.unanswered and self.random.random() < peek:
                    await self.refresh()
                    continue
                chosen = None if self.unanswered else self.choice(undo, give_up)
                if chosen is None:
                    await self.hear()
                    continue
                await self.send(chosen[0], **chosen[1])
                if pause_s:
                    await asyncio.sleep(pause_s * self.random.random())
                if self.random.random() < cut:
                    await asyncio.sleep(0.004 * self.random.random())
                    self.cut()
            except (ConnectionClosed, OSError):
                await self.closed()  # what had arrived is heard
                assert self.close_code not in (4001, 4002, 4003), self.close_code
                await self.come_back(self.random.random() < fresh)

    # -- what it saw of itself

    def acted(self) -> dict[int, list[tuple[int, list[str]]]]:
        """Return, for each hole, (version, step) of every move that it saw happen on its own board."""
        mine: dict[int, list[tuple[int, list[str]]]] = {}
        hole = 0
        for heard in self.heard:
            frame = heard.frame
            if frame["t"] == "snapshot":
                hole = frame["view"]["match"]["hole"]
            elif frame["t"] == "e":
                hole = frame.get("match", {}).get("hole", hole)
                for step in frame.get("moved", {}).get(str(self.seat), []):
                    mine.setdefault(hole, []).append((frame["v"], step))
        return mine
