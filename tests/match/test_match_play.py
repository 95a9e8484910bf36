"""A hole as seats play it: how it ends, what it scores, undo in each mode, and what a seat is offered."""

from random import Random

import pytest

from server.match.commands import CloseSeat, Done, GiveUp, PlayCard
from server.match.decide import World
from server.match.entries import Acted, HoleClosed, Result
from server.match.options import Options
from tests.match.decks import BARREN, BUSY, LAST_PLAY, STUCK_BY_DRAW, STUCK_BY_PLAY, clearable
from tests.match.driver import Driver


def at(script: str = "", deal: str = BUSY, seats: int = 2, **options: object) -> Driver:
    """Give a match on a hand-built deal after a script."""
    options = {"holes": 1, "hole_seconds": 0, "deals": (deal,), **options}
    driver = Driver(Options(**options))
    driver.seat_all(seats)
    driver.script(script)
    return driver


def results(driver: Driver) -> dict[int, Result]:
    """Return what everybody made of the first hole."""
    return dict(driver.state.closed[0].results)


def test_everybody_gets_the_same_deal() -> None:
    """All seats of a hole have the same cards, and the drawn deals of two holes differ."""
    driver = Driver(Options(holes=2, hole_seconds=0))
    driver.seat_all(3)
    tables = [driver.hand(seat).board.table for seat in range(3)]
    assert tables[0] == tables[1] == tables[2]
    driver.play_hole(Random(1))
    driver.next_hole()
    assert driver.hand(0).board.table != tables[0]


def test_the_rule_of_a_code_wins_over_the_rooms() -> None:
    """A typed code is dealt under the rule that its letter names."""
    driver = at(deal=clearable("S"), rule="easy")
    assert driver.folded[0]["match"]["options"]["rule"] == "easy"
    assert driver.folded[0]["match"]["rule"] == "strict"
    assert driver.refused(driver.draw(0)) == "play_exists"


def test_clearing_ends_a_hole_at_once() -> None:
    """With the columns gone the hole is cleared, even with stock left: 350, and minus the stock."""
    driver = at("0:" + "P" * 35, clearable(), undo="all")
    hand = driver.hand(0)
    assert (hand.ending, hand.ended) == ("cleared", True)
    you = driver.folded[0]["you"]
    assert (you["moves"], you["undo"], you["done"]) == ([], False, False)
    driver.script("1:G")
    assert results(driver)[0] == Result("cleared", 0, 16, -16, 350, 35, 0)


def test_a_clear_after_undos_scores_the_same() -> None:
    """Undos cost nothing but their count."""
    driver = at("0:PPUU" + "P" * 35 + " 1:G", clearable())
    assert results(driver)[0] == Result("cleared", 0, 16, -16, 350, 37, 2)


def test_stuck_without_undo_ends_by_itself() -> None:
    """No stock, no play and nothing to take back: the hole is over without being asked."""
    for undo in ("off", "plays"):
        driver = at("0:" + "D" * 16, BARREN, undo=undo)
        assert (driver.hand(0).ending, driver.hand(0).ended) == ("stuck", True)
    driver.script("1:G")
    assert results(driver)[0] == Result("stuck", 35, 0, 35, 0, 16, 0)


def test_stuck_with_undo_is_offered() -> None:
    """Where undo is possible, stuck shows, and undo or done are offered; undo goes back to playing."""
    driver = at("0:" + "D" * 16, BARREN, undo="all")
    you, seat = driver.folded[0]["you"], driver.folded[1]["seats"]["0"]
    assert (you["moves"], you["undo"], you["done"]) == ([], True, True)
    assert (seat["state"], seat["ended"]) == ("stuck", False)
    driver.act(0, "U")
    assert driver.hand(0).ending == "playing"
    assert driver.folded[0]["you"]["moves"] == [["stock", "waste"]]
    driver.act(0, "D")
    driver.must(Done(0, 1))
    assert (driver.hand(0).ending, driver.hand(0).ended) == ("stuck", True)


