"""The public record: complete for a checker, by an allow-list, and only of matches that are over."""

import copy
import hashlib
import json
from typing import Any

import pytest

from server.match.commands import Claim, Join, Kick, Leave, Next
from server.match.decide import World
from server.match.options import Options
from server.match.record import NotEnded, record
from tests.match.decks import BARREN, clearable
from tests.match.driver import SECRET, Driver, random_match
from tests.match.recompute import WrongRecord, recompute


def finished(undo: str = "plays") -> dict[str, Any]:
    """Give the record of a match of two seats and two typed deals, played to a clear and to being stuck."""
    options = Options(seats=2, holes=2, undo=undo, hole_seconds=0, deals=(clearable(), BARREN))
    driver = Driver(options)
    driver.seat_all(2)
    driver.act(0, "D" if undo == "all" else "")
    driver.act(0, "U" if undo == "all" else "")
    driver.act(0, "PPU" + "P" * 34)
    driver.script("1:PPG")
    driver.must(Next(0, 1), Next(1, 1))
    driver.wait()
    driver.act(0, "D" * 16)
    driver.act(1, "DP" + "D" * 15)
    driver.script("0:E 1:E" if undo == "all" else "")
    driver.wait()
    assert driver.state.phase == "ended"
    return record(driver.entries)


def test_the_record_of_a_match() -> None:
    """Each field stands where a checker looks for it."""
    made = finished()
    assert made["schema"] == 3
    assert made["options"]["deals"] == [clearable(), BARREN]
    assert made["commitment"] == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()
    assert made["secret"] == SECRET
    assert made["par"] == 10
    assert made["abandoned"] is False
    assert made["began_at"] < made["ended_at"]
    assert [(row["seat"], row["name"], row["place"], row["standing"]) for row in made["seats"]] == [
        (0, "Ada", 1, "here"),
        (1, "Player 1", 2, "here"),
    ]
    first, second = made["holes"]
    assert first["code"] == clearable()
    assert first["rule"] == "easy"
    assert [len(column) for column in first["columns"]] == [5] * 7
    assert len(first["stock"]) == 16
    assert first["seats"]["0"]["result"] == {
        "how": "cleared",
        "cards_left": 0,
        "stock": 16,
        "traditional": -16,
        "app": 350,
        "moves": 36,
        "undos": 1,
    }
    assert first["seats"]["1"]["result"]["how"] == "gave_up"
    assert first["seats"]["1"]["ended"]["how"] == "gave_up"
    assert [move[0] for move in first["seats"]["1"]["moves"]] == ["play", "play"]
    assert first["seats"]["1"]["moves"][0][2:] == ["column.1", "waste", first["columns"][0][-1]]
    assert second["seats"]["0"]["moves"][0][2:] == ["4S"] == second["stock"][:1]
    assert second["seats"]["0"]["result"]["how"] == "stuck"
    assert second["seats"]["0"]["ended"] is None


@pytest.mark.parametrize("rule", ["F", "D1", "R2", "K2V", "L1V", "SV"])
def test_variants_add_up(rule: str) -> None:
    """Matches under the fields of every kind come to what the separate reading of the rules makes of them."""
    for seed in range(6):
        made = record(random_match(seed, Options(seats=2, holes=2, rule=rule, undo="all"), check=False).entries)
        assert {hole["rule"] for hole in made["holes"]} == {rule}
        assert made["holes"][0]["code"].startswith(f"GO2-{rule}-")
        recompute(made)


@pytest.mark.parametrize("undo", ["plays", "all"])
def test_the_record_adds_up(undo: str) -> None:
    """The separate reading of the rules comes to the totals that were counted by hand."""
    assert recompute(finished(undo)) == {
        0: {"thru": 2, "traditional": -16 + 35, "app": 350, "to_par": 9, "place": 1},
        1: {"thru": 2, "traditional": 33 + 34, "app": 0, "to_par": 57, "place": 2},
    }


