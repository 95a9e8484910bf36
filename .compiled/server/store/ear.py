"""Subscriptions, on a connection of their own.

Law: whoever was confirmed once and is confirmed again has missed something in between, and is told so.
Publication only hurries; nothing here is relied on for order.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TypeVar

import hiredis

from server.store.errors import EngineError
from server.store.line import Address, Line, Part, pack
from server.store.verdicts import VERDICTS, Then, refusal_code

_Argument = TypeVar("_Argument")
Moved = Callable[[Address, str, "Subscription", str], None]

_PING_S = 1.0
_SILENT_PINGS = 5
_AGAIN_S = 0.25


class Subscription:
    """What somebody wants to hear; in a cluster it goes from ear to ear with its slot."""

    __slots__ = ("confirmed", "heard", "moves", "waiting")

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard
        self.confirmed = False
        self.moves = 0
        self.waiting: list[asyncio.Future[None]] = []

    def release(self, error: EngineError | None = None) -> None:
        """Let go who waits for the confirmation."""
        for future in self.waiting:
            if not future.done():
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)
        self.waiting.clear()

    async def wait(self, given_up: Callable[[], None]) -> None:
        """Wait for the confirmation; when nobody does any more, `given_up` is called."""
        if self.confirmed:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if not self.confirmed and future in self.waiting:
                self.waiting.remove(future)
                if not self.waiting:
                    given_up()
            raise


class Ear:
    """Listens to sharded channels; calls `heard(data)` for each publication, `lost(channel)` after a gap.

    A silent connection is probed every second and given up after five without an answer. `moved(address,
    channel, subscription, words)` takes a subscription that the engine says is another node's.
    """

    def __init__(self, address: Address, lost: Callable[[str], None], moved: Moved | None = None) -> None:
        self.address = address
        self._lost_callback, self._moved = lost, moved
        self._line = Line(address, on_open=self._opened, hear=self._heard, on_close=self._closed)
        self._wanted: dict[str, Subscription] = {}
        self._asked: deque[tuple[str, str]] = deque()
        self._buffer: list[bytes] = []
        self._flush_due = False
        self._unanswered = 0
        self._probe: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop

    @property
    def client_id(self) -> int | None:
        """The engine's id of the present connection, or of the last one."""
        return self._line.client_id

    def __len__(self) -> int:
        return len(self._wanted)

    def start(self) -> None:
        """Begin to connect; returns at once."""
        self._loop = asyncio.get_running_loop()
        self._line.start()

    async def subscribe(self, channel: str, heard: Callable[[bytes], None]) -> None:
        """Return once the engine has confirmed; what is published from then on is heard.

        Waits while the engine is away. Raises EngineError when it refuses (`denied`, `moved`).
        """
        subscription = self._wanted.get(channel)
        if subscription is None:
            subscription = self._wanted[channel] = Subscription(heard)
            self._ask("SSUBSCRIBE", channel)
        subscription.heard = heard
        await subscription.wait(lambda: self.unsubscribe(channel))

    def adopt(self, channel: str, subscription: Subscription, after_s: float = 0.0) -> None:
        """Go on with what another node's ear listened to."""
        self._wanted[channel] = subscription
        if after_s:
            self._loop.call_later(after_s, self._ask_again, channel)
        else:
            self._ask("SSUBSCRIBE", channel)

    def give_up(self, channel: str) -> Subscription | None:
        """Listen to a channel no more, but leave its subscription as it is, for another ear."""
        subscription = self._wanted.pop(channel, None)
        if subscription is not None:
            self._ask("SUNSUBSCRIBE", channel)
        return subscription

    def subscription(self, channel: str) -> Subscription | None:
        """What is wanted of a channel here."""
        return self._wanted.get(channel)

    @property
    def channels(self) -> list[str]:
        """What it listens to."""
        return list(self._wanted)

    def unsubscribe(self, channel: str) -> None:
        """Stop listening: nothing is heard any more from now on."""
        subscription = self.give_up(channel)
        if subscription is not None:
            subscription.release()

    async def close(self) -> None:
        """End the connection; who still waits for a confirmation gets EngineError `closed`."""
        if self._probe is not None:
            self._probe.cancel()
        await self._line.close()
        for subscription in self._wanted.values():
            subscription.release(EngineError("closed", "the store was closed"))
        self._wanted.clear()

    def _ask(self, command: str, *channel: str) -> None:
        if not self._line.is_open:
            return  # `_opened` asks for all that is wanted
        self._asked.append((command, channel[0] if channel else ""))
        parts: tuple[Part, ...] = (command, *channel)
        self._buffer.append(pack(parts))
        if not self._flush_due:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_due = False
        data, self._buffer = b"".join(self._buffer), []
        self._line.write(data)

    def _opened(self) -> None:
        for channel in self._wanted:
            self._ask("SSUBSCRIBE", channel)
        self._unanswered = 0
        self._probe = self._loop.call_later(_PING_S, self._ping)

    def _closed(self) -> None:
        self._asked.clear()
        self._buffer.clear()
        if self._probe is not None:
            self._probe.cancel()

    def _ping(self) -> None:
        if self._unanswered >= _SILENT_PINGS:
            self._line.drop()
            return
        self._unanswered += 1
        self._ask("PING")
        self._probe = self._loop.call_later(_PING_S, self._ping)

    def _heard(self, reply: object) -> None:
        self._unanswered = 0
        if type(reply) is list and len(reply) == 3 and reply[0] == b"smessage":  # nearly all: not by a pattern
            subscription = self._wanted.get(reply[1].decode())
            if subscription is not None:
                self._call(subscription.heard, reply[2])
            return
        match reply:
            case [b"ssubscribe", bytes(channel), _]:
                self._answered("SSUBSCRIBE", channel.decode())
                self._confirm(channel.decode())
            case [b"sunsubscribe", bytes(channel), _]:
                # Unasked, it means that the channel's slot moved away: ask again, and so hear of the gap.
                if not self._answered("SUNSUBSCRIBE", channel.decode()) and channel.decode() in self._wanted:
                    self._ask("SSUBSCRIBE", channel.decode())
            case [b"pong", _] | b"PONG":
                self._answered("PING", "")
            case hiredis.ReplyError() if self._asked:
                command, channel_name = self._asked.popleft()
                if command == "SSUBSCRIBE" and channel_name in self._wanted:
                    self._refused(channel_name, str(reply))

    def _refused(self, channel: str, words: str) -> None:
        verdict = VERDICTS.get(words.partition(" ")[0])
        if verdict in (Then.AGAIN, Then.RECONNECT):  # what was heard before must not fall silent for good
            self._loop.call_later(_AGAIN_S, self._ask_again, channel)
            return
        subscription = self._wanted.pop(channel)
        if verdict is Then.FOLLOW and self._moved is not None:
            self._moved(self.address, channel, subscription, words)
        else:
            subscription.release(EngineError(refusal_code(words), words))

    def _ask_again(self, channel: str) -> None:
        if channel in self._wanted:
            self._ask("SSUBSCRIBE", channel)

    def _answered(self, command: str, channel: str) -> bool:
        if self._asked and self._asked[0] == (command, channel):
            self._asked.popleft()
            return True
        return False

    def _confirm(self, channel: str) -> None:
        subscription = self._wanted.get(channel)
        if subscription is None:
            return
        if subscription.confirmed:
            self._call(self._lost_callback, channel)
        subscription.confirmed = True
        subscription.moves = 0
        subscription.release()

    def _call(self, callback: Callable[[_Argument], None], argument: _Argument) -> None:
        try:
            callback(argument)
        except Exception as error:
            self._loop.call_exception_handler({"message": "a subscriber failed", "exception": error})
