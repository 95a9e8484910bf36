"""What is told: patches are small, shared by those who hear the same, and never more than the snapshot's change."""

import copy
import json
from typing import Any

import pytest

from server.match.commands import Claim, Leave, Next, Ready
from server.match.due import close_hole
from server.match.entries import Acted, Entry, HoleClosed, Result, SeatEnded
from server.match.evolve import evolve
from server.match.options import Options
from server.match.patch import fold, move
from server.match.telling import tell, telling
from server.match.view import snapshot
from server.rules.cards import Card
from server.rules.table import Dealt, Moved, PileId
from tests.match.decks import BUSY
from tests.match.driver import Driver

Told = list[tuple[Entry, dict[int | None, dict[str, Any]]]]


def watched(seats: int = 3, **options: object) -> tuple[Driver, Told]:
    """Give an open hole on a hand-built deal and the list of what is told from now on."""
    told: Told = []
    driver = Driver(Options(**{"holes": 1, "hole_seconds": 0, "deals": (BUSY,), **options}))
    driver.seat_all(seats)
    driver.watchers.append(lambda _, entry, patches: told.append((entry, patches)))
    return driver, told


def test_those_who_hear_the_same_share_one_patch() -> None:
    """A hidden move is one object for all rivals and spectators; the mover's own is another."""
    driver, told = watched()
    driver.act(0, "P")
    patches = told[0][1]
    assert patches[1] is patches[2] is patches[None]
    assert patches[0] is not patches[1]
    assert patches[1] == {"seats": {"0": {"cards_left": 34, "app": 10, "traditional": 34}}}


def test_who_sees_a_move_hears_it() -> None:
    """A rival with more draws hears the steps, one that must not see them the counts alone."""
    driver, told = watched()
    driver.act(1, "D")
    driver.act(0, "P")
    patches = told[1][1]
    assert patches[1]["moved"] == {"0": [["column.1", "waste", "6C"]]}
    assert "moved" not in patches[2]
    assert patches[0]["moved"] == {"0": [["column.1", "waste", "6C"]]}


def test_ones_own_draw_brings_what_it_opens() -> None:
    """The frame of a draw carries the rivals' moves that lie behind it now."""
    driver, told = watched()
    driver.act(0, "PPDP")
    driver.act(1, "D")
    mine = told[-1][1][1]
    assert mine["moved"]["1"] == [["stock", "waste", "5S"]]
    assert mine["moved"]["0"] == [["column.1", "waste", "6C"], ["column.3", "waste", "7D"]]
    assert mine["you"]["move_count"] == 1


def test_an_undo_is_told_face_down() -> None:
    """A draw taken back puts a hidden card onto the stock."""
    driver, told = watched(undo="all")
    driver.act(0, "DU")
    assert told[-1][1][0]["moved"] == {"0": [["waste", "stock", "?"]]}


def test_the_close_brings_the_rest() -> None:
    """When the hole closes each hears all that it had not seen, the code and the stock."""
    driver, told = watched(deals=(), holes=2, hole_seconds=240)
    driver.act(0, "D" * 3)
    driver.act(2, "DG")
    driver.wait(240_000)
    patches = next(patches for entry, patches in told if isinstance(entry.body, HoleClosed))
    assert [len(patches[viewer]["moved"]["0"]) for viewer in (1, 2, None)] == [3, 3, 3]
    assert patches[1]["match"]["code"] == driver.state.code
    assert len(patches[1]["card"][0]["stock"]) == 16
    assert patches[1]["card"][0]["scores"]["0"]["how"] == "timed_out"


def test_what_concerns_nobody_else_is_an_empty_patch() -> None:
    """A claim tells the others nothing, and still tells them its version."""
    driver, told = watched()
    driver.must(Claim(1))
    patches = told[0][1]
    assert patches[0] == patches[None] == {}
    assert patches[1] == {"you": {"generation": 2}}


def test_lobby_changes_are_told_to_all() -> None:
    """A ready, and a seat that goes before the start."""
    told: Told = []
    driver = Driver(Options(), watchers=[lambda _, entry, patches: told.append((entry, patches))])
    driver.join_all(2)
    assert told[-1][1][0]["seats"]["1"]["name"] == "Player 1"
    driver.must(Ready(1, True))
    assert told[-1][1][0] == {"seats": {"1": {"ready": True}}}
    driver.must(Leave(1))
    assert told[-1][1][0] == {"seats": {"1": None}}


def test_a_new_hole_brings_whole_boards() -> None:
    """The boards of a new hole replace all boards; a seat that left has none."""
    driver, told = watched(deals=(BUSY, BUSY), holes=2)
    driver.script("2:L 0:G 1:G")
    driver.must(Next(0, 1), Next(1, 1))
    driver.wait()
    patch = told[-1][1][0]
    assert patch["boards"].keys() == {"0", "1"}
    assert patch["boards"]["0"]["stock"] == ["?"] * 16
    assert patch["match"]["hole"] == 2


def test_tell_is_what_a_telling_says() -> None:
    """The function for one viewer gives the patch that the shared form gives."""
    driver, told = watched(2)
    before = driver.state
    driver.act(0, "P")
    entry = told[0][0]
    for viewer in (0, 1, None):
        text = telling(before, entry, driver.state).text(viewer)
        assert tell(before, entry, driver.state, viewer) == json.loads(f"{{{text}}}")


