"""Receivers of webhooks on loopback, well behaved and not: raw sockets, a thread for each connection.

    with receivers.running(receivers.answering(204)) as receiver:
        ...send to receiver.url...
        [request] = receiver.wait_for(1)

A handler is any function of a Visit; what it still waits for ends when the context is left.
"""

import contextlib
import gzip
import itertools
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Condition, Event, Thread

from tests.waiting import PATIENCE_SECONDS

GREETING = b"HTTP/1.1 200 OK\r\n"
EMPTY = GREETING + b"Content-Length: 0\r\n\r\n"
GAP_SECONDS = 0.05


@dataclass(frozen=True)
class Request:
    """What arrived; header names in small letters, each as often as it came."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """The one header of this name."""
        [value] = [value for each, value in self.headers if each == name.lower()]
        return value


class HungUpError(Exception):
    """The visit is over: the visitor went, or the receiver closes."""


@dataclass
class Visit:
    """One connection to a receiver."""

    connection: socket.socket
    receiver: "Receiver"

    def read_request(self) -> Request:
        """The whole request, which the receiver then remembers."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._received()
        head, _, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ")
        headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        while len(body) < int(dict(headers).get("content-length", 0)):
            body += self._received()
        request = Request(method, path, headers, body)
        self.receiver.remember(request)
        return request

    def say(self, *pieces: bytes) -> None:
        """Send the pieces at once."""
        self.connection.sendall(b"".join(pieces))

    def drip(self, pieces: Iterable[bytes], gap_seconds: float = GAP_SECONDS) -> None:
        """Send the pieces slowly."""
        for piece in pieces:
            self.say(piece)
            self.wait(gap_seconds)

    def wait(self, seconds: float | None = None) -> None:
        """Pass time; for good when no time is given. Raises HungUpError when the receiver closes."""
        if self.receiver.closing.wait(seconds):
            raise HungUpError

    def _received(self) -> bytes:
        data = self.connection.recv(65_536)
        if not data:
            raise HungUpError
        return data


Handler = Callable[[Visit], None]


@dataclass
class Receiver:
    """A receiver that listens; `requests` holds those that arrived whole."""

    url: str
    address: tuple[str, int]
    requests: list[Request] = field(default_factory=list)
    closing: Event = field(default_factory=Event)
    _visitors: list[int] = field(default_factory=list)
    _changed: Condition = field(default_factory=Condition)

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.address[1]

    @property
    def connections(self) -> int:
        """How many have connected, whole request or none; nobody still waits to be counted."""
        with socket.create_connection(self.address) as last_in_line, self._changed:
            me = last_in_line.getsockname()[1]
            assert self._changed.wait_for(lambda: me in self._visitors, PATIENCE_SECONDS), "nobody counts visitors"
            self._visitors.remove(me)
            return len(self._visitors)

    def greet(self, visitor: tuple[str, int]) -> None:
        """Count a connection."""
        with self._changed:
            self._visitors.append(visitor[1])
            self._changed.notify_all()

    def remember(self, request: Request) -> None:
        """Keep a request that arrived."""
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()

    def wait_for(self, count: int) -> list[Request]:
        """The requests, once there are so many. Raises AssertionError when they do not come."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self.requests) >= count, PATIENCE_SECONDS)
            assert came, f"{count} requests did not come, but {self.requests}"
            return list(self.requests)


def is_here(address: str) -> bool:
    """Whether a receiver can listen at this address."""
    try:
        with running(closing_at_once, address=address):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def running(
    handler: Handler, *, tls: ssl.SSLContext | None = None, address: str = "127.0.0.1", port: int = 0
) -> Iterator[Receiver]:
    """A receiver, listening when entered; its connections and threads are gone when left."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, port), family=family) as listener:
        port = listener.getsockname()[1]
        host = f"[{address}]" if ":" in address else address
        receiver = Receiver(f"http{'s' if tls else ''}://{host}:{port}/hook", (address, port))
        visits: list[tuple[socket.socket, Thread]] = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, visitor_address = listener.accept()
                    receiver.greet(visitor_address)
                    visitor = Thread(target=_receive, args=(Visit(connection, receiver), handler, tls), daemon=True)
                    visits.append((connection, visitor))
                    visitor.start()

        acceptor = Thread(target=accept, daemon=True)
        acceptor.start()
        try:
            yield receiver
        finally:
            receiver.closing.set()
            _shut(listener)
            acceptor.join()
            for connection, visitor in visits:
                _shut(connection)
                visitor.join()


