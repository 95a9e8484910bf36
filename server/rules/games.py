"""The registry: every game by name, and who plays it for the house. The only place that lists them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from server.rules.base import Game
from server.rules.black_hole import BlackHole
from server.rules.canfield import Canfield
from server.rules.double_golf import DoubleGolf
from server.rules.golf import Golf
from server.rules.golf_players import GolfMind
from server.rules.players import Below, Mind, Strength
from server.rules.pyramid_golf import PyramidGolf
from server.rules.russian import Russian
from server.rules.tri_peaks import TriPeaks

GAMES: Final[Mapping[str, Game]] = MappingProxyType(
    {
        game.name: game
        for game in (Golf(), Canfield(), Russian(), BlackHole(), DoubleGolf(), TriPeaks(), PyramidGolf())
    }
)

MINDS: Final[Mapping[str, Callable[[Strength, Any, Below], Mind]]] = MappingProxyType({"golf": GolfMind})
"""The house players of the games that have any, made of a strength, the rules of a hole and chance."""
