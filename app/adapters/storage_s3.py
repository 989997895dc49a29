"""Storage in a bucket of an S3 server; its URLs lead to the service or directly to the bucket."""

import io
import os
import tempfile
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from urllib.parse import urlsplit

from boto3.s3.transfer import TransferConfig

from app.adapters.s3_client import Access, code_of, make_client, translating_errors
from app.adapters.signed_urls import FILES, UPLOADS, Permission, SignedUrls
from app.domain.file_names import attachment
from app.domain.ports import (
    INCOMING,
    UPLOAD_TYPE,
    FileStat,
    ListedFile,
    StorageUnavailableError,
    TooLargeError,
    split_key,
)
from engine.types.media import HEADER_BYTES, MediaType, sniff

if TYPE_CHECKING:
    from botocore.response import StreamingBody
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectTypeDef

MEGABYTE = 1024 * 1024
MEMORY_BYTES = MEGABYTE
"""The largest file that is collected in memory while it is written; a larger one is in a temporary file."""
PART_BYTES = 16 * MEGABYTE
"""The size of the parts in which larger files are sent."""
READ_AHEAD_BYTES = 256 * 1024
TRANSFER = TransferConfig(multipart_threshold=PART_BYTES, multipart_chunksize=PART_BYTES, max_concurrency=4)
MAX_PARALLEL = 8
"""How many files are deleted at a time."""
PING_BYTES = 4096
PING_PREFIX = f"{INCOMING}ping-"
MAX_KEY_BYTES = 1024
MAX_KEY_PART_BYTES = 255
"""Longest part of a key between two slashes; stores that have files in folders have this limit."""


def _spool() -> tempfile.SpooledTemporaryFile[bytes]:
    return tempfile.SpooledTemporaryFile(MEMORY_BYTES)


