"""Cards are two characters, rank and suit, and a mark for those of a second deck; a deck is a sequence of them.

Knows how cards are written and which make a deck, with jokers or without, one or two of them. Knows no game, no piles, no
shuffle.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final, Literal, NewType

Card = NewType("Card", str)
"""Rank then suit, upper case: `AS`, `TH`, `KC`. The ten is `T`. A joker is `*1` or `*2`.

Where two decks are played with, each card of the second has a `2` behind it: `AS2` looks like `AS` and is another card.
"""

RANKS: Final = "A23456789TJQK"
"""Ranks in order, ace first; a card's rank number is its place here, from 1."""

SUITS: Final = "SHDC"
"""Spades, hearts, diamonds, clubs: the order of the deck before it is shuffled."""

DECK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The fixed deck order of docs/deals.md: spades A to K, then hearts, diamonds, clubs."""

JOKERS: Final = (Card("*1"), Card("*2"))
"""Jokers, which have no rank and no suit: `rank` and `suit` are of the 52 cards only."""

SECOND: Final = "2"
"""What stands behind the cards of a second deck."""

TWO_DECKS: Final[tuple[Card, ...]] = (*DECK, *(Card(card + SECOND) for card in DECK))
"""The fixed order of two decks: all of the first, then all of the second."""

_DECKS: Final = MappingProxyType(
    {
        (jokers, decks): (*cards, *JOKERS[:jokers])
        for decks, cards in ((1, DECK), (2, TWO_DECKS))
        for jokers in range(len(JOKERS) + 1)
    }
)
_SETS: Final = MappingProxyType({which: frozenset(deck) for which, deck in _DECKS.items()})
_RANK_OF: Final = MappingProxyType({card: RANKS.index(card[0]) + 1 for card in TWO_DECKS})

# Plain ASCII upper case only: a locale's or Unicode's folding has no business among cards.
_ASCII_UPPER: Final = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}
_SUIT_SIGNS: Final = {
    ord(sign): suit for signs, suit in (("♠♤", "S"), ("♥♡", "H"), ("♦♢", "D"), ("♣♧", "C")) for sign in signs
}
# Phones put a variation selector behind a suit sign; it changes the look, not the card.
_FOLD: Final = {**_ASCII_UPPER, **_SUIT_SIGNS, 0xFE0E: None, 0xFE0F: None, ord(","): " "}

_SHOWN_CHARACTERS: Final = 12
"""How much of a word that is no card is quoted back: input may be long."""


class CardsError(ValueError):
    """Text or cards that make no deck; `params` has the `card` or the `count`.

    `code` is stable: `bad_card`, `wrong_count` or `card_twice`. `detail` is one English sentence that names
    the card or the count; it is also the exception's text.
    """

    def __init__(
        self, code: Literal["bad_card", "wrong_count", "card_twice"], detail: str, **params: str | int
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.params = params


def deck_with(jokers: int, decks: int = 1) -> tuple[Card, ...]:
    """Give the fixed order of one deck or two, with so many jokers, 0 to 2, behind the last king of clubs."""
    return _DECKS[jokers, decks]


def rank(card: Card) -> int:
    """Give the rank number, 1 for an ace to 13 for a king."""
    return _RANK_OF[card]


def suit(card: Card) -> str:
    """Give the suit's letter: S, H, D or C."""
    return card[1]


def is_card(text: object) -> bool:
    """Say whether this is exactly a card as it is written here, such as `TH`, `TH2` or `*1`."""
    return isinstance(text, str) and (text in _RANK_OF or text in JOKERS)


def parse_cards(text: str, decks: int = 1) -> tuple[Card, ...]:
    """Read cards, in order, from text with white space or commas between them.

    `TH`, `10H`, `th` and `10♥` all read as the ten of hearts; jokers are `*1` and `*2`. With two `decks` a card that comes
    again without a mark is the second deck's. Raises
    `CardsError("bad_card")`, which names the first word that is no card. Says nothing about how many there
    are: see `check_deck`.
    """
    cards: list[Card] = []
    for word in text.translate(_FOLD).split():
        card = Card("T" + word[2:] if word.startswith("10") else word)
        if decks > 1 and card in DECK and card in cards:
            card = Card(card + SECOND)
        if not is_card(card):
            shown = word if len(word) <= _SHOWN_CHARACTERS else word[:_SHOWN_CHARACTERS] + "..."
            raise CardsError(
                "bad_card", f"{shown!r} is not a card; cards are written like AS, 10H or TH.", card=shown
            )
        cards.append(card)
    return tuple(cards)


def check_deck(cards: Sequence[Card], jokers: int = 0, decks: int = 1) -> None:
    """Make sure that these are the 52 cards, or those of two decks, and so many jokers, each once, in whatever order.

    Raises `CardsError`: `bad_card`, `card_twice` (checked before the count, since it can name the card) or
    `wrong_count`.
    """
    deck = _SETS[jokers, decks]
    seen: set[Card] = set()
    for card in cards:
        if card not in deck:
            shown = str(card)[:_SHOWN_CHARACTERS]
            what = "is a joker, which this rule's deck hasn't" if card in JOKERS else "is not a card"
            raise CardsError("bad_card", f"{shown!r} {what}.", card=shown)
        if card in seen:
            raise CardsError("card_twice", f"{card} is there twice.", card=card)
        seen.add(card)
    if len(seen) != len(deck):
        words = f"A deal takes {len(deck)} cards under this rule, here are {len(seen)}."
        raise CardsError("wrong_count", words, count=len(seen), wanted=len(deck))
