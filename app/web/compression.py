"""Compresses text answers with Brotli or gzip, if the client accepts it and the length reveals no secret.

If a page contains a secret and repeats text that an attacker chose, its compressed length reveals the secret
(BREACH). Pages contain the token of their forms and other secrets, so a page is compressed only if its request had
no input, neither a query nor a body. Answers to programs are exempt: their requests need a key, and no
other site can make a browser send it.

Flask-Compress was considered: it also compresses streams and parts of files, and ignores the input of a request.
"""

import gzip
from collections.abc import Callable, Mapping
from typing import Final

import brotli
from flask import Flask, Response, request

from app.web.errors import JSON_PATHS

MIN_BYTES: Final = 1024
"""The minimum size of an answer to be compressed: a smaller one fits one or two packets uncompressed."""
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
"""Compressors for answers made for one request; if the client accepts several equally, the first is used."""
THOROUGH: Final[Mapping[str, Compress]] = {
    "br": lambda content: bytes(brotli.compress(content, quality=11)),
    "gzip": lambda content: gzip.compress(content, 9, mtime=0),
}
"""Compressors for files that are compressed once and sent often."""


def install(app: Flask) -> None:
    """Compress the answers of the application. Must be installed first: Flask runs such hooks in reverse order."""
    app.after_request(_compress)


def choose_encoding() -> str | None:
    """The encoding of QUICK that the client prefers; None if it accepts none."""
    accepted = request.accept_encodings
    best = max(QUICK, key=accepted.quality) if accepted else ""
    return best if accepted.quality(best) > 0 else None


def set_headers(response: Response, encoding: str | None) -> None:
    """Set the headers Content-Encoding, and Vary, because the encoding depends on the client."""
    response.vary.add("Accept-Encoding")
    if encoding:
        response.content_encoding = encoding


def _compress(response: Response) -> Response:
    if (response.content_length or 0) < MIN_BYTES or not _may_compress(response):
        return response
    encoding = choose_encoding()
    set_headers(response, encoding)
    if encoding:
        response.set_data(QUICK[encoding](response.get_data()))
        etag, weak = response.get_etag()
        if etag and not weak:
            # A weak ETag: the content is the same, the bytes are not.
            response.set_etag(etag, weak=True)
    return response


def _may_compress(response: Response) -> bool:
    in_memory = not (response.direct_passthrough or response.is_streamed or response.content_encoding)
    has_body = response.status_code not in (204, 206, 304)
    return in_memory and has_body and response.mimetype in TYPES and _is_length_harmless()


def _is_length_harmless() -> bool:
    without_input = request.method in ("GET", "HEAD") and not request.query_string
    return without_input or request.path.startswith(JSON_PATHS)
