"""The deal command: what it prints, and one line for what it refuses."""

import argparse
import io
import json
from pathlib import Path
from typing import Any

import pytest

from server.deal_command import add_parser, run
from server.rules.cards import DECK
from server.rules.codes import code_for_deck, deal_of, deck_of, parse_code

GOLDEN: Any = json.loads((Path(__file__).parent / "golden" / "go1-e-aaaaaab.json").read_text(encoding="utf-8"))


def call(*words: str) -> int:
    """Run `fairway deal` with these words."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return run(parser.parse_args(["deal", *words]))


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run it on input that is refused; give its one line."""
    assert call(*words) != 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err


def test_a_code_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has code, game, rule and piles, a column's deepest card and the first draw in front."""
    assert call(" go1-n-aaaaaab ", "--json") == 0
    deal = json.loads(capsys.readouterr().out)
    assert list(deal) == ["code", "game", "rule", "columns", "waste", "stock"]
    assert (deal["code"], deal["game"], deal["rule"]) == ("GO1-E-AAAAAAB", "golf", "easy")
    assert deal["columns"] == GOLDEN["columns"]
    assert deal["waste"] == [GOLDEN["waste"]]
    assert len(deal["stock"]) == 16
    assert deal["stock"][0] == GOLDEN["stock_first"]


@pytest.mark.parametrize(("letter", "rule"), [("E", "easy"), ("C", "classic"), ("S", "strict")])
def test_the_rule_is_the_codes(capsys: pytest.CaptureFixture[str], letter: str, rule: str) -> None:
    """The rule printed is the one that the code names."""
    assert call(f"GO2-{letter}-AAAAAAB", "--json") == 0
    assert json.loads(capsys.readouterr().out)["rule"] == rule


def test_a_code_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the same is printed in lines for people."""
    assert call("GO1-C-AAAAAAB") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["code", "game", "rule", *["column"] * 7, "waste", "stock"]
    assert lines[0].split() == ["code", "GO1-C-AAAAAAB"]
    assert lines[2].split() == ["rule", "classic"]
    assert lines[3].split() == ["column", "1", "6C", "5S", "QS", "TS", "6H"]
    assert lines[-2].split() == ["waste", "AC"]
    assert lines[-1].split()[:2] == ["stock", "8S"]


@pytest.mark.parametrize(
    "code",
    [
        "CF2-D3-ABCDEFG",
        "CF2-D1-ABCDEFG",
        "RU2-C-ABCDEFG",
        "RU2-R-ABCDEFG",
        "DG2-E-ABCDEFG",
        "DG2-S-ABCDEFG",
        "TP2-J-ABCDEFG",
        "PG2-A-ABCDEFG",
    ],
)
def test_other_games_go_round(capsys: pytest.CaptureFixture[str], tmp_path: Path, code: str) -> None:
    """The JSON of another game's deal, and its cards with the game named, give the code of the same cards."""
    game, letter = parse_code(code).game, parse_code(code).letter
    deck = deck_of(parse_code(code))
    long = code_for_deck(game, letter, deck)
    assert call(code, "--json") == 0
    file = tmp_path / "deal.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert call("--cards", str(file)) == 0
    assert capsys.readouterr().out.strip() == long
    file.write_text(" ".join(deck), encoding="utf-8")
    assert call("--cards", str(file), "--game", game, "--rule", letter) != 0
    rule = json.loads(_described(capsys, code))["rule"]
    assert call("--cards", str(file), "--game", game, "--rule", rule) == 0
    assert capsys.readouterr().out.strip() == long
    assert deck_of(parse_code(long)) == deck


def _described(capsys: pytest.CaptureFixture[str], code: str) -> str:
    """Return the JSON of a code's deal."""
    capsys.readouterr()
    assert call(code, "--json") == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("letter", ["E", "C", "S", "F", "E1", "R2V", "KV"])
def test_json_goes_round(capsys: pytest.CaptureFixture[str], tmp_path: Path, letter: str) -> None:
    """The printed JSON gives a GOX code of the same cards under the same rule."""
    code = f"GO2-{letter}-ABCDEFG"
    assert call(code, "--json") == 0
    file = tmp_path / "deal.json"
    file.write_text("\n " + capsys.readouterr().out, encoding="utf-8")
    assert call("--cards", str(file)) == 0
    printed = capsys.readouterr().out.strip()
    assert printed == code_for_deck("golf", letter, deck_of(parse_code(code)))
    named = {"": "strict", "1": "S1", "2": "S2"}["".join(mark for mark in letter if mark in "12")]
    assert call("--cards", str(file), "--rule", named, "--json") == 0
    deal = json.loads(capsys.readouterr().out)
    assert deal["rule"] == named
    assert deal["code"] == code_for_deck("golf", named.removesuffix("trict").upper(), deck_of(parse_code(code)))


