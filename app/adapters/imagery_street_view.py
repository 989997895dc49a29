"""Public imagery from Google's Street View Static API; for its terms see docs/public-imagery.md."""

import json
import ssl
from http.client import HTTPException
from urllib.parse import urlencode

from app.adapters.address_policy import target_of
from app.adapters.deadlines import Deadline
from app.adapters.outgoing_http import HttpAnswer, HttpRequest, read_whole, send_to_host
from app.domain.ports import ImageryUnavailableError
from engine.types.media import HEADER_BYTES, sniff

DEADLINE_SECONDS = 20.0
"""Time for the metadata call and the picture call together."""
SIZE = "640x640"
"""The largest size that the API offers, in pixels."""
MAX_METADATA_BYTES = 64 * 1024
MAX_PICTURE_BYTES = 10 * 1024**2
OK_STATUS = "OK"
NOT_FOUND_STATUSES = frozenset({"ZERO_RESULTS", "NOT_FOUND"})
ERROR_STATUSES = frozenset({"OVER_QUERY_LIMIT", "REQUEST_DENIED", "INVALID_REQUEST", "UNKNOWN_ERROR"})


class StreetView:
    """Implements app.domain.ports.Imagery with the API at `url`. `tls` verifies the server's certificate."""

    def __init__(
        self, url: str, key: str, *, deadline_seconds: float = DEADLINE_SECONDS, tls: ssl.SSLContext | None = None
    ) -> None:
        self._url, self._key = url, key
        self._deadline_seconds = deadline_seconds
        self._tls = tls or ssl.create_default_context()

    def find(self, address: str) -> bytes | None:
        """The picture from the street, or None if Google has none. Raises ImageryUnavailableError."""
        deadline = Deadline(self._deadline_seconds)
        # Metadata first: it is free, while a picture is charged even where there is no imagery.
        if not self._has_view(address, deadline):
            return None
        return self._picture(address, deadline)

    def _has_view(self, address: str, deadline: Deadline) -> bool:
        answer = self._ask("/metadata", {"location": address}, deadline, MAX_METADATA_BYTES)
        status = _status(answer.body) if answer.status == 200 else None
        if status == OK_STATUS:
            return True
        if status in NOT_FOUND_STATUSES:
            return False
        # Only known words are logged, because other text of the answer may quote the request with its key.
        trouble = status if status in ERROR_STATUSES else f"an answer nobody can read, HTTP {answer.status}"
        raise ImageryUnavailableError(f"Street View metadata: {trouble}")

    def _picture(self, address: str, deadline: Deadline) -> bytes | None:
        # Asked for by address, not by panorama id, because then the camera points at the house, not along the
        # street.
        query = {"location": address, "size": SIZE, "return_error_code": "true"}
        answer = self._ask("", query, deadline, MAX_PICTURE_BYTES)
        if answer.status == 404:
            return None
        if answer.status != 200 or sniff(answer.body[:HEADER_BYTES]) is None:
            raise ImageryUnavailableError(f"Street View: no picture, HTTP {answer.status}")
        return answer.body

    def _ask(self, path: str, query: dict[str, str], deadline: Deadline, limit_bytes: int) -> HttpAnswer:
        sent = urlencode({**query, "source": "outdoor", "key": self._key})
        try:
            url = f"{self._url}/maps/api/streetview{path}?{sent}"
            request = HttpRequest(
                "GET", target_of(url), {"User-Agent": "Brightlist", "Accept-Encoding": "identity"}
            )
            with send_to_host(request, deadline, self._tls) as response:
                return HttpAnswer(response.status, response.headers, read_whole(response, limit_bytes, deadline))
        except OSError as error:
            trouble = str(error) or "no answer in time"
        except (HTTPException, ValueError) as error:
            trouble = type(error).__name__  # the texts of these exceptions quote the URL
        # Raised here, not in the handlers: there it would have the first exception, with the URL, as its context.
        raise ImageryUnavailableError(f"Street View: {trouble}")


def _status(body: bytes) -> str | None:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    status = answer.get("status") if isinstance(answer, dict) else None
    return status if isinstance(status, str) else None
