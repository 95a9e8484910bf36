"""A quiet entry told: a play, a draw or an undo that ends nothing. What opens to whom, and the text that says so.

It moves cards of one hand and nothing else, so who hears what follows from a few numbers, and nearly all entries are
such. How far one sees is `sight`'s and `view`'s to say; here it is asked for once. The texts are members of a JSON
object without its braces: names of piles, cards and endings are ASCII without anything to escape.
"""

from collections.abc import Iterable
from typing import cast

from server.match import view
from server.match.entries import Acted
from server.match.sight import behind, opened, settled, settled_by_players, unseen, veiled
from server.match.state import Hand, Logged, Match
from server.match.view import Viewer
from server.rules import base
from server.rules.cards import Card
from server.rules.table import Draw

Span = tuple[int, int, int]
"""Of a seat's log: (owner, from, to)."""


class Quiet:
    """What one quiet entry opens to whom.

    It adds one step to the actor's log; of what the others have seen nothing changes by it. A step that shows its
    actor nothing is one question for each seat, asked once: does it go on behind you?
    """

    __slots__ = (
        *("_after", "_before", "_came", "_coming", "_low", "_made", "_new", "_old", "_opened", "_own"),
        *("_playing", "_seats", "_showed", "_step", "_veiled", "actor"),
    )

    def __init__(self, before: Match, body: Acted, after: Match) -> None:
        self._before, self._after = before, after
        self.actor = actor = body.seat
        self._seats = after.seats
        old, new = self._old, self._new = _hand(before, actor), _hand(after, actor)
        self._showed = len(new.shown) > len(old.shown)
        end = len(new.log)
        self._step: tuple[Span, ...] = ((actor, end - 1, end),)
        self._own: tuple[Span, ...] | None = None
        self._came: frozenset[Card] | None = None
        self._coming: frozenset[Card] | None = None
        self._low: list[int] | None = None
        self._veiled = veiled(after)
        self._playing = settled_by_players(after, actor)
        self._opened: dict[Viewer, tuple[Span, ...]] = {}
        self._made: dict[tuple[Span, ...], str] = {(): _counts_text(after, actor, old, new)}

    def text(self, viewer: Viewer) -> str:
        """Return what a viewer hears; the same object for those who hear the same."""
        if viewer == self.actor:
            you = _offered_text(self._before, self._old, self._after, self._new)
            mine = self._opened_to_actor()
            return f"{self._made.get(mine) or self._text(mine)},{you}"
        if self._veiled:
            return self._made[()]
        seen = self._playing.get(viewer)
        if seen is None and viewer is not None:
            seat = self._seats.get(viewer)
            if seat is None or seat.hand is None or seat.standing != "here":
                viewer = None  # it looks on, as all do who have no hand
        moved = self._opened.get(viewer)
        if moved is None:
            moved = self._reach(seen) if seen is not None else self._opened_to_watchers(viewer)
            self._opened[viewer] = moved
        text = self._made.get(moved)
        return self._text(moved) if text is None else text

    def _text(self, moved: tuple[Span, ...]) -> str:
        text = self._made[moved] = f'{self._made[()]},"moved":{{{self._moved(moved)}}}'
        return text

    def _moved(self, moved: tuple[Span, ...]) -> str:
        if moved is self._step:  # what most hear, actor and others
            return f'"{self.actor}":[{_steps_text(self._new.log[-1:])}]'
        logs = [(owner, _hand(self._after, owner).log[start:end]) for owner, start, end in moved]
        return ",".join([f'"{owner}":[{_steps_text(log)}]' for owner, log in logs])

    def _opened_to_actor(self) -> tuple[Span, ...]:
        """Return the actor's own step, and what it was shown lets it see of the others."""
        if self._own is None:
            self._own = self._step
            if self._showed and not self._veiled:
                self._own = self._shown_to_actor()
        return self._own

    def _shown_to_actor(self) -> tuple[Span, ...]:
        state, actor = self._after, self.actor
        was, now = settled(self._before, self._old), settled(state, self._new)
        spans: list[Span] = []
        for owner, seat in self._seats.items():
            hand = seat.hand
            if owner == actor:
                spans += self._step
            elif hand is not None:
                start, stop = opened(state, hand, was, now)
                if start < stop:
                    spans.append((owner, start, stop))
        return tuple(spans) if len(spans) > 1 else self._step

    def _reach(self, seen: frozenset[Card]) -> tuple[Span, ...]:
        """Return what opens to a seat that plays: it follows from what that one has seen, and the actor's log."""
        old, new = self._old, self._new
        # Where one has not seen all that the actor has, nothing opens: what is new lies at the end of the log.
        if not seen or (new.seen and not new.seen[-1] <= seen):
            return ()
        if self._coming is None:
            self._coming = unseen(self._after, new)
        goes_on = bool(self._coming) and self._coming <= seen
        if not self._showed:  # then what is coming is what it was, for whoever has seen anything
            return self._step if goes_on else ()
        # What was shown now has been seen, and so all up to this step lies behind; it, if what comes has been seen too.
        if self._came is None:
            self._came = unseen(self._before, old)
        whole = len(old.log)
        start = whole if self._came and self._came <= seen else old.shown[-1] if old.shown else 0
        if goes_on and start == whole:
            return self._step
        stop = whole + goes_on
        return ((self.actor, start, stop),) if start < stop else ()

    def _opened_to_watchers(self, viewer: Viewer) -> tuple[Span, ...]:
        """Return what opens to somebody who does not play.

        They see what lies behind all seats that play, the owner's left out. What the actor was shown puts more behind
        it, and behind all of them only where at most the owner itself has seen as little as the actor had; by two that
        have, nobody sees more of the actor either. And of the others' play nothing opens that does not to the actor.
        """
        if viewer is None and self._after.options.spectators == "live":
            return self._step
        if not self._showed:
            # Nobody's horizon moves: who sees the log to its end sees one more, others nothing.
            for number, seen in self._playing.items():
                moved = self._opened.get(number)
                if moved is None:
                    moved = self._opened[number] = self._reach(seen)
                if moved is not self._step:
                    return ()
            return self._step
        if self._low is None:
            mine = settled(self._before, self._old)
            self._low = [cast(int, number) for number, seen in self._playing.items() if seen <= mine]
        if len(self._low) > 1:
            return ()
        return self._opened_by_showing(viewer)

    def _opened_by_showing(self, viewer: Viewer) -> tuple[Span, ...]:
        """Return what opens to a watcher by what the actor was shown: of the others, at most what opens to the actor."""
        seat = None if viewer is None else self._seats[viewer]
        own = None if seat is None else seat.hand
        spans: tuple[Span, ...] = ()
        for owner, start, stop in self._opened_to_actor():
            if owner == viewer or (self._low and owner not in self._low):
                continue  # one's own is seen whole already
            if owner == self.actor:
                spans += view.uncovered(self._before, self._after, viewer, (owner,))
                continue
            hand = _hand(self._after, owner)
            low = [stop, *[behind(self._after, hand, seen) for n, seen in self._playing.items() if n != owner]]
            start, stop = min(start, *low), min(low)
            if own is not None:  # what it saw while it still played stays seen
                start = max(start, own.saw.get(owner, 0))
            if start < stop:
                spans += ((owner, start, stop),)
        return spans


