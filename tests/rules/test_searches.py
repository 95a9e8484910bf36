"""The searches in C against a naive one over the server's own moves, on positions small enough for that."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.rules.base import Game
from server.rules.black_hole import CARDS_A_FAN, FANS
from server.rules.canfield import COLUMNS, below
from server.rules.cards import DECK, RANKS, SUITS, Card, rank
from server.rules.foundations import FOUNDATIONS, is_red
from server.rules.games import GAMES
from server.rules.table import RESERVE, STOCK, WASTE, PileId, Table, evolve
from tests.load import winnable
from tests.load.compiler import NoCompiler, build
from tests.load.searches import SEARCHED, Search, searched_moves

SHARP = (75, 136, 178, 312, 328, 372, 443, 475)
"""Positions on which a slip shows that the first ones don't show: a base card taken home, waste heights mixed up."""
NUMBERS = tuple(range(2_000)) if os.environ.get("FAIRWAY_LONG") else (*range(30), *SHARP)
MOST = 1_000_000
PATIENCE = 4_000
"""Positions after which the naive search leaves a table alone."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The search programs by game."""
    folder = tmp_path_factory.mktemp("searches")
    try:
        return {game: build(searched.program, folder) for game, searched in SEARCHED.items()}
    except NoCompiler as why:
        pytest.skip(str(why))


def naive(game: Game, rules: Any, table: Table, bare: bool = False) -> str | None:
    """Try every move of the server's; won, lost, or None where that is too much."""
    met, waiting = {key(table)}, [table]
    while waiting:
        table = waiting.pop()
        if game.outcome(table, rules) == "cleared":
            return "won"
        for move in searched_moves(game, table, rules, bare):
            after = evolve(table, game.effects(table, move, rules))
            if key(after) not in met:
                if len(met) == PATIENCE:
                    return None
                met.add(key(after))
                waiting.append(after)
    return "lost"


def key(table: Table) -> tuple[tuple[Card, ...], ...]:
    """What makes a position: the piles, whichever column is which."""
    others = tuple(cards for name, cards in sorted(table.piles.items()) if not name.startswith("column."))
    return (*sorted(cards for name, cards in table.piles.items() if name.startswith("column.")), *others)


def canfield_end(chance: Random) -> Table:
    """Give a late position of Canfield: long runs in the columns, the rest in reserve, waste and stock."""
    base = chance.choice(RANKS)
    order = RANKS[RANKS.index(base) :] + RANKS[: RANKS.index(base)]
    left_of = chance.choice([(13, 6, 0, 0), (13, 0, 3, 3), (4, 4, 4, 4), (9, 5, 2, 0), (13, 13, 0, 0), (6, 0, 0, 9)])
    left = dict(zip(SUITS, chance.sample(left_of, 4), strict=True))
    piles: dict[PileId, tuple[Card, ...]] = {}
    for home, letter in zip(FOUNDATIONS, SUITS, strict=True):
        piles[home] = tuple(Card(card + letter) for card in order[: 13 - left[letter]])
    rest = [Card(card + letter) for letter in SUITS for card in order[13 - left[letter] :]]
    chance.shuffle(rest)
    for column in COLUMNS:
        run = [rest.pop()] if rest else []
        length = chance.choice([1, 2, 4, 8, 20])
        while run and len(run) < length:
            fits = [card for card in rest if rank(card) == below(run[-1]) and is_red(card) != is_red(run[-1])]
            if not fits:
                break
            rest.remove(fits[0])
            run.append(fits[0])
        piles[column] = tuple(run)
    reserve = chance.randint(0, min(4, len(rest))) if all(piles[column] for column in COLUMNS) else 0
    drawn = chance.randint(reserve, len(rest))
    piles |= {RESERVE: tuple(rest[:reserve]), WASTE: tuple(rest[reserve:drawn]), STOCK: tuple(rest[drawn:])}
    return Table(piles, {RESERVE: max(0, reserve - 1)})


def black_hole_end(chance: Random) -> Table:
    """Give a position of Black Hole with 14 cards: those of a line that plays, dealt out backwards, then two exchanged."""
    line, rest = [chance.choice(DECK)], list(DECK)
    while len(line) < 15:
        beside = [card for card in rest if (rank(card) - rank(line[-1])) % len(RANKS) in (1, len(RANKS) - 1)]
        line.append(chance.choice(beside))
        rest.remove(line[-1])
    fans: list[list[Card]] = [[] for _ in FANS]
    for card in reversed(line[1:]):
        chance.choice([fan for fan in fans[:8] if len(fan) < CARDS_A_FAN]).append(card)
    one, other = chance.sample([fan for fan in fans if fan], 2)
    one[0], other[-1] = other[-1], one[0]
    return Table({WASTE: (line[0],), **{name: tuple(fan) for name, fan in zip(FANS, fans, strict=True)}}, {})


@pytest.mark.parametrize("options", [(), ("exact",), ("bare",)])
def test_canfield_search_agrees_with_every_move_of_the_server(
    programs: dict[str, Path], options: tuple[str, ...]
) -> None:
    """Won and lost are what trying all moves finds, in late positions with long runs and every base rank."""
    check(programs, "canfield", canfield_end, options)


def test_black_hole_search_agrees_with_every_move_of_the_server(programs: dict[str, Path]) -> None:
    """Won and lost are what trying all moves finds."""
    check(programs, "black_hole", black_hole_end, ())


def check(
    programs: dict[str, Path], game: str, position: Callable[[Random], Table], options: tuple[str, ...]
) -> None:
    """Let both searches judge positions; those on which the naive one gives up say nothing."""
    rules = GAMES[game].rules_of(SEARCHED[game].letter)
    found = set()
    with closing(Search(SEARCHED[game], rules, programs[game], MOST, *options)) as search:
        for number in NUMBERS:
            table = position(Random(number))
            result = naive(search.game, rules, table, search.bare)
            if result is not None:
                assert search.ask(table).result == result, (number, table)
                found.add(result)
    assert found == {"won", "lost"}


def test_what_was_answered_is_not_asked_again(
    tmp_path: Path, programs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes each answer down and goes on from there; only what was undecided is asked with a higher limit."""
    out = tmp_path / "answers.jsonl"
    asked = ("canfield", "--out", str(out), "--deals")
    assert winnable.main([*asked, "4", "--positions", "30"]) == 0
    assert capsys.readouterr().out == "4 undecided\n"
    assert winnable.main([*asked, "5", "--positions", "100000"]) == 0
    assert capsys.readouterr().out.startswith("5 deals: ")
    assert len(out.read_text().splitlines()) == 4 + 5
    assert winnable.main([*asked, "5", "--positions", "100000"]) == 0
    assert len(out.read_text().splitlines()) == 4 + 5
