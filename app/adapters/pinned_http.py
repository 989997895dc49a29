"""One POST to one vetted address over http.client, which follows, retries, proxies and unpacks nothing."""

import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse
from io import BufferedReader
from itertools import zip_longest
from typing import cast

from app.adapters.deadlines import Phase, Trace
from app.adapters.vetting import Target

BODY_BYTES = 16 * 1024
"""How much of an answer's body is read; the rest is not even fetched."""
HEAD_BYTES = 64 * 1024
"""How long everything around the body may be: interim answers, status line, headers, chunk sizes, trailers."""
DIALLED_ADDRESSES = 4
"""How many of a host's addresses are tried, so that each has a fair part of the deadline."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; the body as far as it came, undecoded."""

    status: int
    headers: HTTPMessage
    body: bytes


def post(
    target: Target,
    addresses: Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    trace: Trace,
    trust: ssl.SSLContext,
) -> Answer:
    """Send once, to the first of the addresses that takes a connection.

    Raises OSError or HTTPException, also at the deadline; the trace then says at which phase.
    """
    with trace.at(Phase.CONNECT):
        connection = _dial(addresses, target.port, trace)
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
                response = _exchange(connection, target, headers, body)
            with closing(response):
                return Answer(response.status, response.headers, _first_bytes(response))


def _dial(addresses: Sequence[str], port: int, trace: Trace) -> socket.socket:
    failure: OSError = ConnectionError("no address")
    tried = families_in_turn(addresses)[:DIALLED_ADDRESSES]
    for place, trace.address in enumerate(tried):
        share = trace.deadline.left / (len(tried) - place)
        try:
            return socket.create_connection((trace.address, port), share)
        except OSError as error:
            failure = error
    raise failure


def families_in_turn(addresses: Sequence[str]) -> list[str]:
    """The addresses, IPv4 and IPv6 alternating from the first one's kind on: one of the two may lead nowhere."""
    first = [each for each in addresses if (":" in each) == (":" in addresses[0])]
    others = [each for each in addresses if each not in first]
    return [each for pair in zip_longest(first, others) for each in pair if each]


def _handshake(connection: socket.socket, name: str, trust: ssl.SSLContext) -> ssl.SSLSocket:
    wrapped = trust.wrap_socket(connection, server_hostname=name, do_handshake_on_connect=False)
    try:
        # Asked for explicitly it cannot be left out, as it is for a connection that broke in the meantime.
        wrapped.do_handshake()
    except BaseException:
        wrapped.close()
        raise
    return wrapped


def _exchange(connection: socket.socket, target: Target, headers: Mapping[str, str], body: bytes) -> HTTPResponse:
    http = HTTPConnection(target.name, target.port)
    http.response_class = BoundedResponse
    # Never a connection of its own making: that one would resolve the name again.
    http.auto_open = 0
    http.sock = connection
    http.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
    for name, value in {
        "Host": target.netloc,
        **headers,
        "Content-Length": str(len(body)),
        "Connection": "close",
    }.items():
        http.putheader(name, value)
    # Who has seen enough may answer and hang up before it has read everything.
    with suppress(BrokenPipeError, ConnectionResetError):
        http.endheaders(body)
    return http.getresponse()


def _first_bytes(response: HTTPResponse) -> bytes:
    body = bytearray()
    # The headers have decided already; trouble with the body only ends it.
    with suppress(OSError, HTTPException):
        while len(body) < BODY_BYTES and (piece := response.read1(BODY_BYTES - len(body))):
            body += piece
    # A chunk of less than no length makes http.client read more than it was asked for.
    return bytes(body[:BODY_BYTES])


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
