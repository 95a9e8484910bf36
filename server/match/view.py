"""What a viewer may see of a match: the only place that hides anything (rules.md, section 3).

`snapshot` gives a viewer's whole view, `tell` what an entry changes in it, `patch.fold` applies the one to the other.
The law, tested at every version: the fold of all that was told equals the snapshot, and what was seen only grows. A
viewer is the number of a seat that is here, or None for a spectator; who loses the seat starts from a new snapshot.
Undrawn stock, the secret and a hidden hole's code are never read here but to be left out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from server.match.entries import Acted, Entry
from server.match.formats import PAR, places, totals
from server.match.options import Options, dump_options
from server.match.patch import move
from server.match.state import ClosedHole, Hand, Match, Seat
from server.rules import base
from server.rules.codes import commitment
from server.rules.table import HIDDEN, STOCK, Draw, Table

View = dict[str, Any]
Viewer = int | None


# -- how far a viewer sees -------------------------------------------------------------------------------------------


def _before_draw(hand: Hand, k: int) -> int:
    """Return how many of a hand's actions come before its k-th draw; the deal counts as draw 0."""
    if k == 0:
        return 0
    return hand.draws[k - 1] if k <= len(hand.draws) else len(hand.log)


def _settled_draws(state: Match, hand: Hand) -> int:
    """Return how many draws a seat could no longer undo while it played."""
    if state.options.undo == "all":
        return 0
    # A draw that ended the hole opened nothing to the seat: it played no more.
    last = hand.log[-1] if hand.log and hand.ended_version == hand.log[-1].version else None
    return len(hand.draws) - (last is not None and last.what == "draw")


def horizon(state: Match, viewer: Viewer, owner: int) -> int:
    """Return how many of `owner`'s actions in the current hole `viewer` may see."""
    hand = state.seats[owner].hand
    if hand is None:
        return 0
    whole = len(hand.log)
    if state.phase != "playing" or viewer == owner:
        return whole
    seat = state.seats.get(viewer) if viewer is not None else None
    own = seat.hand if seat is not None and seat.standing == "here" else None
    if own is not None and not own.ended_version:
        return _before_draw(hand, _settled_draws(state, own))
    if own is None and state.options.spectators == "live":
        return whole
    others = [
        _settled_draws(state, other.hand)
        for number, other in state.seats.items()
        if number != owner and other.hand is not None and not other.hand.ended_version
    ]
    if not others:
        return whole
    seen = _before_draw(hand, min(others))
    if own is not None:
        # What it saw while it still played stays seen, as it stood when it ended.
        then = bisect_right(hand.log, own.ended_version, key=lambda logged: logged.version)
        seen = max(seen, min(then, _before_draw(hand, _settled_draws(state, own))))
    return seen


# -- the parts of a view ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _options_view(options: Options) -> dict[str, Any]:
    """Options without the typed deals: those are codes, and show when their hole may show its own."""
    plain = dump_options(options)
    del plain["deals"]
    plain["variant"] = base.rule_fields(options.rules)
    return plain


def _code_shown(state: Match) -> bool:
    return state.options.open_deal or state.options.alone or state.phase in ("between", "ended")


def _rule_view(state: Match) -> dict[str, Any]:
    """The rule of the current hole: a typed code brings its own."""
    rules = state.options.rules if state.rules is None else state.rules
    return {"rule": base.rule_name(state.game, rules), "variant": base.rule_fields(rules)}


def _match_view(state: Match) -> dict[str, Any]:
    following = state.next_match
    return {
        "id": state.match_id,
        "room": state.room,
        "options": _options_view(state.options),
        "phase": state.phase,
        "hole": state.hole,
        "host": state.host,
        "starts_at": state.starts_at_ms or None,
        "opened_at": state.opened_at_ms or None,
        "deadline": state.deadline_ms or None,
        "code": state.code if state.code and _code_shown(state) else None,
        **_rule_view(state),
        "open_deal": state.options.open_deal,
        "commitment": commitment(bytes.fromhex(state.secret)),
        "nonces": {str(number): nonce for number, nonce in state.nonces.items()},
        "abandoned": state.abandoned,
        "next": None if following is None else {"match": following[0], "room": following[1]},
        "par": PAR * state.options.holes,
    }


def _card_view(closed: ClosedHole) -> dict[str, Any]:
    return {
        "hole": closed.hole,
        "code": closed.code,
        "rule": closed.rule,
        "stock": list(closed.stock),
        "scores": {
            str(number): {
                "how": result.ending,
                "cards_left": result.cards_left,
                "stock": result.stock,
                "traditional": result.traditional,
                "app": result.app,
                "moves": result.moves,
                "undos": result.undos,
            }
            for number, result in closed.results.items()
        },
    }


