"""What an entry changes in each viewer's view. How far one sees is `view`'s to say; here it is asked for once.

Most entries are quiet: they move cards of one hand and nothing else. Who hears what of them follows from a few
numbers, so they have a short way; all others compare views as they were and are. Tests hold both against snapshots.
"""

from typing import Any, cast

from server.match import view
from server.match.entries import Acted, Entry
from server.match.sight import behind, settled, veiled
from server.match.state import Hand, Logged, Match
from server.match.view import Viewer, horizon
from server.rules.cards import Card

Span = tuple[int, int, int]
"""Of a seat's log: (owner, from, to)."""


class Telling:
    """One entry, told: what all hear is worked out once, what one viewer hears on top of it for each.

    `to` returns the same object for viewers who hear the same, so that it is encoded once.
    """

    __slots__ = ("_after", "_before", "_made", "_public", "_quiet", "_step")

    def __init__(self, before: Match, entry: Entry, after: Match) -> None:
        self._before, self._after = before, after
        body = entry.body
        self._made: dict[tuple[Span, ...], dict[str, Any]] = {}
        self._quiet: _Quiet | None = None
        self._step: dict[str, Any] | None = None
        if isinstance(body, Acted) and not body.ended:
            quiet = self._quiet = _Quiet(before, body, after)
            self._public = {"seats": {str(body.seat): view.count_changes(quiet.old, quiet.new)}}
        else:
            self._public = self._heard_by_all()

    def _heard_by_all(self) -> dict[str, Any]:
        before, after = self._before, self._after
        patch: dict[str, Any] = {}
        match = view.changes(view.match_view(before), view.match_view(after))
        if match:
            patch["match"] = match
        if len(after.closed) > len(before.closed):
            patch["card"] = [view.card_view(after, closed) for closed in after.closed[len(before.closed) :]]
        elif before.course_open and not after.course_open:
            match["card"] = [view.card_view(after, closed) for closed in after.closed]  # the whole card anew
            patch["match"] = match
        old_seats, new_seats = view.seats_view(before), view.seats_view(after)
        seats: dict[str, Any] = {
            str(number): changed
            for number, seat in new_seats.items()
            if (changed := view.changes(old_seats.get(number, {}), seat))
        }
        seats |= {str(number): None for number in old_seats if number not in new_seats}
        if seats:
            patch["seats"] = seats
        return patch

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """Return the patch that `viewer` hears; it may be empty. Not to be changed: it may be shared."""
        quiet, personal = self._quiet, None
        if quiet is None:
            moved, personal = self._compared(viewer)
        elif viewer == quiet.actor:
            moved, personal = quiet.opened_to_actor(), {"you": quiet.offered()}
        else:
            moved = quiet.opened_to(viewer)
        if personal:
            return (
                {**self._public, **personal, "moved": self._steps(moved)} if moved else {**self._public, **personal}
            )
        patch = self._made.get(moved)
        if patch is None:
            patch = {**self._public, "moved": self._steps(moved)} if moved else self._public
            self._made[moved] = patch
        return patch

    def _steps(self, moved: tuple[Span, ...]) -> dict[str, Any]:
        if self._quiet is not None and moved is self._quiet.step:  # what most hear, actor and others
            if self._step is None:
                shown = [list(step) for step in self._quiet.new.log[-1].steps]
                self._step = {str(self._quiet.actor): shown}
            return self._step
        return {
            str(owner): [list(step) for logged in _log(self._after, owner)[start:end] for step in logged.steps]
            for owner, start, end in moved
        }

    def _compared(self, viewer: Viewer) -> tuple[tuple[Span, ...], dict[str, Any]]:
        before, after = self._before, self._after
        personal: dict[str, Any] = {}
        moved: tuple[Span, ...] = ()
        if after.hole != before.hole:
            boards = {str(number): view.board_view(after, viewer, number) for number in after.seats}
            personal["boards"] = {number: board for number, board in boards.items() if board is not None}
        else:
            moved = _uncovered(before, after, viewer, after.seats)
        seat = after.seats.get(viewer) if viewer is not None else None
        if seat is not None and seat.standing == "here":
            you = view.changes(view.you_view(before, viewer), view.you_view(after, viewer))
            if you:
                personal["you"] = you
        return moved, personal


