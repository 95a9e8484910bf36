"""A match without a server: commands in, entries out, every viewer's view folded from what it was told.

Applies entries as a worker would, through their stored form, and checks the law of the stream at every version: the
fold of what was told equals the snapshot, and a refusal changes nothing. `watchers` see each entry after it was told.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from pydantic_core import from_json

from server.match import patch as patches
from server.match import view as views
from server.match.commands import Command, Done, DrawCard, GiveUp, Join, Leave, Next, PlayCard, Ready, Undo
from server.match.decide import World, decide
from server.match.due import due, wanted
from server.match.entries import Body, Created, Entry, dump, load
from server.match.evolve import evolve
from server.match.on_course import OnCourse
from server.match.options import Options
from server.match.state import Hand, Match
from server.match.telling import telling
from server.match.winnable import DealFound, DealWanted, deal_wanted
from server.rules.base import Refusal
from server.rules.best import best_of
from server.rules.codes import SEALING
from server.rules.table import Draw

SECRET = "5e" * 32
START_MS = 1_790_000_000_000
NONCES = {seat: f"{seat + 1:02x}" * 16 if seat % 3 != 2 else "" for seat in range(8)}
"""What the seats give for the deals when they say ready; some give none."""
MOST_DUE = 1_000
"""Things due at one instant: more than any match has, so that a test ends where `due` would not."""

Told = Callable[["Driver", Entry, dict[int | None, dict[str, Any]]], None]


@dataclass
class Driver:
    """Applies entries, and keeps a folded view for every seat that is here and for a spectator (None)."""

    options: Options = field(default_factory=Options)
    now_ms: int = START_MS
    world: World = field(default_factory=World)
    secret: str = SECRET
    sealing: int = SEALING
    course: OnCourse | None = None
    entries: list[Entry] = field(default_factory=list)
    state: Match = field(init=False)
    folded: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    check: bool = True
    watchers: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        seated = ((0, "Ada", "a" * 64),)
        created = Created("m" * 26, "ABCDEFGH", self.options, self.secret, 0, seated, self.sealing, self.course)
        entry = Entry(1, self.now_ms, created)
        self.entries.append(entry)
        self.state = evolve(None, entry)
        self._settle_viewers()
        self._say(entry, {})

    def _settle_viewers(self) -> None:
        viewers = {None, *self.state.here()} if self.check else set()
        for viewer in viewers - self.folded.keys():
            self.folded[viewer] = copy.deepcopy(views.snapshot(self.state, viewer))
        for viewer in self.folded.keys() - viewers:
            del self.folded[viewer]

    def _say(self, entry: Entry, told: dict[int | None, dict[str, Any]]) -> None:
        for watcher in self.watchers:
            watcher(self, entry, told)

    def apply(self, body: Body, seat: int = -1) -> None:
        """Store an entry (through its stored form), apply it, tell everybody."""
        self.now_ms += 1
        stored = load(dump(body))
        assert stored == body
        entry = Entry(self.state.version + 1, self.now_ms, stored, seat, 1 if seat >= 0 else 0, self.state.version)
        before, self.state = self.state, evolve(self.state, entry)
        self.entries.append(entry)
        told: dict[int | None, dict[str, Any]] = {}
        if self.check:
            text = telling(before, entry, self.state).text
            read: dict[str, dict[str, Any]] = {}
            for viewer in self.folded.keys() & {None, *self.state.here()}:
                patch = text(viewer)
                if patch not in read:
                    read[patch] = from_json(f"{{{patch}}}")
                told[viewer] = read[patch]
            for viewer, patch in told.items():
                patches.fold(self.folded[viewer], json.loads(json.dumps(patch)))
        self._settle_viewers()
        for viewer, view in self.folded.items():
            assert view == views.snapshot(self.state, viewer), (viewer, body)
        self._say(entry, told)

    def do(self, command: Command) -> Refusal | None:
        """Decide and, if it may happen, apply; a refusal leaves everything as it was."""
        judged = decide(self.state, command, self.now_ms, self.world)
        if isinstance(judged, Refusal):
            return judged
        self.apply(judged, getattr(command, "seat", -1))
        return None

    def must(self, *commands: Command) -> None:
        """Do what may not be refused."""
        for command in commands:
            refusal = self.do(command)
            assert refusal is None, (command, refusal)

    def refused(self, command: Command) -> str:
        """Return the code with which a command is refused."""
        refusal = self.do(command)
        assert refusal is not None, command
        return refusal.code

    def wait(self, ms: int = 0) -> list[Body]:
        """Let time pass and all that falls due happen; return it."""
        self.now_ms += ms
        done: list[Body] = []
        while (body := due(self.state, self.world, self.now_ms)) is not None:
            assert len(done) < MOST_DUE, body
            self.apply(body)
            done.append(body)
        return done

    def solve(self) -> None:
        """Let what takes work be found, the best of closed holes and the deal of the next, and happen."""
        codes = {hole.code for hole in wanted(self.state, self.now_ms)}
        needed = deal_wanted(self.state)
        deals = {} if needed is None else {needed: first_winnable(needed)}
        bests = {code: best_of(code) for code in codes}
        self.world = World(self.world.offline_since, self.world.outages, bests, deals)
        self.wait()

    def join_all(self, number: int) -> None:
        """Fill the seats up to `number`."""
        for seat in range(1, number):
            self.must(Join(f"Player {seat}", f"{seat:064x}"))

    def seat_all(self, number: int) -> None:
        """Fill the seats and start the match."""
        self.join_all(number)
        for seat in range(number):
            if not self.state.seats[seat].ready:
                self.must(Ready(seat, True, NONCES[seat]))
        self.wait()
        self.wait(3_000)
        assert self.state.phase == "playing"

    def hand(self, seat: int) -> Hand:
        """Return a seat's hand, which must have been dealt."""
        hand = self.state.seats[seat].hand
        assert hand is not None
        return hand

    def plays(self, seat: int) -> list[Command]:
        """Return the seat's legal plays, by column."""
        return [command for command in self.commands_for(seat) if isinstance(command, PlayCard)]

    def draw(self, seat: int) -> Command:
        """Return the draw of a seat that sees its own stock."""
        return DrawCard(seat, self.state.game.stock_left(self.hand(seat).board.table))

    def undo(self, seat: int) -> Command:
        """Return the undo of a seat that knows its own counters."""
        board = self.hand(seat).board
        return Undo(seat, board.moves, board.undos)

    def act(self, seat: int, script: str) -> None:
        """Let a seat act: P its first legal play, D draw, U undo, G give up, E done (end when stuck), L leave."""
        for letter in script:
            commands: dict[str, Callable[[], Command]] = {
                "P": lambda: self.plays(seat)[0],
                "D": lambda: self.draw(seat),
                "U": lambda: self.undo(seat),
                "G": lambda: GiveUp(seat, self.state.hole),
                "E": lambda: Done(seat, self.state.hole),
                "L": lambda: Leave(seat),
            }
            self.must(commands[letter]())

    def script(self, text: str) -> None:
        """Let seats act in turn: `0:PPD 1:PG`; what falls due in between happens."""
        for part in text.split():
            seat, letters = part.split(":")
            self.act(int(seat), letters)
            self.wait()

    def commands_for(self, seat: int) -> list[Command]:
        """Return the seat's legal moves, as commands."""
        hand = self.state.seats[seat].hand
        if self.state.phase != "playing" or hand is None or hand.ended:
            return []
        table = hand.board.table
        commands: list[Command] = []
        for move in self.state.game.moves(table, self.state.rules):
            if isinstance(move, Draw):
                commands.append(self.draw(seat))
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
        hand = self.hand(seat)
        if random.random() < give_up_chance:
            self.must(GiveUp(seat, self.state.hole))
        elif random.random() < undo_chance and hand.board.history:
            self.do(self.undo(seat))
        elif hand.ending == "stuck" or not (moves := self.commands_for(seat)) or self.enough(hand, random):
            self.must(Done(seat, self.state.hole))
        else:
            # Plays more often than draws, as people do.
            plays = self.plays(seat)
            self.must(random.choice(plays if plays and random.random() < 0.8 else moves))
        self.wait()
        return True

    def enough(self, hand: Hand, random: Random) -> bool:
        """Whether a seat says that it is done, in a game that declares no loss: the likelier, the longer it played."""
        return not self.state.game.declares_loss and random.random() < hand.board.moves / 2_000

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

    def play_all(self, random: Random, **chances: float) -> None:
        """Play on to the match's end."""
        while self.state.phase != "ended":
            self.play_hole(random, **chances)
            self.next_hole()


def first_winnable(needed: DealWanted) -> DealFound:
    """Find the deal that a hole needs, one candidate after another."""
    skipped = next(attempt for attempt in count() if best_of(needed.candidate(attempt)).cleared)
    return DealFound(needed.candidate(skipped), skipped)


def random_match(seed: int, options: Options, *watchers: Told, check: bool = True) -> Driver:
    """Play a whole random match, all seats taken."""
    driver = Driver(options, check=check, watchers=list(watchers), secret=f"{seed:064x}")
    if options.alone:
        driver.wait()
    else:
        driver.seat_all(options.seats)
    driver.play_all(Random(seed))
    return driver
