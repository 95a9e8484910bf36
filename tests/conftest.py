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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what takes minutes to the long run."""
    if not os.environ.get("FAIRWAY_LONG"):
        long = [item for item in items if item.get_closest_marker("long")]
        items[:] = [item for item in items if item not in long]
        config.hook.pytest_deselected(items=long)
