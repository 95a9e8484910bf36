"""What a seat, or somebody who wants one, asks of a match: imperative, frozen, judged by `decide` alone.

A command names what it acts on (a play its card, a draw the stock it saw), so that sending one again is
harmless. Random values (ids, secrets) come in as arguments: nothing here draws any.
"""

from dataclasses import dataclass
from typing import Final

from server.match.options import Options
from server.rules.players import Strength


@dataclass(frozen=True, slots=True)
class Join:
    """Take a free seat. `token_hash` is the hex SHA-256 of the page's secret token."""

    name: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A page without a generation takes its seat over from any older page."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat up for good."""

    seat: int


@dataclass(frozen=True, slots=True)
class Kick:
    """Put another seat out (the host's)."""

    seat: int
    whom: int


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a house player (the host's). `token` is what it will speak for its seat with, `token_hash` its SHA-256."""

    seat: int
    strength: Strength
    token: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Say ready for the start, or take it back. `nonce`: the seat's part in the deals, 128 bits in hex, or none."""

    seat: int
    ready: bool
    nonce: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """Start now, with those who are seated (the host's)."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetOptions:
    """Change the room before the start (the host's)."""

    seat: int
    options: Options


@dataclass(slots=True, unsafe_hash=True)
class PlayCard:
    """Play the block whose deepest card is `card`."""

    seat: Final[int]
    source: Final[str]
    target: Final[str]
    card: Final[str]

    def __init__(self, seat: int, source: str, target: str, card: str) -> None:
        self.seat = seat
        self.source = source
        self.target = target
        self.card = card


@dataclass(frozen=True, slots=True)
class SpitPlay:
    """Play the open card of a stockpile in Spit; `on` is the heap's top that it was meant for, empty for an empty place."""

    seat: int
    source: str
    target: str
    card: str
    on: str


@dataclass(slots=True, unsafe_hash=True)
class DrawCard:
    """Draw, having seen `stock` cards in the stock."""

    seat: Final[int]
    stock: Final[int]

    def __init__(self, seat: int, stock: int) -> None:
        self.seat = seat
        self.stock = stock


@dataclass(slots=True, unsafe_hash=True)
class Undo:
    """Take the last action back, having seen these counters."""

    seat: Final[int]
    moves: Final[int]
    undos: Final[int]

    def __init__(self, seat: int, moves: int, undos: int) -> None:
        self.seat = seat
        self.moves = moves
        self.undos = undos


@dataclass(frozen=True, slots=True)
class GiveUp:
    """End one's hole as it stands."""

    seat: int
    hole: int


@dataclass(frozen=True, slots=True)
class Done:
    """Accept being stuck."""

    seat: int
    hole: int


@dataclass(frozen=True, slots=True)
class CloseSeat:
    """Close the hole of a seat that has been offline for long."""

    seat: int
    whom: int
    hole: int


@dataclass(frozen=True, slots=True)
class Next:
    """Say ready for the hole after `hole`."""

    seat: int
    hole: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Name the next match of the same people. `secret` seeds its deals (hex, 256 bits)."""

    seat: int
    match_id: str
    room: str
    secret: str


Command = (
    Join
    | Claim
    | Leave
    | Kick
    | AddBot
    | Ready
    | Start
    | SetOptions
    | PlayCard
    | SpitPlay
    | DrawCard
    | Undo
    | GiveUp
    | Done
    | CloseSeat
    | Next
    | Rematch
)
