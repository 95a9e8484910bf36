"""The client's files, and pages made at the start, served from memory on the same port as the WebSocket.

Law: only names that were found at the start are answered, compared as they stand (no decoding, no joining
of paths), so nothing outside the folder can be reached. Every answer bears the security headers. Knows HTTP
headers and files; nothing of matches, sockets or the engine.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from websockets.datastructures import Headers
from websockets.http11 import Response

from server.runtime.joining import INDEX, LAYOUTS, CantJoin, join, layouts

CONTENT_TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
}
COMPRESSED_ALREADY = frozenset({".png", ".ico", ".woff2"})
# ws: and wss: stand beside 'self' since older browsers don't take 'self' to mean the page's own WebSocket.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' ws: wss:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
WEBSOCKET_PATH = "/ws"

log = logging.getLogger("fairway.pages")


@dataclass(frozen=True, slots=True)
class Page:
    """One file as it is sent; `zipped` is None where compressing gains nothing. `tag` is the hash inside
    the ETags.
    """

    content_type: str
    body: bytes
    zipped: bytes | None
    tag: str


class Pages:
    """The files below one folder, read once, and what is joined out of them (`joining`).

    Files of unknown types, hidden ones and links that lead out of the folder are left out. `made`: bodies of further
    pages by path, such as `/games.json`. Raises FileNotFoundError when the folder has no index.html. Modules that
    can't be joined go out one by one, and the log says why. A page is compressed when it is first asked for: most are
    never, and the start would wait for all of them.
    """

    def __init__(self, root: Path, made: Mapping[str, bytes] | None = None) -> None:
        files = _read_all(root)
        try:
            joined = join(files)
        except CantJoin as error:
            log.warning("The page's modules go out one by one: %s.", error)
            joined = {}
        self._bodies = {**files, **joined, LAYOUTS: layouts(files), **(made or {})}
        self._pages: dict[str, Page] = {}
        if INDEX not in self._bodies:
            raise FileNotFoundError(f"no index.html in {root}")

    def names(self) -> tuple[str, ...]:
        """Give all paths that are answered."""
        return ("/", *self._bodies)

    def respond(self, path: str, headers: Headers, method: str = "GET") -> Response | None:
        """Answer a request for a page; `path` as in the request line, with its query.

        None for the WebSocket's path: the handshake goes on. Otherwise 200 or 304, or in plain text 404 or
        405.
        """
        name = path.partition("?")[0]
        if name == WEBSOCKET_PATH and method == "GET":
            return None
        if method not in ("GET", "HEAD"):
            return answer(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is answered here.\n", {"Allow": "GET, HEAD"})
        page = self._page(INDEX if name == "/" else name)
        if page is None:
            return answer(HTTPStatus.NOT_FOUND, "There is no such page.\n")
        return _page_response(page, headers, head_only=method == "HEAD")

    def _page(self, name: str) -> Page | None:
        page = self._pages.get(name)
        if page is None and name in self._bodies:
            page = self._pages[name] = _page(Path(name), self._bodies[name])
        return page


def answer(
    status: HTTPStatus,
    body: str | bytes,
    more: Mapping[str, str] | None = None,
    content_type: str = "text/plain; charset=utf-8",
) -> Response:
    """Make a small response that no cache keeps, with the security headers; `more` are further headers."""
    data = body.encode() if isinstance(body, str) else body
    return _response(status, data, {"Content-Type": content_type, "Cache-Control": "no-store", **(more or {})})


def _page_response(page: Page, headers: Headers, *, head_only: bool) -> Response:
    zipped = page.zipped if takes_gzip(headers) else None
    own = {
        # Two bodies, two ETags: a cache must not take one for the other.
        "ETag": f'"{page.tag}-gz"' if zipped is not None else f'"{page.tag}"',
        "Cache-Control": "no-cache",  # kept, but asked about each time: a deploy shows at once
        "Vary": "Accept-Encoding",
    }
    if _matches(", ".join(headers.get_all("If-None-Match")), page.tag):
        return _response(HTTPStatus.NOT_MODIFIED, b"", own, with_length=False)
    own["Content-Type"] = page.content_type
    if zipped is not None:
        own["Content-Encoding"] = "gzip"
    if headers.get("X-Forwarded-Proto") == "https":
        # On plain HTTP browsers ignore it and complain in the console.
        own["Cross-Origin-Opener-Policy"] = "same-origin"
    return _response(HTTPStatus.OK, page.body if zipped is None else zipped, own, head_only=head_only)


def _response(
    status: HTTPStatus,
    body: bytes,
    more: Mapping[str, str],
    *,
    head_only: bool = False,
    with_length: bool = True,
) -> Response:
    # A new Headers each time: the WebSocket server adds its own to the one it is given.
    headers = Headers(more)
    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Connection"] = "close"
    if with_length:
        headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, b"" if head_only else body)


def takes_gzip(headers: Headers) -> bool:
    """Whether the asker of a request takes a body that is gzipped."""
    for part in ", ".join(headers.get_all("Accept-Encoding")).lower().split(","):
        coding, *parameters = (piece.strip() for piece in part.split(";"))
        if coding == "gzip":
            return not any(p.replace(" ", "").rstrip("0.") == "q=" for p in parameters)
    return False


def _matches(if_none_match: str, tag: str) -> bool:
    known = {part.strip().removeprefix("W/") for part in if_none_match.split(",")}
    return bool(known & {"*", f'"{tag}"', f'"{tag}-gz"'})


def _read_all(root: Path) -> dict[str, bytes]:
    top = root.resolve()
    files = {}
    for file in sorted(top.rglob("*")):
        inside = file.relative_to(top)
        if any(part.startswith(".") for part in inside.parts) or file.suffix not in CONTENT_TYPES:
            continue
        if file.is_file() and file.resolve().is_relative_to(top):
            files[f"/{inside.as_posix()}"] = file.read_bytes()
    return files


def _page(file: Path, body: bytes) -> Page:
    zipped = None if file.suffix in COMPRESSED_ALREADY else gzip.compress(body, compresslevel=9, mtime=0)
    return Page(
        content_type=CONTENT_TYPES[file.suffix],
        body=body,
        zipped=zipped if zipped is not None and len(zipped) < len(body) else None,
        tag=hashlib.sha256(body).hexdigest()[:16],
    )
