"""docs/protocol.md says what the server does: its examples are parsed, its tables compared."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from server.match.options import Options, dump_options
from server.match.record import record
from server.match.sums import SUMS, sums_of
from server.match.view import snapshot
from server.protocol.client import LARGEST, PROTOCOL, parse
from server.protocol.server import FRAMES, AnyFrame
from server.protocol.words import ERRORS, REFUSALS
from tests.match.driver import Driver
from tests.protocol.messages import VALID

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```json *(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
OF = {kind: [text for mark, text in BLOCKS if mark == kind] for kind in ("client", "server", "record")}


def test_every_block_says_whose_it_is() -> None:
    """An example without a mark would go unchecked."""
    assert {mark for mark, _ in BLOCKS} == OF.keys()
    assert TEXT.count("```json") == len(BLOCKS)


@pytest.mark.parametrize("text", OF["client"])
def test_what_a_client_says(text: str) -> None:
    """Every client's example is understood by the server."""
    assert parse(text).t == json.loads(text)["t"]


@pytest.mark.parametrize("text", OF["server"])
def test_what_the_server_says(text: str) -> None:
    """Every server's example has a listed shape."""
    FRAMES.validate_json(text)


def test_every_message_has_an_example() -> None:
    """No message of either side is left out."""
    assert {json.loads(text)["t"] for text in OF["client"]} == VALID.keys()
    kinds = {name for shape in AnyFrame.__args__ for name in shape.model_fields["t"].annotation.__args__}
    assert {json.loads(text)["t"] for text in OF["server"]} == kinds


def finished() -> Driver:
    """Give a match of one hole that is over."""
    driver = Driver(Options(holes=1))
    driver.seat_all(2)
    driver.script("0:DG 1:G")
    driver.solve()
    return driver


def keys(value: Any) -> Any:
    """Return the names in a value, all through; a list stands for its first item, numbered parts for one of them."""
    if isinstance(value, dict):
        numbered = sorted(name for name in value if name.isdigit())
        return {"#": keys(value[numbered[0]])} if numbered else {name: keys(part) for name, part in value.items()}
    return [keys(value[0])] if isinstance(value, list) and value and isinstance(value[0], dict) else None


def test_the_view_is_described_as_it_is() -> None:
    """The example of a snapshot has the very fields of a real one, and each of the match's has its line."""
    frame = next(frame for frame in map(json.loads, OF["server"]) if frame["t"] == "snapshot")
    real = snapshot(finished().state, 0)
    real["you"]["next_seq"] = 1
    assert keys(frame["view"]) == keys(real)
    table = TEXT[TEXT.index("**match**") : TEXT.index("**seats**")]
    for name in real["match"]:
        assert f"`{name}`" in table


def test_the_record_is_described_as_it_is() -> None:
    """The example of a record has the very fields of a real one."""
    example, real = json.loads(OF["record"][0]), record(finished().entries)
    sums = example.pop(SUMS)
    assert len(sums) >= 3
    assert sums.items() <= sums_of(example).items()
    assert real.pop(SUMS).keys() >= {"schema", "seats[0].name", "holes[0].waste"}
    shown, made = keys(example), keys(real)
    assert shown.pop("notes") == [{"at": None, "what": None, "seat": None}]
    assert made.pop("notes") is None
    assert shown == made


def test_every_code_stands_there_with_its_words() -> None:
    """The two tables have each code once, with the words that the server says."""
    rows = dict(re.findall(r"^\| `(\w+)` \| ([A-Z].*\.) \|$", TEXT, re.MULTILINE))
    assert rows == REFUSALS | ERRORS


def test_every_option_stands_there_with_its_default() -> None:
    """The table of options has each option's default."""
    for name, value in dump_options(Options()).items():
        shown = json.dumps(value) if isinstance(value, (int, list)) else value
        assert re.search(rf"^\| `{name}` \|.*\| `?{re.escape(str(shown))}`? \|$", TEXT, re.MULTILINE), name


def test_numbers_that_are_named() -> None:
    """The protocol's number and the size of a message are those of the code."""
    assert f"Protocol number **{PROTOCOL}**" in TEXT
    assert f"at most {LARGEST} bytes" in TEXT
