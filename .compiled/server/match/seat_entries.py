"""Entries about who sits in a match: past tense, frozen, as `entries` has all others, and where they are stored from."""

from dataclasses import dataclass

from server.rules.players import Strength


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: int
    name: str
    token_hash: str
    generation: int


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A house player was given a seat. `token` is kept, so that any worker can speak for it; no viewer is told it."""

    seat: int
    name: str
    token_hash: str
    generation: int
    strength: Strength
    token: str


@dataclass(frozen=True, slots=True)
class SeatClaimed:
    """A newer page speaks for the seat now."""

    seat: int
    generation: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat was given up by its owner."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatKicked:
    """A seat was put out by another."""

    seat: int
    by: int


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Another seat hosts."""

    seat: int
