"""What all tests share: hypothesis profiles (`FAIRWAY_LONG=1` runs the same laws over many more examples)."""

import asyncio.constants
import os
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, Phase, settings

from server.match import state

# The short run judges a change, so it draws the same examples each time; the long run draws new ones.
settings.register_profile(
    "dev",
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
    derandomize=True,
)
settings.register_profile("long", max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile(
    "faults",
    parent=settings.get_profile("dev"),
    max_examples=25,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile(os.environ.get("FAIRWAY_PROFILE") or ("long" if os.environ.get("FAIRWAY_LONG") else "dev"))

# asyncio's debug mode, in which all tests run, notes ten frames of the stack with every callback, and looks at the files
# of all of them: most of the time of a test with sockets. No check needs those frames; who wants them sets a number.
asyncio.constants.DEBUG_STACK_DEPTH = int(os.environ.get("FAIRWAY_STACKS") or 0)


# Files are handed out whole, so one that takes long must not be the last to begin: these go first, the longest foremost.
# Here as among all others what works most, the browser's files, and what waits most, the rest, take turns.
LONGEST_FIRST = (
    "browser/test_layouts.py",
    "runtime/test_matches.py",
    "browser/test_games.py",
    "runtime/test_public_wire.py",
    "browser/test_record_faults.py",
    "hostile/test_slow_and_hostile.py",
    "browser/test_reconnect.py",
    "hostile/test_workers.py",
    "browser/test_match.py",
    "runtime/test_processes.py",
    "browser/test_replay.py",
    "runtime/test_solving.py",
    "browser/test_tasks.py",
    "hostile/test_engine_faults.py",
    "browser/test_match_play_page.py",
    "runtime/test_lines.py",
    "browser/test_rooms.py",
    "runtime/test_reconnect.py",
    "browser/test_verified.py",
    "hostile/test_disk.py",
)


COMPILED = not state.__file__.endswith(".py")


def _places(files: Iterable[str]) -> dict[str, float]:
    """Return how early each file begins: by its place in the list, then both kinds evenly from 0 to 1 after it."""
    places: dict[str, float] = {}
    kinds: tuple[list[str], list[str]] = ([], [])
    for file in files:
        first = next((place for place, name in enumerate(LONGEST_FIRST) if file.endswith(name)), None)
        if first is None:
            kinds["/browser/" in file].append(file)
        else:
            places[file] = first
    for kind in kinds:
        places |= {file: len(LONGEST_FIRST) + (number + 0.5) / len(kind) for number, file in enumerate(kind)}
    return places


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what takes minutes to the long run, and let what takes longest begin first."""
    if not os.environ.get("FAIRWAY_LONG"):
        long = [item for item in items if item.get_closest_marker("long")]
        items[:] = [item for item in items if item not in long]
        config.hook.pytest_deselected(items=long)
    if COMPILED:
        for item in items:
            if item.get_closest_marker("interpreted"):
                item.add_marker(pytest.mark.skip(reason="compiled modules take no stand-ins"))
    places = _places(dict.fromkeys(item.path.as_posix() for item in items))
    items.sort(key=lambda item: places[item.path.as_posix()])
