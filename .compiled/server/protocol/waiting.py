"""What a client says to be seated with strangers."""

from typing import Literal

from server.protocol.fields import Name, Said, Token


class Quick(Said):
    """Wait for a quick match. `browser`: a token of this browser, for which one place is kept."""

    t: Literal["quick"]
    name: Name
    token: Token
    browser: Token


class QuickOff(Said):
    """Wait no longer."""

    t: Literal["quick_off"]


WaitMessage = Quick | QuickOff
