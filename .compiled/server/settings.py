"""What the server can be told, and where each value comes from.

Law: one frozen value, made once at the start, handed down; nothing else reads the environment. A value
comes from its flag, else from its variable in the environment, else from its default. A bad one is refused
with one line that names it. Knows only the standard library, so that every layer may hold a `Settings`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit

Wire = Literal["direct", "public"]
Fsync = Literal["always", "everysec"]
LogLevel = Literal["debug", "info", "warning", "error"]

REDIS_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
MAX_WORKERS = 64
MAX_REPLICAS = 9
MAX_DAYS = 36_500
MAX_HOUSE_PLAYERS = 1_000
HOUSE_PACE_S = (0.05, 30.0)
MAX_SOLVERS = 16
FOREVER = "forever"
_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[^\s/?#@:\[\]]+)(:[0-9]{1,5})?")


Rate = tuple[float, float]
"""A burst, and how many a second it refills by."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """What one party may ask for: a connection's `messages`, an address's `entries` into matches, `rooms` and
    `connections`. As text: `messages=200/40 entries=600/20 rooms=30/0.1 connections=1000`.

    A person's fastest chain of plays is a tenth of `messages`; a club behind one address may all come back at once.
    """

    messages: Rate = (200.0, 40.0)
    entries: Rate = (600.0, 20.0)
    rooms: Rate = (30.0, 0.1)
    connections: int = 1_000

    def __str__(self) -> str:
        rates = (f"{name}={burst:.12g}/{rate:.12g}" for name, (burst, rate) in self._rates().items())
        return f"{' '.join(rates)} connections={self.connections}"

    def _rates(self) -> dict[str, Rate]:
        return {"messages": self.messages, "entries": self.entries, "rooms": self.rooms}


class SettingError(ValueError):
    """A value that can't be used. `name` is the flag or variable as it was given (`--port`,
    `FAIRWAY_PORT`).
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a run of the server depends on.

    `host` is an address or `localhost`; `0.0.0.0` and `::` mean all addresses of the machine. `port` 0
    takes a free one. `redis_url` None means the embedded engine, whose files are in `data_dir`. A tick's
    appends are acked once `wait_replicas` replicas have them. The records of ended matches are kept for `record_days`,
    None for ever. A worker has at most `solvers` processes that find the best that a deal allows; with 0 it finds
    none. `origins`
    are the page origins that may open a WebSocket besides the server's own (`https://golf.example`).
    `allowances` bound what one connection and one address may ask for.
    `trusted_proxies` are the networks of proxies whose `X-Forwarded-For` is believed; limits count by it.
    A worker runs at most so many `house_players`, 0 for none, at `house_pace` seconds a move.
    `wire` direct hears and writes past websockets' public interface, which `public` keeps to.
    `client_dir` holds the page's files. `ready_fd` is the pipe on which a worker says that it serves; None
    when nobody waits for that.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    data_dir: Path = Path(".data")
    workers: int = 1
    redis_url: str | None = field(default=None, repr=False)  # may hold a password
    fsync: Fsync = "always"
    wait_replicas: int = 0
    record_days: int | None = None
    solvers: int = 1
    origins: tuple[str, ...] = ()
    allowances: Allowances = Allowances()
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    wire: Wire = "direct"
    house_players: int = 64
    house_pace: float = 2.0
    log: LogLevel = "info"
    client_dir: Path = Path(__file__).resolve().parent.parent / "client_web"
    ready_fd: int | None = None

    @property
    def embedded(self) -> bool:
        """Whether the server starts its own engine."""
        return self.redis_url is None

    def environment(self) -> dict[str, str]:
        """Give these settings as environment variables, for a worker process (a URL with a password isn't
        for argv).
        """
        given = {
            "FAIRWAY_HOST": self.host,
            "FAIRWAY_PORT": str(self.port),
            "FAIRWAY_DATA_DIR": str(self.data_dir),
            "FAIRWAY_WORKERS": str(self.workers),
            "FAIRWAY_FSYNC": self.fsync,
            "FAIRWAY_WAIT_REPLICAS": str(self.wait_replicas),
            "FAIRWAY_RECORD_DAYS": FOREVER if self.record_days is None else str(self.record_days),
            "FAIRWAY_SOLVERS": str(self.solvers),
            "FAIRWAY_ORIGINS": " ".join(self.origins),
            "FAIRWAY_ALLOWANCES": str(self.allowances),
            "FAIRWAY_TRUSTED_PROXIES": " ".join(map(str, self.trusted_proxies)),
            "FAIRWAY_WIRE": self.wire,
            "FAIRWAY_HOUSE_PLAYERS": str(self.house_players),
            "FAIRWAY_HOUSE_PACE": str(self.house_pace),
            "FAIRWAY_LOG": self.log,
            "FAIRWAY_CLIENT_DIR": str(self.client_dir),
        }
        return given if self.redis_url is None else {**given, "REDIS_URL": self.redis_url}


VARIABLES: Mapping[str, str] = {
    f.name: "REDIS_URL" if f.name == "redis_url" else f"FAIRWAY_{f.name.upper()}"
    for f in fields(Settings)
    if f.name != "ready_fd"
}


@dataclass(frozen=True, slots=True)
class _Given:
    label: str  # what the person wrote it as: "--port" or "FAIRWAY_PORT"
    text: str


