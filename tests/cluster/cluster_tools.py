"""A real cluster on loopback: three primaries and a replica of each, made by commands and ended by process."""

import contextlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.store.engine import engine_binary
from server.store.slots import SLOTS, slot_of

PATIENCE_S = 20.0
NODE_TIMEOUT_MS = 800


def free_port() -> int:
    """A port that is free, as is the one 10,000 above, which nodes speak to each other on."""
    while True:
        with socket.socket() as low, socket.socket() as high:
            low.bind(("127.0.0.1", 0))
            port: int = low.getsockname()[1]
            with contextlib.suppress(OSError):
                if port + 10_000 <= 65_535:
                    high.bind(("127.0.0.1", port + 10_000))
                    return port


def wait(holds: Callable[[], object], words: str) -> None:
    """Wait for something of the cluster to become true."""
    ends = time.monotonic() + PATIENCE_S
    while True:
        with contextlib.suppress(redis.RedisError):
            if holds():
                return
        assert time.monotonic() < ends, f"waited in vain: {words}"
        time.sleep(0.02)


class Node:
    """One engine of the cluster."""

    def __init__(self, home: Path, port: int) -> None:
        self.home, self.port = home, port
        self.process: subprocess.Popen[bytes] | None = None
        self.admin = redis.Redis(port=port, socket_timeout=5, retry=Retry(NoBackoff(), 0))

    def start(self) -> None:
        """Start it; it knows the cluster from its file, if it was in one."""
        self.home.mkdir(exist_ok=True)
        settings = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.home,
            "cluster-enabled": "yes",
            "cluster-node-timeout": NODE_TIMEOUT_MS,
            "cluster-replica-validity-factor": 0,
            "repl-diskless-sync-delay": 0,
            "repl-ping-replica-period": 1,
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        arguments = [str(part) for name, value in settings.items() for part in (f"--{name}", value)]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen([engine_binary(), *arguments], stdout=log, stderr=log)
        wait(self.admin.ping, "an engine")

    @property
    def id(self) -> str:
        """The node's name in the cluster."""
        return self.say("CLUSTER", "MYID").decode()

    @property
    def role(self) -> str:
        """What it is now: `master` or `slave`."""
        return self.say("ROLE")[0].decode()

    def say(self, *command: object) -> Any:
        """Send a command."""
        return self.admin.execute_command(*command)

    def send(self, what: signal.Signals) -> None:
        """Send a signal to it."""
        assert self.process is not None
        self.process.send_signal(what)

    def kill(self) -> None:
        """End it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)
            self.process = None


class Cluster:
    """Three primaries with a third of the slots each, and one replica of each."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="fw-cluster-", dir="/tmp"))
        ports: set[int] = set()
        while len(ports) < 6:
            ports.add(free_port())
        self.nodes = [Node(self.home / str(port), port) for port in sorted(ports)]
        self.primaries, self.replicas = self.nodes[:3], self.nodes[3:]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[::2])

    def start(self) -> None:
        """Start the nodes, let them meet, and wait until all slots are served and copied."""
        for node in self.nodes:
            node.start()
        for number, node in enumerate(self.primaries):
            node.say("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            first, end = SLOTS * number // 3, SLOTS * (number + 1) // 3
            node.say("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for node in self.nodes[1:]:
            node.say("CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port)
        for node in self.nodes:
            wait(lambda node=node: node.say("CLUSTER", "NODES").count(b"connected") == 6, "the nodes to meet")
        for primary, replica in zip(self.primaries, self.replicas, strict=True):
            wait(lambda r=replica, p=primary: r.say("CLUSTER", "REPLICATE", p.id), "a replica to be one")
        self.settle()

    def settle(self) -> None:
        """Wait until every node sees a whole cluster, and every replica is in step."""
        for node in self.nodes:
            wait(lambda node=node: b"cluster_state:ok" in node.say("CLUSTER", "INFO"), "the cluster")
            wait(lambda node=node: node.role == "master" or node.say("ROLE")[3] == b"connected", "a replica")
        for node in self.nodes:
            if node.role == "master":
                wait(lambda node=node: len(node.say("ROLE")[2]) > 0, "a primary's replica")

    def mend(self) -> None:
        """Start what was killed; it comes back as a replica of whoever took over."""
        for node in self.nodes:
            if node.process is None:
                node.start()
            else:
                node.send(signal.SIGCONT)
        self.settle()

    def owner(self, match_id: str) -> Node:
        """The primary that has a match."""
        return self.primary_of(slot_of(match_id))

    def primary_of(self, slot: int) -> Node:
        """The primary that has a slot, as it says itself."""
        for node in self.nodes:
            if node.process is None:
                continue
            for first, last, (_, port, *_), *_ in node.say("CLUSTER", "SLOTS"):
                if first <= slot <= last and port == node.port:
                    return node
        raise LookupError(slot)

    def replica_of(self, primary: Node) -> Node:
        """The node that copies a primary."""
        return next(node for node in self.nodes if node.role == "slave" and node.say("ROLE")[2] == primary.port)

    def cut_replicas_off(self, primary: Node) -> None:
        """From now on only the primary has what it is told; a stopped replica would still find it in its socket."""
        primary.say("CONFIG", "SET", "requirepass", "unknown to replicas")
        primary.say("CLIENT", "KILL", "TYPE", "replica")

    def move_slot(self, slot: int, source: Node, target: Node, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Take a slot from one primary to another, key by key as the engine's own tools do."""
        target.say("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source.say("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)
        while keys := source.say("CLUSTER", "GETKEYSINSLOT", slot, 1):
            source.say("MIGRATE", "127.0.0.1", target.port, "", 0, 5_000, "KEYS", *keys)
            meanwhile()
        for node in (target, source):
            node.say("CLUSTER", "SETSLOT", slot, "NODE", target.id)

    def move_slot_at_once(self, slot: int, source: Node, target: Node) -> None:
        """Take a slot from one primary to another in one step, as newer engines can."""
        source.say("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", target.id)
        wait(lambda: self.primary_of(slot) is target, "a slot to move")

    def errors(self) -> set[str]:
        """The first words of the errors that the nodes have answered with."""
        return {name.removeprefix("errorstat_") for node in self.nodes for name in node.admin.info("errorstats")}

    def clean(self) -> None:
        """End all processes and remove what they wrote."""
        for node in self.nodes:
            node.admin.close()
            if node.process is not None:
                node.send(signal.SIGCONT)
                node.kill()
        shutil.rmtree(self.home)