def test_who_left_hears_what_all_hear_who_look_on() -> None:
    """A seat that left the hole looks on like everybody without a seat; so does one that nobody has."""
    driver, told = watched(4)
    driver.script("2:L")
    driver.act(1, "D")
    before = driver.state
    driver.act(0, "P")
    told_now = telling(before, told[-1][0], driver.state)
    assert told_now.text(2) == told_now.text(9) == told_now.text(None) != told_now.text(1)


def test_telling_leaves_states_and_patches_alone() -> None:
    """Telling the same entry again says the same; neither state is changed by it."""
    driver, told = watched(2)
    before = driver.state
    driver.act(0, "D")
    states = repr((before, driver.state))
    told_again = telling(before, told[0][0], driver.state)
    first = json.dumps([told_again.text(viewer) for viewer in (0, 1, None)])
    assert json.dumps([told_again.text(viewer) for viewer in (0, 1, None)]) == first
    assert repr((before, driver.state)) == states


def test_everything_told_is_json() -> None:
    """Views and patches are plain: they come back from JSON as they were."""
    driver, told = watched()
    driver.script("0:PDG 1:DG 2:G")
    for _, patches in told:
        for patch in patches.values():
            assert json.loads(json.dumps(patch)) == patch
    for viewer in (0, None):
        assert json.loads(json.dumps(snapshot(driver.state, viewer))) == snapshot(driver.state, viewer)


# -- the fold of a client


def test_move_takes_and_lays_as_many_as_are_listed() -> None:
    """Blocks keep their order; a step onto the same pile turns its last card."""
    piles = {"a": ["1", "2", "3"], "b": [], "c": ["?"]}
    move(piles, [["a", "b", "2", "3"], ["c", "c", "9"], ["b", "a", "3"]])
    assert piles == {"a": ["1", "3"], "b": ["2"], "c": ["9"]}


def test_fold_applies_every_part() -> None:
    """Match and own part merge, records append, seats merge or go, boards replace all, moves come after them."""
    view = {
        "match": {"phase": "playing", "hole": 1, "card": [1]},
        "seats": {"0": {"a": 1, "b": 2}, "1": {}},
        "boards": {"0": {"x": ["1"]}, "1": {"x": []}},
        "you": {"moves": [1], "undo": True},
    }
    patch = {
        "match": {"hole": 2},
        "card": [2],
        "seats": {"0": {"b": 3}, "1": None, "2": {"a": 9}},
        "boards": {"0": {"x": ["1", "2"], "y": []}},
        "moved": {"0": [["x", "y", "2"]]},
        "you": {"moves": []},
    }
    kept = copy.deepcopy(patch)
    assert fold(view, patch) == {
        "match": {"phase": "playing", "hole": 2, "card": [1, 2]},
        "seats": {"0": {"a": 1, "b": 3}, "2": {"a": 9}},
        "boards": {"0": {"x": ["1"], "y": ["2"]}},
        "you": {"moves": [], "undo": True},
    }
    assert patch == kept
    assert fold(copy.deepcopy(view), {}) == view


# -- entries that cannot be


def _entry(driver: Driver, body: Any) -> Entry:
    return Entry(driver.state.version + 1, driver.now_ms, body)


ACTED = Acted(0, "draw", (Dealt((Card("5S"),)),), "playing", False)


@pytest.mark.parametrize(
    "body",
    [
        ACTED,
        SeatEnded(0, "gave_up", 0),
        HoleClosed(1, 0, {0: Result("gave_up", 35, 16, 35, 0, 0, 0)}),
    ],
)
def test_nothing_happens_to_a_hole_that_is_not_there(body: Any) -> None:
    """An action, an ending or a close without a deal is an error, not a guess."""
    driver = Driver(Options())
    with pytest.raises(ValueError, match=r"hand|dealt"):
        evolve(driver.state, _entry(driver, body))


def test_an_action_that_does_not_fit_the_board_is_an_error() -> None:
    """The fold refuses an event whose card lies elsewhere."""
    driver, _ = watched(2)
    event = Moved(PileId("column.1"), PileId("waste"), (Card("KS"),))
    with pytest.raises(ValueError, match=r"column\.1"):
        evolve(driver.state, _entry(driver, Acted(0, "play", (event,), "playing", False)))


def test_no_result_and_no_telling_without_a_deal() -> None:
    """Closing or telling what nobody was dealt is an error as well."""
    driver = Driver(Options())
    with pytest.raises(ValueError, match="dealt"):
        close_hole(driver.state, 0)
    with pytest.raises(ValueError, match="hand"):
        tell(driver.state, _entry(driver, ACTED), driver.state, 0)


@pytest.mark.parametrize("script", ["1:D 0:P", "1:D 0:D", "0:D 1:D", "0:DD 1:DD 3:G 2:D", "3:G 0:P 1:D 2:DP"])
def test_who_is_told_first_makes_no_difference(script: str) -> None:
    """In whatever order viewers are told a move, and told again, each hears the same, and as it would alone."""
    driver, told = watched(4)
    states = []
    driver.watchers.append(lambda driver, entry, _: states.append((driver.state, entry)))
    before = driver.state
    driver.script(script)
    for after, entry in states:
        alone = {viewer: tell(before, entry, after, viewer) for viewer in (0, 1, 2, 3, None)}
        for order in ((0, 1, 2, 3, None), (None, 3, 2, 1, 0), (3, None, 0, 2, 1)):
            move_told = telling(before, entry, after)
            for viewer in (*order, *order):
                assert json.loads(f"{{{move_told.text(viewer)}}}") == alone[viewer]
        before = after
    assert len(states) == len(told)
