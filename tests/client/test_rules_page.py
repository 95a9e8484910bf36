"""What the rules page shows is what the server's rules say: its pictures' data against the rules, card by card."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.match.formats import hole_winner
from server.match.options import Options
from server.match.spit_play import result_of, spit_boards
from server.rules import spit
from server.rules.base import Refusal, decide, new_board
from server.rules.cards import DECK, Card, rank
from server.rules.codes import deal_of, deck_of, parse_code
from server.rules.games import GAMES
from server.rules.golf import COLUMNS, STRICT, Golf, joins
from server.rules.table import STOCK, WASTE, Draw, PileId, Play, Table, laid_out
from tests.client.test_client_files import LANGUAGES, words

ROOT = Path(__file__).resolve().parents[2]
SHOWN: dict[str, Any] = json.loads((ROOT / "client_web" / "rules" / "golf.json").read_text(encoding="utf-8"))
SPIT: dict[str, Any] = json.loads((ROOT / "client_web" / "rules" / "spit.json").read_text(encoding="utf-8"))
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


def heaped(top: str, *piles: str) -> spit.Spit:
    """Return a table on which both sides have these cards, each alone in its place, and one heap has this top."""
    side = spit.Side((*((Card(card),) for card in piles), *[()] * (spit.STOCKPILES - len(piles))), ())
    return spit.Spit((side, side), ((Card(top),), (Card("2C"),)))


def test_pictured_deal_of_spit() -> None:
    """The deal that is pictured is its code's, as both see it, and every pile of it has a place in the picture."""
    deal = SPIT["deal"]
    laid = spit.deal(deck_of(parse_code(deal["code"])))
    boards = spit_boards(laid)
    assert deal["boards"] == [boards["0"], boards["1"]]
    assert deal["tops"] == [heap[-1] for heap in laid.heaps]
    piles = {f"{side}.{pile}" for side in ("near", "far") for pile in boards["0"]} | set(spit.HEAPS)
    layout = SPIT["layout"]
    assert set(layout["reading"]) == piles == set(layout["shapes"]["tall"]["piles"])
    assert all(at["x"] + 1 <= layout["shapes"]["tall"]["width"] for at in layout["shapes"]["tall"]["piles"].values())


def test_pictured_plays_of_spit() -> None:
    """What plays on a heap and what doesn't, and who comes too late, are judged as the server does."""
    for card, how, *named in SPIT["plays"]["cards"]:
        on = named[0] if named else SPIT["plays"]["on"]
        move = spit.Move("column.1", "heap.1", Card(card))
        refused = spit.judge(heaped(on, card), 0, move, on)
        assert (refused.code if refused else "plays") == how
    race = SPIT["race"]
    table = heaped(race["on"], race["first"], race["late"])
    first = spit.Move("column.1", "heap.1", Card(race["first"]))
    assert spit.judge(table, 1, first, race["on"]) is None
    late = spit.Move("column.2", "heap.1", Card(race["late"]))
    assert spit.judge(table, 0, late, race["on"]) is None, "it would have gone, but for the other"
    refused = spit.judge(spit.played(table, 1, first), 0, late, race["on"])
    assert refused is not None
    assert refused.code == race["refused"]


@pytest.mark.parametrize(("mine", "theirs", "came"), SPIT["rounds"])
def test_pictured_rounds_of_spit(mine: int, theirs: int, came: str) -> None:
    """What a round comes to by the cards left is what match play makes of it."""
    sides = [spit.Side((DECK[:left], *[()] * 4), ()) for left in (mine, theirs)]
    table = spit.Spit((sides[0], sides[1]), ((Card("2C"),), (Card("2D"),)))
    scoring = Options(mode="spit", format="match", seats=2).scoring
    winner = hole_winner({side: result_of(table, side) for side in (0, 1)}, scoring)
    assert {0: "won", 1: "lost", None: "halved"}[winner] == came


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_spit_name_what_is_dealt(language: str) -> None:
    """Spit stands among the rules with a section for each picture, and its words count the cards of a round."""
    known = words(language)
    sections = {key.split(".")[2] for key in known if key.startswith("rules.spit.") and key.endswith(".title")}
    assert sections == {"table", "play", "race", "spit", "end", "keys"}
    assert {"name", *(f"{section}.text" for section in sections)} <= {
        key.removeprefix("rules.spit.") for key in known if key.startswith("rules.spit.")
    }
    assert str(len(DECK)) in known["rules.spit.table.text"]
    assert str(spit.STOCKPILES) in known["rules.spit.keys.text"]
