"""The client's files hold together: dictionaries, keys, layouts, styles and weight."""

import gzip
import json
import re
from math import prod
from pathlib import Path
from typing import Any

import pytest
from websockets.datastructures import Headers

from server.protocol.games import PATH, games_told
from server.protocol.words import ERRORS, REFUSALS
from server.rules.cards import deck_with
from server.rules.games import GAMES
from server.runtime.pages import Pages

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "client_web"
LANGUAGES = ("en", "tr", "hi")
FIRST_LOAD_BYTES = 150 * 1024
# Keys that the code completes at run time: each beginning has at least these endings.
FIELDS = {name: may for game in GAMES.values() for name, may in game.fields.items()}
PRESETS = [f"{game.name}.{preset}" for game in GAMES.values() for preset in game.presets]
# Of games whose named rules are all there are no field is ever chosen by itself.
CHOSEN = tuple(
    name
    for game in GAMES.values()
    if prod(len(may) for may in game.fields.values()) > len(game.presets)
    for name in game.fields
)


def choice(value: bool | int) -> str:
    """Return how the key ends that says a value of a rule's field."""
    return ("true" if value else "false") if isinstance(value, bool) else "count" if value else "none"


COMPLETED = {
    "rule": ("own", *PRESETS),
    "hint.rule": ("own", *PRESETS),
    "hint.game": tuple(GAMES),
    "game": tuple(GAMES),
    "hint": CHOSEN,
    **{name: tuple(dict.fromkeys(map(choice, may))) for name, may in FIELDS.items()},
    "scoring": ("traditional", "app"),
    "hint.scoring": ("traditional", "app"),
    "wins": ("traditional", "app", "traditional.line", "app.line"),
    "lead": ("traditional", "app"),
    "figure": ("traditional", "app", "moves", "undos"),
    "undo": ("off", "plays", "all"),
    "hint.undo": ("off", "plays", "all"),
    "spectators": ("fair", "live", "off"),
    "hint.spectators": ("fair", "live", "off"),
    "format": ("stroke", "match"),
    "hint.format": ("stroke", "match"),
    "match.mark": ("won", "lost", "halved"),
    "match.wins": ("traditional", "app", "only"),
    "visibility": ("private", "public"),
    "hint.visibility": ("private", "public"),
    "help": ("off", "hint", "highlight"),
    "hint.help": ("off", "hint", "highlight"),
    "winnable": ("true", "false"),
    "hint.winnable": ("true", "false"),
    "how": ("cleared", "stuck", "done", "gave_up", "timed_out", "unplayed", "left", "kicked"),
    "ended": ("cleared", "stuck", "done", "gave_up", "timed_out", "left", "kicked"),
    "say.ended": ("cleared", "stuck", "done", "gave_up", "timed_out", "left", "kicked"),
    "state": ("playing", "waiting"),
    "suit": tuple("SHDC"),
    "rank": tuple("A23456789TJQK"),
    "pile": ("column", "waste", "stock"),
    "banner": ("draining", "engine_away"),
    "field.variant": tuple(FIELDS),
    "option": (
        *CHOSEN,
        "rule",
        "holes",
        "scoring",
        "undo",
        "seats",
        "hole_seconds",
        "spectators",
        "visibility",
        "help",
        "format",
        "sudden_death",
    ),
    "setting": (
        "interactive",
        "doubleTap",
        "placementHelp",
        "autoPlacement",
        "fourColours",
        "largePrint",
        "sound",
        "reactions",
    ),
    "reaction": ("hello", "good_luck", "well_played", "wow", "ouch", "so_close", "thinking", "thanks"),
    "verified": ("checking", "sealed", "open", "wrong", "unknown"),
    "theme": ("auto", "light", "dark"),
    "rules.join": ("KQ", "QK", "AK", "KA"),
    "rules.spit.came": ("won", "lost", "halved"),
    "spit": (
        *("option.holes", "option.hole_seconds", "holes.count", "hint.holes", "hint.hole_seconds"),
        *("hint.hole_seconds.none", "hint.sudden_death", "match.result.extra", "match.won.extra"),
        *("refused.hole_over", "record.open", "hint.spectators.fair", "hint.spectators.live"),
        *("played.line", "played.line.place"),
    ),
    "open": ("hint.spectators.fair", "hint.spectators.live", "hint.undo.plays", "hint.undo.all"),
    "rules": ("golf.name", "golf.table.title", "golf.table.text", "golf.deal.title"),
    "field": (
        *("rule", "holes", "scoring", "undo", "seats", "hole_seconds", "spectators", "visibility", "help", "deals"),
        *("format", "sudden_death"),
    ),
    "part": ("game", "version", "rule", "value", "length"),
}


