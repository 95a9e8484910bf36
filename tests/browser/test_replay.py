"""The page of a match that is over: what it draws at each step, and how one goes through it."""

import asyncio
from pathlib import Path

import pytest

from server.match.replay import replayed
from tests.browser.pages import LANDSCAPE, NARROW, PHONE, Player
from tests.browser.record_files import opened
from tests.browser.record_scenes import podium, replay
from tests.browser.stage import Stage
from tests.match.records import NAMES, Record, fresh, spoiled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BOARDS = """async (record) => {
  const { Replay } = await import("/js/replay.js");
  const replay = new Replay(record, (layout => () => layout)(await (await fetch("/layouts/golf.json")).json()));
  return { fault: replay.fault, times: replay.steps.map((step) => step.time), length: replay.length,
    steps: replay.steps.map((step, index) => ({ ...step, seats: replay.at(index).seats })) };
}"""
READER = "() => [...document.querySelectorAll('#log p')].map((line) => line.textContent)"
SLIDER = "() => Number(document.querySelector('[data-testid=scrub]').value)"
PACE = """(speed) => new Promise((done) => {
  const slider = document.querySelector("[data-testid=scrub]");
  const began = performance.now(), from = Number(slider.value);
  document.querySelector("[data-testid=play-pause]").click();
  const look = () => performance.now() - began < 600 ? requestAnimationFrame(look)
    : done((Number(slider.value) - from) / (performance.now() - began));
  look();
})"""


def _spread(made: Record) -> None:
    """Let a second pass before each move, so that there is something to watch."""
    at = made["began_at"]
    for hole in made["holes"]:
        hole["opened_at"] = at
        last = at
        for number, hand in enumerate(hole["seats"].values()):
            for count, move in enumerate(hand["moves"]):
                move[1] = at + 1000 * (count + 1) + 300 * number
                last = max(last, move[1])
            if hand["ended"] is not None:
                hand["ended"]["at"] = last = last + 500
        hole["closed_at"] = at = last + 500
    made["ended_at"] = at


async def line(player: Player) -> str:
    """Return the words of the step that is shown."""
    return await player.at("replay-line").inner_text()


@pytest.mark.parametrize("name", NAMES)
async def test_boards_are_those_of_the_rules(stage: Stage, name: str) -> None:
    """At every step of a record each seat's board, counts and end are what the rules' own replay comes to."""
    page = await stage.home()
    made = fresh(name)
    told = await page.page.evaluate(BOARDS, made)
    assert told["fault"] is None
    assert told["times"] == sorted(told["times"])
    done: dict[tuple[int, str], int] = {}
    for step in told["steps"]:
        hole, seat = made["holes"][step["hole"]], str(step.get("seat"))
        if step["kind"] == "move":
            done[step["hole"], seat] = count = done.get((step["hole"], seat), 0) + 1
            hand = hole["seats"][seat]
            if len(hand["moves"]) > 60 and count % 7:
                continue  # of long holes every seventh will do
            undo = made["options"]["undo"]
            board = replayed(hole["code"], undo, {"moves": hand["moves"][:count], "ended": None}).board
            shown = step["seats"][seat]
            assert shown["board"] == {str(pile): list(cards) for pile, cards in board.table.piles.items()}
            assert (shown["moves"], shown["undos"]) == (board.moves, board.undos)
        elif step["kind"] == "closed":
            for number, hand in hole["seats"].items():
                shown, result = step["seats"][number], hand["result"]
                assert (shown["left"], shown["stock"]) == (result["cards_left"], result["stock"])
                assert (shown["moves"], shown["undos"], shown["state"]) == (
                    result["moves"],
                    result["undos"],
                    result["how"],
                )
    assert sum(done.values()) == sum(len(hand["moves"]) for hole in made["holes"] for hand in hole["seats"].values())


