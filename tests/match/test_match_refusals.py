"""Every refusal of `decide` by its code, from the situation that the rules name; and that nothing else is refused."""

import ast
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import server.match.decide
import server.rules.base
import server.rules.column_golf
from server.match.commands import (
    AddBot,
    CloseSeat,
    Command,
    Done,
    DrawCard,
    GiveUp,
    Join,
    Kick,
    Next,
    PlayCard,
    Ready,
    Rematch,
    SetOptions,
    Start,
    Undo,
)
from server.match.decide import World, decide
from server.match.options import Options
from server.rules.base import Refusal
from server.rules.games import GAMES
from tests.match.decks import BARREN, BUSY, LAST_PLAY, clearable
from tests.match.driver import Driver


def room(people: int = 2, **options: object) -> Driver:
    """Give a lobby."""
    driver = Driver(Options(**{"holes": 1, **options}))
    driver.join_all(people)
    return driver


def at(script: str = "", deal: str = BUSY, seats: int = 2, **options: object) -> Driver:
    """Give a match on a hand-built deal after a script."""
    options = {"holes": 1, "hole_seconds": 0, "deals": (deal,), **options}
    driver = Driver(Options(**options))
    driver.seat_all(seats)
    driver.script(script)
    return driver


def offline(driver: Driver, seat: int, ms: int) -> Driver:
    """Let a seat have been away for so long."""
    driver.world = World({seat: driver.now_ms - ms})
    return driver


def with_a_bot() -> Driver:
    """Give a lobby with a house player in it."""
    driver = room(1)
    driver.must(AddBot(0, "counting", "b" * 32, "b" * 64))
    return driver


def kicked() -> Driver:
    """Give a lobby out of which Player 1 was put."""
    driver = room()
    driver.must(Kick(0, 1))
    return driver


def between() -> Driver:
    """Give a match between two holes."""
    driver = at("0:G 1:G", deals=(BUSY, BUSY), holes=2)
    assert driver.state.phase == "between"
    return driver


