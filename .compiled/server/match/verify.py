"""Check the record of an ended match from the record alone. Pure.

What the secret fixes is computed again: the commitment, each hole's code, its cards; then every move is judged by
the rules, and results, totals and places follow. The rest (names, times, who went) has to agree with itself, and
each field with its sum. Whatever is wrong is named by its field.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from server.match.names import clean
from server.match.options import check, load_options
from server.match.record import RECORD_SCHEMA, dealt, schema_of
from server.match.replay import Replayed, replayed
from server.match.shape import PILES, SHAPES, Fault
from server.match.sums import SUMS, sums_of
from server.match.verify_best import Solve, check_best
from server.match.verify_formats import Sums
from server.match.verify_spit import Rounds
from server.match.winnable import MOST_SKIPPED, DealWanted
from server.rules import codes
from server.rules.games import GAMES


class NoRecord(ValueError):
    """This is no record (`not_a_record`), or one of a newer version (`record_newer`): nothing can be said about it."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


@dataclass(frozen=True, slots=True)
class Report:
    """What a check came to: the faults, none if all agrees, and how much was checked."""

    faults: tuple[Fault, ...]
    holes: int
    seats: int
    moves: int
    open_deal: bool
    nonces: int


def verify(record: object, solve: Solve | None = None) -> Report:
    """Check a record as it was read from JSON; with `solve`, that no deal allowed better either. Raises NoRecord."""
    schema = record.get("schema") if isinstance(record, dict) else None
    if not isinstance(record, dict) or type(schema) is not int or schema < 1:
        raise NoRecord("not_a_record", "this is not the record of a match")
    if schema > RECORD_SCHEMA:
        words = f"a newer version wrote it (schema {schema}, this one knows {RECORD_SCHEMA})"
        raise NoRecord("record_newer", words)
    faults = list(SHAPES[schema](record, ""))
    if schema == 1 and SUMS in record:
        faults.insert(0, Fault("schema", "is 1, and there are fields that came later"))
    if faults:
        return Report(tuple(faults), 0, 0, 0, False, 0)
    head = list(_head(record))
    found = [*_sums(record), *head]
    if not any(fault.field == "game" or fault.field.startswith("options.") for fault in head):
        options = load_options(record["options"])
        found += (Rounds(record, options) if options.mode == "spit" else _Holes(record, solve)).check()
    return Report(
        faults=tuple(dict.fromkeys(found)),
        holes=len(record["holes"]),
        seats=len(record["seats"]),
        moves=sum(_moves(hole) for hole in record["holes"]),
        open_deal=bool(record["options"].get("deals")),
        nonces=len(record.get("nonces", {})),
    )


def _moves(hole: dict[str, Any]) -> int:
    """Count the moves of a hole, or the plays of a round of Spit."""
    return len(hole.get("plays", ())) + sum(len(hand.get("moves", ())) for hand in hole["seats"].values())


def _sums(record: dict[str, Any]) -> Iterator[Fault]:
    """Name the fields that are not as they were when the record was written."""
    if SUMS not in record:
        return
    told, made = record[SUMS], sums_of(record)
    for path, own in made.items():
        if path not in told:
            yield Fault(path, "has no sum: it was not in the record when that was written")
        elif told[path] != own:
            yield Fault(path, "does not agree with its sum: one of the two was changed")
    for path in told:
        if path not in made:
            yield Fault(path, "has a sum and is not there: it was taken out")


