"""What a record and the frames must say, worked out naively from the rule text; nothing of the server is asked.

A board here is a dict of piles, each with its last card on top, as on the wire.
"""

import json
import re
from typing import Any

from server.store.matches import Stored

from .bots import Bot, Frame, fold

Board = dict[str, list[str]]
RANKS = "A23456789TJQK"
CARD = re.compile(r"[A23456789TJQK][SHDC]")


def dealt(hole: Any) -> Board:
    """Return the board that a hole of a record deals, its stock face down."""
    columns = {f"column.{number}": list(pile) for number, pile in enumerate(hole["columns"], 1)}
    return {**columns, "waste": list(hole["waste"]), "stock": ["?"] * len(hole["stock"])}


def apply(board: Board, step: list[str]) -> None:
    """Move cards: off the source's end, onto the target's."""
    source, target, *cards = step
    del board[source][len(board[source]) - len(cards) :]
    board[target] += cards


def step_of(move: list[Any]) -> list[str]:
    """Return a record's move as its watchers see it."""
    what, _, *rest = move
    if what == "draw":
        return ["stock", "waste", *rest]
    if what == "undo" and len(rest) == 1:
        return ["waste", "stock", "?"]
    source, target, *cards = rest
    return [source, target, *cards] if what == "play" else [target, source, *cards]


def joins(rule: str, waste: str, card: str) -> bool:
    """Whether a card may be played on the waste's top card (rules.md, the table of the three rules)."""
    on, off = RANKS.index(waste[0]), RANKS.index(card[0])
    if rule == "strict" and waste[0] == "K":
        return False
    if rule == "easy" and {on, off} == {0, 12}:
        return True
    return abs(on - off) == 1


def check_seat(hole: Any, moves: list[Any], result: Any, ended: Any, undo: str) -> None:
    """Replay a seat's moves on the deal by the rules, and work its result out again."""
    board, history, moved, undone = dealt(hole), list[Any](), 0, 0
    columns = [f"column.{number}" for number in range(1, 8)]
    for move in moves:
        what, step = move[0], step_of(move)
        tops = [board[name][-1] for name in columns if board[name]]
        playable = any(joins(hole["rule"], board["waste"][-1], top) for top in tops)
        if what == "play":
            assert step[2] == board[step[0]][-1], move
            assert joins(hole["rule"], board["waste"][-1], step[2]), move
        elif what == "draw":
            assert step[2] == hole["stock"][16 - len(board["stock"])], move
            assert not (hole["rule"] == "strict" and playable), move
        else:
            assert undo != "off"
            was = history.pop()
            assert undo == "all" or was[0] == "play", move
            assert was[2:] == move[2:], move
        if what == "undo":
            undone += 1
        else:
            history.append(move)
            moved += 1
        apply(board, step)
    left = sum(len(board[name]) for name in columns)
    tops = [board[name][-1] for name in columns if board[name]]
    stuck = not board["stock"] and not any(joins(hole["rule"], board["waste"][-1], top) for top in tops)
    if not left:
        assert result["how"] == "cleared"
    elif stuck and (ended is None or ended["how"] != "gave_up"):
        assert result["how"] == "stuck"
    else:
        assert result["how"] in ("gave_up", "timed_out")
    cleared = result["how"] == "cleared"
    removed = 35 - left
    assert result["traditional"] == (-len(board["stock"]) if cleared else left)
    assert result["app"] == (350 if cleared else max(0, 10 * removed - 10 * left))
    assert (result["cards_left"], result["stock"]) == (left, len(board["stock"]))
    assert (result["moves"], result["undos"]) == (moved, undone)


