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
    seen = hand.seen
    if not seen or state.options.undo == "all":
        return _NOTHING
    # What was shown by the action that ended the hole opened nothing to the seat: it played no more.
    ended = hand.ended_version
    if ended and hand.shown[-1] == len(hand.log) - 1 and ended == hand.log[-1].version:
        return seen[-2] if len(seen) > 1 else _NOTHING
    return seen[-1]


def settled_by_players(state: Match, but: int) -> dict[int | None, frozenset[Card]]:
    """Return what each seat that plays has `settled`, one left out."""
    none = state.options.undo == "all"
    return {
        number: _NOTHING if none or not hand.seen else hand.seen[-1]
        for number, seat in state.seats.items()
        if number != but and (hand := seat.hand) is not None and not hand.ended_version
    }


def behind(state: Match, hand: Hand, seen: frozenset[Card]) -> int:
    """Return how many of a hand's actions lie behind somebody who has settled these hidden cards.

    A stretch between two actions that show something lies behind those who have seen all that the second of them
    shows. What it will show is not known yet for the last stretch, so there all must have been seen that may come.
    """
    if not seen:
        return 0
    shown = hand.seen
    if shown and not shown[-1] <= seen:  # each holds those before it, so this one is asked first: it settles the most
        stretches = bisect_left(shown, True, hi=len(shown) - 1, key=lambda one: not one <= seen)
        return hand.shown[stretches - 1] if stretches else 0
    if goes_on_behind(state, hand, seen):
        return len(hand.log)
    return hand.shown[-1] if shown else 0


def goes_on_behind(state: Match, hand: Hand, seen: frozenset[Card]) -> bool:
    """Whether the last stretch lies behind somebody behind whom all those before it lie."""
    coming = unseen(state, hand)
    return bool(coming) and coming <= seen


def unseen(state: Match, hand: Hand) -> frozenset[Card]:
    """Return what may be shown to a hand next and was not before."""
    coming = state.game.coming(hand.board.table, state.rules)
    return coming - hand.seen[-1] if hand.seen and coming else coming


def opened(state: Match, hand: Hand, was: frozenset[Card], now: frozenset[Card]) -> tuple[int, int]:
    """Return (`behind` for `was`, `behind` for `now`), where `now` holds `was`; equal where nothing opens."""
    shown = hand.seen
    if not shown or shown[-1] <= was:  # all but the last stretch lay behind already
        coming = unseen(state, hand)
        if not coming or coming <= was or not coming <= now:
            return 0, 0
        return hand.shown[-1] if shown else 0, len(hand.log)
    stretches = bisect_left(shown, True, hi=len(shown) - 1, key=lambda one: not one <= was)
    if not shown[stretches] <= now:
        return 0, 0
    return hand.shown[stretches - 1] if stretches else 0, behind(state, hand, now)
