"""Reads files from customers' URLs by HTTP: vetted addresses at every hop, limited in time, never decompressed."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException, HTTPResponse
from urllib.parse import urldefrag, urljoin

from requests.utils import DEFAULT_CA_BUNDLE_PATH

from app.adapters import connect
from app.adapters.address_policy import AddressRules
from app.adapters.deadlines import Deadline, Phase, Trace
from app.adapters.outgoing_http import READ_BYTES, HttpRequest, send
from app.adapters.vetted_hosts import Resolve, VettedHosts
from app.domain import limits
from app.domain.fetches import FETCH_SECONDS, MAX_REDIRECTS, FetchError, FetchFault
from app.domain.sending import AddressNotAllowedError

REDIRECTS = frozenset({301, 302, 303, 307, 308})
PASSING_STATUSES = frozenset({408, 425, 429})
"""Statuses below 500 after which another attempt may succeed."""


class HttpSource:
    """Implements app.domain.fetches.FileSource; threads may share it.

    `own_netloc`, the service's own host[:port], is refused. Certificates are verified with the authorities in
    `ca_file`, by default those of `requests`; environment variables and .netrc are not read.
    """

    def __init__(
        self,
        allow_private: bool,
        own_netloc: str | None,
        user_agent: str,
        *,
        deadline_seconds: float = FETCH_SECONDS,
        resolve: Resolve = connect.resolve,
        ca_file: str | None = None,
    ) -> None:
        self._rules = AddressRules(allow_private, own_netloc)
        self._hosts = VettedHosts(self._rules, resolve)
        self._deadline_seconds = deadline_seconds
        # Nothing may be encoded, so that no archive of zeros can unfold here.
        self._headers = {"User-Agent": user_agent, "Accept": "image/*, */*;q=0.5", "Accept-Encoding": "identity"}
        self._trust = ssl.create_default_context(cafile=ca_file or DEFAULT_CA_BUNDLE_PATH)
        self._trust.set_alpn_protocols(["http/1.1"])

    def check(self, url: str) -> None:
        """Raises AddressNotAllowedError for a URL whose text is not allowed; looks nothing up."""
        self._rules.parse(url)

    @contextmanager
    def open(self, url: str) -> Iterator[Iterator[bytes]]:
        """The content in pieces, until the deadline. Raises FetchError, also while it is read."""
        deadline = Deadline(self._deadline_seconds)
        with ExitStack() as connection:
            response = self._follow(url, deadline, connection)
            _check_head(response)
            yield _read(response, deadline)

    def _follow(self, url: str, deadline: Deadline, connection: ExitStack) -> HTTPResponse:
        """The answer behind the redirects; `connection` closes it."""
        for _ in range(1 + MAX_REDIRECTS):
            response = self._ask(url, deadline, connection)
            if response.status not in REDIRECTS:
                return response
            url = _redirected(url, response)
            connection.close()
        raise FetchError(FetchFault.TOO_MANY_REDIRECTS)

    def _ask(self, url: str, deadline: Deadline, connection: ExitStack) -> HTTPResponse:
        trace = Trace(deadline)
        try:
            target = self._rules.parse(url)
            addresses = self._hosts.look_up(target, deadline)
            request = HttpRequest("GET", target, self._headers)
            return connection.enter_context(send(request, addresses, trace, self._trust))
        except AddressNotAllowedError:
            raise FetchError(FetchFault.ADDRESS_NOT_ALLOWED) from None
        except (OSError, HTTPException) as error:
            if deadline.is_over or isinstance(error, TimeoutError):
                raise FetchError(FetchFault.TIMEOUT) from None
            answered = trace.phase is Phase.ANSWER
            raise FetchError(FetchFault.SOURCE_FAILED if answered else FetchFault.UNREACHABLE) from None


def _redirected(url: str, response: HTTPResponse) -> str:
    """The URL that the answer redirects to. Raises FetchError if there is none."""
    location = response.headers.get("Location")
    if location is None:
        raise FetchError(FetchFault.REFUSED, response.status)
    try:
        return urldefrag(urljoin(url, location)).url
    except ValueError:
        raise FetchError(FetchFault.ADDRESS_NOT_ALLOWED) from None


def _check_head(response: HTTPResponse) -> None:
    """Raises FetchError unless a file follows that may be read."""
    status = response.status
    if status >= 500 or status in PASSING_STATUSES:
        raise FetchError(FetchFault.SOURCE_FAILED, status)
    if status != 200:
        raise FetchError(FetchFault.REFUSED, status)
    encodings = response.headers.get_all("Content-Encoding", [])
    if any(each.strip().lower() not in ("", "identity") for each in encodings):
        raise FetchError(FetchFault.ENCODED)
    if response.length is not None and response.length > limits.MAX_FILE_BYTES:
        raise FetchError(FetchFault.TOO_LARGE)


def _read(response: HTTPResponse, deadline: Deadline) -> Iterator[bytes]:
    """The body in pieces. Raises FetchError unless all of it arrives."""
    while piece := _read_piece(response, deadline):
        yield piece
    # A body without a length also seems complete when the deadline has closed its connection.
    if deadline.is_over:
        raise FetchError(FetchFault.TIMEOUT)
    if response.length:
        raise FetchError(FetchFault.SOURCE_FAILED, response.status)


def _read_piece(response: HTTPResponse, deadline: Deadline) -> bytes:
    try:
        return response.read1(READ_BYTES)
    except (OSError, HTTPException):
        if deadline.is_over:
            raise FetchError(FetchFault.TIMEOUT) from None
        raise FetchError(FetchFault.SOURCE_FAILED, response.status) from None
