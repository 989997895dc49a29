"""One GET under a hard deadline and a size limit: no redirects, no proxies of the environment, nothing logged.

The parts of `requests` beneath log URLs and put them into exceptions, and these URLs carry keys.
"""

import ssl
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from app.adapters.deadlines import Deadline
from app.adapters.dialling import dial


class NoAnswerError(Exception):
    """Nothing usable came back; the text names neither path nor query."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, whatever the status."""

    status: int
    body: bytes


def get(url: str, deadline: Deadline, limit_bytes: int, tls: ssl.SSLContext) -> Answer:
    """The answer to a GET of an http or https URL. Raises NoAnswerError."""
    try:
        return _get(url, deadline, limit_bytes, tls)
    except OSError as error:
        trouble = str(error)
    except (HTTPException, UnicodeError) as error:
        trouble = type(error).__name__  # their texts quote the URL
    # Here, not above: an exception raised while another is handled would carry that one along.
    raise NoAnswerError(trouble)


def _get(url: str, deadline: Deadline, limit_bytes: int, tls: ssl.SSLContext) -> Answer:
    parts = urlsplit(url)
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port
    connection = HTTPSConnection(host, port, context=tls) if secure else HTTPConnection(host, port)
    dialled = dial(host, connection.port, deadline)
    try:
        with deadline.cuts(dialled):
            connection.sock = tls.wrap_socket(dialled, server_hostname=host) if secure else dialled
            connection.request("GET", f"{parts.path}?{parts.query}", headers={"User-Agent": "Brightlist"})
            response = connection.getresponse()
            body = response.read(limit_bytes + 1)
    finally:
        connection.close()
        dialled.close()
    if len(body) > limit_bytes:
        raise OSError(f"the answer has more than {limit_bytes} bytes")
    # A body without a length seems whole, too, when the deadline cut its connection.
    if response.length or deadline.over:
        raise OSError("the answer was cut short")
    return Answer(response.status, body)
