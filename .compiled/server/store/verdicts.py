"""Error replies that say that a command was not carried out, and what follows from each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Refusal:
    """Handed to a callback instead of a reply: the command was not carried out. `words` are the engine's."""

    code: str
    words: str


class Then(Enum):
    """What to do about an error reply that says that the command was not carried out."""

    LOAD = auto()
    """Load the scripts, then send it again."""
    AGAIN = auto()
    """Send it again after a while."""
    RECONNECT = auto()
    """Connect anew (a failover: the name may lead elsewhere by now), then send it again."""
    FOLLOW = auto()
    """Send it to the node that the reply names; without a cluster it is refused as `moved`."""


VERDICTS: Mapping[str, Then | str] = MappingProxyType(
    {
        "NOSCRIPT": Then.LOAD,
        "LOADING": Then.AGAIN,  # the engine started and reads its file
        "BUSY": Then.AGAIN,  # somebody's slow script holds it
        "TRYAGAIN": Then.AGAIN,  # a slot is on its way between nodes, and not all keys of a match are on one
        "CLUSTERDOWN": Then.AGAIN,  # a slot has no primary yet
        "MASTERDOWN": Then.AGAIN,
        "READONLY": Then.RECONNECT,  # this node is a replica now
        "UNBLOCKED": Then.RECONNECT,  # the same, said to one who waited for its replicas
        "MOVED": Then.FOLLOW,  # the slot is another node's
        "ASK": Then.FOLLOW,  # the match is on its way, and over there already
        "OOM": "oom",
        "MISCONF": "misconf",  # it cannot write its files
        "NOREPLICAS": "no_replicas",
        "NOPERM": "denied",
        "NOAUTH": "denied",
        "WRONGPASS": "denied",
    }
)
"""The first word of an error reply -> what follows, or the code to refuse with. All else: `refused`."""


def refusal_code(words: str) -> str:
    """The code that an error reply is refused with when it is not sent again."""
    verdict = VERDICTS.get(words.partition(" ")[0], "refused")
    if isinstance(verdict, str):
        return verdict
    return "moved" if verdict is Then.FOLLOW else "engine_away"


class Command:
    """One command on its way. `durable`: answered only when as many replicas as are wanted have it.

    `slot` is that of its key, by which it may be sent to another node; below 0 it belongs to its connection.
    """

    __slots__ = ("callback", "data", "durable", "slot", "tries")

    def __init__(self, data: bytes, callback: Callable[[object], None], slot: int, durable: bool = False) -> None:
        self.data = data
        self.callback = callback
        self.slot = slot
        self.durable = durable
        self.tries = 0
