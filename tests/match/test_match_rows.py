"""Section 3 where cards turn up in rows: what one seat sees of another's peaks, counted by hand on the golden deal."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.match.commands import GiveUp, PlayCard
from server.match.options import Options
from server.match.view import public_piles
from tests.match.driver import Driver

WON: Any = json.loads((Path(__file__).parents[1] / "rules" / "golden" / "tri_peaks-won.json").read_text("utf-8"))
# Its first four plays. Of row 3 the third takes the last card off 14, the fourth those off 12 and 13.
PLAYS = [(step[0], step[2]) for step in WON["line"][:4]]

# (what seat 0 does, what seat 1 does, how many of seat 0's actions seat 1 sees). Letters: P the next of the four plays,
# D draw, G give up.
COUNTED = [
    ("PP", "", 0),
    # Who has turned up nothing sees nothing, whatever the rival turned up.
    ("PPP", "PP", 0),
    ("PPPP", "PP", 0),
    # Who turned up what the third shows sees all before it; who turned up what the fourth shows all before that.
    ("PPP", "PPP", 2),
    ("PPPP", "PPP", 2),
    ("PPPP", "PPPP", 3),
    # A card drawn is another card: it opens nothing of what turned up.
    ("PPPP", "D", 0),
    ("PPPP", "PPPD", 2),
    # The draw lies behind who drew, once what turned up before it was seen too.
    ("PPPPD", "PPPD", 2),
    ("PPPPD", "PPPPD", 4),
    ("DD", "D", 0),
    ("DD", "DD", 1),
    # Of a rival's stretch that goes on, all that may come would have to be seen.
    ("PP", "PPP", 0),
    # Who has ended looks on as the one who plays can't be helped any more: all, live.
    ("PPPP", "G", 4),
]


@pytest.mark.parametrize(("mine", "other", "count"), COUNTED)
@pytest.mark.parametrize("undo", ["off", "plays"])
def test_counted_by_hand(mine: str, other: str, count: int, undo: str) -> None:
    """A rival's peaks show up to, and not including, the first action that shows what one has not seen oneself."""
    options = Options(
        game="tri_peaks", rule="joined", seats=2, holes=1, undo=undo, hole_seconds=0, deals=("TP2-J-AAAAABP",)
    )
    driver = Driver(options)
    driver.seat_all(2)
    boards = [public_piles(driver.hand(0).board.table)]
    for seat, letters in enumerate((mine, other)):
        plays = iter(PLAYS)
        for letter in letters:
            if letter == "G":
                driver.must(GiveUp(seat, 1))
            elif letter == "D":
                driver.must(driver.draw(seat))
            else:
                source, card = next(plays)
                driver.must(PlayCard(seat, source, "waste", card))
            if seat == 0:
                boards.append(public_piles(driver.hand(0).board.table))
    assert driver.folded[1]["boards"]["0"] == boards[count]
