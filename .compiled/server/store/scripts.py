"""The Lua scripts, read from their own files once by whoever is wired to use them."""

from dataclasses import dataclass
from hashlib import sha1
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """A script's text and the digest that the engine calls it by."""

    text: str
    sha: str


def load_script(name: str) -> Script:
    """Read `<name>.lua` of this package."""
    text = files(__package__).joinpath(f"{name}.lua").read_text("utf-8")
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())
