"""The page's scripts and styles joined into few answers, in memory: a first visit asks for ten things, not for eighty.

Law: nothing is built and nothing is renamed. A module goes line by line as it lies in its file, within a function of
its own; only its `import` and `export` words are replaced, on their lines, so that a source map leads a debugger to the
file. What many of the later parts need is in a part of its own: no module ever runs twice. Whoever asks for a file by
its own name still gets it. Knows the few forms in which the page's modules import and export, and says `CantJoin` to
all others; nothing of HTTP.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FOLDER = "/joined"
INDEX = "/index.html"
LAYOUTS = "/layouts.json"
STYLES = f"{FOLDER}/start.css"

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\./[\w./]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_EXPORTED = re.compile(r"^export \{([\w, ]+)\};$", re.MULTILINE)
_ODD = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\./[\w./]+\.js)"\)')
_BY_NAME = re.compile(r"\bimport\(`\./")
_ENTRY = re.compile(r'<script type="module" src="(/[\w./]+\.js)"></script>')
_STYLE = re.compile(r'^[ \t]*<link rel="stylesheet" href="(/[\w./]+\.css)">\n', re.MULTILINE)


class CantJoin(ValueError):
    """The page's files have a form that is not known here: they go out one by one."""


@dataclass(frozen=True, slots=True)
class _Module:
    """One file: its path, text, the modules it needs at once and those it fetches later, and what it exports."""

    path: str
    text: str
    needs: tuple[str, ...]
    later: tuple[str, ...]
    exports: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the module is called in a joined part."""
        return "$" + self.path.removesuffix(".js").strip("/").replace("/", "_")


def join(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Give the pages to be answered besides `files`, or in their place, by path.

    The index asks for one script and one style then. Nothing where the index begins with no module.
    Raises CantJoin, for modules in a circle too.
    """
    made: dict[str, bytes] = {}
    index = files.get(INDEX, b"").decode()
    entry = _ENTRY.search(index)
    if entry is None:
        return made
    modules = _read(files, entry[1])
    parts = _parts(modules, entry[1])
    for members, order in parts.items():
        path = _part_path(members, entry[1])
        script, source_map = _script(modules, order, parts, entry[1], path)
        made[path] = script.encode()
        made[f"{path}.map.json"] = source_map.encode()
    page = index.replace(
        entry[0], f'<script type="module" src="{_part_path(frozenset({entry[1]}), entry[1])}"></script>'
    )
    if first := _STYLE.search(page):
        made[STYLES] = b"\n".join(_file(files, path) for path in _STYLE.findall(page))
        rest = _STYLE.sub("", page[first.end() :])
        page = f'{page[: first.start()]}  <link rel="stylesheet" href="{STYLES}">\n{rest}'
    made[INDEX] = page.encode()
    return made


def _file(files: Mapping[str, bytes], path: str) -> bytes:
    if path not in files:
        raise CantJoin(f"{path} is asked for, and not there")
    return files[path]


def layouts(files: Mapping[str, bytes]) -> bytes:
    """Give all games' layouts in one JSON object, by game; to be answered at `/layouts.json`."""
    found = [json.loads(body) for path, body in files.items() if re.fullmatch(r"/layouts/\w+\.json", path)]
    return json.dumps(
        {layout["game"]: layout for layout in found if "game" in layout}, separators=(",", ":")
    ).encode()


def _read(files: Mapping[str, bytes], entry: str) -> dict[str, _Module]:
    """Read the entry and all that it leads to, each after those that it needs at once: the order in which they run."""
    modules: dict[str, _Module] = {}
    under_way: list[str] = []

    def visit(path: str) -> None:
        if path in modules:
            return
        if path in under_way:
            raise CantJoin(f"{path} needs itself: {' '.join(under_way[under_way.index(path) :])}")
        under_way.append(path)
        text = _file(files, path).decode()
        needs = tuple(_beside(path, found[2]) for found in _IMPORT.finditer(text))
        for needed in needs:
            visit(needed)
        under_way.pop()
        later = tuple(dict.fromkeys(_beside(path, found[1]) for found in _LATER.finditer(text)))
        exports = tuple(found[1] for found in _EXPORT.finditer(text))
        exports += tuple(name.strip() for found in _EXPORTED.finditer(text) for name in found[1].split(","))
        modules[path] = _Module(path, text, needs, later, exports)

    visit(entry)
    for module in (found := list(modules.values())):
        for path in module.later:
            before = set(modules)
            visit(path)
            found += [modules[new] for new in modules if new not in before]
    return modules


