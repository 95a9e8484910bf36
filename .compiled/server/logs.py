"""Structured logs: one JSON object a line, on stderr.

Law: no secret and no card leaves by a log. Fields whose names mean one are hidden, and texts (exceptions
included) are searched for passwords in URLs and for seat tokens. A log that can't be written is lost; it
never stops the server.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import TextIO

HIDDEN_FIELDS = frozenset(
    {
        "token",
        "secret",
        "password",
        "authorization",
        "cookie",
        "redis_url",
        "card",
        "cards",
        "deck",
        "deal",
        "code",
        "stock",
    }
)
_URL_PASSWORD = re.compile(r"(\w+://)[^\s/@]*@")
_TOKEN = re.compile(r"(?<![0-9a-zA-Z])[0-9a-fA-F]{32}(?:[0-9a-fA-F]{32})?(?![0-9a-zA-Z])")
# What a LogRecord bears by itself; everything beyond that was given as `extra`.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def hide_secrets(text: str) -> str:
    """Give the text with passwords in URLs and whatever looks like a token, a secret or a hash blotted out."""
    return _TOKEN.sub("[hidden]", _URL_PASSWORD.sub(r"\1[hidden]@", text))


class JsonFormatter(logging.Formatter):
    """Formats a record as {"at", "level", "from", "process", "event", ...extra fields, "error"}."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        """Give one line of JSON."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "at": f"{at}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "process": self._process,
            "event": hide_secrets(record.getMessage()),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD and name not in line:
                line[name] = "[hidden]" if name.lower() in HIDDEN_FIELDS else _plain(value)
        if record.exc_info:
            line["error"] = hide_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float) else hide_secrets(str(value))


def start_logs(level: str, process: str, stream: TextIO | None = None) -> None:
    """Send this process's logs, from `level` on (`debug` to `error`), to the stream (stderr); `process`
    names the writer.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter(process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # A closed terminal or a full pipe must not fill the screen with the logging module's own complaints.
    logging.raiseExceptions = False
    # Each stray scan of the port would be an error with a traceback; the gateway says what matters about
    # connections.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
