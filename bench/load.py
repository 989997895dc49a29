"""Asks one URL over and over on a few kept-alive connections, for a bounded time, and counts the answers."""

import re
import selectors
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass

CONNECTIONS = 16
MOST_ANSWERS = 200_000
READ_BYTES = 64 * 1024
QUIET_SECONDS = 10.0


class BadAnswerError(Exception):
    """An answer other than 200, or none."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked: port, path, and the secret of a key where one is needed."""

    port: int
    path: str
    secret: str = ""

    @property
    def request(self) -> bytes:
        """The bytes of one request."""
        key = f"Authorization: Bearer {self.secret}\r\n" if self.secret else ""
        return f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{key}\r\n".encode()


def answers_in(target: Target, seconds: float) -> int:
    """How many answers come; each connection asks again as soon as it has its answer.

    One thread over all connections: it takes as little as possible from the cores that the server needs.
    """
    request, count = target.request, 0
    with ExitStack() as stack:
        waiting = stack.enter_context(selectors.DefaultSelector())
        for _ in range(CONNECTIONS):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", target.port), timeout=5))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            waiting.register(connection, selectors.EVENT_READ, (connection, bytearray()))
            connection.sendall(request)
        end = time.monotonic() + seconds
        while time.monotonic() < end and count < MOST_ANSWERS:
            ready = waiting.select(QUIET_SECONDS)
            if not ready:
                raise BadAnswerError(f"{target.path}: no answer in {QUIET_SECONDS} s")
            for key, _ in ready:
                count += _asked_again(key.data, request)
    return count


def _asked_again(waiting: tuple[socket.socket, bytearray], request: bytes) -> bool:
    connection, answer = waiting
    answer += connection.recv(READ_BYTES)
    if not _whole(answer):
        return False
    answer.clear()
    connection.sendall(request)
    return True


def _whole(answer: bytearray) -> bool:
    head, blank, body = answer.partition(b"\r\n\r\n")
    if not answer or (blank and not head.startswith(b"HTTP/1.1 200")):
        raise BadAnswerError(bytes(answer[:500]).decode(errors="replace") or "the connection was closed")
    length = re.search(rb"content-length: (\d+)", head.lower()) if blank else None
    return length is not None and len(body) >= int(length[1])
