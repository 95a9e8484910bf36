"""What the client is told of the games: `/games.json`, made once from the registry.

With it the page names no game: it offers those that are there, their rules and what may be changed in them.
"""

from typing import Any, Final

from server.protocol.server import encode
from server.rules.base import Game, rule_fields
from server.rules.games import GAMES, strengths_of

PATH: Final = "/games.json"


def games_told() -> bytes:
    """Return the JSON: a list of games, the default first."""
    return encode({"games": [_told(game) for game in GAMES.values()]})


def _told(game: Game) -> dict[str, Any]:
    """Give a game: its presets with their fields, what each field may be, and what decides and ends a hole."""
    return {
        "name": game.name,
        "prefix": game.prefix,
        "decks": game.decks,
        "presets": {name: rule_fields(rules) for name, rules in game.presets.items()},
        "fields": {name: list(may) for name, may in game.fields.items()},
        "added": [name for name in game.fields if name in game.added],
        "scorings": list(game.scorings),
        "par": game.par,
        "full": game.full,
        "declares_loss": game.declares_loss,
        "hides": game.hides,
        "solvable": game.solvable,
        "house_players": strengths_of((game,)),
    }
