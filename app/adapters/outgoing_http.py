"""One request to one host within a deadline, over http.client, which follows, retries, proxies and unpacks nothing.

Deliveries to vetted addresses, public imagery and the generative server all go this way. The parts of `requests`
beneath log URLs and put them into exceptions, and these URLs may carry keys.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse
from io import BufferedReader
from math import inf
from typing import cast

from app.adapters.address_policy import Target
from app.adapters.connect import dial_addresses, resolve
from app.adapters.deadlines import Deadline, Phase, Trace

BODY_BYTES = 16 * 1024
"""How much of the body of an answer to a delivery is read; the rest is not even fetched."""
HEAD_BYTES = 64 * 1024
"""How long everything around the body may be: interim answers, status line, headers, chunk sizes, trailers."""
READ_BYTES = 64 * 1024
CONNECT_SECONDS = 10.0
"""How long one address of a host of the settings may take to answer a dial."""


class CutShortError(OSError):
    """The body ended before all of it was there."""


class TooLongError(OSError):
    """The body is longer than may be."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"the answer has more than {limit_bytes} bytes")


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent."""

    method: str
    target: Target
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back; the body as far as it came, undecoded."""

    status: int
    headers: HTTPMessage
    body: bytes


@contextmanager
def send(
    request: HttpRequest,
    addresses: Sequence[str],
    trace: Trace,
    trust: ssl.SSLContext,
    connect_seconds: float = inf,
) -> Iterator[HTTPResponse]:
    """Send once, to the first of the addresses that takes a connection; the answer's body is still to be read.

    Raises OSError or HTTPException, also at the deadline, which cuts the connection; the trace then says at which
    phase.
    """
    target = request.target
    with trace.at(Phase.CONNECT):
        connection = dial_addresses(addresses, target.port, trace.deadline, trace.note_address, connect_seconds)
    with closing(connection), trace.deadline.cuts(connection):
        # From here on the deadline cuts the connection, whatever is being waited for.
        connection.settimeout(None)
        # Head and body go out as two writes; the second would wait for the first one's receipt.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if target.scheme == "https":
            with trace.at(Phase.TLS):
                connection = _handshake(connection, target.name, trust)
        with closing(connection):
            with trace.at(Phase.ANSWER):
                response = _exchange(connection, request)
            with closing(response):
                yield response


@contextmanager
def send_to_host(request: HttpRequest, deadline: Deadline, trust: ssl.SSLContext) -> Iterator[HTTPResponse]:
    """The same to whatever addresses the host has: for hosts of the settings, which nobody has to vet."""
    addresses = deadline.waits_for(partial(resolve, request.target.host, request.target.port))
    with send(request, addresses, Trace(deadline), trust, CONNECT_SECONDS) as response:
        yield response


def read_first_bytes(response: HTTPResponse) -> bytes:
    """The body as far as it came, BODY_BYTES at most: the headers have decided already, trouble only ends it."""
    body = bytearray()
    with suppress(OSError, HTTPException):
        while len(body) < BODY_BYTES and (piece := response.read1(BODY_BYTES - len(body))):
            body += piece
    # A chunk of less than no length makes http.client read more than it was asked for.
    return bytes(body[:BODY_BYTES])


def read_whole(response: HTTPResponse, limit_bytes: int, deadline: Deadline) -> bytes:
    """The whole body. Raises HTTPException, TooLongError, CutShortError, and TimeoutError at the deadline."""
    body = bytearray()
    while piece := response.read1(READ_BYTES):
        body += piece
        if len(body) > limit_bytes:
            raise TooLongError(limit_bytes)
    # A body without a length seems whole, too, when the deadline cut its connection.
    if deadline.over:
        raise TimeoutError
    if response.length:
        raise CutShortError("the answer was cut short")
    return bytes(body)


def _handshake(connection: socket.socket, name: str, trust: ssl.SSLContext) -> ssl.SSLSocket:
    wrapped = trust.wrap_socket(connection, server_hostname=name, do_handshake_on_connect=False)
    try:
        # Asked for explicitly it cannot be left out, as it is for a connection that broke in the meantime.
        wrapped.do_handshake()
    except BaseException:
        wrapped.close()
        raise
    return wrapped


def _exchange(connection: socket.socket, request: HttpRequest) -> HTTPResponse:
    target, body = request.target, request.body
    http = HTTPConnection(target.name, target.port)
    http.response_class = BoundedResponse
    # Never a connection of its own making: that one would resolve the name again.
    http.auto_open = 0
    http.sock = connection
    http.putrequest(request.method, target.path, skip_host=True, skip_accept_encoding=True)
    for name, value in {
        "Host": target.netloc,
        **request.headers,
        **({"Content-Length": str(len(body))} if request.method == "POST" else {}),
        "Connection": "close",
    }.items():
        http.putheader(name, value)
    # Who has seen enough may answer and hang up before it has read everything.
    with suppress(BrokenPipeError, ConnectionResetError):
        http.endheaders(body)
    return http.getresponse()


class BoundedResponse(HTTPResponse):
    """A response whose head has an end: within HEAD_BYTES, and in an empty line, not in a lost connection."""

    def __init__(self, sock: socket.socket, debuglevel: int = 0, method: str | None = None) -> None:
        super().__init__(sock, debuglevel, method)
        self.fp = self._lines = _BoundedLines(self.fp.detach())

    def begin(self) -> None:
        """Read up to the body of the final answer. Raises HTTPException for a head without end."""
        self._read_head()
        # http.client knows of 100 only.
        while 102 <= self.status < 200:
            self.headers = cast("HTTPMessage", None)
            self._read_head()

    def _read_head(self) -> None:
        super().begin()
        if not self._lines.at_empty_line:
            raise HTTPException("the connection ended within the headers")


class _BoundedLines(BufferedReader):
    """What a connection says; only so much of it in lines."""

    at_empty_line = False
    _bytes_left = HEAD_BYTES

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        self._bytes_left -= len(line)
        if self._bytes_left < 0:
            raise HTTPException("too much besides the body")
        self.at_empty_line = line in (b"\r\n", b"\n")
        return line
