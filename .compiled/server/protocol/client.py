"""What a client may say: a closed union of messages, parsed once, here, into frozen values.

Knows nothing of sockets. Everything that is not exactly one of these messages becomes a `ProtocolError` with a
stable code; nothing inside asks about shape again. Unknown fields are refused, so that a typing error is heard.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from server.match.options import HOLE_SECONDS, HOLES, MIX, SEATS, Options, Scoring
from server.protocol.courses import CourseMessage, PlayCourse
from server.protocol.fields import (
    CardText,
    Hole,
    MatchId,
    Name,
    Nonce,
    Number,
    Pile,
    Room,
    SeatNumber,
    Seq,
    Token,
)
from server.protocol.fields import ProtocolError as ProtocolError
from server.protocol.fields import Said as _Said
from server.protocol.race import SpitSaid as SpitSaid
from server.protocol.waiting import WaitMessage
from server.rules.players import Strength

PROTOCOL: Final = 1
LARGEST: Final = 8_192
"""Bytes of the largest message: eighteen decks typed in as cards fit."""


_DEFAULTS: Final = Options()

RuleField = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,30}$")]
Variant = Annotated[dict[RuleField, bool | Annotated[int, Field(ge=0, le=100)]], Field(max_length=20)]
"""Fields of a rule by name; what each may be is the game's to say, and judged in `typed`."""


class MixSaid(_Said):
    """A game of a mix, with its rule as a room's is said."""

    game: str
    rule: str | None = None
    variant: Variant | None = None


class OptionsSaid(_Said):
    """A room's options as a host sends them; each has its default: of rule and scoring, that of the game.

    `mix`: the games that the holes take in turn. What else is said of game, rule and scoring must agree with it.
    """

    game: str = _DEFAULTS.game
    rule: str = _DEFAULTS.rule
    variant: Variant | None = None
    holes: Annotated[int, Field(ge=HOLES[0], le=HOLES[1])] = 9
    scoring: Scoring = _DEFAULTS.scoring
    undo: Literal["off", "plays", "all"] = "plays"
    seats: Annotated[int, Field(ge=SEATS[0], le=SEATS[1])] = 4
    hole_seconds: Annotated[int, Field(ge=0, le=HOLE_SECONDS[1])] = 240
    spectators: Literal["fair", "live", "off"] = "fair"
    visibility: Literal["private", "public"] = "private"
    help: Literal["off", "hint", "highlight"] = "off"
    deals: list[Annotated[str, StringConstraints(max_length=800)]] = Field(default_factory=list, max_length=HOLES[1])
    format: Literal["stroke", "match"] = "stroke"
    sudden_death: bool = False
    winnable: bool = False
    mix: list[MixSaid] = Field(default_factory=list, max_length=MIX[1])
    mode: Literal["solitaire", "spit"] = "solitaire"


class Hello(_Said):
    """The first message."""

    t: Literal["hello"]
    protocol: int


class LobbyAsk(_Said):
    """Show the public rooms, or stop."""

    t: Literal["lobby"]
    off: bool = False


class Host(_Said):
    """Make a room and take its first seat."""

    t: Literal["host"]
    name: Name
    token: Token
    options: OptionsSaid = OptionsSaid()


class JoinRoom(_Said):
    """Take a seat in a room."""

    t: Literal["join"]
    name: Name
    token: Token
    room: Room | None = None
    match: MatchId | None = None


class Watch(_Said):
    """Look on."""

    t: Literal["watch"]
    room: Room | None = None
    match: MatchId | None = None


class Resume(_Said):
    """Come back to a match."""

    t: Literal["resume"]
    match: MatchId
    token: Token | None = None
    version: Number | None = None
    generation: Number | None = None


class BestAsk(_Said):
    """Show the best line of the hole that closed last, and what everybody did."""

    t: Literal["best"]


class Ping(_Said):
    """Ask whether the line is alive."""

    t: Literal["ping"]
    n: Number


Reaction = Literal["hello", "good_luck", "well_played", "wow", "ouch", "so_close", "thinking", "thanks"]
REACTIONS: Final = get_args(Reaction)


class React(_Said):
    """Say one of a few words to all in the match. It is heard now or never: no command, no seq, no entry."""

    t: Literal["react"]
    reaction: Reaction


class ReadySaid(_Said):
    """Ready for the start, or not. `nonce`: 128 random bits of the page's own, which the deals will depend on."""

    t: Literal["ready"]
    seq: Seq
    ready: bool
    nonce: Nonce | None = None


