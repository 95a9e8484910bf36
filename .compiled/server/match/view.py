"""What a viewer may see of a match: the only place that hides anything (rules.md, section 3).

`snapshot` gives a viewer's whole view, `telling` what an entry changes in it, `patch.fold` applies that to a view.
The law, tested at every version: the fold of all that was told equals the snapshot, and what was seen only grows. A
viewer is the number of a seat that is here, or None for a spectator; who loses the seat starts from a new snapshot.
Undrawn stock, the secret and a hidden hole's code are never read here but to be left out.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from server.match import formats
from server.match.formats import over_best, places, totals
from server.match.options import Options, dump_options
from server.match.patch import move
from server.match.record import result_fields
from server.match.sight import behind, settled, veiled
from server.match.spit_play import spit_boards, spit_counts, spit_moves, spit_view
from server.match.state import ClosedHole, Hand, Match, Seat
from server.rules import base
from server.rules.base import Board
from server.rules.codes import commitment
from server.rules.table import HIDDEN, STOCK, Draw, Table

View = dict[str, Any]
Viewer = int | None


# -- how far a viewer sees -------------------------------------------------------------------------------------------


def horizon(state: Match, viewer: Viewer, owner: int) -> int:
    """Return how many of `owner`'s actions in the current hole `viewer` may see."""
    hand = state.seats[owner].hand
    if hand is None:
        return 0
    whole = len(hand.log)
    if viewer != owner and veiled(state):
        return 0
    if state.phase != "playing" or viewer == owner:
        return whole
    seat = state.seats.get(viewer) if viewer is not None else None
    own = seat.hand if seat is not None and seat.standing == "here" else None
    if own is not None and not own.ended_version:
        return behind(state, hand, settled(state, own))
    if own is None and state.options.spectators == "live":
        return whole
    others = [
        behind(state, hand, settled(state, other.hand))
        for number, other in state.seats.items()
        if number != owner and other.hand is not None and not other.hand.ended_version
    ]
    if not others:
        return whole
    seen = min(others)
    if own is not None:
        # What it saw while it still played stays seen, as it stood when it ended.
        seen = max(seen, own.saw.get(owner, 0))
    return seen


def uncovered(before: Match, after: Match, viewer: Viewer, owners: Iterable[int]) -> tuple[tuple[int, int, int], ...]:
    """Return what `viewer` sees now of these owners' logs and did not see before, as (owner, from, to)."""
    spans = []
    for owner in owners:
        start = horizon(before, viewer, owner) if owner in before.seats else 0
        end = horizon(after, viewer, owner)
        if end > start:
            spans.append((owner, start, end))
    return tuple(spans)


# -- the parts of a view ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def options_view(options: Options) -> dict[str, Any]:
    """Options without the typed deals: those are codes, and show when their hole may show its own."""
    plain = dump_options(options)
    del plain["deals"]
    plain["variant"] = base.rule_fields(options.rules)
    for hole, named in enumerate(plain.get("mix", ()), 1):
        named["variant"] = base.rule_fields(options.rules_of(hole))
    return plain


def _code_shown(state: Match) -> bool:
    if state.course_open:
        return False
    return state.options.typed(state.hole) or state.options.alone or state.phase in ("between", "ended")


def _rule_view(state: Match) -> dict[str, Any]:
    """The game and the rule of the current hole: a typed code brings its own."""
    game, rules = state.game, state.options.rules if state.rules is None else state.rules
    return {"game": game.name, "rule": base.rule_name(game, rules), "variant": base.rule_fields(rules)}


def match_view(state: Match) -> dict[str, Any]:
    """Return what all see of the match itself, its card left out."""
    following = state.next_match
    return {
        "id": state.match_id,
        "room": state.room,
        "options": options_view(state.options),
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
        "quick": state.gather_until_ms > 0,
        "next": None if following is None else {"match": following[0], "room": following[1]},
        "par": state.options.par * state.options.holes,
        "spit": spit_view(state),
        "standing": formats.standing_fields(formats.standing(state)),
        "best": {str(hole): strokes for hole, strokes in state.bests.items()},
        **_course_view(state),
    }


def _course_view(state: Match) -> dict[str, Any]:
    """Which course this is a round of, and until when (ms) it hides its holes; matches of no course lack the field."""
    course = state.course
    if course is None:
        return {}
    return {"course": {"id": course.course_id, "closes_at": course.closes_at_ms, "open": state.course_open}}


def card_view(state: Match, closed: ClosedHole) -> dict[str, Any]:
    """Return a closed hole, which hides nothing any more, unless others may still play it.

    In match play with its winner, None if it was halved.
    """
    options, shown = state.options, not state.course_open
    won = {"winner": formats.hole_winner(closed.results, options.scoring)} if options.match_play else {}
    return {
        **won,
        "hole": closed.hole,
        "game": options.game_of(closed.hole).name,
        "code": closed.code if shown else None,
        "rule": closed.rule,
        "stock": list(closed.stock) if shown else [],
        "scores": {
            str(number): result_fields(options, closed.hole, result) for number, result in closed.results.items()
        },
    }