def worn_out() -> Driver:
    """Give a seat that has done as much as a hole allows."""
    driver = at(undo="all")
    driver.check = False
    for _ in range(GAMES["golf"].most_actions // 2):
        driver.act(0, "DU")
    return driver


def over(*more: Command) -> Driver:
    """Give a match that is over."""
    driver = at("0:G 1:G")
    driver.must(*more)
    return driver


REMATCH = Rematch(0, "n" * 26, "HGFEDCBA", "7f" * 32)
STRICT = clearable("S")

# code: situations and commands that are refused with it.
TABLE: list[tuple[str, Callable[[], Driver], Command]] = [
    # moves
    ("not_adjacent", at, PlayCard(0, "column.7", "waste", "KH")),
    ("not_adjacent", lambda: at("0:P"), PlayCard(0, "column.2", "waste", "8C")),
    ("blocked", at, PlayCard(0, "column.1", "waste", "6D")),
    ("bad_target", at, PlayCard(0, "column.1", "column.2", "6C")),
    ("bad_target", at, PlayCard(0, "waste", "column.2", "7C")),
    ("bad_target", at, PlayCard(0, "column.1", "nowhere", "6C")),
    ("stale", at, PlayCard(0, "column.2", "waste", "6C")),
    ("stale", at, PlayCard(0, "nowhere", "waste", "6C")),
    ("stale", at, PlayCard(0, "stock", "waste", "5S")),
    ("stale", at, PlayCard(0, "column.1", "waste", "??")),
    ("stale", lambda: at("0:P"), PlayCard(0, "column.1", "waste", "6C")),
    ("stale", lambda: at("0:D"), DrawCard(0, 16)),
    ("stale", at, DrawCard(0, 15)),
    ("play_exists", lambda: at(deal=STRICT), DrawCard(0, 16)),
    ("first_play", lambda: at(deal="GO2-EV-AAAAAAB"), DrawCard(0, 17)),
    ("stock_empty", lambda: at("0:" + "D" * 16, LAST_PLAY), DrawCard(0, 0)),
    ("undo_off", lambda: at("0:P", undo="off"), Undo(0, 1, 0)),
    ("nothing_to_undo", lambda: at(undo="all"), Undo(0, 0, 0)),
    ("nothing_to_undo", lambda: at("0:PU"), Undo(0, 1, 1)),
    ("undo_past_draw", lambda: at("0:PD"), Undo(0, 2, 0)),
    ("stale", lambda: at("0:PP"), Undo(0, 1, 0)),
    ("stale", lambda: at("0:PPU"), Undo(0, 2, 0)),
    ("too_many_moves", worn_out, DrawCard(0, 16)),
    ("too_many_moves", worn_out, Undo(0, 300, 300)),
    # the end of a hole
    ("hole_over", lambda: at("0:G"), DrawCard(0, 16)),
    ("hole_over", lambda: at("0:G"), GiveUp(0, 1)),
    ("hole_over", lambda: at("0:" + "P" * 35, clearable(), undo="all"), Undo(0, 35, 0)),
    ("hole_over", lambda: at("0:" + "D" * 16, BARREN), Done(0, 1)),
    ("not_stuck", at, Done(0, 1)),
    ("not_stuck", lambda: at("0:" + "D" * 15, BARREN), Done(0, 1)),
    ("not_stuck", lambda: at("0:" + "D" * 16, LAST_PLAY), Done(0, 1)),
    ("stale", at, GiveUp(0, 2)),
    ("stale", at, Done(0, 2)),
    ("stale", lambda: offline(at(), 1, 60_000), CloseSeat(0, 1, 2)),
    ("seat_online", at, CloseSeat(0, 1, 1)),
    ("seat_online", lambda: offline(at(), 1, 59_999), CloseSeat(0, 1, 1)),
    ("no_such_seat", at, CloseSeat(0, 0, 1)),
    ("no_such_seat", at, CloseSeat(0, 5, 1)),
    ("no_such_seat", lambda: at("1:L", seats=3), CloseSeat(0, 1, 1)),
    ("hole_over", lambda: offline(at("1:G"), 1, 60_000), CloseSeat(0, 1, 1)),
    # whose seat
    ("not_your_seat", at, DrawCard(4, 16)),
    ("not_your_seat", lambda: at("1:L"), DrawCard(1, 16)),
    ("not_your_seat", lambda: at("1:L"), Ready(1, True)),
    # the room
    ("kicked", kicked, Join("Player 1", f"{1:064x}")),
    ("room_full", lambda: room(2, seats=2), Join("Late", "f" * 64)),
    ("not_open", at, Join("Late", "f" * 64)),
    ("stale", room, Join("Player 1", f"{1:064x}")),
    ("not_host", room, Kick(1, 0)),
    ("not_host", room, Start(1)),
    ("not_host", room, SetOptions(1, Options())),
    ("bad_options", lambda: Driver(Options(holes=1), sealing=1), SetOptions(0, Options(winnable=True))),
    ("not_host", room, AddBot(1, "greedy", "b" * 32, "b" * 64)),
    ("started", at, AddBot(0, "greedy", "b" * 32, "b" * 64)),
    ("room_full", lambda: room(2, seats=2), AddBot(0, "greedy", "b" * 32, "b" * 64)),
    (
        "bots_off",
        lambda: room(1, mode="spit", format="match", seats=2, holes=3),
        AddBot(0, "greedy", "t" * 32, "b" * 64),
    ),
    ("bot_strength", lambda: room(1, game="canfield", rule="draw_three"), AddBot(0, "counting", "b" * 32, "b" * 64)),
    ("bot_strength", with_a_bot, SetOptions(0, Options(game="canfield", rule="draw_three"))),
    ("no_such_seat", room, Kick(0, 0)),
    ("no_such_seat", room, Kick(0, 3)),
    ("seat_online", at, Kick(0, 1)),
    ("seat_online", lambda: offline(at(), 1, 59_999), Kick(0, 1)),
    ("stale", room, Ready(0, False)),
    ("not_ready", room, Start(0)),
    ("too_few", lambda: room(1, seats=2, format="match"), Start(0)),
    ("seats_taken", lambda: room(3), SetOptions(0, Options(seats=2))),
    ("not_open", at, Ready(0, False)),
    ("not_open", at, Start(0)),
    ("not_open", at, SetOptions(0, Options())),
    ("not_open", room, DrawCard(0, 16)),
    ("not_open", room, PlayCard(0, "column.1", "waste", "6C")),
    ("not_open", room, Undo(0, 0, 0)),
    ("not_open", room, GiveUp(0, 1)),
    ("not_open", room, Done(0, 1)),
    ("not_open", room, CloseSeat(0, 1, 1)),
    ("not_open", between, DrawCard(0, 16)),
    ("not_open", at, Next(0, 1)),
    ("stale", between, Next(0, 2)),
    ("not_open", at, REMATCH),
    ("not_open", between, REMATCH),
    ("stale", lambda: over(REMATCH), REMATCH),
    ("not_open", over, DrawCard(0, 16)),
    ("not_open", over, Next(0, 1)),
]


@pytest.mark.parametrize(("code", "situation", "command"), TABLE)
def test_refusals(code: str, situation: Callable[[], Driver], command: Command) -> None:
    """What may not happen is refused with the code that says why, and changes nothing."""
    driver = situation()
    before = repr(driver.state)
    refusal = decide(driver.state, command, driver.now_ms, driver.world)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert repr(driver.state) == before


def test_next_said_twice_is_stale() -> None:
    """A seat says next once a hole."""
    driver = between()
    driver.must(Next(0, 1))
    assert driver.refused(Next(0, 1)) == "stale"


def test_start_during_the_countdown_is_not_open() -> None:
    """A second start changes nothing."""
    driver = room()
    driver.must(Ready(1, True), Start(0))
    assert driver.refused(Start(0)) == "not_open"


def test_a_refusal_names_what_its_words_need() -> None:
    """The cards in question, or the number of moves that is allowed."""
    driver = at()
    wrong = decide(driver.state, PlayCard(0, "column.7", "waste", "KH"), driver.now_ms, driver.world)
    assert wrong == Refusal("not_adjacent", {"card": "KH", "waste": "7C"})
    covered = decide(driver.state, PlayCard(0, "column.1", "waste", "6D"), driver.now_ms, driver.world)
    assert covered == Refusal("blocked", {"card": "6D"})
    worn = worn_out()
    assert decide(worn.state, worn.draw(0), worn.now_ms, worn.world) == Refusal("too_many_moves", {"most": 600})


def refusals_in(module: ModuleType) -> set[str]:
    """Return the codes of all refusals that a module's source can make; it lies beside a compiled module too."""
    source = Path(str(module.__file__)).with_name(f"{module.__name__.rpartition('.')[2]}.py")
    tree = ast.parse(source.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Refusal"]
    # A function that only says why gives the bare code.
    why = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("_why")]
    said = [node.value for one in why for node in ast.walk(one) if isinstance(node, ast.Return) and node.value]
    words = [node for part in (*(call.args[0] for call in made), *said) for node in ast.walk(part)]
    return {node.value for node in words if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_the_table_has_every_code() -> None:
    """Each code that the match and the rules can refuse with has its situation above."""
    codes = set.union(*(refusals_in(m) for m in (server.match.decide, server.rules.base, server.rules.column_golf)))
    assert codes == {code for code, _, _ in TABLE}
    assert len(codes) >= 20
