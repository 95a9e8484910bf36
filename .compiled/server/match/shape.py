"""The shape of a record: which fields there are and of which kind. Pure.

Says where a value that somebody handed in is not of the shape; judges nothing else about it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from server.match.options import Options


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record: the field, by its path, and one English sentence without its subject."""

    field: str
    words: str


_SHOWN: Final = 80
"""How much of a name that somebody made up is said back."""

Shape = Callable[[Any, str], Iterator[Fault]]


def whole(value: Any, path: str) -> Iterator[Fault]:
    """A whole number, not below zero: a time, a count or a number of something."""
    if type(value) is not int or value < 0:
        yield Fault(path, "is not a whole number")


def number(value: Any, path: str) -> Iterator[Fault]:
    """A whole number of points or strokes."""
    if type(value) is not int:
        yield Fault(path, "is not a whole number")


def flag(value: Any, path: str) -> Iterator[Fault]:
    """True or false."""
    if type(value) is not bool:
        yield Fault(path, "is neither true nor false")


def text(pattern: str, what: str) -> Shape:
    """A text of a pattern."""

    def check(value: Any, path: str) -> Iterator[Fault]:
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.DOTALL):
            yield Fault(path, f"is not {what}")

    return check


def maybe(shape: Shape) -> Shape:
    """Null, or something of this shape."""

    def check(value: Any, path: str) -> Iterator[Fault]:
        if value is not None:
            yield from shape(value, path)

    return check


