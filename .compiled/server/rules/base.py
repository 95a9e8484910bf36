"""What a game gives, and the board of one seat: decide first, then act.

A decision is either events or a refusal, and changes nothing. Nothing here knows a game by name, a seat, a
clock or the wire.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from server.rules.cards import Card
from server.rules.table import STOCK, Draw, Event, Move, PileId, Play, Table, evolve, shown, take_back

if TYPE_CHECKING:
    from server.rules.solver import Solution

Ending = Literal["playing", "cleared", "stuck", "done", "gave_up", "timed_out", "unplayed"]
"""How a hole stands or ended for a seat; `done`: it said so, where no loss is declared; `unplayed`: it was not there."""

Scoring = Literal["traditional", "app"]
"""Which of the two scores decides."""

UndoMode = Literal["off", "plays", "all"]
"""`plays`: back to the last action that revealed a hidden card, so that nothing hidden is learnt."""

_DRAW: Final = Draw()

UNDO_DEPTH: Final = 100
"""How many of the latest actions can be taken back."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is refused: a stable code, and what its words may name."""

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict)


# Asked for after every move, to say whether an undo is offered.
_UNDO_OFF: Final = Refusal("undo_off")
_NOTHING_TO_UNDO: Final = Refusal("nothing_to_undo")
_UNDO_PAST_DRAW: Final = Refusal("undo_past_draw")


@dataclass(slots=True, unsafe_hash=True)
class Score:
    """Both scores of a hole in points: `app`, higher is better; `traditional`, lower is better."""

    app: Final[int]
    traditional: Final[int]

    def __init__(self, app: int, traditional: int) -> None:
        self.app = app
        self.traditional = traditional


class Game(Protocol):
    """One game's rules. Every `rules` argument is a value of the game's own rules type, frozen."""

    name: str
    """As in `GAMES`, on the wire and in the client: `golf`."""
    title: str
    """As English sentences name it: `Golf`."""
    prefix: str
    """What its deal codes begin with: two letters, `GO`."""
    decks: int
    """How many decks of 52 cards it is played with, 1 or 2."""
    letters: str
    """English words that explain the rule letters of its codes, put behind a colon."""
    presets: Mapping[str, Any]
    """The named rules, by name, the default first."""
    fields: Mapping[str, tuple[bool | int, ...]]
    """What each field of its rules may be, in the fields' order."""
    added: frozenset[str]
    """The fields that may be added to a preset; the others are what the preset's name means."""
    scorings: tuple[Scoring, ...]
    """The scores that may decide, the default first."""
    par: int
    """Strokes a hole; 0 where there is no such thing."""
    full: int
    """The app score of a hole that is cleared, the most there is: a match that mixes games counts shares of it."""
    most_actions: int
    """Moves and undos of one seat in one hole: far above any played game, so that a loop ends."""
    declares_loss: bool
    """Whether `outcome` may say stuck. Where it never does, a seat is done whenever it says so."""
    hides: bool
    """Whether a deal has cards that lie face down. Where it has none all is known from the start, and whoever could see a
    rival's moves could copy them: no board is shown to others before the hole has closed."""
    solvable: bool
    """Whether `solve` finds the best that a deal allows."""

    def deal(self, deck: Sequence[Card], rules: Any) -> Table:
        """Lay out a deck in dealing order. Raises CardsError if it is not the deck of these rules."""

    def moves(self, table: Table, rules: Any) -> tuple[Move, ...]:
        """Give all legal moves, in a fixed order. Legality is membership here."""

    def effects(self, table: Table, move: Move, rules: Any) -> tuple[Event, ...]:
        """Give the events of a legal move."""

    def refusal(self, table: Table, move: Move, rules: Any) -> Refusal:
        """Say why a move outside `moves` is refused."""

    def outcome(self, table: Table, rules: Any) -> Literal["cleared", "stuck"] | None:
        """Say whether the hole is cleared, else whether no move is left."""

    def score(self, table: Table, ending: Ending, rules: Any) -> Score:
        """Give both scores of this position; always from the state, never from an earlier score."""

    def cards_left(self, table: Table) -> int:
        """Count the cards still to be removed."""

    def stock_left(self, table: Table) -> int:
        """Count the cards still to be drawn."""

    def coming(self, table: Table, rules: Any) -> frozenset[Card]:
        """Give the face-down cards that one action from here on might show, whether it is legal just now or not.

        Only an action that shows one of them, or that nobody learns anything by, changes what is coming.
        """

    def jokers(self, rules: Any) -> int:
        """Count the jokers in the deck of these rules."""

    def rules_of(self, letter: str) -> Any:
        """Give the rules of a deal code's rule letter, or letters. Raises ValueError."""

    def letter_of(self, rules: Any) -> str:
        """Give the one rule letter of these rules, or letters. Raises ValueError if they have none."""

    def solve(self, table: Table, rules: Any) -> "Solution":
        """Give the lowest traditional score that is reachable from a table whose cards are all known, and a line.

        Slow, and heavy: for processes of their own. Raises ValueError if the game isn't `solvable`.
        """


