"""Whole random matches of every game: the law of the stream, what frames name, and the record that comes out."""

import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from server.match.commands import Ready
from server.match.entries import Acted, Entry, HoleClosed, HoleOpened, SeatEnded
from server.match.options import Options
from server.match.record import record
from server.match.verify import verify
from server.match.view import public_piles, snapshot
from server.rules.codes import deal_of, parse_code
from server.rules.games import GAMES
from server.rules.table import Dealt, Turned
from tests.match.driver import Driver, random_match
from tests.match.naive import cards_in, without_card

SEEDS = range(40 if os.environ.get("FAIRWAY_LONG") else 3)
CASES = [(game.name, preset) for game in GAMES.values() for preset in game.presets]
HIDING = [case for case in CASES if GAMES[case[0]].hides]
OPEN = [case for case in CASES if case not in HIDING]


@dataclass
class Reader:
    """Reads every frame of a match: a hidden card that it names must have been shown to whoever hears it.

    Knows no board, only which cards lay face down and who turned up which. A seat that plays may hear of cards that it
    turned up itself and of no others, since a rival's stretch shows only once all it shows was seen; who looks on hears
    of an owner's cards what all others that still play have seen.
    """

    options: Options
    hidden: set[str] = field(default_factory=set)
    open: bool = False
    turned: dict[int, set[str]] = field(default_factory=dict)
    playing: set[int] = field(default_factory=set)
    named: int = 0

    def __call__(self, driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        """Follow an entry, then read what was said about it."""
        body = entry.body
        if isinstance(body, HoleOpened):
            table = deal_of(parse_code(body.code))[2]
            down = {str(card) for name, count in table.face_down.items() for card in table.piles[name][:count]}
            self.hidden = down | {str(card) for card in table.piles.get("stock", ())}
            self.turned = {seat: set() for seat in driver.state.here()}
            self.playing, self.open = set(self.turned), True
        elif isinstance(body, Acted):
            for event in body.events if body.what != "undo" else ():
                self.turned[body.seat] |= set(event.cards) if isinstance(event, Dealt) else set()
                self.turned[body.seat] |= {event.card} if isinstance(event, Turned) else set()
            if body.ended:
                self.playing.discard(body.seat)
        elif isinstance(body, SeatEnded):
            self.playing.discard(body.seat)
        elif isinstance(body, HoleClosed):
            self.open = False
        if not self.open:
            return
        for viewer, patch in told.items():
            secret = cards_in(str(without_card(patch)).replace("'", '"')) & self.hidden
            self.named += len(secret)
            assert secret <= self.may_hear(viewer), (viewer, body, secret - self.may_hear(viewer))

    def may_hear(self, viewer: int | None) -> set[str]:
        """Return the hidden cards that a viewer may hear of now."""
        own = self.turned.get(viewer, set()) if viewer is not None else set()
        if viewer in self.playing:
            return own
        for owner in self.turned:
            others = [self.turned[seat] for seat in self.playing if seat != owner]
            own = own | (set.intersection(*others) if others else self.turned[owner])
        return own


@dataclass
class Closed:
    """Reads every frame of a match of a game that hides nothing: of a hole that is open nobody hears of another's cards."""

    dealt: dict[str, list[str]] = field(default_factory=dict)
    open: bool = False
    read: int = 0

    def __call__(self, driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        """Follow an entry, then read what was said about it."""
        body = entry.body
        if isinstance(body, HoleOpened):
            self.dealt = {name: list(cards) for name, cards in deal_of(parse_code(body.code))[2].piles.items()}
            self.open = True
            return
        if isinstance(body, HoleClosed):
            self.open = False
            for view in driver.folded.values():
                for owner, board in view["boards"].items():
                    assert board == public_piles(driver.hand(int(owner)).board.table)
        if not self.open:
            return
        for viewer, patch in told.items():
            if viewer != getattr(body, "seat", -1):
                self.read += 1
                assert not cards_in(str(without_card(patch)).replace("'", '"')), (viewer, body)
        for viewer, view in driver.folded.items():
            assert all(board == self.dealt for owner, board in view["boards"].items() if owner != str(viewer))


@pytest.mark.parametrize(("name", "rule"), HIDING)
def test_frames_name_only_what_was_shown(name: str, rule: str) -> None:
    """No frame of a random match names a card that its hearer, or all who still play, had not seen."""
    named = 0
    for seed in SEEDS:
        undo = ("off", "plays", "all")[seed % 3]
        scoring = GAMES[name].scorings[0]
        options = Options(game=name, rule=rule, scoring=scoring, seats=3, holes=1, undo=undo, hole_seconds=0)
        reader = Reader(options)
        assert random_match(seed, options, reader).state.phase == "ended", seed
        named += reader.named
    assert named > len(SEEDS)  # a match may be over before anything was shown, not many


@pytest.mark.parametrize("spectators", ["fair", "live"])
@pytest.mark.parametrize(("name", "rule"), OPEN)
def test_boards_of_open_games_stay_closed(name: str, rule: str, spectators: str) -> None:
    """Where a deal hides nothing, no seat, ended or not, and no spectator, live or not, sees another's move before the
    hole has closed for all; then all see all.
    """
    read = 0
    for seed in SEEDS:
        undo = ("off", "plays", "all")[seed % 3]
        options = Options(
            game=name, rule=rule, seats=3, holes=1 + seed % 2, undo=undo, spectators=spectators, hole_seconds=0
        )
        closed = Closed()
        assert random_match(seed, options, closed).state.phase == "ended", seed
        read += closed.read
    assert read > 20 * len(SEEDS)  # a match may be short, not many


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "rule"), CASES)
def test_records_hold(name: str, rule: str, seed: int) -> None:
    """The record of a random match agrees with itself and the rules; with a move taken out it doesn't."""
    undo = ("plays", "all", "off")[seed % 3]
    scoring = GAMES[name].scorings[-1]
    options = Options(game=name, rule=rule, scoring=scoring, seats=2, holes=2, undo=undo, hole_seconds=0)
    made = record(random_match(seed, options, check=False).entries)
    assert verify(made).faults == ()
    hands = [hand for hole in made["holes"] for hand in hole["seats"].values()]
    del max(hands, key=lambda hand: len(hand["moves"]))["moves"][0]
    assert verify(made).faults


def test_a_deal_on_which_nothing_plays() -> None:
    """It is over for all as it lies there, stuck, and nobody waits for its time; the record holds."""
    codes = (f"BH2-J-AAAAA{one}{other}" for one in "ABCDEFGH" for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    dead = next(code for code in codes if (deal := deal_of(parse_code(code)))[0].outcome(deal[2], deal[1]) == "stuck")
    driver = Driver(Options(game="black_hole", rule="joined", deals=(dead, "BH2-J-AAAAAAA"), holes=2, seats=2))
    driver.join_all(2)
    driver.must(Ready(0, True, ""), Ready(1, True, ""))
    driver.wait()
    driver.wait(3_000)
    assert driver.state.phase == "between"
    view = snapshot(driver.state, 0)
    assert (view["seats"]["0"]["state"], view["seats"]["0"]["ended"]) == ("stuck", True)
    assert [score["cards_left"] for score in view["match"]["card"][0]["scores"].values()] == [51, 51]
    driver.next_hole()
    driver.script("0:G 1:G")
    driver.next_hole()
    made = record(driver.entries)
    assert verify(made).faults == ()
    assert made["holes"][0]["seats"]["1"]["result"]["how"] == "stuck"
