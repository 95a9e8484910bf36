"""The one way in which a start is given up.

Law: whatever stops the server by itself is said in words that a person can act on, never as a traceback.
"""

from __future__ import annotations


class Stopped(Exception):
    """The server can't start or go on; the text says why and what to do."""