class S3Writing:
    """A file being written: collected on this machine, sent to the bucket by publish()."""

    def __init__(self, storage: "S3Storage", key: str, limit_bytes: int) -> None:
        self._storage, self._key, self._left, self._size = storage, key, limit_bytes, 0
        self._file = _spool()

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError beyond the limit, StorageUnavailableError when this machine's disk is
        full.
        """
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLargeError
        with translating_errors():
            self._file.write(chunk)
        self._size += len(chunk)
        return len(chunk)

    def publish(self) -> FileStat:
        """Make the whole file visible at its key; it replaces an earlier one. Raises StorageUnavailableError."""
        with translating_errors():
            self._file.seek(0)
            media_type = sniff(self._file.read(HEADER_BYTES)) or UPLOAD_TYPE
            self._file.seek(0)
        stored = self._storage.send(self._key, cast(BinaryIO, self._file), str(media_type))
        if stored.size_bytes != self._size:
            raise StorageUnavailableError(f"{self._key} has {stored.size_bytes} bytes, sent were {self._size}")
        self.discard()
        return stored

    def discard(self) -> None:
        """Remove what was collected on this machine; harmless after publish()."""
        with suppress(OSError):
            self._file.close()


class S3Reading(io.RawIOBase):
    """A file read as a stream. After a seek or a broken connection another request gets the rest."""

    def __init__(self, client: "S3Client", bucket: str, name: str) -> None:
        self._client, self._bucket, self._name = client, bucket, name
        self._body: StreamingBody | None = None
        self._position = 0
        with translating_errors():
            found = client.get_object(Bucket=bucket, Key=name)
        self._body, self._size, self._etag = found["Body"], found["ContentLength"], found["ETag"]

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        """The position of the next byte."""
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move to a position; the request to the server follows with the next read."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        place = max(0, start + offset)
        if place != self._position:
            self._close_body()
            self._position = place
        return place

    def readinto(self, buffer: Any) -> int:
        """The next bytes. Raises StorageUnavailableError, also when the file was replaced or removed meanwhile."""
        if self._position >= self._size:
            return 0
        try:
            chunk = self._read(len(buffer))
        except StorageUnavailableError:
            # Servers close connections that are read slowly, for example by a slow customer: try again from here.
            chunk = self._read(len(buffer))
        buffer[: len(chunk)] = chunk
        self._position += len(chunk)
        return len(chunk)

    def close(self) -> None:
        """Close the connection."""
        self._close_body()
        super().close()

    def _read(self, most: int) -> bytes:
        try:
            with translating_errors():
                if self._body is None:
                    self._body = self._request_rest()
                chunk: bytes = self._body.read(most)
        except (StorageUnavailableError, FileNotFoundError) as error:
            self._close_body()
            raise StorageUnavailableError(str(error)) from error
        if not chunk:
            self._close_body()
            raise StorageUnavailableError(f"{self._name} ended before its {self._size} bytes")
        return chunk

    def _request_rest(self) -> "StreamingBody":
        rest = f"bytes={self._position}-"
        found = self._client.get_object(Bucket=self._bucket, Key=self._name, Range=rest, IfMatch=self._etag)
        # Some stores ignore IfMatch.
        if found["ETag"] != self._etag:
            found["Body"].close()
            raise StorageUnavailableError(f"{self._name} was replaced while it was read")
        return found["Body"]

    def _close_body(self) -> None:
        body, self._body = self._body, None
        if body is not None:
            body.close()


class S3Storage:
    """Implements app.domain.ports.Storage with a bucket. `prefix` is put before each key; with `direct`, URLs lead
    to the bucket itself. A malformed or too long key raises ValueError; stat() and peek() return None for it.
    """

    def __init__(self, access: Access, prefix: str, urls: SignedUrls, *, direct: bool = False) -> None:
        self._bucket, self._prefix, self._urls = access.bucket, f"{prefix}/" if prefix else "", urls
        self._client = make_client(access)
        self._signing = make_client(access, for_customers=True)
        self.direct_origin = self._origin() if direct else None

    def create(self, key: str, limit_bytes: int) -> S3Writing:
        """Begin to write a file. Raises StorageUnavailableError."""
        self._name(key)
        return S3Writing(self, key, limit_bytes)

    def send(self, key: str, file: BinaryIO, media_type: str) -> FileStat:
        """Upload the file to its key, in parts if it is large. Raises StorageUnavailableError."""
        with translating_errors():
            extra = {"ContentType": media_type}
            self._client.upload_fileobj(file, self._bucket, self._name(key), ExtraArgs=extra, Config=TRANSFER)
        return self._require(key)

    def stat(self, key: str) -> FileStat | None:
        """Size and ETag of the file under the key, or None. Raises StorageUnavailableError."""
        try:
            with translating_errors():
                found = self._client.head_object(Bucket=self._bucket, Key=self._name(key))
        except ValueError:
            return None
        except FileNotFoundError:
            # The answer to HEAD has no error code: it is the same where the whole bucket is missing.
            self._require_bucket()
            return None
        return FileStat(found["ContentLength"], found["ETag"].strip('"'))

    def open(self, key: str) -> BinaryIO:
        """The file, seekable. Raises FileNotFoundError, StorageUnavailableError."""
        split_key(key)
        try:
            name = self._name(key)
        except ValueError as overlong:
            raise FileNotFoundError(str(overlong)) from overlong
        reading = S3Reading(self._client, self._bucket, name)
        return io.BufferedReader(reading, READ_AHEAD_BYTES)

    def peek(self, key: str) -> tuple[FileStat, bytes] | None:
        """Size, ETag and first HEADER_BYTES of the file under the key, or None. Raises StorageUnavailableError."""
        try:
            with translating_errors():
                first = f"bytes=0-{HEADER_BYTES - 1}"
                found = self._client.get_object(Bucket=self._bucket, Key=self._name(key), Range=first)
                head = found["Body"].read()
        except (FileNotFoundError, ValueError):
            return None
        except StorageUnavailableError as error:
            # The server refuses any range of an empty file.
            empty = self.stat(key) if code_of(error) == "InvalidRange" else None
            if empty is None or empty.size_bytes:
                raise
            return empty, b""
        return FileStat(int(found["ContentRange"].rpartition("/")[2]), found["ETag"].strip('"')), head

    def list_files(self, prefix: str) -> Iterator[ListedFile]:
        """Every file whose key starts with the prefix. Raises StorageUnavailableError."""
        for each in self._objects(f"{self._name(prefix.rstrip('/'))}/"):
            stored = FileStat(each["Size"], each["ETag"].strip('"'))
            yield ListedFile(each["Key"].removeprefix(self._prefix), stored, each["LastModified"])

    def copy(
        self, from_key: str, to_key: str, etag: str | None = None, media_type: MediaType | None = None
    ) -> FileStat:
        """Copy the file to a second key inside the store.

        Raises FileNotFoundError, and StorageUnavailableError, also when the file has another ETag than `etag`.
        """
        source, name = self._name(from_key), self._name(to_key)
        if source == name:
            found = self.stat(from_key)
            if found is None:
                raise FileNotFoundError(from_key)
            return found
        with translating_errors():
            place: dict[str, Any] = {"CopySource": {"Bucket": self._bucket, "Key": source}}
            place |= {"CopySourceIfMatch": f'"{etag}"'} if etag else {}
            place |= {"MetadataDirective": "REPLACE", "ContentType": str(media_type)} if media_type else {}
            self._client.copy_object(Bucket=self._bucket, Key=name, **place)
        # Some stores ignore CopySourceIfMatch.
        if etag is not None and self._require(from_key).etag != etag:
            raise StorageUnavailableError(f"{from_key} was replaced meanwhile")
        return self._require(to_key)

    def delete(self, key: str) -> None:
        """Remove one file; harmless when it is not there. Raises StorageUnavailableError."""
        self._delete(self._name(key))

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash.

        Raises StorageUnavailableError; some files may have been removed by then.
        """
        if not prefix.endswith("/"):
            raise ValueError(f"{prefix} does not end in a slash")
        folder = f"{self._name(prefix.rstrip('/'))}/"
        # One request for each file: some stores do not support the request that removes many.
        with ThreadPoolExecutor(MAX_PARALLEL) as pool:
            for _ in pool.map(self._delete, (each["Key"] for each in self._objects(folder))):
                pass

    def tidy(self, abandoned_seconds: float) -> None:
        """Abort multipart uploads that were begun more than `abandoned_seconds` ago. Raises
        StorageUnavailableError.
        """
        before = datetime.now(UTC) - timedelta(seconds=abandoned_seconds)
        # Some stores also answer NoSuchUpload where there are no multipart uploads at all.
        with translating_errors(), suppress(self._client.exceptions.NoSuchUpload):
            pages = self._client.get_paginator("list_multipart_uploads")
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix):
                for each in page.get("Uploads", []):
                    if each["Initiated"] < before:
                        self._client.abort_multipart_upload(
                            Bucket=self._bucket, Key=each["Key"], UploadId=each["UploadId"]
                        )

    def upload_url(self, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
        """A URL for a PUT of this file until it expires; if it leads to the bucket and `size_bytes` is given,
        only for a file of that size.
        """
        if self.direct_origin is None:
            return self._urls.make(UPLOADS, Permission(key, ""), valid_seconds)
        place: dict[str, Any] = {"Bucket": self._bucket, "Key": self._name(key)}
        if size_bytes is not None:
            place |= {"ContentLength": size_bytes, "ContentType": UPLOAD_TYPE}
        return self._signing.generate_presigned_url("put_object", Params=place, ExpiresIn=valid_seconds)

    def download_url(self, key: str, file_name: str, valid_seconds: int, *, extension_fits: bool = True) -> str:
        """A URL for a GET of this file as `file_name` until it expires; to the bucket only if `extension_fits`."""
        if self.direct_origin is None or not extension_fits:
            return self._urls.make(FILES, Permission(key, file_name), valid_seconds)
        place = {
            "Bucket": self._bucket,
            "Key": self._name(key),
            "ResponseContentDisposition": attachment(file_name),
            "ResponseCacheControl": "private, no-store",
        }
        return self._signing.generate_presigned_url("get_object", Params=place, ExpiresIn=valid_seconds)

    def ping(self) -> None:
        """Write a small file, read it and remove it. Raises StorageUnavailableError."""
        content = os.urandom(PING_BYTES)
        place: dict[str, Any] = {"Bucket": self._bucket, "Key": self._name(f"{PING_PREFIX}{uuid.uuid4().hex}")}
        try:
            with translating_errors():
                self._client.put_object(**place, Body=content)
                kept = self._client.get_object(**place)["Body"].read()
                self._client.delete_object(**place)
        except FileNotFoundError as error:
            raise StorageUnavailableError("what was written is not there") from error
        if kept != content:
            raise StorageUnavailableError("what was written is not what was read back")

    def _origin(self) -> str:
        place = {"Bucket": self._bucket, "Key": "x"}
        parts = urlsplit(self._signing.generate_presigned_url("get_object", Params=place))
        return f"{parts.scheme}://{parts.netloc}"

    def _name(self, key: str) -> str:
        parts = split_key(key)
        name = self._prefix + key
        if len(name.encode()) > MAX_KEY_BYTES or any(len(part.encode()) > MAX_KEY_PART_BYTES for part in parts):
            raise ValueError(f"a storage key of {len(key)} characters is too long")
        return name

    def _objects(self, folder: str) -> Iterator["ObjectTypeDef"]:
        with translating_errors():
            pages = self._client.get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._bucket, Prefix=folder):
                yield from page.get("Contents", [])

    def _delete(self, name: str) -> None:
        with suppress(FileNotFoundError), translating_errors():
            self._client.delete_object(Bucket=self._bucket, Key=name)

    def _require(self, key: str) -> FileStat:
        found = self.stat(key)
        if found is None:
            raise StorageUnavailableError(f"{key} was written and is not there")
        return found

    def _require_bucket(self) -> None:
        try:
            with translating_errors():
                self._client.head_bucket(Bucket=self._bucket)
        except FileNotFoundError:
            raise StorageUnavailableError(f"there is no bucket {self._bucket}") from None
