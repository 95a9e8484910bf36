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
from server.rules.cards import Card, CardsError, check_deck, deck_with, parse_cards
from server.rules.codes import CodeError, code_for_deck, deal_of, parse_code
from server.rules.games import GAMES
from server.rules.table import laid_out

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
        help="with --cards: a rule of the game, such as easy, classic or strict, or a code's letters such as F2V",
    )
    parser.add_argument("--game", metavar="GAME", help=f"with --cards: {', '.join(GAMES)}; the first is the default")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments; give the exit code."""
    try:
        if (args.code is None) == (args.cards is None):
            raise _RefusedError("Give either a deal code or --cards FILE.")
        if args.cards is None and (args.rule is not None or args.game is not None):
            raise _RefusedError("--game and --rule go with --cards; a deal code names its game and rule itself.")
        code = args.code if args.cards is None else _code_of_cards(_read(args.cards), args.game, args.rule)
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


def _code_of_cards(text: str, named: str | None, rule: str | None) -> str:
    """Give the code of the cards in this text, of the game and under the rule that are asked for, else the text's own."""
    deal: dict[str, Any] | None = None
    laid_under = None
    if text.lstrip().startswith("{"):
        deal = _json_of(text)
        own = deal.get("game")
        if (named is not None and own not in (None, named)) or not isinstance(own, str | None):
            raise _RefusedError("The JSON names another game or no rule.")
        named = own if named is None else named
        laid_under = deal.get("rule")
        if not isinstance(laid_under, str | None):
            raise _RefusedError("The JSON names another game or no rule.")
    game = next(iter(GAMES.values())) if named is None else GAMES.get(named)
    if game is None:
        raise _RefusedError(f"There is no game {str(named)[:20]!r}; the games are {', '.join(GAMES)}.")
    rules = _rules(game, laid_under if rule is None else rule)
    # The piles are as long as the JSON's own rule deals them, whatever rule its cards are to be played by.
    cards = parse_cards(text, game.decks) if deal is None else _dealt_from(game, _rules(game, laid_under), deal)
    return code_for_deck(game.name, game.letter_of(rules), cards)


def _rules(game: Game, name: str | None) -> Any:
    """Give the rules of a name; the first without one."""
    name = next(iter(game.presets)) if name is None else name
    try:
        return rules_named(game, name)
    except ValueError:
        names = ", ".join(game.presets)
        raise _RefusedError(f"There is no rule {name[:20]!r}; the rules are {names}, or letters like F2V.") from None


def _json_of(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        deal: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _RefusedError("The JSON of the deal cannot be read.") from error
    return deal


def _dealt_from(game: Game, rules: Any, deal: Mapping[str, Any]) -> tuple[Card, ...]:
    """Give the cards of a deal's JSON in dealing order: where a known deck's cards came to lie says which is which."""
    piles = _piles(deal)
    deck = deck_with(game.jokers(rules), game.decks)
    cards = tuple(card for pile in piles.values() for card in pile)
    check_deck(cards, game.jokers(rules), game.decks)
    places = _piles(laid_out(game.deal(deck, rules)))
    if {name: len(pile) for name, pile in places.items()} != {name: len(pile) for name, pile in piles.items()}:
        raise _RefusedError("The JSON's columns, waste and stock are not as long as the game deals them.")
    lies = {known: card for name, pile in places.items() for known, card in zip(pile, piles[name], strict=True)}
    return tuple(lies[known] for known in deck)


def _piles(deal: Mapping[str, Any]) -> dict[str, list[Card]]:
    """Read all lists of cards, by a name; what lies on the foundations counts as one pile."""
    match deal:
        case {"columns": [*columns], "waste": [*waste], "stock": [*stock]}:
            named = {f"column {number}": pile for number, pile in enumerate(columns, 1)}
            named |= {"waste": waste, "stock": stock}
            named |= {name: deal.get(name, []) for name in ("reserve", "places")}
        case _:
            raise _RefusedError("The JSON of a deal has columns, waste and stock, each a list.")
    homes = deal.get("foundations", {})
    if not isinstance(homes, dict) or not all(isinstance(home, list) for home in homes.values()):
        raise _RefusedError("The JSON's foundations are no lists of cards.")
    named["foundations"] = [card for home in homes.values() for card in home]
    return {name: _pile(pile) for name, pile in named.items()}


def _pile(cards: object) -> list[Card]:
    """Read one list of cards."""
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise _RefusedError("The JSON's columns, waste and stock are lists of cards.")
    return list(parse_cards(" ".join(cards)))


def _described(text: str) -> dict[str, Any]:
    """Give what is printed of a code's deal. Raises CodeError."""
    code = parse_code(text)
    game, rules, table = deal_of(code)
    return {"code": code.text, "game": code.game, "rule": rule_name(game, rules), **laid_out(table)}


def _as_text(deal: Mapping[str, Any]) -> str:
    """Write a deal for people: a line a pile."""
    lines = [f"{name:8} {deal[name]}" for name in ("code", "game", "rule")]
    lines += [f"column {number} {' '.join(cards)}" for number, cards in enumerate(deal["columns"], 1)]
    lines += [f"{name:8} {' '.join(deal[name])}" for name in ("places", "waste", "stock", "reserve") if name in deal]
    homes = deal.get("foundations", {})
    lines += [f"{'base':8} {' '.join(cards)}" for cards in homes.values() if cards]
    faces = deal.get("face_down", {})
    down = [f"{count} of {name.replace('.', ' ')}" for name, count in faces.items() if not name.startswith("place.")]
    places = [name.removeprefix("place.") for name in faces if name.startswith("place.")]
    down += [f"places {' '.join(places)}"] if places else []
    lines += [f"down     {', '.join(down)}"] if down else []
    return "\n".join(lines)
