"""What a client may say, and the one code with which everything else is answered."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.match.options import Options
from server.protocol import client, courses, waiting
from server.protocol.client import LARGEST, ProtocolError, ReadySaid, parse
from server.protocol.fields import Said
from server.protocol.typed import options_of, read_options
from server.protocol.words import ERRORS
from server.rules.cards import DECK
from tests.protocol.messages import MATCH, TOKEN, VALID


def text_of(t: str, **changes: Any) -> str:
    """Return a valid message with some fields changed; ... takes a field out."""
    fields = {"t": t, **VALID[t], **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not ...})


def code_of(text: str | bytes) -> str:
    """Return the code with which a text is refused."""
    with pytest.raises(ProtocolError) as error:
        parse(text)
    assert error.value.words
    assert error.value.code in ERRORS
    return error.value.code


def parsed(text: str | bytes) -> client.Message | ProtocolError:
    """Return the message that a text is, or why it is none; anything else that is raised gets through."""
    try:
        return parse(text)
    except ProtocolError as error:
        return error


# -- what is understood


@pytest.mark.parametrize("t", VALID)
def test_every_message_is_understood(t: str) -> None:
    """Each message is read into a frozen value with the fields that were sent."""
    message = parse(text_of(t))
    assert message.t == t
    said = message.model_dump()
    for name, value in VALID[t].items():
        if name == "options":
            assert {option: said["options"][option] for option in value} == value
        else:
            assert said[name] == value
    assert message == parse(text_of(t).encode())


def test_every_message_is_here() -> None:
    """The list above has every type that there is."""
    kinds = [getattr(module, name) for module in (client, courses, waiting) for name in dir(module)]
    types = {
        kind.model_fields["t"].annotation.__args__[0]
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, Said) and "t" in kind.model_fields
    }
    assert types == VALID.keys()


@pytest.mark.parametrize(
    ("t", "optional"),
    [
        ("lobby", "off"),
        ("host", "options"),
        ("join", "room"),
        ("watch", "match"),
        ("resume", "token"),
        ("resume", "version"),
        ("resume", "generation"),
        ("course", "page"),
        ("course", "token"),
        ("day", "token"),
        ("club", "options"),
        ("club", "roster"),
        ("club_set", "roster"),
    ],
)
def test_what_may_be_left_out(t: str, optional: str) -> None:
    """Optional fields have their defaults."""
    assert parse(text_of(t, **{optional: ...})).t == t


def test_options_left_out_are_the_defaults() -> None:
    """A host who says nothing gets the room's defaults."""
    message = parse(text_of("host", options=...))
    assert isinstance(message, client.Host)
    assert options_of(message.options) == Options()


def test_white_space_around_json_is_json() -> None:
    """A message may be laid out."""
    assert parse(' \n{"t": "ping",\t"n": 1}\n').t == "ping"


def test_of_a_field_sent_twice_the_last_counts() -> None:
    """As in browsers' own JSON.parse."""
    assert parse('{"t":"ping","n":1,"n":2}') == parse('{"t":"ping","n":2}')
    assert parse('{"t":"ping","t":"start","seq":2}') == parse('{"t":"start","seq":2}')


# -- what is not


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("bad_json", ""),
        ("bad_json", " "),
        ("bad_json", "{"),
        ("bad_json", "hello"),
        ("bad_json", "{'t':'ping'}"),
        ("bad_json", '{"t":"ping","n":1}x'),
        ("bad_json", '{"t":"ping","n":1}{"t":"ping","n":1}'),
        ("bad_json", '{"t":"ping","n":01}'),
        ("bad_json", '{"t":"ping","n":1,}'),
        ("bad_json", '\ufeff{"t":"ping","n":1}'),
        ("bad_json", '{"t":"ping","n":"\\ud800"}'),
        ("bad_json", '{"t":"ping","n":' + "[" * 4000),
        ("bad_json", '{"t":"ping","n":' + "9" * 5000 + "}"),
        ("bad_json", b"\xff\xfe"),
        ("bad_json", b'{"t":"ping","n":"\xc3"}'),
        ("bad_json", b"\x00"),
        ("not_object", "[]"),
        ("not_object", '[{"t":"ping","n":1}]'),
        ("not_object", "5"),
        ("not_object", '"ping"'),
        ("not_object", "null"),
        ("not_object", "true"),
        ("unknown_type", "{}"),
        ("unknown_type", '{"t":"nothing"}'),
        ("unknown_type", '{"t":"PING","n":1}'),
        ("unknown_type", '{"t":5,"n":1}'),
        ("unknown_type", '{"t":null,"n":1}'),
        ("unknown_type", '{"t":["ping"],"n":1}'),
        ("unknown_type", '{"t":{"t":"ping"},"n":1}'),
        ("unknown_type", '{"T":"ping","n":1}'),
        ("too_large", '{"t":"ping","n":1' + " " * LARGEST + "}"),
        ("too_large", b"x" * (LARGEST + 1)),
        ("too_large", '{"t":"ping","n":"' + "ş" * (LARGEST // 2) + '"}'),
    ],
)
def test_what_is_no_message(code: str, text: str | bytes) -> None:
    """Broken JSON, JSON that is no object, an object that is no message, and too much of anything."""
    assert code_of(text) == code