def check_record(record: Any, bots: list[Bot]) -> None:
    """A record holds what its players saw happen, and its scores follow from its moves by the rules."""
    undo, scoring = record["options"]["undo"], record["options"]["scoring"]
    sums = {row["seat"]: {"traditional": 0, "app": 0} for row in record["seats"]}
    for hole in record["holes"]:
        for number, seat in hole["seats"].items():
            check_seat(hole, seat["moves"], seat["result"], seat["ended"], undo)
            for score in ("traditional", "app"):
                sums[int(number)][score] += seat["result"][score]
    key = {n: s["traditional"] if scoring == "traditional" else -s["app"] for n, s in sums.items()}
    for row in record["seats"]:
        number = row["seat"]
        assert {score: row[score] for score in ("traditional", "app")} == sums[number]
        assert row["to_par"] == row["traditional"] - 5 * len(record["holes"])
        assert row["place"] == 1 + sum(other < key[number] for other in key.values())
    for bot in bots:
        seats = bot.view["seats"]
        for row in record["seats"]:
            shown = seats[str(row["seat"])]
            assert (shown["place"], shown["name"]) == (row["place"], row["name"])
            names = ("thru", "traditional", "app", "to_par")
            assert {name: shown["totals"][name] for name in names} == {name: row[name] for name in names}
        for hole, card in zip(record["holes"], bot.match["card"], strict=True):
            assert card["code"] == hole["code"]
            assert card["stock"] == hole["stock"]
            assert card["scores"] == {number: seat["result"] for number, seat in hole["seats"].items()}


def check_moves(record: Any, bot: Bot) -> None:
    """A record holds exactly the moves that a player, who missed nothing, saw on its own board, in order."""
    acted = bot.acted()
    for hole in record["holes"]:
        moves = hole["seats"][str(bot.seat)]["moves"]
        assert [step_of(move) for move in moves] == [step for _, step in acted.get(hole["hole"], [])]


def happened(bot: Bot) -> dict[int, Frame]:
    """Return, by version, the commands that a player was told to have happened."""
    told: dict[int, Frame] = {}
    for sent, answers in [*bot.lives, (bot.sent, bot.answers)]:
        for seq, frames in answers.items():
            versions = {frame["v"] for frame in frames if frame["t"] in ("e", "ack")}
            assert len(versions) <= 1, frames
            for version in versions:
                assert version not in told
                told[version] = sent[seq]
    return told


def check_acked(record: Any, bot: Bot) -> int:
    """Every move that a player was told to have happened is in the record, in order; return how many."""
    moves = [move for hole in record["holes"] for move in hole["seats"][str(bot.seat)]["moves"]]
    recorded = iter(["play", move[2], move[4]] if move[0] == "play" else [move[0]] for move in moves)
    told = [said for _, said in sorted(happened(bot).items()) if said["t"] in ("play", "draw", "undo")]
    for said in told:
        wanted = [said["t"], said["source"], said["card"]] if said["t"] == "play" else [said["t"]]
        assert any(one == wanted for one in recorded), (bot.name, said)
    return len(told)


def check_stream(stored: list[Stored], bots: list[Bot]) -> None:
    """In the stream, no command stands twice, and each that was told to have happened stands at its version."""
    named = [(one.seat, one.generation, one.seq) for one in stored if one.seq]
    assert len(named) == len(set(named))
    assert [one.version for one in stored] == list(range(1, len(stored) + 1))
    for bot in bots:
        for version, said in happened(bot).items():
            assert (stored[version - 1].seat, stored[version - 1].seq) == (bot.seat, said["seq"])


# -- frames: what each page heard before a hole closed


