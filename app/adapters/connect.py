"""Connections to a host by its name or its addresses, made within a deadline."""

import socket
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from math import inf

from app.adapters.deadlines import Deadline

DIALLED_ADDRESSES = 4
"""The most addresses of one host that are tried, so that each gets enough of the time until the deadline."""


def dial(host: str, port: int, deadline: Deadline) -> socket.socket:
    """A connection to the first of the host's addresses that accepts one. Raises OSError.

    The deadline limits the look-up and all tries together, and each later read on its own; to limit all reads
    together use Deadline.cuts().
    """
    connection = dial_addresses(deadline.waits_for(partial(resolve, host, port)), port, deadline)
    connection.settimeout(deadline.left)
    return connection


def resolve(host: str, port: int) -> list[str]:
    """The host's addresses in the order in which the system's resolver returns them, each once. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def dial_addresses(
    addresses: Sequence[str],
    port: int,
    deadline: Deadline,
    note: Callable[[str], None] = lambda _: None,
    most_seconds: float = inf,
) -> socket.socket:
    """A connection to the first of the addresses that accepts one; `note` is called with each address before its
    try.

    Each try gets an equal share of the time left until the deadline, and at most `most_seconds`.

    Raises OSError.
    """
    failure: OSError = ConnectionError("no address")
    candidates = alternate_families(addresses)[:DIALLED_ADDRESSES]
    for place, address in enumerate(candidates):
        note(address)
        share = min(deadline.left / (len(candidates) - place), most_seconds)
        try:
            return socket.create_connection((address, port), share)
        except OSError as error:
            failure = error
    raise failure


def alternate_families(addresses: Sequence[str]) -> list[str]:
    """The addresses with IPv4 and IPv6 alternating, in case one of the two does not work; the first one stays
    first.
    """
    first = [each for each in addresses if (":" in each) == (":" in addresses[0])]
    others = [each for each in addresses if each not in first]
    return [each for pair in zip_longest(first, others) for each in pair if each]
