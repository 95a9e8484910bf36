"""Check what the holes of a record add up to: how many there are, totals, nines, places, and match play. Pure.

Goes by the results that the record tells; `verify` holds each of them against the board that its moves led to.
"""

from collections.abc import Iterator
from typing import Any

from server.match.entries import Result
from server.match.formats import (
    Standing,
    hole_winner,
    nines,
    placed,
    standing_fields,
    stands,
    summed,
    totals_fields,
)
from server.match.options import MATCH_SEATS, Options
from server.match.shape import Fault

_SCHEMA: int = 3
"""The first schema that tells winners, the standing and nines."""


class Sums:
    """What the closed holes of a record come to, by its options. `conceded`: who went from match play, or None."""

    def __init__(self, record: dict[str, Any], options: Options) -> None:
        self.record, self.options = record, options
        self.numbers: list[int] = [row["seat"] for row in record["seats"]]
        closed = [hole for hole in record["holes"] if hole["closed_at"] is not None]
        told = [{seat: hole["seats"].get(str(seat), {}).get("result") for seat in self.numbers} for hole in closed]
        self.closed = [
            {seat: _result(made) for seat, made in results.items() if made is not None} for results in told
        ]
        self.two = len(self.numbers) == MATCH_SEATS
        self.conceded: int | None = None
        self.standing: Standing | None = None
        self.winners: list[int | None] = []
        if options.match_play and self.two and all(len(results) == MATCH_SEATS for results in self.closed):
            self.winners = [hole_winner(results, options.scoring) for results in self.closed]
            self._stand()

    def _stand(self) -> None:
        """Who was the first to go conceded, unless the closed holes had decided the match."""
        if not self.record["holes"]:
            return
        now = stands(self.options, self.numbers, self.winners, None)
        if not now.over and self.record["notes"]:
            self.conceded = self.record["notes"][0]["seat"]
            now = stands(self.options, self.numbers, self.winners, self.conceded)
        self.standing = now

    def check(self) -> Iterator[Fault]:
        """Give all faults, once the holes themselves were looked at."""
        yield from self._number()
        if self.options.match_play and self.record["holes"] and not self.two:
            yield Fault("seats", "are not the two of match play")
            return
        yield from self._match_play()
        yield from self._totals()

    def _number(self) -> Iterator[Fault]:
        """Check that the holes are those of the options, or as many as match play went on for."""
        record, count = self.record, self.options.holes
        closed, opened = len(self.closed), len(record["holes"])
        if self.standing is None:
            if opened > count or (not record["abandoned"] and closed != count):
                yield Fault("holes", f"are {opened}, not the {count} of the options")
            return
        enough = next(
            (n for n in range(closed) if stands(self.options, self.numbers, self.winners[:n], None).over), closed
        )
        if opened > enough and (enough < closed or self.conceded is None):
            yield Fault("holes", f"go on after the match was over with {enough}")
        elif not self.standing.over:
            yield Fault("holes", f"are {opened}, and the match is not over")

    def _match_play(self) -> Iterator[Fault]:
        if self.record["schema"] < _SCHEMA:
            return
        winners = iter(self.winners)
        for place, hole in enumerate(self.record["holes"]):
            winner = next(winners, None) if hole["closed_at"] is not None else None
            if hole["winner"] != winner:
                yield Fault(f"holes[{place}].winner", f"should be {winner} by the results")
        told, due = self.record["standing"], standing_fields(self.standing)
        if told is None or due is None:
            if told != due:
                yield Fault("standing", "is there just in match play that began")
            return
        for name, value in due.items():
            if told[name] != value:
                yield Fault(f"standing.{name}", f"should be {value} by the holes")

    def _totals(self) -> Iterator[Fault]:
        closed = len(self.closed)
        par = self.options.par
        if self.record["par"] != par * closed:
            yield Fault("par", f"should be {par * closed}")
        mine = {seat: [results[seat] for results in self.closed if seat in results] for seat in self.numbers}
        sums = {seat: summed(self.options, results) for seat, results in mine.items()}
        places = placed(self.options.scoring, sums, self.standing, closed)
        for place, row in enumerate(self.record["seats"]):
            seat = row["seat"]
            due: dict[str, Any] = {**totals_fields(sums[seat]), "place": places.get(seat)}
            if self.record["schema"] >= _SCHEMA:
                due["nines"] = nines(self.options, mine[seat])
            for name, value in due.items():
                if row[name] != value:
                    yield Fault(f"seats[{place}].{name}", f"should be {value}")


def _result(told: dict[str, Any]) -> Result:
    return Result(
        told["how"],
        told["cards_left"],
        told["stock"],
        told["traditional"],
        told["app"],
        told["moves"],
        told["undos"],
    )
