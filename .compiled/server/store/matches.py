"""The matches of an engine or a cluster: create, append, read, subscribe, and who is there. A match is its stream.

It keeps the laws of the stream and knows nothing of what the entries mean. Appends go over the pipelined
connection and are never refused for time; all else is awaited and raises EngineError.
"""

import itertools
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from server.store.asking import ask_many
from server.store.client import Client
from server.store.cluster_client import ClusterClient
from server.store.ear import Ear
from server.store.ears import Ears
from server.store.engine import EngineFacts, check_facts
from server.store.entries import (
    Already,
    Appended,
    Conflict,
    Fenced,
    Gone,
    Head,
    Item,
    Refused,
    Result,
    Stored,
    chain,
    head_of,
    publication,
    result_of,
    stored,
    stored_from_publication,
    told,
    word_of,
    word_publication,
)
from server.store.line import Part, is_cluster, parse_address, parse_addresses
from server.store.pipeline import Pipeline, State
from server.store.router import Router
from server.store.scripts import load_script
from server.store.slots import SlotMap
from server.store.verdicts import Refusal

__all__ = [
    "Already",
    "Appended",
    "Conflict",
    "Fenced",
    "Gone",
    "Head",
    "Item",
    "Matches",
    "Refused",
    "Result",
    "State",
    "Stored",
    "chain",
]

OUTAGE_MS = 2_000
MOST_OUTAGES = 1_000


@lru_cache(4096)
def _append_to(sha: str, match_id: str) -> tuple[Part, ...]:
    """What every append to a match begins with."""
    return (b"EVALSHA", sha, b"3", *(_key(match_id, kind) for kind in "shpc"))


def _key(match_id: str, kind: str) -> str:
    """All keys of a match share its hash tag, and so one node and one script."""
    return f"fw:{{{match_id}}}:{kind}"


def _room_key(room_code: str) -> str:
    return f"fw:room:{{{room_code}}}"


