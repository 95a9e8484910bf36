"""What games of Golf's kind share: exposed cards go one by one onto one pile, each one rank up or down, till none is left.

Knows which ranks join and what a position is worth; knows no layout and no game.
"""

from collections.abc import Mapping
from itertools import product
from types import MappingProxyType
from typing import Final

from server.rules.base import Ending, Score
from server.rules.cards import JOKERS, TWO_DECKS, Card, rank

ACE: Final = 1
QUEEN: Final = 12
KING: Final = 13

_POINTS_A_CARD: Final = 10
_BOOLS: Final = (False, True)


def ranks_join(queen_on_king: bool, king_ace_joined: bool, waste_rank: int, card_rank: int) -> bool:
    """Say whether a card of `card_rank` plays on a waste of `waste_rank`, both 1 to 13."""
    if {waste_rank, card_rank} == {ACE, KING}:
        return king_ace_joined
    if waste_rank == KING and card_rank == QUEEN:
        return queen_on_king
    return abs(waste_rank - card_rank) == 1


def _partners(queen_on_king: bool, king_ace_joined: bool) -> dict[Card, frozenset[Card]]:
    """Give for every waste card the cards that play on it; a joker does on all, and all do on a joker."""
    everything = frozenset((*TWO_DECKS, *JOKERS))
    joined = {
        waste: {card for card in TWO_DECKS if ranks_join(queen_on_king, king_ace_joined, rank(waste), rank(card))}
        for waste in TWO_DECKS
    }
    return {waste: frozenset(cards | {*JOKERS}) for waste, cards in joined.items()} | dict.fromkeys(
        JOKERS, everything
    )


PARTNERS: Final[Mapping[tuple[bool, bool], Mapping[Card, frozenset[Card]]]] = MappingProxyType(
    {(queen, ace): _partners(queen, ace) for queen, ace in product(_BOOLS, _BOOLS)}
)
"""By (queen on king, king-ace joined), which decide it, and the pile's top card: what plays on it. Asked at every move."""


def score_of(dealt: int, left: int, stock: int, ending: Ending) -> Score:
    """Give both scores where `left` of `dealt` cards are still to be removed and `stock` still to be drawn.

    App: 10 a removed card; once ended, 10 less for each card left, never below 0. Traditional: the cards left, or minus
    the stock after a clear. Unplayed: 0, and all cards left.
    """
    if ending == "unplayed":
        return Score(app=0, traditional=dealt)
    points = _POINTS_A_CARD * (dealt - left)
    if not left:
        return Score(app=points, traditional=-stock)
    if ending == "playing":
        return Score(app=points, traditional=left)
    return Score(app=max(0, points - _POINTS_A_CARD * left), traditional=left)
