"""A bucket that customers reach themselves, beneath the container of a test."""

from collections.abc import Iterator
from functools import cache

import boto3.session
import pytest

from app.adapters.storage_s3 import S3Storage
from app.container import Container
from tests import s3_servers
from tests.s3_servers import S3Server


@pytest.fixture(scope="session", autouse=True)
def _one_session() -> Iterator[None]:
    """All clients of a bucket come from one session: each of their own would read the description of S3 anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boto3.session, "Session", cache(boto3.session.Session))
        yield


@pytest.fixture(scope="session")
def bucket_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """One server for all tests of a process: it knows every signature."""
    with s3_servers.rclone(tmp_path_factory.mktemp("bucket") / "data") as server:
        yield server


@pytest.fixture
def direct(container: Container, bucket_server: S3Server) -> S3Server:
    """The server of the container's files, which go to customers and come from them past the service."""
    bucket_server.empty()
    container.storage = S3Storage(bucket_server.access(), "of/ours", container.urls, direct=True)
    return bucket_server
