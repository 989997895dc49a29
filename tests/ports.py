"""Ports for servers of the tests: the kernel chooses, and a socket that stays bound keeps others from them."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


class KeptPort:
    """A port that the kernel gives to nobody else until `let_go`; only who names it can listen there.

    Linux lets a server listen beside a bound socket that does not listen, where both have SO_REUSEADDR. Until then
    connections to it are refused.
    """

    def __init__(self, address: str = "127.0.0.1") -> None:
        self._socket = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((address, 0))
        self.number: int = self._socket.getsockname()[1]

    def let_go(self) -> None:
        """Give the port back to the kernel."""
        self._socket.close()


@contextmanager
def kept_port(address: str = "127.0.0.1") -> Iterator[int]:
    """The number of a port that is the block's own."""
    kept = KeptPort(address)
    try:
        yield kept.number
    finally:
        kept.let_go()