# Folders of the client with a dictionary of each language: i18n is loaded first, the others when they are asked for.
DICTIONARIES = ("i18n", "rules")


def words(language: str) -> dict[str, Any]:
    """Return all sentences of the client in a language, by key."""
    entries: dict[str, Any] = {}
    for folder in DICTIONARIES:
        more = json.loads((CLIENT / folder / f"{language}.json").read_text(encoding="utf-8"))
        assert not entries.keys() & more.keys()
        entries |= more
    return entries


def sentences(entry: Any) -> list[str]:
    """Return an entry's sentences: one, or one a plural form."""
    return list(entry.values()) if isinstance(entry, dict) else [entry]


def code() -> str:
    """Return all scripts of the client as one text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((CLIENT / "js").rglob("*.js")))


def first_modules() -> set[Path]:
    """Return the modules that the page needs before it is drawn: all that main.js imports, and what those do."""
    found: set[Path] = set()
    ahead = [CLIENT / "js" / "main.js"]
    while ahead:
        path = ahead.pop()
        if path in found:
            continue
        found.add(path)
        for name in re.findall(
            r'^(?:import|export)[^;]*?from "([^"]+)";', path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            ahead.append((path.parent / name).resolve())
    return found


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_dictionaries_say_the_same(language: str) -> None:
    """Each language has the keys, plural forms and places for names and numbers that English has."""
    english, other = words("en"), words(language)
    assert other.keys() == english.keys()
    for key, entry in english.items():
        assert isinstance(other[key], dict) == isinstance(entry, dict), key
        placed = {frozenset(re.findall(r"{(\w+)}", sentence)) for sentence in sentences(entry)}
        for sentence in sentences(other[key]):
            assert sentence.strip(), key
            assert frozenset(re.findall(r"{(\w+)}", sentence)) in placed, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language: str) -> None:
    """A dictionary names each key once: JSON would silently keep the last."""
    text = "".join((CLIENT / folder / f"{language}.json").read_text(encoding="utf-8") for folder in DICTIONARIES)
    keys = re.findall(r'"([a-zA-Z_][\w.]*)":', text)
    plural = {"one", "other"}
    assert len([key for key in keys if key not in plural]) == len(words(language))


def test_every_key_in_the_code_exists() -> None:
    """Whatever sentence the code asks for stands in the dictionaries."""
    known = words("en")
    asked = set(re.findall(r'\bt\("([^"$]+)"', code())) | set(re.findall(r'\? "([a-z_]+\.[a-z_.]+)" : "', code()))
    assert len(asked) > 100
    assert not sorted(key for key in asked if key not in known)
    for beginning, endings in COMPLETED.items():
        for ending in endings:
            assert f"{beginning}.{ending}" in known


def test_every_key_is_used() -> None:
    """The dictionaries hold no sentence that nothing says."""
    scripts = code()
    begun = set(re.findall(r"`([a-z_.]+)\.\$\{", scripts)) | set(COMPLETED)
    unused = [
        key
        for key in words("en")
        if f'"{key}"' not in scripts and not any(key.startswith(f"{beginning}.") for beginning in begun)
    ]
    assert not unused


@pytest.mark.parametrize("answered", sorted(REFUSALS | ERRORS))
def test_every_answer_of_the_server_has_words(answered: str) -> None:
    """Each code that the server refuses or errs with is said in the page's language."""
    known = words("en")
    assert f"refused.{answered}" in known or f"error.{answered}" in known


