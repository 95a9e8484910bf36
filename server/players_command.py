"""The `fairway players` command: how many strokes each strength of house player takes, over many deals.

Plays the first deals of GO2 codes under one rule, every strength on the same deals and in sight of what a seat sees
only. Knows text out; the moves are the rules' business. Exit codes: 0, or 2 for what was asked wrongly.
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
from typing import Final

from server.progress import Progress
from server.rules.base import rule_name, rules_named
from server.rules.codes import SHORT_VALUES, deal_of, parse_code, short_code
from server.rules.games import GAMES
from server.rules.golf import GolfRules
from server.rules.golf_players import GolfMind
from server.rules.players import STRENGTHS, Strength
from server.rules.table import HIDDEN, STOCK, Table, evolve

DONE: Final = 0
REFUSED: Final = 2
INTERRUPTED: Final = 130

_GAME: Final = GAMES["golf"]
_DEFAULT: Final = next(iter(_GAME.presets))
_Z_95: Final = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of strokes with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Played:
    """What one strength made of the deals.

    `strokes` a deal; `better_by`: how many fewer than the strength before, deal by deal, None for the first. `cleared`:
    the share of deals, 0 to 1. Processor time in milliseconds a deal and of the longest decision.
    """

    strength: Strength
    strokes: Mean
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
    parser.add_argument("--rule", metavar="RULE", default=_DEFAULT, help=f"a rule's name or letters ({_DEFAULT})")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments; give the exit code."""
    text = args.deals
    deals = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if not 2 <= deals <= SHORT_VALUES:
        print(f"fairway players: --deals takes 2 to {SHORT_VALUES:,} deals.", file=sys.stderr)
        return REFUSED
    try:
        rules: GolfRules = rules_named(_GAME, args.rule)
    except ValueError:
        print(f"fairway players: There is no rule {args.rule[:20]!r}.", file=sys.stderr)
        return REFUSED
    try:
        played = compare(deals, rules)
    except KeyboardInterrupt:
        return INTERRUPTED
    name = rule_name(_GAME, rules)
    if args.json:
        print(json.dumps({"rule": name, "deals": deals, "players": [asdict(one) for one in played]}))
    else:
        print(_as_text(name, deals, played))
    return DONE


def compare(deals: int, rules: GolfRules) -> list[Played]:
    """Let every strength play the deals of the first so many codes; show progress."""
    letter = _GAME.letter_of(rules)
    strokes: dict[Strength, list[int]] = {strength: [] for strength in STRENGTHS}
    cleared = dict.fromkeys(STRENGTHS, 0)
    seconds = dict.fromkeys(STRENGTHS, 0.0)
    longest = dict.fromkeys(STRENGTHS, 0.0)
    with Progress("deals", deals) as progress:
        for value in range(deals):
            _, _, table = deal_of(parse_code(short_code(value, letter=letter)))
            for strength in STRENGTHS:
                end, took = _play(strength, rules, table, value)
                outcome = _GAME.outcome(end, rules)
                strokes[strength].append(_GAME.score(end, outcome or "gave_up", rules).traditional)
                cleared[strength] += outcome == "cleared"
                seconds[strength] += sum(took)
                longest[strength] = max(longest[strength], *took)
            progress.step()
    played: list[Played] = []
    before: list[int] | None = None
    for strength in STRENGTHS:
        mine = strokes[strength]
        played.append(
            Played(
                strength=strength,
                strokes=_mean(mine),
                better_by=None if before is None else _mean([b - m for b, m in zip(before, mine, strict=True)]),
                cleared=cleared[strength] / deals,
                cpu_ms_deal=round(seconds[strength] * 1000 / deals, 1),
                cpu_ms_longest_decision=round(longest[strength] * 1000, 1),
            )
        )
        before = mine
    return played


def _play(strength: Strength, rules: GolfRules, table: Table, seed: int) -> tuple[Table, list[float]]:
    """Let one player play a deal to its end; give the last table and each decision's seconds of processor time."""
    mind = GolfMind(strength, rules, Random(seed).randrange)  # noqa: S311 - chance of a game, and the same every time
    took: list[float] = []
    while True:
        sight = {**table.piles, STOCK: (HIDDEN,) * len(table.piles[STOCK])}
        began = time.process_time()
        move = mind.choose(sight)
        took.append(time.process_time() - began)
        if move is None:
            return table, took
        if move not in _GAME.moves(table, rules):
            raise RuntimeError(f"the {strength} player chose {move}, which is not legal")
        table = evolve(table, _GAME.effects(table, move, rules))


def _mean(values: Sequence[int]) -> Mean:
    middle = statistics.fmean(values)
    half = _Z_95 * statistics.stdev(values) / math.sqrt(len(values))
    return Mean(round(middle, 2), round(middle - half, 2), round(middle + half, 2))


def _as_text(rule: str, deals: int, played: Sequence[Played]) -> str:
    """Write the figures for people."""
    first, last = short_code(0, letter=_letter(rule)), short_code(deals - 1, letter=_letter(rule))
    lines = [f"rule {rule}, {deals:,} deals, {first} to {last}; strokes a deal (fewer are better), 95 % intervals"]
    for one in played:
        better = one.better_by
        ahead = "" if better is None else f", {better.mean:.2f} fewer than before ({better.low} to {better.high})"
        lines.append(
            f"{one.strength:<10} {one.strokes.mean:5.2f} ({one.strokes.low} to {one.strokes.high}){ahead}, "
            f"{one.cleared:.1%} cleared, {one.cpu_ms_deal} ms a deal, longest decision {one.cpu_ms_longest_decision} ms"
        )
    return "\n".join(lines)


def _letter(rule: str) -> str:
    return _GAME.letter_of(rules_named(_GAME, rule))
