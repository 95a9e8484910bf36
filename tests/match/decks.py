"""Deals laid out by hand, as codes that a host could type. They know the layout and no rule."""

from server.rules.cards import DECK, parse_cards
from server.rules.codes import code_for_deck


def code_of(columns: list[str], waste: str, stock: str = "", letter: str = "E", last: str = "") -> str:
    """Return the code of a deal: columns deepest card first, the stock's first card drawn first.

    What the columns and the stock lack is filled with the cards that are named nowhere, under a column's cards and
    behind the stock's; `last` is drawn last.
    """
    named = [parse_cards(column) if column else () for column in columns] + [()] * (7 - len(columns))
    top, drawn = parse_cards(waste), parse_cards(stock) if stock else ()
    end = parse_cards(last) if last else ()
    used = {card for pile in (*named, top, drawn, end) for card in pile}
    rest = [card for card in DECK if card not in used]
    deck = []
    for pile in named:
        missing = 5 - len(pile)
        deck += [*rest[:missing], *pile]
        rest = rest[missing:]
    return code_for_deck("golf", letter, [*deck, *top, *drawn, *rest, *end])


# Seven plays follow one another without a draw, and each of the first draws has one on it.
BUSY = code_of(
    ["AS 6S 6H 6D 6C", "2S 8S 8H 8D 8C", "3S 4S 7S 7H 7D", "", "", "", "KS QS JS TS KH"],
    "7C",
    "5S 9S 5H 9H 5D 9D 5C 9C",
)

_RANKS = "A23456789TJQK"


def _rising() -> list[str]:
    """Return 36 cards, each one rank above the one before, ace after king; the first lies on the waste."""
    return [_RANKS[place % 13] + "SHD"[place // 13] for place in range(36)]


def clearable(letter: str = "E") -> str:
    """Return a deal that thirty-five plays clear under Easy, column by column, without a draw."""
    run = _rising()
    columns = [" ".join(reversed(run[5 * n + 1 : 5 * n + 6])) for n in range(7)]
    return code_of(columns, run[0], letter=letter)


# Nothing plays at the start, nor on the last stock card: sixteen draws lead to being stuck, and on the way
# nothing needs to be played. On the first card drawn one card plays.
BARREN = code_of(
    ["AS", "AH", "AD", "AC", "KS", "KH", "3S"],
    "7C",
    "4S 7S 7H 7D 6S 6H 6D 6C 8S 8H 8D 8C 9S 9H 9D 9C",
)
# As above, and a play on the very last stock card: it can be taken back after being stuck.
LAST_PLAY = code_of(
    ["AS", "AH", "AD", "AC", "KS", "KH", "TS"],
    "7C",
    "7S 7H 7D 6S 6H 6D 6C 8S 8H 8D 8C 5S 5H 5D 9C 9S",
)

_FIFTEEN = ["6S 5S 4S 3S 2S", "JS TS 9S 8S 7S", "3H 2H AH KS QS"]
"""Three columns that fifteen plays clear, on the ace of spades."""
# Stuck with 17 removed, by a play on the last stock card after sixteen plays; and by the last draw after seventeen.
STUCK_BY_PLAY = code_of([*_FIFTEEN, "5H 9H 4H", "KH", "KD", "KC"], "AS", last="8H")
STUCK_BY_DRAW = code_of([*_FIFTEEN, "9H 5H 4H", "KH", "KD", "KC"], "AS", last="5C")
