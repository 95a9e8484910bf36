"""Deal codes: `GAME+version - rule - value`, read and written. docs/deals.md is their law.

A code names its cards for ever. What can't be dealt exactly is refused by the part that is wrong; no value
ever wraps round, and a code of another app never deals cards of ours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from server.rules.base import Game
from server.rules.cards import Card
from server.rules.games import GAMES
from server.rules.published import FOREIGN, PUBLISHED
from server.rules.shuffle import (
    commitment,
    deck_of_rank,
    hole_value,
    mixed_hole_value,
    orders,
    rank_of_deck,
    shuffled,
)
from server.rules.table import Table

__all__ = [
    "CodeError",
    "DealCode",
    "code_for_deck",
    "commitment",
    "deal_of",
    "deck_of",
    "hole_value",
    "match_code",
    "mixed_hole_value",
    "parse_code",
    "sealed_code",
    "short_code",
]

Part = Literal["shape", "game", "version", "rule", "length", "value"]
"""The part of a code that is wrong; `shape`: it is not three parts with hyphens between."""

Fault = Literal["bad_code", "foreign_code", "unknown_game", "unknown_rule", "out_of_range"]

SHORT_LETTERS: Final = 7
MATCH_LETTERS: Final = 28
DECK_LETTERS: Final = MappingProxyType({(0, 1): 48, (1, 1): 50, (2, 1): 51, (0, 2): 118})
"""By the number of jokers and of decks: as few as hold all orders."""

SHORT_VALUES: Final = 1 << 32
MATCH_VALUES: Final = 1 << 128

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LONGEST_TEXT: Final = 200
"""Characters that are worth reading; the longest code has 124."""

# Only what people mean as the same letter: ASCII case, and the Turkish dotless and dotted I.
_FOLD: Final = {
    **{ord(letter.lower()): letter for letter in _LETTERS},
    0x0131: "I",
    0x0130: "I",
}
_DOT_ABOVE: Final = "\u0307"
# White space of every script, and the marks without width that come along when a code is copied from a page.
_AROUND: Final = (
    "".join(chr(point) for point in range(0x3001) if chr(point).isspace())
    + "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
)

_FIRST: Final = next(iter(GAMES.values()))
_FIRST_LETTER: Final = _FIRST.letter_of(next(iter(_FIRST.presets.values())))
# By the prefix of its codes; the sources' apps use the same ones.
_GAME_OF: Final = {game.prefix: game for game in GAMES.values()}

_VERSIONS: Final = ("2", "X")


class CodeError(ValueError):
    """A text that deals nothing: which part is wrong, a stable code, and one English sentence or two."""

    def __init__(self, part: Part, code: Fault, words: str) -> None:
        super().__init__(words)
        self.part = part
        self.code = code
        self.words = words


@dataclass(frozen=True, slots=True)
class DealCode:
    """A code that was read.

    `text` is canonical: however a code was typed, and with N for E, it is the same text. `game` is the name
    in GAMES, `version` is `1`, `2` or `X`, `letter` the rule's canonical letter or letters, `value` the number that
    the last part writes in base 26.
    """

    text: str
    game: str
    version: str
    letter: str
    value: int


def parse_code(text: str) -> DealCode:
    """Read a code as people paste it; white space around it and case don't matter. Raises CodeError."""
    trimmed = text.strip(_AROUND)
    if len(trimmed) > _LONGEST_TEXT:
        raise CodeError("length", "bad_code", "That is too long for a deal code.")
    folded = trimmed.translate(_FOLD).replace("I" + _DOT_ABOVE, "I")
    head, *rest = folded.split("-")
    prefix, version = head[:2], head[2:]
    foreign = head in FOREIGN
    if foreign and not any(code.startswith(head) for code in PUBLISHED):
        game = _GAME_OF[prefix]
        letter = game.letter_of(next(iter(game.presets.values())))
        raise _foreign(
            f"{head} codes come from a {game.title} app whose shuffle is not published, so their cards cannot be dealt "
            f"here. Use a code of ours instead, such as {short_code(1, game.name, letter)}."
        )
    if len(rest) != 2:
        raise CodeError("shape", "bad_code", "A deal code has three parts with hyphens between, like GO2-E-AAAAAAB.")
    letter, letters = rest
    if prefix not in _GAME_OF:
        known = ", ".join(f"{prefix} ({game.title})" for prefix, game in _GAME_OF.items())
        words = f"The code's first part names no game here; codes begin with {known}."
        raise CodeError("game", "unknown_game", words)
    if version not in _VERSIONS and not foreign:
        words = f"There are only {prefix}2 and {prefix}X codes here, and of others those whose deal is published."
        raise CodeError("version", "bad_code", words)
    game = _GAME_OF[prefix]
    if foreign:
        return _published(game, letter, letters)
    letter = _canonical(game, letter)
    value = _number(version, letters, game.jokers(game.rules_of(letter)), game.decks)
    return DealCode(f"{head}-{letter}-{letters}", game.name, version, letter, value)


def _foreign(words: str) -> CodeError:
    """Give the refusal of a code whose shuffle is another app's."""
    return CodeError("version", "foreign_code", words)