def _counts(hand: Hand) -> dict[str, Any]:
    """The live counts of a hand, which everybody sees; the scores are those of stopping now."""
    counts = hand.counts
    return {
        "state": hand.ending,
        "ended": hand.ended_version > 0,
        "cards_left": counts.cards_left,
        "stock": counts.stock,
        "app": counts.app,
        "traditional": counts.traditional,
        "ended_at": hand.ended_at_ms or None,
    }


def _count_changes(old: Hand, new: Hand) -> dict[str, Any]:
    """Return what `_counts` tells anew after a quiet entry, which ends nothing."""
    was, now = old.counts, new.counts
    changes: dict[str, Any] = {} if old.ending == new.ending else {"state": new.ending}
    if was.cards_left != now.cards_left:
        changes["cards_left"] = now.cards_left
    if was.stock != now.stock:
        changes["stock"] = now.stock
    if was.app != now.app:
        changes["app"] = now.app
    if was.traditional != now.traditional:
        changes["traditional"] = now.traditional
    return changes


_NO_COUNTS: Mapping[str, Any] = {
    "state": "waiting",
    "ended": False,
    "cards_left": None,
    "stock": None,
    "app": None,
    "traditional": None,
    "ended_at": None,
}


def _seat_view(state: Match, seat: Seat, place: int | None) -> dict[str, Any]:
    sums = totals(seat)
    view = {
        "name": seat.name,
        "ready": seat.ready,
        "next": seat.next,
        "totals": {
            "thru": sums.thru,
            "traditional": sums.traditional,
            "app": sums.app,
            "to_par": sums.to_par,
        },
        "place": place,
        **(_counts(seat.hand) if seat.hand is not None else _NO_COUNTS),
    }
    if seat.standing != "here":
        view["state"] = seat.standing
    return view


def _seats_view(state: Match) -> dict[int, dict[str, Any]]:
    standing = places(state)
    return {number: _seat_view(state, seat, standing.get(number)) for number, seat in state.seats.items()}


def _public_piles(table: Table) -> dict[str, list[str]]:
    """Return a table's piles, the cards that lie face down as "?"."""
    piles: dict[str, list[str]] = {}
    for name, cards in table.piles.items():
        down = len(cards) if name == STOCK else table.face_down.get(name, 0)
        piles[str(name)] = [HIDDEN] * down + [str(card) for card in cards[down:]]
    return piles


def _board_view(state: Match, viewer: Viewer, owner: int) -> dict[str, list[str]] | None:
    hand = state.seats[owner].hand
    if hand is None or state.table is None:
        return None
    seen = horizon(state, viewer, owner)
    if seen == len(hand.log):
        return _public_piles(hand.board.table)
    piles = _public_piles(state.table)
    for logged in hand.log[:seen]:
        move(piles, logged.steps)
    return piles


def _you_view(state: Match, viewer: Viewer) -> dict[str, Any]:
    seat = state.seats.get(viewer) if viewer is not None else None
    if seat is None or seat.standing != "here":
        return {"role": "spectator", "seat": None}
    view: dict[str, Any] = {"role": "seat", "seat": viewer, "generation": seat.generation}
    view |= _offered(state, seat.hand)
    return view


def _offered(state: Match, hand: Hand | None) -> dict[str, Any]:
    """Return what a seat may do now: the moves in full, so that the client needs no rules."""
    if hand is None:
        return {"moves": [], "undo": False, "done": False, "move_count": 0, "undo_count": 0}
    board = hand.board
    free = state.phase == "playing" and not hand.ended_version
    moves: list[list[str]] = []
    if free:
        piles = board.table.piles
        for offered in base.known(state.game, state.rules, board).moves:
            if isinstance(offered, Draw):
                moves.append(["stock", "waste"])
            else:
                card = piles[offered.source][-offered.count]
                moves.append([offered.source, offered.target, card])
    return {"moves": moves, **_may(state, hand)}


def _may(state: Match, hand: Hand) -> dict[str, Any]:
    """Return what a seat may do besides its moves, and its counters."""
    board = hand.board
    free = state.phase == "playing" and not hand.ended_version
    return {
        "undo": free and base.can_undo(state.game, state.rules, board, state.options.undo),
        "done": free and hand.ending == "stuck",
        "move_count": board.moves,
        "undo_count": board.undos,
    }


# -- snapshot, tell, fold --------------------------------------------------------------------------------------------


def snapshot(state: Match, viewer: Viewer) -> View:
    """Return all that `viewer` may see now (docs/protocol.md, "The view")."""
    boards = {str(number): _board_view(state, viewer, number) for number in state.seats}
    return {
        "match": {**_match_view(state), "card": [_card_view(closed) for closed in state.closed]},
        "seats": {str(number): view for number, view in _seats_view(state).items()},
        "boards": {number: board for number, board in boards.items() if board is not None},
        "you": _you_view(state, viewer),
    }


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in after.items() if key not in before or before[key] != value}


