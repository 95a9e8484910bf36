"""House players of Golf: legal, honest about what they can't see, and each as strong as its name says."""

import argparse
import json
from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.players_command import add_parser, compare, run
from server.rules import golf_players
from server.rules.cards import DECK, Card
from server.rules.codes import deal_of, parse_code, short_code
from server.rules.games import GAMES
from server.rules.golf import COLUMNS, EASY, STRICT, GolfRules
from server.rules.golf_players import GolfMind
from server.rules.players import STRENGTHS, Strength
from server.rules.table import STOCK, WASTE, Draw, Move, PileId, Play, Table, evolve

GOLF = GAMES["golf"]
Piles = dict[PileId, Sequence[str]]

strengths = st.sampled_from(STRENGTHS)
rules_of_golf = st.builds(GolfRules, st.booleans(), st.booleans(), st.booleans(), st.integers(0, 2), st.booleans())
values = st.integers(0, 2**32 - 1)


def sight(table: Table) -> Piles:
    """Give the board as its seat sees it."""
    return {**table.piles, STOCK: ("?",) * len(table.piles[STOCK])}


def deal(value: int, rules: GolfRules) -> Table:
    """Deal a code."""
    return deal_of(parse_code(short_code(value, letter=GOLF.letter_of(rules))))[2]


def position(waste: str, *columns: str, unseen: str = "") -> Piles:
    """Give a position: what is neither in a column nor unseen lies on the waste, `waste` on top."""
    named = {*" ".join(columns).split(), *unseen.split(), waste}
    under = [card for card in DECK if card not in named]
    piles: Piles = dict.fromkeys(COLUMNS, ())
    piles |= {column: cards.split() for column, cards in zip(COLUMNS, columns, strict=False)}
    return {**piles, WASTE: [*under, waste], STOCK: ["?"] * len(unseen.split())}


def run_of(mind: GolfMind, piles: Mapping[PileId, Sequence[str]]) -> list[str]:
    """Give the cards that a player plays before it draws, or has nothing to do."""
    board = {name: list(pile) for name, pile in piles.items()}
    played: list[str] = []
    while isinstance(move := mind.choose(board), Play):
        played.append(board[move.source].pop())
        board[WASTE].append(played[-1])
    return played


