"""Checksums that a sender gives with a file: read from headers, and compared with the received bytes."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.domain.errors import ChecksumMismatch, InvalidRequest

if TYPE_CHECKING:
    from hashlib import _Hash


def _md5() -> "_Hash":
    return hashlib.md5(usedforsecurity=False)


HEADERS: Final[Mapping[str, Callable[[], "_Hash"]]] = {
    "Content-MD5": _md5,
    "x-amz-checksum-sha256": hashlib.sha256,
}
"""The headers with a checksum, named as in S3."""


@dataclass(frozen=True, slots=True)
class Checksums:
    """The checksums `sent` for one file, by header, and those computed from its bytes; empty if none were sent."""

    sent: Mapping[str, bytes]
    computed: Mapping[str, "_Hash"]

    def update(self, chunk: bytes) -> None:
        """Include the next bytes of the file."""
        for each in self.computed.values():
            each.update(chunk)

    def verify(self) -> None:
        """Raise ChecksumMismatch unless the whole file has every checksum that was sent."""
        for header, digest in self.computed.items():
            if self.sent[header] != digest.digest():
                raise ChecksumMismatch(header, *map(_encode, (self.sent[header], digest.digest())))


def read(headers: Mapping[str, str]) -> Checksums:
    """Read the checksums in headers that HEADERS lists. Raises InvalidRequest, which names each malformed
    header.
    """
    made = {header: HEADERS[header]() for header in headers}
    sent = {header: _decode(value) for header, value in headers.items()}
    malformed = {
        header: f"Must be base64 of the {digest.digest_size} bytes of the digest, not hexadecimal."
        for header, digest in made.items()
        if len(sent[header]) != digest.digest_size
    }
    if malformed:
        raise InvalidRequest(malformed, "Correct the headers named in details and send it again.")
    return Checksums(sent, made)


def _decode(value: str) -> bytes:
    try:
        return b64decode(value.strip(), validate=True)
    except ValueError:
        return b""


def _encode(digest: bytes) -> str:
    return b64encode(digest).decode()
