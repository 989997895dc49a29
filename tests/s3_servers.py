"""Servers that speak S3, each a real one on a port of its own: rclone, which knows every signature, and ministack.

rclone holds headers and URLs to their signatures, and a signed length to the body; it keeps files in a folder and
knows neither CORS rules nor lifecycles. ministack knows those and conditions, and holds URLs alone to signatures.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from app.adapters.s3_client import Access, make_client
from tests.ports import kept_port
from tests.waiting import PATIENCE_SECONDS, eventually

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY_ID, SECRET, BUCKET = "test", "test-secret-of-ours", "photos"
ORIGIN = "http://localhost"
BIN = Path(sys.executable).parent


@dataclass
class S3Server:
    """A server with an empty bucket, that a test may end and start again, with other options too."""

    name: str
    url: str
    command: tuple[str, ...]
    own: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start and wait until it answers."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen((*self.command, *options), env={**os.environ, **self.own}, **quiet)
        eventually(f"{self.name} answers", lambda: _answers(self.url))

    def kill(self) -> None:
        """End it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def settings(self, prefix: str = "of/ours", **others: str) -> dict[str, str]:
        """The settings of a service whose files lie there below a prefix, but for what is said otherwise."""
        keys = {"S3_ACCESS_KEY_ID": KEY_ID, "S3_SECRET_ACCESS_KEY": SECRET}
        return {"STORAGE_URL": f"s3://{BUCKET}/{prefix}", "S3_ENDPOINT": self.url, **keys, **others}

    def access(self, **other: str) -> Access:
        """The way to its bucket, but for what is said otherwise."""
        usual = {"bucket": BUCKET, "endpoint": self.url, "access_key_id": KEY_ID, "secret_access_key": SECRET}
        return Access(**{**usual, **other})

    @cached_property
    def client(self) -> "S3Client":
        """A client of its owner."""
        return make_client(self.access())

    def empty(self) -> None:
        """Remove every file, whole or not."""
        client = self.client
        for upload in self._uploads():
            client.abort_multipart_upload(Bucket=BUCKET, Key=upload["Key"], UploadId=upload["UploadId"])
        for name in self.names():
            client.delete_object(Bucket=BUCKET, Key=name)

    def names(self) -> list[str]:
        """Every file in the bucket, and every upload in parts that is not finished."""
        files = self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return [each["Key"] for each in (*files, *self._uploads())]

    def _uploads(self) -> list[Any]:
        client = self.client
        with suppress(client.exceptions.NoSuchUpload):  # rclone says so where none was ever begun
            return client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
        return []


@contextmanager
def rclone(folder: Path, address: str = "127.0.0.1") -> Iterator[S3Server]:
    """`rclone serve s3` over a folder, listening on this address; browsers of ORIGIN may reach it."""
    (folder / BUCKET).mkdir(parents=True)
    settings = ("--config", str(folder / "none.conf"), "--allow-origin", ORIGIN)
    with kept_port(address) as port:
        keys = ("--auth-key", f"{KEY_ID},{SECRET}")
        command = (str(BIN / "rclone"), "serve", "s3", "--addr", f"{address}:{port}", *keys, *settings, str(folder))
        with _running("rclone", f"http://{address}:{port}", command, {}) as server:
            yield server


@contextmanager
def ministack(folder: Path) -> Iterator[S3Server]:
    """`ministack` with nothing but S3, in memory."""
    folder.mkdir(parents=True, exist_ok=True)
    with kept_port() as port:
        own = {"GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "SERVICES": "s3", "AUTH": "true"}
        keys = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET, "TMPDIR": str(folder)}
        with _running(
            "ministack", f"http://127.0.0.1:{port}", (str(BIN / "ministack"),), {**own, **keys}
        ) as server:
            server.client.create_bucket(Bucket=BUCKET)
            yield server


KINDS = {"rclone": rclone, "ministack": ministack}


@contextmanager
def _running(name: str, url: str, command: tuple[str, ...], own: dict[str, str]) -> Iterator[S3Server]:
    server = S3Server(name, url, command, own)
    try:
        server.start()
        yield server
    finally:
        server.kill()


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=PATIENCE_SECONDS):
            return True
    except OSError as error:
        return hasattr(error, "code")
