"""The logs: one JSON object a line, without secrets."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from server.logs import start_logs


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the logs go during a test; the process's own set-up comes back afterwards."""
    root, websockets = logging.getLogger(), logging.getLogger("websockets")
    before = (root.handlers[:], root.level, websockets.level, logging.raiseExceptions)
    stream = io.StringIO()
    start_logs("info", "w1-ab12", stream)
    yield stream
    root.handlers[:], root.level, websockets.level, logging.raiseExceptions = before


def test_a_line_is_one_object(stream: io.StringIO) -> None:
    """Level, writer, event and the fields that were given are there; texts with line ends stay one line."""
    logging.getLogger("fairway.room").info("seat\ntaken", extra={"match": "m1", "seat": 2, "named": "Ali\n"})
    logging.getLogger("fairway.room").debug("below the level")
    (line,) = stream.getvalue().splitlines()
    said = json.loads(line)
    assert (said["level"], said["process"], said["from"]) == ("info", "w1-ab12", "fairway.room")
    assert (said["event"], said["match"], said["seat"]) == ("seat\ntaken", "m1", 2)


def test_secrets_are_blotted_out(stream: io.StringIO) -> None:
    """Secret fields, cards, passwords in URLs and seat tokens never appear, not even in a traceback."""
    token = "0123456789abcdef" * 2
    log = logging.getLogger("fairway.gateway")
    log.warning("hello from %s", token, extra={"token": "t0ken", "stock": ["8S"], "at_url": "redis://u:hush@h/0"})
    try:
        raise ValueError(f"bad token {token} at redis://:hush@h")
    except ValueError:
        log.exception("failed")
    said = stream.getvalue()
    assert len(said.splitlines()) == 2
    for secret in (token, "t0ken", "8S", "hush"):
        assert secret not in said
    assert "ValueError: bad token [hidden] at redis://[hidden]@h" in said
