"""The other games through the page: chosen in the form, tapped, dragged, undone, played to the end and watched again."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from server.match.options import Options
from server.match.record import record
from server.match.replay import replayed
from server.match.verify import verify
from server.rules.games import GAMES, strengths_of
from tests.browser.pages import PHONE, Player
from tests.browser.stage import Stage
from tests.match.driver import random_match
from tests.runtime.servers import LONG

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.asyncio(loop_scope="session")]

OTHERS = [name for name in GAMES if name != "golf"]
LAST_ROW = [f"place.{number}" for number in range(22, 29)]
TRI_PEAKS = json.loads((Path(__file__).parents[1] / "rules" / "golden" / "tri_peaks-won.json").read_text("utf-8"))
FAULTS = "async (record) => (await import('/js/verify.js')).faults(record)"
# What is seen and said of both cards of one name: where two decks are played with they differ in nothing else.
TWICE = """async () => {
  const { cardButton, cardName } = await import("/js/cards.js");
  return ["9C", "9C2"].map((card) => [cardName(card), cardButton(card).className, cardButton(card).innerHTML]);
}"""
# At each step of a record the piles of every seat, and as they looked.
BOARDS = """async (record) => {
  const { Replay } = await import("/js/replay.js");
  const layout = await (await fetch(`/layouts/${record.game}.json`)).json();
  const replay = new Replay(record, () => layout);
  return { fault: replay.fault, steps: replay.steps.map(({ kind, hole, seat }, index) => {
    const { seats } = replay.at(index);
    return { kind, hole, seat, board: seats[seat]?.board,
      looked: seat === undefined ? null : replay.looked(seats[seat], hole) };
  }) };
}"""
# How far apart the face-up cards of a column of so many stand, and where its last one ends, px.
COLUMN = """async ([game, width, height, cards, down]) => {
  const { measure, place } = await import("/js/geometry.js");
  const geometry = measure(await (await fetch(`/layouts/${game}.json`)).json(), width, height);
  const at = (i) => place(geometry, "column.4", i, cards, down).y;
  return [at(cards - 1) - at(cards - 2), at(cards - 1) + geometry.cardHeight];
}"""


async def alone(stage: Stage, code: str, **options: Any) -> Player:
    """Open a game alone by its deal code."""
    player = await stage.home(**options)
    await player.at("deal").fill(code)
    await player.at("deal-alone").click()
    await player.until("view.match.phase === 'playing'")
    return player


async def drag(player: Player, card: str, target: str) -> None:
    """Drag a card by its top edge onto a pile."""
    await player.drawn()
    begin = await player.at_rest(f'[data-card="{card}"]')
    place = await player.at_rest(f'.pile[data-pile="{target}"] .slot')
    await player.page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + 8)
    await player.page.mouse.down()
    await player.page.mouse.move(begin["x"] + 20, begin["y"] + 30, steps=3)
    await player.page.mouse.move(place["x"] + place["width"] / 2, place["y"] + 12, steps=4)
    await player.page.mouse.up()


async def tap(player: Player, card: str, times: int = 1) -> None:
    """Tap a card on its upper edge, which nothing covers."""
    await player.drawn()
    box = await player.at_rest(f'[data-card="{card}"]')
    await player.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 6, click_count=times)


async def moved(player: Player, count: int) -> dict[str, Any]:
    """Wait for a move beyond so many; return the view after it."""
    await player.until(f"view.you.move_count > {count}")
    return await player.view()


async def test_canfield_by_hand(stage: Stage, report_dir: Path) -> None:
    """Draws fan three cards, undo takes them back; a tap finds the foundation, else a column; a block is dragged."""
    ada = await alone(stage, "CF2-D3-AAAAAAB", viewport=PHONE)
    view = await ada.view()
    base = view["boards"]["0"]["foundation.D"] or view["boards"]["0"]["foundation.S"]
    assert await ada.page.locator(".pile[data-pile^=foundation] .slot b").first.inner_text() == base[0][0]
    await ada.at("stock").click()
    view = await moved(ada, 0)
    assert len(view["boards"]["0"]["waste"]) == 3
    await ada.drawn()
    drawn = ada.page.locator('[data-card][data-pile="waste"]')
    tops = [box["y"] for box in [await drawn.nth(n).bounding_box() for n in range(3)] if box]
    assert len({round(top) for top in tops}) == 3
    await tap(ada, view["boards"]["0"]["waste"][0])
    assert await ada.at("refusal").inner_text() == "This card is blocked."
    await ada.at("undo").click()
    await ada.until("view.boards[0].waste.length === 0")
    for _ in range(30):
        view = await ada.view()
        plays = [move for move in view["you"]["moves"] if len(move) == 3 and not move[0].startswith("foundation")]
        count = view["you"]["move_count"]
        home = next((move for move in plays if move[1].startswith("foundation")), None)
        column = next((move for move in plays if move[1].startswith("column") and move[0].startswith("column")), None)
        if home is not None:
            await tap(ada, home[2])
            view = await moved(ada, count)
            assert view["boards"]["0"][home[1]][-1] == home[2]
        elif column is not None:
            await drag(ada, column[2], column[1])
            view = await moved(ada, count)
            assert column[2] in view["boards"]["0"][column[1]]
        elif plays and count % 2:
            await tap(ada, plays[0][2])
            view = await moved(ada, count)
            assert plays[0][2] not in view["boards"]["0"][plays[0][0]]
        else:
            await ada.at("stock").click()
            await moved(ada, count)
    assert view["seats"]["0"]["app"] > 0
    assert await ada.at("figure-lead").locator("dd").inner_text() == f"{view['seats']['0']['app']}higher wins"
    await ada.page.screenshot(path=report_dir / "canfield-phone.jpg")
    assert not ada.complaints, ada.complaints


async def test_russian_by_hand(stage: Stage, report_dir: Path) -> None:
    """One tap goes to a foundation only, and says so; two seek a column; a group of any cards is dragged."""
    ada = await alone(stage, "RU2-R-AAAAAAB")
    taps = drags = 0
    refused = False
    for _ in range(24):
        view = await ada.view()
        board, count = view["boards"]["0"], view["you"]["move_count"]
        plays = [move for move in view["you"]["moves"] if not move[0].startswith("foundation")]
        home = next((move for move in plays if move[1].startswith("foundation")), None)
        last = next((move for move in plays if board[move[0]][-1] == move[2] and board[move[1]]), None)
        group = next((move for move in plays if board[move[0]][-1] != move[2]), None)
        if home is not None:
            await tap(ada, home[2])
        elif last is not None and not taps:
            await tap(ada, last[2])
            assert "foundation" in (await ada.at("refusal").inner_text()).lower()
            refused = True
            await tap(ada, last[2], 2)
            taps += 1
        elif group is not None:
            await drag(ada, group[2], group[1])
            drags += 1
        elif plays:
            await drag(ada, plays[0][2], plays[0][1])
        else:
            break
        view = await moved(ada, count)
    assert taps
    assert drags
    assert refused
    await ada.page.screenshot(path=report_dir / "russian-wide.jpg")
    assert not ada.complaints, ada.complaints


async def test_rows_by_hand(stage: Stage, report_dir: Path) -> None:
    """A covered card says that it is blocked, keys and taps play from rows, arrows walk through them, and what turns up
    lies face down again after an undo.
    """
    ada = await alone(stage, "PG2-J-AAAAAAB", viewport=PHONE)
    board = (await ada.view())["boards"]["0"]
    await tap(ada, board["place.16"][0])
    assert await ada.at("refusal").inner_text() == "This card is blocked."
    apex = ada.page.locator('[data-card][data-pile="place.1"]')
    assert (await apex.get_attribute("aria-label") or "").endswith("covered")
    await ada.page.locator('[data-card][data-pile="place.22"]').focus()
    for key, place in (("ArrowUp", "place.16"), ("ArrowRight", "place.17"), ("ArrowDown", "place.23")):
        await ada.page.keyboard.press(key)
        assert await ada.page.evaluate("document.activeElement.dataset.pile") == place
    plays = 0
    while plays < 5:
        view = await ada.view()
        play = next((move for move in view["you"]["moves"] if len(move) == 3), None)
        if play is None:
            await ada.at("stock").click()
        elif play[0] in LAST_ROW:
            await ada.page.keyboard.press(str(LAST_ROW.index(play[0]) + 1))
        else:
            await tap(ada, play[2])
        view = await moved(ada, view["you"]["move_count"])
        plays += play is not None
        assert play is None or view["boards"]["0"]["waste"][-1] == play[2]
    await ada.page.screenshot(path=report_dir / "pyramid-phone.jpg")
    assert not ada.complaints, ada.complaints

    # The golden game, till a second play has turned cards up.
    ada = await alone(stage, "TP2-J-AAAAABP")
    backs = ada.page.locator(".board .card.back:not(.stock)")
    down = [await backs.count()]
    assert down == [18]
    for step in TRI_PEAKS["line"]:
        view = await ada.view()
        if step[0] == "stock":
            await ada.at("stock").click()
        else:
            await tap(ada, step[2])
        board = (await moved(ada, view["you"]["move_count"]))["boards"]["0"]
        await ada.drawn()
        assert await backs.count() == sum(cards == ["?"] for cards in board.values())
        if await backs.count() < down[-1]:
            down.append(await backs.count())
        if len(down) == 3:
            break
    await ada.page.screenshot(path=report_dir / "tri-peaks-wide.jpg")
    await ada.at("undo").click()
    await ada.until("view.you.undo_count === 1")
    assert await backs.count() == down[1]
    board = (await ada.view())["boards"]["0"]
    assert sum(cards == ["?"] for cards in board.values()) == down[1]
    assert not ada.complaints, ada.complaints


@pytest.mark.parametrize("name", OTHERS)
async def test_a_match_to_its_end(stage: Stage, name: str, report_dir: Path) -> None:
    """A room of this game is hosted, played against another, ended by hand, verified and watched again."""
    ends = "give_up" if GAMES[name].declares_loss else "done"
    for _ in range(6):
        ada = await stage.home(viewport=PHONE)
        await ada.at("host").click()
        await ada.at("option-game").select_option(name)
        await ada.at("option-holes").select_option("1")
        await ada.at("host-create").click()
        await ada.until("view.match.phase === 'lobby'")
        assert (await ada.view())["match"]["options"]["game"] == name
        strengths = await ada.page.locator("#bot-strength option").all()
        offered = [await option.get_attribute("value") for option in strengths]
        assert offered == list(strengths_of((GAMES[name],))), "only what there is"
        bob = await (await stage.bot("Bob")).join((await ada.view())["match"]["room"])
        if await stage.began(ada, [bob]):
            break
    await stage.moves(bob, 25)
    for _ in range(4):
        view = await ada.view()
        move = next(iter(view["you"]["moves"]), None)
        if move is None:
            break
        if len(move) == 2:
            await ada.at("stock").click()
        else:
            await drag(ada, move[2], move[1])
        await moved(ada, view["you"]["move_count"])
    await bob.must(ends, hole=1)
    await ada.page.screenshot(path=report_dir / f"{name}-match.jpg")
    stuck = (await ada.view())["seats"]["0"]["state"] == "stuck"
    await ada.at("done" if stuck else ends.replace("_", "-")).click()
    if not stuck:
        await ada.at("confirm").click()
    await ada.until("view.match.phase === 'ended'")
    await ada.page.locator('[data-testid=verified][data-state="sealed"]').wait_for()
    two_scores = len(GAMES[name].scorings) > 1
    assert await ada.page.locator(".podium .other-score").first.is_visible() == two_scores
    await ada.at("record-link").click()
    await ada.at("scrub").wait_for()
    await ada.at("hole-back").click()
    await ada.at("step-on").click()
    assert re.match(r"(Ada|Bob): .+\.", await ada.at("replay-line").inner_text())
    await ada.page.screenshot(path=report_dir / f"{name}-replay.jpg")
    assert not ada.complaints, ada.complaints


async def test_the_page_replays_and_checks_as_the_server_does(stage: Stage) -> None:
    """Each step of random records shows the piles of the server's rules; a changed move is found by the page too."""
    page = await stage.home()
    first, second = await page.page.evaluate(TWICE)
    assert first == second
    for seed, game in enumerate(GAMES[name] for name in OTHERS for _ in range(2 if LONG else 1)):
        rule = list(game.presets)[seed % len(game.presets)]
        options = Options(
            game=game.name,
            rule=rule,
            scoring="app",
            seats=2,
            holes=1,
            undo=("all", "plays")[seed % 2],
            hole_seconds=0,
        )
        made = record(random_match(seed + 5, options, check=False).entries)
        assert await page.page.evaluate(FAULTS, made) == []
        told = await page.page.evaluate(BOARDS, made)
        assert told["fault"] is None
        done = {0: 0, 1: 0}
        for step in told["steps"]:
            if step["kind"] != "move":
                continue
            done[step["seat"]] += 1
            if done[step["seat"]] % 5:
                continue
            hand = made["holes"][0]["seats"][str(step["seat"])]
            so_far = {"moves": hand["moves"][: done[step["seat"]]], "ended": None}
            table = replayed(made["holes"][0]["code"], options.undo, so_far).board.table
            for pile, cards in table.piles.items():
                assert step["board"][pile] == list(cards)
                down = len(cards) if pile == "stock" else table.face_down.get(pile, 0)
                assert step["looked"][pile] == ["?"] * down + list(cards[down:])
        hand = max(made["holes"][0]["seats"].values(), key=lambda one: len(one["moves"]))
        hand["moves"][len(hand["moves"]) // 2][-1] = (
            "2C" if hand["moves"][len(hand["moves"]) // 2][-1] != "2C" else "3C"
        )
        assert verify(made).faults
        assert any("moves" in path for path in await page.page.evaluate(FAULTS, made))


@pytest.mark.parametrize(("game", "cards", "down"), [("russian", 19, 0), ("russian", 19, 6), ("canfield", 13, 0)])
async def test_long_columns_stay_readable(stage: Stage, game: str, cards: int, down: int) -> None:
    """The longest columns fit on a phone, and each card shows at least 14 px of its index."""
    page = await stage.home()
    step, end = await page.page.evaluate(COLUMN, [game, 380, 490, cards, down])
    assert step >= 14
    assert end <= 490.01
