"""The registry: every game by name. The only place that lists them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from server.rules.base import Game
from server.rules.golf import Golf

GAMES: Final[Mapping[str, Game]] = MappingProxyType({"golf": Golf()})
