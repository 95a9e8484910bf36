"""What looks for obstacles finds them: each kind planted on a page is told, and the page without them passes."""

import pytest

from tests.browser.access import axe_findings, clipped, low_contrast, ringless
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

# Set as properties: the strict policy of the page forbids styles in attributes.
PLANTED = """() => {
  const put = (tag, text, style) => {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.assign(element.style, style);
    document.querySelector("main").append(element);
  };
  put("p", "pale words", {color: "rgb(190, 190, 190)"});
  put("p", "faint words", {opacity: "0.4"});
  put("p", "words on a gradient", {color: "#fff", backgroundImage: "linear-gradient(#000, #eee)"});
  put("button", "", {width: "50px"});
  put("button", "no ring", {outline: "none"});
  put("p", "कटे हुए शब्द", {height: "12px", overflow: "hidden"});
}"""


async def test_planted_obstacles_are_found(stage: Stage) -> None:
    """A name that is missing, words too pale, a ring that doesn't show and words cut off are each found."""
    page = await stage.home()
    assert await axe_findings(page.page) == []
    assert await low_contrast(page.page) == []
    assert await ringless(page.page) == []
    assert await clipped(page.page) == []
    await page.page.evaluate(PLANTED)
    assert [line.split()[0] for line in await axe_findings(page.page)] == ["button-name"]
    pale = await low_contrast(page.page)
    assert [line.split('"')[1] for line in pale] == ["pale words", "faint words", "words on a gradient"]
    assert [line.endswith("shows no ring") for line in await ringless(page.page)] == [True]
    assert [line.split('"')[1] for line in await clipped(page.page)] == ["कटे हुए शब्द"]
