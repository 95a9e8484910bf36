"""One house player: a page without a face. It connects to the server's own port and speaks the public protocol.

Law: it knows what frames told it and nothing else; this module touches no room, no hub and no store. It makes one move
at a time at a person's pace, hurries once no person still plays, and goes when it is not wanted any more.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from server.match.patch import fold
from server.protocol.client import PROTOCOL
from server.rules.base import rules_named
from server.rules.games import GAMES, mind_of
from server.rules.players import Mind, Strength
from server.rules.table import Draw
from server.runtime.ids import new_token
from server.runtime.session import BYE, RELOAD, REPLACED

ABSENT_MS: Final = 90_000
"""So long it waits for people who are all offline; when one comes back it is called again."""
PATIENCE_S: Final = 30.0
"""So long it tries to get through to the server; whoever holds the match then calls it again."""
LOOK_S: Final = 5.0
FINAL: Final = (REPLACED, BYE, RELOAD)

Frame = dict[str, Any]
Wish = tuple[str, float, Callable[[], Frame]]
"""What it would do next: a name for the occasion, seconds until then, and the message."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between moves, on the average; everything else follows from them."""

    move_s: float = 2.0

    def think(self, random: Random) -> float:
        """Draw the seconds before a move: from 0.6 to 1.4 times the average."""
        return self.move_s * (0.6 + 0.8 * random.random())

    @property
    def hurry_s(self) -> float:
        """Seconds before a move that people wait for."""
        return self.move_s / 8


