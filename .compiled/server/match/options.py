"""What a host chooses for a room: a plain value, checked once, at the edge.

Knows the ranges that `decide` relies on and nothing of the wire; `check` is the one place that judges them.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from server.rules.base import Game, rules_named
from server.rules.codes import parse_code
from server.rules.games import GAMES

Undo = Literal["off", "plays", "all"]
Spectators = Literal["fair", "live", "off"]
Visibility = Literal["private", "public"]
Help = Literal["off", "hint", "highlight"]
Format = Literal["stroke", "match"]
Mode = Literal["solitaire", "spit"]
"""Whether each seat plays a deal of its own, or two play one table."""
Scoring = Literal["traditional", "app", "points"]
"""Which score decides: one of the game's own two, or, where games are mixed, points."""

HOLES: Final = (1, 18)
MORE_HOLES: Final = 9
"""The most that sudden death adds to a match that is level."""
MATCH_SEATS: Final = 2
SEATS: Final = (1, 8)
MIX: Final = (2, 18)
"""How many games a mix may name, which holes take in turn."""
POINTS: Final = 1_000
"""What a cleared hole of any game counts in a match that mixes games."""
HOLE_SECONDS: Final = (60, 900)

_FIRST: Final = next(iter(GAMES.values()))


@dataclass(frozen=True, slots=True)
class Options:
    """A room's options.

    `rule`: the name of a preset, or the letters of rules that have no name. `hole_seconds` 0 means no limit; `deals`
    are canonical deal codes, one a hole of the round. `sudden_death`: a level match goes on, of match play alone.
    `help`: what the pages show of the moves that they are given. `winnable`: only deals that can be cleared.
    `mix`: (game, rule) of the holes in turn, the first again after the last; then `game` and `rule` are the first's, and
    `scoring` is `points`. Empty: all holes are of one game. `mode` `spit`: two play rounds of Spit, as the holes of match
    play; `game` and `rule` stay those of the codes that its decks come from.
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
    mix: tuple[tuple[str, str], ...] = ()
    mode: Mode = "solitaire"

    @property
    def rules(self) -> Any:
        """The rules that `rule` names, a value of the game's own type."""
        return rules_named(GAMES[self.game], self.rule)

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that holes are of, each once."""
        return tuple(GAMES[name] for name in dict.fromkeys([self.game, *(game for game, _ in self.mix)]))

    def game_of(self, hole: int) -> Game:
        """Return a hole's game; before the first (0) that of the first."""
        return GAMES[self._named(hole)[0]]

    def rules_of(self, hole: int) -> Any:
        """Return a hole's rules where no typed deal brings others, a value of its game's own type."""
        game, rule = self._named(hole)
        return rules_named(GAMES[game], rule)

    def _named(self, hole: int) -> tuple[str, str]:
        return self.mix[max(0, hole - 1) % len(self.mix)] if self.mix else (self.game, self.rule)

    def points(self, hole: int, app: int) -> int:
        """Return an app score of a hole in points: thousandths of what clearing it gives, rounded down."""
        return POINTS * app // self.game_of(hole).full

    @property
    def par(self) -> int:
        """Strokes a hole of the game; 0 where there is no such thing, as among mixed games and in Spit."""
        return 0 if self.mix or self.mode == "spit" else GAMES[self.game].par

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
    if options.mix and not _mixes(options):
        return "mix"
    if options.scoring not in (("points",) if options.mix else game.scorings):
        return "scoring"
    if options.match_play and options.seats != MATCH_SEATS:
        return "seats"
    if options.mode == "spit":
        plain = Options(mode="spit", format="match", seats=MATCH_SEATS)
        for name in ("format", "game", "rule", "scoring", "mix", "deals", "winnable"):
            if getattr(options, name) != getattr(plain, name):
                return name
    if options.sudden_death and not options.match_play:
        return "sudden_death"
    # A deal that was typed in is played as it is.
    if options.winnable and (options.deals or not all(one.solvable for one in options.games)):
        return "winnable"
    seconds = options.hole_seconds
    if seconds == 0 and options.visibility == "public":
        return "hole_seconds"
    if seconds != 0 and not HOLE_SECONDS[0] <= seconds <= HOLE_SECONDS[1]:
        return "hole_seconds"
    if options.deals:
        if len(options.deals) != options.holes:
            return "deals"
        if any(parse_code(text).game != options.game_of(hole).name for hole, text in enumerate(options.deals, 1)):
            return "deals"
    return None


def _mixes(options: Options) -> bool:
    """Say whether a mix can be played: known games and rules, more than one, none that no hole would take."""
    if not MIX[0] <= len(options.mix) <= min(MIX[1], options.holes) or len(set(options.mix)) == 1:
        return False
    try:
        for game, rule in options.mix:
            rules_named(GAMES[game], rule)
    except (KeyError, ValueError):
        return False
    return options.mix[0] == (options.game, options.rule)


def dump_options(options: Options) -> dict[str, Any]:
    """Return the options as JSON-able values, every field named, but for mix and mode where they say nothing."""
    plain = asdict(options)
    plain["deals"] = list(options.deals)
    del plain["mix"]
    if options.mode == "solitaire":
        del plain["mode"]
    return {**plain, "mix": [{"game": game, "rule": rule} for game, rule in options.mix]} if options.mix else plain


def load_options(plain: dict[str, Any]) -> Options:
    """Read back what `dump_options` wrote; a field that an older schema lacks keeps its default."""
    mix = tuple((one["game"], one["rule"]) for one in plain.get("mix", ()))
    return Options(**{**plain, "deals": tuple(plain.get("deals", ())), "mix": mix})
