"""The `fairway solve` command: the best reachable score of deals whose cards are all known, and a line to it.

Knows text in and text out, and leaves cards and codes to the rules. What is refused is one line on standard
error and a non-zero exit code. NumPy and the solver are loaded only when something is solved.
"""

import argparse
import json
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

from server.progress import Progress
from server.rules.base import rule_name, rules_named
from server.rules.cards import JOKERS, Card, CardsError, check_deck, parse_cards
from server.rules.codes import CodeError, deal_of, parse_code
from server.rules.games import GAMES
from server.rules.golf import CARDS_A_COLUMN, COLUMNS, GolfRules
from server.rules.table import STOCK, WASTE, Move, Play, Table

DONE: Final = 0
REFUSED: Final = 2
INTERRUPTED: Final = 130

_STANDARD_INPUT: Final = "-"
_MOST_BYTES: Final = 65536
"""How much of a line, or of a file of cards, is read: a deal takes a few hundred bytes."""

_GAME: Final = "golf"
_PRESETS: Final = GAMES[_GAME].presets
_DEFAULT: Final = next(iter(_PRESETS))
_LETTERS_LIKE: Final = "S2V"


class _RefusedError(Exception):
    """Input that cannot be solved; its text is the line to print."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the options say about the rules, over what a deal says of itself."""

    rule: str | None
    free_draw: bool

    def named(self, own: str = _DEFAULT) -> GolfRules:
        """Give the rules to solve under, for a deal with this rule of its own; free draws come on top."""
        name = own if self.rule is None else self.rule
        try:
            rules: GolfRules = rules_named(GAMES[_GAME], name)
        except ValueError:
            names = f"{', '.join(_PRESETS)}, or a code's letters like {_LETTERS_LIKE}"
            raise _RefusedError(f"There is no rule {name[:20]!r}; the rules are {names}.") from None
        return rules

    def solved(self, rules: GolfRules) -> GolfRules:
        """Give these rules with the draws that are asked for."""
        return replace(rules, draw_only_when_stuck=rules.draw_only_when_stuck and not self.free_draw)

    def words(self, name: str) -> str:
        """Name the rules for people."""
        return f"{name}, free draws" if self.free_draw else name


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `solve` to the program's commands."""
    parser = subparsers.add_parser(
        "solve", help="find the best reachable score of a deal, and a line to it", description=__doc__
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="a deal code, such as GO2-E-AAAAAAB")
    parser.add_argument(
        "--cards",
        metavar="FILE",
        help="solve what is in this file (- for standard input): the JSON that `fairway deal --json` prints, a deal "
        "a line, each answered by a line of JSON; or 52 cards in dealing order",
    )
    parser.add_argument(
        "--share",
        metavar="N",
        help="count how many of the first N deals clear (GO2 codes from AAAAAAA on), with a 95 %% interval",
    )
    parser.add_argument(
        "--rule",
        metavar="RULE",
        help="easy, classic, strict or a code's letters like S2V, over the deal's own rule (without one: easy); with "
        "the jokers and the waste that the deal has",
    )
    parser.add_argument("--free-draw", action="store_true", help="allow draws at any time, under Strict too")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments; give the exit code."""
    try:
        if [args.code, args.cards, args.share].count(None) != 2:
            raise _RefusedError("Give either a deal code or --cards FILE or --share N.")
        asked = _Asked(args.rule, args.free_draw)
        asked.named()  # a rule that isn't there is refused before anything is read
        if args.share is not None:
            _share(args.share, asked, as_json=args.json)
        elif args.cards is not None:
            with _opened(args.cards) as file:
                _solve_file(file, asked, as_json=args.json)
        else:
            code = parse_code(args.code)
            _golf(code.game)
            game, rules, table = deal_of(code)
            answer = {"code": code.text, **_answer(table, asked.named(rule_name(game, rules)), asked)}
            print(json.dumps(answer) if args.json else _as_text(answer, asked))
    except (_RefusedError, CodeError, CardsError) as refused:
        print(f"fairway solve: {refused}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def _golf(game: object) -> None:
    if game != _GAME:
        raise _RefusedError("Only Golf can be solved.")


def _share(number: str, asked: _Asked, *, as_json: bool) -> None:
    from server.solve_share import MOST_DEALS, as_text, count

    deals = int(number) if number.isascii() and number.isdigit() and len(number) < 20 else 0
    if not 1 <= deals <= MOST_DEALS:
        raise _RefusedError(f"--share takes 1 to {MOST_DEALS:,} deals.")
    rules = asked.named()
    name = rule_name(GAMES[_GAME], rules)
    share = count(deals, asked.solved(rules))
    if as_json:
        print(json.dumps({"rule": name, "free_draw": asked.free_draw, **asdict(share)}))
    else:
        print(as_text(share, asked.words(name)))


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, or standard input for `-`."""
    if name == _STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - only opening is guarded, it's closed below
    except OSError as error:
        raise _RefusedError(f"{name!r} cannot be read: {error.strerror}.") from error
    with file:
        yield file


