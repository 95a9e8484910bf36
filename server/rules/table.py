"""Piles of cards, the moves that a person makes and the events that follow, for every game.

Events state their effects, so a table is the fold of its events and `take_back` is the exact inverse of
`evolve`. This module knows no game's rules: it refuses only an event that doesn't fit the table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NewType

from server.rules.cards import Card, is_card

PileId = NewType("PileId", str)
"""`column.1` to `column.17`, `place.1` to `place.28`, `waste`, `stock`, `reserve`, `foundation.S` (H, D, C).

A place has one card or none; which of the others cover it is its game's to say.
"""

STOCK: Final = PileId("stock")
WASTE: Final = PileId("waste")
RESERVE: Final = PileId("reserve")

HIDDEN: Final = "?"
"""What a viewer is told in place of a card that lies face down."""

_PILES: Final = frozenset(
    {STOCK, WASTE, RESERVE}
    | {PileId(f"column.{number}") for number in range(1, 18)}
    | {PileId(f"place.{number}") for number in range(1, 29)}
    | {PileId(f"foundation.{suit}") for suit in "SHDC"}
)


@dataclass(slots=True, unsafe_hash=True)
class Table:
    """All piles of one seat's board.

    `piles`: a pile's last card is its top, exposed or drawn next. `face_down`: how many of a pile's deepest
    cards lie face down; a pile without an entry has none, except the stock, all of which always does.
    """

    piles: Final[Mapping[PileId, tuple[Card, ...]]]
    face_down: Final[Mapping[PileId, int]]

    def __init__(self, piles: Mapping[PileId, tuple[Card, ...]], face_down: Mapping[PileId, int]) -> None:
        self.piles = piles
        self.face_down = face_down


@dataclass(slots=True, unsafe_hash=True)
class Play:
    """Move the last `count` cards of `source` onto `target`, as a block."""

    source: Final[PileId]
    target: Final[PileId]
    count: Final[int]

    def __init__(self, source: PileId, target: PileId, count: int = 1) -> None:
        self.source = source
        self.target = target
        self.count = count


@dataclass(frozen=True, slots=True)
class Draw:
    """Turn the stock's next card or cards, as many as the game turns at once."""


Move = Play | Draw


@dataclass(slots=True, unsafe_hash=True)
class Moved:
    """`cards`, deepest first, left the end of `source` and lie in that order on `target`."""

    source: Final[PileId]
    target: Final[PileId]
    cards: Final[tuple[Card, ...]]

    def __init__(self, source: PileId, target: PileId, cards: tuple[Card, ...]) -> None:
        self.source = source
        self.target = target
        self.cards = cards


@dataclass(slots=True, unsafe_hash=True)
class Dealt:
    """`cards` went from the stock to the waste, in the order in which they were turned."""

    cards: Final[tuple[Card, ...]]

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards = cards


@dataclass(frozen=True, slots=True)
class Turned:
    """The last card of `pile` was face down and lies face up now."""

    pile: PileId
    card: Card


@dataclass(frozen=True, slots=True)
class Redealt:
    """The whole waste, `cards` from the deepest, went back to the empty stock; the deepest is drawn first."""

    cards: tuple[Card, ...]


Event = Moved | Dealt | Turned | Redealt


def evolve(table: Table, events: Iterable[Event]) -> Table:
    """Give the table after these events, in order. Raises ValueError if one doesn't fit the table."""
    piles = dict(table.piles)
    face_down = table.face_down
    for event in events:
        if isinstance(event, Moved):
            _carry(piles, event.source, event.target, event.cards, event.cards)
        elif isinstance(event, Dealt):
            _carry(piles, STOCK, WASTE, event.cards[::-1], event.cards)
        elif isinstance(event, Turned):
            face_down = _turn(piles, face_down, event, 0)
        else:
            _redeal(piles, WASTE, STOCK, event.cards)
    return Table(piles, face_down)


def take_back(table: Table, events: Iterable[Event]) -> Table:
    """Give the table before these events: `take_back(evolve(t, e), e) == t`.

    Raises ValueError if one doesn't fit the table.
    """
    piles = dict(table.piles)
    face_down = table.face_down
    for event in reversed(tuple(events)):
        if isinstance(event, Moved):
            _carry(piles, event.target, event.source, event.cards, event.cards)
        elif isinstance(event, Dealt):
            _carry(piles, WASTE, STOCK, event.cards, event.cards[::-1])
        elif isinstance(event, Turned):
            face_down = _turn(piles, face_down, event, 1)
        else:
            _redeal(piles, STOCK, WASTE, event.cards)
    return Table(piles, face_down)


def _carry(
    piles: dict[PileId, tuple[Card, ...]],
    source: PileId,
    target: PileId,
    taken: tuple[Card, ...],
    laid: tuple[Card, ...],
) -> None:
    """Take `taken` off the end of `source`, lay `laid` (the same cards, perhaps turned over) on `target`."""
    left = piles[source]
    rest = len(left) - len(taken)
    if rest < 0 or left[rest:] != taken:
        raise ValueError(f"{source} does not end with {' '.join(taken)}")
    piles[source] = left[:rest]
    piles[target] += laid


