"""The fixture `serve`: real servers, ended with the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import Serve


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers; at the end of the test all that they started is ended."""
    starter = Serve(tmp_path)
    yield starter
    starter.end()