@contextlib.contextmanager
def never_accepting(*, full: bool = False) -> Iterator[Receiver]:
    """A socket that nobody accepts from: the kernel alone connects, and not even that when `full`."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        address = listener.getsockname()
        while full:
            try:
                stack.enter_context(socket.create_connection(address, GAP_SECONDS))
            except TimeoutError:
                break
        yield Receiver(f"http://127.0.0.1:{address[1]}/hook", address)


def answering(status: int = 200, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Handler:
    """Reads the request and answers properly."""
    lines = {"Content-Length": str(len(body)), **(headers or {})}
    head = f"HTTP/1.1 {status} As Asked\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return saying(head.encode("latin-1") + b"\r\n" + body)


def redirecting(status: int, to: str) -> Handler:
    """Sends everybody elsewhere."""
    return answering(status, {"Location": to})


def saying(*pieces: bytes) -> Handler:
    """Reads the request, says exactly this and hangs up."""

    def handle(visit: Visit) -> None:
        visit.read_request()
        visit.say(*pieces)

    return handle


def answering_and_staying(said: bytes) -> Handler:
    """Reads the request, says exactly this and keeps the connection open."""

    def handle(visit: Visit) -> None:
        visit.read_request()
        visit.say(said)
        visit.wait()

    return handle


def dripping(before: bytes, *pieces: bytes, gap_seconds: float = GAP_SECONDS) -> Handler:
    """Reads the request, begins the answer and goes on with the same pieces for ever."""

    def handle(visit: Visit) -> None:
        visit.read_request()
        visit.say(before)
        visit.drip(itertools.cycle(pieces), gap_seconds)

    return handle


def dripping_status(gap_seconds: float = GAP_SECONDS) -> Handler:
    """A status line without end."""
    return dripping(b"HTTP/1.1 200 O", b"K", gap_seconds=gap_seconds)


def dripping_headers(gap_seconds: float = GAP_SECONDS) -> Handler:
    """Headers without end."""
    return dripping(GREETING, *_letters(b"X: 1\r\n"), gap_seconds=gap_seconds)


def dripping_continues(gap_seconds: float = GAP_SECONDS) -> Handler:
    """Interim answers without end."""
    return dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n", gap_seconds=gap_seconds)


def dripping_body(gap_seconds: float = GAP_SECONDS) -> Handler:
    """A proper head at once, and a body without end."""
    return dripping(GREETING + b"Content-Length: 1000000\r\n\r\n", b"x", gap_seconds=gap_seconds)


def dripping_chunks(gap_seconds: float = GAP_SECONDS) -> Handler:
    """A proper head at once, and chunks without end."""
    return dripping(GREETING + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", gap_seconds=gap_seconds)


def dripping_into_the_handshake(gap_seconds: float = GAP_SECONDS) -> Handler:
    """Answers the first message of TLS with a record that never ends; for https URLs, without `tls`."""

    def handle(visit: Visit) -> None:
        visit.connection.recv(1)
        # A record of 16 KB with one message in it, the server's hello.
        visit.say(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc")
        visit.drip(itertools.repeat(b"\x00"), gap_seconds)

    return handle


def silent(visit: Visit) -> None:
    """Reads the request and never answers."""
    visit.read_request()
    visit.wait()


def reading_nothing(visit: Visit) -> None:
    """Neither reads nor says anything; a stall in TLS for whoever comes with that."""
    visit.wait()


def closing_at_once(visit: Visit) -> None:
    """Hangs up on everybody."""


def endless_headers(visit: Visit) -> None:
    """Headers as fast as they go."""
    visit.read_request()
    visit.say(GREETING)
    while True:
        visit.say(b"X-More: 1\r\n" * 1000)


def endless_continues(visit: Visit) -> None:
    """Interim answers as fast as they go."""
    visit.read_request()
    while True:
        visit.say(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)


def answering_ten_megabytes(visit: Visit) -> None:
    """A proper answer of a size nobody asked for."""
    visit.read_request()
    visit.say(GREETING, b"Content-Length: 10000000\r\n\r\n")
    for _ in range(100):
        visit.say(b"x" * 100_000)


def gzip_bomb() -> Handler:
    """A small answer that says it unpacks to 10 MB."""
    body = gzip.compress(b"\x00" * 10_000_000)
    return answering(200, {"Content-Encoding": "gzip"}, body)


def too_many_requests(retry_after: str) -> Handler:
    """Asks to come back later."""
    return answering(429, {"Retry-After": retry_after}, b"slow down")


def _letters(text: bytes) -> list[bytes]:
    return [bytes([letter]) for letter in text]


def _receive(visit: Visit, handler: Handler, tls: ssl.SSLContext | None) -> None:
    plain = visit.connection
    with plain, contextlib.suppress(OSError, HungUpError):
        if not tls:
            handler(visit)
            return
        # The descriptor stays the listener's to shut down: TLS gets a copy.
        with tls.wrap_socket(plain.dup(), server_side=True) as visit.connection:
            handler(visit)


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
