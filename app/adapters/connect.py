"""Connections to a host by its name or its addresses, made within a deadline."""

import socket
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from math import inf

from app.adapters.deadlines import Deadline

MAX_ADDRESSES = 4
"""At most this many addresses of a host are tried, so that each gets enough of the time until the deadline."""


def dial(host: str, port: int, deadline: Deadline) -> socket.socket:
    """A connection to the first of the host's addresses that accepts one. Raises OSError.

    The deadline limits the look-up and all tries together. Later it limits each single read; to limit all reads
    together use Deadline.limit().
    """
    connection = dial_addresses(deadline.wait_for(partial(resolve, host, port)), port, deadline)
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
    record_address: Callable[[str], None] = lambda _: None,
    max_seconds: float = inf,
) -> socket.socket:
    """A connection to the first of the addresses that accepts one; `record_address` is called with each address
    before its try.

    Each try gets an equal share of the time left until the deadline, and at most `max_seconds`.

    Raises OSError.
    """
    failure: OSError = ConnectionError("no address")
    candidates = alternate_families(addresses)[:MAX_ADDRESSES]
    for place, address in enumerate(candidates):
        record_address(address)
        share = min(deadline.left / (len(candidates) - place), max_seconds)
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
