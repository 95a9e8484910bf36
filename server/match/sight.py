"""What lies behind a seat: how much of another's play can't help it any more (rules.md, section 3). Pure.

Decides nothing about viewers, phases and options of watching: that is `view`'s, the only place that hides.
"""

from bisect import bisect_left
from typing import Final

from server.match.state import Hand, Match
from server.rules.cards import Card

_NOTHING: Final[frozenset[Card]] = frozenset()


def veiled(state: Match) -> bool:
    """Whether nobody sees any move of another just now, whoever looks: it could be played anew.

    A round of a course may still be played by whoever looks on. And in a game that hides nothing all that makes the one
    seat's play better than another's is which cards it took, so that boards stay closed until the hole has closed for all.
    """
    return state.course_open or (state.phase == "playing" and not state.game.hides)


def settled(state: Match, hand: Hand) -> frozenset[Card]:
    """Return the hidden cards that a seat has seen for good: it could not take back what showed them to it."""
    if state.options.undo == "all" or not hand.seen:
        return _NOTHING
    # What was shown by the action that ended the hole opened nothing to the seat: it played no more.
    if hand.shown[-1] == len(hand.log) - 1 and hand.ended_version == hand.log[-1].version:
        return hand.seen[-2] if len(hand.seen) > 1 else _NOTHING
    return hand.seen[-1]


def behind(state: Match, hand: Hand, seen: frozenset[Card]) -> int:
    """Return how many of a hand's actions lie behind somebody who has settled these hidden cards.

    A stretch between two actions that show something lies behind those who have seen all that the second of them
    shows. What it will show is not known yet for the last stretch, so there all must have been seen that may come.
    """
    if not seen:
        return 0
    stretches = bisect_left(hand.seen, True, key=lambda shown: not shown <= seen)
    if stretches == len(hand.seen):
        coming = state.game.coming(hand.board.table, state.rules)
        if hand.seen:
            coming -= hand.seen[-1]
        if coming and coming <= seen:
            return len(hand.log)
    return hand.shown[stretches - 1] if stretches else 0
