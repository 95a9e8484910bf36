"""Tables: events applied, taken back, dumped, and told to a viewer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules.cards import DECK
from server.rules.table import (
    Dealt,
    Event,
    Moved,
    Redealt,
    Table,
    Turned,
    dump_event,
    evolve,
    laid_out,
    load_event,
    steps,
    steps_back,
    take_back,
)

PILES = ("column.1", "column.2", "foundation.S", "waste")

START = Table(
    {
        "column.1": ("4C", "9C"),
        "column.2": ("KD",),
        "foundation.S": (),
        "waste": ("AC", "2D"),
        "stock": ("7H", "8S"),
    },
    {"column.2": 1},
)


@st.composite
def histories(draw: Any) -> tuple[Table, list[Event]]:
    """Give a table with cards face up and down, and events that fit it one after the other."""
    cards = list(draw(st.permutations(DECK))[: draw(st.integers(4, 20))])
    piles: dict[str, tuple[str, ...]] = dict.fromkeys((*PILES, "stock"), ())
    for card in cards:
        name = draw(st.sampled_from([*PILES, "stock"]))
        piles[name] += (card,)
    face_down = {name: hidden for name in PILES[:2] if (hidden := draw(st.integers(0, len(piles[name])))) > 0}
    table = start = Table(piles, face_down)
    events: list[Event] = []
    for _ in range(draw(st.integers(0, 12))):
        possible: list[Event] = []
        for source in PILES:
            pile = table.piles[source]
            hidden = table.face_down.get(source, 0)
            possible += [
                Moved(source, target, pile[place:])
                for place in range(hidden, len(pile))
                for target in PILES
                # A block laid on a face-down card would hide it for good: no game does that.
                if target != source and table.face_down.get(target, 0) < max(1, len(table.piles[target]))
            ]
            if pile and hidden == len(pile):
                possible.append(Turned(source, pile[-1]))
        stock = table.piles["stock"]
        possible += [Dealt(stock[: -count - 1 : -1]) for count in range(1, min(3, len(stock)) + 1)]
        if not stock and table.piles["waste"]:
            possible.append(Redealt(table.piles["waste"]))
        if not possible:
            break
        event = draw(st.sampled_from(possible))
        events.append(event)
        table = evolve(table, [event])
    return start, events


def shown(table: Table) -> dict[str, list[str]]:
    """Give the piles as a viewer sees them: the stock and face-down cards are ?."""
    return {
        name: [
            "?" if name == "stock" or place < table.face_down.get(name, 0) else card
            for place, card in enumerate(cards)
        ]
        for name, cards in table.piles.items()
    }


def test_places_are_piles_of_a_deal() -> None:
    """A table with places lists their cards in order; a move from one is read again as it was written."""
    piles = {f"place.{number}": (card,) for number, card in enumerate(DECK[:28], 1)} | {
        "waste": DECK[28:29],
        "stock": DECK[:28:-1],
    }
    laid = laid_out(Table(piles, {"place.1": 1}))
    assert laid == {
        "columns": [],
        "places": list(DECK[:28]),
        "waste": [DECK[28]],
        "stock": list(DECK[29:]),
        "face_down": {"place.1": 1},
    }
    event = Moved("place.28", "waste", (DECK[27],))
    assert load_event(dump_event(event)) == event
    with pytest.raises(ValueError, match="not a dumped event"):
        load_event(["M", "place.29", "waste", "9C"])


def fold(piles: dict[str, list[str]], told: list[list[str]]) -> None:
    """Follow steps as the client does: take as many cards as are listed, lay the listed ones."""
    for source, target, *cards in told:
        del piles[source][len(piles[source]) - len(cards) :]
        piles[target].extend(cards)


def test_each_event() -> None:
    """Each kind of event does what its name says."""
    moved = evolve(START, [Moved("column.1", "waste", ("9C",))])
    assert moved.piles["column.1"] == ("4C",)
    assert moved.piles["waste"] == ("AC", "2D", "9C")
    drawn = evolve(START, [Dealt(("8S", "7H"))])
    assert drawn.piles["waste"] == ("AC", "2D", "8S", "7H")
    assert drawn.piles["stock"] == ()
    turned = evolve(START, [Turned("column.2", "KD")])
    assert turned.face_down == {}
    again = evolve(drawn, [Redealt(("AC", "2D", "8S", "7H"))])
    assert again.piles["stock"] == ("7H", "8S", "2D", "AC")
    assert again.piles["waste"] == ()


def test_a_turn_leaves_deeper_cards_face_down() -> None:
    """Turning a pile's last card leaves those beneath it face down."""
    table = Table({"column.1": ("4C", "9C", "KD")}, {"column.1": 3})
    turned = evolve(table, [Turned("column.1", "KD")])
    assert turned.face_down == {"column.1": 2}
    assert take_back(turned, [Turned("column.1", "KD")]) == table