@pytest.mark.parametrize(("rule", "letter"), [(None, "E"), ("easy", "E"), ("classic", "C"), ("strict", "S")])
def test_cards_in_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, rule: str | None, letter: str) -> None:
    """Cards in dealing order give their code, under Easy unless a rule is asked for."""
    file = tmp_path / "cards.txt"
    file.write_text("\ufeff" + ", ".join(DECK).replace("TH", "10♥").lower() + "\n", encoding="utf-8")
    assert call("--cards", str(file), *(["--rule", rule] if rule else [])) == 0
    assert capsys.readouterr().out == f"GOX-{letter}-{'A' * 48}\n"


def test_cards_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hyphen reads standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(" ".join(DECK).encode())))
    assert call("--cards", "-") == 0
    assert capsys.readouterr().out == f"GOX-E-{'A' * 48}\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "--cards"),
        (["GO2-E-AAAAAAB", "--cards", "-"], "either"),
        (["GO2-E-AAAAAAB", "--rule", "easy"], "--rule"),
        (["GO2-E-ZZZZZZZ"], "past the last"),
        (["GO1-E-AAAAAAC"], "not published"),
        (["CF1-D3-AAAAACL"], "not published"),
        (["GO2-Q-AAAAAAB"], "rule letter"),
        (["hello\nworld"], "three parts"),
        ([""], "three parts"),
        (["--cards", "/nowhere/at/all"], "No such file"),
        (["--cards", "/"], "directory"),
    ],
)
def test_refused_words(capsys: pytest.CaptureFixture[str], words: list[str], named: str) -> None:
    """A bad code, a missing file or words that do not go together are refused in one line."""
    assert named in refusal(capsys, *words)


def deal_json(**changed: object) -> str:
    """Give the JSON of a good deal with some keys changed; a key set to None is left out."""
    table = {
        "code": "GO2-E-AAAAAAB",
        "game": "golf",
        "rule": "easy",
        "columns": [list(DECK[start : start + 5]) for start in range(0, 35, 5)],
        "waste": [DECK[35]],
        "stock": list(DECK[36:]),
    }
    return json.dumps({key: value for key, value in {**table, **changed}.items() if value is not None})


def test_json_without_game_and_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Piles alone are enough."""
    file = tmp_path / "cards"
    file.write_text(deal_json(code=None, game=None, rule=None), encoding="utf-8")
    assert call("--cards", str(file)) == 0
    assert capsys.readouterr().out == f"GOX-E-{'A' * 48}\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "here are 0"),
        (" ".join(DECK[:51]), "51"),
        (" ".join((*DECK[:51], "TH")), "TH"),
        ("AS 1S", "1S"),
        ("A\x1b[2J", "not a card"),
        ("{", "cannot be read"),
        ('{"a":' * 9000, "cannot be read"),
        ("{}", "columns"),
        (deal_json(game="chess"), "no game"),
        (deal_json(game="canfield"), "easy"),
        (deal_json(game="canfield", rule="draw_one"), "not as long"),
        (deal_json(game=["golf"]), "game"),
        (deal_json(rule=3), "rule"),
        (deal_json(rule="nice"), "nice"),
        (deal_json(columns="AS"), "columns"),
        (deal_json(columns=["AS"]), "lists of cards"),
        (deal_json(waste=[1]), "lists of cards"),
        (deal_json(foundations=["AS"]), "foundations"),
        (deal_json(stock=list(DECK[36:51])), "51"),
        (deal_json(stock=[*DECK[36:51], "AS"]), "AS"),
        (deal_json(waste=[], stock=list(DECK[35:])), "not as long"),
        (deal_json(columns=[list(DECK[:35])]), "not as long"),
        ("AS " * 30000, "too long"),
    ],
)
def test_refused_cards(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, named: str) -> None:
    """Cards that are no deal are refused in one line."""
    file = tmp_path / "cards"
    file.write_text(text, encoding="utf-8")
    assert named in refusal(capsys, "--cards", str(file))


def test_refused_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file that is no text is refused in one line."""
    file = tmp_path / "cards"
    file.write_bytes(b"\xff\xfe\x00A")
    assert "UTF-8" in refusal(capsys, "--cards", str(file))


def test_refused_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A rule that is not there is refused with those that are."""
    file = tmp_path / "cards"
    file.write_text(" ".join(DECK), encoding="utf-8")
    assert "easy, classic, strict" in refusal(capsys, "--cards", str(file), "--rule", "hard")


def test_a_card_whose_place_means_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The JSON of a Black Hole deal gives a code that deals the same table, with the ace of spades first."""
    code = "BH2-J-ABCDEFG"
    file = tmp_path / "deal.json"
    file.write_text(_described(capsys, code), encoding="utf-8")
    assert call("--cards", str(file)) == 0
    made = parse_code(capsys.readouterr().out.strip())
    assert deck_of(made)[0] == "AS"
    assert deal_of(made)[2] == deal_of(parse_code(code))[2]


def test_cards_in_rows_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A deal of places is a line of cards, and those that lie face down are named in one line."""
    assert call("TP2-J-AAAAAAB") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split()[:4] == ["places", "5D", "2D", "AD"]
    assert len(lines[3].split()) == 29
    assert lines[-1].split() == ["down", "places", *map(str, range(1, 19))]
