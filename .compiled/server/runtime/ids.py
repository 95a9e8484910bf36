"""Unguessable names: match ids, room codes, secrets; what a page's token becomes. The only randomness there is."""

import base64
import hashlib
import secrets
from typing import Final, NewType

MatchId = NewType("MatchId", str)
RoomCode = NewType("RoomCode", str)
TokenHash = NewType("TokenHash", str)

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""No I, L and O: read aloud and typed in by hand. 23^8 is 36 bits; joins by code are limited besides."""
CODE_LETTERS: Final = 8


def _id_of(digest: bytes) -> MatchId:
    return MatchId(base64.b32encode(digest)[:26].decode().lower())


def match_id_of(token: str) -> MatchId:
    """Return the id (26 letters and digits, 130 bits) of the match that a host makes with this token.

    It follows from the token, so that a request sent twice makes one match; the token can't be found from it.
    """
    return _id_of(hashlib.sha256(b"fairway match " + token.encode()).digest())


def course_id_of(*parts: str | int) -> str:
    """Return the id of the course that these parts stand for: the same parts, the same course. It looks like a match's."""
    return _id_of(hashlib.sha256("\n".join(["fairway course", *map(str, parts)]).encode()).digest())


def round_id_of(course_id: str, token: str) -> MatchId:
    """Return the id of the one match that is a browser's round of a course."""
    return _id_of(hashlib.sha256(f"fairway round {course_id} {token}".encode()).digest())


def new_match_id() -> MatchId:
    """Return a fresh match id."""
    return _id_of(secrets.token_bytes(20))


def new_room_code() -> RoomCode:
    """Return a fresh room code, eight letters."""
    return RoomCode("".join(secrets.choice(_LETTERS) for _ in range(CODE_LETTERS)))


def new_secret() -> str:
    """Return a fresh secret that seeds a match's deals: 256 bits in hex."""
    return secrets.token_hex(32)


def new_token() -> str:
    """Return a fresh token of a seat: 128 bits in hex."""
    return secrets.token_hex(16)


def room_code_of(text: str) -> RoomCode:
    """Return the code that somebody typed: case, spaces and hyphens don't matter."""
    return RoomCode("".join(text.split()).replace("-", "").upper())


def is_room_code(code: str) -> bool:
    """Whether any room could have this code."""
    return len(code) == CODE_LETTERS and all(letter in _LETTERS for letter in code)


def token_hash(token: str) -> TokenHash:
    """Return what the stream keeps of a token: its SHA-256 in hex, never the token itself."""
    return TokenHash(hashlib.sha256(token.encode()).hexdigest())
