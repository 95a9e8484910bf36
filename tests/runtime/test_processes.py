"""Real servers, stopped, killed and started again, and several workers: bots go on, and no acked move is lost."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from .bots import Bot
from .checks import Story, check_acked, check_frames, check_record
from .crowd import get, record_of, seat_all
from .servers import Engine, Serve, Server, kill, runs, scaled

MakeBot = Callable[..., Bot]
pytestmark = pytest.mark.processes

PACE_S = 0.05
"""A bot's longest pause before a move: a person's fastest, and slow enough for a server to fall in the middle."""


async def begin(server: Server, bot: MakeBot, seed: int = 0, number: int = 2, **options: Any) -> list[Bot]:
    """Return the players of a match that has just opened its first hole, on a server's real clock."""
    players = [bot(server.url, f"Player {seat}", seed) for seat in range(number)]
    for one in players:
        await one.open()
    await seat_all(players[0], players[1:], **options)
    for one in players:
        await one.until_phase("playing")
    return players


async def until(holds: Callable[[], object]) -> None:
    """Wait for something that the bots bring about."""
    while not holds():
        await asyncio.sleep(0.01)


def moved(one: Bot) -> int:
    """Return how many moves a player has made in the open hole."""
    return int(one.view["you"]["move_count"])


async def check_match(players: list[Bot]) -> Any:
    """Return the record of a match that was played to its end: right by the rules, with every acked move."""
    record = await record_of(players[0])
    for one in players:
        await one.pong()
        assert check_acked(record, one) > 0
    check_record(record, players)
    return record


async def both_move(ada: Bot) -> None:
    """Hear, over whatever line there is, until both house players have moved on."""

    def left() -> dict[str, int]:
        seats = {number: ada.view["seats"][number] for number in "12"}
        assert not any(seat["ended"] for seat in seats.values()), "their hole is over"
        return {number: seat["cards_left"] + seat["stock"] for number, seat in seats.items()}

    before = left()
    while True:
        try:
            return await ada.until(lambda: all(now < before[number] for number, now in left().items()))
        except (ConnectionClosed, OSError):
            await ada.closed()
            await ada.come_back()


@pytest.mark.long
async def test_house_players_survive_their_workers(serve: Serve, bot: MakeBot) -> None:
    """Each worker killed in turn, whichever runs them: the house players are back, and play every hole to its end."""
    async with asyncio.timeout(180):
        server = serve("--workers", "2", "--house-pace", "0.6")
        ada = await bot(server.url, "Ada").open()
        await ada.host(holes=2, seats=3)
        for strength in ("searching", "counting"):
            await ada.must("add_bot", strength=strength)
        await ada.until(lambda: all(ada.view["seats"][number]["ready"] for number in "12"))
        await ada.must("ready", ready=True)
        await ada.until_phase("playing")
        # Who waits for house players makes them hurry, and the match might be over too soon: Ada makes no move meanwhile.
        await both_move(ada)
        for pid in server.worker_pids():
            kill(pid)
            await both_move(ada)
        await ada.play(lambda: ada.match["phase"] == "ended")
    assert len(ada.match["card"]) == 2
    for hole in ada.match["card"]:
        assert {hole["scores"][number]["how"] for number in "12"} <= {"cleared", "stuck"}
    check_record(await record_of(ada), [ada])


async def test_stopped_and_started(serve: Serve, bot: MakeBot) -> None:
    """A server stopped in the middle of a hole and started again: pages go on where they were, the time included."""
    async with asyncio.timeout(60):
        server = serve()
        players = await begin(server, bot, holes=2, undo="all", hole_seconds=120)
        ada = players[0]
        deadline = ada.match["deadline"]
        playing = [asyncio.create_task(one.play(undo=0.1, pause_s=PACE_S)) for one in players]
        await until(lambda: moved(ada) >= 5)
        loop = asyncio.get_running_loop()
        down = loop.time()
        await asyncio.to_thread(server.stop)
        assert not any(runs(pid) for pid in server.seen)
        await asyncio.sleep(max(0.0, 2.6 - (loop.time() - down)))
        again = await asyncio.to_thread(serve, again=server)
        outage_ms = 1000 * (loop.time() - down)
        await until(lambda: ada.match["deadline"] != deadline or ada.match["hole"] != 1)
        given_ms = ada.match["deadline"] - deadline
        assert outage_ms - 1_500 < given_ms < outage_ms + 1_500, (given_ms, outage_ms)
        await asyncio.gather(*playing)
        assert all(one.resumes > 0 for one in players)
        assert ("replaced" in {heard.frame["t"] for one in players for heard in one.heard}) is False
        heard_drain = [h.frame["state"] for one in players for h in one.heard if h.frame["t"] == "status"]
        assert "draining" in heard_drain
        await check_match(players)
        assert again.port == server.port


