"""The stored form of every entry: read back as it was written, and anything else refused as what it is."""

import json

import pytest

from server.match import entries
from server.match.entries import KINDS, SCHEMA, Body, Result, SchemaTooNew, dump, load
from server.match.on_course import GhostName, OnCourse
from server.match.options import Options
from server.rules.cards import Card
from server.rules.table import Dealt, Moved, PileId, Redealt, Turned

OPTIONS = Options(seats=2, undo="all", holes=1, deals=("GO2-E-AAAAAAB",))
RESULT = Result("stuck", 12, 0, 12, 110, 39, 2)
EVENTS = (
    Moved(PileId("column.3"), PileId("waste"), (Card("9C"),)),
    Dealt((Card("8S"),)),
    Turned(PileId("column.2"), Card("KD")),
    Redealt((Card("AS"), Card("TH"))),
)
# One of every kind, with what its stored form says; a kind that is added must be added here.
STORED: dict[str, tuple[Body, dict[str, object]]] = {
    "created": (
        entries.Created(
            "m" * 26,
            "ABCDEFGH",
            OPTIONS,
            "5e" * 32,
            0,
            ((0, "Ağa", "a" * 64), (2, "Bob", "b" * 64)),
            2,
            OnCourse("c" * 26, 1_790_000_000_000, (GhostName("g" * 26, 1, "Eve"),)),
            ((2, "greedy", "2b" * 16),),
        ),
        {
            "match_id": "m" * 26,
            "host": 0,
            "sealing": 2,
            "seated": [[0, "Ağa", "a" * 64], [2, "Bob", "b" * 64]],
            "course": {"id": "c" * 26, "closes_at": 1_790_000_000_000, "ghosts": [["g" * 26, 1, "Eve"]]},
            "bots": [[2, "greedy", "2b" * 16]],
        },
    ),
    "taken": (entries.SeatTaken(1, "Bob", "b" * 64, 3), {"seat": 1, "name": "Bob", "generation": 3}),
    "bot": (
        entries.BotSeated(1, "Birdie (bot)", "b" * 64, 3, "counting", "2b" * 16),
        {"seat": 1, "name": "Birdie (bot)", "strength": "counting", "token": "2b" * 16},
    ),
    "claimed": (entries.SeatClaimed(1, 4), {"seat": 1, "generation": 4}),
    "left": (entries.SeatLeft(1), {"seat": 1}),
    "kicked": (entries.SeatKicked(2, 0), {"seat": 2, "by": 0}),
    "host": (entries.HostChanged(2), {"seat": 2}),
    "options": (entries.OptionsSet(OPTIONS), {}),
    "ready": (entries.ReadySet(0, True, "0f" * 16), {"seat": 0, "ready": True, "nonce": "0f" * 16}),
    "countdown": (entries.CountdownStarted(1_790_000_000_000), {"starts_at_ms": 1_790_000_000_000}),
    "opened": (entries.HoleOpened(1, "GO2-E-AAAAAAB", 0, 240), {"hole": 1, "code": "GO2-E-AAAAAAB", "seconds": 240}),
    "acted": (
        entries.Acted(0, "play", EVENTS, "stuck", True),
        {
            "events": [
                ["M", "column.3", "waste", "9C"],
                ["D", "8S"],
                ["T", "column.2", "KD"],
                ["R", "AS", "TH"],
            ]
        },
    ),
    "ended": (entries.SeatEnded(1, "gave_up", 0), {"seat": 1, "ending": "gave_up", "by": 0}),
    "closed": (
        entries.HoleClosed(1, 0, {1: RESULT, 0: RESULT}),
        {"results": {"0": ["stuck", 12, 0, 12, 110, 39, 2], "1": ["stuck", 12, 0, 12, 110, 39, 2]}},
    ),
    "best": (
        entries.BestFound(2, -3, (("column.1", "waste", "9C"), ("stock", "waste", "TD"))),
        {"hole": 2, "strokes": -3, "line": [["column.1", "waste", "9C"], ["stock", "waste", "TD"]]},
    ),
    "next": (entries.NextSet(1), {"seat": 1}),
    "time": (entries.TimeGiven(5_000, 1_790_000_005_000), {"ms": 5_000}),
    "over": (entries.MatchEnded(True), {"abandoned": True}),
    "rematch": (entries.RematchNamed("n" * 26, "HGFEDCBA", "7f" * 32), {"room": "HGFEDCBA"}),
    "course_over": (entries.CourseClosed(), {}),
    "spit_dealt": (
        entries.SpitDealt(1, "GO2-E-AAAAAAB", 0, 240),
        {"hole": 1, "code": "GO2-E-AAAAAAB", "opened_at_ms": 0, "seconds": 240},
    ),
    "spit_played": (
        entries.SpitPlayed(1, "column.3", "heap.1", "9C"),
        {"seat": 1, "source": "column.3", "target": "heap.1", "card": "9C"},
    ),
    "spit_turned": (entries.SpitTurned(("9C", "")), {"cards": ["9C", ""]}),
}


