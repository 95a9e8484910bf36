"""Each fault of a record by its field: the rules, the secret and the other fields name it, whatever the sums say."""

from collections.abc import Callable
from typing import Any

import pytest

from server.match.options import Options
from server.match.record import record
from server.match.shape import Fault
from server.match.sums import SUMS, sums_of
from server.match.verify import verify
from server.rules.best import best_of, followed
from server.rules.codes import deal_of, parse_code
from server.rules.table import evolve
from server.rules.table import steps as steps_of
from tests.match.driver import Driver
from tests.match.records import Record, spoiled


def fields_of(made: Record) -> list[str]:
    """Return the fields that the check names."""
    return [fault.field for fault in verify(made).faults]


def _hole(made: Record, place: int = 0) -> Any:
    return made["holes"][place]


def _hand(made: Record, seat: int = 0, place: int = 0) -> Any:
    return made["holes"][place]["seats"][str(seat)]


def _best(made: Record, place: int = 0) -> Any:
    return made["holes"][place]["best"]


def _swap(items: list[Any], one: int = 0, other: int = 1) -> None:
    items[one], items[other] = items[other], items[one]


def _poor(made: Record) -> Record:
    """Give another line that ends the hole: all of the stock drawn at once, as a seat did not."""
    stock = [["stock", "waste", card] for card in _hole(made)["stock"]]
    game, rules, table = deal_of(parse_code(_hole(made)["code"]))
    end = followed(game, rules, table, stock)
    assert end is not None
    steps = list(stock)
    while game.outcome(end, rules) is None:
        move = game.moves(end, rules)[0]
        events = game.effects(end, move, rules)
        steps += [list(step) for event in events for step in steps_of(event)]
        end = evolve(end, events)
    return {"strokes": game.cards_left(end), "line": steps}