def test_nothing_but_the_allowed_leaves() -> None:
    """No token hash, generation or next match's secret is in a record."""
    driver = random_match(3, Options(seats=2, holes=1), check=False)
    text = json.dumps(record(driver.entries))
    for seat in driver.state.seats.values():
        assert seat.token_hash not in text
    assert "generation" not in text


def test_no_record_before_the_end() -> None:
    """A match that goes on has no record, since that would show what is hidden; an empty stream is none."""
    driver = Driver(Options(holes=2))
    driver.seat_all(2)
    driver.script("0:G 1:G")
    with pytest.raises(NotEnded):
        record(driver.entries)
    with pytest.raises(ValueError, match="empty stream"):
        record([])


def test_the_record_says_who_went() -> None:
    """A seat that left and one that was put out are noted, with when and by whom."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(3)
    driver.world = World({2: driver.now_ms - 60_000})
    driver.must(Kick(0, 2), Leave(1), Leave(0))
    driver.wait()
    made = record(driver.entries)
    assert [(note["what"], note["seat"], note.get("by")) for note in made["notes"]] == [
        ("kicked", 2, 0),
        ("left", 1, None),
        ("left", 0, None),
    ]
    assert made["abandoned"] is True
    assert [row["standing"] for row in made["seats"]] == ["left", "left", "kicked"]


def test_comings_and_goings_before_the_start_are_nobodys_record() -> None:
    """Who left the lobby played no hole: a note would name a seat that another took."""
    driver = Driver(Options(holes=1, hole_seconds=0))
    driver.must(Join("Guest", "c" * 64), Leave(1), Join("Guest", "d" * 64), Kick(0, 1), Claim(0))
    driver.seat_all(2)
    driver.script("0:G 1:G")
    assert record(driver.entries)["notes"] == []


def test_a_match_abandoned_in_the_lobby_has_an_empty_record() -> None:
    """Nothing was played, nothing is told."""
    driver = Driver(Options())
    driver.must(Leave(0))
    driver.wait()
    made = record(driver.entries)
    assert (made["holes"], made["par"], made["seats"]) == ([], 0, [])


# -- the checker itself: a wrong record is found


def _other_rank(made: dict[str, Any]) -> None:
    made["holes"][0]["rule"] = "classic"


def _score(made: dict[str, Any]) -> None:
    made["holes"][0]["seats"]["1"]["result"]["app"] = 10


def _total(made: dict[str, Any]) -> None:
    made["seats"][0]["traditional"] += 1


def _place(made: dict[str, Any]) -> None:
    made["seats"][1]["place"] = 1


def _draw(made: dict[str, Any]) -> None:
    made["holes"][1]["seats"]["0"]["moves"][0][2] = "7S"


def _missing(made: dict[str, Any]) -> None:
    del made["holes"][0]["seats"]["0"]["moves"][-1]


def _secret(made: dict[str, Any]) -> None:
    made["secret"] = "00" * 32


def _par(made: dict[str, Any]) -> None:
    made["par"] = 45


def _undo(made: dict[str, Any]) -> None:
    made["options"]["undo"] = "off"


def _twice(made: dict[str, Any]) -> None:
    made["holes"][0]["stock"][0] = made["holes"][0]["stock"][1]


def _ending(made: dict[str, Any]) -> None:
    made["holes"][0]["seats"]["1"]["result"]["how"] = "timed_out"


@pytest.mark.parametrize(
    "spoil", [_other_rank, _score, _total, _place, _draw, _missing, _secret, _par, _undo, _twice, _ending]
)
def test_the_checker_finds_a_wrong_record(spoil: Any) -> None:
    """A record with one thing wrong in it is not believed."""
    made = copy.deepcopy(finished())
    spoil(made)
    with pytest.raises(WrongRecord):
        recompute(made)


def test_a_record_survives_json() -> None:
    """What a client reads adds up like what the server made."""
    made = record(random_match(11, Options(seats=3, holes=2, rule="strict"), check=False).entries)
    assert recompute(json.loads(json.dumps(made))) == recompute(made)
