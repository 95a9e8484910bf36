"""The yardstick, "L1": what one would write in an evening with websockets' public API. No rules, no store, no hiding.

Each message of a player goes to the match's connections through the library's own `broadcast`, in a frame about as
long as the real server's. `python tests/load/echo_server.py PORT` serves 127.0.0.1 until SIGTERM.
"""

import asyncio
import signal
import sys
from collections import defaultdict

import uvloop
from pydantic_core import from_json, to_json
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed


class Match:
    """The connections of one match and a counter."""

    def __init__(self) -> None:
        self.connections: set[ServerConnection] = set()
        self.version = 0


async def main(port: int) -> None:
    """Serve until SIGTERM."""
    matches: defaultdict[str, Match] = defaultdict(Match)

    async def handle(connection: ServerConnection) -> None:
        assert connection.request is not None
        _, number, player = connection.request.path.split("/")
        match, seat = matches[number], int(player)
        match.connections.add(connection)
        await connection.send('{"t":"welcome"}')
        try:
            async for message in connection:
                move = from_json(message)
                match.version += 1
                told = {
                    "t": "e",
                    "v": match.version,
                    "player": seat,
                    "seq": move["seq"],
                    "seats": {str(seat): {"cards_left": 32, "app": 30, "traditional": 32}},
                    "moved": {str(seat): [[move["source"], move["target"], move["card"]]]},
                }
                broadcast(match.connections, to_json(told), text=True)
        except ConnectionClosed:
            pass
        finally:
            match.connections.discard(connection)

    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    server = await serve(handle, "127.0.0.1", port, compression=None)
    await stop.wait()
    server.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(int(sys.argv[1])))
