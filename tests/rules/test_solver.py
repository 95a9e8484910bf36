"""The solver against a second search, hand-made positions and published figures; all its lines are followed."""

import itertools
import os
import random
from dataclasses import replace

import pytest
from rules_helpers import golf_table
from solver_naive import Piles, best_score, end_of_line

from server.rules.cards import DECK, JOKERS, parse_cards
from server.rules.codes import deal_of, parse_code, short_code
from server.rules.golf import CLASSIC, COLUMNS, EASY, STRICT, Golf, GolfRules
from server.rules.published import PUBLISHED
from server.rules.solver import MOST_STOCK, Solution, solve, solve_table
from server.rules.table import STOCK, WASTE, Draw, Play, Table, evolve

GOLF = Golf()
LONG = bool(os.environ.get("FAIRWAY_LONG"))
BOOLS = (False, True)
RULES = {
    "easy": EASY,
    "classic": CLASSIC,
    "strict": STRICT,
    "strict, free draws": replace(STRICT, draw_only_when_stuck=False),
}
VARIANTS = [
    GolfRules(*fields, jokers=jokers, empty_start=empty)
    for *fields, empty in itertools.product(BOOLS, repeat=4)
    for jokers in (0, 1, 2)
]


def checked(piles: Piles, rules: GolfRules) -> Solution:
    """Solve; the line must be legal and end the hole at the score that is claimed."""
    solution = solve(*piles, rules)
    how = "cleared" if solution.cleared else "stuck"
    assert end_of_line(piles, rules, solution.line) == (how, solution.best)
    return solution


def follow_in_golf(table: Table, rules: GolfRules) -> Solution:
    """Solve; the line must be legal to Golf itself, and end the hole at the score that is claimed."""
    solution = solve_table(table, rules)
    for move in solution.line:
        assert move in GOLF.moves(table, rules)
        table = evolve(table, GOLF.effects(table, move, rules))
    outcome = GOLF.outcome(table, rules)
    assert outcome == ("cleared" if solution.cleared else "stuck")
    assert GOLF.score(table, outcome, rules).traditional == solution.best
    return solution


def piles_of(table: Table) -> Piles:
    """Give a table's piles as the solver takes them."""
    return [table.piles[column] for column in COLUMNS], table.piles[WASTE], table.piles[STOCK][::-1]


def dealt(value: int) -> Table:
    """Deal the short code of a number."""
    return deal_of(parse_code(short_code(value)))[2]


def random_piles(source: random.Random, rules: GolfRules, columns: int, height: int, stock: int) -> Piles:
    """Deal a small game: kings, queens and aces more often than others, and the jokers anywhere."""
    ranks = source.choice(["QKA2", "JQKA23", "TJQKA", "A23456789TJQK"])
    cards = [*source.sample([card for card in DECK if card[0] in ranks], min(len(ranks) * 4, 40)), *DECK]
    cards = cards[: columns * height + stock + 1 - rules.jokers] + list(JOKERS[: rules.jokers])
    source.shuffle(cards)
    dealt_columns = [[cards.pop() for _ in range(source.randint(0, height))] for _ in range(columns)]
    waste = [] if rules.empty_start else [cards.pop()]
    return dealt_columns, waste, cards[:stock]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_agrees_with_a_second_search(rules: GolfRules) -> None:
    """Under all 48 combinations of variant fields both searches give small deals the same score."""
    source = random.Random(str(rules))
    for _ in range(200 if LONG else 12):
        piles = random_piles(source, rules, source.randint(1, 5), source.randint(1, 4), source.randint(0, 6))
        assert checked(piles, rules).best == best_score(piles, rules), piles
    for _ in range(5 if LONG else 1):
        piles = random_piles(source, rules, 7, 2, 7)
        assert checked(piles, rules).best == best_score(piles, rules), piles


def test_agrees_on_full_strict_deals() -> None:
    """Where a draw is forced few positions are reachable, so that whole deals can be searched twice."""
    for value in range(500 if LONG else 6):
        for rules in (STRICT, replace(EASY, draw_only_when_stuck=True)):
            table = dealt(value)
            assert follow_in_golf(table, rules).best == best_score(piles_of(table), rules)


