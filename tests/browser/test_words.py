"""All words are those of the chosen language; and the page asks nothing of anybody else."""

import pytest

from tests.browser.languages import sentences
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_refusals_and_readers_words_follow(stage: Stage) -> None:
    """After a change of language refusals, card names and what is said aloud are in it too, and a reload keeps it."""
    page, _ = await stage.playing("Bob", deals=["GO2-E-AAAAAAQ"])
    await page.speak("tr")
    await page.page.locator('[data-card="JH"]').click(position={"x": 14, "y": 10})
    turkish = sentences("tr")
    assert await page.at("refusal").inner_text() == turkish["refused.blocked"][0]
    assert turkish["suit.D"][0] in str(await page.page.locator('[data-card="QD"]').get_attribute("aria-label"))
    assert (await page.page.locator("#log p").last.inner_text()) == turkish["refused.blocked"][0]
    await page.page.reload()
    await page.until("view.you.seat === 1")
    assert await page.page.evaluate("() => document.documentElement.lang") == "tr"


async def test_a_browsers_language_is_taken_up(stage: Stage) -> None:
    """A first visit speaks the browser's language where there is a dictionary, English elsewhere."""
    for locale, language in (("hi-IN", "hi"), ("fr-FR", "en")):
        page = await stage.page(locale=locale)
        await page.page.goto(stage.url)
        await page.at("play-alone").wait_for()
        assert await page.page.evaluate("() => document.documentElement.lang") == language


async def test_the_page_asks_nobody_else(stage: Stage) -> None:
    """From the first page into a game every request goes to the own server, and the strict policy is never broken."""
    page = await stage.page()
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url))
    await page.page.add_init_script(
        "window.broken = []; addEventListener('securitypolicyviolation', (e) => window.broken.push(e.blockedURI))"
    )
    await page.page.goto(stage.url)
    await page.at("play-alone").click()
    await page.at("stock").click()
    await page.until("view.you.move_count === 1")
    await page.at("settings").click()
    await page.at("theme-dark").check(force=True)
    await page.at("set-fourColours").check()
    await page.at("close").click()
    assert len(asked) >= 8
    assert [url for url in asked if not url.startswith((stage.url, stage.url.replace("http", "ws")))] == []
    assert await page.page.evaluate("() => window.broken") == []
    policy = await page.page.evaluate("async () => (await fetch('/')).headers.get('content-security-policy')")
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert not page.complaints


async def test_a_new_language_loses_nothing_typed(stage: Stage) -> None:
    """Changing the language keeps what was typed and chosen on the first page, the open form for a room included."""
    page = await stage.home("Ada")
    await page.at("join-code").fill("HALF")
    await page.at("host").click()
    await page.at("option-rule-strict").check()
    await page.at("option-undo").select_option("all")
    await page.at("option-deals").fill("GO2-E-AAAAAAB")
    await page.at("lang").select_option("hi")
    await page.page.wait_for_function("() => document.documentElement.lang === 'hi'")
    assert await page.at("join-code").input_value() == "HALF"
    assert await page.at("name").input_value() == "Ada"
    assert await page.at("option-rule-strict").is_checked()
    assert await page.at("option-undo").input_value() == "all"
    assert await page.at("option-deals").input_value() == "GO2-E-AAAAAAB"
