"""Spit: two players at once on two shared heaps. Pure; decisions and their sources are in docs/games.md.

A round's table is one value. Who comes first is not known here: the match asks for one play after another, in the
order in which they were appended. Side 0 and side 1 are the two players, heap 0 and heap 1 what their spit cards began.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from server.rules.base import Refusal
from server.rules.cards import Card, rank

STOCKPILES: Final = 5
HAND: Final = 15
"""Cards of a side's stockpiles at the deal: 1, 2, 3, 4 and 5."""
COLUMNS: Final = tuple(f"column.{n}" for n in range(1, STOCKPILES + 1))
HEAPS: Final = ("heap.1", "heap.2")
_RANKS: Final = 13


@dataclass(frozen=True, slots=True)
class Side:
    """A player's cards: of each stockpile the last is the top and open; `stock` are the spit cards, the first next."""

    piles: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]

    @property
    def left(self) -> int:
        """Cards in the stockpiles, 15 to 0."""
        return sum(map(len, self.piles))


@dataclass(frozen=True, slots=True)
class Spit:
    """A round: the two sides, and the two heaps, whose last cards are the tops."""

    sides: tuple[Side, Side]
    heaps: tuple[tuple[Card, ...], tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Move:
    """The top of a stockpile onto a heap or an empty stockpile."""

    source: str
    target: str
    card: Card


def joins(top: Card, card: Card) -> bool:
    """Say whether a card goes onto a heap's top: one rank higher or lower, king and ace next to each other."""
    return (rank(top) - rank(card)) % _RANKS in (1, _RANKS - 1)


def deal(deck: Sequence[Card]) -> Spit:
    """Lay out a shuffled deck: card after card to the two in turn, 1 to 5 in the stockpiles, the rest spit cards.

    The first spit is part of it: each heap has one card. Raises ValueError if there are not 52 cards.
    """
    if len(deck) != 2 * (HAND + 11):
        raise ValueError("Spit is played with 52 cards")
    sides = [_side(deck[first::2]) for first in range(2)]
    return spat(Spit((sides[0], sides[1]), ((), ())))


def _side(cards: Sequence[Card]) -> Side:
    ends = [n * (n + 1) // 2 for n in range(STOCKPILES + 1)]
    piles = tuple(tuple(cards[start:end]) for start, end in pairwise(ends))
    return Side(piles, tuple(cards[HAND:]))


def spat(table: Spit) -> Spit:
    """Give the table after both have spat: each that has a spit card puts its next one onto its own heap."""
    heaps = [(*heap, *side.stock[:1]) for heap, side in zip(table.heaps, table.sides, strict=True)]
    one, other = [replace(side, stock=side.stock[1:]) for side in table.sides]
    return Spit((one, other), (heaps[0], heaps[1]))


def moves(table: Spit, side: int) -> tuple[Move, ...]:
    """Give all legal plays of a side: onto the heaps, and of a pile that hides something into each empty place."""
    piles = table.sides[side].piles
    found = []
    for source, pile in zip(COLUMNS, piles, strict=True):
        if not pile:
            continue
        found += [
            Move(source, name, pile[-1])
            for name, heap in zip(HEAPS, table.heaps, strict=True)
            if joins(heap[-1], pile[-1])
        ]
        if len(pile) > 1:
            found += [Move(source, name, pile[-1]) for name, other in zip(COLUMNS, piles, strict=True) if not other]
    return tuple(found)


def judge(table: Spit, side: int, move: Move, on: str) -> Refusal | None:
    """Say why a play is refused, None if it is legal. `on`: the top that it was meant for, of a heap.

    `lost_race`: another card lies on the heap by now; `stale`: the card is no open one of that pile.
    """
    piles = dict(zip(COLUMNS, table.sides[side].piles, strict=True))
    if piles.get(move.source, ())[-1:] != (move.card,):
        return Refusal("stale")
    if move.target in HEAPS:
        top = table.heaps[HEAPS.index(move.target)][-1]
        if top != on:
            return Refusal("lost_race", {"card": str(move.card), "waste": str(top)})
        if not joins(top, move.card):
            return Refusal("not_adjacent", {"card": str(move.card), "waste": str(top)})
        return None
    # A single card moved from place to place would change nothing, for ever.
    if piles.get(move.target) != () or len(piles[move.source]) == 1:
        return Refusal("bad_place")
    return None


def played(table: Spit, side: int, move: Move) -> Spit:
    """Give the table after a legal play; what lay beneath it is open now."""
    piles = dict(zip(COLUMNS, table.sides[side].piles, strict=True))
    piles[move.source] = piles[move.source][:-1]
    heaps = list(table.heaps)
    if move.target in HEAPS:
        heaps[HEAPS.index(move.target)] += (move.card,)
    else:
        piles[move.target] = (move.card,)
    sides = list(table.sides)
    sides[side] = Side(tuple(piles.values()), table.sides[side].stock)
    return Spit((sides[0], sides[1]), (heaps[0], heaps[1]))


def blocked(table: Spit) -> bool:
    """Say whether neither side can play."""
    return not moves(table, 0) and not moves(table, 1)


def over(table: Spit) -> bool:
    """Say whether the round is over: a side has no card left, or nobody can play and nobody can spit."""
    cleared = any(not side.left for side in table.sides)
    return cleared or (blocked(table) and not any(side.stock for side in table.sides))