def test_agrees_on_full_deals_with_free_draws() -> None:
    """The same without forced draws; a second search of one deal takes seconds."""
    for value, rules in enumerate([CLASSIC, EASY, CLASSIC, CLASSIC, EASY] if LONG else [CLASSIC]):
        table = dealt(value)
        assert follow_in_golf(table, rules).best == best_score(piles_of(table), rules)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_lines_of_full_deals(rules: GolfRules) -> None:
    """Every line of a full deal can be played in Golf, to the score that is claimed."""
    for value in range(1000, 1500 if LONG else 1010):
        follow_in_golf(dealt(value), rules)


@pytest.mark.parametrize("draw_only_when_stuck", BOOLS)
@pytest.mark.parametrize("empty_start", BOOLS)
def test_lines_of_full_deals_with_jokers(draw_only_when_stuck: bool, empty_start: bool) -> None:
    """Full decks of 54, of 18 or 19 stock cards, are dealt, and have lines that Golf itself allows."""
    source = random.Random(54)
    rules = GolfRules(False, False, draw_only_when_stuck, jokers=2, empty_start=empty_start)
    for _ in range(50 if LONG else 2):
        cards = [*DECK, *JOKERS]
        source.shuffle(cards)
        table = GOLF.deal(cards, rules)
        assert len(table.piles[STOCK]) == (19 if empty_start else 18)
        checked(piles_of(table), rules)
        follow_in_golf(table, rules)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_variants_code_is_solved(rules: GolfRules) -> None:
    """The code of each of the 48 combinations deals a hole whose line Golf allows, no better than the whole stock."""
    code = parse_code(short_code(48, letter=GOLF.letter_of(rules)))
    _, dealt_rules, table = deal_of(code)
    assert dealt_rules == rules
    assert follow_in_golf(table, rules).best >= -len(table.piles[STOCK])


def test_the_published_deal() -> None:
    """The stored line leaves three stock cards; the best can be no worse, and is what it always was."""
    deal = PUBLISHED["GO1-AAAAAAB"]
    table = GOLF.deal(deal.deck, EASY)
    bests = {name: follow_in_golf(table, rules).best for name, rules in RULES.items()}
    assert bests["easy"] <= -3
    assert bests == {"easy": -8, "classic": -7, "strict": -7, "strict, free draws": -7}


def test_more_freedom_never_costs() -> None:
    """Of the same cards Easy gives no worse a score than Classic, and that no worse than Strict."""
    for value in range(40 if LONG else 8):
        easy, classic, strict, free = (solve_table(dealt(value), rules).best for rules in RULES.values())
        assert easy <= classic <= free <= strict


@pytest.mark.parametrize(
    ("columns", "waste", "stock", "rules", "best"),
    [
        ([], "4S", "", STRICT, 0),
        ([], "4S", "KS QS", STRICT, -2),
        (["5S"], "4S", "", STRICT, 0),
        (["5S"], "4S", "KS QS", EASY, -2),
        (["9S"], "4S", "", EASY, 1),
        (["9S"], "4S", "8S 2S", EASY, -1),
        (["QS"], "KS", "", EASY, 0),
        (["QS"], "KS", "", CLASSIC, 0),
        (["QS"], "KS", "", STRICT, 1),
        (["KS"], "QS", "", STRICT, 0),
        (["AS"], "KS", "", EASY, 0),
        (["KS"], "AS", "", EASY, 0),
        (["AS"], "KS", "", CLASSIC, 1),
        (["KS"], "AS", "", CLASSIC, 1),
        # Held back until the 4 comes, the 5 bridges to the 6. Forced out at once it can't.
        (["5S", "6S TS"], "4S", "9S 4H", EASY, 0),
        (["5S", "6S TS"], "4S", "9S 4H", STRICT, 1),
        # The covered 9 waits under the 2, so both draws are needed.
        (["9S 2S"], "6S", "3S 8S 5H", CLASSIC, -1),
    ],
)
def test_by_hand(columns: list[str], waste: str, stock: str, rules: GolfRules, best: int) -> None:
    """Positions that one can solve by looking at them."""
    solution = follow_in_golf(golf_table(columns, waste, stock), rules)
    assert solution.best == best
    assert solution.cleared == (best <= 0)