def read_settings(
    environ: Mapping[str, str], flags: Mapping[str, str | None], ready_fd: int | None = None
) -> Settings:
    """Read the settings; `flags` are the command line's, by field name, None where not given.

    Raises SettingError for the first value that can't be used. An empty variable counts as not set.
    """
    given: dict[str, _Given] = {}
    for name, variable in VARIABLES.items():
        flag = flags.get(name)
        if flag is not None:
            label = f"--{name.replace('_', '-')}"
            if not flag.strip():
                raise SettingError(label, "is empty")
            given[name] = _Given(label, flag.strip())
        elif environ.get(variable, "").strip():
            given[name] = _Given(variable, environ[variable].strip())
    default = Settings()

    def get(name: str, otherwise: object = "") -> _Given:
        return given.get(name, _Given(VARIABLES[name], str(otherwise)))

    workers = _whole(get("workers", default.workers), 1, MAX_WORKERS)
    if workers > 1 and sys.platform == "darwin":
        raise SettingError(get("workers").label, "on macOS there is one worker")
    wait_replicas = get("wait_replicas", default.wait_replicas)
    if "redis_url" not in given and wait_replicas.text != "0":
        raise SettingError(wait_replicas.label, "the embedded engine has no replicas")
    return Settings(
        host=get("host", default.host).text,
        port=_whole(get("port", default.port), 0, 65535),
        data_dir=Path(get("data_dir", default.data_dir).text).expanduser().absolute(),
        workers=workers,
        redis_url=_redis_url(given.get("redis_url")),
        fsync=cast("Fsync", _one_of(get("fsync", default.fsync), get_args(Fsync))),
        wait_replicas=_whole(wait_replicas, 0, MAX_REPLICAS),
        record_days=_days(get("record_days", FOREVER)),
        solvers=_whole(get("solvers", default.solvers), 0, MAX_SOLVERS),
        origins=_origins(get("origins")),
        allowances=_allowances(get("allowances")),
        trusted_proxies=_networks(get("trusted_proxies")),
        wire=cast("Wire", _one_of(get("wire", default.wire), get_args(Wire))),
        house_players=_whole(get("house_players", default.house_players), 0, MAX_HOUSE_PLAYERS),
        house_pace=_seconds(get("house_pace", default.house_pace), *HOUSE_PACE_S),
        log=cast("LogLevel", _one_of(get("log", default.log), get_args(LogLevel))),
        client_dir=Path(get("client_dir", default.client_dir).text).expanduser().absolute(),
        ready_fd=ready_fd,
    )


def _whole(given: _Given, low: int, high: int) -> int:
    # isdecimal and isascii: int() would also take "1_0", "+1" and other scripts' digits.
    text = given.text
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high):
        raise SettingError(given.label, f"must be a whole number from {low} to {high}, not {text!r}")
    return int(text)


def _seconds(given: _Given, low: float, high: float) -> float:
    text = given.text
    if not (re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", text) and low <= float(text) <= high):
        raise SettingError(given.label, f"must be seconds from {low:g} to {high:g}, not {text!r}")
    return float(text)


def _days(given: _Given) -> int | None:
    if given.text == FOREVER:
        return None
    try:
        return _whole(given, 1, MAX_DAYS)
    except SettingError:
        raise SettingError(
            given.label, f"must be {FOREVER} or a whole number of days from 1 to {MAX_DAYS}, not {given.text!r}"
        ) from None


def _one_of(given: _Given, choices: tuple[str, ...]) -> str:
    if given.text not in choices:
        raise SettingError(given.label, f"must be {' or '.join(choices)}, not {given.text!r}")
    return given.text


def _redis_url(given: _Given | None) -> str | None:
    if given is None:
        return None
    # The text is not repeated in the message: it may hold a password.
    refusal = SettingError(
        given.label, "must be like redis://host:6379/0 (or rediss://, unix://, redis+cluster://host:6379,host:6379)"
    )
    scheme, _, rest = given.text.partition("://")
    nodes = [rest]
    if scheme.endswith("+cluster"):
        user, at, places = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")
        nodes = [f"{user}{at}{place}" for place in places.split(",")]
    if scheme not in REDIS_SCHEMES or not all(_place(f"{scheme}://{node}") for node in nodes):
        raise refusal
    return given.text


def _place(url: str) -> bool:
    """Whether an address says where."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return bool(parts.path if parts.scheme == "unix" else parts.hostname) and port != 0


def _origins(given: _Given) -> tuple[str, ...]:
    origins = tuple(given.text.lower().replace(",", " ").split())
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SettingError(given.label, f"must be origins like https://golf.example, not {origin!r}")
    return origins


_ALLOWANCE = re.compile(r"(messages|entries|rooms)=([0-9]{1,9}(?:\.[0-9]{1,3})?)/([0-9]{1,9}(?:\.[0-9]{1,3})?)")
_CONNECTIONS = re.compile(r"connections=([0-9]{1,9})")


def _allowances(given: _Given) -> Allowances:
    """Read those that are named; the others keep their defaults."""
    named: dict[str, Any] = {}
    for word in given.text.split():
        if rate := _ALLOWANCE.fullmatch(word):
            named[rate[1]] = (float(rate[2]), float(rate[3]))
        elif most := _CONNECTIONS.fullmatch(word):
            named["connections"] = int(most[1])
        else:
            raise SettingError(given.label, f"must be like {Allowances()}, not {word!r}")
    return Allowances(**named)


def _networks(given: _Given) -> tuple[IPv4Network | IPv6Network, ...]:
    networks = []
    for text in given.text.replace(",", " ").split():
        try:
            networks.append(ip_network(text))
        except ValueError:
            raise SettingError(given.label, f"must be addresses or networks like 10.0.0.0/8, not {text!r}") from None
    return tuple(networks)
