"""The `fairway players` command: how well each strength of house player plays a game, over many deals.

Plays the deals of the game's first short codes under one rule, every strength on the same deals and in sight of what
a seat sees only; what counts is the score that decides by default. Knows text out; the moves are the rules' business.
Exit codes: 0, or 2 for what was asked wrongly.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from server.progress import Progress
from server.rules.base import Game, rule_name, rules_named
from server.rules.codes import SHORT_VALUES, deal_of, parse_code, short_code
from server.rules.games import GAMES, mind_of, strengths_of
from server.rules.players import Strength
from server.rules.table import HIDDEN, STOCK, Table, evolve

DONE: Final = 0
REFUSED: Final = 2
INTERRUPTED: Final = 130

_DEFAULT: Final = next(iter(GAMES))
_Z_95: Final = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of scores with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Played:
    """What one strength made of the deals.

    `score` a deal: strokes, or points where the game's app score decides; `better_by`: how many fewer strokes or more
    points than the strength before, deal by deal, None for the first. `cleared`: the share of deals, 0 to 1. Processor
    time in milliseconds a deal and of the longest decision.
    """

    strength: Strength
    score: Mean
    better_by: Mean | None
    cleared: float
    cpu_ms_deal: float
    cpu_ms_longest_decision: float


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `players` to the program's commands."""
    parser = subparsers.add_parser(
        "players", help="let the house players play many deals, and compare their strengths", description=__doc__
    )
    parser.add_argument("--deals", metavar="N", default="1000", help="how many deals (default 1000)")
    parser.add_argument("--game", metavar="GAME", default=_DEFAULT, help=f"one of {', '.join(GAMES)} ({_DEFAULT})")
    parser.add_argument("--rule", metavar="RULE", help="a rule's name or letters (the game's default)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments; give the exit code."""
    text = args.deals
    deals = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if not 2 <= deals <= SHORT_VALUES:
        return _refused(f"--deals takes 2 to {SHORT_VALUES:,} deals.")
    game = GAMES.get(args.game)
    if game is None:
        return _refused(f"There is no game {args.game[:20]!r}.")
    try:
        rules = rules_named(game, next(iter(game.presets)) if args.rule is None else args.rule)
    except ValueError:
        return _refused(f"There is no rule {args.rule[:20]!r}.")
    try:
        played = compare(game, deals, rules)
    except KeyboardInterrupt:
        return INTERRUPTED
    if args.json:
        facts = {"game": game.name, "rule": rule_name(game, rules), "scoring": game.scorings[0], "deals": deals}
        print(json.dumps({**facts, "players": [asdict(one) for one in played]}))
    else:
        print(_as_text(game, rules, deals, played))
    return DONE


def _refused(words: str) -> int:
    print(f"fairway players: {words}", file=sys.stderr)
    return REFUSED


def compare(game: Game, deals: int, rules: Any) -> list[Played]:
    """Let every strength that knows the game play the deals of the first so many codes; show progress."""
    letter, scoring, strengths = game.letter_of(rules), game.scorings[0], strengths_of((game,))
    scores: dict[Strength, list[int]] = {strength: [] for strength in strengths}
    cleared = dict.fromkeys(strengths, 0)
    seconds = dict.fromkeys(strengths, 0.0)
    longest = dict.fromkeys(strengths, 0.0)
    with Progress("deals", deals) as progress:
        for value in range(deals):
            _, _, table = deal_of(parse_code(short_code(value, game.name, letter)))
            for strength in strengths:
                end, took = _play(game, strength, rules, table, value)
                outcome = game.outcome(end, rules)
                scores[strength].append(getattr(game.score(end, outcome or "done", rules), scoring))
                cleared[strength] += outcome == "cleared"
                seconds[strength] += sum(took)
                longest[strength] = max(longest[strength], *took)
            progress.step()
    played: list[Played] = []
    before: list[int] | None = None
    better = -1 if scoring == "traditional" else 1
    for strength in strengths:
        mine = scores[strength]
        played.append(
            Played(
                strength=strength,
                score=_mean(mine),
                better_by=None
                if before is None
                else _mean([better * (m - b) for b, m in zip(before, mine, strict=True)]),
                cleared=cleared[strength] / deals,
                cpu_ms_deal=round(seconds[strength] * 1000 / deals, 1),
                cpu_ms_longest_decision=round(longest[strength] * 1000, 1),
            )
        )
        before = mine
    return played


def _play(game: Game, strength: Strength, rules: Any, table: Table, seed: int) -> tuple[Table, list[float]]:
    """Let one player play a deal to its end; give the last table and each decision's seconds of processor time."""
    mind = mind_of(game, strength, rules, Random(seed).randrange)  # noqa: S311 - chance of a game, the same every time
    took: list[float] = []
    while True:
        sight = {
            name: (HIDDEN,) * (down := len(pile) if name == STOCK else table.face_down.get(name, 0)) + pile[down:]
            for name, pile in table.piles.items()
        }
        began = time.process_time()
        move = mind.choose(sight)
        took.append(time.process_time() - began)
        if move is None:
            return table, took
        if move not in game.moves(table, rules):
            raise RuntimeError(f"the {strength} player chose {move}, which is not legal")
        table = evolve(table, game.effects(table, move, rules))


def _mean(values: Sequence[int]) -> Mean:
    middle = statistics.fmean(values)
    half = _Z_95 * statistics.stdev(values) / math.sqrt(len(values))
    return Mean(round(middle, 2), round(middle - half, 2), round(middle + half, 2))


def _as_text(game: Game, rules: Any, deals: int, played: Sequence[Played]) -> str:
    """Write the figures for people."""
    letter = game.letter_of(rules)
    first, last = short_code(0, game.name, letter), short_code(deals - 1, game.name, letter)
    unit, better = ("strokes", "fewer") if game.scorings[0] == "traditional" else ("points", "more")
    rule = rule_name(game, rules)
    lines = [f"rule {rule}, {deals:,} deals, {first} to {last}; {unit} a deal ({better} are better), 95 % intervals"]
    for one in played:
        by = one.better_by
        ahead = "" if by is None else f", {by.mean:.2f} {better} than before ({by.low} to {by.high})"
        lines.append(
            f"{one.strength:<10} {one.score.mean:5.2f} ({one.score.low} to {one.score.high}){ahead}, "
            f"{one.cleared:.1%} cleared, {one.cpu_ms_deal} ms a deal, longest decision {one.cpu_ms_longest_decision} ms"
        )
    return "\n".join(lines)
