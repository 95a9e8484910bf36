"""Match play for tests: holes won, lost and halved at will, and how a match stands read naively from the entries."""

from dataclasses import replace
from typing import Any

from server.match.options import Options
from tests.match.driver import Driver

ROOM = Options(format="match", seats=2, holes=3)


def match_play(**options: Any) -> Driver:
    """Give a match of two that has begun."""
    driver = Driver(replace(ROOM, **options))
    driver.seat_all(2)
    return driver


def win(driver: Driver, seat: int | None) -> None:
    """Let a seat win the open hole, the other one giving it up; None: it is halved."""
    if seat is None:
        driver.script("0:G 1:G")
    else:
        driver.script(f"{1 - seat}:G")
        driver.wait(60_000)


def holes(driver: Driver, text: str) -> None:
    """Play one hole a letter: 0 or 1 wins it, = halves it. All holes but those after the end must be there."""
    for letter in text:
        assert driver.state.phase == "playing", text
        win(driver, None if letter == "=" else int(letter))
        driver.next_hole()


def naive(options: Options, text: str) -> tuple[int, bool]:
    """Return seat 0's lead and whether the match is over, hole by hole as rules.md tells it."""
    lead = 0
    for number, letter in enumerate(text, 1):
        lead += {"0": 1, "1": -1, "=": 0}[letter]
        remaining = options.holes - number
        if remaining >= 0 and abs(lead) > remaining:  # more ahead than holes are left
            return lead, True
        if remaining <= 0 and lead == 0 and not options.sudden_death:
            return 0, True  # halved
        if remaining < 0 and (lead != 0 or remaining == -9):
            return lead, True  # sudden death: the first hole that is won, or nine more halved
    return lead, False
