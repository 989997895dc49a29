"""Sends one HTTP request to one host within a deadline, by http.client: no redirects, retries, proxies,
decompression.

Webhook deliveries, public imagery and the generative server use it. `requests` is not used because the libraries
below it write URLs to logs and exceptions, and these URLs may contain keys.
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
"""At most this much of the body of an answer to a delivery is read."""
HEAD_BYTES = 64 * 1024
"""At most this much is read besides the body: interim responses, status line, headers, chunk sizes, trailers."""
READ_BYTES = 64 * 1024
"""At most this much is read at a time."""
CONNECT_SECONDS = 10.0
"""How long connecting to one address may take, for hosts that are named in the settings."""


class CutShortError(OSError):
    """The body ended before its announced length."""


class TooLongError(OSError):
    """The body is longer than the limit."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"the answer has more than {limit_bytes} bytes")


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """An HTTP request; Host, Content-Length and Connection are added to its headers."""

    method: str
    target: Target
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An HTTP response; the body is as received, not decoded, and may be incomplete."""

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
    """Send once, to the first of the addresses that accepts a connection. The caller reads the answer's body inside
    the block.

    Raises OSError or HTTPException, also at the deadline, which closes the connection; `trace` then has the phase.
    """
    target = request.target
    with trace.at(Phase.CONNECT):
        connection = dial_addresses(addresses, target.port, trace.deadline, trace.note_address, connect_seconds)
    with closing(connection), trace.deadline.limit(connection):
        # From here on the deadline closes the connection, so that no timeout is needed for single calls.
        connection.settimeout(None)
        # Head and body are written separately. Without this option the body waits until the head is acknowledged.
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
    """Like send(), to any address of the host, without vetting: only for hosts that are named in the settings."""
    addresses = deadline.wait_for(partial(resolve, request.target.host, request.target.port))
    with send(request, addresses, Trace(deadline), trust, CONNECT_SECONDS) as response:
        yield response


def read_first_bytes(response: HTTPResponse) -> bytes:
    """At most BODY_BYTES of the body. An error ends the reading and is ignored: the outcome depends on the
    headers.
    """
    body = bytearray()
    with suppress(OSError, HTTPException):
        while len(body) < BODY_BYTES and (piece := response.read1(BODY_BYTES - len(body))):
            body += piece
    # A chunk with a negative length makes http.client read more than it was asked for.
    return bytes(body[:BODY_BYTES])


def read_whole(response: HTTPResponse, limit_bytes: int, deadline: Deadline) -> bytes:
    """The whole body. Raises HTTPException, TooLongError, CutShortError, and TimeoutError at the deadline."""
    body = bytearray()
    while piece := response.read1(READ_BYTES):
        body += piece
        if len(body) > limit_bytes:
            raise TooLongError(limit_bytes)
    # A body without a length also seems complete when the deadline has closed its connection.
    if deadline.is_over:
        raise TimeoutError
    if response.length:
        raise CutShortError("the answer was cut short")
    return bytes(body)


def _handshake(connection: socket.socket, name: str, trust: ssl.SSLContext) -> ssl.SSLSocket:
    wrapped = trust.wrap_socket(connection, server_hostname=name, do_handshake_on_connect=False)
    try:
        # Called explicitly: wrap_socket() would skip the handshake for a connection that has broken meanwhile.
        wrapped.do_handshake()
    except BaseException:
        wrapped.close()
        raise
    return wrapped


def _exchange(connection: socket.socket, request: HttpRequest) -> HTTPResponse:
    target, body = request.target, request.body
    http = HTTPConnection(target.name, target.port)
    http.response_class = BoundedResponse
    # http.client must not open a new connection: it would resolve the name again, past the vetting.
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
    # A receiver may answer and close the connection before it has read the whole request.
    with suppress(BrokenPipeError, ConnectionResetError):
        http.endheaders(body)
    return http.getresponse()


class BoundedResponse(HTTPResponse):
    """A response whose head is limited to HEAD_BYTES and must end with an empty line, not with a lost
    connection.
    """

    def __init__(self, sock: socket.socket, debuglevel: int = 0, method: str | None = None) -> None:
        super().__init__(sock, debuglevel, method)
        self.fp = self._lines = _BoundedLines(self.fp.detach())

    def begin(self) -> None:
        """Read everything up to the body of the final response. Raises HTTPException for a head that is too long or
        incomplete.
        """
        self._read_head()
        # http.client skips only interim responses of status 100.
        while 102 <= self.status < 200:
            # begin() of http.client does nothing if headers were read before.
            self.headers = cast("HTTPMessage", None)
            self._read_head()

    def _read_head(self) -> None:
        super().begin()
        if not self._lines.at_empty_line:
            raise HTTPException("the connection ended within the headers")


class _BoundedLines(BufferedReader):
    """Reads from a connection; all lines together may have at most HEAD_BYTES."""

    at_empty_line = False
    _bytes_left = HEAD_BYTES

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        self._bytes_left -= len(line)
        if self._bytes_left < 0:
            raise HTTPException("too much besides the body")
        self.at_empty_line = line in (b"\r\n", b"\n")
        return line
