"""Check the rounds of a record of Spit by playing them again, in the order in which the stream had them. Pure."""

from collections.abc import Iterator
from typing import Any

from server.match.options import Options
from server.match.record import result_fields
from server.match.shape import Fault
from server.match.spit_play import result_of
from server.match.verify_formats import Sums
from server.rules import spit
from server.rules.cards import Card
from server.rules.codes import deck_of, parse_code, sealed_code


class Rounds:
    """Checks the rounds one after another, and what they add up to."""

    def __init__(self, record: dict[str, Any], options: Options) -> None:
        self.record, self.options = record, options
        self.sums = Sums(record, options)
        self.clock = record["began_at"]

    def check(self) -> Iterator[Fault]:
        """Give all faults of the rounds and the totals."""
        for place, hole in enumerate(self.record["holes"]):
            path = f"holes[{place}]"
            if hole["hole"] != place + 1:
                yield Fault(f"{path}.hole", f"should be {place + 1}: rounds were cut out or put in another order")
            if {int(seat) for seat in hole["seats"]} != {0, 1}:
                yield Fault(f"{path}.seats", "are not the seats of the match")
                continue
            yield from self._round(hole, place, path)
        if self.clock > self.record["ended_at"]:
            yield Fault("ended_at", "is before the last round closed")
        yield from self.sums.check()

    def _round(self, hole: dict[str, Any], place: int, path: str) -> Iterator[Fault]:
        record = self.record
        nonces = {int(seat): nonce for seat, nonce in record["nonces"].items()}
        game = self.options.game_of(place + 1)
        letter = game.letter_of(self.options.rules_of(place + 1))
        code = sealed_code(game.name, letter, record["sealing"], record["secret"], nonces, place + 1)
        if hole["code"] != code:
            yield Fault(f"{path}.code", "is not what the secret and the nonces give")
        yield from self._at(hole["opened_at"], f"{path}.opened_at")
        # By the code that should stand there: what was played is judged all the same.
        table = spit.deal(deck_of(parse_code(code)))
        for number, play in enumerate(hole["plays"]):
            where = f"{path}.plays[{number}]"
            yield from self._at(play[1], where)
            after = _played(table, play)
            if after is None:
                yield Fault(where, "is not a play that the rules allow there")
                return
            table = after
        closed = hole["closed_at"]
        if closed is None:
            if place + 1 < len(record["holes"]) or not (record["abandoned"] or self.sums.conceded is not None):
                yield Fault(f"{path}.closed_at", "is missing: the match went on, or came to its end")
        else:
            yield from self._at(closed, f"{path}.closed_at")
        for seat in (0, 1):
            result = hole["seats"][str(seat)]["result"]
            due = result_fields(self.options, hole["hole"], result_of(table, seat))
            if (result is None) != (closed is None):
                yield Fault(f"{path}.seats.{seat}.result", "is there just when the round has closed")
            elif result is not None:
                yield from (
                    Fault(f"{path}.seats.{seat}.result.{name}", f"should be {value} by the plays")
                    for name, value in due.items()
                    if result[name] != value
                )

    def _at(self, at: int, path: str) -> Iterator[Fault]:
        if at < self.clock:
            yield Fault(path, "is earlier than what comes before")
        self.clock = max(self.clock, at)


def _played(table: spit.Spit, play: list[Any]) -> spit.Spit | None:
    """Give the table after a recorded play or spit, None where the rules don't allow it."""
    if spit.over(table):
        return None
    if play[0] == "spit":
        turned = [str(side.stock[0]) if side.stock else "" for side in table.sides]
        return spit.spat(table) if spit.blocked(table) and play[2:] == turned else None
    seat, source, target, card = play[2:]
    side = int(seat)
    move = spit.Move(source, target, Card(card))
    return spit.played(table, side, move) if move in spit.moves(table, side) else None
