"""Players' names: text that others see, so it must show something and not pass for another's.

Pure. `clean` makes one form of what was typed; `skeleton` is what two names are compared by.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 24
# Joiners are part of how Hindi and emoji are written; other invisible characters only hide or reorder.
_JOINERS: Final = frozenset("\u200c\u200d")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})
# Letters that draw nothing, whatever their category says (Hangul fillers, the Braille blank).
_BLANKS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")

# Names are text everywhere, but a name that looks like markup is meant for somebody else's parser.
_MARKUP: Final = frozenset("<>")
# Variation selectors choose among looks of a letter or emoji, mostly the same ones, and show nothing themselves.
_SELECTORS: Final = frozenset(
    chr(point) for span in ((0x180B, 0x1810), (0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for point in range(*span)
)


BOT_NAMES: Final = ("Birdie", "Divot", "Mulligan", "Caddie", "Bogey", "Fescue", "Dogleg", "Links")
"""House players' names, words of the course; none is a person's."""


def bot_name(taken: Iterable[str]) -> str:
    """Return a name for another house player beside these; it says what it is, wherever names are shown."""
    known = set(taken)
    names = [f"{name} (bot)" for name in BOT_NAMES]
    return tell_apart(next((name for name in names if name not in known), names[0]), known)


def clean(text: str, longest: int = LONGEST) -> str | None:
    """Return the name as it is kept (NFC, single spaces, at most `longest` characters), or None if it can't be one.

    None stands for: empty, longer than that, made of invisible characters only, or with markup in it.
    """
    if len(text) > 20 * longest or not _MARKUP.isdisjoint(text):
        return None
    spaced = "".join(
        " " if unicodedata.category(char) in {"Zs", "Zl", "Zp"} or char in "\t\n\r" else char for char in text
    )
    kept = "".join(
        char
        for char in spaced
        if char not in _BLANKS and (char in _JOINERS or unicodedata.category(char) not in _UNSEEN)
    )
    # Composed only now: what was taken out may have stood between a letter and its mark.
    name = " ".join(unicodedata.normalize("NFC", kept).split())
    if not name or len(name) > longest:
        return None
    if all(char in _JOINERS or char == " " or unicodedata.category(char) in _MARKS for char in name):
        return None
    return name


def skeleton(name: str) -> str:
    """Return what two names are compared by: compatibility form, case folded, nothing invisible, no spaces."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(
        char for char in folded if char not in _SELECTORS and unicodedata.category(char) not in _UNSEEN | {"Zs"}
    )


def tell_apart(name: str, taken: Iterable[str]) -> str:
    """Return `name`, or `name (2)`, `name (3)` ... if it would pass for one that is taken; at most 24 characters."""
    known = {skeleton(other) for other in taken}
    if skeleton(name) not in known:
        return name
    number = 2
    while True:
        tail = f" ({number})"
        candidate = name[: LONGEST - len(tail)].rstrip() + tail
        if skeleton(candidate) not in known:
            return candidate
        number += 1
