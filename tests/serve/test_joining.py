"""The page joined into few answers: each module once, after what it needs, line for line; else the files as they are."""

import json
import logging
import re
from pathlib import Path

import pytest

from server.runtime.joining import CantJoin, join, layouts
from server.runtime.pages import Pages
from tests.runtime.servers import ROOT

CLIENT = ROOT / "client_web"
INDEX = b"""<!doctype html>
<head>
  <link rel="stylesheet" href="/css/one.css">
  <link rel="stylesheet" href="/css/two.css">
  <script type="module" src="/js/main.js"></script>
</head>
"""
SMALL = {
    "/index.html": INDEX,
    "/css/one.css": b"a { color: red }",
    "/css/two.css": b"b { color: blue }",
    "/layouts/golf.json": b'{"game": "golf", "shapes": {}}',
    "/js/main.js": b"""import * as words from "./words.js";
import { deal } from "./deal.js";

words.say(deal());
""",
    "/js/deal.js": b"""import {
  say as tell,
} from "./words.js";
export const deal = () => 1;
export const more = async () => (await import("./late.js")).late(tell);
""",
    "/js/words.js": b"""const said = [];
export function say(it) {
  said.push(it);
}
export class Word {}
""",
    "/js/late.js": b"""import { say } from "./words.js";
import { both } from "./both.js";
function late() {}
export { late, both };
const named = (name) => import(`./checks/${name}.js`);
export const other = () => import("./other.js");
""",
    "/js/other.js": b'import { both } from "./both.js";\nexport const more = both;\n',
    "/js/both.js": b"export const both = 2;\n",
}


def test_a_small_page_is_joined() -> None:
    """The start has what it needs in the order in which it runs; later pages share what both need, and the start's."""
    made = join(SMALL)
    start = made["/joined/start.js"].decode()
    assert [start.index(f"const {name} = (") for name in ("$js_words", "$js_deal", "$js_main")] == sorted(
        start.index(f"const {name} = (") for name in ("$js_words", "$js_deal", "$js_main")
    )
    assert "const words = $js_words;" in start
    assert "const {\n  say: tell,\n} = $js_words;" in start
    assert "return { say, Word };" in start
    assert '(await import("/joined/late.js").then((part) => part.$js_late)).late' in start
    late = made["/joined/late.js"].decode()
    assert 'import { $js_words } from "/joined/start.js";' in late
    assert 'import { $js_both } from "/joined/late-other.js";' in late
    assert "return { other, late, both };" in late
    assert "import(`/js/checks/${name}.js`)" in late
    assert "$js_both = (" in made["/joined/late-other.js"].decode()
    assert made["/joined/start.css"] == b"a { color: red }\nb { color: blue }"
    assert json.loads(layouts(SMALL)) == {"golf": {"game": "golf", "shapes": {}}}
    page = made["/index.html"].decode()
    assert re.findall(r'(?:href|src)="([^"]+)"', page) == ["/joined/start.css", "/joined/start.js"]


def test_all_of_the_page_can_be_joined(caplog: pytest.LogCaptureFixture) -> None:
    """Each of the page's modules stands in one part, but for those that are asked for by a name made at run time."""
    files = {f"/{path.relative_to(CLIENT).as_posix()}": path.read_bytes() for path in CLIENT.rglob("*.*")}
    parts = {path: body.decode() for path, body in join(files).items() if path.endswith(".js")}
    for path in (CLIENT / "js").glob("*.js"):
        name = "$" + path.relative_to(CLIENT).as_posix().removesuffix(".js").replace("/", "_")
        holders = [part for part, text in parts.items() if f"\nconst {name} = (" in f"\n{text}"]
        assert len(holders) == (0 if path.name == "early.js" else 1), path.name
    with caplog.at_level(logging.WARNING):
        pages = Pages(CLIENT)
    assert not caplog.records
    assert set(parts) <= set(pages.names())


def test_a_debugger_is_led_to_the_files() -> None:
    """Each line of a part that comes from a file is, by the source map, that line of that file."""
    files = {f"/{path.relative_to(CLIENT).as_posix()}": path.read_bytes() for path in CLIENT.rglob("*.*")}
    made = join(files)
    for part in [path for path in made if path.endswith(".js")]:
        lines = made[part].decode().split("\n")
        assert lines[-2] == f"//# sourceMappingURL={part}.map.json"
        for section in json.loads(made[f"{part}.map.json"])["sections"]:
            begin, told = section["offset"]["line"], section["map"]
            file = files[told["sources"][0]].decode().removesuffix("\n").split("\n")
            # A step of one line each, at the line's beginning.
            assert told["mappings"].split(";") == ["AAAA", *["AACA"] * (len(file) - 1)]
            assert lines[begin + len(file)].startswith("return {")
            for at, line in enumerate(file):
                if not re.search(r"\b(?:import|export)\b|^\}? ?from|^[\w, ]+$", line):
                    assert lines[begin + at] == line, (told["sources"], at)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("/js/words.js", 'import { deal } from "./deal.js";\nexport const say = 1;', "needs itself"),
        ("/js/words.js", "export let say = 1;", "not known here: export let say"),
        ("/js/words.js", "export default 1;", "not known here: export default"),
        ("/js/words.js", "export const said = 1;", "/js/deal.js wants say of /js/words.js"),
        ("/js/main.js", 'import { none } from "./none.js";', "/js/none.js is asked for"),
        (
            "/index.html",
            '<link rel="stylesheet" href="/none.css">\n<script type="module" src="/js/main.js"></script>',
            "none.css",
        ),
    ],
)
def test_what_cannot_be_joined_goes_out_as_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, file: str, text: str, said: str
) -> None:
    """An unknown form, a circle or a file that isn't there is named, and the page's own files are answered."""
    files = {**SMALL, file: text.encode()}
    with pytest.raises(CantJoin, match=re.escape(said)):
        join(files)
    for path, body in files.items():
        place = tmp_path / path.strip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    with caplog.at_level(logging.WARNING):
        pages = Pages(tmp_path)
    assert said in caplog.text
    assert "/joined/start.js" not in pages.names()
    assert {"/js/deal.js", "/layouts.json"} <= set(pages.names())


def test_a_page_without_modules_is_left_alone() -> None:
    """There is nothing to join then."""
    assert not join({"/index.html": b"<p>green</p>"})