async def test_killed_and_started(serve: Serve, bot: MakeBot) -> None:
    """Everything killed with -9 and started again, several times in a match: no acked move is lost or done twice."""
    random = Random(5)
    for seed in range(scaled(1, 20)):
        async with asyncio.timeout(90):
            server = serve()
            players = await begin(server, bot, seed, holes=2, undo="plays")
            playing = [asyncio.create_task(one.play(undo=0.1, pause_s=PACE_S)) for one in players]
            for _ in range(3):
                await asyncio.sleep(0.1 + 0.4 * random.random())
                await asyncio.to_thread(server.kill)
                server = await asyncio.to_thread(serve, again=server)
            await asyncio.gather(*playing)
            assert all(one.resumes >= 3 for one in players)
            record = await check_match(players)
            status, _, body = await get(players[0].url, f"/api/matches/{record['match']}")
            await asyncio.to_thread(server.kill)
            server = await asyncio.to_thread(serve, again=server)
            assert await get(players[0].url, f"/api/matches/{record['match']}") == (status, _, body)
            await asyncio.to_thread(server.stop)


async def on_another_worker(one: Bot, worker: str, url: str) -> None:
    """Open a line until it leads to another worker than this one."""
    one.url = url
    for _ in range(300):
        await one.open()
        if one.worker != worker:
            return
        await one.close()
        await asyncio.sleep(0.03)  # the other one may be starting again
    raise AssertionError("all lines lead to one worker")


async def play_apart(first: Server, second: Server, bot: MakeBot, seed: int) -> tuple[list[Bot], list[Bot]]:
    """Return two players on different workers, in a match that plays, and a spectator."""
    ada, bob, eve = bot(first.url, "Ada", seed), bot(second.url, "Bob", seed), bot(second.url, "Eve", seed)
    await ada.open()
    await on_another_worker(bob, ada.worker, second.url)
    await eve.open()
    await ada.host(seats=2, holes=2, undo="plays")
    await bob.join(ada.room)
    await eve.watch(ada.room)
    for one in (ada, bob):
        await one.must("ready", ready=True)
    for one in (ada, bob, eve):
        await one.until_phase("playing")
    return [ada, bob], [eve]


async def test_two_workers(serve: Serve, bot: MakeBot) -> None:
    """Players on different workers play one match: both see the same, and nothing that they may not."""
    async with asyncio.timeout(60):
        server = serve("--workers", "2")
        players, watchers = await play_apart(server, server, bot, 0)
        assert players[0].worker != players[1].worker
        await asyncio.gather(*(one.play(undo=0.1, pause_s=0.02) for one in [*players, *watchers]))
        record = await check_match(players)
        check_record(record, watchers)
        story = Story(record, players)
        for one in (*players, *watchers):
            check_frames(story, one, [other.token for other in players if other.token])
        # What the deals allowed may be found at any moment after the last hole: a version of its own.
        for one in (*players, *watchers):
            await one.until(lambda one=one: one.version >= max(each.version for each in (*players, *watchers)))


async def test_two_servers_on_one_engine(serve: Serve, bot: MakeBot, engine: Engine) -> None:
    """Two servers that share an engine by REDIS_URL serve one match, and one's stop moves its page to the other."""
    async with asyncio.timeout(60):
        one, two = [await asyncio.to_thread(serve, REDIS_URL=engine.url) for _ in range(2)]
        players, watchers = await play_apart(one, two, bot, 0)
        playing = [asyncio.create_task(one.play(undo=0.1, pause_s=PACE_S)) for one in [*players, *watchers]]
        await until(lambda: moved(players[0]) >= 5)
        players[0].url = two.url
        await asyncio.to_thread(one.stop)
        await asyncio.gather(*playing)
        assert players[0].workers[0] != players[0].workers[-1]
        record = await check_match(players)
        check_record(record, watchers)


async def test_killed_worker(serve: Serve, bot: MakeBot) -> None:
    """Workers killed with -9 in the middle: their pages move over, and every acked move is in the record."""
    random = Random(7)
    server = await asyncio.to_thread(serve, "--workers", "2")
    moved_over = 0
    for batch in range(scaled(1, 34)):
        async with asyncio.timeout(60):
            matches = await asyncio.gather(*(play_apart(server, server, bot, 3 * batch + n) for n in range(3)))
            players = [one for playing, _ in matches for one in playing]
            watchers = [one for _, watching in matches for one in watching]
            tasks = [asyncio.create_task(one.play(undo=0.1, pause_s=PACE_S)) for one in [*players, *watchers]]
            for victim in random.sample(players, 3):
                await asyncio.sleep(0.4 * random.random())
                resumes = victim.resumes
                kill(server.worker_pid(victim.worker))
                await until(
                    lambda victim=victim, resumes=resumes: (
                        victim.resumes > resumes or victim.match["phase"] == "ended"
                    )
                )
                server.look()
            await asyncio.gather(*tasks)
            for playing, watching in matches:
                check_record(await check_match(playing), watching)
            moved_over += sum(len(set(one.workers)) - 1 for one in players)
    assert moved_over >= scaled(3, 100)


async def test_engine_killed(serve: Serve, bot: MakeBot) -> None:
    """The engine killed with -9 under playing workers: they wait for its next start, and no acked move is lost."""
    async with asyncio.timeout(60):
        server = await asyncio.to_thread(serve)
        players = await begin(server, bot, holes=1, undo="all")
        playing = [asyncio.create_task(one.play(undo=0.1, pause_s=PACE_S)) for one in players]
        workers = set(server.worker_pids())
        for _ in range(2):
            await asyncio.sleep(0.2)
            (engine,) = server.seen - workers - {server.process.pid}
            kill(engine)
            await asyncio.sleep(0.5)
            server.seen.discard(engine)
            server.look()
        await asyncio.gather(*playing)
        assert set(server.worker_pids()) == workers
        await check_match(players)