def fields(needed: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these fields and no others."""

    def check(value: Any, path: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(path, "is not an object")
            return
        shapes = {**needed, **(optional or {})}
        for name in value:
            if name not in shapes:
                yield Fault(_under(path, name), "is no field of a record")
        for name, shape in shapes.items():
            if name in value:
                yield from shape(value[name], _under(path, name))
            elif name in needed:
                yield Fault(_under(path, name), "is missing")

    return check


def by(pattern: str, shape: Shape) -> Shape:
    """An object whose names are of a pattern and whose values all of one shape."""

    def check(value: Any, path: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(path, "is not an object")
            return
        for name, part in value.items():
            if re.fullmatch(pattern, name):
                yield from shape(part, _under(path, name))
            else:
                yield Fault(_under(path, name), "is no field of a record")

    return check


def each(shape: Shape) -> Shape:
    """A list whose items all have one shape."""

    def check(value: Any, path: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield Fault(path, "is not a list")
            return
        for place, part in enumerate(value):
            yield from shape(part, f"{path}[{place}]")

    return check


def _move(value: Any, path: str) -> Iterator[Fault]:
    match value:
        case ["play" | "draw" | "undo", at, *words] if words and all(isinstance(word, str) for word in words):
            yield from whole(at, path)
        case _:
            yield Fault(path, "is not a move")


def _race(value: Any, path: str) -> Iterator[Fault]:
    """A play or a spit of a round of Spit."""
    match value:
        case ["play", at, "0" | "1", str(), str(), str()]:
            yield from whole(at, path)
        case ["spit", at, str(), str()]:
            yield from whole(at, path)
        case _:
            yield Fault(path, "is neither a play nor a spit")


def _step(value: Any, path: str) -> Iterator[Fault]:
    match value:
        case [str(), str(), str(), *more] if all(isinstance(word, str) for word in more):
            return
        case _:
            yield Fault(path, "is not a step")


def _under(path: str, name: str) -> str:
    shown = name if len(name) <= _SHOWN else name[:_SHOWN] + "..."
    return f"{path}.{shown}" if path else shown


_seat = text(r"[0-7]", "a seat")
_word = text(r"[a-z_]{1,20}", "a word")
_code = text(r"[0-9A-Z-]{1,130}", "a deal code")
_cards = each(text(r"[A2-9TJQK][SHDC]2?|\*[12]", "a card"))


def _option(hint: Any) -> Shape:
    """Give the shape of an option by its type."""
    if get_origin(hint) is Literal:
        return text("|".join(get_args(hint)), f"one of {', '.join(get_args(hint))}")
    kinds: dict[Any, Shape] = {str: text(r"[A-Za-z0-9_]{1,20}", "a name"), int: whole, bool: flag}
    return kinds.get(hint, each(_code))


def _field_of_a_rule(value: Any, path: str) -> Iterator[Fault]:
    if type(value) is not bool:
        yield from whole(value, path)


_OPTIONS_OF_2: Final = (
    *("game", "rule", "holes", "scoring", "undo", "seats", "hole_seconds", "spectators", "visibility", "deals"),
)
"""The options that there were when records had schema 1 or 2."""
_MIX: Final = {"mix": each(fields({"game": _word, "rule": text(r"[A-Za-z0-9_]{1,20}", "a rule's name")}))}
_SPIT: Final = {"mode": text("spit", "spit")}
_OPTIONS: Final = {
    name: _option(hint) for name, hint in get_type_hints(Options).items() if name not in (*_MIX, *_SPIT)
}
_VARIANT: Final = by(r"[a-z_]{1,30}", _field_of_a_rule)
_RESULT: Final = {
    "how": _word,
    "cards_left": whole,
    "stock": whole,
    "traditional": number,
    "app": number,
    "moves": whole,
    "undos": whole,
}
_POINTS: Final = {"points": whole}
"""What results and sums of mixed games have besides."""
_SUMS_OF_HOLES: Final = {"thru": whole, "traditional": number, "app": number, "to_par": number}
_STANDING: Final = fields(
    {
        "leader": maybe(whole),
        "up": whole,
        "left": whole,
        "thru": whole,
        "dormie": flag,
        "over": flag,
        "winner": maybe(whole),
        "conceded": maybe(whole),
    }
)
_HOLE: Final = {
    "hole": whole,
    "code": _code,
    "rule": text(r"[A-Za-z0-9_]{1,20}", "a rule's name"),
    "columns": each(_cards),
    "waste": _cards,
    "stock": _cards,
    "opened_at": whole,
    "closed_at": maybe(whole),
}


def _hands(result: Mapping[str, Shape]) -> Mapping[str, Shape]:
    """Give what a hole says of its seats, whose results have these fields."""
    ended = maybe(fields({"at": whole, "how": _word, "by": whole}))
    return {"seats": by(r"[0-7]", fields({"moves": each(_move), "ended": ended, "result": maybe(fields(result))}))}


PILES: Final = {
    "places": _cards,
    "reserve": _cards,
    "foundations": by(r"[SHDC]", _cards),
    "face_down": by(r"[a-z]{1,20}(?:\.[0-9A-Z]{1,2})?", whole),
}
"""What a hole's deal has besides in some games."""
_BEST: Final = maybe(fields({"strokes": number, "line": each(_step)}))
_ROW: Final = {
    "seat": whole,
    "name": text(r".{1,24}", "a name"),
    "standing": _word,
    "place": maybe(whole),
    **_SUMS_OF_HOLES,
}
_RECORD: Final = {
    "schema": whole,
    "match": text(r"[0-9a-z]{26}", "a match's id"),
    "game": _word,
    "options": fields({}, {name: _OPTIONS[name] for name in _OPTIONS_OF_2}),
    "began_at": whole,
    "ended_at": whole,
    "abandoned": flag,
    "commitment": text(r"[0-9a-f]{64}", "64 hexadecimal digits"),
    "secret": text(r"(?:[0-9a-f]{2}){16,64}", "a secret in hexadecimal digits"),
    "par": whole,
    "seats": each(fields(_ROW)),
    "notes": each(fields({"at": whole, "what": _word, "seat": whole}, {"by": whole})),
}
_SEALED: Final = {
    "sealing": whole,
    "nonces": by(r"[0-7]", text(r"[0-9a-f]{32}", "32 hexadecimal digits")),
    "sums": by(r"(?s).*", text(r"[0-9a-f]{16}", "16 hexadecimal digits")),
}
_ROUND: Final = {
    "hole": whole,
    "code": _code,
    "opened_at": whole,
    "closed_at": maybe(whole),
    "winner": maybe(whole),
    "plays": each(_race),
    "seats": by(r"[01]", fields({"result": maybe(fields(_RESULT))})),
}
"""A round of Spit, which has one table for both."""
_HOLE_OF_1: Final = {**_HOLE, **_hands(_RESULT)}
_HOLE_OF_3: Final = {**_HOLE, "variant": _VARIANT, "winner": maybe(whole), "skipped": whole, "best": _BEST}


def _latest(options: Shape, points: Mapping[str, Shape], hole: Shape) -> Shape:
    """Give the shape of the latest records, whose sums have these `points` besides."""
    sums = {**_SUMS_OF_HOLES, **points}
    return fields(
        {
            **_RECORD,
            **_SEALED,
            "options": options,
            "standing": maybe(_STANDING),
            "seats": each(fields({**_ROW, **points, "nines": maybe(each(fields(sums)))})),
            "holes": each(hole),
        }
    )


SHAPES: Final[Mapping[int, Shape]] = {
    1: fields({**_RECORD, "holes": each(fields(_HOLE_OF_1))}),
    2: fields({**_RECORD, **_SEALED, "holes": each(fields({**_HOLE_OF_1, "variant": _VARIANT}))}),
    3: _latest(fields({}, _OPTIONS), {}, fields({**_HOLE_OF_3, **_hands(_RESULT)}, PILES)),
    4: _latest(
        fields(_MIX, _OPTIONS),
        _POINTS,
        fields({**_HOLE_OF_3, **_hands({**_RESULT, **_POINTS}), "game": _word}, PILES),
    ),
    5: _latest(fields(_SPIT, _OPTIONS), {}, fields(_ROUND)),
}
"""By the record's schema."""
