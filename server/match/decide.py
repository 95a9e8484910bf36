"""Judge a command on a state: an entry's body, or a refusal. Pure; a refusal changes nothing and says why.

The command's seat is already known to be the sender's. Every refusal has a stable code; `not_open` means that the
match is in another phase, `stale` that what the command names is no longer so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.match import spit_play
from server.match.commands import (
    AddBot,
    Claim,
    CloseSeat,
    Command,
    Done,
    DrawCard,
    GiveUp,
    Join,
    Kick,
    Leave,
    Next,
    PlayCard,
    Ready,
    Rematch,
    SetOptions,
    SpitPlay,
    Start,
    Undo,
)
from server.match.entries import (
    Acted,
    Body,
    BotSeated,
    CountdownStarted,
    NextSet,
    OptionsSet,
    ReadySet,
    RematchNamed,
    SeatClaimed,
    SeatEnded,
    SeatKicked,
    SeatLeft,
    SeatTaken,
)
from server.match.names import bot_name, tell_apart
from server.match.options import MATCH_SEATS
from server.match.state import COUNTDOWN_MS, OFFLINE_MS, Hand, Match, Seat
from server.match.winnable import DealFound, DealWanted
from server.rules import base
from server.rules.base import Refusal
from server.rules.best import Best
from server.rules.cards import Card
from server.rules.games import strengths_of
from server.rules.table import Event, PileId


@dataclass(frozen=True, slots=True)
class World:
    """What a match may know of the outside, in ms of the engine's clock.

    `offline_since`: the seats that are offline; `outages`: (from, until) of each time the engine was away. `bests`: by
    deal code, what this worker has found of what `wanted` says; `deals`: what it has found of `deal_wanted`.
    """

    offline_since: Mapping[int, int] = field(default_factory=dict)
    outages: tuple[tuple[int, int], ...] = ()
    bests: Mapping[str, Best] = field(default_factory=dict)
    deals: Mapping[DealWanted, DealFound] = field(default_factory=dict)


def decide(state: Match, command: Command, now_ms: int, world: World) -> Body | Refusal:
    """Return what `command` makes happen at `now_ms` (engine clock), or why nothing does."""
    if isinstance(command, Join):
        return _join(state, command)
    seat = state.seats.get(command.seat)
    if seat is None or seat.standing != "here":
        return Refusal("not_your_seat")
    judged: Body | Refusal = _HANDLERS[type(command)](state, seat, command, now_ms, world)
    return judged


def _join(state: Match, command: Join) -> SeatTaken | Refusal:
    if command.token_hash in state.kicked:
        return Refusal("kicked")
    if any(seat.token_hash == command.token_hash for seat in state.here().values()):
        return Refusal("stale")  # two pages asked at once: the seat is there already
    if state.phase not in ("lobby", "countdown"):
        return Refusal("not_open")
    free = _free_seats(state)
    if not free:
        # A house player makes room for a person: the one that came last.
        free = sorted((n for n, seat in state.seats.items() if seat.bot), key=lambda n: -state.seats[n].since)
    if not free:
        return Refusal("room_full")
    others = [seat.name for number, seat in state.seats.items() if number != free[0]]
    name = tell_apart(command.name, others)
    return SeatTaken(free[0], name, command.token_hash, state.generations.get(free[0], 0) + 1)


def _free_seats(state: Match) -> list[int]:
    return [number for number in range(state.options.seats) if number not in state.seats]


def _add_bot(state: Match, seat: Seat, command: AddBot, now_ms: int, world: World) -> BotSeated | Refusal:
    if command.seat != state.host:
        return Refusal("not_host")
    if state.phase not in ("lobby", "countdown"):
        return Refusal("started")
    if state.options.mode == "spit":
        return Refusal("bots_off")
    if command.strength not in strengths_of(state.options.games):
        return Refusal("bot_strength")
    free = _free_seats(state)
    if not free:
        return Refusal("room_full")
    name = bot_name(other.name for other in state.seats.values())
    generation = state.generations.get(free[0], 0) + 1
    return BotSeated(free[0], name, command.token_hash, generation, command.strength, command.token)


def _claim(state: Match, seat: Seat, command: Claim, now_ms: int, world: World) -> SeatClaimed:
    return SeatClaimed(command.seat, seat.generation + 1)


def _leave(state: Match, seat: Seat, command: Leave, now_ms: int, world: World) -> SeatLeft:
    return SeatLeft(command.seat)


def _offline_long(world: World, number: int, now_ms: int) -> bool:
    since = world.offline_since.get(number)
    return since is not None and now_ms - since >= OFFLINE_MS


def _kick(state: Match, seat: Seat, command: Kick, now_ms: int, world: World) -> SeatKicked | Refusal:
    if command.seat != state.host:
        return Refusal("not_host")
    whom = state.seats.get(command.whom)
    if whom is None or whom.standing != "here" or command.whom == command.seat:
        return Refusal("no_such_seat")
    if _among_strangers(state) and not whom.bot:
        return Refusal("not_open")
    if state.phase not in ("lobby", "countdown") and not _offline_long(world, command.whom, now_ms):
        return Refusal("seat_online")
    return SeatKicked(command.whom, command.seat)


def _among_strangers(state: Match) -> bool:
    """Say whether a quick match has not begun: whose seat is the host's follows from chance, and it has no say."""
    return state.gather_until_ms > 0 and state.phase in ("lobby", "countdown")


