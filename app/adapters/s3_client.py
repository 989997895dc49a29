"""The client of a server that speaks S3, and what its faults mean to the service."""

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
"""Without a byte from the server. A copy inside the store of the largest file takes a second or two."""
ATTEMPTS = 2
"""Of one request in all, so that anyone who waits for a store that is away is told within 35 seconds."""
CONNECTIONS = 32
ABSENT = frozenset({"NoSuchKey", "404"})


@dataclass(frozen=True, slots=True)
class Access:
    """The way to a bucket. Without `access_key_id` the client finds credentials as AWS's own tools do."""

    bucket: str
    region: str = "us-east-1"
    endpoint: str | None = None
    public_endpoint: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = None


def make_client(access: Access, *, for_customers: bool = False) -> "S3Client":
    """A client that connects on its first request; `for_customers`: to sign what they will send."""
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
            # Other stores than AWS's know its newer checksums in part only.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            # Every store takes the bucket's name in the path; AWS wants it in the host, where it also is an origin.
            s3={"addressing_style": "path" if endpoint else "virtual"},
        ),
    )


@contextmanager
def reaching() -> Iterator[None]:
    """What the server answers to, or fails in. Raises FileNotFoundError when it says that there is no such file.

    StorageUnavailableError for all else: nobody there, too slow, 5xx, credentials, clock, no such bucket.
    """
    try:
        yield
    except ClientError as refused:
        code = str(refused.response.get("Error", {}).get("Code", "unknown"))
        if code in ABSENT:
            raise FileNotFoundError(f"{refused.operation_name}: {code}") from refused
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(f"{refused.operation_name}: {code}") from refused
    except (BotoCoreError, Boto3Error, HTTPError, OSError) as broken:
        if isinstance(broken, FileNotFoundError):
            raise
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(str(broken)) from broken


def code_of(refused: BaseException) -> str | None:
    """The server's own word for why it refused, such as NoSuchBucket; None where it said none."""
    cause = refused.__cause__
    return str(cause.response.get("Error", {}).get("Code")) if isinstance(cause, ClientError) else None
