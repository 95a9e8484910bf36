"""The page's own check of a record: its SHA-256, its second reading of the rules, and the mark on the podium."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Route

from server.match.verify import verify
from tests.browser.pages import host, join, open_player
from tests.match.records import NAMES, fresh, spoiled
from tests.runtime.servers import Serve

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]

VECTORS = json.loads((Path(__file__).parents[1] / "rules" / "deal_vectors.json").read_text(encoding="utf-8"))
FAULTS = "async (record) => (await import('/js/verify.js')).faults(record)"


async def test_the_pages_checker_agrees_with_the_servers(browser: Browser, serve: Serve) -> None:
    """Hashes, decks, real records and changed ones come out in the page's script as they do in Python."""
    page = (await open_player(browser, "Ada")).page
    await page.goto(f"http://127.0.0.1:{serve().port}/")
    texts = ["", "abc", "ağ♥" * 20, *("x" * length for length in (55, 56, 63, 64, 65, 1000))]
    hashed = await page.evaluate(
        "async (texts) => { const { sha256, utf8, hex } = await import('/js/sha256.js');"
        " return texts.map((text) => hex(sha256(utf8(text)))); }",
        texts,
    )
    assert hashed == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    vectors = [v for v in VECTORS["vectors"] + VECTORS["with_jokers"] if not v["code"].startswith("GO1")]
    decks = await page.evaluate(
        "async (codes) => { const { deckOf } = await import('/js/verify.js');"
        " const { default: game } = await import('/js/checks/golf.js');"
        " return codes.map((code) => deckOf(code, game).join(' ')); }",
        [vector["code"] for vector in vectors],
    )
    assert decks == [vector["deck"] for vector in vectors]
    for name in NAMES:
        assert await page.evaluate(FAULTS, fresh(name)) == []

    def card(made: Any) -> None:
        made["holes"][0]["stock"].reverse()

    def points(made: Any) -> None:
        made["seats"][0]["app"] += 10

    def nonce(made: Any) -> None:
        made["nonces"]["0"] = "5e" * 16

    def move(made: Any) -> None:
        made["holes"][0]["seats"]["0"]["moves"].reverse()

    def person(made: Any) -> None:
        made["seats"][0]["name"] = "Eve"

    for spoil in (card, points, nonce, move, person):
        for fitting in (False, True):
            made = spoiled("sealed", spoil, sums=fitting)
            ours, theirs = await page.evaluate(FAULTS, made), {fault.field for fault in verify(made).faults}
            assert bool(ours) == bool(theirs) == (spoil is not person or not fitting)
            assert set(ours) & theirs or not ours, (spoil, ours, theirs)
    for name, spoil in match_play_spoils():
        made = spoiled(name, spoil, sums=True)
        ours, theirs = await page.evaluate(FAULTS, made), {fault.field for fault in verify(made).faults}
        assert set(ours) & theirs, (name, ours, theirs)


def match_play_spoils() -> list[tuple[str, Callable[[Any], object]]]:
    """Return records of match play and ways to change what they say of it."""

    def field(*path: Any, value: Any) -> Callable[[Any], object]:
        def change(made: Any) -> None:
            for key in path[:-1]:
                made = made[key]
            made[path[-1]] = value

        return change

    return [
        ("early", field("holes", 3, "winner", value=1)),
        ("early", field("holes", 1, "winner", value=0)),
        ("early", lambda made: made["holes"].pop()),
        ("early", field("options", "holes", value=9)),
        ("early", field("seats", 1, "place", value=1)),
        ("early", field("seats", 0, "nines", 1, "thru", value=1)),
        ("early", field("standing", "up", value=8)),
        ("early", field("standing", value=None)),
        ("extra", field("options", "sudden_death", value=False)),
        ("extra", field("standing", "left", value=1)),
        ("extra", lambda made: made["holes"][2].update(code=made["holes"][1]["code"])),
        ("conceded", field("notes", value=[])),
        ("conceded", field("standing", "conceded", value=0)),
        ("conceded", field("standing", "winner", value=1)),
        ("sealed", lambda made: made["holes"][0].update(winner=0)),
        ("sealed", field("seats", 0, "nines", value=[])),
    ]


async def test_the_mark_on_the_podium(browser: Browser, serve: Serve, report_dir: Path) -> None:
    """Both pages' nonces are in the record and the podium says verified; a record that was changed is not."""
    url = f"http://127.0.0.1:{serve().port}/"
    ada, bob = await open_player(browser, "Ada"), await open_player(browser, "Bob")
    room = await host(ada, url, holes="1", seats="2")
    await join(bob, url, room)

    async def change(route: Route) -> None:
        answer = await route.fetch()
        made = await answer.json()
        made["holes"][0]["closed_at"] += 1
        await route.fulfill(response=answer, json=made)

    await bob.page.route("**/api/matches/*", change)
    for player in (ada, bob):
        await player.at("ready").click()
    for player in (ada, bob):
        await player.until("view.match.phase === 'playing'")
        await player.give_up(after=6)
    for player, state in ((ada, "sealed"), (bob, "wrong")):
        await player.until("view.match.phase === 'ended'")
        await player.page.locator(f'[data-testid=verified][data-state="{state}"]').wait_for()
        await player.page.screenshot(path=report_dir / f"verified-{state}.jpg")
    assert "holes[0].closed_at" in await bob.at("verified").inner_text()
    view = await ada.view()
    record = await (await ada.page.request.get(f"{url}api/matches/{view['match']['id']}")).json()
    assert record["nonces"].keys() == {"0", "1"}
    assert record["nonces"] == view["match"]["nonces"]
    assert verify(record).faults == ()
    assert not ada.complaints, ada.complaints