class Story:
    """What happened when, by versions: from the record, and the frames of the players, who saw their own moves."""

    def __init__(self, record: Any, players: list[Bot]) -> None:
        self.record = record
        self.opened: dict[int, int] = {}
        self.closed: dict[int, int] = {}
        self.ended: dict[tuple[int, int], int] = {}  # hole, seat: version
        hole = 0
        for heard in players[0].heard:
            frame = heard.frame
            if frame["t"] != "e":
                continue
            if "hole" in frame.get("match", {}):
                hole = frame["match"]["hole"]
                self.opened[hole] = frame["v"]
            for card in frame.get("card", []):
                self.closed[card["hole"]] = frame["v"]
            for number, seat in frame.get("seats", {}).items():
                if seat and seat.get("ended"):
                    self.ended.setdefault((hole, int(number)), frame["v"])
        self.acted = {(hole, bot.seat): acts for bot in players for hole, acts in bot.acted().items()}
        self.seats = [bot.seat for bot in players if bot.seat is not None]
        for bot in players:
            check_moves(record, bot)

    def open_hole(self, version: int) -> int | None:
        """Return the hole that was open at a version."""
        for hole, opened in self.opened.items():
            if opened <= version < self.closed.get(hole, 1 << 60):
                return hole
        return None

    def acts(self, hole: int, seat: int, version: int) -> list[list[str]]:
        """Return a seat's steps in a hole up to a version."""
        return [step for at, step in self.acted.get((hole, seat), []) if at <= version]

    def behind(self, hole: int, seat: int, version: int, k: int) -> int:
        """Return how many of a seat's actions come before its k-th draw."""
        seen = draws = 0
        for step in self.acts(hole, seat, version):
            draws += step[:2] == ["stock", "waste"]
            if draws >= k:
                break
            seen += 1
        return seen

    def allowed(self, viewer: int | None, hole: int, rival: int, version: int) -> int:
        """Return how many of a rival's actions a viewer may see at a version (rules.md, section 3)."""
        options = self.record["options"]

        def playing(seat: int) -> bool:
            return self.ended.get((hole, seat), 1 << 60) > version

        def kept_draws(seat: int) -> int:
            drawn = [step for step in self.acts(hole, seat, version) if step[:2] == ["stock", "waste"]]
            return 0 if options["undo"] == "all" else len(drawn)

        whole = len(self.acts(hole, rival, version))
        if viewer == rival:
            return whole
        own = 0
        if viewer is not None:
            if self.ended.get((hole, viewer), 1 << 60) > version and kept_draws(viewer):
                # A draw that ends the hole opens nothing: the seat plays no more.
                own = self.behind(hole, rival, version, kept_draws(viewer))
            if playing(viewer):
                return own
        if viewer is None and options["spectators"] == "live":
            return whole
        others = [kept_draws(seat) for seat in self.seats if seat != rival and playing(seat)]
        if not others:
            return whole
        return max(own, self.behind(hole, rival, version, min(others)) if min(others) else 0)


def cards_in(value: Any) -> set[str]:
    """Return every string in a frame that names a card, leaving out the records of closed holes."""
    if isinstance(value, dict):
        return set().union(
            *(cards_in(inner) for key, inner in value.items() if key != "card" or isinstance(inner, str))
        )
    if isinstance(value, list):
        return set().union(*map(cards_in, value))
    return {value} if isinstance(value, str) and CARD.fullmatch(value) else set()


def check_frames(story: Story, viewer: Bot, secrets: list[str]) -> int:
    """No frame that a page heard shows more than it may, and its boards show exactly that; return how many frames."""
    record, options = story.record, story.record["options"]
    view: dict[str, Any] = {}
    most: dict[tuple[int, int], int] = {}
    hidden_codes = not options["deals"] and options["seats"] > 1
    for heard in viewer.heard:
        frame: Frame = heard.frame
        if frame["t"] == "snapshot":
            view = json.loads(heard.raw)["view"]
        elif frame["t"] == "e":
            fold(view, json.loads(heard.raw))
        for secret in (record["secret"], *secrets):
            assert secret not in heard.raw
        for hole in record["holes"]:
            if hidden_codes and heard.version < story.closed[hole["hole"]]:
                assert hole["code"] not in heard.raw, (viewer.name, frame)
                assert hole["code"].rpartition("-")[2] not in heard.raw, (viewer.name, frame)
        number = story.open_hole(heard.version)
        if number is None:
            continue
        hole = record["holes"][number - 1]
        drawn = 0
        for rival in story.seats:
            allowed = story.allowed(viewer.seat, number, rival, heard.version)
            allowed = most[number, rival] = max(allowed, most.get((number, rival), 0))  # what was seen only grows
            board = dealt(hole)
            for step in story.acts(number, rival, heard.version)[:allowed]:
                apply(board, step)
                drawn = max(drawn, 16 - len(board["stock"]))
            if frame["t"] in ("snapshot", "e"):
                assert view["boards"][str(rival)] == board, (viewer.name, viewer.seat, rival, heard.version, frame)
        unseen = set(hole["stock"][drawn:])
        assert not cards_in(frame) & unseen, (
            viewer.name,
            viewer.seat,
            heard.version,
            cards_in(frame) & unseen,
            frame,
        )
    return len(viewer.heard)
