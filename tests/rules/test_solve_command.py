"""The solve command: what it prints, and one line for what it refuses."""

import argparse
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from rules_helpers import dealt, follow

from server import solve_share
from server.deal_command import add_parser as add_deal
from server.deal_command import run as run_deal
from server.progress import Progress
from server.rules.cards import DECK
from server.rules.codes import deck_of, parse_code
from server.rules.golf import CLASSIC
from server.solve_command import add_parser, run
from server.solve_share import as_text, count, interval


def call(*words: str) -> int:
    """Run `fairway solve` with these words."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return run(parser.parse_args(["solve", *words]))


def answers(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    """Run it; give the lines of JSON that it answers."""
    assert call(*words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run it on input that is refused; give its one line."""
    assert call(*words) != 0
    err = capsys.readouterr().err
    assert err.startswith("fairway solve: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err


def deal_json(capsys: pytest.CaptureFixture[str], code: str) -> dict[str, Any]:
    """Give what `fairway deal CODE --json` prints."""
    parser = argparse.ArgumentParser()
    add_deal(parser.add_subparsers())
    assert run_deal(parser.parse_args(["deal", code, "--json"])) == 0
    deal: dict[str, Any] = json.loads(capsys.readouterr().out)
    return deal


def stdin(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    """Put this on standard input."""
    data = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def lines(deals: Sequence[object]) -> str:
    """Write deals as lines of JSON."""
    return "".join(json.dumps(deal) + "\n" for deal in deals)


def test_a_code_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has the best score and a line in the steps of the wire that leads there."""
    (answer,) = answers(capsys, " go1-n-aaaaaab ", "--json")
    assert list(answer) == ["code", "rule", "free_draw", "best", "cleared", "line", "cpu_ms"]
    assert (answer["code"], answer["rule"], answer["free_draw"]) == ("GO1-E-AAAAAAB", "easy", False)
    assert (answer["best"], answer["cleared"]) == (-8, True)
    assert 0 < answer["cpu_ms"] < 60000
    game, rules, board = dealt("GO1-E-AAAAAAB")
    board = follow(game, rules, board, answer["line"])
    assert game.score(board.table, "cleared", rules).traditional == -8


def test_a_code_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    """For people a play is its column and card."""
    assert call("GO1-C-AAAAAAB") == 0
    text = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in text[:4]] == ["code", "rule", "best", "line"]
    assert text[2] == "best     -7 (cleared, stock left 7)"
    assert text[3].split()[1:3] == ["draw", "5:9C"]


def test_which_rule(capsys: pytest.CaptureFixture[str]) -> None:
    """The code's rule holds unless another is asked for; free draws help Strict."""
    bests = {
        words: answers(capsys, "GO2-S-AAAAAAA", "--json", *words.split())[0]
        for words in ("", "--free-draw", "--rule classic", "--rule easy")
    }
    assert {words: (answer["rule"], answer["best"]) for words, answer in bests.items()} == {
        "": ("strict", 9),
        "--free-draw": ("strict", 6),
        "--rule classic": ("classic", 4),
        "--rule easy": ("easy", -3),
    }
    assert [answer["free_draw"] for answer in bests.values()] == [False, True, False, False]


def test_lines_of_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal a line is answered by JSON a line, in order, each under its own rule; empty lines are skipped."""
    codes = ["GO2-S-AAAAAAA", "GO2-C-AAAAAAA", "GO1-E-AAAAAAB"]
    deals = [deal_json(capsys, code) for code in codes]
    stdin(monkeypatch, "\n" + lines(deals).replace("\n", "\r\n\n"))
    found = answers(capsys, "--cards", "-")
    assert [(answer["rule"], answer["best"]) for answer in found] == [("strict", 9), ("classic", 4), ("easy", -8)]
    stdin(monkeypatch, lines([{key: deal[key] for key in ("columns", "waste", "stock")} for deal in deals]))
    assert [answer["best"] for answer in answers(capsys, "--cards", "-", "--rule", "classic")] == [4, 4, -7]


def test_variant_codes_and_names(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A code's variant is solved under its own fields; letters name rules; jokers and the waste stay the deal's."""
    (answer,) = answers(capsys, "GO2-S2V-AAAAAAA", "--json")
    assert (answer["rule"], answer["line"][0][0][:6]) == ("S2V", "column")
    (easier,) = answers(capsys, "GO2-S2V-AAAAAAA", "--json", "--rule", "easy")
    assert easier["rule"] == "E2V"
    assert easier["best"] <= answer["best"]
    (free,) = answers(capsys, "GO2-S2V-AAAAAAA", "--json", "--free-draw")
    assert (free["rule"], free["free_draw"]) == ("S2V", True)
    assert free["best"] == answers(capsys, "GO2-R2V-AAAAAAA", "--json")[0]["best"]
    stdin(monkeypatch, lines([deal_json(capsys, f"GO2-{rule}-AAAAAAA") for rule in ("S2V", "E2V")]))
    assert [found["best"] for found in answers(capsys, "--cards", "-")] == [answer["best"], easier["best"]]
    stdin(monkeypatch, " ".join([*DECK, "*1"]))
    (typed,) = answers(capsys, "--cards", "-", "--rule", "E1", "--json")
    assert typed["rule"] == "E1"
    (share,) = answers(capsys, "--share", "2", "--rule", "E2", "--json")
    assert (share["rule"], share["last"]) == ("E2", "GO2-E2-AAAAAAB")


def test_jokers_and_an_empty_start(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Jokers in the JSON are played with, and an empty waste is an empty start."""
    deal = deal_json(capsys, "GO2-S-AAAAAAA")
    jokers = {**deal, "stock": ["*1", *deal["stock"], "*2"]}
    empty = {**deal, "waste": [], "stock": deal["waste"] + deal["stock"]}
    stdin(monkeypatch, lines([deal, jokers, empty]))
    plain, with_jokers, with_empty = answers(capsys, "--cards", "-")
    assert with_jokers["best"] < plain["best"]
    assert with_empty["line"][0][1:2] == ["waste"]
    assert with_empty["line"][0][0] != "stock"


def test_cards_in_dealing_order(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """52 cards of a file are solved as `fairway deal` deals them, in however many lines."""
    file = tmp_path / "cards"
    file.write_text(" ".join(deck_of(parse_code("GO1-E-AAAAAAB"))).replace(" 8H", "\n8h,"), encoding="utf-8")
    (answer,) = answers(capsys, "--cards", str(file), "--json")
    assert (answer["rule"], answer["best"]) == ("easy", -8)
    assert call("--cards", str(file), "--rule", "strict", "--free-draw") == 0
    assert capsys.readouterr().out.splitlines()[0] == "rule     strict, free draws"
    stdin(monkeypatch, " ".join(DECK))
    assert call("--cards", "-") == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(")")


def test_a_stuck_deal_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    """What can't be cleared says how many cards stay."""
    assert call("GO2-S-AAAAAAA") == 0
    assert "best     9 (stuck, cards left 9)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "either"),
        (["GO2-E-AAAAAAA", "--share", "3"], "either"),
        (["GO2-E-AAAAAAA", "--cards", "-"], "either"),
        (["GO2-E-AAAAAA1"], "letters A to Z"),
        (["GO2-E-AAAAAAA", "--rule", "odd"], "no rule 'odd'"),
        (["--cards", "/nowhere/cards"], "No such file"),
        (["--share", "0"], "1 to 4,294,967,296"),
        (["--share", "many"], "1 to 4,294,967,296"),
    ],
)
def test_refused_words(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    """What is asked wrongly is one line and a non-zero exit code."""
    assert said in refusal(capsys, *words)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no cards"),
        (b"\n \n", "no cards"),
        (b"\xff", "UTF-8"),
        (b"AS KS", "here are 2"),
        (b"AS\n" + b"KS " * 30000, "too long"),
        (b"{" + b" " * 70000, "Line 1 is too long"),
        (b"{", "Line 1: The JSON of the deal cannot be read"),
        (b'{"columns":' + b"[" * 60000, "cannot be read"),
        (b"{}", "columns, waste and stock"),
        (b'{"columns": [1], "waste": [], "stock": []}', "lists of cards"),
        (b'{"columns": [[1]], "waste": [], "stock": []}', "lists of cards"),
        (b'{"columns": [["1S"]], "waste": [], "stock": []}', "'1S' is not a card"),
        (b'{"game": "canfield"}', "Only Golf"),
        (b'{"rule": 3}', "not a name"),
    ],
)
def test_refused_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: bytes, said: str
) -> None:
    """Input that is no deal is refused in one line that says what is wrong with it."""
    stdin(monkeypatch, data)
    assert said in refusal(capsys, "--cards", "-")


