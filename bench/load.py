"""Asks one URL over and over on a few kept-alive connections, for a bounded time, and times the answers."""

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
    """What is asked: port, path, further headers, and the body of a POST."""

    port: int
    path: str
    headers: tuple[str, ...] = ()
    body: bytes = b""

    @property
    def request(self) -> bytes:
        """The bytes of one request."""
        method = "POST" if self.body else "GET"
        length = (f"Content-Length: {len(self.body)}",) if self.body else ()
        head = (f"{method} {self.path} HTTP/1.1", "Host: 127.0.0.1", *self.headers, *length, "", "")
        return "\r\n".join(head).encode() + self.body


@dataclass(slots=True)
class _Connection:
    """One connection, what came of its answer so far, and when that was asked for."""

    socket: socket.socket
    answer: bytearray
    asked_at: float


def answers_in(target: Target, seconds: float) -> list[float]:
    """The seconds that each answer took; each connection asks again as soon as it has its answer.

    One thread over all connections: it takes as little as possible from the cores that the server needs.
    """
    request, found = target.request, list[float]()
    with ExitStack() as stack:
        waiting = stack.enter_context(selectors.DefaultSelector())
        for _ in range(CONNECTIONS):
            made = stack.enter_context(socket.create_connection(("127.0.0.1", target.port), timeout=5))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            waiting.register(made, selectors.EVENT_READ, _Connection(made, bytearray(), time.monotonic()))
            made.sendall(request)
        end = time.monotonic() + seconds
        while time.monotonic() < end and len(found) < MOST_ANSWERS:
            ready = waiting.select(QUIET_SECONDS)
            if not ready:
                raise BadAnswerError(f"{target.path}: no answer in {QUIET_SECONDS} s")
            for key, _ in ready:
                _read(key.data, request, found)
    return found


def _read(connection: _Connection, request: bytes, found: list[float]) -> None:
    """Take what came; when that is the whole answer, ask again."""
    connection.answer += connection.socket.recv(READ_BYTES)
    if _whole(connection.answer):
        now = time.monotonic()
        found.append(now - connection.asked_at)
        connection.answer.clear()
        connection.asked_at = now
        connection.socket.sendall(request)


def _whole(answer: bytearray) -> bool:
    head, blank, body = answer.partition(b"\r\n\r\n")
    if not answer or (blank and not head.startswith(b"HTTP/1.1 200")):
        raise BadAnswerError(bytes(answer[:500]).decode(errors="replace") or "the connection was closed")
    length = re.search(rb"content-length: (\d+)", head.lower()) if blank else None
    return length is not None and len(body) >= int(length[1])
