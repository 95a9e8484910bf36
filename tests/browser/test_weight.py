"""What a first visit weighs: bytes on the wire, requests, and how long a slow machine takes until a tap counts."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import CDPSession

from tests.browser.pages import Player
from tests.browser.stage import Stage
from tests.runtime.servers import scaled

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOST_BYTES = 150 * 1000
MOST_REQUESTS = 12
SLOWER = 4
VISITS = scaled(2, 7)
# Notes when the first page can be used: its buttons are there and their handlers with them.
READY = """
  new MutationObserver((_, observer) => {
    const button = document.querySelector("[data-testid=play-alone]");
    if (!button?.onclick) return;
    window.readyMs = performance.now();
    observer.disconnect();
  }).observe(document, {subtree: true, childList: true});
"""


async def visit(stage: Stage) -> tuple[Player, CDPSession]:
    """Give a page that was never here, on a machine that is slower, and a line to its tools; nothing is open yet."""
    page = await stage.page(locale="hi-IN")
    await page.page.add_init_script(READY)
    line = await page.context.new_cdp_session(page.page)
    await line.send("Network.enable")
    await line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    # In the time that the page itself gets: what else the machine does is no matter.
    await line.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    await line.send("Performance.enable")
    await line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page, line


async def timed(stage: Stage, page: Player, line: CDPSession) -> tuple[float, float, float]:
    """Open the page; return when a tap counts and when something was drawn, in ms, and its own work in s."""
    await page.page.goto(stage.url)
    await page.page.wait_for_function("() => window.readyMs > 0")
    await page.page.wait_for_load_state("networkidle")
    await page.page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    metrics = (await line.send("Performance.getMetrics"))["metrics"]
    ready, drawn = await page.page.evaluate(
        "() => [window.readyMs, performance.getEntriesByName('first-contentful-paint')[0].startTime]"
    )
    return ready, drawn, next(one["value"] for one in metrics if one["name"] == "TaskDuration")


async def test_a_first_visit_is_light(stage: Stage, report_dir: Path) -> None:
    """With an empty cache the first page loads under 150 KB compressed, in Hindi, all of it from its own server."""
    page, line = await visit(stage)
    asked: dict[str, dict[str, Any]] = {}
    line.on(
        "Network.requestWillBeSent", lambda told: asked.setdefault(told["requestId"], {"url": told["request"]["url"]})
    )
    line.on(
        "Network.loadingFinished",
        lambda told: asked.get(told["requestId"], {}).update(wire=told["encodedDataLength"]),
    )
    line.on(
        "Network.responseReceived",
        lambda told: asked.get(told["requestId"], {}).update(body=int(told["response"]["headers"]["Content-Length"])),
    )
    visits = [await timed(stage, page, line)]
    assert await page.page.evaluate("() => document.documentElement.lang") == "hi"
    got = {one["url"]: one.get("body", 0) for one in asked.values()}
    # Nothing is asked for twice: what was fetched ahead is what the scripts then use.
    assert len(got) == len(asked)
    wire = sum(one.get("wire", 0) for one in asked.values())
    host = urlsplit(stage.url).netloc
    assert {urlsplit(url).netloc for url in got} == {host}
    kinds: dict[str, list[float]] = {}
    for url, size in got.items():
        kinds.setdefault(Path(urlsplit(url).path).suffix or ".html", []).append(size)
    total = sum(got.values())
    lines = [f"| {kind} | {len(sizes)} | {sum(sizes) / 1000:.1f} |" for kind, sizes in sorted(kinds.items())]
    visits += [await timed(stage, *await visit(stage)) for _ in range(VISITS - 1)]
    least = [min(times) for times in zip(*visits, strict=True)]
    (report_dir / "weight.md").write_text(
        f"First visit, empty cache, loopback, processor slowed down {SLOWER} times, compressed bodies.\n\n"
        "| kind | requests | KB |\n|---|---|---|\n"
        + "\n".join(lines)
        + f"\n| all | {len(got)} | {total / 1000:.1f} |\n\n"
        f"With all headers {wire / 1000:.1f} KB. Times of {len(visits)} visits, on this machine as it was (its load: "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors):\n\n"
        "| visit | takes taps after, ms | drawn after, ms | its own work, ms |\n|---|---|---|---|\n"
        + "".join(f"| {n + 1} | {a:.0f} | {b:.0f} | {c * 1000:.0f} |\n" for n, (a, b, c) in enumerate(visits))
        + f"| least | {least[0]:.0f} | {least[1]:.0f} | {least[2] * 1000:.0f} |\n",
        encoding="utf-8",
    )
    assert len(got) <= MOST_REQUESTS
    assert all(size for url, size in got.items() if not url.endswith("/ws"))
    assert total < MOST_BYTES
    assert not page.complaints