@pytest.mark.parametrize("game", sorted(GAMES))
def test_layout_places_every_pile(game: str) -> None:
    """A game's layout places each pile of its deal in each shape, and what it names are piles."""
    layout = json.loads((CLIENT / "layouts" / f"{game}.json").read_text(encoding="utf-8"))
    rules = next(iter(GAMES[game].presets.values()))
    piles = set(GAMES[game].deal(deck_with(0, GAMES[game].decks), rules).piles)
    assert layout["game"] == game
    assert set(layout["reading"]) == piles
    # A key plays from one pile, or from the first of several that has a card.
    assert {pile for key in layout["keys"].values() for pile in ([key] if isinstance(key, str) else key)} <= piles
    named = {*layout["drops"], *layout["inert"], *layout.get("draw", {}).values(), *layout.get("still", ())}
    # A game has either one pile to play to, or a way to find one.
    assert ("tap_target" in layout) != ("tap" in layout)
    assert named | {layout.get("tap_target", layout["drops"][0]), *layout.get("count_under", ())} <= piles
    for shape in layout["shapes"].values():
        assert set(shape["piles"]) == piles
        for at in shape["piles"].values():
            assert at["x"] >= 0
            assert at["x"] + at.get("scale", 1) <= shape["width"]
            assert ("y" in at) != ("bottom" in at)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_of_all_layouts_are_told(language: str) -> None:
    """The settings say each key that plays from a pile: digits, and behind them letters in the order of the piles."""
    told = str(words(language)["settings.keys"])
    for path in (CLIENT / "layouts").glob("*.json"):
        keys = json.loads(path.read_text(encoding="utf-8"))["keys"]
        others = [key.upper() for key in keys if key not in "123456789"]
        if others not in ([], ["0"]):
            listed = rf"{', '.join(others[:-1])} (?:and|ve|और) {others[-1]}\b"
            assert re.search(listed, told), path.name


def test_styles_never_change_case_of_letters() -> None:
    """Codes are read aloud and typed off the page: no style changes the case of letters."""
    for path in (CLIENT / "css").glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "text-transform" not in text, path.name
        assert "small-caps" not in text, path.name


def test_dark_theme_redefines_the_palette_only() -> None:
    """The dark theme sets each colour of the palette and nothing else."""
    text = (CLIENT / "css" / "palette.css").read_text(encoding="utf-8")
    light_block = text.split("}", 1)[0]
    dark_block = text.split('[data-theme="dark"] {', 1)[1].split("}", 1)[0]
    assert set(re.findall(r"([\w-]+):", dark_block)) == set(re.findall(r"(--p-[\w-]+):", light_block))


def test_page_needs_nothing_from_elsewhere() -> None:
    """No third party, no inline script or style: the strict policy of the server holds."""
    for path in CLIENT.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        addresses = [url for url in re.findall(r"https?://[\w.]+", text) if "w3.org" not in url]
        assert not addresses, path.name
    page = (CLIENT / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r"<script(?![^>]*\bsrc=)", page)
    assert not re.findall(r"<style|\sstyle=|\son\w+=", page)
    assert "innerHTML" not in code()
    assert "insertAdjacentHTML" not in code()


def test_every_module_is_reached() -> None:
    """No module lies about unused: each is loaded at first, or fetched later by one that names it."""
    later = {CLIENT / "js" / name for name in re.findall(r'import\("\./([\w/]+\.js)"\)', code())}
    # The check of a game's records is fetched by the game's name.
    known = first_modules() | later | {CLIENT / "js" / "checks" / f"{game}.js" for game in GAMES}
    while (
        more := {
            (path.parent / name).resolve()
            for path in known
            for name in re.findall(r'from "([^"]+)";', path.read_text(encoding="utf-8"))
        }
        - known
    ):
        known |= more
    assert set((CLIENT / "js").rglob("*.js")) - known == {CLIENT / "js" / "early.js"}


def test_the_page_asks_early_for_what_it_needs() -> None:
    """Words, games and layouts are asked for before the scripts are there: the languages are those that there are."""
    early = (CLIENT / "js" / "early.js").read_text(encoding="utf-8")
    i18n = (CLIENT / "js" / "i18n.js").read_text(encoding="utf-8")
    listed = re.search(r"LANGUAGES = \[(.*)\]", early)
    named = re.search(r"LANGUAGES = \{(.*)\}", i18n)
    assert listed is not None
    assert named is not None
    assert re.findall(r'"(\w+)"', listed[1]) == re.findall(r"(\w+):", named[1]) == list(LANGUAGES)
    page = (CLIENT / "index.html").read_text(encoding="utf-8")
    preloaded = re.findall(r'rel="preload" href="(/\w+\.json)" as="fetch" crossorigin>', page)
    assert preloaded == re.findall(r'json\("(/\w+\.json)"\)', code())


