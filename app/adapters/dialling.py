"""Connections to a host by its name, made within a deadline."""

import socket
from functools import partial

from app.adapters.deadlines import Deadline


def dial(host: str, port: int, deadline: Deadline) -> socket.socket:
    """A connection to the first of the host's addresses that takes one. Raises OSError.

    The deadline holds for the look-up and all addresses together, and for each later read; only its `cuts` holds
    for all reads together.
    """
    found = deadline.waits_for(partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM))
    addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
    failure = OSError(f"{host} has no address")
    for place, address in enumerate(addresses):
        try:
            connection = socket.create_connection((address, port), deadline.left / (len(addresses) - place))
        except OSError as error:
            failure = error
        else:
            connection.settimeout(deadline.left)
            return connection
    raise failure
