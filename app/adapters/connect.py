"""Connections to a host by its name or its addresses, made within a deadline."""

import socket
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from math import inf

from app.adapters.deadlines import Deadline

DIALLED_ADDRESSES = 4
"""How many of a host's addresses are tried, so that each has a fair part of the deadline."""


def dial(host: str, port: int, deadline: Deadline) -> socket.socket:
    """A connection to the first of the host's addresses that takes one. Raises OSError.

    The deadline holds for the look-up and all addresses together, and for each later read; only its `cuts` holds
    for all reads together.
    """
    connection = dial_addresses(deadline.waits_for(partial(resolve, host, port)), port, deadline)
    connection.settimeout(deadline.left)
    return connection


def resolve(host: str, port: int) -> list[str]:
    """The host's addresses as this machine would dial them, each once. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def dial_addresses(
    addresses: Sequence[str],
    port: int,
    deadline: Deadline,
    note: Callable[[str], None] = lambda _: None,
    most_seconds: float = inf,
) -> socket.socket:
    """A connection to the first of the addresses that takes one; `note` is told of each that is tried.

    Each has its share of the deadline, and `most_seconds` at most.

    Raises OSError.
    """
    failure: OSError = ConnectionError("no address")
    tried = alternate_families(addresses)[:DIALLED_ADDRESSES]
    for place, address in enumerate(tried):
        note(address)
        share = min(deadline.left / (len(tried) - place), most_seconds)
        try:
            return socket.create_connection((address, port), share)
        except OSError as error:
            failure = error
    raise failure


def alternate_families(addresses: Sequence[str]) -> list[str]:
    """The addresses, IPv4 and IPv6 alternating from the first one's kind on: one of the two may lead nowhere."""
    first = [each for each in addresses if (":" in each) == (":" in addresses[0])]
    others = [each for each in addresses if each not in first]
    return [each for pair in zip_longest(first, others) for each in pair if each]
