"""The command `fairway`: serve, deal, solve, verify, players, and (hidden) worker.

Law: what is refused ends with one line on stderr, 2 for what was asked wrongly and 1 for what can't be
done. Only the parts that a command needs are imported: the supervisor starts in a blink, and `deal` needs
no server.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
from collections.abc import Sequence

from server.settings import SettingError, read_settings

FLAGS = {
    "host": "address to listen on; 0.0.0.0 for all of this machine's (default 127.0.0.1)",
    "port": "port to listen on (default 8080)",
    "data_dir": "where matches are kept, with the embedded engine (default .data)",
    "workers": "number of worker processes (default 1)",
    "redis_url": "use this Redis or Valkey instead of the embedded engine",
    "wait_replicas": "ack once so many replicas of the Redis have it; 0 (default): none is waited for",
    "record_days": "how many days the records of ended matches are kept; forever is the default",
    "solvers": "processes of a worker that find the best that a deal allows (default 1; 0: it finds none)",
    "fsync": "always (default): nothing acked is lost, power loss included; everysec: a second may be",
    "origins": "further page origins that may connect, such as https://golf.example",
    "allowances": "what one connection and one address may ask for (default messages=200/40 entries=600/20 ...)",
    "trusted_proxies": "proxies (addresses or networks) whose X-Forwarded-For is believed, such as 127.0.0.1",
    "wire": "direct (default): fast; public: keep to websockets' public interface",
    "house_players": "most bots that a worker runs in seats that hosts give them; 0: none (default 64)",
    "house_pace": "seconds that a bot takes for a move, on the average (default 2)",
    "log": "least level that is logged: debug, info, warning, error (default info)",
    "client_dir": "folder with the page's files",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (the process's own by default); give its exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    parsed = _parser(with_cards=given[:1] not in (["serve"], ["worker"])).parse_args(given)
    try:
        if parsed.command in ("deal", "solve", "verify", "players"):
            return _cards(parsed)
        return _worker(parsed) if parsed.command == "worker" else _serve(parsed)
    except SettingError as error:
        return _refuse(str(error), 2)


def _parser(*, with_cards: bool) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fairway", description="Real-time matches of Golf, the solitaire card game."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="{serve,deal,solve,verify,players}")
    serve = commands.add_parser("serve", help="run the server (each option can also be an environment variable)")
    for name, explanation in FLAGS.items():
        serve.add_argument(f"--{name.replace('_', '-')}", help=explanation)
    # For make: it can't hand its own death on, so the server watches for it.
    serve.add_argument("--end-with-parent", action="store_true", help=argparse.SUPPRESS)
    if with_cards:  # they bring the rules, which the supervisor has no use for
        from server import deal_command, players_command, solve_command, verify_command

        for command in (deal_command, solve_command, verify_command, players_command):
            command.add_parser(commands)
    worker = commands.add_parser("worker")
    worker.add_argument("--name", required=True)
    for name in ("fd", "ready-fd", "alive-fd"):
        worker.add_argument(f"--{name}", type=int, required=True)
    return parser


def _serve(parsed: argparse.Namespace) -> int:
    settings = read_settings(os.environ, {name: getattr(parsed, name) for name in FLAGS})
    from server.logs import start_logs
    from server.runtime.children import follow_own_parent
    from server.runtime.stopped import Stopped
    from server.runtime.supervisor import Supervisor
    from server.store.errors import EngineUnfit

    start_logs(settings.log, "supervisor")
    if parsed.end_with_parent:
        follow_own_parent(signal.SIGTERM)
    try:
        Supervisor(settings, sys.stdout).run()
    except KeyboardInterrupt:  # while it waited for an orphan, before anything was started
        return 130
    except (Stopped, EngineUnfit) as refusal:
        return _refuse(str(refusal), 1)
    return 0


def _cards(parsed: argparse.Namespace) -> int:
    from server import deal_command, players_command, solve_command, verify_command

    commands = {
        "deal": deal_command.run,
        "solve": solve_command.run,
        "verify": verify_command.run,
        "players": players_command.run,
    }
    try:
        status = commands[parsed.command](parsed)
        sys.stdout.flush()
    except BrokenPipeError:  # `fairway deal CODE | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _worker(parsed: argparse.Namespace) -> int:
    settings = read_settings(os.environ, {}, ready_fd=parsed.ready_fd)
    import asyncio

    import uvloop

    from server.app import run_worker
    from server.logs import start_logs
    from server.runtime.handshake import watch_parent

    start_logs(settings.log, parsed.name)
    if sys.platform != "linux":
        watch_parent(parsed.alive_fd, lambda: os._exit(1))  # on Linux the kernel ends it
    listener = socket.socket(fileno=parsed.fd)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run_worker(settings, listener, parsed.name))
    return 0


def _refuse(text: str, status: int) -> int:
    print(f"fairway: {text}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