async def test_from_the_podium_to_the_record(stage: Stage, report_dir: Path) -> None:
    """The end offers the link; its page has all seats, mark, code and card, and the record as the server gives it."""
    page = await podium(stage)
    match_id = (await page.view())["match"]["id"]
    await page.at("record-link").click()
    await page.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    assert page.page.url == f"{stage.url}#record={match_id}"
    for seat, name in enumerate(("Bob", "Wilhelmina Featherstone", "Cara", "Ada")):
        assert name in await page.at(f"replay-board-{seat}").inner_text()
    answer = await page.page.request.get(f"{stage.url}api/matches/{match_id}")
    record = await answer.json()
    async with page.page.expect_download() as coming:
        await page.at("download").click()
    download = await coming.value
    assert download.suggested_filename == f"fairway-{match_id}.json"
    data = await asyncio.to_thread(Path(await download.path()).read_bytes)
    assert data == await answer.body()
    assert (await page.at("link").inner_text()).replace("\n", "") == page.page.url
    await page.at("copy-link").click()
    await page.page.locator("[data-testid=copy-link]", has_text="Copied").wait_for()
    assert await page.at("code").inner_text() == record["holes"][0]["code"]
    await page.page.keyboard.press("End")
    assert await page.at("code").inner_text() == record["holes"][1]["code"]
    assert await page.at("replay-board-0").locator(".lead-score").first.inner_text() == str(
        record["seats"][0]["traditional"]
    )
    card = await page.at("scorecard").inner_text()
    assert all(row["name"] in card for row in record["seats"])
    await page.page.screenshot(path=report_dir / "replay-end.jpg")
    # Back leads to the podium, and from the first page the list leads here.
    await page.page.go_back()
    await page.at("podium").wait_for()
    await page.at("go-home").click()
    await page.at("played-link").click()
    await page.at("scrub").wait_for()
    assert page.page.url == f"{stage.url}#record={match_id}"
    assert not page.complaints


async def test_record_of_a_match_that_is_long_gone(stage: Stage) -> None:
    """A link works for somebody who was never there, when stream and head have run out."""
    bot = await stage.bot("Gone")
    await bot.host(seats=1, holes=1)
    await bot.until_phase("playing")
    await bot.must("give_up", hole=1)
    await bot.until_phase("ended")
    while await stage.house.hub.records._records.get(bot.match_id) is None:
        await asyncio.sleep(0.01)
    await bot.close()
    client = stage.house.hub.matches._client
    assert await client.many([("DEL", f"fw:{{{bot.match_id}}}:s", f"fw:{{{bot.match_id}}}:h")]) == [2]
    page = await stage.page()
    await page.page.goto(f"{stage.url}#record={bot.match_id}")
    await page.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    await page.at("home").click()
    await page.at("play-alone").click()
    await page.until("view.match.phase === 'playing'")
    assert not page.complaints


async def test_keys(stage: Stage) -> None:
    """Left and right go one move of anybody, with Shift a hole, Home and End to the ends, Space plays and pauses."""
    made = spoiled("sealed", _spread, sums=True)
    page = await opened(stage, made)
    await page.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    keys = page.page.keyboard
    first = await line(page)
    assert first == "Hole 1 of 2 begins."
    moved: list[str] = []
    for _ in range(4):
        await keys.press("ArrowRight")
        moved.append(await line(page))
    assert len({one.partition(":")[0] for one in moved}) == 2  # both seats took turns on the one axis
    assert await page.page.locator(".watched.is-moving").count() == 1
    for wanted in [*moved[2::-1], first, first]:
        await keys.press("ArrowLeft")
        assert await line(page) == wanted
    await keys.press("Shift+ArrowRight")
    assert await line(page) == "Hole 2 of 2 begins."
    assert await page.at("replay-hole").inner_text() == "Hole 2 of 2"
    await keys.press("ArrowLeft")
    assert await line(page) == "Hole 1 is over"
    await keys.press("Shift+ArrowLeft")
    assert await line(page) == first
    await keys.press("End")
    assert await line(page) == "Hole 2 is over"
    for seat, row in enumerate(made["seats"]):
        assert await page.at(f"replay-board-{seat}").locator(".lead-score").first.inner_text() == str(row["app"])
    await keys.press("Home")
    assert (await line(page), await page.page.evaluate(SLIDER)) == (first, 0)
    await keys.press("Space")
    await page.page.wait_for_function("() => Number(document.querySelector('[data-testid=scrub]').value) > 100")
    await keys.press("Space")
    stopped = await page.page.evaluate(SLIDER)
    await asyncio.sleep(0.2)
    assert await page.page.evaluate(SLIDER) == stopped > 0
    # A list keeps its own arrows, a button its own Space, and a window all of them.
    await page.at("speed").focus()
    await keys.press("ArrowRight")
    assert await page.page.evaluate(SLIDER) == stopped
    await page.at("step-on").focus()
    await keys.press("Space")
    assert await line(page) == moved[0]
    await page.at("settings").click()
    await keys.press("ArrowRight")
    await page.at("close").click()
    assert await line(page) == moved[0]
    assert not page.complaints