def _head(record: dict[str, Any]) -> Iterator[Fault]:
    """Check what stands above the holes, but for totals and places."""
    options = load_options(record["options"])
    if record["game"] not in GAMES or record["game"] != options.game:
        yield Fault("game", "is not a game that is known here, or not that of the options")
        return
    if max(record["schema"], RECORD_SCHEMA - 2) != schema_of(options):
        yield Fault("options.mix", "is named just by records of mixed games, which have a schema of their own")
        return
    try:
        wrong = check(options)
    except codes.CodeError:
        wrong = "deals"
    if wrong is not None:
        yield Fault(f"options.{wrong}", "is out of its range or contradicts another option")
        return
    sealing = record.get("sealing", 1)
    if sealing not in (1, codes.SEALING):
        yield Fault("sealing", "is no derivation that is known here")
    numbers = [row["seat"] for row in record["seats"]]
    for seat in record.get("nonces", {}):
        if sealing == 1 or int(seat) not in numbers:
            yield Fault(f"nonces.{seat}", "is a nonce that nobody can have given")
    if codes.commitment(bytes.fromhex(record["secret"])) != record["commitment"]:
        yield Fault("secret", "is not what the commitment fixed: its SHA-256 is another")
        yield Fault("commitment", "is not the SHA-256 of the secret")
    if record["began_at"] > record["ended_at"]:
        yield Fault("ended_at", "is before the match began")
    if numbers != sorted(set(numbers)) or any(seat >= options.seats for seat in numbers):
        yield Fault("seats", "are not in order, or more than the room has")
    for place, row in enumerate(record["seats"]):
        if clean(row["name"]) != row["name"]:
            yield Fault(f"seats[{place}].name", "is no name that the server takes")
    yield from _notes(record, numbers)


def _notes(record: dict[str, Any], numbers: list[int]) -> Iterator[Fault]:
    """Check who went against where everybody stands, and against how the match ended."""
    gone: dict[int, dict[str, Any]] = {}
    before = record["began_at"]
    for place, note in enumerate(record["notes"]):
        path, by = f"notes[{place}]", note.get("by")
        if note["seat"] not in numbers or note["seat"] in gone:
            yield Fault(f"{path}.seat", "is no seat of the match, or went before")
        if note["what"] not in ("left", "kicked") or (note["what"] == "kicked") != ("by" in note):
            yield Fault(f"{path}.what", "is not how a seat goes")
        if by is not None and (by == note["seat"] or by not in numbers):
            yield Fault(f"{path}.by", "is no seat that could put this one out")
        if note["at"] < before:
            yield Fault(f"{path}.at", "is earlier than what comes before")
        before = note["at"]
        gone.setdefault(note["seat"], note)
    for place, row in enumerate(record["seats"]):
        how = gone[row["seat"]]["what"] if row["seat"] in gone else "here"
        if row["standing"] != how:
            yield Fault(f"seats[{place}].standing", f"should be {how!r} by the notes")
    # At the very moment of the end a seat may have gone before it or after it.
    went = sum(note["at"] <= record["ended_at"] for note in gone.values())
    went_before = sum(note["at"] < record["ended_at"] for note in gone.values())
    if record["abandoned"] != (went == len(numbers)) and record["abandoned"] != (went_before == len(numbers)):
        yield Fault("abandoned", "does not agree with who was left")