def test_the_largest_message_is_understood() -> None:
    """The limit counts bytes, and is itself allowed."""
    text = '{"t":"ping","n":1' + " " * (LARGEST - 18) + "}"
    assert len(text) == LARGEST
    assert parse(text).t == "ping"
    decks = [" ".join(f"{card[0].replace('T', '10')}{card[1]}" for card in DECK)] * 18
    assert len(options_of(parse(text_of("host", options={"deals": decks})).options).deals) == 18


@pytest.mark.parametrize("t", VALID)
def test_an_unknown_field_is_heard(t: str) -> None:
    """A field that a message does not have is named, and not taken for another's."""
    names = {"x", "seqq", "name", "token", "options"} - VALID[t].keys()
    for name in names:
        with pytest.raises(ProtocolError) as error:
            parse(text_of(t, **{name: 1}))
        assert (error.value.code, error.value.params) == ("bad_field", {"field": name})
        assert "is not known" in error.value.words


REQUIRED = {
    t: [name for name in fields if name not in ("off", "options", "room", "match")] for t, fields in VALID.items()
} | {
    "resume": ["match"],
    "options": ["seq", "options"],
    "course": ["course"],
    "day": [],
    "beat": ["match", "seat"],
    "club": ["token", "title", "closes_at"],
    "club_set": ["course", "token", "title"],
}


@pytest.mark.parametrize(("t", "name"), [(t, name) for t, names in REQUIRED.items() for name in names])
def test_a_missing_field_is_heard(t: str, name: str) -> None:
    """Each field that a message needs is asked for by its name."""
    code = {"name": "bad_name", "token": "bad_token"}.get(name, "bad_field")
    with pytest.raises(ProtocolError) as error:
        parse(text_of(t, **{name: ...}))
    assert error.value.code == code
    if code == "bad_field":
        assert error.value.params == {"field": name}
        assert "is missing" in error.value.words


@pytest.mark.parametrize("value", [None, True, 1.5, 1.0, "1", [], {}, [1], {"a": 1}, -1, 2**31 + 1, 10**30])
@pytest.mark.parametrize(
    ("t", "name"), [(t, name) for t in VALID for name, value in VALID[t].items() if type(value) is int]
)
def test_numbers_are_whole_numbers_in_their_range(t: str, name: str, value: Any) -> None:
    """No text, truth value, fraction, negative or huge number passes for a number."""
    if value is None and (t, name) in {("resume", "version"), ("resume", "generation")}:
        return  # absent and null are the same there
    if (t, name) == ("hello", "protocol") and type(value) is int:
        return  # any number is a protocol, if not ours
    if (t, name) == ("club", "closes_at") and value == 2**31 + 1:
        return  # a time in ms
    assert code_of(text_of(t, **{name: value})) == "bad_field"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e3", "-0.0"])
def test_numbers_that_are_none(value: str) -> None:
    """What JavaScript would print for no number is refused like any other."""
    assert code_of(f'{{"t":"ping","n":{value}}}') in ("bad_field", "bad_json")


@pytest.mark.parametrize("value", [None, 1, True, [], {}, ["Ada"]])
@pytest.mark.parametrize(
    ("t", "name"), [(t, name) for t in VALID for name, value in VALID[t].items() if type(value) is str]
)
def test_texts_are_texts(t: str, name: str, value: Any) -> None:
    """No number, list or object passes for a text."""
    if value is None and (t, name) in {
        ("join", "room"),
        ("watch", "match"),
        ("resume", "token"),
        ("course", "token"),
        ("day", "token"),
    }:
        return  # absent and null are the same there
    assert code_of(text_of(t, **{name: value})) == {"name": "bad_name", "token": "bad_token"}.get(name, "bad_field")


