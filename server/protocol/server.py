"""What the server says: frames as plain dicts, and their encoding.

Out, a plain dict goes through pydantic's encoder (six times as fast as a model), and what an entry changes comes as
text already; the models below state each frame's shape and tests hold every sent frame against them.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import to_json

from server.protocol.client import PROTOCOL, Reaction
from server.protocol.course_frames import CourseFrames
from server.protocol.fields import Frame as Frame
from server.protocol.told import entry as entry
from server.protocol.words import words_of


def encode(frame: Frame) -> bytes:
    """Return a frame's JSON in UTF-8."""
    return to_json(frame)


def welcome(worker: str, now_ms: int) -> Frame:
    """Answer hello."""
    return {"t": "welcome", "protocol": PROTOCOL, "worker": worker, "now": now_ms}


def snapshot(version: int, now_ms: int, view: dict[str, Any]) -> Frame:
    """Give the whole view."""
    return {"t": "snapshot", "v": version, "now": now_ms, "view": view}


def ack(seq: int, version: int) -> Frame:
    """Answer a repeated command that had been applied."""
    return {"t": "ack", "seq": seq, "v": version}


def refused(seq: int, code: str, params: dict[str, Any] | None = None, words: str | None = None) -> Frame:
    """Answer a command that changed nothing."""
    return {"t": "refused", "seq": seq, "code": code, "words": words or words_of(code), "params": dict(params or {})}


def error(code: str, words: str | None = None, params: dict[str, Any] | None = None) -> Frame:
    """Answer a message that was not a command, or not understood."""
    return {"t": "error", "code": code, "words": words or words_of(code), "params": dict(params or {})}


def pong(n: int, now_ms: int) -> Frame:
    """Answer ping."""
    return {"t": "pong", "n": n, "now": now_ms}


def best(view: dict[str, Any]) -> Frame:
    """Show a closed hole to be stepped through: its deal, its best line, what everybody did."""
    return {"t": "best", **view}


def lobby(rooms: list[dict[str, Any]]) -> Frame:
    """List the public rooms."""
    return {"t": "lobby", "rooms": rooms}


def waiting(players: int, since_ms: int) -> Frame:
    """Tell somebody who waits for a quick match how many do, and since when it has (ms)."""
    return {"t": "waiting", "players": players, "since": since_ms}


def matched(match_id: str, room: str) -> Frame:
    """Tell somebody who waited that they have a seat."""
    return {"t": "matched", "match": match_id, "room": room}


def presence(seats: dict[int, int | None], spectators: int) -> Frame:
    """Say who is online: None, or offline since when (ms)."""
    return {"t": "presence", "seats": {str(n): since for n, since in seats.items()}, "spectators": spectators}


def reaction(seat: int, said: str) -> Frame:
    """Pass on what a seat said, one of `client.REACTIONS`."""
    return {"t": "reaction", "seat": seat, "reaction": said}


def replaced() -> Frame:
    """Say that a newer page speaks for the seat."""
    return {"t": "replaced"}


def status(state: str) -> Frame:
    """Give a banner: draining, engine_away or ok."""
    return {"t": "status", "state": state}


def gone() -> Frame:
    """Say that the match has expired."""
    return {"t": "gone"}


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


Strings = list[str]
Counts = dict[str, Any]


class You(_Shape):
    """A viewer's own part; a spectator has role and seat alone."""

    role: Literal["seat", "spectator"]
    seat: int | None
    generation: int | None = None
    next_seq: int | None = None
    moves: list[Strings] | None = None
    undo: bool | None = None
    done: bool | None = None
    move_count: int | None = None
    undo_count: int | None = None


class ViewShape(_Shape):
    """The whole view."""

    match: dict[str, Any]
    seats: dict[str, Counts]
    boards: dict[str, dict[str, Strings]]
    you: You


class WelcomeFrame(_Shape):
    """Shape of `welcome`."""

    t: Literal["welcome"]
    protocol: int
    worker: str
    now: int


class SnapshotFrame(_Shape):
    """Shape of `snapshot`."""

    t: Literal["snapshot"]
    v: int
    now: int
    view: ViewShape


class EntryFrame(_Shape):
    """Shape of `entry`."""

    t: Literal["e"]
    v: int
    seq: int | None = None
    match: dict[str, Any] = {}
    card: list[dict[str, Any]] = []
    seats: dict[str, Counts | None] = {}
    boards: dict[str, dict[str, Strings]] = {}
    moved: dict[str, list[Strings]] = {}
    you: dict[str, Any] = {}


class AckFrame(_Shape):
    """Shape of `ack`."""

    t: Literal["ack"]
    seq: int
    v: int


class RefusedFrame(_Shape):
    """Shape of `refused`."""

    t: Literal["refused"]
    seq: int
    code: str
    words: str
    params: dict[str, str | int]


class ErrorFrame(_Shape):
    """Shape of `error`."""

    t: Literal["error"]
    code: str
    words: str
    params: dict[str, str | int]


class PongFrame(_Shape):
    """Shape of `pong`."""

    t: Literal["pong"]
    n: int
    now: int


class BestFrame(_Shape):
    """Shape of `best`."""

    t: Literal["best"]
    hole: int
    strokes: int
    piles: dict[str, Strings]
    line: list[Strings]
    plays: dict[str, list[list[Strings]]]


class LobbyRoom(_Shape):
    """One public room."""

    room: str
    host: str
    game: str
    rule: str
    variant: dict[str, bool | int]
    holes: int
    seats: int
    taken: int
    scoring: str
    format: str
    sudden_death: bool
    winnable: bool
    mix: list[dict[str, Any]] = []
    mode: str = "solitaire"


class LobbyFrame(_Shape):
    """Shape of `lobby`."""

    t: Literal["lobby"]
    rooms: list[LobbyRoom]


class WaitingFrame(_Shape):
    """Shape of `waiting`."""

    t: Literal["waiting"]
    players: int
    since: int


class MatchedFrame(_Shape):
    """Shape of `matched`."""

    t: Literal["matched"]
    match: str
    room: str


class PresenceFrame(_Shape):
    """Shape of `presence`."""

    t: Literal["presence"]
    seats: dict[str, int | None]
    spectators: int


class ReactionFrame(_Shape):
    """Shape of `reaction`."""

    t: Literal["reaction"]
    seat: int
    reaction: Reaction


class BareFrame(_Shape):
    """Shape of `replaced` and `gone`."""

    t: Literal["replaced", "gone"]


class StatusFrame(_Shape):
    """Shape of `status`."""

    t: Literal["status"]
    state: Literal["draining", "engine_away", "ok"]


AnyFrame = (
    WelcomeFrame
    | SnapshotFrame
    | EntryFrame
    | AckFrame
    | RefusedFrame
    | ErrorFrame
    | PongFrame
    | BestFrame
    | LobbyFrame
    | WaitingFrame
    | MatchedFrame
    | PresenceFrame
    | ReactionFrame
    | BareFrame
    | StatusFrame
    | CourseFrames
)
FRAMES: TypeAdapter[AnyFrame] = TypeAdapter(Annotated[AnyFrame, Field(discriminator="t")])
