"""Public imagery from Google's Street View Static API; see docs/public-imagery.md for its terms."""

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
"""For both calls together."""
SIZE = "640x640"
"""The largest the API gives."""
MAX_METADATA_BYTES = 64 * 1024
MAX_PICTURE_BYTES = 10 * 1024**2
FOUND = "OK"
NONE_THERE = frozenset({"ZERO_RESULTS", "NOT_FOUND"})
TROUBLE = frozenset({"OVER_QUERY_LIMIT", "REQUEST_DENIED", "INVALID_REQUEST", "UNKNOWN_ERROR"})


class StreetView:
    """The imagery port over the API at `url`. `tls` judges its certificate."""

    def __init__(
        self, url: str, key: str, *, deadline_seconds: float = DEADLINE_SECONDS, tls: ssl.SSLContext | None = None
    ) -> None:
        self._url, self._key = url, key
        self._deadline_seconds = deadline_seconds
        self._tls = tls or ssl.create_default_context()

    def find(self, address: str) -> bytes | None:
        """The view from the street, or None where Google has none. Raises ImageryUnavailableError."""
        deadline = Deadline(self._deadline_seconds)
        # Asked first because it is free, and because a picture is charged for even where it shows nothing.
        if not self._has_view(address, deadline):
            return None
        return self._picture(address, deadline)

    def _has_view(self, address: str, deadline: Deadline) -> bool:
        answer = self._ask("/metadata", {"location": address}, deadline, MAX_METADATA_BYTES)
        status = _status(answer.body) if answer.status == 200 else None
        if status == FOUND:
            return True
        if status in NONE_THERE:
            return False
        # Only known words: what else the answer holds may quote the request with its key.
        told = status if status in TROUBLE else f"an answer nobody can read, HTTP {answer.status}"
        raise ImageryUnavailableError(f"Street View metadata: {told}")

    def _picture(self, address: str, deadline: Deadline) -> bytes | None:
        # By address and not by the panorama's id: so the camera turns to the house, not along the street.
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
            trouble = type(error).__name__  # their texts quote the URL
        # Here, not above: an exception raised while another is handled would carry that one along.
        raise ImageryUnavailableError(f"Street View: {trouble}")


def _status(body: bytes) -> str | None:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    status = answer.get("status") if isinstance(answer, dict) else None
    return status if isinstance(status, str) else None