async def test_scrubbing_and_speed(stage: Stage) -> None:
    """The slider leads anywhere, has a mark for each hole, and time on it runs as fast as was chosen; the end stops it."""
    page = await opened(stage, spoiled("sealed", _spread, sums=True))
    slider = page.at("scrub")
    assert await page.page.locator(".hole-mark").all_inner_texts() == ["1", "2"]
    length = int(await slider.get_attribute("max") or 0)
    await slider.fill(str(length))
    assert await line(page) == "Hole 2 is over"
    await slider.fill(str(length // 2))
    assert "Hole" in str(await slider.get_attribute("aria-valuetext"))
    await slider.fill("0")
    slow = await page.page.evaluate(PACE)
    await page.at("play-pause").click()
    await page.at("speed").select_option("10")
    fast = await page.page.evaluate(PACE)
    assert 0.5 < slow < 1.5
    assert 4 < fast < 15
    await slider.fill(str(length - 200))
    await page.page.wait_for_function(
        "(end) => Number(document.querySelector('[data-testid=scrub]').value) === end", arg=length
    )
    assert await page.at("play-pause").get_attribute("aria-label") == "Play"
    await page.at("play-pause").click()  # from the beginning again
    await page.page.wait_for_function(
        "(end) => Number(document.querySelector('[data-testid=scrub]').value) < end / 2", arg=length
    )


async def test_each_step_is_said_once(stage: Stage) -> None:
    """A reader hears each step that was asked for once, by keys or on the slider, and nothing while it plays."""
    page = await opened(stage, spoiled("sealed", _spread, sums=True))
    keys = page.page.keyboard
    said = []
    for count in range(1, 6):
        await keys.press("ArrowRight")
        await page.page.wait_for_function(f"() => ({READER})().length === {count}")
        said.append(await line(page))
    assert await page.page.evaluate(READER) == said
    await page.at("scrub").focus()
    for _ in range(3):
        before = await page.page.evaluate(SLIDER)
        await keys.press("ArrowRight")
        await page.page.wait_for_function(f"() => ({SLIDER})() > {before}")
        assert await line(page) in str(await page.at("scrub").get_attribute("aria-valuetext"))
    assert await page.page.evaluate(READER) == said  # the slider's own words are read there
    still = await page.at("scrub").get_attribute("aria-valuetext")
    await page.at("speed").select_option("10")
    await page.at("play-pause").click()
    await page.page.wait_for_function(
        "() => document.querySelector('[data-testid=replay-hole]').textContent.includes('2 of')"
    )
    assert await page.page.evaluate(READER) == said
    assert await page.at("scrub").get_attribute("aria-valuetext") == still
    await page.at("play-pause").click()
    await page.page.wait_for_function(
        "(still) => document.querySelector('[data-testid=scrub]').getAttribute('aria-valuetext') !== still", arg=still
    )


async def test_controls_are_always_in_reach(stage: Stage) -> None:
    """On a phone the slider and its buttons stay on the screen, wherever the page is scrolled to."""
    page = await replay(stage)
    for viewport in (PHONE, NARROW, LANDSCAPE):
        await page.page.set_viewport_size(viewport)
        for place in (0, 300, 100_000):
            await page.page.evaluate("(place) => scrollTo(0, place)", place)
            for name in ("scrub", "play-pause", "step-back", "step-on", "hole-on", "speed"):
                box = await page.at(name).bounding_box()
                assert box is not None
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= viewport["height"]
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= viewport["width"]
                assert min(box["width"], box["height"]) >= 40


async def test_list_of_played_matches(stage: Stage) -> None:
    """The first page lists the latest twenty, the newest first, and forgets them at a press, for good."""
    page = await stage.home()
    rows = [
        {"match": f"{n:026d}", "at": 1_790_000_000_000 + n, "holes": 9, "names": ["Ada", f"B{n}"], "place": 1}
        for n in range(25)
    ]
    await page.page.evaluate(
        "async (rows) => { const { rememberPlayed } = await import('/js/seat_store.js'); rows.forEach(rememberPlayed); }",
        rows,
    )
    await page.page.reload()
    links = page.at("played-link")
    await links.first.wait_for()
    assert await links.all_inner_texts() == [f"Ada and B{n}" for n in range(24, 4, -1)]
    assert await links.first.get_attribute("href") == f"#record={24:026d}"
    await page.at("clear-played").click()
    assert await links.count() == 0
    assert await page.at("name").input_value() == "Ada"
    await page.page.reload()
    await page.at("played").wait_for()
    assert await links.count() == 0
    assert not await page.at("clear-played").is_visible()
