"""Reads one request: its head, then its body into a buffer, within the limits of its route."""

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

from app.serving.framing import ChunkedReceiver, can_begin_request, check_head
from app.serving.pace import BODY_RATE, BODY_SECONDS, HEAD_SECONDS, BodyBudget, Pace
from app.web import admission

MAX_LENGTH_DIGITS = 20
"""The most digits of a Content-Length; Python refuses to parse a number with thousands of digits."""
MAX_FIRST_LINE_BYTES = 16 * 1024
"""When a head is too long and its first line is longer than this, the URL is reported as too long."""
FULL_MESSAGE = "Too many uploads are under way at the moment; try again in a minute."
FULL_RETRY_SECONDS = 60
_TARGET = re.compile(rb"\s*\S*\s+(?:[a-z]+://[^/\s]*)?(/[^\s?#]*)", re.IGNORECASE)


class RequestParser(HTTPRequestParser):
    """One request while it is received; `error`: the exception for which it is refused, or None."""

    error: Exception | None
    headers: dict[str, str]

    def __init__(self, adj: Adjustments, body_budget: BodyBudget) -> None:
        super().__init__(adj)
        self.body_budget = body_budget
        self.max_body_bytes = adj.max_request_body_size
        self.began_at = time.monotonic()
        self.head_ended_at = 0.0
        self.held_bytes = 0
        self.pace: Pace | None = None
        self.answer: Callable[..., Any] | None = None
        """The answer that was made before the body arrived, as a WSGI application; else None."""
        self.was_kept = False
        """Whether the request was kept to wait for a job; it is kept only once."""
        self.resumed_task: Any = None
        """The task that paused while the client was slow, once it is to continue."""

    def received(self, data: bytes) -> int:
        """Read `data` and return how many of its bytes belong to this request."""
        in_head = not self.headers_finished
        raw = self.header_plus + data if in_head else b""
        if in_head and not can_begin_request(raw):
            self.refuse(BadRequest("A request begins with its first line."))
            return len(data)
        consumed: int = super().received(data)
        if self.error is not None:
            self.refuse(_as_exception(self.error, b"\r\n" in raw[:MAX_FIRST_LINE_BYTES]))
            if in_head:
                self._replace_head(raw)
        elif in_head and self.headers_finished:
            self.head_ended_at = time.monotonic()
            self.pace = Pace(self.head_ended_at, 0)
        elif not in_head:
            self._reserve(consumed)
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head. Raises ParsingError."""
        length = re.search(rb"^content-length:\s*(\d*)", header_plus, re.IGNORECASE | re.MULTILINE)
        if length and len(length[1]) > MAX_LENGTH_DIGITS:
            raise ParsingError("Content-Length is invalid")
        check_head(header_plus)
        super().parse_header(header_plus)
        if self.chunked:
            self.body_rcv = ChunkedReceiver(OverflowableBuffer(self.adj.inbuf_overflow))

    def refuse(self, error: Exception) -> None:
        """Complete the request with this error as its refusal."""
        if not self.headers_finished:
            self._replace_head(self.header_plus)
        self.error = error
        self.completed = True
        self.expect_continue = False

    @property
    def announced_bytes(self) -> int:
        """The length of the body; for a chunked body, the maximum."""
        return self.max_body_bytes if self.chunked else int(self.content_length)

    def is_overdue(self, now: float) -> bool:
        """Whether the request arrives too slowly."""
        if self.pace is None:
            return now - self.began_at > HEAD_SECONDS
        deadline = self.head_ended_at + BODY_SECONDS + self.announced_bytes / BODY_RATE
        return now > deadline or self.pace.is_too_slow(now, self.body_bytes_received)

    def routing_environ(self) -> WSGIEnvironment:
        """The part of the WSGI environment by which Flask finds the route."""
        return {"REQUEST_METHOD": self.command, "PATH_INFO": self.path}

    def close(self) -> None:
        """Delete the body and release its bytes."""
        super().close()
        self.body_budget.release(self.held_bytes)
        self.held_bytes = 0

    def _reserve(self, count: int) -> None:
        if self.chunked and len(self.body_rcv) > self.max_body_bytes:
            self.refuse(admission.too_large(self.max_body_bytes))
        elif self.body_budget.reserve(count):
            self.held_bytes += count
        else:
            self.refuse(ServiceUnavailable(FULL_MESSAGE, retry_after=FULL_RETRY_SECONDS))

    def _replace_head(self, raw: bytes) -> None:
        """Replace an unreadable head by GET and the path, which decides whether the refusal is JSON or HTML."""
        target = _TARGET.match(raw)
        self.path = target[1].decode("latin-1") if target else "/"
        self.command, self.version, self.request_uri = "GET", "1.1", self.path
        self.query, self.fragment, self.url_scheme = "", "", "http"
        self.headers = {}


def _as_exception(found: Any, line_ended: bool) -> Exception:
    """The parser's error as an exception that the application can answer."""
    if isinstance(found, Exception):
        return found
    if found.code == RequestHeaderFieldsTooLarge.code and not line_ended:
        return RequestURITooLarge()
    return default_exceptions.get(found.code, BadRequest)(found.body)
