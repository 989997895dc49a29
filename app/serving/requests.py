"""Reads one request: its head, then its body into a file, within the limits of its route."""

import re
import time
from collections.abc import Callable
from typing import Any
from wsgiref.types import WSGIEnvironment

from waitress.adjustments import Adjustments
from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser, ParsingError
from werkzeug.exceptions import (
    BadRequest,
    RequestHeaderFieldsTooLarge,
    RequestURITooLarge,
    ServiceUnavailable,
    default_exceptions,
)

from app.serving.framing import ChunkedReceiver, begins_a_request, check_head
from app.serving.pace import BODY_RATE, BODY_SECONDS, HEAD_SECONDS, MemoryRoom, Pace
from app.web import admission

MOST_DIGITS = 20
"""Of a Content-Length: Python reads no number of thousands of digits."""
LINE_BYTES = 16 * 1024
"""A first line that is longer is what made the whole head too long."""
FULL = "Too many uploads are under way at the moment; try again in a minute."
FULL_SECONDS = 60
_TARGET = re.compile(rb"\s*\S*\s+(?:[a-z]+://[^/\s]*)?(/[^\s?#]*)", re.IGNORECASE)


class RequestParser(HTTPRequestParser):
    """One request on its way in; `error` is the exception that says why it is refused, if it is."""

    error: Exception | None
    headers: dict[str, str]

    def __init__(self, adj: Adjustments, room: MemoryRoom) -> None:
        super().__init__(adj)
        self.room = room
        self.most_bytes = adj.max_request_body_size
        self.began_at = time.monotonic()
        self.head_at = 0.0
        self.held_bytes = 0
        self.pace: Pace | None = None
        self.answer: Callable[..., Any] | None = None
        """The refusal that was decided on before the body came, as a WSGI application."""
        self.task: Any = None
        """The work on it that is to go on."""

    def received(self, data: bytes) -> int:
        """Take in what came and return how much of it belongs to this request."""
        in_head = not self.headers_finished
        raw = self.header_plus + data if in_head else b""
        if in_head and not begins_a_request(raw):
            self.refuse(BadRequest("A request begins with its first line."))
            return len(data)
        consumed: int = super().received(data)
        if self.error is not None:
            self.refuse(_as_exception(self.error, b"\r\n" in raw[:LINE_BYTES]))
            if in_head:
                self._forget_head(raw)
        elif in_head and self.headers_finished:
            self.head_at = time.monotonic()
            self.pace = Pace(self.head_at, 0)
        elif not in_head:
            self._hold(consumed)
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head. Raises ParsingError."""
        length = re.search(rb"^content-length:\s*(\d*)", header_plus, re.IGNORECASE | re.MULTILINE)
        if length and len(length[1]) > MOST_DIGITS:
            raise ParsingError("Content-Length is invalid")
        check_head(header_plus)
        super().parse_header(header_plus)
        if self.chunked:
            self.body_rcv = ChunkedReceiver(OverflowableBuffer(self.adj.inbuf_overflow))

    def refuse(self, error: Exception) -> None:
        """End it with this refusal."""
        if not self.headers_finished:
            self._forget_head(self.header_plus)
        self.error = error
        self.completed = True
        self.expect_continue = False

    @property
    def announced_bytes(self) -> int:
        """How long the body will be; of a chunked one, the most that it may be."""
        return self.most_bytes if self.chunked else int(self.content_length)

    def overdue(self, now: float) -> bool:
        """Whether it comes in too slowly."""
        if self.pace is None:
            return now - self.began_at > HEAD_SECONDS
        latest = self.head_at + BODY_SECONDS + self.announced_bytes / BODY_RATE
        return now > latest or self.pace.too_slow(now, self.body_bytes_received)

    def environ(self) -> WSGIEnvironment:
        """As much of the WSGI environment as routes are found by."""
        return {"REQUEST_METHOD": self.command, "PATH_INFO": self.path}

    def close(self) -> None:
        """Let its body go."""
        super().close()
        self.room.give(self.held_bytes)
        self.held_bytes = 0

    def _hold(self, count: int) -> None:
        if self.chunked and len(self.body_rcv) > self.most_bytes:
            self.refuse(admission.too_large(self.most_bytes))
        elif self.room.take(count):
            self.held_bytes += count
        else:
            self.refuse(ServiceUnavailable(FULL, retry_after=FULL_SECONDS))

    def _forget_head(self, raw: bytes) -> None:
        """Of a head that cannot be read, the address alone counts: it says whether a program or a person asks."""
        target = _TARGET.match(raw)
        self.path = target[1].decode("latin-1") if target else "/"
        self.command, self.version, self.request_uri = "GET", "1.1", self.path
        self.query, self.fragment, self.url_scheme = "", "", "http"
        self.headers = {}


def _as_exception(found: Any, line_ended: bool) -> Exception:
    """What the parser found, as the application answers such things."""
    if isinstance(found, Exception):
        return found
    if found.code == RequestHeaderFieldsTooLarge.code and not line_ended:
        return RequestURITooLarge()
    return default_exceptions.get(found.code, BadRequest)(found.body)
