"""What the server says: every builder's frame and every frame of driven matches has one of the listed shapes."""

import ast
import inspect
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from server.match.entries import Entry
from server.match.options import Options
from server.match.view import best_view, snapshot
from server.protocol import course_frames
from server.protocol import server as say
from server.protocol.client import PROTOCOL, REACTIONS
from server.protocol.server import FRAMES, encode
from server.protocol.words import ERRORS, REFUSALS, words_of
from tests.match.driver import START_MS, Driver
from tests.match.wild import wild_match


def view() -> dict[str, Any]:
    """Return a seat's whole view, as the server completes it."""
    driver = Driver(Options())
    whole = snapshot(driver.state, 0)
    whole["you"]["next_seq"] = 1
    return whole


def best() -> dict[str, Any]:
    """Return a hole to be stepped through."""
    driver = Driver(Options(seats=2))
    driver.seat_all(2)
    driver.script("0:DG 1:G")
    driver.solve()
    shown = best_view(driver.state)
    assert shown is not None
    return shown


ROOM = {
    "room": "ABCDEFGH",
    "host": "Ada",
    "game": "golf",
    "rule": "S1",
    "variant": {
        "queen_on_king": False,
        "king_ace_joined": False,
        "draw_only_when_stuck": True,
        "jokers": 1,
        "empty_start": False,
    },
    "holes": 9,
    "seats": 4,
    "taken": 1,
    "scoring": "traditional",
    "format": "match",
    "sudden_death": True,
    "winnable": False,
}
ROW = {
    "place": 1,
    "name": "Ada",
    "match": None,
    "to_beat": True,
    "ended_at": START_MS,
    "totals": {"thru": 1, "traditional": 5, "app": 150, "to_par": 0},
    "over_best": None,
    "results": [{"how": "stuck", "cards_left": 5, "stock": 0}],
    "percentiles": [None],
}
COURSE = {
    "id": "c" * 26,
    "kind": "beat",
    "title": "Ada",
    "state": "open",
    "opens_at": START_MS,
    "closes_at": START_MS + 1,
    "options": {"holes": 1},
    "par": 5,
    "open_deal": True,
    "commitment": "9f" * 32,
    "secret": None,
    "codes": None,
    "best": None,
    "source": None,
    "roster": [{"name": "Ada", "taken": True}],
}
TABLE = {"page": 1, "pages": 1, "rounds": 1, "rows": [ROW]}
GHOST = {
    "name": "Eve",
    "state": "playing",
    "ended": False,
    "cards_left": 35,
    "stock": 16,
    "app": 0,
    "traditional": 35,
    "totals": {"thru": 0, "traditional": 0, "app": 0, "to_par": 0},
    "results": [],
    "board": {"waste": ["7C"]},
}


def entry_frame(version: int, patch: dict[str, Any], seq: int | None = None) -> say.Frame:
    """Give the frame of an entry as a page reads it."""
    frame: say.Frame = json.loads(say.entry(version, encode(patch)[1:-1].decode(), seq))
    return frame


