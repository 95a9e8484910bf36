"""One seat's hole, played again from its record. Pure.

Judges each move as the match did, by the same rules, and says what may stand as its result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from server.match.record import told as words_of
from server.match.shape import Fault
from server.rules import base
from server.rules.base import Board, Ending, Game, Refusal, UndoMode
from server.rules.cards import Card
from server.rules.codes import deal_of, parse_code
from server.rules.table import Event, PileId


@dataclass(frozen=True, slots=True)
class Replayed:
    """A seat's board after its moves, as far as they were legal, and what was wrong; paths are within the seat."""

    game: Game
    rules: Any
    board: Board
    told: dict[str, Any]
    faults: tuple[Fault, ...]

    def endings(self, opened_at: int, closed_at: int | None, left_at: int | None) -> list[Ending]:
        """Give how the hole may have ended for the seat, the likeliest first; times in milliseconds.

        `left_at`: when the seat left or was put out, if it was.
        """
        stuck = self.game.outcome(self.board.table, self.rules) == "stuck"
        if not self.game.cards_left(self.board.table):
            return ["cleared"]
        if self.told["ended"] is not None:
            how = self.told["ended"]["how"]
            return [how if how in ("stuck", "done") else "gave_up"]
        if left_at is not None and left_at < opened_at:
            return ["unplayed"]
        if left_at is not None and closed_at is not None and left_at <= closed_at:
            # It may have been stuck before it went, or have gone between the hole's time and its opening.
            may: list[Ending] = ["gave_up"]
            if stuck:
                may.append("stuck")
            if not self.told["moves"]:
                may.append("unplayed")
            return may
        return ["stuck" if stuck else "timed_out"]

    def result(self, how: Ending) -> dict[str, Any]:
        """Give the seat's result, if the hole ended so."""
        table = self.board.table
        score = self.game.score(table, how, self.rules)
        return {
            "how": how,
            "cards_left": self.game.cards_left(table),
            "stock": self.game.stock_left(table),
            "traditional": score.traditional,
            "app": score.app,
            "moves": self.board.moves,
            "undos": self.board.undos,
        }


def replayed(code: str, undo: UndoMode, told: dict[str, Any]) -> Replayed:
    """Play a seat's hole again. Raises CodeError; stops at the first move that the rules don't allow."""
    game, rules, table = deal_of(parse_code(code))
    board, before = base.new_board(table), 0
    faults: list[Fault] = []
    for place, (what, at, *words) in enumerate(told["moves"]):
        if at < before:
            faults.append(Fault(f"moves[{place}]", "is earlier than the one before it"))
        before = at
        events = recorded_events(game, rules, board, undo, what, words)
        if isinstance(events, Refusal) or words_of(events) != words:
            why = events.code if isinstance(events, Refusal) else "other cards"
            faults.append(Fault(f"moves[{place}]", f"is not a move that the rules allow there ({why})"))
            return Replayed(game, rules, board, told, tuple(faults))
        board = base.undo(board) if what == "undo" else base.act(board, events)
    if len(told["moves"]) > game.most_actions:
        faults.append(Fault("moves", "are more than a hole allows"))
    made = Replayed(game, rules, board, told, tuple(faults))
    if told["ended"] is not None:
        faults += _ended(made, undo, before)
    return Replayed(game, rules, board, told, tuple(faults))


def recorded_events(
    game: Game, rules: Any, board: Board, undo: UndoMode, what: str, words: list[str]
) -> tuple[Event, ...] | Refusal:
    """Decide a recorded move as the match did."""
    if what == "undo":
        return base.decide_undo(game, rules, board, undo)
    if what == "draw":
        return base.decide_draw(game, rules, board, game.stock_left(board.table))
    source, target, card, *_ = [*words, "", ""]
    return base.decide(game, rules, board, PileId(source), PileId(target), Card(card))


def _ended(played: Replayed, undo: UndoMode, last_at: int) -> Iterator[Fault]:
    """Check a hole that ended without a move: given up, done, or closed by another seat."""
    game, rules, board, ended = played.game, played.rules, played.board, played.told["ended"]
    outcome = game.outcome(board.table, rules)
    over = outcome == "cleared" or (outcome == "stuck" and not base.can_undo(game, rules, board, undo))
    hows = ["gave_up"] if game.declares_loss else ["gave_up", "done"]
    if outcome == "stuck":
        hows.append("stuck")
    if ended["how"] not in hows or over:
        yield Fault("ended.how", "is not how it can have ended there")
    if ended["at"] < last_at:
        yield Fault("ended.at", "is earlier than the last move")