def _beside(path: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


def _parts(modules: Mapping[str, _Module], entry: str) -> dict[frozenset[str], list[_Module]]:
    """Sort the modules into parts by who leads to them: the entry's first, then those of one page or of several."""
    entries = dict.fromkeys([entry, *(path for module in modules.values() for path in module.later)])
    reached: dict[str, set[str]] = {path: set() for path in modules}
    for begin in entries:
        ahead = [begin]
        while ahead:
            path = ahead.pop()
            if begin not in reached[path]:
                reached[path].add(begin)
                ahead += modules[path].needs
    parts: dict[frozenset[str], list[_Module]] = {}
    for path, module in modules.items():
        # What the first page has is there for all others.
        by = frozenset({entry} if entry in reached[path] else reached[path])
        parts.setdefault(by, []).append(module)
    return parts


def _part_path(members: Iterable[str], entry: str) -> str:
    names = sorted("start" if path == entry else posixpath.basename(path).removesuffix(".js") for path in members)
    return f"{FOLDER}/{'-'.join(names)}.js"


def _script(
    modules: Mapping[str, _Module],
    order: Sequence[_Module],
    parts: Mapping[frozenset[str], Sequence[_Module]],
    entry: str,
    path: str,
) -> tuple[str, str]:
    """Write one part and its source map."""
    where = {module.path: _part_path(members, entry) for members, part in parts.items() for module in part}
    foreign: dict[str, list[str]] = {}
    for needed in dict.fromkeys(needed for module in order for needed in module.needs):
        if where[needed] != path:
            foreign.setdefault(where[needed], []).append(modules[needed].name)
    lines = [f'import {{ {", ".join(names)} }} from "{part}";' for part, names in foreign.items()]
    sections = []
    for module in order:
        lines.append(f"const {module.name} = (() => {{")
        sections.append(_section(module, len(lines)))
        lines += _body(module, modules, where).removesuffix("\n").split("\n")
        lines.append(f"return {{ {', '.join(module.exports)} }};".replace("{  }", "{}"))
        lines.append("})();")
    lines.append(f"export {{ {', '.join(module.name for module in order)} }};")
    lines.append(f"//# sourceMappingURL={path}.map.json\n")
    return "\n".join(lines), json.dumps({"version": 3, "sections": sections}, separators=(",", ":"))


def _section(module: _Module, line: int) -> dict[str, object]:
    """Say for a debugger that from this line on there are the lines of a file, one for one."""
    count = module.text.removesuffix("\n").count("\n")
    one = {"version": 3, "sources": [module.path], "names": [], "mappings": "AAAA" + ";AACA" * count}
    return {"offset": {"line": line, "column": 0}, "map": one}


def _body(module: _Module, modules: Mapping[str, _Module], where: Mapping[str, str]) -> str:
    """Replace what only a module may say by what a function may; the lines stay as many."""

    def imported(found: re.Match[str]) -> str:
        needed = modules[_beside(module.path, found[2])]
        if found[1].startswith("*"):
            return f"const {found[1].removeprefix('* as ')} = {needed.name};"
        names = [name.split(" as ")[0].strip() for name in found[1].strip("{} \n").split(",") if name.strip()]
        if missing := [name for name in names if name not in needed.exports]:
            raise CantJoin(f"{module.path} wants {', '.join(missing)} of {needed.path}")
        return f"const {found[1].replace(' as ', ': ')} = {needed.name};"

    def later(found: re.Match[str]) -> str:
        path = _beside(module.path, found[1])
        return f'import("{where[path]}").then((part) => part.{modules[path].name})'

    text = _IMPORT.sub(imported, module.text)
    text = _EXPORTED.sub("", _EXPORT.sub("", text))
    if odd := _ODD.search(text):
        raise CantJoin(f"{module.path} has a form that is not known here: {odd[0]}")
    text = _LATER.sub(later, text)
    # Modules that are fetched by a name that only running code knows stay what they are.
    return _BY_NAME.sub(f"import(`{posixpath.dirname(module.path)}/", text)
