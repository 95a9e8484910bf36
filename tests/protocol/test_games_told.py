"""What the page is told of the games: all of them, and nothing that a room would refuse."""

import json
from typing import Any

import pytest

from server.protocol.client import OptionsSaid
from server.protocol.games import games_told
from server.protocol.typed import options_of
from server.rules.base import rule_fields
from server.rules.games import GAMES, strengths_of
from server.rules.players import STRENGTHS

TOLD: list[dict[str, Any]] = json.loads(games_told())["games"]


def test_all_games_are_told() -> None:
    """Every game is there, in the registry's order."""
    assert [told["name"] for told in TOLD] == list(GAMES)


def test_which_games_have_house_players() -> None:
    """Each game has the weakest, the default one all, and the page is told which."""
    assert TOLD[0]["house_players"] == list(STRENGTHS)
    for told in TOLD:
        assert told["house_players"] == list(strengths_of((GAMES[told["name"]],)))
        assert told["house_players"][0] == STRENGTHS[0]


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told["name"])
def test_what_is_told_can_be_chosen(told: dict[str, Any]) -> None:
    """Each preset with each choice of what may be added, each score, and all fields alone, are taken as told."""
    for preset, fields in told["presets"].items():
        assert list(fields) == list(told["fields"])
        for scoring in told["scorings"]:
            options = options_of(OptionsSaid(game=told["name"], rule=preset, scoring=scoring))
            assert (options.game, options.scoring) == (told["name"], scoring)
            assert rule_fields(options.rules) == fields
        for name in told["added"]:
            for value in told["fields"][name]:
                options = options_of(OptionsSaid(game=told["name"], rule=preset, variant={name: value}))
                assert rule_fields(options.rules) == {**fields, name: value}
        assert options_of(OptionsSaid(game=told["name"], variant=fields)).rule == preset


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told["name"])
def test_a_game_alone_has_its_own_defaults(told: dict[str, Any]) -> None:
    """A host who names a game only gets its first preset and its first score."""
    options = options_of(OptionsSaid(game=told["name"]))
    assert (options.rule, options.scoring) == (next(iter(told["presets"])), told["scorings"][0])
