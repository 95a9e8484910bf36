"""Section 3 of the rules on hand-built games: what each may see of each, counted by hand and by a naive reading."""

import itertools

import pytest

from server.match.commands import Next
from server.match.options import Options
from server.match.view import snapshot
from tests.match.decks import BARREN, BUSY
from tests.match.driver import Driver
from tests.match.naive import Naive

UNDO = ("off", "plays", "all")
SPECTATORS = ("fair", "live", "off")
W = None
"""The spectator."""


def played(script: str, undo: str = "plays", spectators: str = "fair", seats: int = 3) -> tuple[Driver, Naive]:
    """Play a script on the hand-built deal; every view is folded and read naively on the way."""
    naive = Naive()
    options = Options(seats=seats, holes=1, undo=undo, spectators=spectators, hole_seconds=0, deals=(BUSY,))
    driver = Driver(options, watchers=[lambda _, entry, __: naive.take(entry)])
    driver.seat_all(seats)
    driver.script(script)
    return driver, naive


# (what happened, who looks, at whose board, how many of the owner's actions are in sight), counted by hand.
# Letters: P play, D draw, U undo, G give up, L leave.
COUNTED = [
    # A seat that plays and has not drawn sees nothing; its own board always.
    ("0:PP", 1, 0, 0),
    ("0:PP", 0, 0, 2),
    ("0:PPDPDP", 1, 0, 0),
    # Up to, and not including, the rival's k-th draw.
    ("0:PPDPDP 1:D", 1, 0, 2),
    ("0:PPDPDP 1:DP", 1, 0, 2),
    ("0:PPDPDP 1:PDPD", 1, 0, 4),
    ("0:DDD 1:D", 1, 0, 0),
    ("0:DDD 1:DD", 1, 0, 1),
    # A rival who has not drawn as often is seen whole, up to its latest play.
    ("0:PPP 1:D", 1, 0, 3),
    ("0:PPDPP 1:DD", 1, 0, 5),
    ("1:DD 0:PPDPP", 1, 0, 5),
    # Undos of plays are actions too.
    ("0:PPUPDP 1:D", 1, 0, 4),
    # Each looks by its own k.
    ("0:PPDPDP 1:DPD 2:D", 2, 0, 2),
    ("0:PPDPDP 1:DPD 2:D", 2, 1, 0),
    ("0:PPDPDP 1:DPD 2:D", 0, 1, 2),
    # An ended seat: the lowest k among the others that still play, the board's owner not counted.
    ("0:PPDPDP 1:DPD 2:DG", 2, 0, 4),
    ("0:PPDPDP 1:DPD 2:DG", 2, 1, 2),
    ("0:PPDPDP 1:DPD 2:DG", 2, 2, 1),
    ("0:PPDPDP 1:PD 2:G", 2, 0, 2),
    ("0:PPDPDP 1:P 2:G", 2, 0, 0),
    # The fair spectator: the same, also of those who have ended.
    ("0:PPDPDP 1:DPD 2:DG", W, 0, 4),
    ("0:PPDPDP 1:DPD 2:DG", W, 1, 2),
    ("0:PPDPDP 1:DPD 2:DG", W, 2, 1),
    ("0:PPDPDP 1:DPD 2:P", W, 0, 0),
    ("0:PPDPDP 1:DPD 2:PD", W, 0, 2),
    ("0:PPDPDP 1:DPD 2:PD", W, 2, 2),
    ("0:D 1:PPDPDG 2:DD", W, 1, 2),
    # Only one plays: its board whole, live, for those who have ended and for spectators.
    ("0:PPDPDP 1:G 2:G", 1, 0, 6),
    ("0:PPDPDP 1:G 2:G", W, 0, 6),
    ("1:G 2:G 0:PPDPDP", 2, 0, 6),
    ("0:PPDPDP 1:L 2:G", 2, 0, 6),
    # The one that still plays sees the ended by its own k.
    ("1:PDPDG 2:G 0:D", 0, 1, 1),
    # What was seen stays seen when one ends with a larger k than those who play on.
    ("0:PPDPDPDP 1:DDDG", 1, 0, 6),
    ("0:PPDPDPDP 1:DDDG 0:PD", 1, 0, 6),
    ("0:PPDPDPDP 1:DDDG 0:PD 2:D", 1, 0, 6),
    ("0:PPDPDPDP 1:DDDG 0:PD 2:DDDD", 1, 0, 9),
    # ... and no more than was seen: what came after it ended goes by those who play on.
    ("1:DDDG 0:PPDP", 1, 0, 0),
    ("0:P 1:DDDG 0:PDP", 1, 0, 1),
]