def test_refused_deals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines before a bad one are answered; the bad one is named by its number."""
    deal = deal_json(capsys, "GO2-E-AAAAAAA")
    columns, waste, stock = deal["columns"], deal["waste"], deal["stock"]
    for bad, said in [
        ({**deal, "rule": "odd"}, "no rule 'odd'"),
        ({**deal, "stock": stock[1:]}, "here are 51"),
        ({**deal, "stock": [*stock[1:], stock[1]]}, "is there twice"),
        ({**deal, "stock": [*stock, "*1", "*1"]}, "joker *1 is there twice"),
        ({**deal, "columns": columns[1:], "stock": stock + columns[0]}, "not as long"),
        ({**deal, "waste": waste + stock[:1], "stock": stock[1:]}, "not as long"),
        ({**deal, "waste": waste[0]}, "each a list"),
        ([], "no deal"),
    ]:
        stdin(monkeypatch, lines([deal, bad]))
        assert call("--cards", "-") != 0
        out, err = capsys.readouterr()
        assert out.count("\n") == 1
        assert err.startswith("fairway solve: Line 2: ")
        assert said in err
        assert err.count("\n") == 1


def test_an_interrupted_command_is_silent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends it without a traceback, with the shell's exit code for it."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(solve_share, "count", interrupted)
    assert call("--share", "3") == 130
    assert capsys.readouterr() == ("", "")


def test_a_share(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the first codes' deals as many clear as each of them says, and the interval is around that."""
    (share,) = answers(capsys, "--share", "6", "--rule", "classic", "--json")
    each = [answers(capsys, f"GO2-C-AAAAAA{letter}", "--json")[0]["cleared"] for letter in "ABCDEF"]
    assert share["cleared"] == sum(each)
    assert (share["deals"], share["first"], share["last"]) == (6, "GO2-C-AAAAAAA", "GO2-C-AAAAAAF")
    assert share["low"] < share["share"] < share["high"]
    assert share["published"] == 0.45109
    assert call("--share", "2") == 0
    assert "published" not in capsys.readouterr().out