def test_first_load_is_light() -> None:
    """Everything that the first page loads, in the heaviest language, is few answers and under 150 KB compressed."""
    pages = Pages(CLIENT, {PATH: games_told()})
    zipped = Headers({"Accept-Encoding": "gzip"})

    def body(name: str) -> bytes:
        response = pages.respond(name, zipped)
        assert response is not None
        assert response.status_code == 200, name
        return response.body

    page = gzip.decompress(body("/")).decode()
    linked = re.findall(r'(?:href|src)="(/[\w./-]+\.(?:css|js|svg|webmanifest))"', page)
    fetched = re.findall(r'json\("(/\w+\.json)"\)', code())
    assert len(linked) + len(fetched) < 10
    heaviest = max(len(body(f"/i18n/{language}.json")) for language in LANGUAGES)
    assert sum(len(body(name)) for name in ("/", *linked, *fetched)) + heaviest < FIRST_LOAD_BYTES


def test_no_file_is_long() -> None:
    """No script or style is over 350 lines."""
    for folder in ("js", "css"):
        for path in filter(Path.is_file, (CLIENT / folder).rglob("*")):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 350, path.name


def palette(theme: str) -> dict[str, str]:
    """Return a theme's colours by meaning, as #rrggbb."""
    text = (CLIENT / "css" / "palette.css").read_text(encoding="utf-8")
    blocks = re.findall(
        r"^(:root|:root\[data-theme=\"dark\"\]|\.four-colours) \{(.*?)^\}", text, re.DOTALL | re.MULTILINE
    )
    values: dict[str, str] = {}
    for selector, body in blocks:
        if theme == "dark" or "dark" not in selector:
            values.update(re.findall(r"(--[\w-]+): ([^;]+);", body))
    # Four colours come last and rename two suits; with two, those are the red and the black that are checked as well.
    return {name: values.get(value.removeprefix("var(").rstrip(")"), value) for name, value in values.items()}


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# Words (4.5 : 1) and marks (3 : 1) by what lies behind them.
WORDS = [
    ("text", "page"),
    ("text", "surface"),
    ("text", "surface-sunk"),
    ("text-soft", "page"),
    ("text-soft", "surface"),
    ("page", "text"),
    ("on-table", "table-top"),
    ("on-table", "table-light"),
    ("on-table", "table-deep"),
    ("on-table-soft", "table-top"),
    ("on-table-soft", "table-light"),
    ("action", "page"),
    ("action", "surface"),
    ("on-action", "action"),
    ("on-action", "action-deep"),
    ("warning", "warning-surface"),
    ("highlight", "table-top"),
    *((suit, "card-face") for suit in ("suit-dark", "suit-red", "suit-diamond", "suit-club")),
]
MARKS = [("mark", "page"), ("mark", "surface"), ("highlight", "table-light"), ("card-face", "table-light")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_can_be_told_apart(theme: str) -> None:
    """Words and marks of both themes have the contrast that WCAG AA asks for, on all that they stand on."""
    colours = palette(theme)
    for pairs, least in ((WORDS, 4.5), (MARKS, 3.0)):
        for front, back in pairs:
            ratio = contrast(colours[f"--{front}"], colours[f"--{back}"])
            assert ratio >= least, f"{front} on {back}: {ratio:.2f}"


def test_every_fault_of_a_record_has_its_code_and_words() -> None:
    """The codes in docs/protocol.md are those that server, command and page say, each with words in the page."""
    table = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("### A record that can't be used")[1]
    told = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    page = set(re.findall(r'BadRecord\("(\w+)"|code: "(record_\w+)"', code()))
    page = {one or other for one, other in page} | {"record_cut", "record_not_json"}
    command = "".join((ROOT / "server" / name).read_text() for name in ("verify_command.py", "match/verify.py"))
    said = set(re.findall(r'(?:_RefusedError|NoRecord)\(\s*"(\w+)"', command)) | {"record_wrong"}
    served = set(
        re.findall(
            r'NOT_FOUND, \{"code": "(\w+)"|CONFLICT, \{"code": "(\w+)"', (ROOT / "server" / "app.py").read_text()
        )
    )
    assert told == page | said | {one or other for one, other in served}
    assert {f"error.{one}" for one in told - {"no_file"}} <= words("en").keys()
