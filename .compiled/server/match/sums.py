"""A sum of each field of a record, so that a changed byte is found and named. Pure.

A sum proves nothing about who wrote a record; it tells which field is no longer as it was written. docs/deals.md
says how they are made, so that other programs can check them.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

SUMS: Final = "sums"
"""The record's field that holds them, and has none of its own."""

_DIGITS: Final = 16


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give each field with its path, such as `holes[0].seats.1.moves`.

    Objects are gone into, and lists of objects; everything else, an empty object or list too, is one field.
    """
    if isinstance(value, dict) and value:
        for name, part in value.items():
            if path or name != SUMS:
                yield from leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        for place, part in enumerate(value):
            yield from leaves(part, f"{path}[{place}]")
    else:
        yield path, value


def sum_of(value: Any) -> str:
    """Give the first 16 hex digits of SHA-256 of a field's JSON: ASCII, keys sorted, no white space."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


def sums_of(record: dict[str, Any]) -> dict[str, str]:
    """Give the sums of all fields of a record, by path, but for the sums themselves."""
    return {path: sum_of(value) for path, value in leaves(record)}
