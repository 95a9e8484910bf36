"""The only wiring: settings in, a running worker out. No module holds a global; all is made here and handed down."""

import asyncio
import gzip
import json
import logging
import signal
import socket
from http import HTTPStatus
from urllib.parse import urlsplit

from prometheus_client import CONTENT_TYPE_LATEST
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from server.match.record import NotEnded
from server.protocol import games
from server.protocol.client import LARGEST
from server.runtime.allowance import Allowances
from server.runtime.clock import EngineClock
from server.runtime.doorstep import Doorstep, most_lines
from server.runtime.garbage import FREEZE_S, Garbage, collect_seldom
from server.runtime.gateway import Gateway
from server.runtime.handshake import say_ready
from server.runtime.house import House
from server.runtime.house_player import Pace
from server.runtime.hub import Hub
from server.runtime.lifetimes import Lifetimes, lifetimes_for
from server.runtime.listening import own_address
from server.runtime.metrics import Metrics, show
from server.runtime.pages import Pages, answer, takes_gzip
from server.runtime.qr import PATH as QR
from server.runtime.qr import SVG, link_asked, picture
from server.runtime.records import CourseOpen
from server.runtime.replica import Unreadable
from server.runtime.solving import Solvers
from server.runtime.wire import DirectConnection
from server.settings import Settings
from server.store.courses import Courses
from server.store.engine import socket_path_for
from server.store.errors import EngineError
from server.store.lobby import Lobby
from server.store.matches import Matches, State
from server.store.notes import Notes
from server.store.queue import Queue
from server.store.records import Records
from server.store.solutions import Solutions

RECORDS = "/api/matches/"
JSON = "application/json; charset=utf-8"
HARD_LIMIT = 8 * LARGEST
"""Bytes after which the library ends a connection; up to here a message that is too large gets an answer."""
ENGINE_PATIENCE_S = 30.0
RECORDS_ASKED = (30.0, 0.5)
"""Burst and rate a second, by address: a record may have to be worked out from a whole stream."""
QR_ASKED = (60.0, 2.0)
"""The same of QR codes, each of which takes some milliseconds to draw."""
HANDSHAKE_S = 10.0
"""A line that has not asked for anything by then is ended."""
NOTE_S = 5.0
NOTE_FRESH_S = 15.0

log = logging.getLogger("fairway.app")


