"""Seen from outside: health, readiness, figures; and no token, secret, code or card in figures or logs."""

import asyncio
import json
import os
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.logs import hide_secrets
from server.runtime.metrics import COUNTERS, GAUGES, HISTOGRAMS
from tests.hostile.harness import Faulty, OwnEngine, open_house, start_hole
from tests.hostile.test_workers import record_of_again, spread
from tests.runtime.bots import Bot
from tests.runtime.crowd import get, seat_all
from tests.runtime.servers import House, Serve, Street

MakeBot = Callable[..., Bot]


def figures(text: str) -> dict[str, dict[tuple[str, ...], float]]:
    """Read Prometheus' text: name -> label values -> figure."""
    read: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = tuple(sample.labels[name] for name in sorted(sample.labels, key="worker".__ne__))
            read.setdefault(sample.name, {})[labels] = sample.value
    return read


async def ready_is(house: House, status: int) -> None:
    """Ask until the worker says so."""
    while (await get(house.url, "/readyz"))[0] != status:
        await asyncio.sleep(0.05)


async def test_health_and_readiness(faulty: Faulty, own_engine: OwnEngine) -> None:
    """A worker is alive whatever the engine does; it is ready only while the engine answers."""
    async with asyncio.timeout(30):
        house = await faulty.open()
        await ready_is(house, 200)
        own_engine.end()
        await ready_is(house, 503)
        assert (await get(house.url, "/healthz"))[0] == 200
        assert (await get(house.url, "/metrics"))[0] == 200
        own_engine.start()
        await ready_is(house, 200)


async def test_figures(street: Street, bot: MakeBot) -> None:
    """Every figure is there for every worker, counts what happened, and the size of every map is among them."""
    async with asyncio.timeout(30):
        house = await open_house(street, "w1")
        other = await open_house(street, "w2")
        ada, bob = await bot(house.url, "Ada").open(), await bot(other.url, "Bob").open()
        await start_hole(ada, [bob], [house, other])
        kind, fields = ada.choice() or ("", {})
        await ada.must(kind, **fields)
        await ada.do("play", source="column.1", target="stock", card="AS")
        await ada.say(t="nonsense")
        await ada.pong()
        ada.cut()
        await ada.open()
        await ada.resume()
        await other.worker._note()
        text = (await get(house.url, "/metrics"))[2]
    seen = figures(text)
    for name in COUNTERS:
        assert f"# HELP fairway_{name}_total " in text
    for name in GAUGES:
        assert {labels[0] for labels in seen[f"fairway_{name}"]} >= {"w1", "w2"}, name
    for name in HISTOGRAMS:
        # No hole has closed, so nothing was solved.
        assert (seen[f"fairway_{name}_count"][("w1",)] > 0) == (name != "solve_seconds")
    assert seen["fairway_moves_total"][("w1",)] == 1
    assert seen["fairway_rooms"][("w1",)] == seen["fairway_rooms"][("w2",)] == 1
    assert seen["fairway_sessions"][("w1",)] == 1
    assert seen["fairway_subscriptions"][("w1",)] == 1
    assert seen["fairway_errors_total"]["w1", "unknown_type"] == 1
    assert seen["fairway_resumes_total"]["w1", "tail"] == 1
    assert sum(count for labels, count in seen["fairway_refusals_total"].items() if labels[0] == "w1") == 1
    assert seen["fairway_lines"][("w1",)] >= 1


def secrets_of(bots: list[Bot], record: Any, room: str) -> list[str]:
    """Return what may stand in no log and no figure."""
    codes = [hole["code"] for hole in record["holes"]]
    return [
        record["secret"],
        room,
        *codes,
        *(code.rpartition("-")[2] for code in codes),
        *(str(b.token) for b in bots),
    ]


@pytest.mark.processes
async def test_nothing_secret_in_logs_or_figures(serve: Serve, bot: MakeBot) -> None:
    """A whole match at the most talkative level, with a killed engine in it: no secret, no card gets out."""
    server = serve("--workers", "2", "--log", "debug")
    async with asyncio.timeout(60):
        ada, bob = bot(server.url, "Ada"), bot(server.url, "Bob")
        await spread(ada, bob)
        await seat_all(ada, [bob], holes=1)
        await ada.until_phase("playing")
        await ada.say(t="play", seq=1, source="column.1", target="waste")  # not understood
        await ada.say(t="join", name="Ada", room=ada.room, token=ada.token)  # not possible
        os.kill(int((server.data_dir / "engine.lock").read_text()), signal.SIGKILL)
        await asyncio.gather(ada.play(), bob.play())
        record = await record_of_again(ada)
        text = (await get(server.url, "/metrics"))[2]
    server.stop()
    logged = server.errors.read_text()
    assert len(logged.splitlines()) >= 3
    for line in logged.splitlines():
        json.loads(line)
    for secret in secrets_of([ada, bob], record, ada.room):
        assert secret not in logged, secret
        assert secret not in text, secret
    for written in (logged, text):
        assert not re.search(r"(?<![0-9A-Za-z])[A23456789TJQK][SHDC](?![0-9A-Za-z])", written)


def test_secrets_are_blotted_out() -> None:
    """A token, a match's secret and a token's hash are blotted out of whatever text they get into."""
    for length in (32, 64):
        assert hide_secrets(f"x {'0f' * (length // 2)} y") == "x [hidden] y"
    assert hide_secrets("redis://user:hush@host:1/0") == "redis://[hidden]@host:1/0"


async def test_records_are_asked_for_in_measure(street: Street, bot: MakeBot) -> None:
    """Who asks for records without end has to wait: each is worked out from a whole stream."""
    async with asyncio.timeout(30):
        house = await open_house(street)
        ada = await bot(house.url, "Ada").open()
        await ada.host(seats=1, holes=1)
        await ada.until_phase("playing")
        await ada.must("give_up", hole=1)
        await ada.until_phase("ended")
        codes = [(await get(house.url, f"/api/matches/{ada.match_id}"))[0] for _ in range(40)]
        assert codes[:30] == [200] * 30
        assert set(codes) == {200, 429}
