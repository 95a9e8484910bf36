"""The public record of an ended match, drawn from its entries by an allow-list. Pure.

Nothing is copied: each field is named here, so that a token hash or a later addition can't slip out. The record
holds all that a checker needs (`verify` is one): each hole's code, cards, moves and results, the secret that the
commitment fixed, the nonces that were mixed in, and a sum of each field.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from server.match.entries import (
    Acted,
    BestFound,
    Entry,
    HoleClosed,
    HoleOpened,
    Result,
    SeatEnded,
    SeatKicked,
    SeatLeft,
)
from server.match.evolve import evolve
from server.match.formats import hole_winner, nines, places, standing, standing_fields, totals, totals_fields
from server.match.options import Options, dump_options
from server.match.spit_entries import SpitDealt, SpitPlayed, SpitTurned
from server.match.state import Match
from server.match.sums import SUMS, sums_of
from server.rules import base
from server.rules.best import Best, Step
from server.rules.codes import commitment, deal_of, parse_code
from server.rules.games import GAMES
from server.rules.table import STOCK, WASTE, Dealt, Event, Redealt, laid_out, steps

RECORD_SCHEMA: Final = 5
"""5: rounds of Spit, 4: mixed games, and only those: other records are of schema 3, byte for byte as they were.
3: formats, nines, who won each hole, and the best that its deal allowed; 2: variants, nonces and sums; 1 had none."""


class NotEnded(ValueError):
    """A record is given of ended matches only: before that it would show what is hidden."""


def record(entries: Iterable[Entry], bests: Mapping[str, Best] | None = None) -> dict[str, Any]:
    """Return the JSON-able record of a match. Raises NotEnded, or ValueError for an empty stream.

    `bests`: by deal code, what was found of closed holes besides what the entries say.
    """
    state: Match | None = None
    ended: Match | None = None
    holes: list[dict[str, Any]] = []
    began_at_ms = ended_at_ms = 0
    notes: list[dict[str, Any]] = []
    for entry in entries:
        state = evolve(state, entry)
        body = entry.body
        began_at_ms = began_at_ms or entry.at_ms
        if state.phase == "ended" and ended is None:
            ended, ended_at_ms = state, entry.at_ms
        if isinstance(body, HoleOpened):
            holes.append(_opened(state, body))
        elif isinstance(body, SpitDealt):
            holes.append(_spit_dealt(state, body))
        elif isinstance(body, SpitPlayed):
            holes[-1]["plays"].append(["play", entry.at_ms, str(body.seat), body.source, body.target, body.card])
        elif isinstance(body, SpitTurned):
            holes[-1]["plays"].append(["spit", entry.at_ms, *body.cards])
        elif isinstance(body, Acted):
            holes[-1]["seats"][str(body.seat)]["moves"].append(_acted(entry, body))
        elif isinstance(body, SeatEnded):
            ending = {"at": entry.at_ms, "how": body.ending, "by": body.by}
            holes[-1]["seats"][str(body.seat)]["ended"] = ending
        elif isinstance(body, HoleClosed):
            _closed(state, holes[-1], body, bests or {})
        elif isinstance(body, BestFound):
            holes[body.hole - 1]["best"] = _best(body.strokes, body.line)
        elif not holes or ended is not None:
            # Before the start another may have taken the seat. After the end somebody going home changes nothing,
            # so that a record is the same whenever it is made.
            continue
        elif isinstance(body, SeatKicked):
            notes.append({"at": entry.at_ms, "what": "kicked", "seat": body.seat, "by": body.by})
        elif isinstance(body, SeatLeft):
            notes.append({"at": entry.at_ms, "what": "left", "seat": body.seat})
    if state is None:
        raise ValueError("an empty stream is no match")
    if ended is None:
        raise NotEnded("the match goes on")
    made = {
        "schema": schema_of(state.options),
        "match": state.match_id,
        "game": state.options.game,
        "options": dump_options(state.options),
        "began_at": began_at_ms,
        "ended_at": ended_at_ms,
        "abandoned": state.abandoned,
        "commitment": commitment(bytes.fromhex(state.secret)),
        "secret": state.secret,
        "sealing": state.sealing,
        "nonces": {str(number): nonce for number, nonce in state.nonces.items()},
        "par": state.options.par * len(state.closed),
        "standing": standing_fields(standing(ended)),
        "seats": _seats(ended),
        "holes": holes,
        "notes": notes,
    }
    return {**made, SUMS: sums_of(made)}


def schema_of(options: Options) -> int:
    """Return the lowest schema that can say what a match of these options was: what others write doesn't change."""
    if options.mode == "spit":
        return RECORD_SCHEMA
    return RECORD_SCHEMA - 1 if options.mix else RECORD_SCHEMA - 2


