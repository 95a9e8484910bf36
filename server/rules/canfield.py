"""Canfield: all cards onto four foundations that begin with one rank, through four columns, a reserve and a waste.

How many cards a draw turns is a field of `CanfieldRules`. Knows the layout, which cards go where, when the hole is
cleared and the score; knows no seats, no time and no match. docs/games.md says where each decision comes from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from server.rules.base import Ending, Refusal, Score, Scoring
from server.rules.cards import DECK, RANKS, Card, check_deck, rank
from server.rules.foundations import FOUNDATIONS, FULL, HOME, cards_home, columns, is_red
from server.rules.table import (
    RESERVE,
    STOCK,
    WASTE,
    Dealt,
    Draw,
    Event,
    Move,
    Moved,
    PileId,
    Play,
    Redealt,
    Table,
    Turned,
)

if TYPE_CHECKING:
    from server.rules.solver import Solution

COLUMNS: Final = columns(4)
RESERVE_CARDS: Final = 13

_POINTS_A_CARD: Final = 5
_DRAW: Final = Draw()


@dataclass(frozen=True, slots=True)
class CanfieldRules:
    """`turned`: how many cards a draw turns at once, 3 or 1."""

    turned: int


_PRESETS: Final = MappingProxyType({"draw_three": CanfieldRules(3), "draw_one": CanfieldRules(1)})
_LETTER_OF: Final = MappingProxyType({CanfieldRules(3): "D3", CanfieldRules(1): "D1"})
_RULES_OF: Final = MappingProxyType({letter: rules for rules, letter in _LETTER_OF.items()})
_FIELDS: Final[Mapping[str, tuple[bool | int, ...]]] = MappingProxyType({"turned": (3, 1)})


def below(card: Card) -> int:
    """Give the rank that goes on this card in a column; under the ace comes the king."""
    return (rank(card) - 2) % len(RANKS) + 1


def _joins(upper: Card, card: Card) -> bool:
    """Say whether `card` goes onto `upper` in a column: one rank lower, of the other colour."""
    return rank(card) == below(upper) and is_red(card) != is_red(upper)


def _run(pile: Sequence[Card]) -> int:
    """Count the cards at the end of a pile that go onto each other, which may move as a block."""
    count = min(1, len(pile))
    while count < len(pile) and _joins(pile[-count - 1], pile[-count]):
        count += 1
    return count


def base_rank(table: Table) -> int:
    """Give the rank with which all foundations begin. Raises ValueError if none has a card."""
    for home in FOUNDATIONS:
        if table.piles[home]:
            return rank(table.piles[home][0])
    raise ValueError("no foundation has begun")


def _goes_home(table: Table, card: Card) -> bool:
    """Say whether a card is the next of its foundation."""
    home = table.piles[HOME[card]]
    if not home:
        return rank(card) == base_rank(table)
    return len(home) < FULL and rank(card) == rank(home[-1]) % len(RANKS) + 1


class Canfield:
    """Canfield as a `Game`. Without state: every answer is computed from the table and the rules."""

    __slots__ = ()

    name: str = "canfield"
    title: str = "Canfield"
    prefix: str = "CF"
    decks: int = 1
    letters: str = "D3 draws three cards at once, D1 one"
    presets: Mapping[str, CanfieldRules] = _PRESETS
    fields: Mapping[str, tuple[bool | int, ...]] = _FIELDS
    added: frozenset[str] = frozenset()
    scorings: tuple[Scoring, ...] = ("app",)
    par: int = 0
    full: int = 255
    most_actions: int = 1500
    declares_loss: bool = False
    hides: bool = True
    solvable: bool = False

    def deal(self, deck: Sequence[Card], rules: CanfieldRules) -> Table:
        """Lay out a deck: 13 to the reserve, the base card, one to each column, then the stock.

        The base card's foundation stands first, then the other suits. Raises CardsError if this is not a deck of 52.
        """
        check_deck(deck)
        cards = tuple(deck)
        base = cards[RESERVE_CARDS]
        first_column = RESERVE_CARDS + 1
        first_stock = first_column + len(COLUMNS)
        piles: dict[PileId, tuple[Card, ...]] = {HOME[base]: (base,)}
        piles |= {home: () for home in FOUNDATIONS if home != HOME[base]}
        piles |= {column: (cards[first_column + index],) for index, column in enumerate(COLUMNS)}
        piles[RESERVE] = cards[:RESERVE_CARDS]
        piles[WASTE] = ()
        piles[STOCK] = cards[first_stock:][::-1]
        return Table(piles, {RESERVE: RESERVE_CARDS - 1})

    def moves(self, table: Table, rules: CanfieldRules) -> tuple[Move, ...]:
        """Give the legal moves: from reserve, waste, columns and foundations, then the draw."""
        moves: list[Move] = []
        for source in (RESERVE, WASTE):
            if pile := table.piles[source]:
                moves += _single(table, source, pile[-1])
        for source in COLUMNS:
            pile = table.piles[source]
            for count in range(1, _run(pile) + 1):
                if count == 1 and _goes_home(table, pile[-1]):
                    moves.append(Play(source, HOME[pile[-1]]))
                moves += [Play(source, target, count) for target in _columns_for(table, pile[-count], source)]
        if cards_home(table) > 1:
            for source in FOUNDATIONS:
                if pile := table.piles[source]:
                    moves += [Play(source, target) for target in _columns_for(table, pile[-1], source)]
        if table.piles[STOCK] or table.piles[WASTE]:
            moves.append(_DRAW)
        return tuple(moves)

    def effects(self, table: Table, move: Move, rules: CanfieldRules) -> tuple[Event, ...]:
        """Give the events of a legal move; a column that it empties is filled from the reserve."""
        piles = table.piles
        if isinstance(move, Draw):
            if not piles[STOCK]:
                return (Redealt(piles[WASTE]),)
            return (Dealt(piles[STOCK][: -rules.turned - 1 : -1]),)
        pile = piles[move.source]
        events: list[Event] = [Moved(move.source, move.target, pile[-move.count :])]
        reserve = piles[RESERVE]
        if move.source in COLUMNS and move.count == len(pile) and reserve:
            events.append(Moved(RESERVE, move.source, reserve[-1:]))
        if reserve[1:] and (move.source == RESERVE or len(events) > 1):
            events.append(Turned(RESERVE, reserve[-2]))
        return tuple(events)

    def refusal(self, table: Table, move: Move, rules: CanfieldRules) -> Refusal:
        """Say why a move outside `moves` is refused."""
        if isinstance(move, Draw):
            return Refusal("stock_empty")
        source, target, piles = move.source, move.target, table.piles
        if target == source or target not in FOUNDATIONS + COLUMNS:
            return Refusal("bad_place")
        card = piles[source][-move.count]
        if source not in COLUMNS and move.count > 1:
            return Refusal("blocked", {"card": card})
        if source in COLUMNS and move.count > _run(piles[source]):
            return Refusal("not_a_run", {"card": card})
        if source in FOUNDATIONS and (target in FOUNDATIONS or cards_home(table) == 1):
            return Refusal("base_stays" if target in COLUMNS else "bad_place")
        if target in COLUMNS:
            return Refusal("not_alternating", {"card": card, "on": piles[target][-1]})
        if move.count > 1:
            return Refusal("one_at_a_time")
        if HOME[card] != target:
            return Refusal("other_suit", {"card": card})
        return Refusal("not_next", {"card": card})

    def outcome(self, table: Table, rules: CanfieldRules) -> Literal["cleared"] | None:
        """Cleared with all cards on the foundations; a loss is never declared."""
        return "cleared" if cards_home(table) == len(DECK) else None

    def score(self, table: Table, ending: Ending, rules: CanfieldRules) -> Score:
        """Give both scores of this position: 5 points for each card that was put on a foundation, and the cards left.

        The base card was dealt there. However the hole ended, the position counts; unplayed is as it was dealt.
        """
        home = cards_home(table)
        return Score(app=_POINTS_A_CARD * (home - 1), traditional=len(DECK) - home)

    def cards_left(self, table: Table) -> int:
        """Count the cards that are not on a foundation, 51 to 0."""
        return len(DECK) - cards_home(table)

    def stock_left(self, table: Table) -> int:
        """Count the cards in the stock, 34 to 0; a waste turned over counts again."""
        return len(table.piles[STOCK])

    def coming(self, table: Table, rules: CanfieldRules) -> frozenset[Card]:
        """Give the reserve's next card and those that the next draw turns."""
        hidden = table.piles[RESERVE][: table.face_down.get(RESERVE, 0)]
        return frozenset((*hidden[-1:], *table.piles[STOCK][-rules.turned :]))

    def solve(self, table: Table, rules: CanfieldRules) -> "Solution":
        """Raise ValueError: nothing here finds the best of a deal."""
        raise ValueError("Canfield is not solved here")

    def jokers(self, rules: CanfieldRules) -> int:
        """Give 0: the deck has none."""
        return 0

    def rules_of(self, letter: str) -> CanfieldRules:
        """Give the rules of D3 or D1. Raises ValueError."""
        if letter not in _RULES_OF:
            raise ValueError(f"canfield has no rule letter {letter!r}")
        return _RULES_OF[letter]

    def letter_of(self, rules: CanfieldRules) -> str:
        """Give D3 or D1."""
        return _LETTER_OF[rules]


def _columns_for(table: Table, card: Card, source: PileId) -> Iterator[PileId]:
    """Give the columns that take a card, or a block that begins with it, but for the one where it lies."""
    for column in COLUMNS:
        pile = table.piles[column]
        if column != source and (not pile or _joins(pile[-1], card)):
            yield column


def _single(table: Table, source: PileId, card: Card) -> Iterator[Play]:
    """Give the moves of a pile's only card that plays: to its foundation, then to columns."""
    if _goes_home(table, card):
        yield Play(source, HOME[card])
    for column in _columns_for(table, card, source):
        yield Play(source, column)