@dataclass(slots=True, unsafe_hash=True)
class Board:
    """A seat's position in a hole.

    `history`: the events of each action that can be taken back, oldest first, at most `UNDO_DEPTH` actions.
    `moves` counts plays and draws and never goes down; `undos` counts what was taken back. `seen`: the hidden cards that
    were turned up so far; an undo takes nothing away. `bound`: how many of the history's actions lie up to the last one
    by which something was seen first.
    """

    table: Final[Table]
    history: Final[tuple[tuple[Event, ...], ...]]
    moves: Final[int]
    undos: Final[int]
    seen: Final[frozenset[Card]]
    bound: Final[int]
    known: "Known | None" = field(compare=False, repr=False, init=False)
    """What follows from the position, filled in by `known`."""

    def __init__(
        self,
        table: Table,
        history: tuple[tuple[Event, ...], ...],
        moves: int,
        undos: int,
        seen: frozenset[Card] = frozenset(),
        bound: int = 0,
    ) -> None:
        self.table = table
        self.history = history
        self.moves = moves
        self.undos = undos
        self.seen = seen
        self.bound = bound
        self.known = None


class Known:
    """What follows from a board, worked out once: judging a move, applying it and telling it ask the same."""

    __slots__ = ("acted", "after", "moves", "outcome", "rules", "undo")

    def __init__(self, game: Game, rules: Any, table: Table) -> None:
        self.rules = rules
        self.moves = game.moves(table, rules)
        self.outcome = game.outcome(table, rules)
        self.acted: tuple[Event, ...] = ()
        self.after: Board | None = None
        self.undo: tuple[UndoMode, bool] | None = None


def known(game: Game, rules: Any, board: Board) -> Known:
    """Return what follows from this board under these rules."""
    seen = board.known
    if seen is None or seen.rules is not rules:
        seen = Known(game, rules, board.table)
        board.known = seen
    return seen


def new_board(table: Table) -> Board:
    """Give the board of a seat before its first move."""
    return Board(table, (), 0, 0)


def rule_name(game: Game, rules: Any) -> str:
    """Give the one name of these rules: that of the preset, else their letters. Raises ValueError."""
    for name, preset in game.presets.items():
        if preset == rules:
            return name
    return game.letter_of(rules)


def rules_named(game: Game, name: str) -> Any:
    """Give the rules of this name, the inverse of `rule_name`. Raises ValueError if there are none."""
    rules = game.presets.get(name)
    if rules is None:
        rules = game.rules_of(name)
        if rule_name(game, rules) != name:
            raise ValueError(f"{name!r} is not the name of these rules")
    return rules


