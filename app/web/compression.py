"""Compresses text answers, with Brotli or gzip, for clients that take it and where lengths give no secret away.

A page that holds a secret and repeats what somebody else chose tells the secret by its compressed length (BREACH).
Pages hold the token of their forms and more. So a page is compressed only where the request brought no input,
neither a query nor a body. Programs come with a key, which no other site can make a browser send.

Flask-Compress was looked at: it compresses streams and parts of files too, and does not ask what a request brought.
"""

import gzip
from collections.abc import Callable, Mapping
from typing import Final

import brotli
from flask import Flask, Response, request

from app.web.errors import JSON_PATHS

LEAST_BYTES: Final = 1024
"""Below that the answer fits a packet or two as it is."""
TYPES: Final = frozenset(
    [
        "application/json",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "text/plain",
        "text/xml",
        "application/xml",
    ]
)
Compress = Callable[[bytes], bytes]
QUICK: Final[Mapping[str, Compress]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=5)),
    "gzip": lambda content: gzip.compress(content, 6, mtime=0),
}
"""For answers made for one request; the first that a client takes as gladly as any other is used."""
SMALL: Final[Mapping[str, Compress]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=11)),
    "gzip": lambda content: gzip.compress(content, 9, mtime=0),
}
"""For what is compressed once and sent often."""


def install(app: Flask) -> None:
    """Compress the answers of the application. Installed first: such hooks run in reverse."""
    app.after_request(_compress)


def choose() -> str | None:
    """The encoding that the client likes best of ours; None where it takes none."""
    accepted = request.accept_encodings
    best = max(QUICK, key=accepted.quality) if accepted else ""
    return best if accepted.quality(best) > 0 else None


def mark(response: Response, encoding: str | None) -> None:
    """Say how the answer is encoded, and that this depends on the client."""
    response.vary.add("Accept-Encoding")
    if encoding:
        response.content_encoding = encoding


def _compress(response: Response) -> Response:
    if (response.content_length or 0) < LEAST_BYTES or not _may_compress(response):
        return response
    encoding = choose()
    mark(response, encoding)
    if encoding:
        response.set_data(QUICK[encoding](response.get_data()))
        etag, weak = response.get_etag()
        if etag and not weak:
            # The same answer in other bytes.
            response.set_etag(etag, weak=True)
    return response


def _may_compress(response: Response) -> bool:
    as_made = not (response.direct_passthrough or response.is_streamed or response.content_encoding)
    whole = response.status_code not in (204, 206, 304)
    return as_made and whole and response.mimetype in TYPES and _keeps_secrets()


def _keeps_secrets() -> bool:
    without_input = request.method in ("GET", "HEAD") and not request.query_string
    return without_input or request.path.startswith(JSON_PATHS)