def test_a_share_beside_the_published_one() -> None:
    """Under the published rules the text says whether the published share is inside the interval."""
    share = count(1, CLASSIC)
    assert "0.032%, inside the interval" in as_text(share, "classic")
    far = solve_share.Share("A", "B", 9, 9, 1.0, 0.7, 1.0, 0.45, 1.0, 1.0, 50.0)
    assert "OUTSIDE the interval" in as_text(far, "classic")


@pytest.mark.parametrize(
    ("cleared", "deals", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (4511, 10000, 0.4413, 0.4609)],
)
def test_the_interval(cleared: int, deals: int, low: float, high: float) -> None:
    """Wilson's interval, as tables have it."""
    assert interval(cleared, deals) == pytest.approx((low, high), abs=1e-4)


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_progress_on_a_terminal_only() -> None:
    """A terminal sees a bar, or a count where the end isn't known, and it is wiped; nobody else sees anything."""
    known, unknown, file = Terminal(), Terminal(), io.StringIO()
    for stream, total in ((known, 4), (unknown, None), (file, 4)):
        with Progress("deals", total, stream) as progress:
            progress.step("half clear")
            progress.step()
    assert "[#######.......................] 1 of 4 deals" in known.getvalue()
    assert ", half clear" in known.getvalue()
    assert "1 deals, " in unknown.getvalue()
    assert known.getvalue().endswith("\r\x1b[K")
    assert file.getvalue() == ""