@pytest.mark.parametrize(
    "event",
    [
        Moved("column.1", "waste", ("4C",)),
        Moved("column.1", "waste", ("KH", "4C", "9C")),
        Dealt(("7H",)),
        Turned("column.1", "9C"),
        Turned("column.2", "KH"),
        Turned("foundation.S", "KD"),
        Redealt(("AC", "2D")),
        Redealt(("2D", "AC")),
    ],
)
def test_an_event_that_does_not_fit(event: Event) -> None:
    """An event that the table contradicts raises, and the table stays as it was."""
    before = shown(START)
    with pytest.raises(ValueError, match=r"does not end|cannot be turned"):
        evolve(START, [event])
    assert shown(START) == before


@pytest.mark.parametrize(
    "event",
    [Moved("column.1", "waste", ("4C",)), Dealt(("AC",)), Turned("column.2", "KD"), Redealt(("8S", "7H"))],
)
def test_an_event_that_cannot_be_taken_back(event: Event) -> None:
    """Taking back what did not just happen raises."""
    with pytest.raises(ValueError, match=r"does not end|cannot be turned"):
        take_back(START, [event])


@given(histories())
def test_taking_back_is_the_exact_inverse(history: tuple[Table, list[Event]]) -> None:
    """All events at once equal one by one, and taking them back gives the table of before."""
    start, events = history
    table = start
    for event in events:
        table = evolve(table, [event])
    assert evolve(start, events) == table
    assert take_back(table, events) == start


@given(histories())
def test_a_dumped_event_loads_as_itself(history: tuple[Table, list[Event]]) -> None:
    """Dump then load is the identity."""
    for event in history[1]:
        assert load_event(dump_event(event)) == event


@given(histories())
def test_steps_fold_to_what_a_viewer_sees(history: tuple[Table, list[Event]]) -> None:
    """A viewer who only follows steps has the table's piles, forward and back, face-down cards as ?."""
    table, events = history
    piles = shown(table)
    tables = [table]
    for event in events:
        tables.append(evolve(tables[-1], [event]))
        fold(piles, steps(event))
        assert piles == shown(tables[-1])
    for event in reversed(events):
        tables.pop()
        fold(piles, steps_back(event))
        assert piles == shown(tables[-1])


def test_dumped_forms() -> None:
    """The dumped forms are those of stored streams, which never change."""
    assert dump_event(Moved("column.3", "waste", ("9C",))) == ["M", "column.3", "waste", "9C"]
    assert dump_event(Dealt(("8S", "7H"))) == ["D", "8S", "7H"]
    assert dump_event(Turned("column.3", "KD")) == ["T", "column.3", "KD"]
    assert dump_event(Redealt(("AC", "2D"))) == ["R", "AC", "2D"]


def test_told_forms() -> None:
    """The forms of steps are the wire's."""
    assert steps(Moved("column.3", "waste", ("9C",))) == [["column.3", "waste", "9C"]]
    assert steps(Dealt(("8S",))) == [["stock", "waste", "8S"]]
    assert steps(Turned("column.3", "KD")) == [["column.3", "column.3", "KD"]]
    assert steps(Redealt(("AC", "2D"))) == [["waste", "stock", "?", "?"]]
    assert steps_back(Moved("column.3", "waste", ("9C",))) == [["waste", "column.3", "9C"]]
    assert steps_back(Dealt(("8S",))) == [["waste", "stock", "?"]]
    assert steps_back(Turned("column.3", "KD")) == [["column.3", "column.3", "?"]]
    assert steps_back(Redealt(("AC", "2D"))) == [["stock", "waste", "AC", "2D"]]


@pytest.mark.parametrize(
    "dumped",
    [
        None,
        {},
        "M",
        [],
        ["X", "9C"],
        ["M"],
        ["M", "column.3", "waste"],
        ["M", "column.3", "waste", "10C"],
        ["M", "column.3", "waste", 9],
        ["M", "column.99", "waste", "9C"],
        ["M", "column.3", "nowhere", "9C"],
        ["M", ["column.3"], "waste", "9C"],
        ["D"],
        ["D", "?"],
        ["D", ["8S"]],
        ["T", "column.3"],
        ["T", "nowhere", "KD"],
        ["T", "column.3", "KD", "9C"],
        ["R"],
    ],
)
def test_what_is_no_dumped_event(dumped: object) -> None:
    """Everything else raises ValueError."""
    with pytest.raises(ValueError, match="dumped event"):
        load_event(dumped)