def _solve_file(file: BinaryIO, asked: _Asked, *, as_json: bool) -> None:
    """Solve what a file has: deals as lines of JSON, or else 52 cards in dealing order."""
    lines = _lines(file)
    first = next(lines, None)
    if first is None:
        raise _RefusedError("There are no cards to solve.")
    if first[1].lstrip().startswith("{"):
        _solve_lines(chain([first], lines), asked)
        return
    cards = parse_cards(f"{first[1]}\n{_text(file.read(_MOST_BYTES + 1), 'The file')}")
    rules = asked.named()
    answer = _answer(GAMES[_GAME].deal(cards, rules), rules, asked)
    print(json.dumps(answer) if as_json else _as_text(answer, asked))


def _solve_lines(lines: Iterable[tuple[int, str]], asked: _Asked) -> None:
    """Answer each line at once, since whoever writes them may wait for the answer before the next."""
    with Progress("deals") as progress:
        for number, text in lines:
            try:
                table, rule = _read_json(text)
                answer = _answer(table, asked.named(rule), asked)
            except (_RefusedError, CardsError) as refused:
                raise _RefusedError(f"Line {number}: {refused}") from refused
            print(json.dumps(answer), flush=True)
            progress.step()


def _lines(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Give the lines that have something on them, with their numbers from 1."""
    number = 0
    while data := file.readline(_MOST_BYTES + 1):
        number += 1
        text = _text(data, f"Line {number}")
        if text.strip():
            yield number, text


def _text(data: bytes, what: str) -> str:
    if len(data) > _MOST_BYTES:
        raise _RefusedError(f"{what} is too long for a deal.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _RefusedError(f"{what} is not text in UTF-8.") from error


def _read_json(text: str) -> tuple[Table, str]:
    """Read a deal as `fairway deal --json` prints it, and the name of its own rule.

    Jokers may lie anywhere, and an empty waste means an empty start; the stock is as much longer.
    """
    try:
        deal = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _RefusedError("The JSON of the deal cannot be read.") from error
    if not isinstance(deal, dict):
        raise _RefusedError("The JSON is no deal.")
    _golf(deal.get("game", _GAME))
    rule = deal.get("rule", _DEFAULT)
    if not isinstance(rule, str):
        raise _RefusedError("The JSON's rule is not a name.")
    match deal:
        case {"columns": [*columns], "waste": [*waste], "stock": [*stock]}:
            piles = [_pile(pile) for pile in (*columns, waste, stock)]
        case _:
            raise _RefusedError("The JSON of a deal has columns, waste and stock, each a list.")
    cards = [card for pile in piles for card in pile]
    check_deck([card for card in cards if card not in JOKERS])
    jokers = [card for card in cards if card in JOKERS]
    if len(set(jokers)) != len(jokers):
        raise CardsError("card_twice", f"The joker {jokers[0]} is there twice.")
    if [len(pile) for pile in piles[:-2]] != [CARDS_A_COLUMN] * len(COLUMNS) or len(piles[-2]) > 1:
        raise _RefusedError("The JSON's columns, waste and stock are not as long as Golf deals them.")
    names = (*COLUMNS, WASTE, STOCK)
    # The stock's first card is drawn first; a table has it last.
    return Table(dict(zip(names, (*piles[:-1], piles[-1][::-1]), strict=True)), {}), rule


def _pile(cards: object) -> tuple[Card, ...]:
    """Read one list of cards, jokers too."""
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise _RefusedError("The JSON's columns, waste and stock are lists of cards.")
    return parse_cards(" ".join(cards))


def _answer(table: Table, named: GolfRules, asked: _Asked) -> dict[str, Any]:
    """Solve a deal under these rules; give what is printed.

    Jokers that lie there and an empty waste are played with. `cpu_ms`: the processor's time for the solution, in
    milliseconds.
    """
    from server.rules.solver import solve_table

    jokers = sum(card in JOKERS for pile in table.piles.values() for card in pile)
    rules = replace(named, jokers=jokers, empty_start=not table.piles[WASTE])
    before = time.process_time()
    solution = solve_table(table, asked.solved(rules))
    cpu_ms = (time.process_time() - before) * 1000
    return {
        "rule": rule_name(GAMES[_GAME], rules),
        "free_draw": asked.free_draw,
        "best": solution.best,
        "cleared": solution.cleared,
        "line": _steps(table, solution.line),
        "cpu_ms": round(cpu_ms, 1),
    }


def _steps(table: Table, line: Sequence[Move]) -> list[list[str]]:
    """Write a line as steps: `["stock", "waste"]` or `["column.5", "waste", "9C"]`."""
    columns = {column: list(table.piles[column]) for column in COLUMNS}
    return [
        [move.source, move.target, columns[move.source].pop()] if isinstance(move, Play) else [STOCK, WASTE]
        for move in line
    ]


def _as_text(answer: dict[str, Any], asked: _Asked) -> str:
    """Write an answer for people: a play as column and card."""
    best, line = answer["best"], answer["line"]
    how = f"cleared, stock left {-best}" if answer["cleared"] else f"stuck, cards left {best}"
    moves = ["draw" if source == STOCK else f"{source[-1]}:{card[0]}" for source, _, *card in line]
    lines = [f"code     {answer['code']}"] if "code" in answer else []
    lines.append(f"rule     {asked.words(answer['rule'])}")
    lines.append(f"best     {best} ({how})")
    lines.append(textwrap.fill(" ".join(moves), 100, initial_indent="line     ", subsequent_indent=" " * 9))
    return "\n".join(lines)
