"""Records and links that are no good: the page says what is wrong, by a code and in words."""

import asyncio
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.record_files import opened, written
from tests.browser.stage import Stage
from tests.match.records import Record, fresh, spoiled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TEXT = json.dumps(fresh("sealed"))


async def test_file_that_is_too_large(stage: Stage, tmp_path: Path) -> None:
    """Of more than 16 MiB nothing is read, though a record stands at its beginning."""
    huge = tmp_path / "huge.json"
    await asyncio.to_thread(huge.write_bytes, TEXT.encode() + b" " * (16 << 20))
    page = await stage.page()
    await page.page.goto(stage.url)
    await page.at("record-file").set_input_files(huge)
    await page.page.locator('[data-testid=record-fault][data-code="record_large"]').wait_for()
    assert "16 MiB" in await page.at("record-fault").inner_text()


def _reordered(made: Record) -> None:
    moves = made["holes"][0]["seats"]["0"]["moves"]
    moves[0], moves[1] = moves[1], moves[0]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (TEXT[:-1].encode(), "record_cut"),
        (TEXT[: TEXT.index("Ada") + 1].encode(), "record_cut"),
        (b"", "record_cut"),
        (TEXT.replace(":", "=", 1).encode(), "record_not_json"),
        (TEXT.encode()[:-1] + b"\xc4}", "record_not_json"),
        (b"[" * 200_000, "record_deep"),
        (b"[]", "not_a_record"),
        (b'{"code": "not_ended"}', "not_a_record"),
        (json.dumps({**fresh("sealed"), "holes": [{}]}).encode(), "not_a_record"),
        (TEXT.replace('"schema": 3', '"schema": 7').encode(), "record_newer"),
    ],
    ids=range(10),
)
async def test_what_is_no_record(stage: Stage, data: bytes, code: str) -> None:
    """A file that is cut, newer, huge or no record is said to be that, by a code and in words; another may be opened."""
    page = await opened(stage, data)
    fault = page.at("record-fault")
    await fault.wait_for()
    assert await fault.get_attribute("data-code") == code
    assert "{" not in await fault.inner_text()
    await page.at("record-file").set_input_files(written(fresh("typed")))
    await page.page.locator('[data-testid=verified][data-state="open"]').wait_for()
    assert not page.complaints


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (_reordered, "holes[0].seats.0.moves"),
        (lambda made: made["holes"].reverse(), "holes[0]"),
        (lambda made: made["holes"][0]["seats"]["0"]["result"].update(app=340), "holes[0].seats.0.result.app"),
    ],
)
async def test_record_that_was_changed(stage: Stage, change: Callable[[Record], object], field: str) -> None:
    """A reordered or changed record, sums made to fit or not, is shown under a warning that names what is wrong."""
    for sums in (False, True):
        page = await opened(stage, spoiled("sealed", change, sums=sums))
        warning = page.at("record-wrong")
        await warning.wait_for()
        await page.page.locator('[data-testid=verified][data-state="wrong"]').wait_for()
        assert await warning.get_attribute("data-code") == "record_wrong"
        assert field in await warning.inner_text()
        for key in ("End", "Shift+ArrowLeft", "ArrowRight", "ArrowRight"):
            await page.page.keyboard.press(key)
        assert not page.complaints


async def test_links_that_lead_to_no_record(stage: Stage) -> None:
    """An id that is none, one of no match, and a match that goes on are said to be that; the last can be tried again."""
    bot = await stage.bot("Still")
    await bot.host(seats=1, holes=1)
    await bot.until_phase("playing")
    page = await stage.page()
    fault = page.at("record-fault")
    for ending, code in (
        ("abc", "bad_match_id"),
        ("", "bad_match_id"),
        ("%2f" * 9, "bad_match_id"),
        ("a" * 26, "no_such_match"),
    ):
        await page.page.goto(stage.url)
        await page.page.goto(f"{stage.url}#record={ending}")
        await fault.wait_for()
        assert await fault.get_attribute("data-code") == code
    await page.page.evaluate("(id) => (location.hash = `record=${id}`)", bot.match_id)
    await page.page.locator('[data-code="not_ended"]').wait_for()
    await bot.must("give_up", hole=1)
    await bot.until_phase("ended")
    await page.at("record-again").click()
    await page.at("scrub").wait_for()
    await page.page.route("**/api/matches/*", lambda route: route.abort())
    await page.page.reload()
    await page.page.locator('[data-code="unreachable"]').wait_for()
    await page.page.unroute("**/api/matches/*")
    body = gzip.compress(TEXT[:-5].encode())
    await page.page.route(
        "**/api/matches/*", lambda route: route.fulfill(body=body, headers={"Content-Encoding": "gzip"})
    )
    await page.page.reload()
    await page.page.locator('[data-code="record_cut"], [data-code="record_not_json"]').wait_for()
    await page.at("go-home").click()
    await page.at("play-alone").wait_for()
    assert all("status of 4" in line or "ERR_FAILED" in line for line in page.complaints), page.complaints
