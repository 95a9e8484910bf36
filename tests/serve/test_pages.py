"""The client's files as they go out: exact names, caching, compression, headers; then over a real socket."""

import asyncio
import gzip
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from server.runtime.pages import Pages, answer

INDEX = "<!doctype html>" + "<p>green</p>" * 50


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    """A small client: pages, a script in a folder, a font, and what must never be served."""
    root = tmp_path / "client_web"
    (root / "layouts").mkdir(parents=True)
    (root / ".git").mkdir()
    files = {
        "index.html": INDEX,
        "app.js": "let hole = 1;\n" * 50,
        "style.css": "body { color: green }",
        "flag.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "golf.webmanifest": "{}",
        "layouts/golf.json": "{}",
        "font.woff2": "w" * 500,
        "notes.md": "not for the public",
        ".hidden.js": "no",
        ".git/config.json": "no",
    }
    for name, text in files.items():
        (root / name).write_text(text)
    (tmp_path / "secret.txt").write_text("outside")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    return Pages(root, {"/made.json": b'{"made": true}'})


def get(pages: Pages, path: str, method: str = "GET", **headers: str) -> Response:
    """Ask for a page; `_` in a header's name stands for `-`."""
    given = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    response = pages.respond(path, given, method)
    assert response is not None
    return response


def test_a_page_that_was_made_is_answered_as_a_file_is(pages: Pages) -> None:
    """What was made at the start has its kind, its tag and its body like what lies in the folder."""
    response = get(pages, "/made.json")
    assert (response.status_code, response.body) == (200, b'{"made": true}')
    assert response.headers["Content-Type"] == "application/json; charset=utf-8"
    assert get(pages, "/made.json", If_None_Match=response.headers["ETag"]).status_code == 304


def test_the_root_is_the_index(pages: Pages) -> None:
    """`/` and `/index.html`, with or without a query, give the index."""
    for path in ("/", "/index.html", "/?lang=tr", "/index.html?"):
        response = get(pages, path)
        assert (response.status_code, response.body) == (200, INDEX.encode())


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/app.js", "text/javascript; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/layouts/golf.json", "application/json; charset=utf-8"),
        ("/flag.svg", "image/svg+xml"),
        ("/golf.webmanifest", "application/manifest+json; charset=utf-8"),
        ("/font.woff2", "font/woff2"),
    ],
)
def test_each_kind_has_its_type(pages: Pages, path: str, kind: str) -> None:
    """Browsers refuse modules and styles of another type, since sniffing is off."""
    assert get(pages, path).headers["Content-Type"] == kind


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/layouts/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..\\secret.txt",
        "//app.js",
        "/./app.js",
        "/layouts/../app.js",
        "/%61pp.js",
        "/app.js%00",
        "/app.js/",
        "/APP.JS",
        "/layouts",
        "/layouts/",
        "/link.txt",
        "/notes.md",
        "/.hidden.js",
        "/.git/config.json",
        "app.js",
        "",
        "http://example.org/app.js",
    ],
)
def test_only_exact_names_are_found(pages: Pages, path: str) -> None:
    """Whatever is not exactly a name found at the start is 404, in plain text, without repeating the path."""
    response = get(pages, path)
    assert (response.status_code, response.body) == (404, b"There is no such page.\n")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"


def test_a_file_that_comes_later_is_not_served(pages: Pages, tmp_path: Path) -> None:
    """The folder is read once: what changes there afterwards is not seen."""
    (tmp_path / "client_web" / "late.js").write_text("late")
    assert get(pages, "/late.js").status_code == 404


def test_a_known_tag_gets_no_body(pages: Pages) -> None:
    """If-None-Match with the ETag, weak, in a list, of the other encoding, or `*`, is answered 304 with the ETag."""
    tag = get(pages, "/app.js").headers["ETag"]
    for asked in (tag, f"W/{tag}", f'"other", {tag}', tag[:-1] + '-gz"', "*"):
        response = get(pages, "/app.js", If_None_Match=asked)
        assert (response.status_code, response.body) == (304, b"")
        assert response.headers["ETag"] == tag
        assert "Content-Length" not in response.headers