def best_view(state: Match) -> dict[str, Any] | None:
    """Return the hole that closed last, to be stepped through: its deal, the best line, and what every seat did.

    None while a hole is open, and before the best was found. `plays`: by seat, the steps of each action.
    """
    strokes = state.bests.get(state.hole)
    if state.phase == "playing" or state.table is None or strokes is None:
        return None
    plays = {
        str(number): [[list(step) for step in logged.steps] for logged in seat.hand.log]
        for number, seat in state.seats.items()
        if seat.hand is not None
    }
    return {
        "hole": state.hole,
        "strokes": strokes,
        "piles": public_piles(state.table),
        "line": [list(step) for step in state.line],
        "plays": plays,
    }


def _counts(state: Match, hand: Hand) -> dict[str, Any]:
    """The live counts of a hand, which everybody sees; the scores are those of stopping now."""
    counts = hand.counts
    return {
        **({"points": state.points(counts.app)} if state.options.mix else {}),
        "state": hand.ending,
        "ended": hand.ended_version > 0,
        "cards_left": counts.cards_left,
        "stock": counts.stock,
        "app": counts.app,
        "traditional": counts.traditional,
        "ended_at": hand.ended_at_ms or None,
    }


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
    view = {
        "name": seat.name,
        "bot": seat.bot,
        "ready": seat.ready,
        "next": seat.next,
        "totals": {**formats.totals_fields(totals(state.options, seat)), "over_best": over_best(state, seat)},
        "nines": formats.nines(state.options, seat.results),
        "place": place,
        **(_counts(state, seat.hand) if seat.hand is not None else _NO_COUNTS),
    }
    if state.options.mix and state.hole and seat.hand is None:
        view["points"] = None
    if seat.standing != "here":
        view["state"] = seat.standing
    return view


def seats_view(state: Match) -> dict[int, dict[str, Any]]:
    """Return what all see of each seat."""
    standing = places(state)
    views = {number: _seat_view(state, seat, standing.get(number)) for number, seat in state.seats.items()}
    if state.spit is not None:
        for number in state.here():
            views[number] |= spit_counts(state, state.spit, number)
    return views


def public_piles(table: Table) -> dict[str, list[str]]:
    """Return a table's piles, the cards that lie face down as "?"."""
    piles: dict[str, list[str]] = {}
    for name, cards in table.piles.items():
        down = len(cards) if name == STOCK else table.face_down.get(name, 0)
        piles[str(name)] = [HIDDEN] * down + [str(card) for card in cards[down:]]
    return piles


def board_view(state: Match, viewer: Viewer, owner: int) -> dict[str, list[str]] | None:
    """Return a seat's board as far as `viewer` sees it, None if it has none."""
    hand = state.seats[owner].hand
    if hand is None or state.table is None:
        return None
    seen = horizon(state, viewer, owner)
    if seen == len(hand.log):
        return public_piles(hand.board.table)
    piles = public_piles(state.table)
    for logged in hand.log[:seen]:
        move(piles, logged.steps)
    return piles


def boards_view(state: Match, viewer: Viewer) -> dict[str, dict[str, list[str]]]:
    """Return the boards of all seats that have one, as far as `viewer` sees them. Of Spit everybody sees the same."""
    if state.spit is not None:
        return spit_boards(state.spit)
    boards = {str(number): board_view(state, viewer, number) for number in state.seats}
    return {number: board for number, board in boards.items() if board is not None}


def you_view(state: Match, viewer: Viewer) -> dict[str, Any]:
    """Return a viewer's own part."""
    seat = state.seats.get(viewer) if viewer is not None else None
    if seat is None or seat.standing != "here":
        return {"role": "spectator", "seat": None}
    view: dict[str, Any] = {"role": "seat", "seat": viewer, "generation": seat.generation}
    view |= offered(state, seat.hand)
    if state.spit is not None and viewer is not None:
        view["moves"] = spit_moves(state, state.spit, viewer)
    return view


def offered(state: Match, hand: Hand | None) -> dict[str, Any]:
    """Return what a seat may do now: the moves in full, so that the client needs no rules."""
    if hand is None:
        return {"moves": [], "undo": False, "done": False, "move_count": 0, "undo_count": 0}
    board = hand.board
    free = state.phase == "playing" and not hand.ended_version
    return {
        "moves": _moves(state, board) if free else [],
        "undo": free and base.can_undo(state.game, state.rules, board, state.options.undo),
        "done": free and (hand.ending == "stuck" or not state.game.declares_loss),
        "move_count": board.moves,
        "undo_count": board.undos,
    }


def _moves(state: Match, board: Board) -> list[list[str]]:
    piles = board.table.piles
    return [
        ["stock", "waste"] if isinstance(move, Draw) else [move.source, move.target, piles[move.source][-move.count]]
        for move in base.known(state.game, state.rules, board).moves
    ]


# -- snapshot and changes --------------------------------------------------------------------------------------------


def snapshot(state: Match, viewer: Viewer) -> View:
    """Return all that `viewer` may see now (docs/protocol.md, "The view")."""
    return {
        "match": {**match_view(state), "card": [card_view(state, closed) for closed in state.closed]},
        "seats": {str(number): view for number, view in seats_view(state).items()},
        "boards": boards_view(state, viewer),
        "you": you_view(state, viewer),
    }


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that are new or not what they were."""
    return {key: value for key, value in after.items() if key not in before or before[key] != value}