SPOILS: list[tuple[str, str, Callable[[Record], object]]] = [
    ("sealed", "secret", lambda made: made.update(secret="00" * 32)),
    ("sealed", "commitment", lambda made: made.update(commitment="00" * 32)),
    ("sealed", "holes[0].code", lambda made: made["nonces"].update({"0": "00" * 16})),
    ("sealed", "nonces.5", lambda made: made["nonces"].update({"5": "00" * 16})),
    ("alone", "holes[0].code", lambda made: made.update(sealing=1)),
    ("sealed", "nonces.0", lambda made: made.update(sealing=1)),
    ("sealed", "sealing", lambda made: made.update(sealing=3)),
    ("sealed", "game", lambda made: made.update(game="chess")),
    ("sealed", "options.rule", lambda made: made["options"].update(rule="hard")),
    ("sealed", "options.holes", lambda made: made["options"].update(holes=0)),
    ("sealed", "holes", lambda made: made["options"].update(holes=3)),
    ("sealed", "holes", lambda made: made["options"].update(holes=1)),
    ("sealed", "options.deals", lambda made: made["options"].update(deals=["GO2-Q-AAAAAAB", "GO2-E-AAAAAAB"])),
    ("sealed", "options.undo", lambda made: made["options"].update(undo="some")),
    ("sealed", "options.colour", lambda made: made["options"].update(colour="red")),
    ("sealed", "holes[0].code", lambda made: made["options"].update(rule="classic")),
    ("sealed", "seats", lambda made: made["options"].update(seats=1)),
    ("sealed", "seats", lambda made: _swap(made["seats"])),
    ("sealed", "holes[0].hole", lambda made: _swap(made["holes"])),
    ("sealed", "holes[0].hole", lambda made: made["holes"].pop(0)),
    ("sealed", "holes", lambda made: made["holes"].pop()),
    ("sealed", "ended_at", lambda made: made.update(ended_at=made["began_at"] - 1)),
    ("sealed", "ended_at", lambda made: made.update(ended_at=_hole(made, 1)["closed_at"] - 1)),
    ("sealed", "seats[0].name", lambda made: made["seats"][0].update(name=" Ada")),
    ("sealed", "seats[0].standing", lambda made: made["seats"][0].update(standing="left")),
    ("sealed", "seats[1].place", lambda made: made["seats"][1].update(place=9)),
    ("sealed", "seats[1].to_par", lambda made: made["seats"][1].update(to_par=-70)),
    ("sealed", "par", lambda made: made.update(par=9)),
    ("sealed", "abandoned", lambda made: made.update(abandoned=True)),
    ("abandoned", "abandoned", lambda made: made.update(abandoned=False)),
    ("sealed", "holes[0].opened_at", lambda made: _hole(made).update(opened_at=5)),
    ("sealed", "holes[0].closed_at", lambda made: _hole(made).update(closed_at=5)),
    ("sealed", "holes[0].closed_at", lambda made: _hole(made).update(closed_at=None)),
    ("sealed", "holes[0].rule", lambda made: _hole(made).update(rule="F")),
    ("sealed", "holes[0].variant", lambda made: _hole(made)["variant"].update(jokers=1)),
    ("sealed", "holes[0].columns", lambda made: _swap(_hole(made)["columns"])),
    ("sealed", "holes[0].stock", lambda made: _swap(_hole(made)["stock"])),
    ("sealed", "holes[0].waste", lambda made: _hole(made)["waste"].append("*1")),
    ("sealed", "holes[0].code", lambda made: _hole(made).update(code="GO2-E-ZZZZZZZ")),
    ("sealed", "holes[0].seats", lambda made: _hole(made)["seats"].pop("1")),
    ("typed", "holes[0].code", lambda made: made["options"].update(deals=made["options"]["deals"][::-1])),
    ("typed", "options.deals", lambda made: made["options"].update(deals=made["options"]["deals"][:1])),
    ("typed", "holes[0].seats.0.moves[0]", lambda made: _swap(_hand(made)["moves"])),
    ("typed", "holes[0].seats.0.moves[2]", lambda made: _hand(made)["moves"][2].__setitem__(1, 5)),
    ("typed", "holes[0].seats.0.moves[2]", lambda made: _hand(made)["moves"][2].append("AS")),
    ("typed", "holes[0].seats.0.moves[2]", lambda made: _hand(made)["moves"][2].pop()),
    ("typed", "holes[0].seats.0.moves[1]", lambda made: made["options"].update(undo="plays")),
    ("typed", "holes[0].seats.1.ended.by", lambda made: _hand(made, 1)["ended"].update(by=7)),
    ("typed", "holes[0].seats.1.ended.at", lambda made: _hand(made, 1)["ended"].update(at=5)),
    ("typed", "holes[0].seats.1.ended.how", lambda made: _hand(made, 1)["ended"].update(how="stuck")),
    ("typed", "holes[0].seats.1.ended.how", lambda made: _hand(made, 1)["ended"].update(how="timed_out")),
    ("typed", "holes[0].seats.0.ended.how", lambda made: _hand(made).update(ended=_hand(made, 1)["ended"])),
    (
        "typed",
        "holes[1].seats.0.result.how",
        lambda made: _hand(made, 0, 1).update(ended=None) or _hand(made, 0, 1)["result"].update(how="gave_up"),
    ),
    ("typed", "holes[0].seats.1.result.how", lambda made: _hand(made, 1).update(ended=None)),
    ("typed", "holes[0].seats.1.result", lambda made: _hand(made, 1).update(result=None)),
    ("typed", "holes[0].seats.1.result.app", lambda made: _hand(made, 1)["result"].update(app=350)),
    ("gone", "notes[0].seat", lambda made: made["notes"][0].update(seat=6)),
    ("gone", "notes[1].seat", lambda made: made["notes"][1].update(seat=2)),
    ("gone", "notes[0].what", lambda made: made["notes"][0].update(what="left")),
    ("gone", "notes[0].what", lambda made: made["notes"][0].update(what="fled")),
    ("gone", "notes[0].by", lambda made: made["notes"][0].update(by=2)),
    ("gone", "notes[0].by", lambda made: made["notes"][0].update(by=7)),
    ("gone", "notes[1].at", lambda made: _swap(made["notes"])),
    ("gone", "seats[1].standing", lambda made: made["notes"].pop()),
    ("gone", "holes[1].seats.2.result.how", lambda made: _hand(made, 2, 1)["result"].update(how="gave_up")),
    ("gone", "holes[0].seats.2.result.how", lambda made: _hand(made, 2)["result"].update(how="timed_out")),
    ("sealed", "holes[0].best.line", lambda made: _best(made)["line"].pop(0)),
    ("sealed", "holes[0].best.line", lambda made: _best(made)["line"].pop()),
    ("sealed", "holes[0].best.line", lambda made: _best(made)["line"].append(["stock", "waste", "AS"])),
    ("variant", "holes[0].best.line", lambda made: _best(made)["line"][3].__setitem__(0, "column.9")),
    ("sealed", "holes[1].best.line", lambda made: _hole(made, 1).update(best=_best(made))),
    ("sealed", "holes[0].best.strokes", lambda made: _best(made).update(strokes=_best(made)["strokes"] - 1)),
    ("typed", "holes[0].best.strokes", lambda made: _hole(made).update(best=_poor(made))),
    ("abandoned", "holes[0].best", lambda made: _hole(made).update(best={"strokes": 3, "line": []}, closed_at=None)),
    ("variant", "holes[0].seats.1.moves[0]", lambda made: _hand(made, 1)["moves"].reverse()),
]


