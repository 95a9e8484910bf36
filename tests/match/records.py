"""Records of real matches of every kind, made once, and ways to spoil one. They know no rule."""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from server.match.commands import Kick, Leave
from server.match.decide import World
from server.match.options import Options
from server.match.record import record
from server.match.sums import SUMS, sums_of
from tests.match.decks import BARREN, clearable
from tests.match.driver import Driver, random_match
from tests.match.match_play import holes, match_play

Record = dict[str, Any]
STREAMS = Path(__file__).parent / "streams"


def _gone() -> Driver:
    """Give a match out of which one was put and one went, in its second hole."""
    driver = Driver(Options(seats=4, holes=2, hole_seconds=60, rule="K"))
    driver.seat_all(4)
    driver.world = World({2: driver.now_ms - 60_000})
    driver.must(Kick(0, 2))
    driver.script("0:D 1:G 3:G 0:G")
    driver.wait(20_000)
    driver.must(Leave(1))
    driver.wait(120_000)
    return driver


def _abandoned() -> Driver:
    """Give a match that everybody left while its first hole was open."""
    driver = Driver(Options(seats=2, holes=3))
    driver.seat_all(2)
    driver.must(Leave(1), Leave(0))
    driver.wait(1_000_000)
    return driver


def _typed() -> Driver:
    """Give a match of typed deals: a clear with an undo, then stuck and done."""
    driver = Driver(Options(seats=2, holes=2, undo="all", hole_seconds=0, deals=(clearable(), BARREN)))
    driver.seat_all(2)
    driver.act(0, "DUPPU" + "P" * 34)
    driver.script("1:PPG")
    driver.next_hole()
    driver.act(0, "D" * 16 + "E")
    driver.act(1, "DP" + "D" * 15 + "U")
    driver.wait(1_000_000)
    return driver


def _early() -> Driver:
    """Give eighteen holes of match play that ended early, with the eleventh."""
    driver = match_play(holes=18, hole_seconds=60, scoring="app")
    for letter in "0=0000=0000":
        driver.script("0:D 1:D")
        holes(driver, letter)
    return driver


def _extra() -> Driver:
    """Give a match of one typed deal that sudden death decided in its third hole."""
    driver = match_play(holes=1, sudden_death=True, deals=(BARREN,))
    driver.script("0:D 1:DD")
    holes(driver, "==1")
    return driver


def _conceded() -> Driver:
    """Give match play of which the leader went while the second hole was open."""
    driver = match_play(holes=3)
    holes(driver, "1")
    driver.script("0:DD")
    driver.must(Leave(1))
    driver.wait()
    return driver


@cache
def _made(name: str) -> str:
    if name == "old":
        return (STREAMS / "schema-1.record.json").read_text(encoding="utf-8")
    made = {
        "sealed": lambda: random_match(1, Options(seats=2, holes=2, scoring="app"), check=False),
        "variant": lambda: random_match(2, Options(seats=3, holes=1, rule="L1V", undo="all"), check=False),
        "alone": lambda: random_match(3, Options(seats=1, holes=1, rule="strict", undo="off"), check=False),
        "gone": _gone,
        "abandoned": _abandoned,
        "typed": _typed,
        "early": _early,
        "extra": _extra,
        "conceded": _conceded,
    }
    driver = made[name]()
    if name in ("sealed", "variant", "typed"):
        driver.solve()
    return json.dumps(record(driver.entries))


NAMES = ("sealed", "variant", "alone", "gone", "abandoned", "typed", "early", "extra", "conceded", "old")


def fresh(name: str) -> Record:
    """Give a record of this kind, to be changed at will."""
    made: Record = json.loads(_made(name))
    return made


def spoiled(name: str, spoil: Callable[[Record], object], *, sums: bool = False) -> Record:
    """Give a record with something changed in it; `sums`: whoever changed it made the sums fit."""
    made = copy.deepcopy(fresh(name))
    spoil(made)
    if sums and SUMS in made:
        made[SUMS] = sums_of(made)
    return made
