"""Records as files that somebody opens in the page."""

import json
from typing import Any

from tests.browser.pages import Player
from tests.browser.stage import Stage
from tests.match.records import Record


def written(made: Record | bytes) -> dict[str, Any]:
    """Give a record as a file to choose."""
    data = made if isinstance(made, bytes) else json.dumps(made).encode()
    return {"name": "record.json", "mimeType": "application/json", "buffer": data}


async def opened(stage: Stage, made: Record | bytes, **options: Any) -> Player:
    """Open a record out of a file, from the first page."""
    player = await stage.page(**options)
    await player.page.goto(stage.url)
    await player.at("record-file").set_input_files(written(made))
    await player.page.locator("body[data-page=record]").wait_for()
    return player
