"""Anything that people may do to a match, at random: joins, leaves, kicks, claims, absences, outages, nonsense.

Gives commands, most of which are legal somewhere; `decide` says which are now.
"""

import os
from dataclasses import replace
from random import Random

from hypothesis import settings

from server.match.commands import (
    AddBot,
    Claim,
    CloseSeat,
    Command,
    Done,
    DrawCard,
    GiveUp,
    Join,
    Kick,
    Leave,
    Next,
    PlayCard,
    Ready,
    Rematch,
    SetOptions,
    Start,
    Undo,
)
from server.match.decide import World
from server.match.options import Options
from tests.match.driver import Driver, Told

UNDO = ("off", "plays", "all")
SPECTATORS = ("fair", "live", "off")
RULES = ("easy", "classic", "strict", "E1V", "L2")
# Of laws where each example is a whole match the short run tries half as many as of others.
MATCHES = settings().max_examples if os.environ.get("FAIRWAY_LONG") else max(25, settings().max_examples // 2)


def random_options(random: Random, seats: int, holes: int) -> Options:
    """Return options of any mode; two may play a match."""
    played = "match" if seats == 2 and random.random() < 0.5 else "stroke"
    return Options(
        rule=random.choice(RULES),
        holes=holes,
        scoring=random.choice(("traditional", "app")),
        undo=random.choice(UNDO),
        seats=seats,
        hole_seconds=random.choice((0, 60, 240)),
        spectators=random.choice(SPECTATORS),
        deals=random.choice(((), (), ("GO2-S-AAAAAAB", "GO2-D2V-AAAAAAB", "GO2-K-AAAAAAB")[:holes])),
        format=played,
        sudden_death=played == "match" and random.random() < 0.5,
    )


def _seats(random: Random, options: Options) -> int:
    return 2 if options.match_play else random.choice((3, 4))


def random_command(driver: Driver, random: Random) -> Command:
    """Return some command of some seat, often one that may happen."""
    state = driver.state
    seat = random.choice([*state.seats, *state.seats, random.randrange(8)])
    legal = driver.commands_for(seat) if seat in state.seats else []
    if legal and random.random() < 0.8:
        return random.choice(legal)
    hole = random.choice((state.hole, state.hole, 1))
    other = random.randrange(4)
    return random.choice(
        [
            Join(random.choice(("Ada", "Bob", "Cem")), f"{random.randrange(6):064x}"),
            Claim(seat),
            Leave(seat) if random.random() < 0.2 else Claim(seat),
            Kick(seat, other),
            AddBot(seat, "greedy", f"{other}b" * 16, f"{other + 6:064x}"),
            Ready(seat, random.random() < 0.8),
            Ready(seat, True, f"{random.getrandbits(128):032x}"),
            Start(seat),
            SetOptions(seat, replace(state.options, undo=random.choice(UNDO), seats=_seats(random, state.options))),
            PlayCard(seat, f"column.{random.randrange(9)}", "waste", random.choice(("AS", "TH", "9C", "x"))),
            DrawCard(seat, random.randrange(17)),
            driver.undo(seat) if seat in state.seats and state.seats[seat].hand else Undo(seat, 0, 0),
            GiveUp(seat, hole) if random.random() < 0.2 else Done(seat, hole),
            CloseSeat(seat, other, hole),
            Next(seat, hole),
            Rematch(seat, "n" * 26, "HGFEDCBA", "7f" * 32),
        ]
    )


def change_world(driver: Driver, random: Random) -> None:
    """Let somebody come or go, or the engine have been away."""
    offline = dict(driver.world.offline_since)
    outages = driver.world.outages
    seat = random.randrange(4)
    if seat in offline:
        del offline[seat]
    elif random.random() < 0.3:
        offline[seat] = driver.now_ms
    if random.random() < 0.1:
        away_ms = random.randrange(2_001, 90_000)
        outages = (*outages, (driver.now_ms, driver.now_ms + away_ms))
        driver.now_ms += away_ms
    driver.world = World(offline, outages)


def wild_match(seed: int, *watchers: Told, steps: int = 150) -> Driver:
    """Play a match in which anything happens, of at most `steps` commands."""
    random = Random(seed)
    options = random_options(random, random.choice((4, 4, 2)), 2)
    driver = Driver(options, watchers=list(watchers), secret=f"{seed:064x}")
    for _ in range(steps):
        if random.random() < 0.05:
            change_world(driver, random)
        driver.wait(random.choice((0, 200, 200, 1_000, 3_000, 20_000) if random.random() < 0.3 else (200,)))
        driver.do(random_command(driver, random))
        if driver.state.phase == "ended" and random.random() < 0.2:
            break
    return driver
