"""A match of Spit: the order of the stream decides, both see the same, rounds are won, and the record plays again."""

import copy
import re
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from server.match.commands import AddBot, DrawCard, GiveUp, Leave, SetOptions, SpitPlay
from server.match.due import wakes_at
from server.match.entries import Entry, HoleClosed, SpitDealt, SpitPlayed, SpitTurned, TimeGiven
from server.match.options import Options, check, dump_options, load_options
from server.match.record import record, unsolved
from server.match.spit_play import SPIT_MS
from server.match.sums import sums_of
from server.match.verify import verify
from server.match.view import snapshot
from server.rules import spit
from tests.match.driver import Driver

SPIT = Options(mode="spit", format="match", seats=2, holes=3)
CARD = re.compile(r"\b[A2-9TJQK][SHDC]\b")


@dataclass
class Watcher:
    """Reads every frame: until a round closes it may name no card that has not lain open."""

    opened: set[str] = field(default_factory=set)
    named: int = 0

    def __call__(self, driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        """Follow the table, then read what was said of the entry."""
        table = driver.state.spit
        if table is None or not isinstance(entry.body, SpitDealt | SpitPlayed | SpitTurned):
            return
        if isinstance(entry.body, SpitDealt):
            self.opened = set()
        self.opened |= {str(heap[-1]) for heap in table.heaps}
        self.opened |= {str(pile[-1]) for side in table.sides for pile in side.piles if pile}
        for patch in told.values():
            named = set(CARD.findall(str(patch)))
            self.named += len(named)
            assert named <= self.opened


def played(options: Options = SPIT, *watchers: Any) -> Driver:
    """Begin a match of Spit."""
    driver = Driver(options, watchers=list(watchers))
    driver.seat_all(2)
    return driver


def table_of(driver: Driver) -> spit.Spit:
    """Return the open round's table."""
    assert driver.state.spit is not None
    return driver.state.spit


def command(driver: Driver, seat: int, move: spit.Move) -> SpitPlay:
    """Return a move as the seat's page says it, on the table that is there now."""
    heaps = dict(zip(spit.HEAPS, table_of(driver).heaps, strict=True))
    on = str(heaps[move.target][-1]) if move.target in heaps else ""
    return SpitPlay(seat, move.source, move.target, str(move.card), on)


def play_round(driver: Driver, random: Random) -> None:
    """Play the open round to its close, whoever is faster."""
    hole = driver.state.hole
    while driver.state.phase == "playing" and driver.state.hole == hole:
        seat = random.randrange(2)
        offered = spit.moves(table_of(driver), seat)
        if offered:
            driver.must(command(driver, seat, random.choice(offered)))
            driver.wait()
        else:
            driver.wait(SPIT_MS)


def whole_match(seed: int, *watchers: Any) -> Driver:
    """Play a random match to its end."""
    driver = played(SPIT, *watchers)
    random = Random(seed)
    while driver.state.phase != "ended":
        play_round(driver, random)
        driver.next_hole()
    return driver


def test_two_for_the_same_heap() -> None:
    """Both mean the same top: the first in the stream has it, the other lost the race and nothing else."""
    random = Random(3)
    for _ in range(200):
        driver = Driver(SPIT, secret=f"{random.randrange(2**64):064x}", check=False)
        driver.seat_all(2)
        now = table_of(driver)
        ours, theirs = [[move for move in spit.moves(now, seat) if move.target in spit.HEAPS] for seat in (0, 1)]
        both = [(one, other) for one in ours for other in theirs if one.target == other.target]
        if both:
            break
    one, other = both[0]
    first, second = command(driver, 0, one), command(driver, 1, other)
    driver.must(first)
    before = driver.state
    assert driver.refused(second) == "lost_race"
    assert driver.state is before
    assert driver.refused(first) in ("stale", "lost_race")
    assert table_of(driver).heaps[spit.HEAPS.index(one.target)][-1] == one.card


@pytest.mark.parametrize("seed", range(3))
def test_a_match_from_both_sides(seed: int) -> None:
    """Every view is what was told, nothing face down is named, rounds are won by cards left, and the record holds."""
    watcher = Watcher()
    driver = whole_match(seed, watcher)
    assert watcher.named > 100
    made = record(driver.entries)
    assert (made["schema"], made["par"]) == (5, 0)
    assert verify(made).faults == ()
    assert verify(made).moves > 60
    assert unsolved(made) == []
    for hole in made["holes"]:
        left = [hole["seats"][seat]["result"]["cards_left"] for seat in ("0", "1")]
        assert hole["winner"] == (None if left[0] == left[1] else left.index(min(left)))
    view = snapshot(driver.state, 0)
    assert view["match"]["standing"]["over"]
    assert "spit" in view["match"]["options"]["mode"]
    assert view["you"]["moves"] == []


def test_what_is_seen() -> None:
    """Both boards' tops, the heaps' tops, one's own moves; what lies face down is hidden from its owner too."""
    driver = played()
    table = table_of(driver)
    ours, theirs, watching = snapshot(driver.state, 0), snapshot(driver.state, 1), snapshot(driver.state, None)
    assert ours["boards"] == theirs["boards"] == watching["boards"]
    assert ours["boards"]["1"]["column.3"] == ["?", "?", str(table.sides[1].piles[2][-1])]
    assert ours["boards"]["0"]["stock"] == ["?"] * 10
    assert ours["match"]["spit"]["tops"] == [str(heap[-1]) for heap in table.heaps]
    assert ours["match"]["code"] is None
    moves = [[move.source, move.target, str(move.card)] for move in spit.moves(table, 0)]
    assert ours["you"]["moves"] == moves
    assert (ours["seats"]["0"]["cards_left"], ours["seats"]["0"]["stock"]) == (15, 10)
    assert "moves" not in watching["you"]


def blocked(driver: Driver) -> None:
    """Play on till neither can play and somebody can spit."""
    random = Random(1)
    while not driver.state.spit_at_ms:
        seat = next(seat for seat in (0, 1) if spit.moves(table_of(driver), seat))
        driver.must(command(driver, seat, random.choice(spit.moves(table_of(driver), seat))))
        driver.wait()
        if driver.state.phase != "playing":
            driver.next_hole()


def test_the_server_spits_when_neither_can_play() -> None:
    """A moment later it turns a card for each; an outage of the engine puts that off."""
    driver = played()
    blocked(driver)
    at_ms = driver.state.spit_at_ms
    assert wakes_at(driver.state) == at_ms
    assert driver.wait(SPIT_MS - 10) == []
    assert [type(body) for body in driver.wait(20)] == [SpitTurned]
    blocked(driver)
    at_ms = driver.state.spit_at_ms
    driver.apply(TimeGiven(500, driver.now_ms))
    assert driver.state.spit_at_ms == at_ms + 500


def test_time_ends_a_round() -> None:
    """Fewer cards left win; without a limit nothing ends but by play."""
    driver = played(replace(SPIT, hole_seconds=60))
    move = next(move for move in spit.moves(table_of(driver), 0) if move.target in spit.HEAPS)
    driver.must(command(driver, 0, move))
    late = command(driver, 0, move)
    driver.now_ms += 60_000
    assert driver.refused(late) == "hole_over"
    bodies = driver.wait()
    closed = next(body for body in bodies if isinstance(body, HoleClosed))
    assert [result.ending for result in closed.results.values()] == ["timed_out", "timed_out"]
    assert snapshot(driver.state, 1)["match"]["card"][0]["winner"] == 0
    assert driver.refused(late) == "not_open"
    assert (
        wakes_at(played(replace(SPIT, hole_seconds=0)).state)
        == played(replace(SPIT, hole_seconds=0)).state.spit_at_ms
    )


def test_nothing_of_other_games_happens_in_it() -> None:
    """No draws, no giving up, no house players; who leaves concedes, and the record says so."""
    driver = played()
    assert driver.refused(DrawCard(0, 10)) == "not_open"
    assert driver.refused(GiveUp(0, 1)) == "not_open"
    driver.must(Leave(1))
    driver.wait()
    assert driver.state.phase == "ended"
    made = record(driver.entries)
    assert made["standing"]["winner"] == 0
    assert verify(made).faults == ()
    room = Driver(SPIT)
    assert room.refused(AddBot(0, "t" * 32, "b" * 64, "greedy")) == "bots_off"
    assert room.refused(SpitPlay(0, "column.1", "heap.1", "AS", "")) == "not_open"
    room.must(SetOptions(0, Options()), SetOptions(0, SPIT))
    with pytest.raises(ValueError, match="no round"):
        room.apply(SpitTurned(("AS", "2S")))
    room.must(SetOptions(0, Options()), AddBot(0, "t" * 32, "b" * 64, "greedy"))
    assert room.refused(SetOptions(0, SPIT)) == "bot_strength"


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, None),
        ({"sudden_death": True}, None),
        ({"format": "stroke"}, "format"),
        ({"seats": 3}, "seats"),
        ({"scoring": "app"}, "scoring"),
        ({"rule": "strict"}, "rule"),
        ({"game": "canfield", "rule": "draw_one", "scoring": "app"}, "game"),
        ({"winnable": True}, "winnable"),
        ({"deals": ("GO2-E-AAAAAAB",) * 3}, "deals"),
        ({"mix": (("golf", "easy"), ("golf", "strict")), "scoring": "points"}, "scoring"),
    ],
)
def test_what_contradicts_spit(changes: dict[str, Any], wrong: str | None) -> None:
    """It is match play of two, with nothing of other games; it is stored only where it is chosen."""
    assert check(replace(SPIT, **changes)) == wrong
    assert load_options(dump_options(SPIT)) == SPIT
    assert "mode" not in dump_options(Options())