@pytest.mark.parametrize(("name", "field", "change"), SPOILS)
def test_each_fault_is_named(name: str, field: str, change: Callable[[Record], object]) -> None:
    """Where the sums were made to fit, the rules, the secret and the other fields still name what is wrong."""
    assert field in fields_of(spoiled(name, change, sums=True))


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("seats", lambda made: made.update(seats={})),
        ("seats[0]", lambda made: made["seats"].__setitem__(0, 5)),
        ("seats[0].name", lambda made: made["seats"][0].update(name="")),
        ("seats[0].name", lambda made: made["seats"][0].pop("name")),
        ("began_at", lambda made: made.update(began_at=-1)),
        ("began_at", lambda made: made.update(began_at=True)),
        ("par", lambda made: made.update(par=10.0)),
        ("abandoned", lambda made: made.update(abandoned=0)),
        ("secret", lambda made: made.update(secret="5e" * 15)),
        ("secret", lambda made: made.update(secret="5E" * 32)),
        ("secret", lambda made: made.update(secret="5e" * 32 + "\n")),
        ("secret", lambda made: made.update(secret=None)),
        ("nonces", lambda made: made.update(nonces=[])),
        ("nonces.9", lambda made: made["nonces"].update({"9": "00" * 16})),
        ("holes[0].seats.0.moves[0]", lambda made: _hand(made)["moves"].__setitem__(0, ["fold", 5, "KH"])),
        ("holes[0].seats.0.moves[0]", lambda made: _hand(made)["moves"].__setitem__(0, ["draw", 5])),
        ("holes[0].seats.0.moves[0]", lambda made: _hand(made)["moves"].__setitem__(0, ["draw", 1.5, "KH"])),
        ("holes[0].seats.0.result.traditional", lambda made: _hand(made)["result"].update(traditional="9")),
        ("holes[0].variant.empty_start", lambda made: _hole(made)["variant"].update(empty_start=None)),
        ("holes[0].columns[0][0]", lambda made: _hole(made)["columns"][0].__setitem__(0, "10H")),
        ("more", lambda made: made.update(more=1)),
        ("schema", lambda made: made.update(schema=1)),
        ("x" * 80 + "...", lambda made: made.update({"x" * 500: 1})),
        ("options", lambda made: made.update(options=None)),
        ("holes[0].best", lambda made: _hole(made).pop("best")),
        ("holes[0].best", lambda made: _hole(made).update(best=[])),
        ("holes[0].best.strokes", lambda made: _best(made).update(strokes="3")),
        ("holes[0].best.line[1]", lambda made: _best(made)["line"].__setitem__(1, ["stock", "waste"])),
        ("holes[0].best.line[1]", lambda made: _best(made)["line"].__setitem__(1, ["stock", "waste", "5S", 5])),
    ],
)
def test_what_has_not_the_shape_is_named(field: str, change: Callable[[Record], object]) -> None:
    """A field that is missing, unknown or of another kind is named before anything else is looked at."""
    assert field in fields_of(spoiled("sealed", change))


def test_a_hole_that_never_closed() -> None:
    """The last hole of an abandoned match may have stayed open: nobody has a result of it, and nothing is wrong."""

    def reopen(made: Record) -> None:
        _hole(made)["closed_at"] = None
        for seat in (0, 1):
            _hand(made, seat)["result"] = None
            made["seats"][seat].update(place=None, thru=0, traditional=0, app=0, to_par=0)
        made["par"] = 0

    assert fields_of(spoiled("abandoned", reopen, sums=True)) == []


def test_a_better_one_is_found_by_who_solves() -> None:
    """A legal line that is not the best agrees with itself; whoever solves the deal says what it allows."""
    driver = Driver(Options(seats=2, holes=1))
    driver.seat_all(2)
    driver.script("0:G 1:G")
    made = record(driver.entries)
    made["holes"][0]["best"] = _poor(made)
    made[SUMS] = sums_of(made)
    strokes = best_of(driver.state.code).strokes
    assert made["holes"][0]["best"]["strokes"] > strokes
    assert verify(made).faults == ()
    (fault,) = verify(made, best_of).faults
    assert fault == Fault("holes[0].best.strokes", f"should be {strokes}, which the deal allows")
