"""Files that an engine did not finish, or that were damaged: clear words, and nothing destroyed."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from store_tools import TTL_MS, Engine, Opened, append, within

from server.store.engine import explain_failure, stream_dir_of
from server.store.errors import EngineUnfit
from server.store.matches import Item
from server.store.tail import mend_torn_tail


def growing_file(data_dir: Path) -> Path:
    """The one increment that these tests' engines have."""
    (path,) = stream_dir_of(data_dir).glob("*.incr.aof")
    return path


def stops_with(engine: Engine) -> str:
    """The code of a start that fails."""
    engine.log.unlink()
    with pytest.raises(RuntimeError):
        engine.start()
    failure = explain_failure(engine.log.read_text())
    assert "You can" not in failure.words
    return failure.code


@pytest.fixture
async def ended(own_engine: Engine, open_store: Callable[..., Opened]) -> tuple[Engine, bytes]:
    """An engine that ended with one match of version 6 in its file, and that file."""
    matches = open_store(own_engine.url).matches
    await matches.create("m", b"first", TTL_MS)
    for version in range(1, 6):
        await append(matches, "m", version, Item(b"a\r\n*1\r\n", 0, 1, version))
    own_engine.end()
    return own_engine, growing_file(own_engine.data).read_bytes()


@within(30)
async def test_an_unfinished_end(ended: tuple[Engine, bytes]) -> None:
    """Wherever the file ends within a command, the engine says so, and after mending has all before it."""
    engine, whole = ended
    path = growing_file(engine.data)
    transaction = len(whole) - whole.rindex(b"*1\r\n$5\r\nMULTI")
    for number, cut in enumerate((1, 13, 14, 15, 99, transaction - 1), 1):
        torn = whole[:-cut]
        path.write_bytes(torn)
        assert stops_with(engine) == "torn_tail"
        assert path.read_bytes() == torn
        mended = mend_torn_tail(stream_dir_of(engine.data))
        assert mended is not None
        assert mended.kept.name.endswith(f".torn-{number}")
        assert path.read_bytes() + mended.kept.read_bytes() == torn
        assert (mended.offset, mended.length) == (len(whole) - transaction, transaction - cut)
        assert mend_torn_tail(stream_dir_of(engine.data)) is None
        engine.start()
        assert engine.admin.hget("fw:{m}:h", "v") == b"5"
        assert engine.admin.xlen("fw:{m}:s") == 5
        engine.end()


@within(20)
async def test_every_end(ended: tuple[Engine, bytes]) -> None:
    """A file cut at any byte is mended to whole transactions, or is whole; no cut is taken for damage."""
    engine, whole = ended
    path = growing_file(engine.data)
    for cut in random.Random(3).sample(range(1, len(whole)), 300):
        path.write_bytes(whole[:-cut])
        mended = mend_torn_tail(stream_dir_of(engine.data))
        left = path.read_bytes()
        assert whole.startswith(left)
        assert left.count(b"MULTI") == left.count(b"EXEC\r\n")
        if mended is not None:
            assert left + mended.kept.read_bytes() == whole[:-cut]
            mended.kept.unlink()


@within(20)
async def test_damage(ended: tuple[Engine, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage in the middle stops the start, and mending refuses to touch it."""
    engine, whole = ended
    path = growing_file(engine.data)
    middle = whole.index(b"XADD")
    damages = {
        "a mark": whole[: middle - 5] + b"?" + whole[middle - 4 :],
        "a length": whole[: middle - 3] + b"2" + whole[middle - 2 :],
        "no number": whole[: middle - 3] + b"x" + whole[middle - 2 :],
        "below 0": whole.replace(b"$4\r\nXADD", b"$-4\r\nXADD", 1),
        "no end of a number": whole[:middle] + b"XADD\r\n$" + b"1" * 60,
    }
    for name, damaged in damages.items():
        path.write_bytes(damaged)
        if name in ("a mark", "a length"):
            assert stops_with(engine) == "corrupt"
        with pytest.raises(EngineUnfit) as raised:
            mend_torn_tail(stream_dir_of(engine.data))
        assert raised.value.code == "corrupt"
        assert path.read_bytes() == damaged
    # A length that leads beyond the end looks unfinished, but far too much would be cut.
    damaged = whole.replace(b"$4\r\nXADD", b"$999999\r\nXADD", 1)
    path.write_bytes(damaged)
    monkeypatch.setattr("server.store.tail.LONGEST_TAIL", 700)
    with pytest.raises(EngineUnfit, match="cannot be read from byte"):
        mend_torn_tail(stream_dir_of(engine.data))
    assert path.read_bytes() == damaged


def test_no_file_to_mend(tmp_path: Path) -> None:
    """A directory without a manifest, or one that names no increment, is damage; an empty file is whole."""
    with pytest.raises(EngineUnfit, match="0 manifests"):
        mend_torn_tail(tmp_path)
    manifest = tmp_path / "a.manifest"
    manifest.write_text("file a.1.base.rdb seq 1 type b\n")
    with pytest.raises(EngineUnfit, match="names no file"):
        mend_torn_tail(tmp_path)
    manifest.write_text("file a.1.base.rdb seq 1 type b\nfile a.1.incr.aof seq 1 type i\n")
    (tmp_path / "a.1.incr.aof").touch()
    assert mend_torn_tail(tmp_path) is None