FRAMES_MADE: dict[str, list[say.Frame]] = {
    "welcome": [say.welcome("w1-ab12", START_MS)],
    "snapshot": [say.snapshot(1, START_MS, view())],
    "entry": [
        entry_frame(2, {}),
        entry_frame(2, {"you": {"moves": []}}, 5),
        entry_frame(2, {"seats": {"1": None}, "card": [], "moved": {"0": [["stock", "waste", "?"]]}}),
    ],
    "ack": [say.ack(12, 57)],
    "refused": [say.refused(12, "stale"), say.refused(12, "blocked", {"card": "6D"})],
    "error": [say.error("bad_json"), say.error("bad_field", "The field 'n' is missing.", {"field": "n"})],
    "pong": [say.pong(1, START_MS)],
    "best": [say.best(best())],
    "lobby": [say.lobby([]), say.lobby([ROOM])],
    "waiting": [say.waiting(3, 1_790_000_000_000)],
    "matched": [say.matched("abcdefghijklmnopqrstuvwx23", "ABCDEFGH")],
    "presence": [say.presence({0: None, 1: START_MS}, 2)],
    "reaction": [say.reaction(3, said) for said in REACTIONS],
    "replaced": [say.replaced()],
    "status": [say.status(state) for state in ("draining", "engine_away", "ok")],
    "gone": [say.gone()],
    "course": [
        course_frames.course(COURSE, TABLE, {"state": "new", "organiser": False, "row": None}, START_MS),
        course_frames.course(COURSE, TABLE, {"state": None, "organiser": True, "row": ROW}, START_MS),
    ],
    "days": [course_frames.days([]), course_frames.days([{"day": "2026-11-29", "course": "c" * 26, "rounds": 3}])],
    "ghosts": [course_frames.ghosts(1, []), course_frames.ghosts(2, [GHOST])],
}


def test_every_builder_is_here() -> None:
    """The table below has all functions that make a frame."""
    made = {
        name
        for module in (say, course_frames)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and function.__annotations__["return"] is say.Frame
    }
    assert made | {"entry"} == FRAMES_MADE.keys()


@pytest.mark.parametrize("frame", [frame for frames in FRAMES_MADE.values() for frame in frames])
def test_every_built_frame_has_its_shape(frame: say.Frame) -> None:
    """What a builder makes is listed, encodes to UTF-8 JSON and comes back the same."""
    FRAMES.validate_python(frame)
    assert json.loads(encode(frame).decode()) == frame


def test_what_frames_say() -> None:
    """Fields stand where the page looks for them."""
    assert say.welcome("w", 5) == {"t": "welcome", "protocol": PROTOCOL, "worker": "w", "now": 5}
    assert say.entry(3, '"you":{}', 9) == b'{"t":"e","v":3,"seq":9,"you":{}}'
    assert say.entry(3, '"you":{}') == b'{"t":"e","v":3,"you":{}}'
    assert say.entry(3, "") == b'{"t":"e","v":3}'
    assert say.refused(4, "stale") == {
        "t": "refused",
        "seq": 4,
        "code": "stale",
        "words": REFUSALS["stale"],
        "params": {},
    }
    assert say.error("binary")["words"] == ERRORS["binary"]
    assert say.error("bad_json", "Other words.")["words"] == "Other words."
    assert say.presence({0: None, 3: 7}, 1)["seats"] == {"0": None, "3": 7}
    assert encode({"t": "x", "name": "Ağa"}) == '{"t":"x","name":"Ağa"}'.encode()


def test_the_shape_of_an_entry_keeps_the_patch_apart() -> None:
    """A patch has no field of the frame's own: it could not overwrite the version or the type."""
    own = {"t", "v", "seq"}
    assert say.EntryFrame.model_fields.keys() - own == {"match", "card", "seats", "boards", "moved", "you"}


@pytest.mark.parametrize(
    "frame",
    [
        {},
        {"t": "nothing"},
        {"t": "ack", "seq": 1},
        {"t": "ack", "seq": 1, "v": 2, "w": 3},
        {"t": "ack", "seq": "1", "v": 2},
        {"t": "status", "state": "fine"},
        {"t": "snapshot", "v": 1, "now": 1, "view": {"match": {}, "seats": {}, "boards": {}}},
        {"t": "e", "v": 1, "moved": {"0": [[1]]}},
        {"t": "e", "v": 1, "secret": "x"},
    ],
)
def test_shapes_are_closed(frame: say.Frame) -> None:
    """A missing, unknown or wrong field does not pass."""
    with pytest.raises(ValidationError):
        FRAMES.validate_python(frame)


