"""Entries of a round of Spit: past tense, frozen, as `entries` has all others, and where they are stored from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SpitDealt:
    """A round is dealt from the deck of this code. `opened_at_ms` 0: at the entry's own time; `seconds` 0: no limit."""

    hole: int
    code: str
    opened_at_ms: int
    seconds: int


@dataclass(frozen=True, slots=True)
class SpitPlayed:
    """A seat played the top of a stockpile onto a heap or an empty place."""

    seat: int
    source: str
    target: str
    card: str


@dataclass(frozen=True, slots=True)
class SpitTurned:
    """Neither could play: both spat. `cards`: by heap what was turned, empty where a side had none."""

    cards: tuple[str, str]