class HousePlayer:
    """Plays one seat of one match until it is over, or nobody is left to play with."""

    def __init__(self, url: str, match_id: str, token: str, strength: Strength, pace: Pace, seed: int) -> None:
        self._url, self._match_id, self._token, self._strength = url, match_id, token, strength
        self._pace, self._random = pace, Random(seed)  # noqa: S311 - chance of a game
        self._view: Frame = {}
        self._version = 0
        self._ahead_ms = 0.0
        self._absent_since_ms: int | None = None
        self._seq = 0
        self._asked: Frame | None = None
        self._wish = ""
        self._wish_at_s = 0.0
        self._mind: tuple[int, Mind] | None = None
        self._over = False

    async def run(self) -> None:
        """Play to the end, coming back as a page does whenever the line is lost."""
        loop = asyncio.get_running_loop()
        tried_from_s = loop.time()
        while not self._over and loop.time() - tried_from_s < PATIENCE_S:
            try:
                async with connect(
                    self._url, compression=None, proxy=None, ping_interval=None, close_timeout=1, max_size=None
                ) as line:
                    await self._greet(line)
                    tried_from_s = loop.time()
                    await self._stay(line)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FINAL:
                    return
            except (OSError, TimeoutError, EOFError, InvalidHandshake, InvalidMessage):
                pass
            if not self._over:
                await asyncio.sleep(0.2 + 0.6 * self._random.random())

    async def _greet(self, line: ClientConnection) -> None:
        await line.send(json.dumps({"t": "hello", "protocol": PROTOCOL}))
        resume: Frame = {"t": "resume", "match": self._match_id, "token": self._token}
        if self._view:
            resume |= {"version": self._version, "generation": self._view["you"]["generation"]}
        await line.send(json.dumps(resume))
        if self._asked is not None:
            await line.send(json.dumps(self._asked))

    async def _stay(self, line: ClientConnection) -> None:
        """Hear and act until the line or the match is over."""
        loop = asyncio.get_running_loop()
        while not self._over:
            wish = self._next_wish()
            wait_s = LOOK_S if wish is None else min(LOOK_S, self._wish_at_s - loop.time())
            if wait_s > 0:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait_s):
                        self._hear(json.loads(await line.recv()))
                continue
            if wish is not None:
                await self._act(line, wish)

    # -- hearing

    def _hear(self, frame: Frame) -> None:
        kind = frame["t"]
        if kind == "snapshot":
            self._view, self._version = frame["view"], frame["v"]
            self._ahead_ms = frame["now"] - 1000 * asyncio.get_running_loop().time()
            self._seq = max(self._seq, frame["view"]["you"].get("next_seq", 1) - 1)
        elif kind == "e":
            self._version = frame["v"]
            fold(self._view, frame)
        elif kind == "presence":
            self._heard_presence(frame["seats"])
        elif kind in ("gone", "replaced") or (kind == "error" and not self._view):
            self._over = True
        if kind in ("e", "ack", "refused") and self._asked is not None and frame.get("seq") == self._asked["seq"]:
            self._asked = None
            self._wish = ""
        if self._view:
            you, phase = self._view["you"], self._view["match"]["phase"]
            self._over = self._over or phase == "ended" or you["role"] != "seat" or self._deserted()

    def _heard_presence(self, offline_since: dict[str, int | None]) -> None:
        people = [n for n, seat in self._view["seats"].items() if not seat["bot"] and n in offline_since]
        since = [offline_since[number] for number in people]
        away = [ms for ms in since if ms is not None]
        self._absent_since_ms = max(away, default=0) if len(away) == len(since) else None

    def _now_ms(self) -> float:
        return 1000 * asyncio.get_running_loop().time() + self._ahead_ms

    def _deserted(self) -> bool:
        return self._absent_since_ms is not None and self._now_ms() - self._absent_since_ms > ABSENT_MS

    # -- acting

    def _next_wish(self) -> Wish | None:
        """Return what it would do next; the moment is drawn anew for each occasion."""
        if not self._view or self._asked is not None:
            return None
        wish = self._wanted()
        if wish is not None and wish[0] != self._wish:
            self._wish, self._wish_at_s = wish[0], asyncio.get_running_loop().time() + wish[1]
        return wish

    def _wanted(self) -> Wish | None:
        match, you = self._view["match"], self._view["you"]
        seat = self._view["seats"][str(you["seat"])]
        phase, hole, pace = match["phase"], match["hole"], self._pace
        if phase in ("lobby", "countdown"):
            if seat["ready"]:
                return None
            return "ready", pace.move_s / 4, lambda: {"t": "ready", "ready": True, "nonce": new_token()}
        if phase == "between":
            if seat["next"]:
                return None
            return f"next {hole}", pace.think(self._random), lambda: {"t": "next", "hole": hole}
        if phase != "playing" or seat["ended"]:
            return None
        occasion = f"{hole} {you['move_count']} {self._hurried()}"
        pause_s = pace.hurry_s if self._hurried() else pace.think(self._random) * (1 if you["move_count"] else 2)
        if you["moves"]:
            return occasion, pause_s, self._move
        if you["done"]:
            return f"{occasion} done", pause_s, lambda: {"t": "done", "hole": hole}
        return None

    def _hurried(self) -> bool:
        """Say whether people wait for it, or the hole's time is running out."""
        match, seats = self._view["match"], self._view["seats"]
        people = [seat for seat in seats.values() if not seat["bot"]]
        if all(seat["ended"] or seat["state"] in ("left", "kicked") for seat in people):
            return True
        left_ms = (match["deadline"] or float("inf")) - self._now_ms()
        return left_ms < 60 * 1000 * self._pace.hurry_s

    def _move(self) -> Frame:
        """Choose a move from the own board as it was told."""
        match, you = self._view["match"], self._view["you"]
        board = self._view["boards"][str(you["seat"])]
        if self._mind is None or self._mind[0] != match["hole"]:
            game = GAMES[match["game"]]
            rules = rules_named(game, match["rule"])
            self._mind = match["hole"], mind_of(game, self._strength, rules, self._random.randrange)
        move = self._mind[1].choose(board)
        if move is None:
            return {"t": "done", "hole": match["hole"]}  # only where no loss is declared, so that it may say so
        if isinstance(move, Draw):
            return {"t": "draw", "stock": len(board["stock"])}
        return {"t": "play", "source": move.source, "target": move.target, "card": board[move.source][-move.count]}

    async def _act(self, line: ClientConnection, wish: Wish) -> None:
        make = wish[2]
        # A strong player may think for some milliseconds, in which the others are not to wait.
        message = await asyncio.to_thread(make)
        self._seq += 1
        self._asked = {**message, "seq": self._seq}
        await line.send(json.dumps(self._asked))
