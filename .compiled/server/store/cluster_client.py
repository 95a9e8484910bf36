"""The awaited commands of a cluster: a bounded redis-py pool for each primary, and batches parted by slot.

Law: as with one engine, everything sent here may be sent twice. What a node did not take is sent again where it
belongs by then, until time is up; then it is `engine_away`.

redis-py's own cluster client is not used: when one node fails it closes the connections to all, and when a pool is
used up it raises where this one waits.
"""

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from redis import exceptions

from server.store.client import Argument, Client, Sent, engine_error
from server.store.errors import EngineError
from server.store.line import Address, is_cluster, parse_addresses
from server.store.pipeline import pause_s
from server.store.slots import SlotMap, slot_of


def open_client(url: str, *, connections: int, timeout_s: float) -> Client:
    """The client for an address, of one engine or of a cluster."""
    if not is_cluster(url):
        return Client(url, connections=connections, timeout_s=timeout_s)
    return ClusterClient(url, SlotMap(parse_addresses(url)), connections=connections, timeout_s=timeout_s)


class ClusterClient(Client):
    """Looks like one `Client`. It closes the slots' map that it was given with itself."""

    def __init__(self, url: str, slots: SlotMap, *, connections: int = 8, timeout_s: float = 5.0) -> None:
        self._url, self._slots, self._connections, self._timeout_s = url, slots, connections, timeout_s
        self._nodes: dict[Address, Client] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        slots.on_change(self._changed)

    async def close(self) -> None:
        """Close all pools."""
        await self._slots.close()
        for task in self._leaving:
            task.cancel()
        await asyncio.gather(
            *(client.close() for client in self._nodes.values()), *self._leaving, return_exceptions=True
        )

    async def everywhere(self, *command: Argument) -> list[Any]:
        """Ask each primary."""
        async with asyncio.timeout(self._timeout_s):
            await self._slots.look()
        if not self._slots.complete:
            raise EngineError("engine_away", "not every slot of the cluster has a primary")
        answers = await asyncio.gather(*(self._client(node).many([command]) for node in self._slots.primaries))
        return [answer for (answer,) in answers]

    async def _send(self, batch: Sequence[Sent]) -> list[Any]:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timeout_s
        replies: list[Any] = [EngineError("engine_away", "not sent")] * len(batch)
        left = list(range(len(batch)))
        asked: dict[int, Address] = {}
        tries = 0
        while True:
            groups: dict[Address, list[int]] = {}
            for index in left:
                node = asked.get(index) or self._slots.owner(slot_of(_key_of(batch[index])))
                if node is not None:
                    groups.setdefault(node, []).append(index)
            await asyncio.gather(*(self._ask(node, batch, group, asked, replies) for node, group in groups.items()))
            asked.clear()
            left = [index for index in left if _passes(replies[index])]
            tries += 1
            if not left:
                return replies
            if loop.time() > until:
                for index in left:
                    replies[index] = EngineError("engine_away", str(replies[index]))
                return replies
            for index in left:
                reply = replies[index]
                if type(reply) is exceptions.AskError:
                    asked[index] = self._slots.node(f"{reply.host}:{reply.port}", next(iter(self._slots.primaries)))
            if tries > 1 or not asked:
                await asyncio.gather(self._slots.look(), asyncio.sleep(pause_s(tries)))

    async def _ask(
        self, node: Address, batch: Sequence[Sent], group: list[int], asked: dict[int, Address], replies: list[Any]
    ) -> None:
        """Send a part of a batch to one node, and put its answers in their places."""
        commands: list[Sent] = []
        places: list[int | None] = []
        for index in group:
            if index in asked:
                commands.append(("ASKING",))
                places.append(None)
            commands.append(batch[index])
            places.append(index)
        try:
            answers = await self._client(node)._send(commands)
        except EngineError as error:
            answers = [error] * len(commands)
        for place, answer in zip(places, answers, strict=True):
            if place is not None:
                replies[place] = answer

    def _client(self, node: Address) -> Client:
        client = self._nodes.get(node)
        if client is None:
            # Half the time a try, and no tries of its own: by the next one the slot may be another node's.
            url = _node_url(self._url, node)
            client = Client(url, connections=self._connections, timeout_s=self._timeout_s / 2, retries=0)
            self._nodes[node] = client
        return client

    def _changed(self) -> None:
        for node in [node for node in self._nodes if node not in self._slots.primaries]:
            task = asyncio.get_running_loop().create_task(self._leave(self._nodes.pop(node)))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    async def _leave(self, client: Client) -> None:
        try:
            await asyncio.sleep(self._timeout_s)  # until nobody waits for its answer any more
        finally:
            await client.close()


def _key_of(command: Sent) -> str:
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])


def _passes(reply: object) -> bool:
    """Whether the slot is elsewhere, or on its way, or its primary is just being replaced."""
    if isinstance(reply, Exception) and not isinstance(reply, EngineError):
        reply = engine_error(reply)
    return isinstance(reply, EngineError) and reply.code in ("engine_away", "moved")


def _node_url(url: str, node: Address) -> str:
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    host = f"[{node.host}]" if ":" in node.host else node.host
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme.removesuffix('+cluster')}://{user}{at}{host}:{node.port}/0{query}"
