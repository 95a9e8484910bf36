"""What codes deal: the test vectors, and a second implementation written from docs/deals.md alone."""

import hashlib
import json
import math
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules.cards import DECK, check_deck
from server.rules.codes import (
    commitment,
    deck_of,
    hole_value,
    match_code,
    mixed_hole_value,
    parse_code,
    sealed_code,
    short_code,
)
from server.rules.shuffle import DECKS, deck_of_rank, rank_of_deck, shuffled

DOC = (Path(__file__).parents[2] / "docs" / "deals.md").read_text(encoding="utf-8")
VECTORS = {
    vector["code"]: vector["deck"]
    for vector in json.loads((Path(__file__).parent / "deal_vectors.json").read_text(encoding="utf-8"))["vectors"]
}

WITH_JOKERS = {
    vector["code"]: vector["deck"]
    for vector in json.loads((Path(__file__).parent / "deal_vectors.json").read_text(encoding="utf-8"))["with_jokers"]
}

OTHER_GAMES = {
    vector["code"]: vector["deck"]
    for vector in json.loads((Path(__file__).parent / "deal_vectors.json").read_text(encoding="utf-8"))["other_games"]
}

RANKS = "A23456789TJQK"
ORDER = [rank + suit for suit in "SHDC" for rank in RANKS]


def jokers_of(rule: str) -> int:
    """Count a rule's jokers, as the page says."""
    return int(rule[1]) if rule[1:2] in ("1", "2") else 0


def second_shuffle(code: str) -> list[str]:
    """Shuffle as the page says: the whole stream first, then a swap for each place from the last."""
    head, rule, letters = code.split("-")
    jokers = jokers_of(rule)
    key = (head + "-" + (f"{jokers}-" if jokers else "") + letters).encode()
    stream = b"".join(hashlib.sha256(key + struct.pack(">I", counter)).digest() for counter in range(64))
    order = [*ORDER, "*1", "*2"][: 52 + jokers]
    if head == "DG2":
        order += [card + "2" for card in ORDER]
    places = dict(enumerate(order))
    at = 0
    for size in range(len(order), 1, -1):
        while stream[at] // size >= 256 // size:
            at += 1
        taken = stream[at] - size * (stream[at] // size)
        at += 1
        places.update({size - 1: places[taken], taken: places[size - 1]})
    return [places[place] for place in range(len(order))]


def second_rank(deck: list[str]) -> int:
    """Rank a deal as the page says: a sum over cards of those later that come before."""
    rest = [card + "2" for card in ORDER] if len(deck) == 104 else ["*1", "*2"]
    places = [[*ORDER, *rest].index(card) for card in deck]
    return sum(
        sum(later < place for later in places[number:]) * math.factorial(len(deck) - number)
        for number, place in enumerate(places, 1)
    )


def test_there_are_twenty_vectors() -> None:
    """There are 20, of every kind of code."""
    assert len(VECTORS) == 20
    kinds = {(code[:3], len(code)) for code in VECTORS}
    assert kinds == {("GO2", 13), ("GO2", 34), ("GOX", 54), ("GO1", 13)}


@pytest.mark.parametrize("code", VECTORS)
def test_the_vectors(code: str) -> None:
    """Each vector's code deals its cards, under every letter."""
    assert " ".join(deck_of(parse_code(code))) == VECTORS[code]
    head, _, letters = code.split("-")
    for letter in "ECN":
        assert " ".join(deck_of(parse_code(f"{head}-{letter}-{letters}"))) == VECTORS[code]


def test_the_page_has_the_same_vectors() -> None:
    """The page's table and the file are the same, in the same order."""
    rows = re.findall(r"^\| `(GO\S+)` \| ((?:[A2-9TJQK][SHDC] ?){52}) \|$", DOC, re.MULTILINE)
    assert dict(rows) == VECTORS
    assert [code for code, _ in rows] == list(VECTORS)


@pytest.mark.parametrize("code", WITH_JOKERS)
def test_the_vectors_with_jokers(code: str) -> None:
    """Each code deals its cards under every rule with so many jokers, and both implementations agree on them."""
    cards = WITH_JOKERS[code]
    head, rule, letters = code.split("-")
    jokers = jokers_of(rule)
    assert len(cards.split()) == 52 + jokers
    for other in (rule, f"E{jokers}", f"L{jokers}V"):
        assert " ".join(deck_of(parse_code(f"{head}-{other}-{letters}"))) == cards
    if head == "GO2":
        assert " ".join(second_shuffle(code)) == cards
    else:
        assert second_rank(cards.split()) == parse_code(code).value


def test_the_page_has_the_vectors_with_jokers() -> None:
    """The page's second table and the file are the same, and what was published stays."""
    rows = re.findall(r"^\| `(GO\S+)` \| ((?:(?:[A2-9TJQK][SHDC]|\*[12]) ?){53,54}) \|$", DOC, re.MULTILINE)
    assert dict(rows) == WITH_JOKERS
    text = "\n".join(f"{code} {deck}" for code, deck in rows)
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "5a0142cc16aab819371598a71cff70c21b3656e39fde3905e096574ab4f7eefa"
    )