@pytest.mark.parametrize(
    ("script", "viewer", "owner", "count", "undo"),
    [(*row, undo) for row in COUNTED for undo in ("off", "plays") if undo == "plays" or "U" not in row[0]],
)
def test_counted_by_hand(script: str, viewer: int | None, owner: int, count: int, undo: str) -> None:
    """With undo `off` or `plays` a viewer sees exactly as many of a rival's actions as section 3 says."""
    driver, naive = played(script, undo)
    assert driver.folded[viewer]["boards"][str(owner)] == naive.board(owner, count)
    assert naive.shown[viewer, owner] == count


# With undo `all` every draw may be undone, so that nobody has settled one: k is 0 for whoever still plays.
COUNTED_ALL = [
    ("0:PPDPDP 1:DD", 1, 0, 0),
    ("0:PPDPDP 1:DD", 0, 0, 6),
    ("0:PPDPDP 1:DD 2:G", 2, 0, 0),
    ("0:PPDPDP 1:DD", W, 0, 0),
    ("0:PPDPDP 1:DDG", 1, 0, 0),
    ("0:PPDUDP 1:DDG 2:G", 1, 0, 6),
    ("0:PPDUDP 1:DDG 2:G", W, 0, 6),
    ("0:PDDUG 1:P 2:G", 1, 0, 0),
]


@pytest.mark.parametrize(("script", "viewer", "owner", "count"), COUNTED_ALL)
def test_counted_by_hand_where_draws_are_undone(script: str, viewer: int | None, owner: int, count: int) -> None:
    """With undo `all` a seat's own draws open nothing, for itself or for those who look on."""
    driver, naive = played(script, "all")
    assert driver.folded[viewer]["boards"][str(owner)] == naive.board(owner, count)


@pytest.mark.parametrize("undo", UNDO)
@pytest.mark.parametrize("script", ["0:PPDPDP", "0:PPDP 1:PD", "0:PPDP 1:DG 2:P"])
def test_live_spectators_see_all_that_was_drawn(undo: str, script: str) -> None:
    """In `live` rooms a spectator sees every board whole; a seat that plays or ended sees no more than in others."""
    driver, naive = played(script, undo, "live")
    fair, _ = played(script, undo, "fair")
    for owner in range(3):
        whole = naive.board(owner, len(naive.actions[owner]))
        assert driver.folded[W]["boards"][str(owner)] == whole
    for viewer in range(3):
        assert driver.folded[viewer]["boards"] == fair.folded[viewer]["boards"]


SCRIPTS = [
    "0:PPDPDP 1:PDPD 2:DP",
    "0:PPDPDP 1:PDPDG 2:DP 0:DP",
    "1:DDDPG 0:PPDPDPD 2:D 0:P 2:DD",
    "0:PPDP 1:DPG 2:DG 0:DPD",
    "0:PDPG 1:PL 2:DPDD",
    "2:PPDDD 2:G 0:PD 1:D 0:PPG",
]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize(("undo", "spectators"), list(itertools.product(UNDO, SPECTATORS)))
def test_every_role_in_every_mode(script: str, undo: str, spectators: str) -> None:
    """In every mode owner, playing seat, ended seat and spectator see what a naive reading says."""
    driver, naive = played(script, undo, spectators)
    for viewer, view in driver.folded.items():
        for owner in naive.actions:
            assert view["boards"][str(owner)] == naive.board(owner, naive.shown[viewer, owner]), (viewer, owner)


def test_counts_are_live_past_the_horizon() -> None:
    """Cards left, stock, score and state of a rival are told at once, whatever of its board is hidden."""
    driver, _ = played("0:PPDP")
    view = driver.folded[1]
    assert sum(len(pile) for name, pile in view["boards"]["0"].items() if name.startswith("column")) == 35
    counts = {key: view["seats"]["0"][key] for key in ("cards_left", "stock", "app", "traditional", "state", "ended")}
    assert counts == {
        "cards_left": 32,
        "stock": 15,
        "app": 30,
        "traditional": 32,
        "state": "playing",
        "ended": False,
    }