J1, J2 = JOKERS
STRICT_JOKERS = replace(STRICT, jokers=2)
EMPTY = replace(STRICT, empty_start=True)


@pytest.mark.parametrize(
    ("columns", "waste", "stock", "rules", "best"),
    [
        ([[J1]], ["KS"], ["2S"], STRICT_JOKERS, -1),  # on a king in Strict too
        ([["9S"]], [J1], ["2S"], STRICT_JOKERS, -1),  # anything plays on it
        ([[J1, "9S"]], ["2S"], [], STRICT_JOKERS, 2),  # left in the columns it counts 1
        ([["9S"]], ["2S"], [J1, J2], STRICT_JOKERS, -1),  # drawn
        ([[J1], [J2], ["9S"]], ["2S"], [], STRICT_JOKERS, 0),  # joker on joker
        # An exposed joker, and one on the waste, means that a play exists: no waiting for the 8.
        ([["4S", "9S"], [J1]], ["KS"], ["8S"], STRICT_JOKERS, 1),
        ([["4S", "9S"], [J1]], ["KS"], ["8S"], replace(STRICT_JOKERS, draw_only_when_stuck=False), 0),
        ([[J1, "4S"], ["9S"], ["6S"]], ["3S"], ["QS"], STRICT_JOKERS, 1),  # one bridge for two cards
        ([["2S"]], [], ["9S"], EMPTY, -1),  # the first play is any exposed card
        ([["5S"], ["9S"]], [], ["8S", "4S"], EMPTY, -1),
        ([[J1], ["9S"]], [], ["KS"], replace(EMPTY, jokers=1), -1),
    ],
)
def test_jokers_and_an_empty_start_by_hand(
    columns: list[list[str]], waste: list[str], stock: list[str], rules: GolfRules, best: int
) -> None:
    """The same with cards that no deck has yet, and without a first waste card."""
    assert checked((columns, waste, stock), rules).best == best


def test_nothing_is_drawn_onto_an_empty_waste() -> None:
    """The first move of an empty start is a play, even where a draw first would be as good."""
    rules = replace(EASY, empty_start=True)
    solution = checked(([["2S"], ["9S"]], [], parse_cards("8S")), rules)
    assert solution == Solution(0, True, (Play("column.1", "waste"), Draw(), Play("column.2", "waste")))


def test_a_line_draws_late() -> None:
    """Where the order doesn't matter the plays come first."""
    line = checked(([parse_cards("9S 5S")], parse_cards("4S"), parse_cards("8S")), EASY).line
    assert line == (Play("column.1", "waste"), Draw(), Play("column.1", "waste"))


def test_a_stuck_line_goes_to_the_end() -> None:
    """A hole is stuck only with an empty stock, so the line draws all of it."""
    solution = checked(([parse_cards("9S")], parse_cards("4S"), parse_cards("2S 3S")), EASY)
    assert solution == Solution(1, False, (Draw(), Draw()))


def test_the_largest_stock() -> None:
    """The last stock card has a bit too, whichever way one draws."""
    stock = [*["2S"] * (MOST_STOCK - 1), "8S"]
    for rules in RULES.values():
        assert checked(([["9S"]], ["5S"], stock), rules) == Solution(
            0, True, (*[Draw()] * MOST_STOCK, Play("column.1", "waste"))
        )


@pytest.mark.parametrize(
    ("columns", "waste", "stock", "rules", "words"),
    [
        ([[]] * 8, ["2S"], [], EASY, "seven columns"),
        ([["2S"] * 6], ["2S"], [], EASY, "five cards"),
        ([], ["2S"], ["2S"] * (MOST_STOCK + 1), EASY, "stock cards"),
        ([], [], [], EASY, "empty start"),
        ([["1S"]], ["2S"], [], EASY, "'1S' is not a card"),
        ([[J1]], ["2S"], [J2], replace(EASY, jokers=1), "more jokers than the 1"),
        ([], [J1], [], EASY, "more jokers than the 0"),
    ],
)
def test_what_cannot_be_solved(
    columns: list[list[str]], waste: list[str], stock: list[str], rules: GolfRules, words: str
) -> None:
    """Piles that the rules don't deal are refused, and the words say which."""
    with pytest.raises(ValueError, match=words):
        solve(columns, waste, stock, rules)