def _ready(state: Match, seat: Seat, command: Ready, now_ms: int, world: World) -> ReadySet | Refusal:
    if state.phase not in ("lobby", "countdown"):
        return Refusal("not_open")
    if seat.ready == command.ready:
        return Refusal("stale")
    return ReadySet(command.seat, command.ready, command.nonce if command.ready else "")


def _start(state: Match, seat: Seat, command: Start, now_ms: int, world: World) -> Body | Refusal:
    if command.seat != state.host:
        return Refusal("not_host")
    if state.phase != "lobby":
        return Refusal("not_open")
    if state.options.match_play and len(state.seats) < MATCH_SEATS:
        return Refusal("too_few")
    if not all(other.ready for number, other in state.seats.items() if number != command.seat):
        return Refusal("not_ready")
    return CountdownStarted(now_ms + COUNTDOWN_MS)


def _set_options(state: Match, seat: Seat, command: SetOptions, now_ms: int, world: World) -> Body | Refusal:
    if command.seat != state.host:
        return Refusal("not_host")
    if state.phase not in ("lobby", "countdown") or state.course is not None or _among_strangers(state):
        return Refusal("not_open")
    if any(number >= command.options.seats for number in state.seats):
        return Refusal("seats_taken")
    if command.options.winnable and state.sealing == 1:
        return Refusal("bad_options", {"field": "winnable"})  # made before deals could be passed over
    strengths = strengths_of(command.options.games) if command.options.mode == "solitaire" else ()
    if any(seat.bot and seat.bot not in strengths for seat in state.seats.values()):
        return Refusal("bot_strength")  # they would only sit there
    return OptionsSet(command.options)


def _open_hand(state: Match, seat: Seat, now_ms: int) -> Hand | Refusal:
    """Return the seat's hand if it may still act in the open hole."""
    hand = seat.hand
    if state.phase != "playing" or hand is None:
        return Refusal("not_open")
    if hand.ended_version or 0 < state.deadline_ms <= now_ms:
        return Refusal("hole_over")
    return hand


def _acting_hand(state: Match, seat: Seat, now_ms: int) -> Hand | Refusal:
    hand = _open_hand(state, seat, now_ms)
    most = state.game.most_actions
    if isinstance(hand, Hand) and hand.board.moves + hand.board.undos >= most:
        return Refusal("too_many_moves", {"most": most})
    return hand


def _acted(state: Match, number: int, hand: Hand, what: Any, events: tuple[Event, ...]) -> Acted:
    """State the effects: the events, and how the seat stands after them."""
    game, rules = state.game, state.rules
    board = base.undo(hand.board) if what == "undo" else base.act(hand.board, events)
    outcome = base.known(game, rules, board).outcome
    if outcome is None:
        return Acted(number, what, events, "playing", False)
    ended = outcome == "cleared" or not base.can_undo(game, rules, board, state.options.undo)
    return Acted(number, what, events, outcome, ended)