def test_stuck_after_a_last_play_may_take_it_back() -> None:
    """With undo of plays the last play can be undone, the draw before it can't."""
    driver = at("0:" + "D" * 16 + "P", LAST_PLAY)
    assert (driver.hand(0).ending, driver.hand(0).ended) == ("stuck", False)
    assert driver.folded[0]["seats"]["0"]["app"] == 0
    driver.act(0, "U")
    assert driver.folded[0]["seats"]["0"]["state"] == "playing"
    assert driver.folded[0]["seats"]["0"]["app"] == 0
    assert driver.folded[0]["you"]["undo"] is False
    driver.act(0, "PE")
    assert driver.hand(0).ended


def test_never_stuck_while_the_stock_has_a_card() -> None:
    """One card to draw is a move, whatever it will be."""
    driver = at("0:" + "D" * 15, BARREN)
    assert driver.hand(0).ending == "playing"
    assert driver.folded[0]["you"]["moves"] == [["stock", "waste"]]


@pytest.mark.parametrize(("how", "ending"), [("G", "gave_up"), ("L", "gave_up"), ("", "timed_out")])
def test_every_early_end_pays_the_penalty(how: str, ending: str) -> None:
    """Giving up, leaving and timing out cost ten a card left, never below 0; the stock never counts."""
    for plays, app in ((25, 150), (18, 10), (17, 0), (3, 0)):
        driver = at("0:" + "P" * plays + how, clearable(), seats=3, hole_seconds=240)
        driver.script("1:G 2:G")
        driver.wait(240_000)
        assert results(driver)[0] == Result(ending, 35 - plays, 16, 35 - plays, app, plays, 0)


def test_an_open_hole_shows_ten_a_card() -> None:
    """While a seat plays its app score has no penalty in it; the traditional one is the cards left."""
    driver = at("0:PPPDP")
    seat = driver.folded[1]["seats"]["0"]
    assert (seat["app"], seat["traditional"], seat["cards_left"], seat["stock"]) == (40, 31, 31, 15)
    driver.act(0, "G")
    seat = driver.folded[1]["seats"]["0"]
    assert (seat["app"], seat["traditional"], seat["state"], seat["ended"]) == (0, 31, "gave_up", True)
    assert seat["ended_at"] == driver.now_ms


def test_running_totals_count_closed_holes_only() -> None:
    """An open hole is not in the totals; a closed one is, with its strokes over par."""
    driver = at("0:PPP", deals=(BUSY, BUSY), holes=2)
    totals = {"thru": 0, "traditional": 0, "app": 0, "to_par": 0, "over_best": None}
    assert driver.folded[1]["seats"]["0"]["totals"] == totals
    driver.script("0:G 1:G")
    totals = {"thru": 1, "traditional": 32, "app": 0, "to_par": 27, "over_best": None}
    assert driver.folded[1]["seats"]["0"]["totals"] == totals
    assert [driver.folded[1]["seats"][n]["place"] for n in "01"] == [1, 2]


# -- undo


def test_undo_off() -> None:
    """Nothing is taken back, nothing is offered."""
    driver = at("0:PP", undo="off")
    assert driver.folded[0]["you"]["undo"] is False
    assert driver.refused(driver.undo(0)) == "undo_off"


def test_undo_of_plays_stops_at_the_last_draw() -> None:
    """Plays since the last draw are taken back one by one, the draw is not."""
    driver = at("0:PPDP")
    waste = list(driver.folded[0]["boards"]["0"]["waste"])
    driver.act(0, "U")
    assert driver.folded[0]["boards"]["0"]["waste"] == waste[:-1]
    assert driver.folded[0]["you"]["undo"] is False
    assert driver.refused(driver.undo(0)) == "undo_past_draw"


def test_undo_of_all_goes_back_to_the_deal() -> None:
    """Draws are taken back too: the card is face down again and comes again, the counters stay."""
    driver = at(undo="all")
    dealt = driver.folded[0]["boards"]["0"]
    dealt = {name: list(pile) for name, pile in dealt.items()}
    driver.act(0, "PDPUUU")
    assert driver.folded[0]["boards"]["0"] == dealt
    you = driver.folded[0]["you"]
    assert (you["move_count"], you["undo_count"], you["undo"]) == (3, 3, False)
    driver.act(0, "D")
    assert driver.folded[0]["boards"]["0"]["waste"] == ["7C", "5S"]


