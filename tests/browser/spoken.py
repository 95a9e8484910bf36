"""What a screen reader is to say during a match, worked out from the frames that the page received."""

import copy
import json
from pathlib import Path
from typing import Any

from tests.runtime.bots import fold

CLIENT = Path(__file__).parents[2] / "client_web"
WORDS: dict[str, Any] = json.loads((CLIENT / "i18n" / "en.json").read_text(encoding="utf-8"))
# Keeps all that the page's live regions say, in order. What is said behind an open window nobody hears.
LISTEN = """
  const LIVE = "[role=log], [role=status], [role=alert], [aria-live=polite], [aria-live=assertive]";
  window.heard = [];
  const hear = (text, region) => {
    const windows = [...document.querySelectorAll("dialog[open]")];
    const silent = windows.length && !windows.at(-1).contains(region);
    if (text.trim()) window.heard.push((silent ? "behind a window: " : "") + text.trim());
  };
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const region = element?.closest(LIVE);
      if (type === "childList") {
        for (const node of addedNodes) {
          if (region) hear(node.textContent, region);
          else for (const alert of node.querySelectorAll?.("[role=alert]") ?? []) {
            if (!alert.hidden) hear(alert.textContent, alert);
          }
        }
      } else if (region && type === "characterData") hear(region.textContent, region);
      else if (type === "attributes" && element.matches("[role=alert]") && !element.hidden) {
        hear(element.textContent, element);
      }
    }
  }).observe(document, {subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"]});
"""
# Notes every time that nothing had the focus for longer than the page takes to put it back.
FOLLOW_FOCUS = """
  window.unfocused = [];
  let had = false, since = 0;
  setInterval(() => {
    const lost = had && document.hasFocus() && document.activeElement === document.body;
    had ||= document.activeElement !== document.body;
    if (!lost) since = 0;
    else if (!since) since = performance.now();
    else if (performance.now() - since > 2000) {
      window.unfocused.push(document.body.dataset.page);
      since = Infinity;
    }
  }, 20);
"""


def say(key: str, **params: Any) -> str:
    """Return an English sentence of the page."""
    entry = WORDS[key]
    if isinstance(entry, dict):
        entry = entry["one" if params["n"] == 1 else "other"]
    return str(entry).format(**params)


def card_name(card: str) -> str:
    """Return a card's English name."""
    return say("card.name", rank=WORDS[f"rank.{card[0]}"], suit=WORDS[f"suit.{card[1]}"])


def pile_name(pile: str) -> str:
    """Return a pile's English name."""
    kind, _, which = pile.partition(".")
    return say(f"pile.{kind}", which=which)


def step_words(step: list[str], board: dict[str, list[str]]) -> str:
    """Return what is said of a move of one's own, with the board after it."""
    source, target, card = step
    if source == "stock":
        return say("say.drawn", card=card_name(card), n=len(board["stock"]))
    if target == "stock":
        return say("say.undrawn", n=len(board["stock"]))
    if source == "waste":
        return say("say.back", card=card_name(card), pile=pile_name(target))
    names = {"card": card_name(card), "pile": pile_name(source)}
    if not board[source]:
        return say("say.played.empty", **names)
    return say("say.played", **names, next=card_name(board[source][-1]))


def news(before: dict[str, Any], after: dict[str, Any], frame: dict[str, Any]) -> list[str]:
    """Return what is said of one frame: own moves, then what it came to, then the others, then the match."""
    me = str(after["you"]["seat"])
    match, phase = after["match"], after["match"]["phase"]
    said = []
    if phase == before["match"]["phase"] == "playing":
        said += [step_words(step, after["boards"][me]) for step in frame.get("moved", {}).get(me, [])]
    if after["you"]["done"] and not before["you"]["done"]:
        said.append(say("stuck.undo" if after["you"]["undo"] else "stuck"))
    for number, seat in after["seats"].items():
        was = before["seats"].get(number)
        if was is None:
            said.append(say("say.joined", name=seat["name"]))
        elif seat["ended"] and not was["ended"]:
            key = f"{'ended' if number == me else 'say.ended'}.{seat['state']}"
            said.append(say(key, name=seat["name"], n=seat["cards_left"]))
        elif phase == "lobby" and seat["ready"] and not was["ready"] and number != me:
            said.append(say("say.ready", name=seat["name"]))
    if phase == before["match"]["phase"]:
        return said
    if phase == "countdown":
        said.append(say("say.countdown"))
    if phase == "playing":
        said.append(say("say.hole", n=match["hole"], holes=match["options"]["holes"]))
    if phase == "between":
        said.append(say("result.title", n=match["hole"]))
    if phase == "ended":
        for seat in after["seats"].values():
            score = str(seat["totals"][match["options"]["scoring"]]).replace("-", "\u2212")
            said.append(say("say.place", place=seat["place"], name=seat["name"], score=score))
    return said


def all_said(frames: list[dict[str, Any]]) -> list[str]:
    """Return all that is to be said of these frames, in order."""
    view: dict[str, Any] = {}
    said = []
    for frame in frames:
        if frame["t"] == "snapshot":
            view = copy.deepcopy(frame["view"])
        elif frame["t"] == "e":
            before = copy.deepcopy(view)
            fold(view, frame)
            said += news(before, view, frame)
        elif frame["t"] == "refused" and frame["code"] != "stale":
            said.append(say(f"refused.{frame['code']}"))
    return said
