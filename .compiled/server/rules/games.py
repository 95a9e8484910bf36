"""The registry: every game by name, and who plays it for the house. The only place that lists them."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from server.rules.base import Game
from server.rules.black_hole import BlackHole
from server.rules.canfield import Canfield
from server.rules.double_golf import DoubleGolf
from server.rules.golf import Golf
from server.rules.golf_players import GolfMind
from server.rules.greedy_player import GreedyMind
from server.rules.players import STRENGTHS, Below, Mind, Strength
from server.rules.pyramid_golf import PyramidGolf
from server.rules.russian import Russian
from server.rules.tri_peaks import TriPeaks

GAMES: Final[Mapping[str, Game]] = MappingProxyType(
    {
        game.name: game
        for game in (Golf(), Canfield(), Russian(), BlackHole(), DoubleGolf(), TriPeaks(), PyramidGolf())
    }
)

# House players that were written for one game, in all strengths.
_MINDS: Final[Mapping[str, Callable[[Strength, Any, Below], Mind]]] = MappingProxyType({"golf": GolfMind})


def strengths_of(games: Iterable[Game]) -> tuple[Strength, ...]:
    """Give the strengths of house player that know all of these games, the weakest first."""
    return STRENGTHS if all(game.name in _MINDS for game in games) else STRENGTHS[:1]


def mind_of(game: Game, strength: Strength, rules: Any, below: Below) -> Mind:
    """Make a house player's thoughts about one hole of these rules. Raises ValueError if none so strong knows the game."""
    if strength not in strengths_of((game,)):
        raise ValueError(f"no {strength} player knows {game.name}")
    made = _MINDS.get(game.name)
    return GreedyMind(game, rules, below) if made is None else made(strength, rules, below)