def _spit_dealt(state: Match, body: SpitDealt) -> dict[str, Any]:
    return {
        "hole": body.hole,
        "code": body.code,
        "opened_at": state.opened_at_ms,
        "closed_at": None,
        "winner": None,
        "plays": [],
        "seats": {str(number): {"result": None} for number in state.seats},
    }


def _seats(state: Match) -> list[dict[str, Any]]:
    placed = places(state)
    rows = []
    for number, seat in state.seats.items():
        rows.append(
            {
                "seat": number,
                "name": seat.name,
                "standing": seat.standing,
                "place": placed.get(number),
                **totals_fields(totals(state.options, seat)),
                "nines": nines(state.options, seat.results),
            }
        )
    return rows


def dealt(code: str) -> dict[str, Any]:
    """Return what a record says of a hole's deal: the code, the rule and its fields, the cards. Raises CodeError.

    The game too, which stands there only where games are mixed.
    """
    game, rules, table = deal_of(parse_code(code))
    return {
        "game": game.name,
        "code": code,
        "rule": base.rule_name(game, rules),
        "variant": base.rule_fields(rules),
        **laid_out(table),
    }


def _opened(state: Match, body: HoleOpened) -> dict[str, Any]:
    deal = dealt(body.code)
    if not state.options.mix:
        del deal["game"]
    return {
        "hole": body.hole,
        **deal,
        "opened_at": state.opened_at_ms,
        "closed_at": None,
        "skipped": body.skipped,
        "best": None,
        "winner": None,
        "seats": {str(number): {"moves": [], "ended": None, "result": None} for number in state.seats},
    }


def _acted(entry: Entry, body: Acted) -> list[Any]:
    return [body.what, entry.at_ms, *told(body.events)]


def told(events: Iterable[Event]) -> list[str]:
    """Return how a record names an action, an undo by what it takes back.

    Of cards from the stock it names the cards alone; of all else source, target and cards, one after the other. What
    turns up does so within its pile, so that its source is its target; a waste turned over goes to the stock.
    """
    words: list[str] = []
    for event in events:
        if isinstance(event, Dealt | Redealt):
            words += event.cards if isinstance(event, Dealt) else [WASTE, STOCK, *event.cards]
        else:
            words += [word for step in steps(event) for word in step]
    return words


def _closed(state: Match, hole: dict[str, Any], body: HoleClosed, bests: Mapping[str, Best]) -> None:
    hole["closed_at"] = state.closed_at_ms
    best = bests.get(hole["code"])
    if best is not None:
        hole["best"] = _best(best.strokes, best.line)
    if state.options.match_play:
        hole["winner"] = hole_winner(body.results, state.options.scoring)
    for number, result in body.results.items():
        hole["seats"][str(number)]["result"] = result_fields(state.options, body.hole, result)


def _best(strokes: int, line: Iterable[Step]) -> dict[str, Any]:
    return {"strokes": strokes, "line": [list(step) for step in line]}


def unsolved(made: Mapping[str, Any]) -> list[str]:
    """Return the codes of a record's closed holes whose best it doesn't say, though it could be found."""
    missing = [hole for hole in made["holes"] if hole["closed_at"] is not None and hole.get("best", "") is None]
    return [hole["code"] for hole in missing if GAMES[hole.get("game", made["game"])].solvable]


def result_fields(options: Options, hole: int, result: Result) -> dict[str, Any]:
    """Return a seat's result of a hole as views and records say it, in points too where games are mixed."""
    points = {"points": options.points(hole, result.app)} if options.mix else {}
    return {
        **points,
        "how": result.ending,
        "cards_left": result.cards_left,
        "stock": result.stock,
        "traditional": result.traditional,
        "app": result.app,
        "moves": result.moves,
        "undos": result.undos,
    }
