"""Settings and the command line: where values come from, and how bad ones are refused."""

import subprocess
import sys
from pathlib import Path

import pytest

from server import cli
from server.settings import Allowances, SettingError, Settings, read_settings


def test_the_defaults_hold_without_anything() -> None:
    """Nothing given: this machine only, one worker, the embedded engine, every write on disk."""
    settings = read_settings({}, {})
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8080, 1)
    assert (settings.redis_url, settings.embedded, settings.fsync) == (None, True, "always")
    assert settings.data_dir == Path.cwd() / ".data"


def test_a_flag_beats_the_environment_which_beats_the_default() -> None:
    """The nearer word counts; an empty variable counts as not set."""
    environ = {"FAIRWAY_PORT": "9000", "FAIRWAY_HOST": "::1", "FAIRWAY_LOG": " "}
    settings = read_settings(environ, {"port": "9001", "host": None})
    assert (settings.port, settings.host, settings.log) == (9001, "::1", "info")


def test_records_are_kept_for_days_or_for_ever() -> None:
    """The default is for ever; what is set reaches a worker through its environment."""
    assert read_settings({}, {}).record_days is None
    assert read_settings({"FAIRWAY_RECORD_DAYS": "30"}, {"record_days": "forever"}).record_days is None
    for days in (None, 30):
        again = read_settings(Settings(record_days=days).environment(), {})
        assert again.record_days == days


def test_house_players_are_bounded_and_paced() -> None:
    """How many and how fast can be set, none at all too, and reaches a worker through its environment."""
    default = read_settings({}, {})
    assert (default.house_players, default.house_pace) == (64, 2.0)
    flags = {"house_players": "0", "house_pace": "0.25"}
    again = read_settings(read_settings({}, flags).environment(), {})
    assert (again.house_players, again.house_pace) == (0, 0.25)
    for wrong in ("0", "-1", "1e1", "31", "nan", "1.2.3"):
        with pytest.raises(SettingError, match=r"FAIRWAY_HOUSE_PACE: must be seconds from 0\.05 to 30"):
            read_settings({"FAIRWAY_HOUSE_PACE": wrong}, {})


@pytest.mark.parametrize(
    ("environ", "flags", "named"),
    [
        ({"FAIRWAY_PORT": "golf"}, {}, "FAIRWAY_PORT: must be a whole number from 0 to 65535, not 'golf'"),
        ({"FAIRWAY_PORT": "65536"}, {}, "FAIRWAY_PORT: must be"),
        ({}, {"port": "-1"}, "--port: must be"),
        ({}, {"port": "9" * 5000}, "--port: must be"),
        ({}, {"port": "٣"}, "--port: must be"),
        ({}, {"data_dir": ""}, "--data-dir: is empty"),
        ({"FAIRWAY_WORKERS": "0"}, {}, "FAIRWAY_WORKERS: must be"),
        ({"FAIRWAY_FSYNC": "never"}, {}, "FAIRWAY_FSYNC: must be always or everysec, not 'never'"),
        (
            {},
            {"record_days": "0"},
            "--record-days: must be forever or a whole number of days from 1 to 36500, not '0'",
        ),
        ({"FAIRWAY_RECORD_DAYS": "7d"}, {}, "FAIRWAY_RECORD_DAYS: must be forever or"),
        ({}, {"log": "loud"}, "--log: must be"),
        ({"REDIS_URL": "localhost:6379"}, {}, "REDIS_URL: must be like redis://"),
        ({"REDIS_URL": "redis://"}, {}, "REDIS_URL: must be"),
        ({"REDIS_URL": "redis://h:golf/0"}, {}, "REDIS_URL: must be"),
        ({}, {"redis_url": "http://h"}, "--redis-url: must be"),
        ({"FAIRWAY_ORIGINS": "golf.example"}, {}, "FAIRWAY_ORIGINS: must be"),
        ({"FAIRWAY_ORIGINS": "https://golf.example/path"}, {}, "FAIRWAY_ORIGINS: must be"),
        ({"FAIRWAY_ORIGINS": "https://me@golf.example"}, {}, "FAIRWAY_ORIGINS: must be"),
        ({"FAIRWAY_ORIGINS": "https://golf.example, *"}, {}, "FAIRWAY_ORIGINS: must be"),
        ({}, {"allowances": "moves=1/1"}, "--allowances: must be like messages=200/40"),
        ({}, {"allowances": "messages=1"}, "--allowances: must be"),
        ({}, {"allowances": "connections=-1"}, "--allowances: must be"),
    ],
)
def test_a_bad_value_is_refused_by_name(environ: dict[str, str], flags: dict[str, str | None], named: str) -> None:
    """The message is one line that begins with the flag or variable as the person wrote it."""
    with pytest.raises(SettingError) as refused:
        read_settings(environ, flags)
    assert str(refused.value).startswith(named)
    assert "\n" not in str(refused.value)


def test_origins_are_a_list() -> None:
    """Commas and spaces part them, case doesn't count, ports and IPv6 are taken."""
    given = "https://Golf.Example, http://localhost:8080 http://[::1]:80"
    expected = ("https://golf.example", "http://localhost:8080", "http://[::1]:80")
    assert read_settings({"FAIRWAY_ORIGINS": given}, {}).origins == expected


def test_allowances_are_named_and_keep_their_defaults() -> None:
    """A class behind one address may be allowed more; what isn't named stays as it is."""
    allowed = read_settings({"FAIRWAY_ALLOWANCES": "entries=500/2.5 connections=5000000"}, {}).allowances
    assert allowed == Allowances(entries=(500.0, 2.5), connections=5_000_000)
    assert read_settings({"FAIRWAY_ALLOWANCES": str(allowed)}, {}).allowances == allowed


def test_a_worker_gets_the_same_settings() -> None:
    """Through the environment the settings come back equal."""
    flags = {"host": "::", "workers": "2", "redis_url": "rediss://u:p@h:1/2", "origins": "https://a.example"}
    if sys.platform == "darwin":
        flags["workers"] = "1"
    settings = read_settings({}, flags)
    assert read_settings(settings.environment(), {}) == settings
    assert read_settings(Settings().environment(), {}).redis_url is None


def test_a_password_is_not_shown() -> None:
    """Neither the settings in a log nor the refusal of a bad URL repeat the engine's password."""
    assert "hush" not in repr(read_settings({"REDIS_URL": "redis://:hush@h/0"}, {}))
    with pytest.raises(SettingError) as refused:
        read_settings({"REDIS_URL": "reddis://:hush@h/0"}, {})
    assert "hush" not in str(refused.value)


def test_the_command_refuses_a_bad_setting(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`fairway serve` with a bad value prints one line on stderr and gives exit status 2."""
    monkeypatch.setenv("FAIRWAY_FSYNC", "sometimes")
    assert cli.main(["serve"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("fairway: FAIRWAY_FSYNC: must be")


def test_the_hidden_command_stays_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    """The help names what people use."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "serve" in said
    assert "deal" in said
    assert "worker" not in said


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    """`fairway deal CODE | true` ends without a traceback."""
    command = f"{sys.executable} -m server.cli deal GO1-E-AAAAAAB | true"
    said = subprocess.run(command, shell=True, stderr=subprocess.PIPE, timeout=10, check=True, text=True)  # noqa: S602 - a pipe is the point
    assert said.stderr == ""