@pytest.mark.parametrize("value", [0, 1, "true", None, []])
def test_truth_values_are_truth_values(value: Any) -> None:
    """A number or a text is neither true nor false."""
    assert code_of(text_of("ready", ready=value)) == "bad_field"
    assert code_of(text_of("lobby", off=value)) == "bad_field"


@pytest.mark.parametrize(
    ("t", "name", "value"),
    [
        ("kick", "seat", 8),
        ("close_seat", "seat", 8),
        ("give_up", "hole", 0),
        ("done", "hole", 28),
        ("next", "hole", 0),
        ("start", "seq", 0),
        ("play", "source", ""),
        ("play", "source", "x" * 17),
        ("play", "card", ""),
        ("play", "card", "10HH"),
        ("join", "room", ""),
        ("join", "room", "x" * 41),
        ("watch", "match", MATCH[:-1]),
        ("watch", "match", MATCH + "a"),
        ("watch", "match", MATCH + "\n"),
        ("watch", "match", MATCH.upper()),
        ("course", "course", MATCH[:-1]),
        ("course", "page", 0),
        ("course", "page", 1_001),
        ("beat", "seat", 8),
        ("club", "closes_at", 2**53 + 1),
        ("club", "opens_at", -1),
        ("club", "title", "x" * 501),
        ("club", "roster", ["x"] * 401),
        ("club", "roster", ["x" * 501]),
        ("club", "roster", "Ada"),
        ("club_set", "roster", [1]),
    ],
)
def test_values_out_of_range(t: str, name: str, value: Any) -> None:
    """Seats, holes, seqs, piles, cards, rooms and ids that can't be are refused by their field."""
    with pytest.raises(ProtocolError) as error:
        parse(text_of(t, **{name: value}))
    assert (error.value.code, error.value.params) == ("bad_field", {"field": name})


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "0", TOKEN.upper(), TOKEN[:-1] + "g", TOKEN + "\n"])
@pytest.mark.parametrize("t", ["host", "join", "resume"])
def test_tokens(t: str, token: str) -> None:
    """A token is 32 lower-case hexadecimal digits."""
    assert code_of(text_of(t, token=token)) == "bad_token"


def test_nonces() -> None:
    """A nonce is 32 lower-case hexadecimal digits, and may be left out."""
    ready = parse(text_of("ready", nonce=TOKEN))
    assert isinstance(ready, ReadySaid)
    assert ready.nonce == TOKEN
    for nonce in ("", TOKEN[:-1], TOKEN + "0", TOKEN.upper(), TOKEN + "\n", 7):
        with pytest.raises(ProtocolError) as error:
            parse(text_of("ready", nonce=nonce))
        assert (error.value.code, error.value.params) == ("bad_field", {"field": "nonce"})


def test_a_name_that_is_far_too_long() -> None:
    """What no name could be cleaned from is refused before it is looked at."""
    assert code_of(text_of("host", name="x" * 501)) == "bad_name"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "red"),
        ("holes", 0),
        ("holes", 19),
        ("holes", "9"),
        ("holes", True),
        ("seats", 0),
        ("seats", 9),
        ("seats", 2.0),
        ("hole_seconds", 901),
        ("hole_seconds", -1),
        ("scoring", "golf"),
        ("undo", True),
        ("undo", "some"),
        ("spectators", "on"),
        ("format", "skins"),
        ("sudden_death", 1),
        ("winnable", "yes"),
        ("visibility", "secret"),
        ("help", "all"),
        ("help", True),
        ("rule", 1),
        ("game", None),
        ("deals", "GO2-E-AAAAAAB"),
        ("deals", [1]),
        ("deals", ["GO2-E-AAAAAAB"] * 19),
        ("deals", ["x" * 801]),
    ],
)
@pytest.mark.parametrize("t", ["host", "options"])
def test_options_that_cannot_be(t: str, name: str, value: Any) -> None:
    """An option that is unknown, of a wrong type or out of range is named."""
    with pytest.raises(ProtocolError) as error:
        parse(text_of(t, options={name: value}))
    assert (error.value.code, error.value.params) == ("bad_options", {"field": name})


