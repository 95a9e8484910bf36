"""What messages are made of: their base, the error for all that is none, and the fields that several of them bear."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from server.match.options import HOLES, MORE_HOLES, SEATS

Frame = dict[str, Any]
"""What the server says, before it is encoded."""


class ProtocolError(Exception):
    """A message that is not understood or not allowed: a stable `code`, words in English, parameters."""

    def __init__(self, code: str, words: str, **params: str | int) -> None:
        super().__init__(code)
        self.code, self.words, self.params = code, words, params


class Said(BaseModel):
    """A message of a client, or a part of one: no other fields than its own, no guessing of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Token = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Nonce = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Room = Annotated[str, StringConstraints(min_length=1, max_length=40)]
MatchId = Annotated[str, StringConstraints(pattern=r"^[0-9a-z]{26}$")]
Name = Annotated[str, StringConstraints(max_length=500)]
Pile = Annotated[str, StringConstraints(min_length=1, max_length=16)]
CardText = Annotated[str, StringConstraints(min_length=1, max_length=3)]
Number = Annotated[int, Field(ge=0, le=2**31)]
Seq = Annotated[int, Field(ge=1, le=2**31)]
SeatNumber = Annotated[int, Field(ge=0, lt=SEATS[1])]
Hole = Annotated[int, Field(ge=1, le=HOLES[1] + MORE_HOLES)]
