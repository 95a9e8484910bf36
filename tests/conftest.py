"""What all tests share: hypothesis profiles (`FAIRWAY_LONG=1` runs the same laws over many more examples)."""

import asyncio.constants
import os

import pytest
from hypothesis import HealthCheck, Phase, settings

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
LONGEST_FIRST = (
    "browser/test_layouts.py",
    "runtime/test_processes.py",
    "browser/test_match.py",
    "browser/test_games.py",
    "browser/test_tasks.py",
    "hostile/test_workers.py",
    "hostile/test_engine_faults.py",
    "browser/test_house.py",
    "browser/test_replay.py",
    "hostile/test_fuzz.py",
    "hostile/test_deploys.py",
    "browser/test_hands.py",
    "hostile/test_disk.py",
    "hostile/test_leftovers.py",
)


def _place(item: pytest.Item) -> int:
    """Return how early an item's file begins: 0 first."""
    path = item.path.as_posix()
    return next((place for place, name in enumerate(LONGEST_FIRST) if path.endswith(name)), len(LONGEST_FIRST))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what takes minutes to the long run, and let what takes longest begin first."""
    if not os.environ.get("FAIRWAY_LONG"):
        long = [item for item in items if item.get_closest_marker("long")]
        items[:] = [item for item in items if item not in long]
        config.hook.pytest_deselected(items=long)
    items.sort(key=_place)