def _play(state: Match, seat: Seat, command: PlayCard, now_ms: int, world: World) -> Body | Refusal:
    hand = _acting_hand(state, seat, now_ms)
    if isinstance(hand, Refusal):
        return hand
    events = base.decide(
        state.game,
        state.rules,
        hand.board,
        PileId(command.source),
        PileId(command.target),
        Card(command.card),
    )
    if isinstance(events, Refusal):
        return events
    return _acted(state, command.seat, hand, "play", events)


def _spit(state: Match, seat: Seat, command: SpitPlay, now_ms: int, world: World) -> Body | Refusal:
    return spit_play.decide_play(state, command, now_ms)


def _draw(state: Match, seat: Seat, command: DrawCard, now_ms: int, world: World) -> Body | Refusal:
    hand = _acting_hand(state, seat, now_ms)
    if isinstance(hand, Refusal):
        return hand
    events = base.decide_draw(state.game, state.rules, hand.board, command.stock)
    if isinstance(events, Refusal):
        return events
    return _acted(state, command.seat, hand, "draw", events)


def _undo(state: Match, seat: Seat, command: Undo, now_ms: int, world: World) -> Body | Refusal:
    hand = _acting_hand(state, seat, now_ms)
    if isinstance(hand, Refusal):
        return hand
    if (command.moves, command.undos) != (hand.board.moves, hand.board.undos):
        return Refusal("stale")
    events = base.decide_undo(state.game, state.rules, hand.board, state.options.undo)
    if isinstance(events, Refusal):
        return events
    return _acted(state, command.seat, hand, "undo", events)


def _give_up(state: Match, seat: Seat, command: GiveUp, now_ms: int, world: World) -> Body | Refusal:
    hand = _open_hand(state, seat, now_ms)
    if isinstance(hand, Refusal):
        return hand
    if command.hole != state.hole:
        return Refusal("stale")
    return SeatEnded(command.seat, "gave_up", command.seat)


def _done(state: Match, seat: Seat, command: Done, now_ms: int, world: World) -> Body | Refusal:
    hand = _open_hand(state, seat, now_ms)
    if isinstance(hand, Refusal):
        return hand
    if command.hole != state.hole:
        return Refusal("stale")
    if hand.ending == "stuck":
        return SeatEnded(command.seat, "stuck", command.seat)
    if state.game.declares_loss:
        return Refusal("not_stuck")
    return SeatEnded(command.seat, "done", command.seat)


def _close_seat(state: Match, seat: Seat, command: CloseSeat, now_ms: int, world: World) -> Body | Refusal:
    whom = state.seats.get(command.whom)
    if whom is None or whom.standing != "here" or command.whom == command.seat:
        return Refusal("no_such_seat")
    hand = _open_hand(state, whom, now_ms)
    if isinstance(hand, Refusal):
        return hand
    if command.hole != state.hole:
        return Refusal("stale")
    if not _offline_long(world, command.whom, now_ms):
        return Refusal("seat_online")
    # A seat that was stuck has nothing left to give up.
    return SeatEnded(command.whom, "stuck" if hand.ending == "stuck" else "gave_up", command.seat)


def _next(state: Match, seat: Seat, command: Next, now_ms: int, world: World) -> Body | Refusal:
    if state.phase != "between":
        return Refusal("not_open")
    if command.hole != state.hole or seat.next:
        return Refusal("stale")
    return NextSet(command.seat)


def _rematch(state: Match, seat: Seat, command: Rematch, now_ms: int, world: World) -> Body | Refusal:
    if state.phase != "ended" or state.course is not None:
        return Refusal("not_open")  # a course is played once
    if state.next_match is not None:
        return Refusal("stale")
    return RematchNamed(command.match_id, command.room, command.secret)


_HANDLERS: Mapping[type[Command], Any] = {
    Claim: _claim,
    Leave: _leave,
    Kick: _kick,
    AddBot: _add_bot,
    Ready: _ready,
    Start: _start,
    SetOptions: _set_options,
    PlayCard: _play,
    SpitPlay: _spit,
    DrawCard: _draw,
    Undo: _undo,
    GiveUp: _give_up,
    Done: _done,
    CloseSeat: _close_seat,
    Next: _next,
    Rematch: _rematch,
}