def _hand(state: Match, number: int) -> Hand:
    hand = state.seats[number].hand
    if hand is None:
        raise ValueError(f"seat {number} acted without a hand")
    return hand


def _counts_text(state: Match, number: int, old: Hand, new: Hand) -> str:
    """Say what all see of the hand anew: what `view` counts, without what a quiet entry leaves as it was."""
    was, now = old.counts, new.counts
    told = [] if old.ending == new.ending else [f'"state":"{new.ending}"']
    if was.cards_left != now.cards_left:
        told.append(f'"cards_left":{now.cards_left}')
    if was.stock != now.stock:
        told.append(f'"stock":{now.stock}')
    if was.app != now.app:
        told.append(f'"app":{now.app}')
        if state.options.mix:
            told.append(f'"points":{state.points(now.app)}')
    if was.traditional != now.traditional:
        told.append(f'"traditional":{now.traditional}')
    return f'"seats":{{"{number}":{{{",".join(told)}}}}}'


def _offered_text(before: Match, old: Hand, after: Match, new: Hand) -> str:
    """Say what `view.offered` tells its seat anew. The moves are told whole: to compare them would be to work them out
    twice.
    """
    was, now, mode, rules = old.board, new.board, after.options.undo, after.rules
    piles = now.table.piles
    moves = [
        '["stock","waste"]'
        if isinstance(move, Draw)
        else f'["{move.source}","{move.target}","{piles[move.source][-move.count]}"]'
        for move in base.known(after.game, rules, now).moves
    ]
    told = [f'"moves":[{",".join(moves)}]']
    undo = base.can_undo(after.game, rules, now, mode)
    if undo != base.can_undo(before.game, before.rules, was, mode):
        told.append(f'"undo":{_truth(undo)}')
    if (new.ending == "stuck") != (old.ending == "stuck"):
        told.append(f'"done":{_truth(new.ending == "stuck")}')
    if was.moves != now.moves:
        told.append(f'"move_count":{now.moves}')
    if was.undos != now.undos:
        told.append(f'"undo_count":{now.undos}')
    return f'"you":{{{",".join(told)}}}'


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _steps_text(log: Iterable[Logged]) -> str:
    return ",".join(['["' + '","'.join(step) + '"]' for logged in log for step in logged.steps])
