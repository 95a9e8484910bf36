"""The share of deals that clear, by solving the first deals of GO2 codes one after another.

Knows how to count, and what is known of the share elsewhere; parses no arguments and prints nothing but progress.
"""

import math
import resource
import statistics
import sys
import time
from dataclasses import dataclass
from typing import Final

from server.progress import Progress
from server.rules.codes import SHORT_VALUES, deal_of, parse_code, short_code
from server.rules.games import GAMES
from server.rules.golf import CLASSIC, GolfRules
from server.rules.solver import solve_table

MOST_DEALS: Final = SHORT_VALUES

_Z_95: Final = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""

PUBLISHED_SHARE: Final = 0.45109
PUBLISHED_MARGIN: Final = 0.00032
"""Of ten million deals under Classic: Blake and Gent, "The Winnability of Klondike Solitaire and Many Other Patience
Games", the row "Golf"."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many deals clear.

    `share` with its 95 % interval `low` to `high`, 0 to 1. `published`: what others found for these rules, or None.
    Processor time in milliseconds a deal, most memory of the whole process in MiB.
    """

    first: str
    last: str
    deals: int
    cleared: int
    share: float
    low: float
    high: float
    published: float | None
    cpu_ms_median: float
    cpu_ms_p99: float
    peak_mib: float


def count(deals: int, rules: GolfRules) -> Share:
    """Solve the deals of so many codes, from GO2-E-AAAAAAA on (E: the rules' own letters); show progress."""
    letter = GAMES["golf"].letter_of(rules)
    cleared = 0
    times: list[float] = []
    with Progress("deals", deals) as progress:
        for value in range(deals):
            _, _, table = deal_of(parse_code(short_code(value, letter=letter)))
            before = time.process_time()
            cleared += solve_table(table, rules).cleared
            times.append((time.process_time() - before) * 1000)
            progress.step(f"{cleared / (value + 1):.1%} clear")
    low, high = interval(cleared, deals)
    times.sort()
    return Share(
        first=short_code(0, letter=letter),
        last=short_code(deals - 1, letter=letter),
        deals=deals,
        cleared=cleared,
        share=cleared / deals,
        low=low,
        high=high,
        published=PUBLISHED_SHARE if rules == CLASSIC else None,
        cpu_ms_median=round(statistics.median(times), 1),
        cpu_ms_p99=round(times[math.ceil(0.99 * deals) - 1], 1),
        peak_mib=round(_peak_mib(), 1),
    )


def interval(cleared: int, deals: int) -> tuple[float, float]:
    """Give the 95 % interval (Wilson's) of a share, which holds at 0 and 1 too."""
    share, spread = cleared / deals, _Z_95**2 / deals
    middle = (share + spread / 2) / (1 + spread)
    half = _Z_95 / (1 + spread) * math.sqrt(share * (1 - share) / deals + spread / deals / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def _peak_mib() -> float:
    """Give the most memory that this process had at once; Linux counts it in KiB, macOS in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def as_text(share: Share, rule: str) -> str:
    """Write a share for people; `rule` names the rules."""
    lines = [
        f"rule       {rule}",
        f"deals      {share.deals:,}, {share.first} to {share.last}, of which {share.cleared:,} clear",
        f"share      {share.share:.2%}, 95 % interval {share.low:.2%} to {share.high:.2%}",
    ]
    if share.published is not None:
        lies = "inside" if share.low <= share.published <= share.high else "OUTSIDE"
        lines.append(f"published  {share.published:.3%} +- {PUBLISHED_MARGIN:.3%}, {lies} the interval")
    lines.append(f"cpu        median {share.cpu_ms_median} ms, p99 {share.cpu_ms_p99} ms a deal")
    lines.append(f"memory     {share.peak_mib} MiB at most, Python and libraries included")
    return "\n".join(lines)
