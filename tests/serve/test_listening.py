"""The listening socket and the pipes between supervisor and worker."""

import os
import socket
import threading

import pytest

from server.runtime import listening
from server.runtime.handshake import say_ready, watch_parent
from server.runtime.listening import addresses, lan_address, open_listener
from server.runtime.stopped import Stopped

ALL = "0.0.0.0"  # noqa: S104 - a free port, for a moment


def test_a_socket_listens_at_once() -> None:
    """A connection made before anybody accepts waits in the socket's queue."""
    with open_listener("127.0.0.1", 0) as listener:
        assert not listener.getblocking()
        with socket.create_connection(listener.getsockname(), timeout=5):
            pass


def test_a_taken_port_is_refused_on_any_address() -> None:
    """Listening on all addresses fails as well when one address of the port is taken, and the other way round."""
    for first, second in (("127.0.0.1", ALL), (ALL, "127.0.0.1")):
        with open_listener(first, 0) as listener, pytest.raises(Stopped, match="is taken"):
            open_listener(second, listener.getsockname()[1])


@pytest.mark.parametrize("host", ["192.0.2.1", "300.1.1.1", "a" * 300])
def test_a_foreign_host_is_refused(host: str) -> None:
    """An address that isn't this machine's gets a line that names it."""
    with pytest.raises(Stopped, match="is no address of this machine"):
        open_listener(host, 0)


def test_all_addresses_are_said_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """On all addresses: loopback for this machine, the network's for others, where there is a network."""
    with open_listener(ALL, 0) as listener:
        port = listener.getsockname()[1]
        monkeypatch.setattr(listening, "lan_address", lambda: "192.168.7.7")
        assert addresses(listener, ALL) == (f"http://127.0.0.1:{port}/", f"http://192.168.7.7:{port}/")
        monkeypatch.setattr(listening, "lan_address", lambda: None)
        assert addresses(listener, ALL) == (f"http://127.0.0.1:{port}/", None)
        assert addresses(listener, "::1") == (f"http://[::1]:{port}/", None)


def test_the_network_address_is_never_loopback() -> None:
    """With or without a network the answer is an address that others could use, or none."""
    found = lan_address()
    assert found is None or not found.startswith(("127.", "0."))


def test_a_worker_says_that_it_serves() -> None:
    """One byte, then the pipe is closed; with nobody waiting nothing happens."""
    reader, writer = os.pipe()
    say_ready(writer)
    assert os.read(reader, 10) == b"\n"
    assert os.read(reader, 10) == b""
    os.close(reader)
    say_ready(None)


def test_a_worker_notices_that_the_supervisor_is_gone() -> None:
    """When the supervisor's end of the pipe closes, the worker is told."""
    reader, writer = os.pipe()
    gone = threading.Event()
    watch_parent(reader, gone.set)
    assert not gone.wait(0.05)
    os.close(writer)
    assert gone.wait(5)
    os.close(reader)