class Telling:
    """One entry, told: what all hear is worked out once, what one viewer hears on top of it for each.

    `to` returns the same object for viewers who hear the same, so that it is encoded once.
    """

    __slots__ = ("_actor", "_after", "_before", "_draw", "_made", "_new", "_old", "_public", "_quiet")

    def __init__(self, before: Match, entry: Entry, after: Match) -> None:
        self._before, self._after = before, after
        body = entry.body
        # A quiet entry moves cards of one hand and nothing else: most entries are, so they have a short way.
        self._quiet = isinstance(body, Acted) and not body.ended
        self._made: dict[tuple[tuple[int, int, int], ...], dict[str, Any]] = {}
        if isinstance(body, Acted) and self._quiet:
            self._actor = body.seat
            self._old, self._new = _hand(before, body.seat), _hand(after, body.seat)
            self._draw = body.what == "draw"
            self._public = {"seats": {str(body.seat): _count_changes(self._old, self._new)}}
        else:
            self._public = self._heard_by_all()

    def _heard_by_all(self) -> dict[str, Any]:
        before, after = self._before, self._after
        patch: dict[str, Any] = {}
        match = _changes(_match_view(before), _match_view(after))
        if match:
            patch["match"] = match
        if len(after.closed) > len(before.closed):
            patch["card"] = [_card_view(closed) for closed in after.closed[len(before.closed) :]]
        old_seats, new_seats = _seats_view(before), _seats_view(after)
        seats: dict[str, Any] = {
            str(number): changed
            for number, view in new_seats.items()
            if (changed := _changes(old_seats.get(number, {}), view))
        }
        seats |= {str(number): None for number in old_seats if number not in new_seats}
        if seats:
            patch["seats"] = seats
        return patch

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """Return the patch that `viewer` hears; it may be empty. Not to be changed: it may be shared."""
        before, after = self._before, self._after
        if after.hole != before.hole:
            boards = {str(n): _board_view(after, viewer, n) for n in after.seats}
            personal: dict[str, Any] = {"boards": {n: board for n, board in boards.items() if board is not None}}
            fresh = True
        else:
            fresh, personal = False, {}
        moved = () if fresh else self._uncovered(viewer)
        seat = after.seats.get(viewer) if viewer is not None else None
        mine = seat is not None and seat.standing == "here"
        if mine and self._quiet:
            if viewer == self._actor:
                # The moves are told whole: to compare them would mean to work them out twice.
                personal["you"] = _changes(_may(before, self._old), _offered(after, self._new))
        elif mine:
            you = _changes(_you_view(before, viewer), _you_view(after, viewer))
            if you:
                personal["you"] = you
        shareable = not personal
        if shareable and moved in self._made:
            return self._made[moved]
        patch = {**self._public, **personal}
        if moved:
            patch["moved"] = {
                str(owner): [list(step) for logged in _log(after, owner)[start:end] for step in logged.steps]
                for owner, start, end in moved
            }
        if shareable:
            self._made[moved] = patch
        return patch

    def _uncovered(self, viewer: Viewer) -> tuple[tuple[int, int, int], ...]:
        """Return (owner, from, to) for each log of which `viewer` sees more than before."""
        before, after = self._before, self._after
        owners: Iterable[int] = after.seats
        if self._quiet:
            actor = self._actor
            if not self._draw:
                # A play or an undo moves nobody's horizon: who sees the log to its end sees one more, others nothing.
                end = len(self._new.log)
                return ((actor, end - 1, end),) if horizon(after, viewer, actor) == end else ()
            if viewer != actor and _plays(after, viewer):
                owners = (actor,)  # how far one sees who still plays follows from one's own draws
        spans = []
        for owner in owners:
            start, end = (
                horizon(before, viewer, owner) if owner in before.seats else 0,
                horizon(after, viewer, owner),
            )
            if end > start:
                spans.append((owner, start, end))
        return tuple(spans)


def _plays(state: Match, viewer: Viewer) -> bool:
    seat = state.seats.get(viewer) if viewer is not None else None
    return seat is not None and seat.standing == "here" and seat.hand is not None and not seat.hand.ended_version


def _hand(state: Match, number: int) -> Hand:
    hand = state.seats[number].hand
    if hand is None:
        raise ValueError(f"seat {number} acted without a hand")
    return hand


def _log(state: Match, owner: int) -> Sequence[Any]:
    hand = state.seats[owner].hand
    return () if hand is None else hand.log


def tell(before: Match, entry: Entry, after: Match, viewer: Viewer) -> dict[str, Any]:
    """Return what `viewer` hears of `entry`: a patch for `fold`."""
    return Telling(before, entry, after).to(viewer)
