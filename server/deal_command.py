"""The `fairway deal` command: print the deal of a code, or give a code to 52 cards.

Knows text in and text out, and leaves cards and codes to the rules. What is refused is one line on standard
error and a non-zero exit code.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from server.rules.base import Game, rule_name, rules_named
from server.rules.cards import Card, CardsError, parse_cards
from server.rules.codes import CodeError, code_for_deck, deal_of, parse_code
from server.rules.games import GAMES
from server.rules.table import STOCK, WASTE, Table

DONE: Final = 0
REFUSED: Final = 2

_STANDARD_INPUT: Final = "-"
_MOST_BYTES: Final = 65536
"""How much of a file of cards is read: a deck takes a few hundred bytes."""


class _RefusedError(Exception):
    """Input that deals nothing; its text is the line to print."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `deal` to the program's commands."""
    parser = subparsers.add_parser(
        "deal", help="print the cards of a deal code, or give a code to 52 cards", description=__doc__
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="a deal code, such as GO2-E-AAAAAAB")
    parser.add_argument(
        "--cards",
        metavar="FILE",
        help="give a code to the cards in this file (- for standard input): in dealing order, or in the "
        "JSON form that --json prints",
    )
    parser.add_argument(
        "--rule",
        metavar="RULE",
        help="with --cards: easy (the default), classic, strict, or a code's letters such as F2V",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments; give the exit code."""
    try:
        if (args.code is None) == (args.cards is None):
            raise _RefusedError("Give either a deal code or --cards FILE.")
        if args.cards is None and args.rule is not None:
            raise _RefusedError("--rule goes with --cards; a deal code names its rule itself.")
        code = args.code if args.cards is None else _code_of_cards(_read(args.cards), args.rule)
        deal = _described(code)
    except (_RefusedError, CodeError, CardsError) as refused:
        print(f"fairway deal: {refused}", file=sys.stderr)
        return REFUSED
    if args.json:
        print(json.dumps(deal))
    elif args.cards is None:
        print(_as_text(deal))
    else:
        print(deal["code"])
    return DONE


def _read(name: str) -> str:
    """Read the text of a file, or of standard input for `-`."""
    try:
        if name == _STANDARD_INPUT:
            data = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise _RefusedError(f"{name!r} cannot be read: {error.strerror}.") from error
    if len(data) > _MOST_BYTES:
        raise _RefusedError(f"{name!r} is too long for a deck.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _RefusedError(f"{name!r} is not a text file in UTF-8.") from error


def _code_of_cards(text: str, rule: str | None) -> str:
    """Give the code of the cards in this text, under the rule that is asked for, else the text's own."""
    game = next(iter(GAMES.values()))
    if text.lstrip().startswith("{"):
        cards, own_rule = _read_json(game, text)
        rule = own_rule if rule is None else rule
    else:
        cards = parse_cards(text)
    return code_for_deck(game.name, game.letter_of(_rules(game, rule)), cards)


def _rules(game: Game, name: str | None) -> Any:
    """Give the rules of a name; the first without one."""
    name = next(iter(game.presets)) if name is None else name
    try:
        return rules_named(game, name)
    except ValueError:
        names = ", ".join(game.presets)
        raise _RefusedError(f"There is no rule {name[:20]!r}; the rules are {names}, or letters like F2V.") from None


def _read_json(game: Game, text: str) -> tuple[tuple[Card, ...], str | None]:
    """Read the JSON form: the cards in dealing order, and the rule if it names one."""
    try:
        deal = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _RefusedError("The JSON of the deal cannot be read.") from error
    rule = deal.get("rule")
    if deal.get("game", game.name) != game.name or not isinstance(rule, str | None):
        raise _RefusedError("The JSON names another game or no rule.")
    match deal:
        case {"columns": [*columns], "waste": [*waste], "stock": [*stock]}:
            piles = [_pile(pile) for pile in (*columns, waste, stock)]
        case _:
            raise _RefusedError("The JSON of a deal has columns, waste and stock, each a list.")
    cards = tuple(card for pile in piles for card in pile)
    # Cards that are a deck but lie otherwise would be dealt to other places than the JSON says.
    laid = _layout(game.deal(cards, _rules(game, rule)))
    if [*laid["columns"], laid["waste"], laid["stock"]] != piles:
        raise _RefusedError("The JSON's columns, waste and stock are not as long as the game deals them.")
    return cards, rule


def _pile(cards: object) -> list[Card]:
    """Read one list of cards."""
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise _RefusedError("The JSON's columns, waste and stock are lists of cards.")
    return list(parse_cards(" ".join(cards)))


def _layout(table: Table) -> dict[str, list[Any]]:
    """Give the piles as lists: a column's first card the deepest, the stock's first card drawn first."""
    columns = [list(cards) for pile, cards in table.piles.items() if pile.startswith("column.")]
    return {"columns": columns, "waste": list(table.piles[WASTE]), "stock": list(table.piles[STOCK][::-1])}


def _described(text: str) -> dict[str, Any]:
    """Give what is printed of a code's deal. Raises CodeError."""
    code = parse_code(text)
    game, rules, table = deal_of(code)
    return {"code": code.text, "game": code.game, "rule": rule_name(game, rules), **_layout(table)}


def _as_text(deal: Mapping[str, Any]) -> str:
    """Write a deal for people: a line a pile."""
    lines = [f"{name:8} {deal[name]}" for name in ("code", "game", "rule")]
    lines += [f"column {number} {' '.join(cards)}" for number, cards in enumerate(deal["columns"], 1)]
    lines += [f"{name:8} {' '.join(deal[name])}" for name in ("waste", "stock")]
    return "\n".join(lines)
