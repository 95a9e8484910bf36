"""The searches in C beside it, asked about tables of the server's, and their lines played by the server's rules.

What they answer is believed only as far as it can be checked: each line that is said to win is replayed here, move by
move, by the game's own module. Which moves a search leaves out, and why, stands in its source.
"""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.rules.base import Game
from server.rules.black_hole import BlackHole
from server.rules.canfield import COLUMNS, CanfieldRules, base_rank
from server.rules.cards import SUITS, Card, rank, suit
from server.rules.foundations import FOUNDATIONS, HOME
from server.rules.games import GAMES
from server.rules.table import RESERVE, STOCK, WASTE, Draw, Move, PileId, Play, Table, evolve

DRAW = Draw()
_CANFIELD_PILES = {"R": RESERVE, "W": WASTE, **{name[-1]: name for name in COLUMNS}}


@dataclass(frozen=True, slots=True)
class Answer:
    """`result`: won, lost or undecided; `positions`: how many were met; `line`: the moves as the search writes them."""

    result: str
    positions: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """A game with a search: its program, what that is told of the rules, a table in its words, and its moves in ours."""

    game: str
    program: str
    letter: str
    options: Callable[[Any], list[str]]
    position: Callable[[Table], str]
    move: Callable[[Table, str], Move]


def _canfield_options(rules: CanfieldRules) -> list[str]:
    return [str(rules.turned)]


def _canfield_position(table: Table) -> str:
    """Write a table as canfield_position.h reads it."""
    piles, base = table.piles, base_rank(table)

    def written(cards: Sequence[Card]) -> str:
        return " ".join(str(SUITS.index(suit(card)) * 13 + (rank(card) - base) % 13) for card in cards)

    home = " ".join(str(len(piles[foundation])) for foundation in FOUNDATIONS)
    laid = [piles[RESERVE], *(piles[column] for column in COLUMNS), piles[WASTE], piles[STOCK][::-1]]
    return " / ".join([home, *map(written, laid)])


def _canfield_move(table: Table, word: str) -> Move:
    """Read `D`, or source, target and count."""
    if word == "D":
        return DRAW
    source, count = _CANFIELD_PILES[word[0]], int(word[2:])
    target = HOME[table.piles[source][-count]] if word[1] == "F" else _CANFIELD_PILES[word[1]]
    return Play(source, target, count)


def _black_hole_position(table: Table) -> str:
    """Write a table as black_hole_search.c reads it."""
    fans = [pile for name, pile in table.piles.items() if name != WASTE]
    ranks = [" ".join(str(rank(card) - 1) for card in fan) for fan in fans]
    return " / ".join([str(rank(table.piles[WASTE][-1]) - 1), *ranks])


def _black_hole_move(table: Table, word: str) -> Move:
    return Play(PileId(f"column.{word}"), WASTE)


SEARCHED = {
    searched.game: searched
    for searched in (
        Searched("canfield", "canfield_search", "D3", _canfield_options, _canfield_position, _canfield_move),
        Searched(BlackHole().name, "black_hole_search", "J", lambda _: [], _black_hole_position, _black_hole_move),
    )
}
"""The games that can be searched, each with the rule letter that is published of it."""


class Search:
    """One running search program; answers one table after another. Stop it with `close`."""

    def __init__(self, searched: Searched, rules: Any, program: Path, most: int, *options: str) -> None:
        self.searched, self.rules = searched, rules
        self.game: Game = GAMES[searched.game]
        self.bare = "bare" in options
        command = [program, *searched.options(rules), str(most), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, table: Table) -> Answer:
        """Search a table. Raises EOFError if the program ended, ValueError if a line that it gives does not win."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(self.searched.position(table) + "\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if not words:
            raise EOFError(f"{self.searched.program} ended with {self.process.wait()}")
        answer = Answer(words[0], int(words[1]), tuple(words[2:]))
        if answer.result == "won":
            self._replay(table, answer.line)
        return answer

    def _replay(self, table: Table, line: Sequence[str]) -> None:
        for number, word in enumerate(line):
            move = self.searched.move(table, word)
            if move not in searched_moves(self.game, table, self.rules, self.bare):
                raise ValueError(f"move {number}, {word}, is not legal: {table}")
            table = evolve(table, self.game.effects(table, move, self.rules))
        if self.game.outcome(table, self.rules) != "cleared":
            raise ValueError(f"the line does not end the game: {table}")

    def close(self) -> None:
        """End the program and wait for it."""
        self.process.terminate()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def searched_moves(game: Game, table: Table, rules: Any, bare: bool = False) -> Iterator[Move]:
    """Give the server's moves but those that a search does without by its rules: nothing comes back from a foundation.

    `bare`: besides, nothing goes onto a card of Canfield's base rank in a column.
    """
    for move in game.moves(table, rules):
        if isinstance(move, Play):
            if move.source in FOUNDATIONS:
                continue
            target = table.piles[move.target]
            if bare and move.target not in FOUNDATIONS and target and rank(target[-1]) == base_rank(table):
                continue
        yield move
