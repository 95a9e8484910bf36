"""Every code that a client can be answered with, and its words in English.

The client says them in its own language and falls back to these. A test holds that each code the server gives is
listed here and in the client's dictionaries.
"""

from typing import Final

REFUSALS: Final[dict[str, str]] = {
    "not_adjacent": "It must be one rank higher or one rank lower.",
    "blocked": "This card is blocked: another one lies on it.",
    "bad_target": "Nothing can be played there.",
    "stale": "That had already changed.",
    "play_exists": "You may draw only when no card can be played.",
    "first_play": "Play any card first: nothing is drawn onto an empty waste.",
    "stock_empty": "The stock is empty.",
    "undo_off": "This room plays without undo.",
    "nothing_to_undo": "There is nothing to undo.",
    "undo_past_draw": "A draw can't be undone in this room.",
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
    "started": "The match has begun.",
    "bots_off": "There are no house players here just now.",
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
    "no_best": "There is no best line to show now.",
    "too_fast": "That was too fast. Please wait a moment.",
    "too_many_rooms": "Too many rooms were made from here. Please wait a while.",
    "too_many": "Too many connections come from here.",
    "stream_newer": "This match was written by a newer version of the server.",
    "stream_bad": "This match can't be read. Nothing of it was changed.",
    "draining": "The server is about to restart.",
    "no_course": "There is no such course, or it is no longer kept.",
    "course_not_open": "This course has not begun yet.",
    "course_over": "This course is over.",
    "course_open": "This course is still open: until it is over its deals stay closed.",
    "already_played": "This browser has played its round of this course.",
    "name_taken": "Another browser plays under that name.",
    "not_on_roster": "That name is not on the roster.",
    "not_organiser": "Only the organiser can do that.",
    "bad_roster": "A name of the roster can't be that, stands there twice, or is one too many.",
    "bad_title": "A title has 1 to 60 visible characters, without < and >.",
    "bad_window": "An event begins within 90 days and is open for at most 30, until a time to come.",
    "no_such_match": "There is no such match, or its record is no longer kept.",
    "not_ended": "That match goes on.",
}


def words_of(code: str) -> str:
    """Return the English words of a code; the code itself if it is unknown."""
    return REFUSALS.get(code) or ERRORS.get(code) or code
