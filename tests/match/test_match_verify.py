"""The check of a record: real ones agree, and whatever is changed in one is found and named."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.match.entries import Entry, load
from server.match.evolve import replay
from server.match.options import Options
from server.match.record import RECORD_SCHEMA, record
from server.match.sums import SUMS, leaves, sums_of
from server.match.verify import NoRecord, verify
from server.rules.codes import sealed_code
from tests.match.decks import BARREN
from tests.match.driver import NONCES, SECRET, Driver, random_match
from tests.match.records import NAMES, STREAMS, Record, fresh

Path = tuple[str | int, ...]


def fields_of(made: Record) -> list[str]:
    """Return the fields that the check names."""
    return [fault.field for fault in verify(made).faults]


# -- what is right


@pytest.mark.parametrize("name", NAMES)
def test_real_records_agree(name: str) -> None:
    """Matches of every kind are what they say; so is one that was kept from before there were nonces."""
    report = verify(fresh(name))
    assert report.faults == ()
    assert report.open_deal == (name in ("typed", "extra"))
    assert report.holes == len(fresh(name)["holes"])
    assert report.moves > 0 or name == "abandoned"
    assert report.nonces == {"alone": 0, "old": 0, "variant": 2, "gone": 3}.get(name, 2)


def test_an_old_stream_is_replayed() -> None:
    """A stream of schema 1, from before variants and nonces, gives the same deals, moves, scores and places."""
    lines = [json.loads(line) for line in (STREAMS / "schema-1.jsonl").read_text(encoding="utf-8").splitlines()]
    entries = [Entry(body=load(line.pop("payload").encode()), **line) for line in lines]
    assert replay(entries).sealing == 1
    made = record(entries)
    old = fresh("old")
    later = ("format", "sudden_death", "nines", "help", "winnable")
    made["options"] = {name: value for name, value in made["options"].items() if name not in later}
    made["seats"] = [{name: value for name, value in row.items() if name not in later} for row in made["seats"]]
    assert {name: made[name] for name in old if name not in ("schema", "holes")} == {
        name: value for name, value in old.items() if name not in ("schema", "holes")
    }
    for hole, before in zip(made["holes"], old["holes"], strict=True):
        assert {name: hole[name] for name in before} == before
    assert (made["schema"], made["sealing"], made["nonces"]) == (3, 1, {})
    assert [hole["best"] for hole in made["holes"]] == [None] * len(made["holes"])
    assert verify(record(entries)).faults == ()


# -- the nonces


def test_nonces_are_fixed_at_the_countdown() -> None:
    """Who gives one in time has a part in the deals; the record and the view show it, and the codes follow."""
    driver = Driver(Options(seats=3, holes=2))
    driver.seat_all(3)
    given_by = {0: NONCES[0], 1: NONCES[1]}
    assert NONCES[2] == ""
    assert driver.state.nonces == given_by
    assert driver.folded[None]["match"]["nonces"] == {"0": NONCES[0], "1": NONCES[1]}
    assert driver.state.code == sealed_code("golf", "E", 2, SECRET, given_by, 1)


# -- what is wrong


def places(value: Any, path: Path = ()) -> list[Path]:
    """Return the place of every part of a JSON value but the whole."""
    parts: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    return [found for key, part in parts for found in ((*path, key), *places(part, (*path, key)))]


def named(path: Path) -> str:
    """Write a place as the check does; a sum goes by the field that it is of."""
    if path[0] == SUMS and len(path) > 1:
        return str(path[1])
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _other(value: Any, way: int) -> Any:
    """Return another value, mostly of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + (1, -1, 10, 1_000_000)[way % 4]
    if isinstance(value, str) and value:
        place = way % len(value)
        return value[:place] + ("A" if value[place] != "A" else "b") + value[place + 1 :]
    return {"x": 1} if way % 2 else 7


