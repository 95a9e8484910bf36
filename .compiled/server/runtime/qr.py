"""Pictures of a room's link, to be read by a phone's camera.

Law: a picture says what its path and the asker's own Host say, and nothing that is not to be seen there; whether the
room exists is neither asked nor told.
"""

import re
from functools import lru_cache
from io import BytesIO
from typing import Final

import segno
from websockets.datastructures import Headers

from server.runtime.ids import is_room_code

PATH: Final = "/qr/"
SVG: Final = "image/svg+xml"
_ASKED: Final = re.compile(r"(watch-)?([A-Z]{8})\.svg")
_HOST: Final = re.compile(r"[\w.\-]{1,253}(?::\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?", re.ASCII)


def link_asked(name: str, headers: Headers) -> str | None:
    """Return the link that `ROOMCODE.svg` (to play) or `watch-ROOMCODE.svg` stands for, None where it is neither."""
    asked, hosts = _ASKED.fullmatch(name), headers.get_all("Host")
    if asked is None or not is_room_code(asked[2]) or len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        return None
    scheme = "https" if headers.get_all("X-Forwarded-Proto") == ["https"] else "http"
    return f"{scheme}://{hosts[0]}/#{'watch=' if asked[1] else ''}{asked[2]}"


@lru_cache(maxsize=256)
def picture(link: str) -> bytes:
    """Return the QR code of a link as SVG: black on white in either theme, with the margin that readers need."""
    drawn = BytesIO()
    segno.make_qr(link, error="m").save(drawn, kind="svg", xmldecl=False, omitsize=True, dark="#000", light="#fff")
    return drawn.getvalue()
