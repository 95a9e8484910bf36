"""What a page says in the other languages: which texts stay English, and what no longer fits."""

import json
import re
from functools import lru_cache
from pathlib import Path

from tests.browser.access import clipped
from tests.browser.pages import NARROW, PHONE, WIDE, Player
from tests.runtime.servers import LONG

CLIENT = Path(__file__).parents[2] / "client_web"
LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
# Of the other languages' own names, and what is the same in all.
SAME = {"Fairway", "English", "Türkçe", "हिन्दी"}
TEXTS = """() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest("#log, noscript, svg, .code, kbd, script")) continue;
    texts.push(node.data.trim());
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
    for (const name of ["aria-label", "placeholder", "title"]) texts.push(element.getAttribute(name) ?? "");
  }
  return texts.filter(Boolean);
}"""


def sentences(language: str) -> dict[str, list[str]]:
    """Return all sentences by key."""
    entries = json.loads((CLIENT / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return {key: list(entry.values()) if isinstance(entry, dict) else [entry] for key, entry in entries.items()}


@lru_cache
def english_only(language: str) -> list[re.Pattern[str]]:
    """Return patterns of the English sentences that the language says differently."""
    english, other = sentences("en"), sentences(language)
    patterns = []
    for key, forms in english.items():
        for sentence in forms:
            words = re.sub(r"\{\w+\}", "", sentence)
            if sentence not in other[key] and re.search(r"[A-Za-z]{2}", words):
                patterns.append(re.compile(re.sub(r"\\\{\w+\\\}", ".*", re.escape(sentence))))
    return patterns


async def left_in_english(page: Player, language: str) -> list[str]:
    """Return the texts of the page that are still English."""
    patterns = english_only(language)
    texts = [text for text in await page.page.evaluate(TEXTS) if text not in SAME]
    return [text for text in texts if any(pattern.fullmatch(text) for pattern in patterns)]


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Two frames later the board lies as the new size wants it."""


async def look_in_other_languages(page: Player, name: str, place: Path) -> list[str]:
    """Return what is wrong once the language changes; codes stay as they are, and so does the page afterwards."""
    await page.page.set_viewport_size(WIDE)
    codes = [code for code in await page.page.locator(".code").all_inner_texts() if code]
    wrong = []
    for language in ("tr", "hi"):
        await page.page.set_viewport_size(WIDE)
        await page.speak(language)
        await page.at("settings").click()
        wrong += [f"{language}, settings: {text}" for text in await left_in_english(page, language)]
        await page.at("close").click()
        wrong += [f"{language}: {text}" for text in await left_in_english(page, language)]
        assert [code for code in await page.page.locator(".code").all_inner_texts() if code] == codes
        for size, viewport in {"wide": WIDE, "phone": PHONE, "narrow": NARROW}.items():
            await page.page.set_viewport_size(viewport)
            await page.page.evaluate(DRAWN)
            if LONG or size == "phone":
                await page.page.screenshot(path=place / f"{name}-{size}-{language}.jpg")
            wrong += [f"{language}, {size}: {line}" for line in await page.page.evaluate(LAYOUT)]
            if language == "hi":
                wrong += [f"{language}, {size}: {line}" for line in await clipped(page.page)]
    await page.page.set_viewport_size(WIDE)
    await page.speak("en")
    return wrong
