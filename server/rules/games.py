"""The registry: every game by name. The only place that lists them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from server.rules.base import Game
from server.rules.canfield import Canfield
from server.rules.golf import Golf
from server.rules.russian import Russian

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.name: game for game in (Golf(), Canfield(), Russian())})