class Worker:
    """One worker's parts, wired. Made and used inside the running loop."""

    def __init__(
        self,
        settings: Settings,
        name: str,
        *,
        lifetimes: Lifetimes | None = None,
        handshake_s: float = HANDSHAKE_S,
    ) -> None:
        url = settings.redis_url or f"unix://{socket_path_for(settings.data_dir)}"
        self._settings = settings
        self._pages = Pages(settings.client_dir, {games.PATH: games.games_told()})
        self._matches = Matches(
            url,
            lost=lambda match_id: self._hub.lost(match_id),
            on_state=self._engine,
            replicas=settings.wait_replicas,
        )
        self._lobby = Lobby(url)
        self._notes = Notes(url)
        self._name = name
        self._metrics = Metrics()
        self._records = Records(url)
        self._courses = Courses(url)
        self._solutions = Solutions(url)
        self._solvers = Solvers(self._solutions, self._metrics, settings.solvers)
        lives = lifetimes or lifetimes_for(settings.record_days)
        self._queue = Queue(url)
        self._house = House(self._matches, self._metrics, Pace(settings.house_pace), settings.house_players)
        self._hub = Hub(
            self._matches,
            self._lobby,
            self._records,
            self._courses,
            EngineClock(),
            lives,
            self._metrics,
            self._house,
            self._solvers,
            self._queue,
        )
        direct = settings.wire == "direct"
        self._connection: type[ServerConnection] = DirectConnection if direct else ServerConnection
        self._gateway = Gateway(
            self._hub, name, direct=direct, allowed=settings.allowances, trusted=settings.trusted_proxies
        )
        # A little above what the gateway allows, which tells those it turns away why.
        self._doorstep = Doorstep(settings.allowances.connections + 64, most_lines(), settings.trusted_proxies)
        self._handshake_s = handshake_s
        self._asked = Allowances(*RECORDS_ASKED)
        self._asked_qr = Allowances(*QR_ASKED)

    async def run(self, listener: socket.socket, stop: asyncio.Event) -> None:
        """Serve until `stop`, then drain: say so, settle what is in flight, close. Raises EngineUnfit."""
        await self._reach_engine()
        server = await serve(
            self._gateway.serve,
            sock=listener,
            process_request=self._answer,
            compression=None,
            max_size=HARD_LIMIT,
            max_queue=64,
            open_timeout=self._handshake_s,
            ping_interval=20,
            ping_timeout=20,
            close_timeout=2,
            server_header=None,
            create_connection=self._doorstep.connection_type(self._connection),
        )
        say_ready(self._settings.ready_fd)
        self._house.url = f"{own_address(listener)}/ws"
        self._hub.chores.every(NOTE_S, self._note)
        await stop.wait()
        await self._drain(server)

    def keep_frozen(self) -> None:
        """Keep the collector of cycles away; for a process that is this worker's alone."""
        self._hub.chores.every(FREEZE_S, Garbage(lambda: self._doorstep.came).look)

    async def _drain(self, server: Server) -> None:
        """Tell the players, let what is in flight settle, send them to another worker, end everything."""
        self._gateway.entrance.draining = True
        self._hub.say_all("draining")
        server.close(close_connections=False)
        await self._house.stop()
        await self._hub.settle()
        await self._gateway.close()
        self._doorstep.abort_all()  # lines that have not got as far as a handshake
        await server.wait_closed()
        await self._hub.stop()
        await self._solvers.close()
        await self._matches.close()
        await self._lobby.close()
        await self._queue.close()
        await self._records.close()
        await self._courses.close()
        await self._solutions.close()
        await self._notes.close()

    def _measure(self) -> None:
        self._gateway.measure()
        self._metrics.gauges |= {
            "lines": len(self._doorstep),
            "solving": len(self._solvers),
            "turned_away": self._doorstep.turned_away,
            "addresses": self._metrics.gauges["addresses"] + len(self._asked) + len(self._asked_qr),
        }

    async def _note(self) -> None:
        """Leave this worker's figures where any other can show them."""
        self._measure()
        await self._notes.put(self._name, self._metrics.dump())

    async def _reach_engine(self) -> None:
        """Wait for the engine, which may still be starting."""
        loop = asyncio.get_running_loop()
        until = loop.time() + ENGINE_PATIENCE_S
        while True:
            try:
                await self._matches.check_engine()
                await self._hub.start()
                return
            except EngineError:
                if loop.time() > until:
                    raise
                await asyncio.sleep(0.02)

    def _engine(self, state: State) -> None:
        self._hub.engine_is(state)

    async def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer plain HTTP on the same port; None lets the WebSocket handshake go on."""
        path = request.path
        if path == "/healthz":
            return answer(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            return self._ready()
        if path == "/metrics":
            return await self._show_metrics()
        if path.startswith(RECORDS):
            if not self._asked.take(self._gateway.party(connection, request)):
                return _json(HTTPStatus.TOO_MANY_REQUESTS, {"code": "too_fast"})
            return await self._record(path.removeprefix(RECORDS), request.headers)
        if path.startswith(QR):
            return self._qr(path.removeprefix(QR), request.headers, self._gateway.party(connection, request))
        response = self._pages.respond(path, request.headers)
        if response is None and not _own_origin(request.headers, self._settings.origins):
            return answer(HTTPStatus.FORBIDDEN, "This page may not connect here.\n")
        return response

    def _ready(self) -> Response:
        """Say whether new players should be sent here."""
        if self._gateway.entrance.draining:
            return answer(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
        if not self._hub.engine_up:
            return answer(HTTPStatus.SERVICE_UNAVAILABLE, "the engine is away\n")
        return answer(HTTPStatus.OK, "ready\n")

    async def _show_metrics(self) -> Response:
        try:
            notes = await self._notes.all(NOTE_FRESH_S)
        except EngineError:
            notes = {}
        self._measure()
        notes[self._name] = self._metrics.dump()
        return answer(HTTPStatus.OK, show(notes), content_type=CONTENT_TYPE_LATEST)

    def _qr(self, name: str, headers: Headers, party: str) -> Response:
        link = link_asked(name, headers)
        if link is None:
            return answer(HTTPStatus.NOT_FOUND, "There is no such page.\n")
        if not self._asked_qr.take(party):
            return answer(HTTPStatus.TOO_MANY_REQUESTS, "That was too fast.\n")
        return answer(HTTPStatus.OK, picture(link), content_type=SVG)

    async def _record(self, match_id: str, headers: Headers) -> Response:
        if not (match_id.isascii() and match_id.isalnum() and len(match_id) == 26):
            return _json(HTTPStatus.NOT_FOUND, {"code": "bad_match_id"})
        try:
            zipped = await self._hub.records.get(match_id)
        except NotEnded:
            return _json(HTTPStatus.CONFLICT, {"code": "not_ended"})
        except CourseOpen:
            return _json(HTTPStatus.CONFLICT, {"code": "course_open"})
        except Unreadable as error:
            newer = error.code == "stream_newer"
            status = HTTPStatus.NOT_IMPLEMENTED if newer else HTTPStatus.INTERNAL_SERVER_ERROR
            return _json(status, {"code": error.code})
        except EngineError:
            return _json(HTTPStatus.SERVICE_UNAVAILABLE, {"code": "engine_away"})
        if zipped is None:
            return _json(HTTPStatus.NOT_FOUND, {"code": "no_such_match"})
        if takes_gzip(headers):
            more = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return answer(HTTPStatus.OK, zipped, more, content_type=JSON)
        return answer(HTTPStatus.OK, gzip.decompress(zipped), {"Vary": "Accept-Encoding"}, content_type=JSON)


def _json(status: HTTPStatus, value: object) -> Response:
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return answer(status, body, content_type=JSON)


def _own_origin(headers: Headers, more: tuple[str, ...]) -> bool:
    """Whether a browser's page may connect: its own host's, or a named origin's. Programs send no Origin."""
    origin = headers.get("Origin")
    if origin is None:
        return True
    return origin.lower() in more or urlsplit(origin).netloc.lower() == headers.get("Host", "").lower()


async def run_worker(settings: Settings, listener: socket.socket, worker_name: str) -> None:
    """Serve `listener` until SIGTERM or SIGINT. Raises EngineUnfit, or EngineError if no engine answers."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    collect_seldom()
    worker = Worker(settings, worker_name)
    worker.keep_frozen()
    await worker.run(listener, stop)
