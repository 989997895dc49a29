"""Reads what a client still sends after it was refused, so that it gets to see the answer."""

from flask import Flask, Response, request

# Past this much a connection may as well break: nobody sends that by mistake.
MOST_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 256 * 1024


def install(app: Flask) -> None:
    """Drain refused uploads of the application."""
    app.after_request(_drain)


def _drain(response: Response) -> Response:
    # A redirect too: whoever must sign in again first would else see a broken connection.
    if response.status_code >= 300 and request.method in ("POST", "PUT"):
        left = MOST_BYTES
        try:
            while left > 0 and (chunk := request.stream.read(_CHUNK_BYTES)):
                left -= len(chunk)
        except Exception:
            # The client is gone or the rest is unreadable: the answer is all there is to say.
            return response
    return response
