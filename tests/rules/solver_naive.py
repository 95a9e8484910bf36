"""A second solver and a second judge of lines, written from the rule text: they share no code with the first.

The search goes depth first over piles of rank letters and remembers what each position is worth.
"""

from collections.abc import Sequence

from server.rules.golf import GolfRules
from server.rules.table import Draw, Move, Play

RING = "A23456789TJQK"
JOKER = "*"
TOPS = ["", JOKER, *RING]
Piles = tuple[Sequence[Sequence[str]], Sequence[str], Sequence[str]]
"""Columns, deepest card first; the waste, its top last; the stock, first drawn first."""


def plays(waste: str, card: str, rules: GolfRules) -> bool:
    """Say whether a card plays on a waste, both by their rank letters; an empty waste is the empty text."""
    if waste == "" or JOKER in (waste, card):
        return True
    if waste == "K" and card == "Q":
        return rules.queen_on_king
    if waste + card in ("AK", "KA"):
        return rules.king_ace_joined
    return waste + card in RING or card + waste in RING


def best_score(piles: Piles, rules: GolfRules) -> int:
    """Give the lowest reachable traditional score."""
    columns, waste, stock = piles
    known: dict[int, int] = {}
    deck = "".join(card[0] for card in stock)
    takes = {(top, card): plays(top, card, rules) for top in ("", JOKER, *RING) for card in (JOKER, *RING)}

    def worth(columns: tuple[str, ...], drawn: int, top: str) -> int:
        # One number, since a full deal has millions of positions: only how high the columns are changes.
        key = drawn * 16 + TOPS.index(top)
        for column in columns:
            key = key * 6 + len(column)
        if key not in known:
            known[key] = work_out(columns, drawn, top)
        return known[key]

    def work_out(columns: tuple[str, ...], drawn: int, top: str) -> int:
        lowest = drawn - len(deck)
        if not any(columns):
            return lowest
        ends = []
        for number, column in enumerate(columns):
            if column and takes[top, column[-1]]:
                ends.append(worth((*columns[:number], column[:-1], *columns[number + 1 :]), drawn, column[-1]))
                if ends[-1] == lowest:
                    return lowest
        may_draw = drawn < len(deck) and top != "" and not (ends and rules.draw_only_when_stuck)
        if may_draw:
            ends.append(worth(columns, drawn + 1, deck[drawn]))
        return min(ends, default=sum(map(len, columns)))

    start = tuple("".join(card[0] for card in column) for column in columns)
    return worth(start, 0, waste[-1][0] if waste else "")


def end_of_line(piles: Piles, rules: GolfRules, line: Sequence[Move]) -> tuple[str, int]:
    """Follow a line, each move of which must be legal; give how the hole ended and its traditional score."""
    columns = [list(column) for column in piles[0]]
    top = piles[1][-1] if piles[1] else ""
    stock = list(piles[2])

    def exposed_plays() -> bool:
        return any(plays(top[:1], column[-1][0], rules) for column in columns if column)

    for move in line:
        assert any(columns), "the hole was over"
        if isinstance(move, Play):
            assert (move.target, move.count) == ("waste", 1)
            card = columns[int(move.source[-1]) - 1].pop()
            assert plays(top[:1], card[0], rules), (top, card)
            top = card
        else:
            assert move == Draw()
            assert top, "nothing is drawn onto an empty waste"
            assert not (rules.draw_only_when_stuck and exposed_plays())
            top = stock.pop(0)
    if not any(columns):
        return "cleared", -len(stock)
    assert not stock
    assert not exposed_plays()
    return "stuck", sum(map(len, columns))