@pytest.mark.parametrize(
    ("variant", "field"),
    [
        ("E2", "variant"),
        ([], "variant"),
        ({"jokers": 3}, "variant.jokers"),
        ({"jokers": -1}, "variant.jokers"),
        ({"jokers": True}, "variant.jokers"),
        ({"jokers": None}, "variant.jokers"),
        ({"queen_on_king": 1}, "variant.queen_on_king"),
        ({"king_ace_joined": "yes"}, "variant.king_ace_joined"),
        ({"draw_only_when_stuck": None}, "variant.draw_only_when_stuck"),
        ({"empty_start": 0}, "variant.empty_start"),
        ({"wild": True}, "variant.wild"),
    ],
)
@pytest.mark.parametrize("t", ["host", "options"])
def test_variants_that_cannot_be(t: str, variant: Any, field: str) -> None:
    """A field of a variant that is unknown, of a wrong type or out of range is named."""
    with pytest.raises(ProtocolError) as error:
        options_of(parse(text_of(t, options={"variant": variant})).options)
    assert (error.value.code, error.value.params) == ("bad_options", {"field": field})


@pytest.mark.parametrize("value", [None, 5, [], "x"])
def test_options_that_are_no_object(value: Any) -> None:
    """Options themselves are an object."""
    with pytest.raises(ProtocolError) as error:
        parse(text_of("host", options=value))
    assert (error.value.code, error.value.params) == ("bad_field", {"field": "options"})


def test_a_long_field_name_is_cut() -> None:
    """An answer never repeats more than 40 characters of what was sent."""
    for text in (text_of("ping", **{"x" * 3000: 1}), text_of("host", options={"x" * 3000: 1})):
        with pytest.raises(ProtocolError) as error:
            parse(text)
        assert error.value.params == {"field": "x" * 40}
        assert len(error.value.words) < 100


# -- whatever is sent


@given(st.text(st.characters()) | st.binary())
@example("\ud800")
@example('{"t":"ping","n":"\ud800"}')
@example("\x00")
def test_any_text_is_a_message_or_an_error(text: str | bytes) -> None:
    """Nothing that can be sent raises anything but ProtocolError."""
    outcome = parsed(text)
    assert not isinstance(outcome, ProtocolError) or outcome.code in ERRORS


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(sorted({name for fields in VALID.values() for name in fields} | {"t", "x"}))


@given(st.sampled_from(sorted(VALID)), st.dictionaries(names, json_values, max_size=3), st.sets(names, max_size=2))
def test_a_mutated_message_is_a_message_or_an_error(t: str, changes: dict[str, Any], gone: set[str]) -> None:
    """A valid message with fields changed, added and taken out is understood whole or refused with a code."""
    fields = {"t": t, **VALID[t], **changes}
    text = json.dumps({name: value for name, value in fields.items() if name not in gone})
    outcome = parsed(text)
    if isinstance(outcome, ProtocolError):
        assert outcome.code in ERRORS
        assert all(isinstance(value, (str, int)) for value in outcome.params.values())
    else:
        assert outcome.t == json.loads(text)["t"]


@given(st.sampled_from(sorted(VALID)), st.data())
def test_a_cut_or_spliced_message_is_a_message_or_an_error(t: str, data: st.DataObject) -> None:
    """The same for bytes lost, doubled or overwritten on the way."""
    text = text_of(t).encode()
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    middle = data.draw(st.binary(max_size=6))
    outcome = parsed(text[:start] + middle + text[end:])
    assert not isinstance(outcome, ProtocolError) or outcome.code in ERRORS


# -- options within another message


@pytest.mark.parametrize(
    ("plain", "field"),
    [
        ({"holes": 19}, "holes"),
        ({"holes": "9"}, "holes"),
        ({"colour": "red"}, "colour"),
        ({"rule": "odd"}, "rule"),
        ({"undo": None}, "undo"),
    ],
)
def test_options_that_are_read_later_are_judged_as_strictly(plain: dict[str, Any], field: str) -> None:
    """What an event's options can't be is named, as it is where a room is made."""
    with pytest.raises(ProtocolError) as error:
        read_options(plain)
    assert (error.value.code, error.value.params) == ("bad_options", {"field": field})
    assert read_options({"holes": 3, "undo": "off"}) == Options(holes=3, undo="off")
