"""An audience: each viewer hears what is its own to hear, whatever was built for the others."""

import random
from dataclasses import replace
from typing import Any, cast

import pytest
from pydantic_core import from_json

from server.match.commands import DrawCard, Join, Next, PlayCard, Ready
from server.match.entries import Acted, Entry
from server.match.options import Options
from server.match.quiet import Quiet
from server.match.telling import tell
from server.protocol import server as say
from server.rules.table import Draw
from server.runtime.audience import Audience
from server.runtime.outbox import Outbox
from server.runtime.session import Session
from tests.match.driver import Driver


class Box:
    """An outbox that keeps what was pushed."""

    def __init__(self) -> None:
        self.pushed: list[bytes] = []

    def push(self, payload: bytes, framed: bytes | None = None) -> None:
        """Keep it."""
        self.pushed.append(payload)


@pytest.mark.interpreted
def test_each_hears_its_own() -> None:
    """Through two holes of eight seats every frame is what `tell` gives that viewer, openings included."""
    driver, audience, luck = Driver(Options(seats=8, holes=2, hole_seconds=60)), Audience(), random.Random(7)
    driver.must(*(Join(f"P{number}", f"{number:064x}") for number in range(1, 8)))
    boxes: dict[int | None, Box] = {}
    for seat in (*range(8), None):
        boxes[seat] = Box()
        session = Session(f"s{seat}", "", cast(Outbox, boxes[seat]), lambda code: None)
        session.seat = seat
        audience.add(session)
    state = driver.state

    def compare(driver: Driver, entry: Entry, told: Any) -> None:
        nonlocal state
        before, state = state, driver.state
        audience.tell(before, entry, state)
        for seat, box in boxes.items():
            mine = entry.seq if entry.seat == seat and entry.seq else None
            patch = say.encode(tell(before, entry, state, seat))[1:-1].decode()
            expected = say.entry(entry.version, patch, mine)
            assert from_json(box.pushed.pop()) == from_json(expected), (seat, entry.version)

    driver.watchers.append(compare)
    driver.must(*(Ready(seat, True) for seat in range(8)))
    while driver.state.phase != "ended":
        driver.wait(1_000)
        for number, seat in driver.state.seats.items():
            hand = seat.hand
            if driver.state.phase == "between" and not seat.next:
                driver.do(Next(number, driver.state.hole))
            if driver.state.phase != "playing" or hand is None or hand.ended_version:
                continue
            moves = driver.state.game.moves(hand.board.table, driver.state.rules)
            if not moves:
                continue
            move = luck.choice(moves)
            if isinstance(move, Draw):
                driver.do(DrawCard(number, hand.counts.stock))
            else:
                driver.do(PlayCard(number, move.source, move.target, hand.board.table.piles[move.source][-1]))


@pytest.mark.interpreted
def test_a_view_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many look on, each distinct frame of a move is encoded once, and all who hear it hear the same bytes."""
    encoded, looked = 0, 0
    encode, watch = say.entry, Quiet._opened_to_watchers

    def counted(version: int, patch: str, seq: int | None = None) -> bytes:
        nonlocal encoded
        encoded += 1
        return encode(version, patch, seq)

    def watched(quiet: Quiet, viewer: int | None) -> Any:
        nonlocal looked
        looked += viewer is None
        return watch(quiet, viewer)

    monkeypatch.setattr(say, "entry", counted)
    monkeypatch.setattr(Quiet, "_opened_to_watchers", watched)
    driver, audience, boxes = Driver(Options(seats=4, holes=1)), Audience(), []
    driver.seat_all(4)
    for seat in (*range(4), *[None] * 100):
        box = Box()
        session = Session("s", "", cast(Outbox, box), lambda code: None)
        session.seat = seat
        audience.add(session)
        boxes.append(box)
    luck, moves, most = random.Random(3), 0, 0
    while moves < 60 and driver.state.phase == "playing":
        before = driver.state
        seat = luck.choice(before.playing())
        hand = driver.hand(seat)
        options = before.game.moves(hand.board.table, before.rules)
        if not options:
            break
        move = luck.choice(options)
        if isinstance(move, Draw):
            driver.must(DrawCard(seat, hand.counts.stock))
        else:
            driver.must(PlayCard(seat, move.source, move.target, hand.board.table.piles[move.source][-1]))
        entry = driver.entries[-1]
        if not isinstance(entry.body, Acted) or entry.body.ended:
            break
        encoded = looked = 0
        audience.tell(before, replace(entry, seq=1), driver.state)
        told = [box.pushed.pop() for box in boxes]
        assert encoded == len(set(told)) == len({id(payload) for payload in told})
        assert looked == 1
        moves, most = moves + 1, max(most, encoded)
    assert moves > 30
    assert most == 4  # the mover, who may see it, who may not, who only looks on: never more for a hundred spectators
