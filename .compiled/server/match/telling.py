"""What an entry changes in each viewer's view. How far one sees is `view`'s to say; here it is asked for once.

Most entries are quiet (see there) and have a short way; all others compare views as they were and are. Either way
what a viewer hears is a text, so that those who hear the same share it. Tests hold both against snapshots.
"""

from typing import Any

from pydantic_core import from_json, to_json

from server.match import view
from server.match.entries import Acted, Entry
from server.match.quiet import Quiet, Span
from server.match.state import Logged, Match
from server.match.view import Viewer


def telling(before: Match, entry: Entry, after: Match) -> "Quiet | Loud":
    """Return one entry, told: what all hear is worked out once, what one viewer hears on top of it for each.

    Its `text(viewer)` is the patch that `viewer` hears, as the members of a JSON object; it may be empty. Equal texts
    are one object, so that each is encoded once.
    """
    body = entry.body
    return Quiet(before, body, after) if isinstance(body, Acted) and not body.ended else Loud(before, after)


class Loud:
    """An entry that is not quiet: the views before and after it are compared."""

    __slots__ = ("_after", "_before", "_made", "_public")

    def __init__(self, before: Match, after: Match) -> None:
        self._before, self._after = before, after
        self._public = self._heard_by_all()
        self._made: dict[tuple[Span, ...], str] = {}

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

    def text(self, viewer: Viewer) -> str:
        """Return what a viewer hears; the same object for those who hear the same."""
        moved, personal = self._compared(viewer)
        if personal:
            return _members({**self._public, **personal, **self._steps(moved)})
        text = self._made.get(moved)
        if text is None:
            text = self._made[moved] = _members({**self._public, **self._steps(moved)})
        return text

    def _steps(self, moved: tuple[Span, ...]) -> dict[str, Any]:
        if not moved:
            return {}
        return {
            "moved": {
                str(owner): [list(step) for logged in _log(self._after, owner)[start:end] for step in logged.steps]
                for owner, start, end in moved
            }
        }

    def _compared(self, viewer: Viewer) -> tuple[tuple[Span, ...], dict[str, Any]]:
        before, after = self._before, self._after
        personal: dict[str, Any] = {}
        moved: tuple[Span, ...] = ()
        if after.hole != before.hole or after.spit is not before.spit:
            personal["boards"] = view.boards_view(after, viewer)
        else:
            moved = view.uncovered(before, after, viewer, after.seats)
        seat = after.seats.get(viewer) if viewer is not None else None
        if seat is not None and seat.standing == "here":
            you = view.changes(view.you_view(before, viewer), view.you_view(after, viewer))
            if you:
                personal["you"] = you
        return moved, personal


def _members(patch: dict[str, Any]) -> str:
    return to_json(patch)[1:-1].decode()


def _log(state: Match, owner: int) -> tuple[Logged, ...]:
    hand = state.seats[owner].hand
    return () if hand is None else hand.log


def tell(before: Match, entry: Entry, after: Match, viewer: Viewer) -> dict[str, Any]:
    """Return what `viewer` hears of `entry`: a patch for `patch.fold`."""
    patch: dict[str, Any] = from_json(f"{{{telling(before, entry, after).text(viewer)}}}")
    return patch
