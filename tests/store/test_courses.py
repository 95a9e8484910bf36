"""Courses are made once, their rounds added once, their tables read in order; all of it ends with the course."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from store_tools import Engine, within

from server.store.courses import Courses


@pytest.fixture
async def courses(engine: Engine) -> AsyncIterator[Courses]:
    """The courses of the shared engine."""
    courses = Courses(engine.url)
    yield courses
    await courses.close()


def now_ms(engine: Engine) -> int:
    """The engine's clock."""
    seconds, micros = engine.admin.time()
    return int(seconds) * 1000 + int(micros) // 1000


@within(10)
async def test_whoever_comes_first_makes_it(courses: Courses, engine: Engine) -> None:
    """Of many that make a course at once each is given the same one; the others' secrets come to nothing."""
    other = Courses(engine.url)
    made = await asyncio.gather(*(one.make("c", b"%d" % n, None) for n in range(10) for one in (courses, other)))
    assert len(set(made)) == 1
    assert await courses.get_many(["c", "d"]) == [made[0], None]
    assert await courses.change("c", b"new")
    assert not await courses.change("d", b"new")
    assert await other.get("c") == b"new"
    assert await courses.get("d") is None
    await other.close()


@within(10)
async def test_a_round_is_added_once(courses: Courses, engine: Engine) -> None:
    """However many say that a round is done, at once or later, it is in the table once and counted once."""
    await courses.make("c", b"course", None)
    added = await asyncio.gather(*(courses.done("c", "m:0", 7, b"row", [3, 4]) for _ in range(8)))
    assert sorted(added) == [False] * 7 + [True]
    assert not await courses.done("c", "m:0", 1, b"other", [0, 1])
    table = await courses.table("c", 0, 10, "m:0")
    assert (table.total, table.rows, table.spread) == (1, ((7, b"row"),), {1: {3: 1}, 2: {4: 1}})
    assert not await courses.done("nowhere", "m:0", 7, b"row", [7])
    assert engine.admin.keys("fw:{nowhere}*") == []


@within(10)
async def test_the_table_is_in_order(courses: Courses) -> None:
    """Rows come by rank; a stretch says how many are better than its first, and a member's own row stands beside it."""
    await courses.make("c", b"course", None)
    ranks = {"a": 5, "b": -3, "c": 5, "d": 5, "e": 12, "f": 0}
    for member, rank in ranks.items():
        await courses.done("c", member, rank, member.encode(), [rank])
    first = await courses.table("c", 0, 3, "e")
    assert (first.total, first.better) == (6, 0)
    assert first.rows == ((-3, b"b"), (0, b"f"), (5, b"a"))
    assert first.own is not None
    assert (first.own.rank, first.own.row, first.own.better) == (12, b"e", 5)
    second = await courses.table("c", 3, 3, "nobody")
    assert (second.better, second.own) == (2, None)  # two are better than the 5 that it begins with
    assert second.rows == ((5, b"c"), (5, b"d"), (12, b"e"))
    assert second.spread == {1: {5: 3, -3: 1, 12: 1, 0: 1}}
    beyond = await courses.table("c", 6, 3)
    assert (beyond.total, beyond.better, beyond.rows) == (6, 0, ())


@within(10)
async def test_a_full_table_takes_no_more(courses: Courses) -> None:
    """Past the most rows nothing is added, and nothing counted."""
    await courses.make("c", b"course", None)
    assert [await courses.done("c", f"m{n}", n, b"", [n], most=2) for n in range(4)] == [True, True, False, False]
    table = await courses.table("c", 0, 9)
    assert (table.total, table.spread) == (2, {1: {0: 1, 1: 1}})


@within(10)
async def test_a_name_goes_to_the_first(courses: Courses, engine: Engine) -> None:
    """Of two rounds under one name the first has it, for good; there are no names where there is no course."""
    await courses.make("c", b"course", None)
    assert await courses.claim("c", "ada", "m1") == "m1"
    assert await courses.claim("c", "ada", "m2") == "m1"
    assert await courses.claim("c", "bob", "m2") == "m2"
    assert await courses.claims("c") == {"ada": "m1", "bob": "m2"}
    assert await courses.claim("d", "ada", "m1") is None
    assert await courses.claims("d") == {}
    assert engine.admin.keys("fw:{d}*") == []


@within(10)
async def test_all_ends_with_the_course(courses: Courses, engine: Engine) -> None:
    """Table and names live as long as their course, to the millisecond; one for ever has them for ever."""
    ends = now_ms(engine) + 60_000
    for course, ends_at in (("c", ends), ("e", None)):
        await courses.make(course, b"course", ends_at)
        await courses.done(course, "m:0", 1, b"row", [1])
        await courses.claim(course, "ada", "m")
        assert await courses.change(course, b"changed")
        kinds = ("course", "ranks", "rows", "spread", "names")
        lives = {engine.admin.pexpiretime(f"fw:{{{course}}}:{kind}") for kind in kinds}
        assert lives == {-1 if ends_at is None else ends_at}
