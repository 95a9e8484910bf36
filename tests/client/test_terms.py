"""One word for one thing: the dictionaries keep to the table of docs/terms.md, and their plurals are whole."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.test_client_files import words

ROOT = Path(__file__).resolve().parents[2]
TERMS = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
# Columns of the table: chosen word, rejected words.
COLUMNS = {"en": (1, None), "tr": (2, 3), "hi": (5, 6)}
# Entries without plural forms whose number is never 1: {key: what it is}.
NEVER_ONE = {
    "error.wrong_count": "cards of a deck",
    "home.rooms.line": "a room with a free seat has two at least",
}


def fold(text: str) -> str:
    """Return a text in small letters, by the Turkish rule, composed."""
    return unicodedata.normalize("NFC", text.replace("I", "ı").replace("İ", "i").lower())


def latin(text: str) -> str:
    """Return an English text in small letters."""
    return text.lower()


def rows() -> list[list[str]]:
    """Return the table's rows as cells."""
    table = [line for line in TERMS.splitlines() if line.startswith("| ") and not line.startswith("| thing")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Yield key and sentence, each plural form by itself, without the names of its places."""
    for key, entry in words(language).items():
        for sentence in entry.values() if isinstance(entry, dict) else [entry]:
            yield key, re.sub(r"\{\w+\}", "\N{WHITE SQUARE}", sentence)


def patterns(cell: str) -> list[re.Pattern[str]]:
    """Return patterns of the words in a cell: "kral, krallar…" is the word kral and all that begin with krallar."""
    found = []
    for word in filter(None, (part.strip() for part in re.split(r"[,;] *", cell))):
        # A vowel sign of Hindi is no letter to `re`, but it goes on with the word.
        end = "" if word.endswith("…") else r"(?![\w\u0900-\u097f])"
        found.append(re.compile(rf"(?<![\w\u0900-\u097f]){re.escape(fold(word.rstrip('…')))}{end}"))
    return found


def rejected(language: str) -> list[re.Pattern[str]]:
    """Return the patterns that a language's sentences may not hold."""
    column = COLUMNS[language][1]
    found = [pattern for row in rows() if column for pattern in patterns(row[column])]
    if language == "hi":
        spellings = re.search(r"^one way\. Rejected: (.+?)\.$", TERMS, re.MULTILINE)
        assert spellings
        found += patterns(spellings[1])
    return found


@pytest.mark.parametrize("language", COLUMNS)
def test_chosen_words_are_used(language: str) -> None:
    """Each word that the table chose stands in its dictionary: the table speaks of this page."""
    low = latin if language == "en" else fold
    text = "\n".join(low(sentence) for _, sentence in sentences(language))
    chosen = [row[COLUMNS[language][0]] for row in rows()]
    assert len(chosen) > 40
    assert not [word for word in chosen if low(word) not in text]


@pytest.mark.parametrize("language", ["tr", "hi"])
def test_rejected_words_are_not_used(language: str) -> None:
    """No sentence says a thing by a word that was not chosen for it."""
    forbidden = rejected(language)
    assert len(forbidden) > 10
    assert not [(key, text) for key, text in sentences(language) if any(p.search(fold(text)) for p in forbidden)]


def test_the_patterns_find_what_they_forbid() -> None:
    """The sources' own second words, and their spellings, would be found; words that only begin alike are not."""
    hindi, turkish = rejected("hi"), rejected("tr")
    for text in ("राजा पर रानी", "खाली त्याग ढेर", "आखिरी पत्ता", "सख्त नियम"):
        assert any(pattern.search(fold(text)) for pattern in hindi), text
    for text in ("Kraliçeler, Kralların", "ıskarta yığını", "STOK bitti", "on sekiz çukur"):
        assert any(pattern.search(fold(text)) for pattern in turkish), text
    assert not [p for p in hindi if p.search(fold("ख़ाली खुला ढेर, आख़िरी पत्ता, बेगम"))]
    assert not [p for p in turkish if p.search(fold("Bu kurallar; açık yığın, çekme destesi"))]


@pytest.mark.parametrize("language", ["en", "tr", "hi"])
def test_text_is_composed(language: str) -> None:
    """A dictionary is in composed Unicode, so that searching and comparing its words works."""
    text = json.dumps(words(language), ensure_ascii=False)
    assert unicodedata.is_normalized("NFC", text)


@pytest.mark.parametrize("language", ["en", "tr", "hi"])
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    """An entry with plural forms has just those that the language tells apart, and each shows its number."""
    entries = words(language)
    plural = {key: entry for key, entry in entries.items() if isinstance(entry, dict)}
    assert len(plural) > 20
    for key, forms in plural.items():
        # CLDR: whole numbers have one and other in all three languages.
        assert set(forms) == {"one", "other"}, key
        assert len({"{n}" in form for form in forms.values()}) == 1, key


def test_no_english_noun_has_only_a_plural() -> None:
    """A number before a noun in the plural has a form for one as well."""
    entries = words("en")
    single = {key: entry for key, entry in entries.items() if isinstance(entry, str)}
    counted = {
        noun
        for entry in entries.values()
        if isinstance(entry, dict)
        for noun in re.findall(r"\{n\} (\w+s)\b", entry["other"])
    }
    assert {"cards", "moves", "seats"} <= counted
    suspect = {
        key for key, text in single.items() if set(re.findall(r"\{\w+\} (\w+)", text)) & (counted | {"others"})
    }
    assert suspect - NEVER_ONE.keys() == set()
    assert entries.keys() >= NEVER_ONE.keys()
