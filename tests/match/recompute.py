"""Recompute a match from its record alone: every move's legality, every result, total and place.

A second reading of the rules, written apart from the server and importing nothing of it, so that a wrong rule in the
one is found by the other. `python tests/match/recompute.py FILE` (or `-`) takes what `/api/matches/<id>` gives.
"""

import hashlib
import json
import sys
from typing import Any

ORDER = "A23456789TJQK"
SUITS = "SHDC"
UNDO_DEPTH = 100


class WrongRecord(AssertionError):
    """The record says something that the rules don't make of it."""


def must(holds: bool, what: str) -> None:
    """Raise WrongRecord unless something holds."""
    if not holds:
        raise WrongRecord(what)


NAMES = {"easy": "E", "classic": "C", "strict": "S"}


def variant_of(code: str) -> dict[str, Any]:
    """Read a code's rule, as docs/deals.md says."""
    letter, *more = code.split("-")[1]
    return {
        "queen_on_king": letter in "EFCD",
        "king_ace_joined": letter in "EFKL",
        "draw_only_when_stuck": letter in "FDSL",
        "jokers": 2 if "2" in more else int("1" in more),
        "empty_start": "V" in more,
    }


def plays_on(rule: dict[str, Any], waste: str, card: str) -> bool:
    """Say whether `card` may be played on `waste` under the fields of a rule."""
    if "*" in waste[0] + card[0]:
        return True
    under, over = ORDER.index(waste[0]) + 1, ORDER.index(card[0]) + 1
    if (under, over) in ((1, 13), (13, 1)):
        return bool(rule["king_ace_joined"])
    if (under, over) == (13, 12):
        return bool(rule["queen_on_king"])
    return over - under in (1, -1)


class Seat:
    """One seat's hole, replayed."""

    def __init__(self, hole: dict[str, Any], undo: str, where: str) -> None:
        self.rule, self.undo, self.where = hole["variant"], undo, where
        self.columns = {f"column.{n}": list(cards) for n, cards in enumerate(hole["columns"], 1)}
        self.waste, self.stock = list(hole["waste"]), list(hole["stock"])
        self.history: list[tuple[str, str]] = []
        self.moves = self.undos = 0

    def left(self) -> int:
        """Count the cards in the columns."""
        return sum(map(len, self.columns.values()))

    def can_play(self) -> bool:
        """Say whether an exposed card plays."""
        exposed = [pile[-1] for pile in self.columns.values() if pile]
        return any(not self.waste or plays_on(self.rule, self.waste[-1], card) for card in exposed)

    def stuck(self) -> bool:
        """No stock, no play, and cards left."""
        return self.left() > 0 and not self.stock and not self.can_play()

    def act(self, what: str, *cards: str) -> None:
        """Follow one move. Raises WrongRecord if the rules don't allow it."""
        must(self.left() > 0, f"{self.where}: a move after clearing")
        {"play": self._play, "draw": self._draw, "undo": self._undo}[what](*cards)

    def _play(self, source: str, target: str, card: str) -> None:
        must(target == "waste", f"{self.where}: a play onto {target}")
        pile = self.columns[source]
        must(bool(pile) and pile[-1] == card, f"{self.where}: {card} is not exposed")
        if self.waste:
            must(plays_on(self.rule, self.waste[-1], card), f"{self.where}: {card} on {self.waste[-1]}")
        self.waste.append(pile.pop())
        self._done(source, card)

    def _draw(self, card: str) -> None:
        must(bool(self.stock) and self.stock[0] == card, f"{self.where}: {card} is not next in the stock")
        forced = self.rule["draw_only_when_stuck"] or not self.waste
        must(not forced or not self.can_play(), f"{self.where}: a draw while a play exists")
        self.waste.append(self.stock.pop(0))
        self._done("stock", card)

    def _done(self, source: str, card: str) -> None:
        self.history = [*self.history, (source, card)][-UNDO_DEPTH:]
        self.moves += 1

    def _undo(self, *told: str) -> None:
        must(self.undo != "off" and bool(self.history), f"{self.where}: an undo")
        source, card = self.history.pop()
        must(self.undo == "all" or source != "stock", f"{self.where}: a draw undone")
        must(told[-1] == card == self.waste.pop(), f"{self.where}: {told} undone, it was {card}")
        if source == "stock":
            self.stock.insert(0, card)
        else:
            self.columns[source].append(card)
        self.undos += 1

    def result(self, how: str) -> dict[str, Any]:
        """Score the position by both scores."""
        left, removed = self.left(), 35 - self.left()
        if how == "unplayed":
            traditional, app = 35, 0
        elif left == 0:
            traditional, app = -len(self.stock), 350
        else:
            traditional, app = left, max(0, 10 * removed - 10 * left)
        return {
            "how": how,
            "cards_left": left,
            "stock": len(self.stock),
            "traditional": traditional,
            "app": app,
            "moves": self.moves,
            "undos": self.undos,
        }