class _Quiet:
    """A play, a draw or an undo that ends nothing: what opens to whom.

    It adds one step to the actor's log; of what the others have seen nothing changes by it. A step that shows its
    actor nothing is one question for each seat, asked once: does it go on behind you?
    """

    __slots__ = ("_after", "_before", "_low", "_reached", "_showed", "_watchers", "actor", "new", "old", "step")

    def __init__(self, before: Match, body: Acted, after: Match) -> None:
        self._before, self._after = before, after
        self.actor = body.seat
        self.old, self.new = _hand(before, body.seat), _hand(after, body.seat)
        self._showed = len(self.new.shown) > len(self.old.shown)
        end = len(self.new.log)
        self.step: tuple[Span, ...] = ((self.actor, end - 1, end),)
        self._low: list[int] | None = None
        self._watchers: tuple[Span, ...] | None = None
        self._reached: dict[int, tuple[Span, ...]] = {}

    def offered(self) -> dict[str, Any]:
        """Return the actor's own part. The moves are told whole: to compare them would be to work them out twice."""
        return view.offered_anew(self._before, self.old, self._after, self.new)

    def opened_to_actor(self) -> tuple[Span, ...]:
        """Return the actor's own step, and what it was shown lets it see of the others."""
        state = self._after
        if not self._showed or veiled(state):
            return self.step
        was, now = settled(self._before, self.old), settled(state, self.new)
        spans: list[Span] = []
        for owner, seat in state.seats.items():
            hand = seat.hand
            if owner == self.actor:
                spans += self.step
            elif hand is not None and (start := behind(state, hand, was)) < (stop := behind(state, hand, now)):
                spans.append((owner, start, stop))
        return tuple(spans)

    def opened_to(self, viewer: Viewer) -> tuple[Span, ...]:
        """Return what opens to somebody else."""
        if veiled(self._after):
            return ()
        seat = self._after.seats.get(viewer) if viewer is not None else None
        own = seat.hand if seat is not None and seat.standing == "here" else None
        if own is None:
            if self._watchers is None:
                self._watchers = self._opened_to_watchers(None)
            return self._watchers
        if own.ended_version:
            return self._opened_to_watchers(viewer)
        return self._opened_to_player(cast(int, viewer), own)

    def _opened_to_player(self, number: int, own: Hand) -> tuple[Span, ...]:
        """Return what opens to a seat that plays: it follows from what that one has seen, and the actor's log."""
        reached = self._reached.get(number)
        if reached is None:
            reached = self._reached[number] = self._reach(settled(self._after, own))
        return reached

    def _reach(self, seen: frozenset[Card]) -> tuple[Span, ...]:
        old, new = self.old, self.new
        # Where an earlier stretch of the log does not lie behind one, neither does what comes at its end.
        if not seen or (old.seen and not old.seen[-1] <= seen):
            return ()
        start, stop = behind(self._before, old, seen), behind(self._after, new, seen)
        if stop <= start:
            return ()
        return self.step if (start, stop) == self.step[0][1:] else ((self.actor, start, stop),)

    def _opened_to_watchers(self, viewer: Viewer) -> tuple[Span, ...]:
        """Return what opens to somebody who does not play.

        They see what lies behind all seats that play, the owner's left out. What the actor was shown puts more behind
        it, and behind all of them only where at most the owner itself has seen as little as the actor had; by two that
        have, nobody sees more of the actor either.
        """
        if viewer is None and self._after.options.spectators == "live":
            return self.step
        if not self._showed:
            # Nobody's horizon moves: who sees the log to its end sees one more, others nothing.
            for number, seat in self._after.seats.items():
                hand = seat.hand
                if number == self.actor or hand is None or hand.ended_version:
                    continue
                if self._opened_to_player(number, hand) is not self.step:
                    return ()
            return self.step
        if self._low is None:
            mine = settled(self._before, self.old)
            self._low = [
                number
                for number, seat in self._after.seats.items()
                if number != self.actor
                and (hand := seat.hand) is not None
                and not hand.ended_version
                and settled(self._after, hand) <= mine
            ]
        if len(self._low) > 1:
            return ()
        return _uncovered(self._before, self._after, viewer, self._low or self._after.seats)


def _uncovered(before: Match, after: Match, viewer: Viewer, owners: Any) -> tuple[Span, ...]:
    """Return the spans of these owners' logs that `viewer` sees now and did not see before."""
    spans = []
    for owner in owners:
        start = horizon(before, viewer, owner) if owner in before.seats else 0
        end = horizon(after, viewer, owner)
        if end > start:
            spans.append((owner, start, end))
    return tuple(spans)


def _hand(state: Match, number: int) -> Hand:
    hand = state.seats[number].hand
    if hand is None:
        raise ValueError(f"seat {number} acted without a hand")
    return hand


def _log(state: Match, owner: int) -> tuple[Logged, ...]:
    hand = state.seats[owner].hand
    return () if hand is None else hand.log


def tell(before: Match, entry: Entry, after: Match, viewer: Viewer) -> dict[str, Any]:
    """Return what `viewer` hears of `entry`: a patch for `patch.fold`."""
    return Telling(before, entry, after).to(viewer)