def spoil(made: Record, path: Path, way: int) -> None:
    """Change, take out, put in, double or reorder something at a place."""
    holder: Any = made
    for key in path[:-1]:
        holder = holder[key]
    key = path[-1]
    if way % 5 == 1:
        del holder[key]
    elif way % 5 == 2 and isinstance(holder, list) and len(holder) > 1 and holder[key] != holder[key - 1]:
        holder[key], holder[key - 1] = holder[key - 1], holder[key]
    elif way % 5 == 3 and isinstance(holder, list):
        holder.insert(way % (len(holder) + 1), holder[key])
    elif way % 5 == 3:
        holder["more"] = 1
    else:
        holder[key] = _other(holder[key], way // 5)


@given(st.sampled_from([name for name in NAMES if name != "old"]), st.integers(0, 2**32), st.integers(0, 2**32))
def test_a_change_anywhere_is_named(name: str, where: int, way: int) -> None:
    """Whatever is changed, taken out, put in or reordered, in any field or its sum, is named by that field."""
    made = fresh(name)
    every = places(made)
    path = every[where % len(every)]
    before = json.dumps(made)
    spoil(made, path, way)
    if json.dumps(made) == before:
        return
    try:
        found = fields_of(made)
    except NoRecord:
        assert path == ("schema",)
        return
    holder, field = named(path[:-1]) if len(path) > 1 else "", named(path)
    assert found
    if path == ("schema",):
        return  # judged as another schema's, it has fields that this one lacks: those are named
    assert any(
        fault.startswith(field) or field.startswith(fault) or (holder and fault.startswith(holder)) or "more" in fault
        for fault in found
    ), (path, found[:5])


# Fields that the secret, the rules or other fields decide: who changes one and makes the sums fit is found too.
DECIDED = ("hole", "code", "rule", "variant", "columns", "waste", "stock", "result", "winner")
TOP = ("game", "commitment", "secret", "sealing", "nonces", "par", "standing")


def decided(made: Record, path: Path) -> bool:
    """Say whether a place holds what follows from the secret and the moves."""
    if path[0] == "holes" and len(path) > 2:
        return path[2] in DECIDED or (path[2] == "seats" and len(path) > 4 and path[4] == "result")
    if path[0] == "seats" and len(path) > 2:
        return path[2] not in ("name", "seat")
    typed = len(made["options"]["deals"]) >= len(made["holes"])
    return path[0] in TOP and not (typed and path[0] in ("nonces", "sealing"))


@given(st.sampled_from(NAMES), st.integers(0, 2**32), st.integers(0, 2**32))
def test_sums_that_were_made_to_fit_hide_nothing(name: str, where: int, way: int) -> None:
    """What follows from the secret and the moves is found without the sums."""
    made = fresh(name)
    every = [path for path in places(made) if decided(made, path)]
    path = every[where % len(every)]
    before = json.dumps(made)
    spoil(made, path, way)
    if json.dumps(made) == before:
        return
    if SUMS in made:
        made[SUMS] = sums_of(made)
    assert fields_of(made), path


@given(st.sampled_from(NAMES), st.integers(0, 2**32), st.integers(1, 11))
def test_another_move_is_found(name: str, where: int, shift: int) -> None:
    """A move that was made another, left out, doubled or put elsewhere is no legal game, or not its result."""
    made = fresh(name)
    # A hole that never closed has no result that a move less could contradict.
    closed = [hole for hole in made["holes"] if hole["closed_at"] is not None]
    lists = [hand["moves"] for hole in closed for hand in hole["seats"].values() if len(hand["moves"]) > 1]
    if not lists:
        return
    moves = lists[where % len(lists)]
    place = where // len(lists) % len(moves)
    before = json.dumps(moves)
    if shift % 3 == 0:
        del moves[place]
    elif shift % 3 == 1:
        moves[place][2:] = moves[(place + shift) % len(moves)][2:]
    else:
        moves.insert(place, moves[(place + shift) % len(moves)])
    if json.dumps(moves) == before:
        return
    if SUMS in made:
        made[SUMS] = sums_of(made)
    assert fields_of(made), (place, shift)


def test_faults_of_sums() -> None:
    """A field without a sum, a sum without a field, and one that differs are named apart."""
    made = fresh("sealed")
    del made[SUMS]["par"]
    made[SUMS]["seats[9].name"] = "00" * 8
    made[SUMS]["match"] = "00" * 8
    words = {fault.field: fault.words for fault in verify(made).faults}
    assert words.keys() == {"par", "seats[9].name", "match"}
    assert "no sum" in words["par"]
    assert "taken out" in words["seats[9].name"]
    assert "one of the two" in words["match"]


def test_fields_of_sums() -> None:
    """Objects and lists of objects are gone into, other lists and empty ones are one field; sums have no sum."""
    value = {"a": 1, "b": {"c": [1, {}], "d": [{"e": []}, {"f": {}}]}, "sums": {"a": "x"}}
    assert dict(leaves(value)) == {"a": 1, "b.c": [1, {}], "b.d[0].e": [], "b.d[1].f": {}}


def _of(made: Record, **changes: Any) -> Record:
    """Return a record with fields of its options or its head changed and the sums made to fit."""
    for name, value in changes.items():
        holder = made["options"] if name in made["options"] else made
        holder[name] = value
    made[SUMS] = sums_of(made)
    return made


def _note(at: int, seat: int) -> dict[str, Any]:
    return {"at": at, "what": "left", "seat": seat}


def test_what_match_play_can_not_have_been() -> None:
    """Holes after the end, an end that was none, a loser made the winner: each is named."""
    early, extra, conceded = fresh("early"), fresh("extra"), fresh("conceded")
    assert "holes" in fields_of(_of(fresh("early"), holes=9))  # it was decided before
    assert "holes" in fields_of(_of(extra, sudden_death=False))
    assert "standing" in fields_of(_of(fresh("early"), standing=None))
    assert "standing" in fields_of(_of(fresh("sealed"), standing=early["standing"]))
    early["holes"].pop()
    assert "holes" in fields_of(_of(early))
    conceded["notes"] = []
    faults = fields_of(_of(conceded))
    assert {"holes", "holes[1].closed_at", "standing.over", "standing.winner"} <= set(faults)
    swapped = fresh("conceded")
    swapped["notes"] = [_note(swapped["ended_at"], 0)]
    swapped["seats"][0]["standing"], swapped["seats"][1]["standing"] = "left", "here"
    assert {"standing.winner", "standing.conceded", "seats[0].place"} <= set(fields_of(_of(swapped)))
    alone = fresh("conceded")
    alone["seats"].pop()
    assert "seats" in fields_of(_of(alone))
    empty = fresh("conceded")
    empty["holes"] = []
    assert {"holes", "standing", "par"} <= set(fields_of(_of(empty)))
    shape = fresh("old")
    shape["options"]["format"] = "match"
    assert fields_of(shape) == ["options.format"]


def test_a_winner_that_went_home_changes_nothing() -> None:
    """Who leaves in the moment between the last hole and the end has conceded nothing."""
    made = fresh("early")
    made["notes"] = [_note(made["ended_at"], 0)]
    made["seats"][0]["standing"] = "left"
    assert fields_of(_of(made)) == []


def test_match_play_that_was_never_dealt() -> None:
    """A lobby that everybody left has a record, and no standing."""
    driver = Driver(Options(format="match", seats=2))
    driver.act(0, "L")
    driver.wait()
    made = record(driver.entries)
    assert (made["holes"], made["standing"], made["seats"]) == ([], None, [])
    assert verify(made).faults == ()


def test_too_many_moves() -> None:
    """A hole that goes on for ever by undos is not one that the server let be."""
    made = fresh("variant")
    moves = made["holes"][0]["seats"]["0"]["moves"]
    first = moves[0]
    back = ["undo", *first[1:]]
    moves[:0] = [first, back] * 300
    made[SUMS] = sums_of(made)
    assert "holes[0].seats.0.moves" in fields_of(made)


@pytest.mark.parametrize("value", [None, 5, [], "x", {}, {"code": "not_ended"}, {"schema": "1"}, {"schema": 0}])
def test_what_is_no_record(value: object) -> None:
    """Another JSON value is no record."""
    with pytest.raises(NoRecord, match="not the record"):
        verify(value)


def test_a_newer_record() -> None:
    """What a newer version wrote is not judged."""
    with pytest.raises(NoRecord, match="newer version"):
        verify({**fresh("sealed"), "schema": RECORD_SCHEMA + 1})


def test_a_seat_that_left_when_stuck() -> None:
    """Who goes with no move left may stand as stuck or as given up."""
    made = random_match(5, Options(seats=2, holes=1), check=False)
    assert verify(record(made.entries)).faults == ()


def test_who_goes_while_stuck() -> None:
    """A seat that leaves when nothing plays any more and it could still undo has given up, as its record says."""
    driver = Driver(Options(seats=2, holes=1, undo="all", hole_seconds=0, deals=(BARREN,)))
    driver.seat_all(2)
    driver.script("0:" + "D" * 16 + "L 1:DG")
    made = record(driver.entries)
    assert made["holes"][0]["seats"]["0"]["result"]["how"] == "gave_up"
    assert verify(made).faults == ()