def test_undo_restores_the_score_from_the_state() -> None:
    """Stuck with 17 removed shows 0, as the floor has it; undoing that last play shows 160 and 16 removed."""
    driver = Driver(Options(seats=1, holes=1, undo="all", hole_seconds=0, deals=(STUCK_BY_PLAY,)))
    driver.wait()
    driver.act(0, "P" * 16 + "D" * 16 + "P")
    seat = driver.folded[0]["seats"]["0"]
    assert (seat["state"], seat["cards_left"], seat["app"]) == ("stuck", 18, 0)
    driver.act(0, "U")
    assert (seat["state"], seat["cards_left"], seat["app"]) == ("playing", 19, 160)
    driver.act(0, "U")
    assert (seat["cards_left"], seat["stock"], seat["app"]) == (19, 1, 160)


def test_undoing_a_last_draw_takes_the_penalty_away() -> None:
    """Stuck by a draw with 17 removed shows 0; undoing that draw shows 170."""
    driver = Driver(Options(seats=1, holes=1, undo="all", hole_seconds=0, deals=(STUCK_BY_DRAW,)))
    driver.wait()
    driver.act(0, "P" * 17 + "D" * 16)
    seat = driver.folded[0]["seats"]["0"]
    assert (seat["state"], seat["cards_left"], seat["app"]) == ("stuck", 18, 0)
    driver.act(0, "U")
    assert (seat["state"], seat["cards_left"], seat["app"]) == ("playing", 18, 170)


# -- what a seat is offered


def test_a_seat_is_offered_its_legal_moves() -> None:
    """The moves in full, the exposed card with each, and the draw last."""
    driver = at()
    assert driver.folded[0]["you"]["moves"] == [
        ["column.1", "waste", "6C"],
        ["column.2", "waste", "8C"],
        ["stock", "waste"],
    ]


def test_rivals_and_spectators_are_offered_nothing() -> None:
    """A spectator's own part is its role alone; a rival's move changes nothing in one's own part."""
    driver = at()
    you = dict(driver.folded[1]["you"])
    driver.act(0, "PD")
    assert driver.folded[1]["you"] == you
    assert driver.folded[None]["you"] == {"role": "spectator", "seat": None}


def test_an_ended_seat_is_offered_nothing() -> None:
    """After giving up there are no moves, no undo, no done."""
    driver = at("0:PG", undo="all")
    you = driver.folded[0]["you"]
    assert (you["moves"], you["undo"], you["done"]) == ([], False, False)


def test_before_the_first_hole_there_is_no_board() -> None:
    """A lobby has seats that wait, and no boards."""
    driver = Driver(Options())
    view = driver.folded[0]
    assert view["boards"] == {}
    assert view["seats"]["0"]["state"] == "waiting"
    assert view["seats"]["0"]["cards_left"] is None
    assert view["you"]["moves"] == []


def test_entries_state_how_a_seat_stands_after_them() -> None:
    """An action's entry bears the ending it led to, so that replaying needs no rule."""
    driver = at("0:" + "P" * 35, clearable())
    acted = [entry.body for entry in driver.entries if isinstance(entry.body, Acted)]
    assert {(body.ending, body.ended) for body in acted[:-1]} == {("playing", False)}
    assert (acted[-1].ending, acted[-1].ended) == ("cleared", True)


def test_the_hole_closes_when_the_last_one_ends() -> None:
    """Whatever ends the last seat's hole, move or leave or being closed, closes the hole for all."""
    for end in ("G", "L"):
        assert at(f"0:G 1:{end}").state.phase == "ended"
    driver = at("0:G")
    driver.world = World({1: driver.now_ms - 60_000})
    assert driver.refused(CloseSeat(0, 1, 2)) == "stale"
    driver.must(CloseSeat(0, 1, 1))
    assert isinstance(driver.wait()[0], HoleClosed)


def test_a_second_tap_on_the_same_card_is_stale() -> None:
    """A play that was sent twice happens once: its card is no longer there."""
    driver = at()
    play = driver.plays(0)[0]
    assert isinstance(play, PlayCard)
    driver.must(play)
    assert driver.refused(play) == "stale"


def test_giving_up_names_its_hole() -> None:
    """A give-up meant for the hole before does not end the next one."""
    driver = at("0:G 1:G", deals=(BUSY, BUSY), holes=2)
    driver.next_hole()
    assert driver.refused(GiveUp(0, 1)) == "stale"
    driver.must(GiveUp(0, 2))
