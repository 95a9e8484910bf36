"""The same tests once more, over websockets' public interface alone (`wire=public`)."""

from server.settings import Wire

from .test_bad_input import *  # noqa: F403 - its tests, over the other way
from .test_matches import *  # noqa: F403 - the same

WIRE: Wire = "public"
