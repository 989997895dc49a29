"""Files that the service fetches from customers' URLs: the port that reads them, and the reasons why reading may
fail.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Protocol

from app.domain import limits

MAX_FETCHES = 100
"""The most files by URL in one request for upload URLs."""
MAX_URL = 2048
"""The longest URL, in characters."""
MAX_REDIRECTS = 3
"""How many redirects are followed, each to an address that is checked like the first."""
FETCH_SECONDS = 120
"""How long one attempt may take, from the look-up of the host to the last byte."""


class FetchFault(StrEnum):
    """Why a file could not be fetched."""

    ADDRESS_NOT_ALLOWED = "address_not_allowed"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SOURCE_FAILED = "source_failed"
    ENCODED = "encoded"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA = "unsupported_media"
    QUOTA_EXCEEDED = "quota_exceeded"
    INTERRUPTED = "interrupted"
    ACCOUNT_SUSPENDED = "account_suspended"


PASSING = frozenset({FetchFault.UNREACHABLE, FetchFault.TIMEOUT, FetchFault.SOURCE_FAILED, FetchFault.INTERRUPTED})
"""Faults after which another attempt may succeed."""
MESSAGES: Mapping[FetchFault, str] = {
    FetchFault.ADDRESS_NOT_ALLOWED: "The URL, or one that it redirects to, is not on the public internet by https.",
    FetchFault.TOO_MANY_REDIRECTS: f"The URL redirects more than {MAX_REDIRECTS} times.",
    FetchFault.UNREACHABLE: "No secure connection to the server could be made.",
    FetchFault.TIMEOUT: f"The file did not come whole within {FETCH_SECONDS} seconds.",
    FetchFault.REFUSED: "The server refuses the file; see httpStatus.",
    FetchFault.SOURCE_FAILED: "The server failed, or broke off; see httpStatus.",
    FetchFault.ENCODED: "The server sent the file with a Content-Encoding, though it was asked for none.",
    FetchFault.TOO_LARGE: f"A file may have at most {limits.MAX_FILE_MEGABYTES} MB.",
    FetchFault.UNSUPPORTED_MEDIA: "The file is not a photo that can be ordered.",
    FetchFault.QUOTA_EXCEEDED: "The files that your account uploaded and did not order use up its quota.",
    FetchFault.INTERRUPTED: "The work was interrupted several times.",
    FetchFault.ACCOUNT_SUSPENDED: "The account was suspended while the file was to be fetched.",
}


class FetchError(Exception):
    """A file could not be fetched: the `fault`, and the HTTP `status` of the server where it answered."""

    def __init__(self, fault: FetchFault, status: int | None = None) -> None:
        super().__init__(fault.value)
        self.fault, self.status = fault, status


class FileSource(Protocol):
    """Reads files from URLs of customers."""

    def check(self, url: str) -> None:
        """Raises AddressNotAllowedError for a URL whose text is not allowed; looks nothing up."""

    def open(self, url: str) -> AbstractContextManager[Iterator[bytes]]:
        """The content in pieces, within FETCH_SECONDS. Raises FetchError, also while it is read."""
