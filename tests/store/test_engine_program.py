"""The embedded engine as a program: settings, socket, what it says when it cannot start, who is fit."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from store_tools import Engine, Opened, within

from server.store.engine import (
    check_facts,
    engine_arguments,
    engine_binary,
    explain_failure,
    socket_path_for,
)
from server.store.errors import EngineUnfit


def test_a_real_engine() -> None:
    """The binary is an executable file, and not a script around one."""
    binary = engine_binary()
    assert os.access(binary, os.X_OK)
    assert binary.read_bytes()[:4] in (b"\x7fELF", b"\xcf\xfa\xed\xfe")


def test_its_settings(engine: Engine) -> None:
    """It keeps everything, on the disk before it answers, and listens to nobody but this user."""
    found = engine.admin.config_get("*")
    assert {name: found[name] for name in ("appendonly", "appendfsync", "save", "port", "maxmemory-policy")} == {
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "port": "0",
        "maxmemory-policy": "noeviction",
    }
    assert found["aof-load-truncated"] == "no"
    assert stat.S_IMODE(engine.socket.stat().st_mode) == 0o700
    assert "everysec" in engine_arguments(engine.data, engine.socket, fsync="everysec")


def test_the_socket_of_a_data_directory(tmp_path: Path) -> None:
    """It is short whatever the directory is called, the same each time, and open to this user only."""
    deep = tmp_path / ("d" * 120) / ("e" * 120)
    deep.mkdir(parents=True)
    path = socket_path_for(deep)
    try:
        assert len(str(path)) < 90
        assert path == socket_path_for(deep / ".." / deep.name)
        assert path != socket_path_for(tmp_path)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        path.parent.chmod(0o755)
        with pytest.raises(EngineUnfit) as raised:
            socket_path_for(deep)
        assert raised.value.code == "socket_dir"
        path.parent.rmdir()
        path.parent.symlink_to(tmp_path)
        with pytest.raises(EngineUnfit):
            socket_path_for(deep)
        path.parent.unlink()
    finally:
        if path.parent.is_dir():
            path.parent.rmdir()
        socket_path_for(tmp_path).parent.rmdir()


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("1:M * a\n1:M # Can't open or create append-only dir stream: Permission denied\n", "read_only"),
        ("1:M # Error writing: No space left on device\n", "disk_full"),
        ("# Can't handle RDB format version 99\n", "newer"),
        ("# Failed opening Unix socket: bind: Address already in use", "running"),
        ("something else\n", "unknown"),
        ("", "unknown"),
    ],
)
def test_other_failures(output: str, code: str) -> None:
    """What an engine says about its end becomes a code, with the line that says it."""
    failure = explain_failure(output)
    assert failure.code == code
    assert "\n" not in failure.words


@within(10)
async def test_a_fit_engine(engine: Engine, open_store: Callable[..., Opened]) -> None:
    """The embedded engine is fit, and tells what it is."""
    facts = await open_store(engine.url).matches.check_engine()
    assert (facts.kind, facts.append_only) == ("valkey", True)
    assert facts.version.startswith("9.")
    assert facts.run_id


@within(10)
async def test_an_evicting_engine(own_engine: Engine, open_store: Callable[..., Opened]) -> None:
    """An engine that may drop keys when its memory is full is unfit."""
    own_engine.admin.config_set("maxmemory-policy", "allkeys-lru")
    with pytest.raises(EngineUnfit, match="allkeys-lru") as raised:
        await open_store(own_engine.url).matches.check_engine()
    assert raised.value.code == "evicts"


@pytest.mark.parametrize(
    ("info", "code"),
    [
        ({"redis_version": "6.2.14"}, "too_old"),
        ({"redis_version": "7.0.0", "role": "slave"}, "replica"),
        ({"redis_version": "7.0.0", "role": "master", "cluster_enabled": 1}, "cluster"),
        ({"redis_version": "7.0.0", "maxmemory_policy": "volatile-ttl"}, "evicts"),
    ],
)
def test_unfit_engines(info: dict[str, object], code: str) -> None:
    """Each reason not to start on an engine has its code."""
    with pytest.raises(EngineUnfit) as raised:
        check_facts(info)
    assert raised.value.code == code


def test_an_older_redis_is_fit() -> None:
    """Redis 7.0 without an append-only file is fit, and says so."""
    facts = check_facts({"redis_version": "7.0.15", "maxmemory_policy": "noeviction", "role": "master"})
    assert (facts.kind, facts.version, facts.append_only) == ("redis", "7.0.15", False)