class StartSaid(_Said):
    """Start now."""

    t: Literal["start"]
    seq: Seq


class KickSaid(_Said):
    """Put a seat out."""

    t: Literal["kick"]
    seq: Seq
    seat: SeatNumber


class AddBotSaid(_Said):
    """Seat a house player."""

    t: Literal["add_bot"]
    seq: Seq
    strength: Strength


class LeaveSaid(_Said):
    """Leave the match for good."""

    t: Literal["leave"]
    seq: Seq


class SetOptionsSaid(_Said):
    """Change the room."""

    t: Literal["options"]
    seq: Seq
    options: OptionsSaid


class PlaySaid(_Said):
    """Play a card, or the block that it begins."""

    t: Literal["play"]
    seq: Seq
    source: Pile
    target: Pile
    card: CardText


class DrawSaid(_Said):
    """Draw."""

    t: Literal["draw"]
    seq: Seq
    stock: Number


class UndoSaid(_Said):
    """Take the last action back."""

    t: Literal["undo"]
    seq: Seq
    moves: Number
    undos: Number


class GiveUpSaid(_Said):
    """Give the hole up."""

    t: Literal["give_up"]
    seq: Seq
    hole: Hole


class DoneSaid(_Said):
    """Accept being stuck."""

    t: Literal["done"]
    seq: Seq
    hole: Hole


class CloseSeatSaid(_Said):
    """Close the hole of a seat that is long offline."""

    t: Literal["close_seat"]
    seq: Seq
    seat: SeatNumber
    hole: Hole


class NextSaid(_Said):
    """Ready for the next hole."""

    t: Literal["next"]
    seq: Seq
    hole: Hole


class RematchSaid(_Said):
    """Go on with the same people in a new match."""

    t: Literal["rematch"]
    seq: Seq


SeatMessage = (
    ReadySaid
    | StartSaid
    | KickSaid
    | AddBotSaid
    | LeaveSaid
    | SetOptionsSaid
    | PlaySaid
    | SpitSaid
    | DrawSaid
    | UndoSaid
    | GiveUpSaid
    | DoneSaid
    | CloseSeatSaid
    | NextSaid
    | RematchSaid
)
Message = (
    Hello
    | LobbyAsk
    | Host
    | JoinRoom
    | WaitMessage
    | Watch
    | Resume
    | BestAsk
    | Ping
    | React
    | PlayCourse
    | CourseMessage
    | SeatMessage
)

_ADAPTER: Final[TypeAdapter[Message]] = TypeAdapter(Annotated[Message, Field(discriminator="t")])
_validate: Final[Callable[[str | bytes], Message]] = _ADAPTER.validator.validate_json

_OWN_CODES: Final = {
    "token": ("bad_token", "A token is 32 hexadecimal digits."),
    "name": ("bad_name", "A name has 1 to 24 visible characters, without < and >."),
}


def parse(text: str | bytes) -> Message:
    """Return the message that `text` (JSON) is. Raises ProtocolError for everything else."""
    if _size(text) > LARGEST:
        raise ProtocolError("too_large", f"A message has at most {LARGEST} bytes.", most=LARGEST)
    try:
        return _validate(text)
    except ValidationError as error:
        raise explain(error.errors(include_url=False, include_context=False)[0]) from None


def _size(text: str | bytes) -> int:
    """Return the bytes of a message; the ASCII that nearly all are is not encoded for it."""
    if isinstance(text, bytes) or text.isascii() or len(text) > LARGEST:
        return len(text)
    return len(text.encode(errors="surrogatepass"))


def explain(first: Any) -> ProtocolError:
    """Return what is wrong with a message by the first error of its shape."""
    kind, place = first["type"], [str(part) for part in first["loc"]]
    if kind == "json_invalid":
        return ProtocolError("bad_json", "That is not JSON.")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return ProtocolError("unknown_type", "There is no message of that type.")
    if not place[1:]:
        return ProtocolError("not_object", "A message is a JSON object.")
    field = place[1]
    if field in _OWN_CODES and kind != "extra_forbidden":
        code, words = _OWN_CODES[field]
        return ProtocolError(code, words)
    if field == "options" and len(place) > 2:
        # Of the variant the field is named, of other options the option.
        option = ".".join(place[2 : 4 if place[2] == "variant" else 3])[:40]
        return ProtocolError("bad_options", f"The option {option!r} can't be that.", field=option)
    said = {"missing": "is missing", "extra_forbidden": "is not known"}.get(kind, "can't be that")
    return ProtocolError("bad_field", f"The field {field[:40]!r} {said}.", field=field[:40])