def test_what_a_record_of_spit_can_not_be() -> None:
    """Another play, another order, another result, another deck: each is named."""
    made = record(whole_match(5).entries)
    first = made["holes"][0]["plays"]
    turned = next(place for place, play in enumerate(first) if play[0] == "spit")

    def other(told: dict[str, Any]) -> None:
        told["holes"][0]["plays"][0][5] = "AS" if first[0][5] != "AS" else "2S"

    changed = {
        "holes[0].plays[0]": other,
        f"holes[0].plays[{turned}]": lambda told: told["holes"][0]["plays"][turned].__setitem__(2, "XX"),
        "holes[0].plays[3]": lambda told: told["holes"][0]["plays"][3].__setitem__(1, 5),
        "holes[0].code": lambda told: told["holes"][0].update(code="GO2-E-AAAAAAB"),
        "holes[0].winner": lambda told: told["holes"][0].update(winner=7),
        "holes[1].hole": lambda told: told["holes"][1].update(hole=3),
        "holes[1].closed_at": lambda told: told["holes"][1].update(closed_at=None),
        "holes[1].seats.0.result": lambda told: told["holes"][1]["seats"]["0"].update(result=None),
        "holes[0].seats.1.result.cards_left": lambda told: told["holes"][0]["seats"]["1"]["result"].update(
            cards_left=9
        ),
        "holes[0].seats": lambda told: told["holes"][0]["seats"].pop("1"),
        "ended_at": lambda told: told.update(ended_at=told["holes"][-1]["closed_at"] - 1),
        "options.mix": lambda told: told.update(schema=5) or told["options"].pop("mode"),
        f"holes[0].plays[{len(first)}]": lambda told: told["holes"][0]["plays"].append(
            ["spit", first[-1][1], "", ""]
        ),
    }
    for name, spoil in changed.items():
        spoiled = copy.deepcopy(made)
        spoil(spoiled)
        spoiled["sums"] = sums_of(spoiled)
        found = {fault.field for fault in verify(spoiled).faults}
        assert name in found or (name == "options.mix" and "options.mode" in found), (name, found)
    assert verify({**made, "holes": [{**made["holes"][0], "plays": [["odd"]]}]}).faults
