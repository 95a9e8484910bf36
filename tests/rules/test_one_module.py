"""A game is one module: nothing else on the server names one, and the page names none where it plays."""

import ast
import re
from pathlib import Path

import pytest

from server.rules.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "server"
# The registry, and what is of one game by its purpose: Golf's solver with its commands, and house players.
OF_ONE_GAME = {
    "rules/games.py",
    "rules/solver.py",
    "rules/golf_players.py",
    "solve_command.py",
    "solve_share.py",
    *(f"rules/{game}.py" for game in GAMES),
}
FILES = sorted(path.relative_to(SERVER).as_posix() for path in SERVER.rglob("*.py"))


@pytest.mark.parametrize("file", [file for file in FILES if file not in OF_ONE_GAME])
def test_no_module_names_a_game(file: str) -> None:
    """No string of the code is a game's name, and no game's module is imported."""
    tree = ast.parse((SERVER / file).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            assert node.value not in GAMES, (file, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            assert node.module not in {f"server.rules.{game}" for game in GAMES}, (file, node.lineno)


def test_the_page_names_no_game() -> None:
    """Scripts name a game in the checks of its records and the pictures of its rules only."""
    for path in (ROOT / "client_web" / "js").glob("*.js"):
        if path.name not in ("figures.js", "steps.js"):
            code = re.sub(r"^\s*(?://|/?\*).*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert not re.search(rf'["\'`./](?:{"|".join(GAMES)})["\'`.]', code), path.name


@pytest.mark.parametrize("game", GAMES)
def test_all_that_a_game_needs_is_there(game: str) -> None:
    """Beside its module a game has a layout, a check of its records, golden tables, and rules in words."""
    assert (SERVER / "rules" / f"{game}.py").exists()
    assert (ROOT / "client_web" / "layouts" / f"{game}.json").exists()
    assert (ROOT / "client_web" / "js" / "checks" / f"{game}.js").exists()
    assert (ROOT / "tests" / "rules" / f"test_{game}.py").exists()
    for language in ("en", "tr", "hi"):
        assert f'"rules.{game}.name"' in (ROOT / "client_web" / "rules" / f"{language}.json").read_text(
            encoding="utf-8"
        )