@pytest.mark.parametrize("code", OTHER_GAMES)
def test_the_vectors_of_other_games(code: str) -> None:
    """Each code deals its cards, both implementations agree on them, and the page has the same row."""
    cards = OTHER_GAMES[code]
    assert " ".join(deck_of(parse_code(code))) == cards
    if code[2] == "2":
        assert " ".join(second_shuffle(code)) == cards
    else:
        assert second_rank(cards.split()) == parse_code(code).value
    assert f"| `{code}` | {cards} |" in DOC


def test_the_vectors_never_change() -> None:
    """The file of vectors is the one that was published: its contents have this hash."""
    text = "\n".join(f"{code} {deck}" for code, deck in VECTORS.items())
    assert (
        hashlib.sha256(text.encode()).hexdigest()
        == "f4b080480b37c14735857524147e92f7c9fece572e7780e4b4c0d27ead6079b6"
    )


@pytest.mark.parametrize("code", [code for code in VECTORS if code.startswith("GO2")])
def test_the_second_implementation_agrees_on_the_vectors(code: str) -> None:
    """The vectors are what the page's words give."""
    assert " ".join(second_shuffle(code)) == VECTORS[code]


@given(
    st.one_of(
        st.integers(0, 2**32 - 1).map(short_code),
        st.integers(0, 2**128 - 1).map(lambda n: match_code("golf", "E", n)),
    )
)
def test_the_second_implementation_agrees(code: str) -> None:
    """Both implementations deal the same for any code."""
    assert list(deck_of(parse_code(code))) == second_shuffle(code)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["E1", "R2V", "KV", "F", "S1V"]))
def test_the_second_implementation_agrees_on_variants(value: int, rule: str) -> None:
    """The same under rules with jokers, an empty start and other letters."""
    code = short_code(value, letter=rule)
    assert list(deck_of(parse_code(code))) == second_shuffle(code)


@given(st.permutations([*ORDER, "*1", "*2"]), st.integers(0, 2))
def test_the_second_rank_agrees_with_jokers(cards: list[str], jokers: int) -> None:
    """Both ways to rank a deck agree whatever its jokers, and the rank leads back to the deal."""
    deck = [card for card in cards if card not in ("*1", "*2")[jokers:]]
    place = rank_of_deck(deck, jokers)
    assert place == second_rank(deck)
    assert list(deck_of_rank(place, jokers)) == deck


@given(st.permutations(ORDER))
def test_the_second_rank_agrees(deck: list[str]) -> None:
    """Both ways to rank a deal agree, and the rank leads back to the deal."""
    place = rank_of_deck(deck)
    assert place == second_rank(deck)
    assert list(deck_of_rank(place)) == deck


@pytest.mark.parametrize("code", [code for code in VECTORS if code.startswith("GOX")])
def test_the_second_rank_agrees_on_the_vectors(code: str) -> None:
    """The GOX vectors are what the page's words give."""
    assert second_rank(VECTORS[code].split()) == parse_code(code).value


def test_first_and_last_rank() -> None:
    """The unshuffled deck is 0, the reversed one 52! - 1; nothing is outside."""
    assert rank_of_deck(DECK) == 0
    assert rank_of_deck(DECK[::-1]) == DECKS - 1
    for place in (-1, DECKS):
        with pytest.raises(ValueError, match="rank"):
            deck_of_rank(place)


def test_the_page_counts_the_first_numbers_right() -> None:
    """The worked example of the page is true."""
    stream = hashlib.sha256(b"GO2-AAAAAAB" + bytes(4)).digest()
    listed = re.search(r"the stream begins ([\d, ]+)\.", DOC)
    assert listed is not None
    assert list(stream[:13]) == [int(number) for number in listed[1].split(",")]
    assert shuffled(b"GO2-AAAAAAB")[51] == ORDER[stream[0] % 52] == "7D"


def test_one_number_in_two_lengths_is_two_deals() -> None:
    """A short and a long code of the same number deal different cards."""
    for value in (0, 1, 2**32 - 1):
        assert deck_of(parse_code(short_code(value))) != deck_of(parse_code(match_code("golf", "E", value)))