def test_an_unknown_tag_gets_the_file(pages: Pages) -> None:
    """Another file's tag, or none in quotes, doesn't match."""
    for asked in (get(pages, "/").headers["ETag"], "garbage", ""):
        assert get(pages, "/app.js", If_None_Match=asked).status_code == 200


def test_gzip_is_sent_where_taken_and_smaller(pages: Pages) -> None:
    """The compressed body unpacks to the file and has an ETag of its own."""
    plain, zipped = get(pages, "/app.js"), get(pages, "/app.js", Accept_Encoding="br, gzip;q=0.8")
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == plain.body
    assert zipped.headers["Content-Length"] == str(len(zipped.body))
    assert zipped.headers["ETag"] != plain.headers["ETag"]
    assert zipped.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("path", "accepted"),
    [
        ("/app.js", ""),
        ("/app.js", "br"),
        ("/app.js", "gzip;q=0"),
        ("/app.js", "gzip; q=0.000"),
        ("/style.css", "gzip"),
    ],
)
def test_otherwise_the_file_goes_as_it_is(pages: Pages, path: str, accepted: str) -> None:
    """A browser that doesn't take gzip, or a file that gains nothing by it, gets the plain file."""
    assert "Content-Encoding" not in get(pages, path, Accept_Encoding=accepted).headers


@pytest.mark.parametrize("path", ["/", "/app.js", "/none"])
def test_every_answer_bears_the_security_headers(pages: Pages, path: str) -> None:
    """Scripts and styles only from here, no framing, no sniffing, no referrer; and nothing goes stale."""
    headers = get(pages, path).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] in ("no-cache", "no-store")
    assert "Cross-Origin-Opener-Policy" not in headers


def test_the_opener_policy_is_for_https(pages: Pages) -> None:
    """Behind a proxy with TLS the page is cut off from its opener; on plain HTTP browsers would complain."""
    headers = get(pages, "/", X_Forwarded_Proto="https").headers
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_other_methods_are_refused(pages: Pages) -> None:
    """HEAD gets the headers alone, everything else 405 with what is allowed."""
    head = get(pages, "/", "HEAD")
    assert (head.status_code, head.body, head.headers["Content-Length"]) == (200, b"", str(len(INDEX)))
    for path in ("/", "/ws", "/none"):
        refused = get(pages, path, "POST")
        assert (refused.status_code, refused.headers["Allow"]) == (405, "GET, HEAD")


def test_the_websocket_path_is_left_to_the_handshake(pages: Pages) -> None:
    """`/ws` is no page."""
    assert pages.respond("/ws", Headers()) is None
    assert pages.respond("/ws?x=1", Headers()) is None


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    """A wrong folder is noticed at the start, and named."""
    with pytest.raises(FileNotFoundError, match=str(tmp_path)):
        Pages(tmp_path)


def test_other_answers_are_not_kept(pages: Pages) -> None:
    """What the gateway answers itself (health, records) has a type, a length and no place in caches."""
    response = answer(HTTPStatus.OK, b"{}", content_type="application/json")
    assert (response.reason_phrase, response.headers["Content-Type"]) == ("OK", "application/json")
    assert (response.headers["Content-Length"], response.headers["Cache-Control"]) == ("2", "no-store")


async def test_over_a_real_socket(pages: Pages) -> None:
    """The websockets server sends what was answered, byte for byte, then closes; twice the same."""

    def process_request(_: ServerConnection, request: Request) -> Response | None:
        return pages.respond(request.path, request.headers, request.method)

    async def handler(_: ServerConnection) -> None:
        return

    async with serve(handler, "127.0.0.1", 0, process_request=process_request) as server:
        port = server.sockets[0].getsockname()[1]
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            head, body = (await asyncio.wait_for(reader.read(), 5)).split(b"\r\n\r\n", 1)
            writer.close()
            await writer.wait_closed()
            assert head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert head.count(b"Server: ") == 1
            assert body == INDEX.encode()
