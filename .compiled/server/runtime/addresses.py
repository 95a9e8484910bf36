"""Whom a connection comes from, as limits count: one address, or one IPv6 network of a household.

Behind a proxy every line has the proxy's address. What it says of the line to the browser (`X-Forwarded-For`) is
believed only where the settings name it, and only as far as the last hop that they don't name.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

Network = IPv4Network | IPv6Network

_HOUSEHOLD: Final = 64
"""Bits of an IPv6 address that its owner does not choose freely."""


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip().strip("[]"))
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Whether a line's other end is a proxy that the settings name."""
    address = _read(peer)
    return address is not None and any(address in network for network in trusted)


def party_of(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return what limits count a line by: its address, an IPv6 one cut to its /64.

    `forwarded_for` are the values of the header of that name, in order; each may hold several addresses.
    """
    hops = [hop for value in forwarded_for for hop in value.split(",")]
    party = peer
    while hops and is_trusted(party, trusted):
        hop = hops.pop().strip()
        if _read(hop) is None:
            break
        party = hop
    address = _read(party)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> _HOUSEHOLD << _HOUSEHOLD, _HOUSEHOLD)))
    return party if address is None else str(address)
