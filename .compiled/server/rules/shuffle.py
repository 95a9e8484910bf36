"""From numbers to decks and back, exactly as docs/deals.md says, and how a match's secret gives numbers.

Pure functions of their arguments; what is written here never changes, or old codes would deal other cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import factorial
from typing import Final

from server.rules.cards import DECK, Card, check_deck, deck_with

DECKS: Final = factorial(len(DECK))
"""How many orders 52 cards have."""


def orders(jokers: int, decks: int = 1) -> int:
    """Give how many orders the cards of one deck or two have with so many jokers, 0 to 2."""
    return factorial(len(deck_with(jokers, decks)))


SECRET_BYTES: Final = 16
"""The shortest secret allowed, 128 bits: a shorter one could be searched."""

_HOLES: Final = 1 << 32
_HOLE_TAG: Final = b"fairway/hole/1:"

NONCE_BYTES: Final = 16
"""What a seat adds to the deals of its match: 128 bits of its own."""

_MIXED_TAG: Final = b"fairway/nonces/2:"
_MIXED_HOLE_TAG: Final = b"fairway/hole/2:"


def shuffled(key: bytes, jokers: int = 0, decks: int = 1) -> tuple[Card, ...]:
    """Give the deck that this key shuffles, in dealing order."""
    stream = _stream(key)
    deck = list(deck_with(jokers, decks))
    for last in range(len(deck) - 1, 0, -1):
        other = _below(stream, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def _stream(key: bytes) -> Iterator[int]:
    """Give the bytes of SHA-256 in counter mode over the key, without end."""
    counter = 0
    while True:
        yield from sha256(key + counter.to_bytes(4, "big")).digest()
        counter += 1


def _below(stream: Iterator[int], bound: int) -> int:
    """Take a number from 0 to bound - 1 from the bytes, each equally likely; bound is at most 256.

    A byte past the last full run of `bound` is skipped. Single bytes rather than wide words, so that this
    happens in every deal and an implementation that forgets it fails the test vectors.
    """
    full = 256 - 256 % bound
    byte = next(stream)
    while byte >= full:
        byte = next(stream)
    return byte % bound


def rank_of_deck(deck: Sequence[Card], jokers: int = 0, decks: int = 1) -> int:
    """Give the place of this order, from 0, among all orders sorted by the deck order. Raises CardsError."""
    check_deck(deck, jokers, decks)
    unused = list(deck_with(jokers, decks))
    place = 0
    for card in deck:
        smaller = unused.index(card)
        place = place * len(unused) + smaller
        del unused[smaller]
    return place


def deck_of_rank(place: int, jokers: int = 0, decks: int = 1) -> tuple[Card, ...]:
    """Give the order at this place, from 0 to `orders(jokers, decks)` - 1. Raises ValueError."""
    unused = list(deck_with(jokers, decks))
    if not 0 <= place < orders(jokers, decks):
        raise ValueError(f"a deck's rank is from 0 to {len(unused)}! - 1")
    digits: list[int] = []
    for base in range(1, len(unused) + 1):
        place, digit = divmod(place, base)
        digits.append(digit)
    return tuple(unused.pop(digit) for digit in reversed(digits))


def hole_value(secret: bytes, hole: int) -> int:
    """Give the 128-bit value of a match's hole, counted from 1, by the first derivation: the secret alone.

    One way: it tells nothing of the secret or of other holes. Raises ValueError for a secret under 16 bytes
    or a hole outside 1 to 2^32 - 1.
    """
    return _value(_HOLE_TAG, secret, b"", hole)


def mixed_hole_value(secret: bytes, nonces: Mapping[int, bytes], hole: int, attempt: int = 0) -> int:
    """Give a hole's value by the second derivation: secret and nonces, those by the number of their seat.

    `attempt` counts the deals that were drawn for the hole before and not taken. One way as the first is; whoever
    gave a nonce knows that the deals were not chosen without it. Raises ValueError as the first does, and for a nonce
    that is not 16 bytes or of no seat.
    """
    if any(len(nonce) != NONCE_BYTES for nonce in nonces.values()):
        raise ValueError("a nonce has 16 bytes")
    listed = b"".join(seat.to_bytes(1, "big") + nonce for seat, nonce in sorted(nonces.items()))
    mixed = sha256(_MIXED_TAG + listed).digest()
    return _value(_MIXED_HOLE_TAG, secret, mixed, hole, attempt.to_bytes(4, "big"))


def _value(tag: bytes, secret: bytes, mixed: bytes, hole: int, attempt: bytes = b"") -> int:
    if len(secret) < SECRET_BYTES:
        raise ValueError("a secret has at least 16 bytes")
    if not 1 <= hole < _HOLES:
        raise ValueError("holes are numbered from 1")
    return int.from_bytes(sha256(tag + secret + mixed + hole.to_bytes(4, "big") + attempt).digest()[:16], "big")


def commitment(secret: bytes) -> str:
    """Give the SHA-256 of the secret's bytes in hex: published before, checked once that is revealed."""
    return sha256(secret).hexdigest()