def _published(game: Game, letter: str, letters: str) -> DealCode:
    """Read a code of another app: a published deal, or foreign. Raises CodeError."""
    head = f"{game.prefix}1"
    deal = PUBLISHED.get(f"{head}-{letters}")
    if deal is None:
        known = ", ".join(deal.code for code, deal in PUBLISHED.items() if code.startswith(head)) or "none"
        raise _foreign(
            f"{head} codes come from an app whose shuffle is not published, so of them only those can be dealt here "
            f"whose cards are: {known}. Use a {game.prefix}2 code instead, or type the deal's 52 cards in."
        )
    canonical = _canonical(game, letter)
    if canonical not in deal.letters:
        instead = f"Use a {game.prefix}2 code instead."
        if not game.jokers(game.rules_of(canonical)):
            instead = f"Use {code_for_deck(game.name, canonical, deal.deck)}, the same cards."
        words = f"The app that {head} codes come from has no {canonical} in its codes. {instead}"
        raise CodeError("rule", "foreign_code", words)
    return DealCode(f"{head}-{canonical}-{letters}", game.name, "1", canonical, _from_letters(letters))


def _canonical(game: Game, letter: str) -> str:
    """Give the one letter of the rule that this letter names. Raises CodeError if it names none."""
    try:
        return game.letter_of(game.rules_of(letter))
    except ValueError:
        words = f"{game.title} has no such rule letter; {game.letters}."
        raise CodeError("rule", "unknown_rule", words) from None


def _number(version: str, letters: str, jokers: int, decks: int) -> int:
    """Read the last part of one of our codes. Raises CodeError for its letters, length or size."""
    if not letters or not set(letters) <= set(_LETTERS):
        raise CodeError("value", "bad_code", "The code's last part has letters A to Z only.")
    if version == "X":
        limits = {DECK_LETTERS[jokers, decks]: orders(jokers, decks)}
        wanted = f"{DECK_LETTERS[jokers, decks]} letters under its rule"
    else:
        limits = {SHORT_LETTERS: SHORT_VALUES, MATCH_LETTERS: MATCH_VALUES}
        wanted = "7 or 28 letters"
    if len(letters) not in limits:
        raise CodeError(
            "length",
            "bad_code",
            f"The last part of such a code has {wanted}, this has {len(letters)}.",
        )
    value = _from_letters(letters)
    if value >= limits[len(letters)]:
        raise CodeError("value", "out_of_range", "The code's last part is past the last deal that there is.")
    return value


def _from_letters(letters: str) -> int:
    """Read a base-26 number, A for 0, the most significant letter first."""
    value = 0
    for letter in letters:
        value = value * len(_LETTERS) + _LETTERS.index(letter)
    return value


def _to_letters(value: int, length: int, limit: int) -> str:
    """Write a base-26 number of a fixed length. Raises ValueError outside 0 to limit - 1."""
    if not 0 <= value < limit:
        raise ValueError("the value is out of the code's range")
    letters: list[str] = []
    for _ in range(length):
        value, digit = divmod(value, len(_LETTERS))
        letters.append(_LETTERS[digit])
    return "".join(reversed(letters))


def deck_of(code: DealCode) -> tuple[Card, ...]:
    """Give the code's cards in dealing order; of its rule only the jokers change them."""
    head, _, letters = code.text.split("-")
    if code.version == "1":
        return PUBLISHED[f"{head}-{letters}"].deck
    game = GAMES[code.game]
    jokers = game.jokers(game.rules_of(code.letter))
    if code.version == "X":
        return deck_of_rank(code.value, jokers, game.decks)
    # The key has the letters, not the number: short and long codes of one number are different deals.
    key = f"{head}-{jokers}-{letters}" if jokers else f"{head}-{letters}"
    return shuffled(key.encode("ascii"), jokers, game.decks)


def deal_of(code: DealCode) -> tuple[Game, Any, Table]:
    """Give the code's game, rules and dealt table."""
    game = GAMES[code.game]
    rules = game.rules_of(code.letter)
    return game, rules, game.deal(deck_of(code), rules)


def match_code(game: str, letter: str, value128: int) -> str:
    """Write the code of 28 letters, which a match draws. Raises ValueError for an unknown letter or value."""
    return _code(game, "2", letter, _to_letters(value128, MATCH_LETTERS, MATCH_VALUES))


SEALING: Final = 2
"""The derivation by which new matches get their deals; 1 knew no nonces."""


def sealed_code(
    game: str, letter: str, sealing: int, secret: str, nonces: Mapping[int, str], hole: int, attempt: int = 0
) -> str:
    """Write the code of a sealed match's hole by the derivation that the match was made with.

    `secret` and the nonces, by seat, are in hex; `attempt` counts the deals that were passed over, which the first
    derivation knows nothing of. Raises ValueError as `hole_value` and `mixed_hole_value` do.
    """
    if sealing == 1:
        return match_code(game, letter, hole_value(bytes.fromhex(secret), hole))
    given = {seat: bytes.fromhex(nonce) for seat, nonce in nonces.items()}
    return match_code(game, letter, mixed_hole_value(bytes.fromhex(secret), given, hole, attempt))


def short_code(value32: int, game: str = _FIRST.name, letter: str = _FIRST_LETTER) -> str:
    """Write the code of 7 letters. Raises ValueError for an unknown letter or value."""
    return _code(game, "2", letter, _to_letters(value32, SHORT_LETTERS, SHORT_VALUES))


def code_for_deck(game: str, letter: str, deck: Sequence[Card]) -> str:
    """Write the long code for any deck of the rule in dealing order. Raises CardsError or ValueError."""
    decks = GAMES[game].decks
    jokers = GAMES[game].jokers(GAMES[game].rules_of(letter))
    letters = _to_letters(rank_of_deck(deck, jokers, decks), DECK_LETTERS[jokers, decks], orders(jokers, decks))
    return _code(game, "X", letter, letters)


def _code(game: str, version: str, letter: str, letters: str) -> str:
    """Join the parts, with the rule's canonical letter."""
    rules = GAMES[game].rules_of(letter)
    return f"{GAMES[game].prefix}{version}-{GAMES[game].letter_of(rules)}-{letters}"
