"""Whole files in the store: writing them, and computing their digests."""

import hashlib
from functools import partial

from app.domain.ports import Storage

MAX_BYTES = 500 * 1024 * 1024
"""The store refuses to write a larger file."""
CHUNK_BYTES = 1024 * 1024
"""How much of a file is in memory at a time while its digest is computed."""


def keep(storage: Storage, key: str, content: bytes) -> None:
    """Store the content under the key, completely or not at all. Raises StorageUnavailableError."""
    writing = storage.create(key, MAX_BYTES)
    try:
        writing.write(content)
        writing.publish()
    finally:
        writing.discard()


def digest_of(storage: Storage, key: str) -> str:
    """SHA-256 of a stored file, in hex. Raises FileNotFoundError."""
    digest = hashlib.sha256()
    with storage.open(key) as file:
        for chunk in iter(partial(file.read, CHUNK_BYTES), b""):
            digest.update(chunk)
    return digest.hexdigest()
