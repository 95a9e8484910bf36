"""The one listening socket, and the addresses at which people reach it.

Law: the supervisor binds and listens before anything else starts, and workers inherit the socket. A second
server on the same port fails here, and connections wait in the socket's queue while a worker is restarted.
"""

from __future__ import annotations

import errno
import socket
from contextlib import suppress

from server.runtime.stopped import Stopped

# The kernel cuts it to its own limit (net.core.somaxconn).
BACKLOG = 4096
# Addresses of private networks. A datagram socket that is "connected" sends nothing; the kernel only picks
# the route.
_PRIVATE = ("10.255.255.255", "192.168.255.255", "172.31.255.255")
_WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound


def open_listener(host: str, port: int) -> socket.socket:
    """Bind and listen; port 0 takes a free one. Raises Stopped with a clear line when the address can't be
    had.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise Stopped(f"The host {host!r} is no address of this machine ({error}).") from None
    listener = socket.socket(family, kind, protocol)
    try:
        # Only for connections that linger from an earlier run; it never lets two servers listen.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise Stopped(_why_not(error, host, port)) from None
    listener.setblocking(False)
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken: another program, or another Fairway, listens on it. Choose another with --port."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used by this account. Choose one from 1024 on with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"The host {host!r} is no address of this machine. Choose another with --host."
    return f"Can't listen on {host} port {port}: {error.strerror}."


def lan_address() -> str | None:
    """Give this machine's IPv4 address on the local network, found without sending anything; None without
    one.
    """
    for private in _PRIVATE:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((private, 9))
            address = str(probe.getsockname()[0])
            if address not in _WILDCARDS and not address.startswith("127."):
                return address
    return None


def addresses(listener: socket.socket, host: str) -> tuple[str, str | None]:
    """Give the address for this machine and the one for others on the network, None where only this one is
    served.
    """
    port = listener.getsockname()[1]
    if host in _WILDCARDS:
        others = lan_address()
        return f"http://127.0.0.1:{port}/", None if others is None else f"http://{others}:{port}/"
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/", None


def own_address(listener: socket.socket) -> str:
    """Give the address, as `ws://host:port`, at which this machine reaches its own listener."""
    host, port = listener.getsockname()[:2]
    if host in _WILDCARDS:
        host = "::1" if listener.family == socket.AF_INET6 else "127.0.0.1"
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"