class Matches:
    """Opened on one engine, or on a cluster (`redis+cluster://`), whose nodes share its matches by their ids.

    Made by the app inside the running loop; `close` it there.

    `lost(match_id)` is called when a subscription was interrupted: read again from the last version known.
    `on_state` hears whether the engine answers ("up", "down"); both are called from the loop. With `replicas`
    an append is answered, and published, once so many of them have it (or did not answer in time).
    """

    def __init__(
        self,
        url: str,
        *,
        lost: Callable[[str], None],
        on_state: Callable[[State], None] | None = None,
        connections: int = 8,
        timeout_s: float = 5.0,
        stall_after_s: float = 2.0,
        reply_timeout_s: float = 6.0,
        replicas: int = 0,
    ) -> None:
        self._replicas, self._timeout_s = replicas, timeout_s
        self._append = load_script("append")
        self._create = load_script("create")
        self._touch = load_script("touch")
        self._beat = load_script("beat")
        self._hold_room = load_script("hold_room")
        self._client: Client
        self.pipeline: Pipeline | Router
        self.ear: Ear | Ears
        self._router: Router | None = None

        def lost_channel(channel: str) -> None:
            lost(channel[channel.index("{") + 1 : channel.index("}")])

        options: dict[str, Any] = {
            "scripts": [self._append],
            "on_state": on_state,
            "stall_after_s": stall_after_s,
            "reply_timeout_s": reply_timeout_s,
            "replicas": replicas,
        }
        if is_cluster(url):
            slots = SlotMap(parse_addresses(url))
            self._client = ClusterClient(url, slots, connections=connections, timeout_s=timeout_s)
            self.pipeline = self._router = Router(slots, **options)
            self.ear = Ears(slots, lost_channel)
        else:
            address = parse_address(url)
            self._client = Client(url, connections=connections, timeout_s=timeout_s)
            self.pipeline = Pipeline(address, **options)
            self.ear = Ear(address, lost_channel)
        # Names an append, so that one sent again is known by the engine as the one that it carried out.
        self._author = secrets.token_urlsafe(6)
        self._own = f" {self._author}".encode()
        self._numbers = itertools.count()
        self.pipeline.start()
        self.ear.start()

    async def close(self) -> None:
        """Wait briefly for outstanding appends, then close all connections."""
        await self.pipeline.close()
        await self.ear.close()
        await self._client.close()

    async def check_engine(self) -> EngineFacts:
        """Raise EngineUnfit for an engine that cannot keep the promises, EngineError when it is away."""
        infos = await self._client.everywhere("INFO", "everything")
        facts = [check_facts(info, cluster=self._router is not None) for info in infos]
        return facts[0]

    # The stream

    async def create(self, match_id: str, payload: bytes, ttl_ms: int) -> tuple[bool, int]:
        """Make a match whose version 1 is `payload`: (made now, engine's ms). Made twice, it is made once."""
        keys = (_key(match_id, "s"), _key(match_id, "h"))
        made, at_ms = await self._client.run(self._create, keys, payload, _checked(ttl_ms))
        return made == 1, at_ms

    def append(
        self,
        match_id: str,
        version: int,
        items: Sequence[Item],
        ttl_ms: int,
        done: Callable[[Result], None],
        digest: str = "",
    ) -> None:
        """Append all items after `version`, or none; they live at least `ttl_ms` from now (to a sixteenth).

        With `digest`, only if the history up to there is the one that it belongs to (see `Head`).

        `done` gets the result later, exactly once, from the connection's callback. The appends of one loop
        tick are one write. While the engine is away it waits; a lost connection is made good before it
        answers.
        """
        if not items:
            raise ValueError("an append has at least one item")
        name = f"{self._author}{next(self._numbers):x}"
        parts: list[Part] = [*_append_to(self._append.sha, match_id), version, digest, _checked(ttl_ms), name]
        _, _, _, key, _, _, channel, *_ = parts
        if self._replicas:
            parts[6] = ""
        for item in items:
            parts += (item.seat, item.generation, item.seq, item.payload)

        def answered(reply: object) -> None:
            done(Refused(reply.code, reply.words) if type(reply) is Refusal else result_of(reply))

        def replicated(reply: object) -> None:
            result = Refused(reply.code, reply.words) if type(reply) is Refusal else result_of(reply)
            if isinstance(result, Appended):  # nobody hears of it before, or it would be as good as acked
                self.pipeline.submit(("SPUBLISH", channel, publication(result, name, items)), key=str(key))
            done(result)

        self.pipeline.submit(tuple(parts), replicated if self._replicas else answered, str(key), durable=True)

    async def read(self, match_id: str, after: int = 0) -> list[Stored] | None:
        """The entries with a version above `after`, in order; None when there is no such match."""
        history = await self.history(match_id, after)
        return None if history is None else history[1]

    async def history(self, match_id: str, after: int = 0) -> tuple[Head, list[Stored]] | None:
        """Do what `read` does, and tell the match's head: it is among the entries, or at or before `after`."""
        # Asked in this order, a match that expires in between is gone, never one without entries.
        first, entries, last = await self._client.many(
            [
                ("HMGET", _key(match_id, "h"), "v", "d"),
                ("XRANGE", _key(match_id, "s"), f"{after + 1}-0", "+"),
                ("EXISTS", _key(match_id, "h")),
            ]
        )
        head = head_of(first)
        if head is None or not last:
            return None
        return head, told([stored(entry_id, fields) for entry_id, fields in entries], head)

    async def heads(self, match_ids: Collection[str]) -> dict[str, Head | None]:
        """How far many matches are; None for one that is gone."""
        replies = await self._ask_many([("HMGET", _key(match_id, "h"), "v", "d") for match_id in match_ids])
        return {match_id: head_of(reply) for match_id, reply in zip(match_ids, replies, strict=True)}

    async def subscribe(
        self,
        match_id: str,
        heard: Callable[[list[Stored]], None],
        *,
        own: bool = True,
        word: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Return once confirmed; `heard` then gets the entries of each append by anybody, `word` what is passed on.

        Without `own` those of this worker are left out unread: `append` answers them. Publications of one match come
        in order, but one may be missing or known: compare versions.
        """
        mine = self._own

        def published(data: bytes) -> None:
            if not own and mine in data[: data.index(b"\n")]:
                return
            passed_on = word_of(data)
            if passed_on is None:
                heard(stored_from_publication(data))
            else:
                word(passed_on)

        await self.ear.subscribe(_key(match_id, "c"), published)

    def pass_on(self, match_id: str, word: str) -> None:
        """Let the other workers that listen to a match hear a word, without spaces; it is kept nowhere.

        Publication promises nothing: while the engine is away a word may be lost.
        """
        channel = _key(match_id, "c")
        self.pipeline.submit(("SPUBLISH", channel, word_publication(self._author, word)), key=channel)

    async def unsubscribe(self, match_id: str) -> None:
        """Nothing of this match is heard any more from now on."""
        self.ear.unsubscribe(_key(match_id, "c"))

    # Who is there

    async def touch(self, match_id: str, members: Mapping[str, int]) -> None:
        """Lease each member ("seat:connection") for so many ms, by the engine's clock; 0 ends it now."""
        await self.touch_many({match_id: members})

    async def touch_many(self, batch: Mapping[str, Mapping[str, int]]) -> None:
        """Do what `touch` does, for many matches. A match that is gone is passed over."""
        await self._client.run_many(
            self._touch,
            [
                (
                    (_key(match_id, "p"), _key(match_id, "h")),
                    [part for member, lease_ms in members.items() for part in (member, lease_ms)],
                )
                for match_id, members in batch.items()
                if members
            ],
        )

    async def presence(self, match_ids: Collection[str]) -> dict[str, dict[str, int]]:
        """Each match's members and when their leases run or ran out (engine's ms), back to an hour ago."""
        replies = await self._ask_many(
            [("ZRANGE", _key(match_id, "p"), 0, -1, "WITHSCORES") for match_id in match_ids]
        )
        return {
            match_id: {member.decode(): int(expiry) for member, expiry in zip(flat[::2], flat[1::2], strict=True)}
            for match_id, flat in zip(match_ids, replies, strict=True)
        }

    async def _ask_many(self, commands: list[tuple[Part, ...]]) -> list[Any]:
        # While it is down, what nobody waits for any more must not pile up there in front of appends.
        if isinstance(self.pipeline, Pipeline) and self.pipeline.state == "up":
            return await ask_many(self.pipeline, commands, self._timeout_s)
        return await self._client.many(commands)

    # The engine's pulse

    async def beat(self) -> tuple[int, int | None]:
        """The engine's time in ms, and how long the outage was that this beat ended: over 2 s without one.

        A cluster beats as a whole: while one of its primaries is away there is no beat, and it waits.
        """
        if self._router is not None:
            await self._router.reach_all()
        now_ms, gap_ms = await self._client.run(
            self._beat, ("fw:{beat}", "fw:{beat}:outages"), OUTAGE_MS, MOST_OUTAGES
        )
        return now_ms, gap_ms if gap_ms >= 0 else None

    async def outages(self) -> list[tuple[int, int]]:
        """The last 1,000 outages as (from, to) in the engine's ms, oldest first."""
        (lines,) = await self._client.many([("LRANGE", "fw:{beat}:outages", 0, -1)])
        return [(int(start), int(end)) for start, end in (line.split() for line in lines)]

    # House players

    async def hold_seat(self, match_id: str, seat: int, hold_ms: int) -> bool:
        """Whether the caller is to bring a house player to this seat: nobody else has been for so long."""
        key = _key(match_id, f"b{seat}")
        return bool(await self._client.run(self._hold_room, (key,), self._author, _checked(hold_ms)) == 1)

    async def let_seat_go(self, match_id: str, seat: int) -> None:
        """Let anybody bring a house player to this seat from now on."""
        await self._client.many([("DEL", _key(match_id, f"b{seat}"))])

    # Room codes

    async def claim_room(self, room_code: str, match_id: str, ttl_ms: int) -> bool:
        """Whether the code is this match's now: it was free, or its own already."""
        held = await self._client.run(self._hold_room, (_room_key(room_code),), match_id, _checked(ttl_ms))
        return bool(held == 1)

    async def find_room(self, room_code: str) -> str | None:
        """The match that a room code leads to."""
        (holder,) = await self._client.many([("GET", _room_key(room_code))])
        return None if holder is None else holder.decode()

    async def keep_room(self, room_code: str, match_id: str, ttl_ms: int) -> bool:
        """Let the code live for another `ttl_ms`; False when it is another match's by now."""
        return await self.claim_room(room_code, match_id, ttl_ms)


def _checked(ttl_ms: int) -> int:
    if ttl_ms <= 0:
        raise ValueError("a time to live is above 0 ms")
    return ttl_ms