def test_everything_is_shown_at_the_close() -> None:
    """When the hole closes every viewer sees every board whole, the code and the stock."""
    driver, naive = played("0:PPDPDP 1:P 2:DG 1:G 0:G")
    assert driver.state.phase == "ended"
    for view in driver.folded.values():
        for owner in range(3):
            assert view["boards"][str(owner)] == naive.board(owner, len(naive.actions[owner]))
        assert view["match"]["code"] == BUSY
        assert view["match"]["card"][0]["code"] == BUSY
        assert view["match"]["card"][0]["stock"][:3] == ["5S", "9S", "5H"]


def test_a_sealed_code_shows_at_the_close_and_hides_again() -> None:
    """A drawn deal's code is hidden while its hole is open, shown between holes, and the next one hidden again."""
    driver = Driver(Options(seats=2, holes=2))
    assert driver.folded[0]["match"]["code"] is None
    driver.seat_all(2)
    first = driver.state.code
    assert [view["match"]["code"] for view in driver.folded.values()] == [None] * 3
    driver.script("0:G 1:G")
    assert driver.state.phase == "between"
    assert [view["match"]["code"] for view in driver.folded.values()] == [first] * 3
    driver.must(Next(0, 1), Next(1, 1))
    driver.wait()
    assert driver.state.hole == 2
    assert driver.state.code != first
    assert [view["match"]["code"] for view in driver.folded.values()] == [None] * 3
    assert [closed["code"] for closed in driver.folded[0]["match"]["card"]] == [first]


def test_the_code_shows_from_the_start_alone() -> None:
    """Alone, nobody is there to hide the code from."""
    driver = Driver(Options(seats=1))
    driver.wait()
    assert driver.state.phase == "playing"
    assert driver.folded[0]["match"]["code"] == driver.state.code
    assert driver.folded[0]["match"]["open_deal"] is False


def test_the_code_shows_from_the_start_in_open_deals() -> None:
    """A deal that was typed in shows its code at once and says that it is open; later typed codes stay hidden."""
    later = "GO2-E-AAAAAAC"
    driver = Driver(Options(seats=2, holes=2, deals=(BUSY, later)))
    assert driver.folded[0]["match"]["open_deal"] is True
    driver.seat_all(2)
    for view in driver.folded.values():
        assert view["match"]["code"] == BUSY
        assert later not in str(view)


def test_a_seat_that_left_looks_on_as_a_spectator() -> None:
    """Who gave the seat up sees what spectators see, and is one in its own view."""
    driver, _ = played("0:PPDPDP 1:DD 2:DDP 2:L", spectators="fair")
    left, spectator = snapshot(driver.state, 2), snapshot(driver.state, None)
    assert left["you"] == spectator["you"] == {"role": "spectator", "seat": None}
    assert left["boards"]["0"] == spectator["boards"]["0"]


def test_a_draw_that_ends_the_hole_opens_nothing() -> None:
    """A seat whose last draw leaves it stuck has ended with it: it sees what it saw, and by those who play on."""
    options = Options(seats=3, holes=1, undo="off", hole_seconds=0, deals=(BARREN,))
    naive = Naive()
    driver = Driver(options, watchers=[lambda _, entry, __: naive.take(entry)])
    driver.seat_all(3)
    driver.act(0, "DP" + "D" * 15)
    driver.act(1, "D" * 15)
    assert driver.folded[1]["boards"]["0"] == naive.board(0, 15)
    driver.act(1, "D")
    assert driver.hand(1).ended
    assert driver.folded[1]["boards"]["0"] == naive.board(0, 15)


def test_an_ended_seat_sees_its_own_board_whole() -> None:
    """An ended seat sees its own board as it stands, whoever still plays."""
    driver, naive = played("2:PPDPG")
    assert driver.folded[2]["boards"]["2"] == naive.board(2, 4)
    assert driver.folded[0]["boards"]["2"] == naive.board(2, 0)


def test_what_opens_where_a_seat_has_no_hand() -> None:
    """A draw opens what lies behind it of who plays on; a seat that went before the hole was dealt has nothing to show."""
    options = Options(seats=3, holes=2, hole_seconds=0, deals=(BUSY, BUSY))
    driver = Driver(options)
    driver.seat_all(3)
    driver.script("2:L 0:G 1:G")
    driver.must(Next(0, 1), Next(1, 1))
    driver.wait()
    assert driver.state.seats[2].hand is None
    driver.script("1:PPD 0:D")
    assert len(driver.folded[0]["boards"]["1"]["waste"]) == 3
    assert "2" not in driver.folded[0]["boards"]
