"""Cards: how they are read, and what makes a deck."""

import pytest

from server.rules.cards import DECK, RANKS, CardsError, check_deck, is_card, parse_cards, rank, suit


def test_deck_order() -> None:
    """The deck order is spades, hearts, diamonds, clubs, each ace to king."""
    assert " ".join(DECK) == (
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH "
        "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    )


def test_ranks_and_suits() -> None:
    """Ranks count from ace 1 to king 13, and the suit is the second letter."""
    assert [rank(card) for card in parse_cards("AS 2H 9C TD JS QH KC")] == [1, 2, 9, 10, 11, 12, 13]
    assert [suit(card) for card in parse_cards("AS 2H 9C TD")] == ["S", "H", "C", "D"]
    assert len(RANKS) == 13


@pytest.mark.parametrize(
    "text",
    [
        "TH KS AC",
        "10H,KS,AC",
        "th\tks\nac",
        "10♥ K♠ A♣",
        "10♡, k♤, a♧",
        " TH,,KS\r\n AC ",
        "10♥\ufe0f K♠\ufe0e AC",
    ],
)
def test_ways_to_write_cards(text: str) -> None:
    """Ten as T or 10, any case, suit signs, and white space or commas between all read as the same cards."""
    assert parse_cards(text) == ("TH", "KS", "AC")


def test_no_cards() -> None:
    """Text without words holds no cards."""
    assert parse_cards(" \n") == ()


@pytest.mark.parametrize("word", ["1H", "HT", "ZZ", "10", "T", "AHS", "110H", "KI", "KS;QS", "İS", "?", "A\u2006S"])
def test_a_word_that_is_no_card(word: str) -> None:
    """A word that is no card is refused and named."""
    with pytest.raises(CardsError) as refused:
        parse_cards(f"AS {word} KS")
    assert refused.value.code == "bad_card"
    assert repr(word.split()[0]) in refused.value.detail
    assert str(refused.value) == refused.value.detail


def test_a_long_word_is_cut() -> None:
    """A long word is quoted only at its beginning, and on one line."""
    with pytest.raises(CardsError) as refused:
        parse_cards("X" * 5000)
    assert len(refused.value.detail) < 120
    with pytest.raises(CardsError) as refused:
        parse_cards("A\x00\x1b[31m")
    assert refused.value.detail.isprintable()


def test_a_whole_deck_passes() -> None:
    """The 52 cards in any order are a deck."""
    check_deck(DECK)
    check_deck(DECK[::-1])


@pytest.mark.parametrize(
    ("cards", "code", "named"),
    [
        (DECK[:51], "wrong_count", "51"),
        ((), "wrong_count", "0"),
        ((*DECK[:51], "TH"), "card_twice", "TH"),
        ((*DECK, "QD"), "card_twice", "QD"),
        ((*DECK[:51], "XX"), "bad_card", "XX"),
        ((*DECK[:51], "??" * 400), "bad_card", "?"),
    ],
)
def test_what_is_no_deck(cards: tuple[str, ...], code: str, named: str) -> None:
    """A missing, doubled or unknown card is refused with the card or the count in its words."""
    with pytest.raises(CardsError, match=f".*{'[?]' if named == '?' else named}") as refused:
        check_deck(cards)
    assert refused.value.code == code
    assert len(refused.value.detail) < 100


def test_is_card() -> None:
    """Only a card exactly as it is written here is a card."""
    assert is_card("TH")
    assert not any(is_card(word) for word in ("10H", "th", "", None, 5, ["TH"]))