def _turn(
    piles: dict[PileId, tuple[Card, ...]], face_down: Mapping[PileId, int], event: Turned, back: int
) -> Mapping[PileId, int]:
    """Turn the last card of a pile face up (`back` 0) or face down again (`back` 1)."""
    pile = piles[event.pile]
    if pile[-1:] != (event.card,) or face_down.get(event.pile, 0) != len(pile) - back:
        raise ValueError(f"{event.card} cannot be turned on {event.pile}")
    changed = dict(face_down)
    changed[event.pile] = len(pile) - 1 + back
    if not changed[event.pile]:
        del changed[event.pile]
    return changed


def _redeal(piles: dict[PileId, tuple[Card, ...]], source: PileId, target: PileId, cards: tuple[Card, ...]) -> None:
    """Turn the whole of `source` over onto the empty `target`; `cards` is the order on the waste."""
    as_they_lie = cards if source == WASTE else cards[::-1]
    if piles[source] != as_they_lie or piles[target]:
        raise ValueError(f"{source} cannot be turned over onto {target}")
    piles[source] = ()
    piles[target] = as_they_lie[::-1]


def dump_event(event: Event) -> list[str]:
    """Give the event as a JSON list.

    `["M","column.3","waste","9C"]` Moved, `["D","8S"]` Dealt, `["T","column.3","KD"]` Turned, `["R",...]`
    Redealt.
    """
    if isinstance(event, Moved):
        return ["M", event.source, event.target, *event.cards]
    if isinstance(event, Dealt):
        return ["D", *event.cards]
    if isinstance(event, Turned):
        return ["T", event.pile, event.card]
    return ["R", *event.cards]


def load_event(dumped: object) -> Event:
    """Read what `dump_event` gave. Raises ValueError for everything else."""
    # By hand: the same as patterns takes three times as long, and a long match is thousands of these.
    if isinstance(dumped, list) and len(dumped) > 1:
        kind = dumped[0]
        if kind == "M" and len(dumped) > 3 and _is_pile(dumped[1]) and _is_pile(dumped[2]):
            return Moved(dumped[1], dumped[2], _cards(dumped[3:]))
        if kind == "D":
            return Dealt(_cards(dumped[1:]))
        if kind == "T" and len(dumped) == 3 and _is_pile(dumped[1]):
            return Turned(dumped[1], _cards(dumped[2:])[0])
        if kind == "R":
            return Redealt(_cards(dumped[1:]))
    raise ValueError("not a dumped event")


def _cards(words: list[Any]) -> tuple[Card, ...]:
    """Read the cards of a dumped event, one or more. Raises ValueError."""
    if not words or not all(map(is_card, words)):
        raise ValueError("not the cards of a dumped event")
    return tuple(words)


def _is_pile(word: object) -> bool:
    return isinstance(word, str) and word in _PILES


def shown(events: Iterable[Event]) -> tuple[Card, ...]:
    """Give the cards that these events turned up."""
    cards: tuple[Card, ...] = ()
    for event in events:
        if isinstance(event, Dealt):
            cards += event.cards
        elif isinstance(event, Turned):
            cards += (event.card,)
    return cards


def laid_out(table: Table) -> dict[str, Any]:
    """Give a dealt table as plain lists, a pile's first card the deepest, the stock's first the one drawn first.

    `columns` in order, `waste`, `stock`; where the game has such piles and there is something in them, `places` (a card
    each), `reserve`, `foundations` by suit, and `face_down`: how many of a pile's deepest cards lie so.
    """
    piles = table.piles
    laid: dict[str, Any] = {
        "columns": [list(cards) for name, cards in piles.items() if name.startswith("column.")],
        "waste": list(piles.get(WASTE, ())),
        "stock": list(reversed(piles.get(STOCK, ()))),
    }
    foundations = {name[-1]: list(cards) for name, cards in piles.items() if name.startswith("foundation.")}
    places = [card for name, cards in piles.items() if name.startswith("place.") for card in cards]
    if places:
        laid["places"] = places
    if piles.get(RESERVE):
        laid["reserve"] = list(piles[RESERVE])
    if any(foundations.values()):
        laid["foundations"] = foundations
    if table.face_down:
        laid["face_down"] = dict(table.face_down)
    return laid


def steps(event: Event) -> list[list[str]]:
    """Give the event as a viewer sees it: steps `[source, target, card, ...]`, a face-down card is `?`.

    To follow a step, remove as many cards as are listed from the end of `source`, then append the listed ones
    to `target`.
    """
    if isinstance(event, Moved):
        return [[event.source, event.target, *event.cards]]
    if isinstance(event, Dealt):
        return [[STOCK, WASTE, *event.cards]]
    if isinstance(event, Turned):
        return [[event.pile, event.pile, event.card]]
    return [[WASTE, STOCK, *[HIDDEN] * len(event.cards)]]


def steps_back(event: Event) -> list[list[str]]:
    """Give the steps that undo the event, in the form of `steps`; what goes face down again is `?`."""
    if isinstance(event, Moved):
        return [[event.target, event.source, *event.cards]]
    if isinstance(event, Dealt):
        return [[WASTE, STOCK, *[HIDDEN] * len(event.cards)]]
    if isinstance(event, Turned):
        return [[event.pile, event.pile, HIDDEN]]
    return [[STOCK, WASTE, *event.cards]]
