"""A match without a server: commands in, entries out, every viewer's view folded from what it was told."""

import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server.match import view as views
from server.match.commands import Command, Done, DrawCard, GiveUp, Join, Next, PlayCard, Ready, Undo
from server.match.decide import World, decide
from server.match.due import due
from server.match.entries import Acted, Body, Created, Entry, dump, load
from server.match.evolve import evolve
from server.match.options import Options
from server.match.patch import fold
from server.match.state import Match
from server.rules.base import Refusal
from server.rules.table import Draw

SECRET = "5e" * 32
START_MS = 1_790_000_000_000


@dataclass
class Driver:
    """Applies entries as a worker would, and keeps a folded view for every seat and a spectator."""

    options: Options = field(default_factory=Options)
    now_ms: int = START_MS
    world: World = field(default_factory=World)
    secret: str = SECRET
    entries: list[Entry] = field(default_factory=list)
    state: Match = field(init=False)
    folded: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    heard: dict[int | None, list[dict[str, Any]]] = field(default_factory=dict)
    check: bool = True

    def __post_init__(self) -> None:
        created = Created("m" * 26, "ABCDEFGH", self.options, self.secret, 0, ((0, "Ada", "a" * 64),))
        entry = Entry(1, self.now_ms, created)
        self.entries.append(entry)
        self.state = evolve(None, entry)
        self._settle_viewers()

    def _settle_viewers(self) -> None:
        viewers = {None, *self.state.here()}
        for viewer in viewers - self.folded.keys():
            self.folded[viewer] = copy.deepcopy(views.snapshot(self.state, viewer))
        for viewer in self.folded.keys() - viewers:
            del self.folded[viewer]

    def apply(self, body: Body, seat: int = -1) -> None:
        """Store an entry (through its stored form), apply it, tell everybody."""
        self.now_ms += 1
        body = load(dump(body))
        entry = Entry(self.state.version + 1, self.now_ms, body, seat, 1 if seat >= 0 else 0, self.state.version)
        before, self.state = self.state, evolve(self.state, entry)
        self.entries.append(entry)
        telling = views.Telling(before, entry, self.state)
        for viewer in list(self.folded):
            if viewer is not None and viewer not in self.state.here():
                continue
            patch = copy.deepcopy(telling.to(viewer))
            self.heard.setdefault(viewer, []).append(patch)
            fold(self.folded[viewer], copy.deepcopy(patch))
        self._settle_viewers()
        if self.check:
            for viewer, view in self.folded.items():
                assert view == views.snapshot(self.state, viewer), (viewer, body)

    def do(self, command: Command) -> Refusal | None:
        """Decide and, if it may happen, apply; a refusal must change nothing."""
        judged = decide(self.state, command, self.now_ms, self.world)
        if isinstance(judged, Refusal):
            return judged
        self.apply(judged, getattr(command, "seat", -1))
        return None

    def must(self, command: Command) -> None:
        """Do what may not be refused."""
        refusal = self.do(command)
        assert refusal is None, refusal

    def wait(self, ms: int = 0) -> None:
        """Let time pass and all that falls due happen."""
        self.now_ms += ms
        while (body := due(self.state, self.world, self.now_ms)) is not None:
            self.apply(body)

    def seat_all(self, number: int) -> None:
        """Fill the seats and start the match."""
        for seat in range(1, number):
            self.must(Join(f"Player {seat}", f"{seat:064x}"))
        for seat in range(number):
            if not self.state.seats[seat].ready:
                self.must(Ready(seat, True))
        self.wait()
        self.wait(3_000)

    def commands_for(self, seat: int) -> list[Command]:
        """Return the seat's legal moves, as commands."""
        hand = self.state.seats[seat].hand
        if self.state.phase != "playing" or hand is None or hand.ended_version:
            return []
        table = hand.board.table
        commands: list[Command] = []
        for move in self.state.game.moves(table, self.state.rules):
            if isinstance(move, Draw):
                commands.append(DrawCard(seat, self.state.game.stock_left(table)))
            else:
                card = table.piles[move.source][-move.count]
                commands.append(PlayCard(seat, move.source, move.target, card))
        return commands

    def step(self, random: Random, undo_chance: float = 0.1, give_up_chance: float = 0.004) -> bool:
        """Let one random playing seat do something legal; False if nobody can."""
        playing = self.state.playing()
        if not playing:
            return False
        seat = random.choice(playing)
        hand = self.state.seats[seat].hand
        assert hand is not None
        if random.random() < give_up_chance:
            self.must(GiveUp(seat, self.state.hole))
        elif random.random() < undo_chance and hand.board.history:
            self.do(Undo(seat, hand.board.moves, hand.board.undos))
        elif hand.ending == "stuck":
            self.must(Done(seat, self.state.hole))
        else:
            commands = self.commands_for(seat)
            # Plays more often than draws, as people do.
            plays = [command for command in commands if isinstance(command, PlayCard)]
            self.must(random.choice(plays if plays and random.random() < 0.8 else commands))
        self.wait()
        return True

    def play_hole(self, random: Random, **chances: float) -> None:
        """Play the open hole to its close."""
        hole = self.state.hole
        while self.state.phase == "playing" and self.state.hole == hole:
            self.step(random, **chances)

    def next_hole(self) -> None:
        """Everybody is ready for the next hole."""
        for seat in self.state.here():
            if self.state.phase == "between":
                self.must(Next(seat, self.state.hole))
        self.wait()


def acts(entries: list[Entry]) -> list[Acted]:
    """Return what the seats did."""
    return [entry.body for entry in entries if isinstance(entry.body, Acted)]