def rule_fields(rules: Any) -> dict[str, bool | int]:
    """Give each field of the rules by name, so that they can be put in words."""
    return asdict(rules)


def decide(
    game: Game, rules: Any, board: Board, source: PileId, target: PileId, card: Card
) -> tuple[Event, ...] | Refusal:
    """Decide a play of the block whose deepest card is `card`.

    `stale` when that card doesn't lie face up in `source`. A face-down card is answered in the same way, so
    that a guess at its name learns nothing.
    """
    table = board.table
    pile = table.piles.get(source, ())
    if source == STOCK or card not in pile:
        return Refusal("stale")
    place = pile.index(card)
    if place < table.face_down.get(source, 0):
        return Refusal("stale")
    return _settle(game, rules, board, Play(source, target, len(pile) - place))


def decide_draw(game: Game, rules: Any, board: Board, stock: int) -> tuple[Event, ...] | Refusal:
    """Decide a draw by a player who saw `stock` cards left; `stale` if that is no longer so."""
    if stock != game.stock_left(board.table):
        return Refusal("stale")
    return _settle(game, rules, board, _DRAW)


def _settle(game: Game, rules: Any, board: Board, move: Move) -> tuple[Event, ...] | Refusal:
    """Give the effects of a legal move, else why not."""
    for legal in known(game, rules, board).moves:
        if _same(legal, move):
            return game.effects(board.table, move, rules)
    return game.refusal(board.table, move, rules)


def _same(one: Move, other: Move) -> bool:
    """Compare field by field: a dataclass's own way makes two tuples first."""
    if isinstance(one, Play) and isinstance(other, Play):
        return one.source == other.source and one.target == other.target and one.count == other.count
    return isinstance(one, Draw) and isinstance(other, Draw)


def decide_undo(game: Game, rules: Any, board: Board, mode: UndoMode) -> tuple[Event, ...] | Refusal:
    """Decide an undo: the events of the last action, which `undo` takes back.

    Refused with `undo_off`, `nothing_to_undo` (also after clearing) or `undo_past_draw`.
    """
    return _why_no_undo(game, rules, board, mode) or board.history[-1]


def _why_no_undo(game: Game, rules: Any, board: Board, mode: UndoMode) -> Refusal | None:
    if mode == "off":
        return _UNDO_OFF
    if not board.history or known(game, rules, board).outcome == "cleared":
        return _NOTHING_TO_UNDO
    if mode == "plays" and len(board.history) <= board.bound:
        return _UNDO_PAST_DRAW
    return None


def can_undo(game: Game, rules: Any, board: Board, mode: UndoMode) -> bool:
    """Say whether `decide_undo` would allow it."""
    seen = known(game, rules, board)
    if seen.undo is None or seen.undo[0] != mode:
        seen.undo = mode, _why_no_undo(game, rules, board, mode) is None
    return seen.undo[1]


def act(board: Board, events: Iterable[Event]) -> Board:
    """Give the board after an action. Raises ValueError if the events don't fit the table."""
    seen = board.known
    if seen is not None and seen.after is not None and seen.acted is events:
        return seen.after  # the same move was judged on this board just before
    action = tuple(events)
    kept = board.history[1 - UNDO_DEPTH :]
    history = (*kept, action)
    bound = max(0, board.bound - (len(board.history) - len(kept)))
    turned = shown(action)
    seen_now = board.seen.union(turned) if turned else board.seen
    if len(seen_now) > len(board.seen):
        bound = len(history)
    after = Board(evolve(board.table, action), history, board.moves + 1, board.undos, seen_now, bound)
    if seen is not None:
        seen.acted, seen.after = action, after
    return after


def undo(board: Board) -> Board:
    """Give the board with its last action taken back; the move counter stays. IndexError if there is none."""
    last, history = board.history[-1], board.history[:-1]
    bound = min(board.bound, len(history))
    return Board(take_back(board.table, last), history, board.moves, board.undos + 1, board.seen, bound)