class _Holes:
    """Checks the holes one after another, and what they add up to."""

    def __init__(self, record: dict[str, Any], solve: Solve | None) -> None:
        self.record, self.solve = record, solve
        self.options = load_options(record["options"])
        self.numbers = [row["seat"] for row in record["seats"]]
        self.left_at = {note["seat"]: note["at"] for note in record["notes"]}
        self.sums = Sums(record, self.options)
        self.clock = record["began_at"]

    def check(self) -> Iterator[Fault]:
        """Give all faults of the holes and the totals."""
        holes = self.record["holes"]
        for place, hole in enumerate(holes):
            path = f"holes[{place}]"
            if hole["hole"] != place + 1:
                yield Fault(f"{path}.hole", f"should be {place + 1}: holes were cut out or put in another order")
            yield from self._deal(hole, place, path)
            yield from check_best(hole, path, self.solve)
            yield from self._times(hole, path, last=place == len(holes) - 1)
            if {int(seat) for seat in hole["seats"]} != set(self.numbers):
                yield Fault(f"{path}.seats", "are not the seats of the match")
                continue
            for seat in self.numbers:
                yield from self._seat(hole, seat, f"{path}.seats.{seat}")
        if self.clock > self.record["ended_at"]:
            yield Fault("ended_at", "is before the last hole closed")
        yield from self.sums.check()

    def _deal(self, hole: dict[str, Any], place: int, path: str) -> Iterator[Fault]:
        """Check a hole's code against secret and nonces, or the typed deals, and the cards against the code."""
        record, options = self.record, self.options
        nonces = {int(seat): nonce for seat, nonce in record.get("nonces", {}).items()}
        yield from self._skipped(hole, nonces, path)
        if options.typed(place + 1):
            code, whose = options.deals[place], "the deal that was typed in"
        else:
            game, letter = self._sealed(place + 1)
            whose = "what the secret and the nonces give"
            skipped = min(hole.get("skipped", 0), MOST_SKIPPED) if options.winnable else 0
            sealing = record.get("sealing", 1)
            code = codes.sealed_code(game, letter, sealing, record["secret"], nonces, place + 1, skipped)
        if hole["code"] != code:
            yield Fault(f"{path}.code", f"is not {whose}")
        try:
            made = dealt(hole["code"])
        except codes.CodeError as error:
            yield Fault(f"{path}.code", f"deals nothing: {error.words}")
            return
        # A record of the first schema has no variant; which piles there are is the game's to say.
        for name in dict.fromkeys((*made, *PILES)):
            if (name in hole or name in PILES) and hole.get(name) != made.get(name):
                yield Fault(f"{path}.{name}", "is not what the code gives")

    def _sealed(self, hole: int) -> tuple[str, str]:
        """Give the game and the rule letters under which a hole is sealed."""
        game = self.options.game_of(hole)
        return game.name, game.letter_of(self.options.rules_of(hole))

    def _skipped(self, hole: dict[str, Any], nonces: dict[int, str], path: str) -> Iterator[Fault]:
        """Check which deals were passed over, and with a solver that those can't be cleared and this one can."""
        skipped = hole.get("skipped", 0)
        if skipped > MOST_SKIPPED or (skipped and not self.options.winnable):
            yield Fault(f"{path}.skipped", "is more than any room passes over")
        elif self.options.winnable and self.solve is not None:
            game, letter = self._sealed(hole["hole"])
            wanted = DealWanted(game, letter, self.record["secret"], tuple(nonces.items()), hole["hole"])
            cleared = [self.solve(wanted.candidate(attempt)).cleared for attempt in range(skipped + 1)]
            if True not in cleared or cleared.index(True) != skipped:
                yield Fault(f"{path}.skipped", "is not how many deals before this one can't be cleared")

    def _times(self, hole: dict[str, Any], path: str, *, last: bool) -> Iterator[Fault]:
        if hole["opened_at"] < self.clock:
            yield Fault(f"{path}.opened_at", "is earlier than what comes before")
        self.clock = max(self.clock, hole["opened_at"])
        if hole["closed_at"] is None:
            if not (last and (self.record["abandoned"] or self.sums.conceded is not None)):
                yield Fault(f"{path}.closed_at", "is missing: the match went on, or came to its end")
            return
        if hole["closed_at"] < hole["opened_at"]:
            yield Fault(f"{path}.closed_at", "is before the hole opened")
        self.clock = max(self.clock, hole["closed_at"])

    def _seat(self, hole: dict[str, Any], seat: int, path: str) -> Iterator[Fault]:
        """Check a seat's hole: each move by the rules, and the result that follows."""
        told = hole["seats"][str(seat)]
        try:
            played: Replayed = replayed(hole["code"], self.options.undo, told)
        except codes.CodeError:
            return  # the code is at fault, and named as such
        yield from (Fault(f"{path}.{fault.field}", fault.words) for fault in played.faults)
        if told["ended"] is not None and told["ended"]["by"] not in self.numbers:
            yield Fault(f"{path}.ended.by", "is no seat of the match")
        result = told["result"]
        if (result is None) != (hole["closed_at"] is None):
            yield Fault(f"{path}.result", "is there just when the hole has closed")
        if result is None:
            return
        if not played.faults:
            yield from self._result(hole, seat, played, result, f"{path}.result")

    def _result(
        self, hole: dict[str, Any], seat: int, played: Replayed, result: dict[str, Any], path: str
    ) -> Iterator[Fault]:
        """Check a result against the board that the moves led to."""
        hows = played.endings(hole["opened_at"], hole["closed_at"], self.left_at.get(seat))
        how = result["how"] if result["how"] in hows else hows[0]
        due = played.result(how)
        if self.options.mix:
            due["points"] = self.options.points(hole["hole"], due["app"])
        for name, value in due.items():
            if result[name] != value:
                yield Fault(f"{path}.{name}", f"should be {value} by the rules")