def ending_of(seat: Seat, told: dict[str, Any], gone: bool, dealt: bool) -> str:
    """Say how a hole ended for a seat: by its board, else by what was done, else by the time."""
    if not dealt:
        return "unplayed"
    if seat.left() == 0:
        return "cleared"
    ended = told["ended"]
    if ended is not None:
        must(ended["how"] in ("stuck", "gave_up"), f"{seat.where}: ended as {ended['how']}")
        must(ended["how"] != "stuck" or seat.stuck(), f"{seat.where}: done without being stuck")
        return str(ended["how"])
    if gone:
        # Who leaves when no move is left has nothing to give up, but may have said so: both are the same cards.
        return "stuck" if told["result"]["how"] == "stuck" and seat.stuck() else "gave_up"
    return "stuck" if seat.stuck() else "timed_out"


def _hole(record: dict[str, Any], hole: dict[str, Any], left_at: dict[int, int]) -> dict[int, dict[str, Any]]:
    deck = [card for pile in (*hole["columns"], hole["waste"], hole["stock"]) for card in pile]
    rule = variant_of(hole["code"])
    must(hole["variant"] == rule, "the variant is that of the code")
    must(NAMES.get(hole["rule"], hole["rule"]) == hole["code"].split("-")[1], "the rule is that of the code")
    whole = [*(rank + suit for rank in ORDER for suit in SUITS), *("*1", "*2")[: rule["jokers"]]]
    must(sorted(deck) == sorted(whole), "a deal is one deck")
    must([len(c) for c in hole["columns"]] == [5] * 7, "seven columns of five")
    must(len(hole["waste"]) == (0 if rule["empty_start"] else 1), "one card on the waste, unless it starts empty")
    results = {}
    for number, told in hole["seats"].items():
        where = f"hole {hole['hole']}, seat {number}"
        seat = Seat(hole, record["options"]["undo"], where)
        before = hole["opened_at"]
        for what, at, *cards in told["moves"]:
            seat.act(what, *cards)
            must(at >= before or before == hole["opened_at"], f"{where}: times go back")
            before = at
        if hole["closed_at"] is None:
            must(
                (record["abandoned"] or conceded_by(record) is not None) and told["result"] is None,
                f"{where}: a hole that never closed",
            )
            continue
        gone_at = left_at.get(int(number), sys.maxsize)
        gone = gone_at <= hole["closed_at"]
        dealt = told["result"]["how"] != "unplayed"
        must(dealt or (gone and not told["moves"]), f"{where}: unplayed by somebody who was there")
        result = seat.result(ending_of(seat, told, gone, dealt))
        must(result == told["result"], f"{where}: {told['result']} should be {result}")
        results[int(number)] = result
    return results


def won_by(record: dict[str, Any], results: dict[int, dict[str, Any]]) -> int | None:
    """Say who won a hole of match play: not who alone gave it up, else the better score."""
    a, b = sorted(results)
    quitters = [seat for seat in (a, b) if results[seat]["how"] == "gave_up"]
    if len(quitters) == 1:
        return b if quitters == [a] else a
    better = min if record["options"]["scoring"] == "traditional" else max
    scores = {seat: results[seat][record["options"]["scoring"]] for seat in (a, b)}
    best = [seat for seat, score in scores.items() if score == better(scores.values())]
    return best[0] if len(best) == 1 else None


def lead_of(record: dict[str, Any], winners: list[int | None]) -> int:
    """Count the holes that the lower seat is ahead."""
    a, b = (row["seat"] for row in record["seats"])
    return winners.count(a) - winners.count(b)


def decided(record: dict[str, Any], winners: list[int | None]) -> bool:
    """Say whether these holes decide match play: no holes left to catch up in, or none left at all."""
    options, lead = record["options"], lead_of(record, winners)
    if abs(lead) > max(0, options["holes"] - len(winners)):
        return True
    return len(winners) == options["holes"] + (9 if options["sudden_death"] else 0)


