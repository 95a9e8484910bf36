"""The verify command: what it says of records, and one line and an exit code for what is none."""

import argparse
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from server import verify_command
from server.cli import main
from tests.match.records import Record, fresh, spoiled


def call(*words: str) -> int:
    """Run `fairway verify` with these words."""
    parser = argparse.ArgumentParser()
    verify_command.add_parser(parser.add_subparsers())
    return verify_command.run(parser.parse_args(["verify", *words]))


def written(tmp_path: Path, made: Record) -> str:
    """Write a record to a file; give its name."""
    file = tmp_path / "record.json"
    file.write_text(json.dumps(made), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sealed", "2 holes, 2 seats"),
        ("sealed", "the commitment fixed and 2 nonces of the seats."),
        ("alone", "from the secret that the commitment fixed."),
        ("typed", "nothing was sealed"),
        ("old", "3 seats"),
    ],
)
def test_a_real_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, said: str) -> None:
    """One line says that all agrees, and how far the deals were sealed."""
    assert call(written(tmp_path, fresh(name))) == 0
    out, err = capsys.readouterr()
    assert out.startswith("VERIFIED ")
    assert out.count("\n") == 1
    assert said in out
    assert err == ""


def test_a_wrong_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A line for each fault names its field; the exit code is 1; JSON has the same."""
    file = written(tmp_path, spoiled("sealed", lambda made: made["seats"][0].update(name="Eve")))
    assert call(file) == 1
    assert capsys.readouterr().out.startswith("WRONG     seats[0].name does not agree with its sum")
    assert call(file, "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["verified"] is False
    assert [fault["field"] for fault in answer["faults"]] == ["seats[0].name"]
    assert call(written(tmp_path, fresh("sealed")), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"verified": True, "faults": []}


def test_many_faults_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A record with everything wrong in it fits on a screen."""
    assert call(written(tmp_path, spoiled("sealed", lambda made: made.update(sums={})))) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 21
    assert lines[-1].strip().startswith("and ")


def test_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hyphen reads standard input, through the program itself too."""
    data = json.dumps(fresh("sealed")).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["verify", "-"]) == 0
    assert "VERIFIED" in capsys.readouterr().out


TEXT = json.dumps(fresh("sealed"))


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (TEXT[:-1].encode(), "record_cut", "cut off"),
        (TEXT[: len(TEXT) // 2].encode(), "record_cut", "cut off"),
        (TEXT[: TEXT.index("Ada") + 1].encode(), "record_cut", "cut off"),
        (b"", "record_cut", "cut off"),
        (TEXT.encode()[:-1] + "Ağa".encode()[:2], "record_not_json", "UTF-8"),
        ((TEXT + "}").encode(), "record_not_json", "not JSON"),
        (TEXT.replace(":", "=", 1).encode(), "record_not_json", "not JSON"),
        (TEXT.replace('"par": 10', '"par": 10, "par": 10').encode(), "record_not_json", "'par' twice"),
        (TEXT.replace('"par": 10', '"par": NaN').encode(), "record_not_json", "NaN"),
        (TEXT.replace('"par": 10', '"par": ' + "1" * 5000).encode(), "record_not_json", "5000 digits"),
        (b"[" * 200_000, "record_deep", "nested"),
        (b'{"a":' * 21 + b"1" + b"}" * 21, "record_deep", "nested"),
        (b'["' + b"[{" * 50 + b'\\"[", 1]', "not_a_record", "not the record"),
        (b"[" * 20 + b"]" * 20, "not_a_record", "not the record"),
        (b"[]", "not_a_record", "not the record"),
        (b'{"code": "not_ended"}', "not_a_record", "not the record"),
        (TEXT.replace('"schema": 3', '"schema": 7').encode(), "record_newer", "newer version wrote it (schema 7"),
        (TEXT.encode() + b" " * verify_command.MOST_BYTES, "record_large", "too large"),
    ],
)
def test_what_cannot_be_judged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, code: str, said: str
) -> None:
    """A record that is cut, newer, huge or none is one line with a code on standard error; the exit code is 2."""
    file = tmp_path / "record"
    file.write_bytes(data)
    assert call(str(file)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"fairway verify: {code}: ")
    assert err.count("\n") == 1
    assert said in err
    assert call(str(file), "--json") == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["verified"], told["code"]) == (None, code)
    assert said in told["words"]


def _swap_moves(made: Record) -> None:
    moves = made["holes"][0]["seats"]["0"]["moves"]
    moves[0], moves[1] = moves[1], moves[0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda made: made["holes"].reverse(), "holes[0].hole"),
        (_swap_moves, "holes[0].seats.0.moves"),
        (lambda made: made["seats"].reverse(), "seats[0].seat"),
        (lambda made: made["holes"][0]["columns"].reverse(), "holes[0].columns"),
    ],
)
def test_what_was_put_in_another_order(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: Callable[[Record], object], field: str
) -> None:
    """A reordered record is wrong, with the field named, also where its sums were made to fit."""
    for sums in (False, True):
        assert call(written(tmp_path, spoiled("sealed", change, sums=sums)), "--json") == 1
        told = json.loads(capsys.readouterr().out)
        assert (told["verified"], told["code"]) == (False, "record_wrong")
        named = {fault["field"] for fault in told["faults"]}
        assert any(one.startswith(field.partition("[")[0]) for one in named)
        assert field in named or sums


def test_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is said so."""
    assert call("/nowhere/at/all") == 2
    err = capsys.readouterr().err
    assert err.startswith("fairway verify: no_file: ")
    assert "No such file" in err
