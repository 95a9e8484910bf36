"""The fold: a state and the next entry give the next state. Pure and total; it judges nothing.

`decide` and `due` made sure that an entry may happen; here it has happened. The only clock is `entry.at_ms` and the
times that entries state. A type that is not handled is a programming error and raises.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from server.match import spit_play
from server.match.entries import (
    Acted,
    BestFound,
    Body,
    BotSeated,
    CountdownStarted,
    CourseClosed,
    Created,
    Entry,
    HoleClosed,
    HoleOpened,
    HostChanged,
    MatchEnded,
    NextSet,
    OptionsSet,
    ReadySet,
    RematchNamed,
    SeatClaimed,
    SeatEnded,
    SeatKicked,
    SeatLeft,
    SeatTaken,
    TimeGiven,
)
from server.match.evolve_match import best_found, course_closed, created, match_ended, rematch_named, time_given
from server.match.formats import over
from server.match.sight import behind, settled
from server.match.state import (
    LAST_SEAT_MS,
    PAUSE_MS,
    ClosedHole,
    Counts,
    Hand,
    Logged,
    Match,
    Seat,
    Standing,
    changed,
    moved,
)
from server.rules import base
from server.rules.codes import deal_of, parse_code
from server.rules.table import STOCK, Table, steps, steps_back


def evolve(state: Match | None, entry: Entry) -> Match:
    """Return the state after `entry`, which bears the version that follows the state's.

    Raises ValueError for an entry out of order, or a first one that doesn't create.
    """
    body = entry.body
    if state is None:
        if not isinstance(body, Created) or entry.version != 1:
            raise ValueError("a match begins with its creation")
        return created(body, entry.at_ms)
    if entry.version != state.version + 1:
        raise ValueError(f"entry {entry.version} does not follow version {state.version}")
    after: Match = _HANDLERS[type(body)](state, entry, body)
    return after


def replay(entries: Iterable[Entry]) -> Match:
    """Fold a whole stream. Raises ValueError if it is empty or out of order."""
    state: Match | None = None
    for entry in entries:
        state = evolve(state, entry)
    if state is None:
        raise ValueError("an empty stream is no match")
    return state


def _with_seat(seats: Mapping[int, Seat], number: int, seat: Seat) -> dict[int, Seat]:
    return {**seats, number: seat}


def _back_to_lobby(state: Match, **changes: Any) -> Match:
    """A countdown does not outlive a change of who is seated or ready."""
    if state.phase == "countdown":
        changes |= {"phase": "lobby", "starts_at_ms": 0, "nonces": {}}
    return changed(state, **changes)


def _taken(state: Match, entry: Entry, body: SeatTaken) -> Match:
    return _seated(state, entry, body, Seat(body.name, body.token_hash, body.generation, since=entry.version))


def _bot_seated(state: Match, entry: Entry, body: BotSeated) -> Match:
    seat = Seat(body.name, body.token_hash, body.generation, since=entry.version, bot=body.strength, token=body.token)
    return _seated(state, entry, body, seat)


def _seated(state: Match, entry: Entry, body: SeatTaken | BotSeated, seat: Seat) -> Match:
    return _back_to_lobby(
        state,
        version=entry.version,
        seats=dict(sorted(_with_seat(state.seats, body.seat, seat).items())),
        generations={**state.generations, body.seat: body.generation},
    )


def _claimed(state: Match, entry: Entry, body: SeatClaimed) -> Match:
    seat = changed(state.seats[body.seat], generation=body.generation)
    return changed(
        state,
        version=entry.version,
        seats=_with_seat(state.seats, body.seat, seat),
        generations={**state.generations, body.seat: body.generation},
    )


def _gone(state: Match, entry: Entry, number: int, standing: Standing) -> Match:
    """A seat goes: before the start its place is free again, later it stays on the card."""
    seat = state.seats[number]
    conceded = number if state.conceded is None and _concedes(state) else state.conceded
    kicked = state.kicked | {seat.token_hash} if standing == "kicked" else state.kicked
    if state.phase in ("lobby", "countdown"):
        seats = {n: other for n, other in state.seats.items() if n != number}
        state = _back_to_lobby(state, version=entry.version, seats=seats, kicked=kicked)
    else:
        seat = changed(seat, standing=standing, next=False)
        state = changed(
            state,
            version=entry.version,
            seats=_with_seat(state.seats, number, seat),
            kicked=kicked,
            conceded=conceded,
        )
        if number in state.playing():
            state = _end_hand(state, entry, number, "gave_up")
    if number == state.host:
        heirs = [n for n in state.people() if n > number] or list(state.people())
        if heirs:
            state = changed(state, host=heirs[0])
    return state


def _concedes(state: Match) -> bool:
    """Who goes from match play while it is under way gives it to the other."""
    return state.options.match_play and state.phase in ("playing", "between") and not over(state)


def _left(state: Match, entry: Entry, body: SeatLeft) -> Match:
    return _gone(state, entry, body.seat, "left")


def _kicked(state: Match, entry: Entry, body: SeatKicked) -> Match:
    return _gone(state, entry, body.seat, "kicked")


def _host(state: Match, entry: Entry, body: HostChanged) -> Match:
    return changed(state, version=entry.version, host=body.seat)


def _options(state: Match, entry: Entry, body: OptionsSet) -> Match:
    alone = body.options.alone
    seats = {number: changed(seat, ready=alone, nonce="") for number, seat in state.seats.items()}
    return _back_to_lobby(state, version=entry.version, options=body.options, seats=seats)


def _ready(state: Match, entry: Entry, body: ReadySet) -> Match:
    seat = changed(state.seats[body.seat], ready=body.ready, nonce=body.nonce)
    seats = _with_seat(state.seats, body.seat, seat)
    if body.ready:
        return changed(state, version=entry.version, seats=seats)
    return _back_to_lobby(state, version=entry.version, seats=seats)


def _countdown(state: Match, entry: Entry, body: CountdownStarted) -> Match:
    nonces = {number: seat.nonce for number, seat in state.seats.items() if seat.nonce}
    return changed(state, version=entry.version, phase="countdown", starts_at_ms=body.starts_at_ms, nonces=nonces)


def _opened(state: Match, entry: Entry, body: HoleOpened) -> Match:
    game, rules, table = deal_of(parse_code(body.code))
    opened_at_ms = body.opened_at_ms or entry.at_ms
    # A deal on which nothing plays and nothing is drawn is over for all as it lies there.
    ending = game.outcome(table, rules) or "playing"
    ended = (opened_at_ms, entry.version) if ending != "playing" else (0, 0)
    hand = Hand(base.new_board(table), _counts(game, table, ending, rules), ending, *ended)
    seats = {
        number: changed(seat, next=False, hand=hand if seat.standing == "here" else None)
        for number, seat in state.seats.items()
    }
    return changed(
        state,
        version=entry.version,
        phase="playing",
        seats=seats,
        hole=body.hole,
        code=body.code,
        rules=rules,
        table=table,
        opened_at_ms=opened_at_ms,
        hole_deadline_ms=opened_at_ms + 1000 * body.seconds if body.seconds else 0,
        last_seat_deadline_ms=0,
        starts_at_ms=0,
        closed_at_ms=0,
        line=(),
    )


def _acted(state: Match, entry: Entry, body: Acted) -> Match:
    seat = state.seats[body.seat]
    hand = seat.hand
    if hand is None:
        raise ValueError(f"seat {body.seat} acts without a hand")
    if body.what == "undo":
        board = base.undo(hand.board)
        seen = tuple([tuple(step) for event in reversed(body.events) for step in steps_back(event)])
    else:
        board = base.act(hand.board, body.events)
        seen = tuple([tuple(step) for event in body.events for step in steps(event)])
    places, opened = hand.shown, hand.seen
    if len(board.seen) > len(hand.board.seen):
        places, opened = (*places, len(hand.log)), (*opened, board.seen)
    hand = Hand(
        board,
        _counts(state.game, board.table, body.ending, state.rules),
        body.ending,
        hand.ended_at_ms,
        hand.ended_version,
        (*hand.log, Logged(entry.version, entry.at_ms, body.what, seen)),
        places,
        opened,
    )
    state = moved(state, entry.version, body.seat, hand)
    return _end_hand(state, entry, body.seat, body.ending) if body.ended else state


def _counts(game: base.Game, table: Table, ending: base.Ending, rules: Any) -> Counts:
    score = game.score(table, ending, rules)
    return Counts(game.cards_left(table), game.stock_left(table), score.app, score.traditional)


def _end_hand(state: Match, entry: Entry, number: int, ending: base.Ending) -> Match:
    seat = state.seats[number]
    hand = seat.hand
    if hand is None:
        raise ValueError(f"seat {number} ends without a hand")
    counts = _counts(state.game, hand.board.table, ending, state.rules)
    hand = changed(hand, counts=counts, ending=ending, ended_at_ms=entry.at_ms, ended_version=entry.version)
    seen = settled(state, hand)
    others = {n: other.hand for n, other in state.seats.items() if n != number and other.hand is not None}
    hand = changed(hand, saw={n: behind(state, theirs, seen) for n, theirs in others.items()})
    state = changed(state, seats=_with_seat(state.seats, number, changed(seat, hand=hand)))
    if len(state.playing()) == 1:  # one has just ended, so this is the last of several
        state = changed(state, last_seat_deadline_ms=entry.at_ms + LAST_SEAT_MS)
    return state


def _ended(state: Match, entry: Entry, body: SeatEnded) -> Match:
    return _end_hand(changed(state, version=entry.version), entry, body.seat, body.ending)


def _closed(state: Match, entry: Entry, body: HoleClosed) -> Match:
    if state.spit is not None:
        return spit_play.evolve_closed(state, entry, body)
    closed_at_ms = body.closed_at_ms or entry.at_ms
    seats = {}
    for number, seat in state.seats.items():
        result, hand = body.results[number], seat.hand
        if hand is not None and not hand.ended_version:
            counts = _counts(state.game, hand.board.table, result.ending, state.rules)
            hand = changed(
                hand, counts=counts, ending=result.ending, ended_at_ms=closed_at_ms, ended_version=entry.version
            )
        seats[number] = changed(seat, hand=hand, results=(*seat.results, result), next=False)
    if state.table is None:
        raise ValueError("no hole was dealt")
    record = ClosedHole(
        hole=body.hole,
        code=state.code,
        rule=base.rule_name(state.game, state.rules),
        stock=tuple(str(card) for card in reversed(state.table.piles.get(STOCK, ()))),
        results=body.results,
    )
    state = changed(
        state,
        version=entry.version,
        phase="between",
        seats=seats,
        hole_deadline_ms=0,
        last_seat_deadline_ms=0,
        closed_at_ms=closed_at_ms,
        starts_at_ms=0,
        closed=(*state.closed, record),
    )
    if state.options.alone or over(state):
        return state
    return changed(state, starts_at_ms=closed_at_ms + PAUSE_MS)


def _next(state: Match, entry: Entry, body: NextSet) -> Match:
    seat = changed(state.seats[body.seat], next=True)
    return changed(state, version=entry.version, seats=_with_seat(state.seats, body.seat, seat))


_HANDLERS: Mapping[type[Body], Any] = {
    SeatTaken: _taken,
    BotSeated: _bot_seated,
    SeatClaimed: _claimed,
    SeatLeft: _left,
    SeatKicked: _kicked,
    HostChanged: _host,
    OptionsSet: _options,
    ReadySet: _ready,
    CountdownStarted: _countdown,
    HoleOpened: _opened,
    Acted: _acted,
    SeatEnded: _ended,
    HoleClosed: _closed,
    BestFound: best_found,
    NextSet: _next,
    TimeGiven: time_given,
    MatchEnded: match_ended,
    RematchNamed: rematch_named,
    CourseClosed: course_closed,
    **spit_play.HANDLERS,
}
