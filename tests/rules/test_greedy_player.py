"""The house player for any game: legal, honest about what it can't see, and at an end where a game goes in circles."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.rules.base import Game
from server.rules.cards import parse_cards
from server.rules.codes import deal_of, parse_code, short_code
from server.rules.foundations import FOUNDATIONS
from server.rules.games import GAMES, mind_of
from server.rules.greedy_player import GreedyMind
from server.rules.table import HIDDEN, STOCK, Draw, Move, PileId, Play, Table, evolve

CANFIELD = GAMES["canfield"]
DRAW_THREE = CANFIELD.presets["draw_three"]


def sight(table: Table) -> dict[PileId, Sequence[str]]:
    """Give the board as its seat sees it."""
    down = {name: table.face_down.get(name, 0) for name in table.piles} | {STOCK: len(table.piles.get(STOCK, ()))}
    return {name: (*[HIDDEN] * down[name], *pile[down[name] :]) for name, pile in table.piles.items()}


def canfield(columns: Sequence[str], reserve: str = "", waste: str = "", stock: str = "", home: str = "AS") -> Table:
    """Give a position of Canfield; the reserve's last card is open, the stock's first is drawn first."""
    piles: dict[PileId, Sequence[str]] = dict.fromkeys(FOUNDATIONS, ())
    piles |= {PileId(f"foundation.{cards[0][1]}"): cards for cards in [parse_cards(home)]}
    piles |= {PileId(f"column.{number}"): parse_cards(column) for number, column in enumerate(columns, 1)}
    piles |= {PileId("reserve"): parse_cards(reserve), PileId("waste"): parse_cards(waste)}
    return Table({**piles, STOCK: parse_cards(stock)[::-1]}, {PileId("reserve"): max(0, len(reserve.split()) - 1)})


def chosen(table: Table) -> Move | None:
    """Give the first move of a fresh mind."""
    return GreedyMind(CANFIELD, DRAW_THREE, lambda _: 0).choose(sight(table))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@settings(max_examples=max(3, settings().max_examples // 20))
@given(st.integers(0, 2**32 - 1), st.data())
def test_every_choice_is_legal_to_the_end(game: Game, value: int, data: st.DataObject) -> None:
    """It makes legal moves until it has none left to make: where loss is declared, not before that."""
    rules = data.draw(st.sampled_from(list(game.presets.values())))
    table = deal_of(parse_code(short_code(value, game.name, game.letter_of(rules))))[2]
    mind = mind_of(game, "greedy", rules, Random(value).randrange)
    for _ in range(game.most_actions):
        move = mind.choose(sight(table))
        if move is None:
            break
        assert move in game.moves(table, rules)
        table = evolve(table, game.effects(table, move, rules))
    assert move is None
    if game.declares_loss:
        assert game.outcome(table, rules) is not None


@settings(max_examples=max(3, settings().max_examples // 20))
@given(st.sampled_from(["canfield", "russian"]), st.integers(0, 2**32 - 1))
def test_hidden_cards_change_nothing(name: str, value: int) -> None:
    """Whether the stock's cards are named or not, and whatever lies face down, the choice is the same."""
    game = GAMES[name]
    rules = next(iter(game.presets.values()))
    table = deal_of(parse_code(short_code(value, name, game.letter_of(rules))))[2]
    named: Mapping[PileId, Sequence[str]] = {**sight(table), STOCK: table.piles.get(STOCK, ())}
    for board in (sight(table), named):
        assert GreedyMind(game, rules, Random(value).randrange).choose(board) == GreedyMind(
            game, rules, Random(value).randrange
        ).choose(sight(table))


def test_what_pays_goes_first() -> None:
    """A card goes home before a column is cleared for the reserve, that before a card of the waste, that before a draw."""
    columns = ["9C 8D", "7S", "KC", "5D"]
    stock = "4C 6C 9S"
    assert chosen(canfield(columns, "JC 2S", "6D", stock)) == Play(PileId("reserve"), PileId("foundation.S"))
    assert chosen(canfield(columns, "JC 3S", "6D", stock)) == Play(PileId("column.2"), PileId("column.1"))
    assert chosen(canfield(["9C 8D", "TS", "KC", "5D"], "JC 3S", "7S", stock)) == Play(
        PileId("waste"), PileId("column.1")
    )
    assert chosen(canfield(["9C 8D", "TS", "KC", "5D"], "JC 3S", "6D", stock)) == Draw()


def test_a_card_is_not_taken_back() -> None:
    """What costs points is left out, though it is legal."""
    table = canfield(["3D", "KC", "TS", "8H"], home="AS 2S")
    assert Play(PileId("foundation.S"), PileId("column.1")) in CANFIELD.moves(table, DRAW_THREE)
    assert chosen(table) is None


def test_the_stock_is_gone_through_once_and_columns_change_a_few_times() -> None:
    """Where nothing comes of it the same draw is not made again, nor is a block moved to and fro for long."""
    table = canfield(["9C 8D 7S", "8H", "KC", "KS"], "", "", "4C 6C 9S 4S")
    mind = GreedyMind(CANFIELD, DRAW_THREE, lambda _: 0)
    made = []
    while (move := mind.choose(sight(table))) is not None:
        made.append(move)
        table = evolve(table, CANFIELD.effects(table, move, DRAW_THREE))
        assert len(made) < 60
    assert Draw() in made
    assert any(isinstance(move, Play) for move in made)


def test_a_strength_that_nobody_has_is_an_error() -> None:
    """Only what is offered for a game can be made."""
    with pytest.raises(ValueError, match="canfield"):
        mind_of(CANFIELD, "counting", DRAW_THREE, lambda _: 0)
