"""The same tests once more, over websockets' public interface alone (`wire=public`)."""

import pytest

from server.settings import Wire

from .test_bad_input import *  # noqa: F403 - its tests, with the fixture below
from .test_matches import *  # noqa: F403 - the same


@pytest.fixture
def wire() -> Wire:
    """Override the fixture that the worker is made with."""
    return "public"
