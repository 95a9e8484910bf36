"""Section 3 of the rules, read naively: how many of a rival's actions a viewer may see, from the entries alone.

Slow and plain on purpose, and independent of `server.match.view`: it counts entries as the rule's sentences do.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from server.match.entries import (
    Acted,
    BotSeated,
    Created,
    Entry,
    HoleClosed,
    HoleOpened,
    MatchEnded,
    OptionsSet,
    SeatEnded,
    SeatKicked,
    SeatLeft,
    SeatTaken,
)
from server.match.options import Options
from server.rules.codes import deal_of, parse_code

CARD = re.compile(r'"([A2-9TJQK][SHDC]2?|\*[12])"')
Action = tuple[str, str, str]
"""What was done, the pile a card came from, and the card."""


@dataclass
class Naive:
    """What the rule lets everybody see, brought up to date entry by entry."""

    options: Options = field(default_factory=Options)
    here: set[int] = field(default_factory=set)
    open: bool = False
    hole: int = 0
    code: str = ""
    deal: dict[str, list[str]] = field(default_factory=dict)
    actions: dict[int, list[Action]] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)
    shown: dict[tuple[int | None, int], int] = field(default_factory=dict)
    laid: dict[tuple[int, int], dict[str, list[str]]] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """Follow one entry."""
        body = entry.body
        if isinstance(body, Created):
            self.options, self.here = body.options, {seat for seat, _, _ in body.seated}
        elif isinstance(body, OptionsSet):
            self.options = body.options
        elif isinstance(body, (SeatTaken, BotSeated)):
            self.here.add(body.seat)
        elif isinstance(body, (SeatLeft, SeatKicked)):
            self.here.discard(body.seat)
            self.ended.add(body.seat)
        elif isinstance(body, HoleOpened):
            self._open(body)
        elif isinstance(body, Acted):
            event = body.events[0]
            source = getattr(event, "source", "stock")
            self.actions[body.seat].append((body.what, source, event.cards[0]))
            if body.ended:
                self.ended.add(body.seat)
        elif isinstance(body, SeatEnded):
            self.ended.add(body.seat)
        elif isinstance(body, (HoleClosed, MatchEnded)):
            self.open = False
        for viewer in (None, *self.here):
            for owner in self.actions:
                # What was seen stays seen.
                self.shown[viewer, owner] = max(self.shown.get((viewer, owner), 0), self.by_the_rule(viewer, owner))

    def _open(self, body: HoleOpened) -> None:
        self.hole, self.code, self.open = body.hole, body.code, True
        table = deal_of(parse_code(body.code))[2]
        self.deal = {str(name): [str(card) for card in cards] for name, cards in table.piles.items()}
        self.actions = {seat: [] for seat in self.here}
        self.ended = set()
        self.shown = {}
        self.laid = {}

    def draws(self, seat: int) -> int:
        """Count a seat's draws that it can no longer undo."""
        if self.options.undo == "all":
            return 0
        return sum(what == "draw" for what, _, _ in self.actions[seat])

    def up_to_draw(self, owner: int, k: int) -> int:
        """Count the owner's actions up to, and not including, its k-th draw."""
        if k == 0:
            return 0
        before = 0
        for what, _, _ in self.actions[owner]:
            if what == "draw":
                k -= 1
                if k == 0:
                    return before
            before += 1
        return before

    def by_the_rule(self, viewer: int | None, owner: int) -> int:
        """Count the owner's actions that the viewer may see now, whatever it saw before."""
        everything = len(self.actions[owner])
        if not self.open or viewer == owner:
            return everything
        if viewer is not None and viewer not in self.ended:
            return self.up_to_draw(owner, self.draws(viewer))
        if viewer is None and self.options.spectators == "live":
            return everything
        lowest = [self.draws(seat) for seat in self.actions if seat != owner and seat not in self.ended]
        return self.up_to_draw(owner, min(lowest)) if lowest else everything

    def board(self, owner: int, count: int) -> dict[str, list[str]]:
        """Lay out the owner's board after its first `count` actions, stock face down. Not to be changed."""
        if (owner, count) not in self.laid:
            self.laid[owner, count] = self._lay(owner, count)
        return self.laid[owner, count]

    def _lay(self, owner: int, count: int) -> dict[str, list[str]]:
        piles = {name: list(cards) for name, cards in self.deal.items()}
        done: list[Action] = []
        for what, source, card in self.actions[owner][:count]:
            if what == "undo":
                assert done.pop()[2] == card
                assert piles["waste"].pop() == card
                piles[source].append(card)
            else:
                done.append((what, source, card))
                assert piles[source].pop() == card
                piles["waste"].append(card)
        return {**piles, "stock": ["?"] * len(piles["stock"])}

    def may_know(self, viewer: int | None) -> set[str]:
        """Return the cards that the deal and the boards shown to the viewer have turned up."""
        known = {card for name, cards in self.deal.items() if name != "stock" for card in cards}
        for owner, actions in self.actions.items():
            count = self.shown.get((viewer, owner), 0)
            known |= {card for _, _, card in actions[:count]}
        return known


def cards_in(text: str) -> set[str]:
    """Return every card that a JSON text names anywhere."""
    return set(CARD.findall(text))


def parted(frame: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """Part a patch or a view from its scorecards of closed holes, whose stock is shown by right."""
    rest = {key: value for key, value in frame.items() if key != "card"}
    card = [frame.get("card")]
    if "match" in rest:
        card.append(rest["match"].get("card"))
        rest["match"] = {key: value for key, value in rest["match"].items() if key != "card"}
    return rest, [rows for rows in card if rows]


def without_card(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a patch or a view without the scorecard of closed holes."""
    return parted(frame)[0]
