"""The verify command: what it says of records, and one line and an exit code for what is none."""

import argparse
import io
import json
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
    ("data", "said"),
    [
        (TEXT[:-1].encode(), "cut off"),
        (TEXT[: len(TEXT) // 2].encode(), "cut off"),
        (TEXT[: TEXT.index("Ada") + 1].encode(), "cut off"),
        (b"", "cut off"),
        (TEXT.encode()[:-1] + "Ağa".encode()[:2], "UTF-8"),
        ((TEXT + "}").encode(), "not JSON"),
        (TEXT.replace(":", "=", 1).encode(), "not JSON"),
        (TEXT.replace('"par": 10', '"par": 10, "par": 10').encode(), "'par' twice"),
        (TEXT.replace('"par": 10', '"par": NaN').encode(), "NaN"),
        (TEXT.replace('"par": 10', '"par": ' + "1" * 5000).encode(), "5000 digits"),
        (b"[" * 200_000, "nested"),
        (b"[]", "not the record"),
        (b'{"code": "not_ended"}', "not the record"),
        (TEXT.replace('"schema": 2', '"schema": 7').encode(), "newer version wrote it (schema 7"),
        (TEXT.encode() + b" " * verify_command.MOST_BYTES, "too large"),
    ],
)
def test_what_cannot_be_judged(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, said: str) -> None:
    """A record that is cut, newer, huge or none is one line on standard error, and the exit code is 2."""
    file = tmp_path / "record"
    file.write_bytes(data)
    assert call(str(file)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("fairway verify: ")
    assert err.count("\n") == 1
    assert said in err


def test_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is said so."""
    assert call("/nowhere/at/all") == 2
    assert "No such file" in capsys.readouterr().err
