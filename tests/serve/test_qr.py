"""QR codes of rooms: decoded here by the standard's own rules, they say the link of the host that was asked."""

import re
from collections.abc import Iterator

import pytest
from websockets.datastructures import Headers

from server.runtime.qr import link_asked, picture

Grid = list[list[bool]]
QUIET = 4
# ISO/IEC 18004: the data's codewords and the blocks that they are dealt to, by version and level; M is the least here.
LEVELS = {0b00: "M", 0b11: "Q", 0b10: "H"}
DATA = {
    (2, "M"): (28, 1),
    (2, "Q"): (22, 1),
    (2, "H"): (16, 1),
    (3, "M"): (44, 1),
    (3, "Q"): (34, 2),
    (3, "H"): (26, 2),
    (4, "M"): (64, 2),
    (4, "Q"): (48, 2),
    (4, "H"): (36, 4),
    (5, "M"): (86, 2),
}


def grid_of(svg: str) -> Grid:
    """Read the dark squares off the picture's one line of strokes."""
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])  # type: ignore[index]
    drawn = re.search(r'stroke="#000" d="([^"]+)"', svg)
    assert drawn, svg[:200]
    grid = [[False] * side for _ in range(side)]
    x = y = 0.0
    for kind, numbers in re.findall(r"([Mmh])([^Mmh]*)", drawn[1]):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if kind == "h":
            for column in range(int(x), int(x + values[0])):
                grid[int(y)][column] = True
            x += values[0]
        else:
            x, y = (values[0], values[1]) if kind == "M" else (x + values[0], y + values[1])
    margin = [*grid[:QUIET], *grid[-QUIET:], *(row[:QUIET] + row[-QUIET:] for row in grid)]
    assert not any(any(part) for part in margin), "readers need a quiet margin"
    return [row[QUIET:-QUIET] for row in grid[QUIET:-QUIET]]


def is_data(side: int, y: int, x: int) -> bool:
    """Whether a square holds data, and no finder, timing, alignment or format."""
    if (y < 9 and (x < 9 or x >= side - 8)) or (x < 9 and y >= side - 8) or 6 in (y, x):
        return False
    return not (abs(y - (side - 7)) <= 2 and abs(x - (side - 7)) <= 2)


def zigzag(side: int) -> Iterator[tuple[int, int]]:
    """Go through the data's squares: pairs of columns from the right, up and down by turns, past column 6."""
    upwards = True
    for right in [*range(side - 1, 6, -2), 5, 3, 1]:
        for y in reversed(range(side)) if upwards else range(side):
            for x in (right, right - 1):
                if is_data(side, y, x):
                    yield y, x
        upwards = not upwards


MASKS = [
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
]


def decoded(svg: str) -> str:
    """Return the text of a QR code in one byte segment that nothing has damaged."""
    grid = grid_of(svg)
    side = len(grid)
    told = sum(grid[8][x] << (4 - x) for x in range(5)) ^ 0b10101
    mask = MASKS[told & 0b111]
    bits = [grid[y][x] ^ mask(y, x) for y, x in zigzag(side)]
    words = [sum(bit << (7 - n) for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits) - 7, 8)]
    count, blocks = DATA[(side - 17) // 4, LEVELS[told >> 3]]
    dealt = [word for block in range(blocks) for word in words[:count][block::blocks]]
    stream = "".join(f"{word:08b}" for word in dealt)
    assert stream[:4] == "0100", "bytes"
    length = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * n : 20 + 8 * n], 2) for n in range(length)).decode()


@pytest.mark.parametrize(
    ("host", "proto", "name", "link"),
    [
        ("127.0.0.1:8080", "", "ABCDEFGH.svg", "http://127.0.0.1:8080/#ABCDEFGH"),
        ("golf.example", "https", "ABCDEFGH.svg", "https://golf.example/#ABCDEFGH"),
        ("golf.example", "https", "watch-QWERTYUP.svg", "https://golf.example/#watch=QWERTYUP"),
        ("[::1]:8080", "http", "ABCDEFGH.svg", "http://[::1]:8080/#ABCDEFGH"),
        ("a-long-name.of-a-server.example.org:18080", "", "watch-ABCDEFGH.svg", None),
    ],
)
def test_it_says_the_link(host: str, proto: str, name: str, link: str | None) -> None:
    """What a camera reads is the link to this room on the host that was asked, for players or for spectators."""
    headers = Headers({"Host": host, **({"X-Forwarded-Proto": proto} if proto else {})})
    asked = link_asked(name, headers)
    assert asked is not None
    assert asked == (link or f"http://{host}/#watch=ABCDEFGH")
    assert decoded(picture(asked).decode()) == asked


@pytest.mark.parametrize(
    "name",
    [
        "",
        "abcdefgh.svg",
        "ABCDEFG.svg",
        "ABCDEFGHK.svg",
        "ABCDEFGH",
        "ABCDEFGH.png",
        "look-ABCDEFGH.svg",
        "../ABCDEFGH.svg",
        "ABCDEFGH.svg?x",
    ],
)
def test_what_is_no_room(name: str) -> None:
    """Nothing but eight letters of a room code is drawn."""
    assert link_asked(name, Headers({"Host": "golf.example"})) is None


@pytest.mark.parametrize("host", ["", "a b", "evil.example/#x", 'x"onload=', "x:99999999", "[::1", "x@y"])
def test_a_host_that_is_none(host: str) -> None:
    """Of a header that is no host nothing is drawn, nor without one, nor of two."""
    assert link_asked("ABCDEFGH.svg", Headers({"Host": host})) is None
    assert link_asked("ABCDEFGH.svg", Headers()) is None
    assert link_asked("ABCDEFGH.svg", Headers([("Host", "a.example"), ("Host", "b.example")])) is None


def test_the_strict_policy_holds() -> None:
    """The picture has neither script nor style of its own."""
    text = picture("http://127.0.0.1/#ABCDEFGH").decode()
    assert not re.findall(r"<script|<style|style=|\son\w+=|href", text)