@settings(max_examples=settings().max_examples // 3)
@given(strengths, rules_of_golf, values)
def test_every_choice_is_legal_to_the_end(strength: Strength, rules: GolfRules, value: int) -> None:
    """A player makes legal moves until there is none, under every rule."""
    table = deal(value, rules)
    mind = GolfMind(strength, rules, Random(value).randrange)
    while (move := mind.choose(sight(table))) is not None:
        assert move in GOLF.moves(table, rules)
        table = evolve(table, GOLF.effects(table, move, rules))
    assert not GOLF.moves(table, rules)
    assert GOLF.outcome(table, rules) is not None


@settings(max_examples=settings().max_examples // 3)
@given(strengths, rules_of_golf, values, st.randoms(use_true_random=False))
def test_the_stocks_cards_change_nothing(strength: Strength, rules: GolfRules, value: int, shuffles: Random) -> None:
    """Whatever order the stock lies in, and whether its cards are named or not, the choice is the same."""
    table = deal(value, rules)
    shuffled = list(table.piles[STOCK])
    shuffles.shuffle(shuffled)

    def choices(stock: Sequence[str]) -> list[Move | None]:
        mind = GolfMind(strength, rules, Random(value).randrange)
        board: Piles = {**table.piles, STOCK: stock}
        chosen = [mind.choose(board)]
        if isinstance(move := chosen[0], Play):
            board = {**board, move.source: board[move.source][:-1]}
            board[WASTE] = [*board[WASTE], table.piles[move.source][-1]]
            chosen.append(mind.choose(board))
        return chosen

    assert choices(table.piles[STOCK]) == choices(shuffled) == choices(["?"] * len(shuffled))


def test_greedy_takes_any_card_that_plays() -> None:
    """Chance alone chooses among the plays; without one it draws."""
    board = position("5S", "KH 6S", "QD 4H", "2C", unseen="9C")
    for number, column in enumerate(COLUMNS[:2]):
        assert GolfMind("greedy", EASY, lambda _, n=number: n).choose(board) == Play(column, WASTE)
    assert GolfMind("greedy", EASY, lambda _: 0).choose(position("9S", "KH 6S", unseen="9C")) == Draw()


def test_searching_takes_the_longest_run() -> None:
    """Of 6 7 8 and 4 3 the longer is played, though the other comes first; round the corner too where that joins."""
    board = position("5S", "KH 3C 4H", "8C 7D 6S", "TD", unseen="9C")
    assert run_of(GolfMind("searching", EASY, Random(1).randrange), board) == ["6S", "7D", "8C"]
    corner = position("QS", "9D AS KC", "JD", unseen="4C")
    assert run_of(GolfMind("searching", EASY, Random(1).randrange), corner) == ["KC", "AS"]
    apart = GolfRules(queen_on_king=True, king_ace_joined=False, draw_only_when_stuck=False)
    assert len(run_of(GolfMind("searching", apart, Random(1).randrange), corner)) == 1


def test_counting_knows_what_is_missing() -> None:
    """Only a queen is unseen: the run that bares the king is worth more than the longer one."""
    board = position("5S", "7D 6S", "QD KH 4H", unseen="QC")
    assert run_of(GolfMind("searching", EASY, Random(1).randrange), board) == ["6S", "7D"]
    assert run_of(GolfMind("counting", EASY, Random(1).randrange), board) == ["4H"]
    # With a six missing instead, the longer run is the better one.
    other = position("5S", "7D 6S", "QD KH 4H", unseen="9C")
    assert run_of(GolfMind("counting", EASY, Random(1).randrange), other) == ["6S", "7D"]


def test_counting_may_draw_though_a_card_plays() -> None:
    """The six that plays now is the only way from one seven to the five under it, once the other seven is drawn."""
    board = position("5S", "6D", "5H 7H 8C", unseen="7C")
    assert run_of(GolfMind("searching", EASY, Random(1).randrange), board) == ["6D"]
    mind = GolfMind("counting", EASY, Random(1).randrange)
    assert mind.choose(board) == Draw()
    drawn: Piles = {**board, WASTE: [*board[WASTE], "7C"], STOCK: []}
    assert run_of(mind, drawn) == ["8C", "7H", "6D", "5H"]


def test_counting_stops_only_where_a_draw_is_legal() -> None:
    """Where draws are for the stuck only, a run is played until nothing plays."""
    board = position("5S", "7D 6S", "QD KH 4H", unseen="QC JC")
    mind = GolfMind("counting", STRICT, Random(1).randrange)
    played = run_of(mind, board)
    assert played in (["4H"], ["6S", "7D"])
    left = {name: list(pile) for name, pile in board.items()}
    for card in played:
        next(pile for pile in left.values() if pile and pile[-1] == card).pop()
    piles = {name: tuple(pile) for name, pile in left.items()}
    assert GOLF.moves(Table({**piles, WASTE: (Card(played[-1]),), STOCK: (Card("QC"),)}, {}), STRICT) == (Draw(),)


def test_a_mind_goes_on_to_another_deal() -> None:
    """What was worked out for one board is not believed of another."""
    mind = GolfMind("searching", EASY, Random(1).randrange)
    assert run_of(mind, position("5S", "KH 3C 4H", "8C 7D 6S", unseen="9C")) == ["6S", "7D", "8C"]
    assert run_of(mind, position("5S", "2H 3C 4H", "8C 9D 6S", unseen="9C")) == ["4H", "3C", "2H"]


def test_a_card_face_down_elsewhere_is_an_error() -> None:
    """Golf hides nothing but its stock: a board that does is not Golf's."""
    with pytest.raises(ValueError, match="face down"):
        GolfMind("greedy", EASY, lambda _: 0).choose({**position("5S", "4H"), COLUMNS[0]: ["?", "4H"]})


@pytest.mark.parametrize(("limit", "most"), [("_MOST_STATES", 3), ("_MOST_KEPT", 0), ("_TRIED", 1)])
def test_bounded_thought_is_still_legal(monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    """Where a bound cuts thinking short, the moves are as legal, and the hole comes to its end."""
    monkeypatch.setattr(golf_players, limit, most)
    for value in range(6):
        table = deal(value, EASY)
        mind = GolfMind("counting", EASY, Random(value).randrange)
        while (move := mind.choose(sight(table))) is not None:
            assert move in GOLF.moves(table, EASY)
            table = evolve(table, GOLF.effects(table, move, EASY))
        assert GOLF.outcome(table, EASY) is not None


def test_each_strength_beats_the_one_before() -> None:
    """Over 60 deals each takes at least a stroke fewer a deal than the one before it."""
    greedy, searching, counting = compare(GOLF, 60, EASY)
    assert greedy.better_by is None
    for one in (searching, counting):
        assert one.better_by is not None
        assert one.better_by.mean >= 1
    assert greedy.cleared < searching.cleared < counting.cleared


def call(*words: str) -> int:
    """Run `fairway players` with these words."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return run(parser.parse_args(["players", *words]))


def test_the_command_prints_a_line_a_strength(capsys: pytest.CaptureFixture[str]) -> None:
    """As text and as JSON the command tells the same means."""
    assert call("--deals", "3", "--rule", "strict", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["game"], answer["rule"], answer["deals"]) == ("golf", "strict", 3)
    assert [one["strength"] for one in answer["players"]] == list(STRENGTHS)
    assert call("--deals", "3", "--rule", "strict") == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert "GO2-S-AAAAAAA to GO2-S-AAAAAAC" in head
    for line, one in zip(lines, answer["players"], strict=True):
        assert line.split()[:2] == [one["strength"], f"{one['score']['mean']:.2f}"]


@pytest.mark.parametrize("words", ["--deals 1", "--deals x", "--deals -5", "--rule sloppy", "--game go"])
def test_the_command_refuses_in_one_line(capsys: pytest.CaptureFixture[str], words: str) -> None:
    """What can't be played is refused in one line."""
    assert call(*words.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1
