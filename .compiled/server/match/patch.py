"""How a patch changes a view: the reference of what every client does with what it is told.

Pure data in, data out; knows no match and hides nothing. `view.tell` makes patches, docs/protocol.md describes them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def move(piles: dict[str, list[str]], moved: Iterable[Sequence[str]]) -> None:
    """Apply steps to piles in place: take as many cards from the source's end as are listed, put the listed down."""
    for source, target, *cards in moved:
        del piles[source][len(piles[source]) - len(cards) :]
        piles[target].extend(cards)


def fold(view: dict[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Apply a patch to a view in place and return it: the reference of what every client does."""
    view["match"].update(patch.get("match", {}))
    view["match"]["card"] = view["match"]["card"] + patch.get("card", [])
    for number, seat in patch.get("seats", {}).items():
        if seat is None:
            del view["seats"][number]
        else:
            view["seats"].setdefault(number, {}).update(seat)
    if "boards" in patch:
        view["boards"] = {n: {name: list(pile) for name, pile in b.items()} for n, b in patch["boards"].items()}
    for number, steps in patch.get("moved", {}).items():
        move(view["boards"][number], steps)
    view["you"].update(patch.get("you", {}))
    return view
