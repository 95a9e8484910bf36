"""What the rules page shows is what the server's rules say: its pictures' data against the rules, card by card."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.rules.base import Refusal, decide, new_board
from server.rules.cards import DECK, Card, rank
from server.rules.codes import deal_of, parse_code
from server.rules.games import GAMES
from server.rules.golf import COLUMNS, STRICT, Golf, joins
from server.rules.table import STOCK, WASTE, Draw, PileId, Play, Table, laid_out
from tests.client.test_client_files import words

ROOT = Path(__file__).resolve().parents[2]
SHOWN: dict[str, Any] = json.loads((ROOT / "client_web" / "rules" / "golf.json").read_text(encoding="utf-8"))
GAME = Golf()


IN_ROWS = {
    name: json.loads((ROOT / "client_web" / "rules" / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("tri_peaks", "pyramid_golf")
}


@pytest.mark.parametrize("name", IN_ROWS)
def test_pictures_of_games_in_rows(name: str) -> None:
    """The deal that is pictured is its code's, the plays are decided and the scores counted as the server does."""
    shown, game = IN_ROWS[name], GAMES[name]
    deal = dict(shown["deal"])
    _, rules, table = deal_of(parse_code(deal.pop("code")))
    assert {"columns": [], **deal} == laid_out(table)
    empty: dict[PileId, tuple[Card, ...]] = dict.fromkeys(table.piles, ())
    for card, how in shown["plays"]["cards"]:
        # The card in the top place, which the second place's lies on where it is blocked.
        piles = {PileId("place.1"): (Card(card),), WASTE: (Card(shown["plays"]["on"]),)}
        piles |= {PileId("place.2"): (Card("KC"),)} if how == "blocked" else {}
        board = new_board(Table(empty | piles, {}))
        decided = decide(game, rules, board, PileId("place.1"), WASTE, Card(card))
        assert (decided.code if isinstance(decided, Refusal) else "plays") == how
    for left, stock, traditional, points in shown["scores"]:
        piles = {PileId(f"place.{number + 1}"): (DECK[number],) for number in range(left)}
        position = Table(empty | piles | {WASTE: (Card("KC"),), STOCK: DECK[28 : 28 + stock]}, {})
        score = game.score(position, "stuck" if left else "cleared", rules)
        assert (score.traditional, score.app) == (traditional, points)


def lying(waste: str, *columns: list[str]) -> Table:
    """Return a table with these columns and this card on the waste, two cards in the stock."""
    piles = {pile: tuple(cards) for pile, cards in zip(COLUMNS, [*columns, *[[]] * 7], strict=False)}
    return Table({**piles, WASTE: (waste,), STOCK: ("2C", "2D")}, {})  # type: ignore[arg-type]


@pytest.mark.parametrize(("card", "how"), SHOWN["plays"]["cards"])
def test_pictured_plays(card: str, how: str) -> None:
    """A card shown as one that plays does under all three rules; one shown as refused is refused with that code."""
    column = [card, "3H"] if how == "blocked" else [card]
    table = lying(SHOWN["plays"]["on"], column)
    play = Play(COLUMNS[0], WASTE, count=len(column))
    for rules in GAME.presets.values():
        if how == "plays":
            assert play in GAME.moves(table, rules)
        else:
            refusal = GAME.refusal(table, play, rules)
            assert isinstance(refusal, Refusal)
            assert refusal.code == how


@pytest.mark.parametrize("row", SHOWN["joins"])
def test_pictured_kings(row: list[Any]) -> None:
    """The table of kings and aces has, rule by rule, what the rules join."""
    card, on, *shown = row
    assert shown == [joins(rules, rank(on), rank(card)) for rules in GAME.presets.values()]
    assert f"rules.join.{card[0]}{on[0]}" in words("en")


def test_pictured_draw() -> None:
    """Its last row says where a draw is allowed while a card plays."""
    table = lying("8S", ["7D"])
    assert SHOWN["draw_with_play"] == [Draw() in GAME.moves(table, rules) for rules in GAME.presets.values()]


@pytest.mark.parametrize("row", SHOWN["scores"])
def test_pictured_scores(row: list[int]) -> None:
    """The scores shown are those of a board with so many cards left, stuck, or cleared with so much stock."""
    left, stock, traditional, points = row
    piles = {column: DECK[:left][index::7] for index, column in enumerate(COLUMNS)}
    table = Table({**piles, WASTE: (Card("AS"),), STOCK: DECK[40 : 40 + stock]}, {})
    score = GAME.score(table, "stuck" if left else "cleared", STRICT)
    assert (score.traditional, score.app) == (traditional, points)


def test_pictured_deal_is_the_published_one() -> None:
    """The deal to step through, and what is said to be published of it, are the server's and the golden file's."""
    deal = SHOWN["deal"]
    data = json.loads((ROOT / "server" / "rules" / "data" / "published.json").read_text(encoding="utf-8"))
    known = next(one for one in data["deals"] if one["code"] == deal["code"])
    golden = json.loads((ROOT / "tests" / "rules" / "golden" / "go1-e-aaaaaab.json").read_text(encoding="utf-8"))
    for name in ("columns", "waste", "stock", "stock_cards_published"):
        assert deal[name] == known[name]
    assert deal["moves_published"] == known["line_moves_published"]
    assert deal["line"] == known["line"]
    piles = {f"column.{number}": list(cards) for number, cards in enumerate(deal["columns"], 1)}
    piles |= {"waste": list(deal["waste"]), "stock": deal["stock"][::-1]}
    positions = []
    for number in range(len(deal["line"]) + 1):
        if number in deal["positions_published"]:
            columns = [piles[f"column.{column}"] for column in range(1, 8)]
            positions.append(json.loads(json.dumps([columns, piles["waste"][-1], len(piles["stock"])])))
        if number < len(deal["line"]):
            source, target, *_ = deal["line"][number]
            piles[target].append(piles[source].pop())
    assert positions == [[one["columns"], one["waste"], one["stock_count"]] for one in golden["positions"]]
    assert not any(piles[f"column.{column}"] for column in range(1, 8)), "the game ends with a cleared board"
