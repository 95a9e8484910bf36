"""Every code that a client can be answered with, and its words in English.

The client says them in its own language and falls back to these. A test holds that each code the server gives is
listed here and in the client's dictionaries.
"""

from typing import Final

REFUSALS: Final[dict[str, str]] = {
    "not_adjacent": "It must be one rank higher or one rank lower.",
    "blocked": "This card is blocked: another one lies on it.",
    "bad_target": "Nothing can be played there.",
    "bad_place": "Nothing can be put there.",
    "not_a_run": "Only cards that go down by one in alternating colours move together.",
    "not_alternating": "It goes on a card of the other colour that is one rank higher.",
    "not_same_suit": "It goes on the card of its own suit that is one rank higher.",
    "not_one_lower": "It goes on a card that is one rank higher.",
    "only_king": "An empty column takes only a king.",
    "too_many_cards": "A group has at most 20 cards.",
    "one_at_a_time": "Cards go onto a foundation one at a time.",
    "other_suit": "Each foundation takes one suit only.",
    "not_next": "Its foundation does not take this card yet.",
    "base_stays": "The last base card stays: it says where the foundations begin.",
    "stale": "That had already changed.",
    "play_exists": "You may draw only when no card can be played.",
    "first_play": "Play any card first: nothing is drawn onto an empty waste.",
    "stock_empty": "There is nothing to draw.",
    "undo_off": "This room plays without undo.",
    "nothing_to_undo": "There is nothing to undo.",
    "undo_past_draw": "What turned up a hidden card can't be undone in this room.",
    "hole_over": "Your hole is over.",
    "not_stuck": "You still have moves.",
    "too_many_moves": "That is more than one hole allows.",
    "not_your_seat": "That seat is not yours.",
    "spectators_cannot": "Spectators can't do that.",
    "not_host": "Only the host can do that.",
    "too_few": "Match play needs two players.",
    "not_ready": "Not everybody is ready.",
    "not_open": "That is not possible now.",
    "no_such_seat": "There is nobody in that seat.",
    "seat_online": "That seat has not been offline for a minute.",
    "seats_taken": "More seats are taken than that.",
    "room_full": "The room is full.",
    "kicked": "You were put out of this room.",
    "engine_away": "The server can't store moves right now. Please try again.",
    "gone": "This match does not exist any more.",
}
ERRORS: Final[dict[str, str]] = {
    "bad_json": "That is not JSON.",
    "not_object": "A message is a JSON object.",
    "unknown_type": "There is no message of that type.",
    "bad_field": "A field is missing, unknown or can't be that.",
    "too_large": "The message is too large.",
    "binary": "Messages are text.",
    "not_greeted": "Say hello first.",
    "protocol_newer": "This page is out of date. Please reload it.",
    "bad_name": "A name has 1 to 24 visible characters, without < and >.",
    "bad_token": "A token is 32 hexadecimal digits.",
    "bad_options": "An option can't be that.",
    "bad_code": "That is not a deal code.",
    "foreign_code": "That code comes from an app whose shuffle is not published.",
    "unknown_game": "No game has codes like that.",
    "unknown_rule": "No rule has those letters.",
    "out_of_range": "The code's value is out of range.",
    "bad_card": "That is not a card.",
    "wrong_count": "A deck has 52 cards, and the jokers of its rule.",
    "card_twice": "A card stands there twice.",
    "no_such_room": "There is no such room.",
    "no_spectators": "This room has no spectators.",
    "wrong_token": "That seat belongs to somebody else.",
    "in_match": "This connection is in a match already.",
    "not_in_match": "This connection is in no match.",
    "too_fast": "That was too fast. Please wait a moment.",
    "too_many_rooms": "Too many rooms were made from here. Please wait a while.",
    "too_many": "Too many connections come from here.",
    "stream_newer": "This match was written by a newer version of the server.",
    "stream_bad": "This match can't be read. Nothing of it was changed.",
    "draining": "The server is about to restart.",
}


def words_of(code: str) -> str:
    """Return the English words of a code; the code itself if it is unknown."""
    return REFUSALS.get(code) or ERRORS.get(code) or code
