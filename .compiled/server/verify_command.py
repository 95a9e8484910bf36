"""The `fairway verify` command: check the record of an ended match from the record alone.

Knows text in and text out, and leaves the judgement to `server.match.verify`. Exit codes: 0 all agrees, 1 something
does not and is named by its field, 2 there is nothing to judge (no file, cut off, no record, too large, newer): one
line with a code that docs/protocol.md lists.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from server.match.verify import NoRecord, Report, verify
from server.rules.best import best_of

DONE: Final = 0
WRONG: Final = 1
REFUSED: Final = 2

MOST_BYTES: Final = 16 << 20
"""The largest record has about 5 MiB: 8 seats, 18 holes and 600 actions in each."""

MOST_DEPTH: Final = 20
"""Brackets within brackets; a record has ten."""

_STANDARD_INPUT: Final = "-"
_MOST_SHOWN: Final = 20


class _RefusedError(Exception):
    """Input that is no record: a code, and the words for it."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `verify` to the program's commands."""
    parser = subparsers.add_parser(
        "verify", help="check the record of an ended match: deals, moves, scores", description=__doc__
    )
    parser.add_argument(
        "record", metavar="RECORD.json", help="what /api/matches/<id> gives, in a file (- for standard input)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments; give the exit code."""
    try:
        report = verify(_parsed(_read(args.record)), best_of)
    except (_RefusedError, NoRecord) as refused:
        if args.json:
            print(json.dumps({"verified": None, "code": refused.code, "words": str(refused)}))
        print(f"fairway verify: {refused.code}: {refused}", file=sys.stderr)
        return REFUSED
    if args.json:
        faults = [{"field": fault.field, "words": fault.words} for fault in report.faults]
        print(json.dumps({"verified": not faults, "faults": faults, **({"code": "record_wrong"} if faults else {})}))
    else:
        print(_as_text(report))
    return WRONG if report.faults else DONE


def _read(name: str) -> str:
    try:
        if name == _STANDARD_INPUT:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _RefusedError("no_file", f"{name!r} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise _RefusedError("record_large", f"{name!r} is too large: no record has more than {MOST_BYTES >> 20} MiB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _RefusedError(
            "record_not_json", f"{name!r} is not text in UTF-8, from byte {error.start} on."
        ) from error


def _parsed(text: str) -> object:
    """Read JSON strictly: a name that stands twice, or a number that JSON hasn't, is refused."""
    if _is_deep(text):
        raise _RefusedError("record_deep", "This is not a record: it is nested too deeply.")
    try:
        return json.loads(text, object_pairs_hook=_fields, parse_constant=_no_number, parse_int=_integer)
    except json.JSONDecodeError as error:
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            words = f"The record is cut off: its end is missing after character {len(text)}."
            raise _RefusedError("record_cut", words) from error
        raise _no_json(f"is not JSON, from character {error.pos} on: {error.msg}.") from error


def _is_deep(text: str) -> bool:
    """Whether brackets go deeper than in a record; told before they are parsed, which takes stack for each."""
    depth, quoted = 0, False
    for found in re.finditer(r'\\.|["\[\]{}]', text, re.DOTALL):
        mark = found[0]
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                return True
        elif not quoted and mark in "]}":
            depth -= 1
    return False


def _no_json(words: str) -> _RefusedError:
    return _RefusedError("record_not_json", f"The record {words}")


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _no_json(f"has the field {twice[:40]!r} twice in one place.")
    return fields


def _no_number(word: str) -> object:
    raise _no_json(f"has {word}, which is no number in JSON.")


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise _no_json(f"has a number of {len(digits)} digits.")
    return int(digits)


def _as_text(report: Report) -> str:
    """Write a report for people: one line if all agrees, else a line for each fault."""
    if report.faults:
        lines = [f"WRONG     {fault.field} {fault.words}" for fault in report.faults[:_MOST_SHOWN]]
        if len(report.faults) > _MOST_SHOWN:
            lines.append(f"          and {len(report.faults) - _MOST_SHOWN} more")
        return "\n".join(lines)
    if report.open_deal:
        deals = "The deals were typed in: nothing was sealed."
    else:
        mixed = f" and {report.nonces} nonces of the seats" if report.nonces else ""
        deals = f"The deals come from the secret that the commitment fixed{mixed}."
    return f"VERIFIED  {report.holes} holes, {report.seats} seats, {report.moves} moves. {deals}"