def test_shuffles_are_even() -> None:
    """Over 5200 deals each card is about as often in the first, the middle and the last place."""
    decks = [deck_of(parse_code(short_code(value))) for value in range(5200)]
    for place in (0, 25, 51):
        counts = dict.fromkeys(DECK, 0)
        for deck in decks:
            counts[deck[place]] += 1
        # 100 expected each; the chi-square of 51 degrees is below 97 in 9999 of 10000 cases.
        assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 97


@given(st.binary(max_size=40))
def test_every_key_shuffles_a_deck(key: bytes) -> None:
    """Whatever the key, the cards are the 52."""
    check_deck(shuffled(key))


def test_the_pages_holes() -> None:
    """The page's secrets, commitments and hole codes are what the code gives."""
    rows = re.findall(r"^\| `([0-9a-f]+)` \| `([0-9a-f]{64})` \| (\d+) \| `(GO2-E-[A-Z]{28})` \|$", DOC, re.MULTILINE)
    assert len(rows) == 6
    for secret_hex, committed, hole, code in rows:
        secret = bytes.fromhex(secret_hex)
        assert commitment(secret) == committed == hashlib.sha256(secret).hexdigest()
        data = b"fairway/hole/1:" + secret + int(hole).to_bytes(4, "big")
        value = int(hashlib.sha256(data).hexdigest()[:32], 16)
        assert hole_value(secret, int(hole)) == value
        assert match_code("golf", "E", value) == code


def test_the_pages_holes_with_nonces() -> None:
    """The page's codes of the second derivation are what its words give, written here a second time."""
    rows = re.findall(r"^\| `([0-9a-f]+)` \| (none|\d: .*) \| (\d+) \| `(GO2-E-[A-Z]{28})` \|$", DOC, re.MULTILINE)
    assert len(rows) == 10
    for secret_hex, shown, hole, code in rows:
        nonces = {int(seat): nonce for seat, nonce in re.findall(r"(\d): `([0-9a-f]{32})`", shown)}
        listed = b"".join(bytes([seat]) + bytes.fromhex(nonces[seat]) for seat in sorted(nonces))
        mix = hashlib.sha256(b"fairway/nonces/2:" + listed).digest()
        data = b"fairway/hole/2:" + bytes.fromhex(secret_hex) + mix + struct.pack(">II", int(hole), 0)
        value = int(hashlib.sha256(data).hexdigest()[:32], 16)
        given = {seat: bytes.fromhex(nonce) for seat, nonce in nonces.items()}
        assert mixed_hole_value(bytes.fromhex(secret_hex), given, int(hole)) == value
        assert match_code("golf", "E", value) == code
        assert sealed_code("golf", "E", 2, secret_hex, nonces, int(hole)) == code


def test_every_nonce_counts() -> None:
    """Another nonce, seat, hole or attempt gives another value; the order in which nonces came gives none."""
    secret, one, two = bytes(16), b"1" * 16, b"2" * 16
    given = [{}, {0: one}, {1: one}, {0: two}, {0: one, 1: two}, {0: two, 1: one}]
    values = {
        mixed_hole_value(secret, nonces, hole, attempt) for nonces in given for hole in (1, 2) for attempt in (0, 1)
    }
    assert len(values | {hole_value(secret, 1), hole_value(secret, 2)}) == 4 * len(given) + 2
    assert mixed_hole_value(secret, {0: one, 1: two}, 1) == mixed_hole_value(secret, {1: two, 0: one}, 1)
    for nonce in (b"", bytes(15), bytes(17)):
        with pytest.raises(ValueError, match="16 bytes"):
            mixed_hole_value(secret, {0: nonce}, 1)


def test_the_first_derivation_stays() -> None:
    """A match that was made before there were nonces keeps its deals, whatever is given."""
    assert sealed_code("golf", "S", 1, "5e" * 32, {0: "00" * 16}, 3) == match_code(
        "golf", "S", hole_value(b"\x5e" * 32, 3)
    )


def test_holes_differ() -> None:
    """Holes of one secret and the same hole of two secrets have different values, within 128 bits."""
    values = {hole_value(secret, hole) for secret in (bytes(16), bytes(17), b"x" * 32) for hole in range(1, 28)}
    assert len(values) == 3 * 27
    assert all(0 <= value < 2**128 for value in values)
    assert max(values) >= 2**120


@pytest.mark.parametrize(
    ("secret", "hole"), [(bytes(15), 1), (b"", 1), (bytes(16), 0), (bytes(16), -1), (bytes(16), 2**32)]
)
def test_holes_that_have_no_value(secret: bytes, hole: int) -> None:
    """A short secret or a hole that is not counted from 1 is refused."""
    with pytest.raises(ValueError, match=r"16 bytes|numbered"):
        hole_value(secret, hole)
