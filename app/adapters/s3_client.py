"""The client of an S3 server, and the translation of its errors to those of the storage port."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3
from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from urllib3.exceptions import HTTPError

from app import metrics
from app.domain.ports import StorageUnavailableError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

CONNECT_SECONDS = 3
READ_SECONDS = 15
"""How long the server may send nothing. Copying the largest file inside the store takes it two seconds."""
ATTEMPTS = 2
"""How often one request is tried in all. With these timeouts an unreachable store is reported within 35 seconds."""
CONNECTIONS = 32
"""Size of the connection pool."""
ABSENT = frozenset({"NoSuchKey", "404"})


@dataclass(frozen=True, slots=True)
class Access:
    """How to access a bucket. Without `access_key_id` boto3 searches for credentials in its usual places.

    `endpoint`: None for AWS. `public_endpoint`: the server's URL for customers, if that differs.
    """

    bucket: str
    region: str = "us-east-1"
    endpoint: str | None = None
    public_endpoint: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = None


def make_client(access: Access, *, for_customers: bool = False) -> "S3Client":
    """A client, which connects with its first request; with `for_customers` one that signs URLs for customers."""
    endpoint = (for_customers and access.public_endpoint) or access.endpoint
    return boto3.session.Session().client(
        "s3",
        endpoint_url=endpoint,
        region_name=access.region,
        aws_access_key_id=access.access_key_id,
        aws_secret_access_key=access.secret_access_key,
        config=Config(
            signature_version="s3v4",
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            max_pool_connections=CONNECTIONS,
            tcp_keepalive=True,
            # Stores other than AWS support its newer checksums only in part.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            # Every store accepts the bucket's name in the path. AWS prefers it in the host, so that each bucket is
            # an origin of its own for browsers.
            s3={"addressing_style": "path" if endpoint else "virtual"},
        ),
    )


@contextmanager
def translating_errors() -> Iterator[None]:
    """Translate errors of calls to the server inside the block.

    Raises FileNotFoundError when the server says that there is no such file, StorageUnavailableError for all other
    errors: unreachable, too slow, 5xx, wrong credentials, wrong clock, no such bucket.
    """
    try:
        yield
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", "unknown"))
        if code in ABSENT:
            raise FileNotFoundError(f"{error.operation_name}: {code}") from error
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(f"{error.operation_name}: {code}") from error
    except (BotoCoreError, Boto3Error, HTTPError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(str(error)) from error


def code_of(refused: BaseException) -> str | None:
    """The server's error code, such as NoSuchBucket, of an exception from translating_errors(); None if the server
    did not answer.
    """
    cause = refused.__cause__
    return str(cause.response.get("Error", {}).get("Code")) if isinstance(cause, ClientError) else None