def conceded_by(record: dict[str, Any]) -> int | None:
    """Say who went first from match play that its closed holes had not decided."""
    if record["options"]["format"] != "match" or not record["notes"]:
        return None
    winners = [hole["winner"] for hole in record["holes"] if hole["closed_at"] is not None]
    return None if decided(record, winners) else int(record["notes"][0]["seat"])


def match_play(record: dict[str, Any], results: list[dict[int, dict[str, Any]]]) -> dict[int, int]:
    """Return the places of match play, each hole's winner and the standing recomputed. Raises WrongRecord."""
    if not record["holes"]:
        must(record["standing"] is None, "a standing without a hole")
        return {}
    winners = [won_by(record, made) for made in results]
    opened = [hole["winner"] for hole in record["holes"]]
    must(opened == [*winners, *[None] * (len(opened) - len(winners))], f"winners {opened} should be {winners}")
    for count in range(len(winners)):
        must(not decided(record, winners[:count]), f"a hole after the match was decided by {count}")
    a, b = (row["seat"] for row in record["seats"])
    lead, quitter = lead_of(record, winners), conceded_by(record)
    must(quitter is not None or decided(record, winners), "the match was not over")
    leader = None if lead == 0 else a if lead > 0 else b
    winner = leader if quitter is None else a + b - quitter
    standing = {
        "leader": leader,
        "up": abs(lead),
        "left": max(0, record["options"]["holes"] - len(winners)),
        "thru": len(winners),
        "dormie": False,
        "over": True,
        "winner": winner,
        "conceded": quitter,
    }
    must(record["standing"] == standing, f"{record['standing']} should be {standing}")
    return {seat: 2 if winner not in (None, seat) else 1 for seat in (a, b)}


def nines_of(record: dict[str, Any], results: list[dict[str, Any]]) -> list[dict[str, int]] | None:
    """Sum the front nine and the back nine of eighteen holes."""
    if record["options"]["holes"] != 18:
        return None
    both = [results[:9], results[9:18]]
    return [
        {
            "thru": len(part),
            "traditional": sum(hole["traditional"] for hole in part),
            "app": sum(hole["app"] for hole in part),
            "to_par": sum(hole["traditional"] - 5 for hole in part),
        }
        for part in both
    ]


def recompute(record: dict[str, Any]) -> dict[int, dict[str, int]]:
    """Return each seat's thru, traditional, app, to_par and place. Raises WrongRecord where the record differs."""
    must(hashlib.sha256(bytes.fromhex(record["secret"])).hexdigest() == record["commitment"], "the commitment")
    left_at = {note["seat"]: note["at"] for note in record["notes"]}
    totals = {
        row["seat"]: {"thru": 0, "traditional": 0, "app": 0, "to_par": 0, "place": 0} for row in record["seats"]
    }
    made: list[dict[int, dict[str, Any]]] = []
    for number, hole in enumerate(record["holes"], 1):
        must(hole["hole"] == number, "holes are numbered in order")
        results = _hole(record, hole, left_at)
        if hole["closed_at"] is not None:
            made.append(results)
        for seat, result in results.items():
            sums = totals[seat]
            sums["thru"] += 1
            sums["traditional"] += result["traditional"]
            sums["app"] += result["app"]
            sums["to_par"] += result["traditional"] - 5
    must(record["par"] == 5 * len(made), "par is five a hole")
    placed: dict[int, int] = {}
    if record["options"]["format"] == "match":
        placed = match_play(record, made)
    else:
        must(record["abandoned"] or len(made) == record["options"]["holes"], "all holes were closed")
        must(record["standing"] is None, "a standing of stroke play")
    lower = record["options"]["scoring"] == "traditional"

    def standing(seat: int) -> int:
        return totals[seat]["traditional"] if lower else -totals[seat]["app"]

    for row in record["seats"]:
        sums = totals[row["seat"]]
        must(row["nines"] == nines_of(record, [hole[row["seat"]] for hole in made]), "the nines")
        if placed:
            sums["place"] = placed[row["seat"]]
        elif made:
            sums["place"] = 1 + sum(standing(other) < standing(row["seat"]) for other in totals)
        told = {key: row[key] or 0 for key in sums}
        must(told == sums, f"seat {row['seat']}: {told} should be {sums}")
    return totals


if __name__ == "__main__":
    with sys.stdin if sys.argv[1] == "-" else open(sys.argv[1], encoding="utf-8") as file:
        for number, sums in recompute(json.load(file)).items():
            print(number, json.dumps(sums))  # noqa: T201 - a command prints