class Shapes:
    """Holds every frame that a match gives rise to against the shapes."""

    def __init__(self) -> None:
        self.frames = 0

    def __call__(self, driver: Driver, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        """Check one entry's frames, and the snapshots after it."""
        frames = [entry_frame(entry.version, patch, entry.seq or None) for patch in told.values()]
        for viewer in driver.folded:
            whole = snapshot(driver.state, viewer)
            if viewer is not None:
                whole["you"]["next_seq"] = 1
            frames.append(say.snapshot(entry.version, driver.now_ms, whole))
        for frame in frames:
            FRAMES.validate_python(frame)
            FRAMES.validate_json(encode(frame))
        self.frames += len(frames)


@settings(max_examples=settings().max_examples // 3)
@given(st.integers(0, 2**64))
def test_every_frame_of_a_match_has_its_shape(seed: int) -> None:
    """Snapshots and entries of matches in which anything happens are listed shapes, before and after encoding."""
    shapes = Shapes()
    wild_match(seed, shapes, steps=80)
    assert shapes.frames


VIEW_KEYS = {
    "match": {
        "id",
        "quick",
        "room",
        "options",
        "phase",
        "hole",
        "host",
        "starts_at",
        "opened_at",
        "deadline",
        "code",
        "game",
        "rule",
        "variant",
        "open_deal",
        "commitment",
        "nonces",
        "abandoned",
        "next",
        "par",
        "best",
        "spit",
        "standing",
        "card",
    },
    "seat": {
        "bot",
        "name",
        "ready",
        "next",
        "totals",
        "nines",
        "place",
        "state",
        "ended",
        "cards_left",
        "stock",
        "app",
        "traditional",
        "ended_at",
    },
    "you": {"role", "seat", "generation", "moves", "undo", "done", "move_count", "undo_count"},
}


def test_the_view_has_these_fields() -> None:
    """The fields that the wire's description names, no fewer and no more, at the start and in the end."""
    driver = Driver(Options(holes=1, hole_seconds=0))
    driver.seat_all(2)
    driver.play_hole(Random(3))
    for state in (driver.state, Driver(Options()).state):
        whole = snapshot(state, 0)
        assert whole.keys() == {"match", "seats", "boards", "you"}
        assert whole["match"].keys() == VIEW_KEYS["match"]
        assert whole["you"].keys() == VIEW_KEYS["you"]
        assert all(seat.keys() == VIEW_KEYS["seat"] for seat in whole["seats"].values())


# -- words


def test_words() -> None:
    """Every code has its words; a code that is unknown stands for itself."""
    for code, words in (REFUSALS | ERRORS).items():
        assert words_of(code) == words
        assert words[0].isupper()
        assert words.endswith(".")
    assert words_of("something_new") == "something_new"
    assert not REFUSALS.keys() & ERRORS.keys()


GIVERS = {"Refusal", "ProtocolError", "error_of", "error", "refused", "CardsError", "CodeError", "fail", "_foreign"}
"""What a code is handed to on its way to a client."""


def codes_given() -> set[str]:
    """Return every text in the source that is handed on as a code."""
    codes: set[str] = set()
    root = inspect.getfile(say).rsplit("/protocol/", 1)[0]
    for path in sorted(path for path in Path(root).rglob("*.py") if path.parent.name != "store"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                place = 1 if name in ("CodeError", "refused") else 0
                if name in GIVERS and len(node.args) > place:
                    branches = ast.walk(node.args[place]) if isinstance(node.args[place], ast.IfExp) else ()
                    texts = [node.args[place], *(leaf for leaf in branches if isinstance(leaf, ast.Constant))]
                    codes |= {leaf.value for leaf in texts if isinstance(leaf, ast.Constant)}
    return {code for code in codes if isinstance(code, str) and code.isidentifier() and code == code.lower()}


def test_every_code_that_is_given_has_words() -> None:
    """No code leaves the server, from whichever layer, that is not in the list of words."""
    given_codes = codes_given()
    assert {"not_adjacent", "bad_json", "card_twice", "foreign_code", "no_such_room", "hole_over"} <= given_codes
    assert given_codes - (REFUSALS | ERRORS).keys() == set()