def test_every_kind_is_here() -> None:
    """The table below covers all kinds that there are."""
    assert STORED.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", STORED)
def test_an_entry_is_read_as_it_was_written(kind: str) -> None:
    """Dumped and loaded, an entry is the same; its stored form has the kind, the schema and these very values."""
    body, values = STORED[kind]
    plain = json.loads(dump(body))
    assert (plain["k"], plain["x"]) == (kind, SCHEMA)
    assert {name: plain[name] for name in values} == values
    assert load(dump(body)) == body


def test_older_entries_have_the_defaults() -> None:
    """What entries of schema 1 could not say is as it was then: no nonce, no course, deals by the first derivation."""
    assert load(b'{"k":"ready","x":1,"seat":0,"ready":true}') == entries.ReadySet(0, True, "")
    plain = json.loads(dump(STORED["created"][0]))
    del plain["sealing"], plain["course"]
    created = load(json.dumps({**plain, "x": 1}).encode())
    assert isinstance(created, entries.Created)
    assert (created.sealing, created.course) == (1, None)


def test_stored_text_is_utf8_as_it_is() -> None:
    """Names are stored readably."""
    assert "Ağa".encode() in dump(STORED["created"][0])


def test_a_newer_schema_is_not_guessed_about() -> None:
    """An entry of a newer program is refused as such."""
    with pytest.raises(SchemaTooNew):
        load(b'{"k":"left","x":3,"seat":1}')
    with pytest.raises(SchemaTooNew):
        load(b'{"k":"something new","x":99}')


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"[]",
        b"5",
        b"null",
        b'"left"',
        b"{}",
        b'{"k":"left","seat":1}',
        b'{"k":"left","x":"1","seat":1}',
        b'{"k":"unknown","x":1}',
        b'{"k":[],"x":1}',
        b'{"k":null,"x":1}',
        b'{"x":1}',
        b'{"k":"left","x":1}',
        b'{"k":"acted","x":1,"seat":0,"what":"play","events":[["Q"]],"ending":"playing","ended":false}',
        b'{"k":"acted","x":1,"seat":0,"what":"play","events":5,"ending":"playing","ended":false}',
        b'{"k":"closed","x":1,"hole":1,"closed_at_ms":0,"results":{"a":[]}}',
        b'{"k":"closed","x":1,"hole":1,"closed_at_ms":0,"results":{"0":["stuck"]}}',
        b'{"k":"closed","x":1,"hole":1,"closed_at_ms":0,"results":[]}',
        b'{"k":"options","x":1,"options":{"colour":"red"}}',
        b'{"k":"options","x":1,"options":[]}',
    ],
)
def test_what_no_program_of_ours_wrote(payload: bytes) -> None:
    """Anything else is a ValueError, and not a newer schema."""
    with pytest.raises(ValueError) as error:
        load(payload)
    assert not isinstance(error.value, SchemaTooNew)
