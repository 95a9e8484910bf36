"""Options and deals as people type them: made into a room's options, or refused by what is wrong with them.

The messages' shape is known to be right here; what a game, its rules and its deals can be is asked of the rules.
"""

from dataclasses import replace
from itertools import cycle
from typing import Any, Final

from pydantic import ValidationError

from server.match.options import MATCH_SEATS, Options, check
from server.protocol.client import MixSaid, OptionsSaid, ProtocolError, Variant, explain
from server.rules.base import Game, rule_fields, rule_name, rules_named
from server.rules.cards import CardsError, parse_cards
from server.rules.codes import CodeError, code_for_deck, parse_code
from server.rules.games import GAMES

_PREFIX_LETTERS: Final = 6
"""A hyphen within so many characters makes a text a code and no cards."""


def read_options(plain: dict[str, Any]) -> Options:
    """Return the options that stand in a message as they were sent. Raises ProtocolError."""
    try:
        return options_of(OptionsSaid.model_validate(plain))
    except ValidationError as error:
        raise explain({**(first := error.errors()[0]), "loc": ("", "options", *first["loc"])}) from None


def options_of(said: OptionsSaid) -> Options:
    """Return the options that a host asked for, typed deals made codes. Raises ProtocolError."""
    mix = [_mixed(one) for one in said.mix]
    if mix:
        said = _agreed(said, *mix[0])
    game = GAMES.get(said.game)
    if game is None:
        raise _wrong_option("game")
    rules = _rules_of(said.rule if "rule" in said.model_fields_set else None, said.variant, game)
    turns = mix or [(game, rules)]
    deals = tuple(
        deal_code(text, of.name, of.letter_of(under))
        for text, (of, under) in zip(said.deals, cycle(turns), strict=False)
    )
    plain = said.model_dump(exclude={"variant"}) | {"rule": rule_name(game, rules), "deals": deals}
    plain["mix"] = tuple((of.name, rule_name(of, under)) for of, under in mix)
    if "scoring" not in said.model_fields_set:
        plain["scoring"] = "points" if mix else game.scorings[0]
    if deals:
        plain["holes"] = len(deals)
    if said.mode == "spit" and "format" not in said.model_fields_set:
        plain["format"] = "match"
    if plain["format"] == "match" and "seats" not in said.model_fields_set:
        plain["seats"] = MATCH_SEATS
    options = Options(**plain)
    wrong = check(options)
    if wrong is not None:
        raise _wrong_option(wrong)
    return options


def _wrong_option(field: str) -> ProtocolError:
    return ProtocolError("bad_options", f"The option {field!r} can't be that.", field=field)


def _mixed(said: MixSaid) -> tuple[Game, Any]:
    """Return a game of a mix, and its rules. Raises ProtocolError."""
    game = GAMES.get(said.game)
    if game is None:
        raise _wrong_option("mix")
    return game, _rules_of(said.rule, said.variant, game)


def _agreed(said: OptionsSaid, game: Game, rules: Any) -> OptionsSaid:
    """Return the options of a mix, whose game and rule are the first's. Raises ProtocolError if others were named."""
    own = {"game": game.name, "rule": rule_name(game, rules)}
    for name, value in own.items():
        if name in said.model_fields_set and getattr(said, name) != value:
            raise _wrong_option(name)
    if said.variant is not None and said.variant != rule_fields(rules):
        raise _wrong_option("variant")
    return said.model_copy(update={**own, "variant": None})


def _rules_of(named: str | None, variant: Variant | None, game: Game) -> Any:
    """Return the rules that the rule's name and the variant's fields give together. Raises ProtocolError.

    Some fields may be added to a preset; its others are what its name means, and those of a rule in letters are all
    named by it: a field that says otherwise contradicts the name. Without a name all are free.
    """
    rule = next(iter(game.presets)) if named is None else named
    try:
        rules = rules_named(game, rule)
    except ValueError:
        raise _wrong_option("rule") from None
    own = rule_fields(rules)
    free = game.fields.keys() if named is None else game.added if rule in game.presets else set()
    for name, value in (variant or {}).items():
        # True is no number of jokers, though Python takes it for 1.
        if not any(type(value) is type(may) and value == may for may in game.fields.get(name, ())):
            raise _wrong_option(f"variant.{name}")
        if name not in free and value != own[name]:
            raise ProtocolError(
                "bad_options",
                f"The rule {rule!r} and the variant's {name!r} contradict each other: leave one of them out.",
                field=f"variant.{name}",
            )
    return replace(rules, **(variant or {}))


def deal_code(text: str, game: str, letter: str) -> str:
    """Return the canonical code of a deal that somebody typed: a code, or a deck's cards. Raises ProtocolError."""
    try:
        if "-" in text.strip()[:_PREFIX_LETTERS]:
            return parse_code(text).text
        return code_for_deck(game, letter, parse_cards(text, GAMES[game].decks))
    except CodeError as error:
        raise ProtocolError(error.code, error.words, part=error.part) from None
    except CardsError as error:
        raise ProtocolError(error.code, str(error), **error.params) from None
