"""One valid message of every type, as a client would send it."""

from typing import Any

TOKEN = "0123456789abcdef" * 2
MATCH = "abcdefghijklmnopqrstuvwx23"

VALID: dict[str, dict[str, Any]] = {
    "hello": {"protocol": 1},
    "lobby": {"off": False},
    "host": {"name": "Ada", "token": TOKEN, "options": {"holes": 3, "undo": "all"}},
    "join": {"name": "Bob", "token": TOKEN, "room": "ABCDEFGH"},
    "watch": {"match": MATCH},
    "resume": {"match": MATCH, "token": TOKEN, "version": 57, "generation": 2},
    "quick": {"name": "Bob", "token": TOKEN, "browser": TOKEN[::-1]},
    "quick_off": {},
    "ping": {"n": 1},
    "best": {},
    "react": {"reaction": "well_played"},
    "course": {"course": MATCH, "page": 2, "token": TOKEN},
    "day": {"token": TOKEN},
    "days": {},
    "beat": {"match": MATCH, "seat": 0},
    "club": {
        "token": TOKEN,
        "title": "Cup",
        "options": {"holes": 3},
        "closes_at": 1_790_000_000_000,
        "roster": ["Ada"],
    },
    "club_set": {"course": MATCH, "token": TOKEN, "title": "Cup", "roster": ["Ada", "Bob"]},
    "play_course": {"course": MATCH, "name": "Ada", "token": TOKEN},
    "ready": {"seq": 1, "ready": True},
    "start": {"seq": 2},
    "kick": {"seq": 3, "seat": 1},
    "add_bot": {"seq": 3, "strength": "counting"},
    "leave": {"seq": 4},
    "options": {"seq": 5, "options": {"seats": 2}},
    "play": {"seq": 6, "source": "column.3", "target": "waste", "card": "9C"},
    "spit": {"seq": 6, "source": "column.3", "target": "heap.1", "card": "9C", "on": "8D"},
    "draw": {"seq": 7, "stock": 16},
    "undo": {"seq": 8, "moves": 12, "undos": 0},
    "give_up": {"seq": 9, "hole": 2},
    "done": {"seq": 10, "hole": 2},
    "close_seat": {"seq": 11, "seat": 1, "hole": 2},
    "next": {"seq": 12, "hole": 2},
    "rematch": {"seq": 13},
}
