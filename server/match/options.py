"""What a host chooses for a room: a plain value, checked once, at the edge.

Knows the ranges that `decide` relies on and nothing of the wire; `check` is the one place that judges them.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from server.rules.base import Scoring, rules_named
from server.rules.codes import parse_code
from server.rules.games import GAMES

Undo = Literal["off", "plays", "all"]
Spectators = Literal["fair", "live", "off"]
Visibility = Literal["private", "public"]
Help = Literal["off", "hint", "highlight"]
Format = Literal["stroke", "match"]

HOLES: Final = (1, 18)
MORE_HOLES: Final = 9
"""The most that sudden death adds to a match that is level."""
MATCH_SEATS: Final = 2
SEATS: Final = (1, 8)
HOLE_SECONDS: Final = (60, 900)

_FIRST: Final = next(iter(GAMES.values()))


@dataclass(frozen=True, slots=True)
class Options:
    """A room's options.

    `rule`: the name of a preset, or the letters of rules that have no name. `hole_seconds` 0 means no limit; `deals`
    are canonical deal codes, one a hole of the round. `sudden_death`: a level match goes on, of match play alone.
    `help`: what the pages show of the moves that they are given. `winnable`: only deals that can be cleared.
    """

    game: str = _FIRST.name
    rule: str = next(iter(_FIRST.presets))
    holes: int = 9
    scoring: Scoring = _FIRST.scorings[0]
    undo: Undo = "plays"
    seats: int = 4
    hole_seconds: int = 240
    spectators: Spectators = "fair"
    visibility: Visibility = "private"
    deals: tuple[str, ...] = ()
    help: Help = "off"
    format: Format = "stroke"
    sudden_death: bool = False
    winnable: bool = False

    @property
    def rules(self) -> Any:
        """The rules that `rule` names, a value of the game's own type."""
        return rules_named(GAMES[self.game], self.rule)

    @property
    def par(self) -> int:
        """Strokes a hole of the game; 0 where there is no such thing."""
        return GAMES[self.game].par

    @property
    def open_deal(self) -> bool:
        """Somebody typed the deals in, so somebody may have seen them."""
        return bool(self.deals)

    @property
    def match_play(self) -> bool:
        """Holes are won and lost, by two."""
        return self.format == "match"

    def typed(self, hole: int) -> bool:
        """Say whether the deal of this hole was typed in; those of sudden death never are."""
        return 1 <= hole <= len(self.deals)

    @property
    def alone(self) -> bool:
        """One seat: nobody to wait for, nobody to hide from."""
        return self.seats == 1


def check(options: Options) -> str | None:
    """Return the name of the first option that is out of its range or contradicts another, or None."""
    game = GAMES.get(options.game)
    if game is None:
        return "game"
    try:
        rules_named(game, options.rule)
    except ValueError:
        return "rule"
    if not HOLES[0] <= options.holes <= HOLES[1]:
        return "holes"
    if not SEATS[0] <= options.seats <= SEATS[1]:
        return "seats"
    if options.scoring not in game.scorings:
        return "scoring"
    if options.match_play and options.seats != MATCH_SEATS:
        return "seats"
    if options.sudden_death and not options.match_play:
        return "sudden_death"
    # A deal that was typed in is played as it is.
    if options.winnable and (options.deals or not game.solvable):
        return "winnable"
    seconds = options.hole_seconds
    if seconds == 0 and options.visibility == "public":
        return "hole_seconds"
    if seconds != 0 and not HOLE_SECONDS[0] <= seconds <= HOLE_SECONDS[1]:
        return "hole_seconds"
    if options.deals:
        if len(options.deals) != options.holes:
            return "deals"
        if any(parse_code(text).game != options.game for text in options.deals):
            return "deals"
    return None


def dump_options(options: Options) -> dict[str, Any]:
    """Return the options as JSON-able values, every field named."""
    plain = asdict(options)
    plain["deals"] = list(options.deals)
    return plain


def load_options(plain: dict[str, Any]) -> Options:
    """Read back what `dump_options` wrote; a field that an older schema lacks keeps its default."""
    return Options(**{**plain, "deals": tuple(plain.get("deals", ()))})
