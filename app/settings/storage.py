"""The settings of a store in an S3 bucket: its address and our access key."""

import re
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, ValidationInfo, field_validator

_BUCKET_URL = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?")


class BucketSettings(BaseModel):
    """The further settings that apply if STORAGE_URL names a bucket, s3://bucket/prefix."""

    s3_endpoint: str | None = Field(
        default=None, description="the address of a server that speaks S3; without it the bucket is one of AWS"
    )
    s3_public_endpoint: str | None = Field(
        default=None, description="the address by which customers reach that server, where it is another one"
    )
    s3_region: str = Field(
        default="us-east-1",
        pattern=r"^[a-z0-9-]+$",
        description="the bucket's region, such as eu-central-1 or auto",
    )
    s3_access_key_id: str | None = Field(default=None, min_length=1, description="the access key's id")
    s3_secret_access_key: SecretStr | None = Field(
        default=None, validate_default=True, description="the secret of S3_ACCESS_KEY_ID"
    )
    storage_direct: bool = Field(
        default=False, description="1 to let customers send files to the bucket and get them from there themselves"
    )

    @field_validator("s3_secret_access_key")
    @classmethod
    def _check_access_key(cls, secret: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if (secret is None) != (info.data.get("s3_access_key_id") is None):
            raise ValueError("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY need each other")
        return secret

    @property
    def bucket_access(self) -> dict[str, str | None]:
        """The arguments of adapters.s3_client.Access after the bucket's name."""
        secret = self.s3_secret_access_key
        return {
            "region": self.s3_region,
            "endpoint": self.s3_endpoint,
            "public_endpoint": self.s3_public_endpoint,
            "access_key_id": self.s3_access_key_id,
            "secret_access_key": secret.get_secret_value() if secret else None,
        }


def check_storage_url(url: str, s3_fields: dict[str, object]) -> str:
    """The URL, unchanged. Raises ValueError if it names neither a folder nor a bucket, and if it names a folder
    although a field of `s3_fields` is set: these fields need a bucket.
    """
    if url.startswith("s3://"):
        if not _BUCKET_URL.fullmatch(url):
            raise ValueError("it does not name a bucket")
        return url
    if not re.match(r"file:///.", url):
        raise ValueError("only a folder on this machine or a bucket is supported")
    given = sorted(name.upper() for name, value in s3_fields.items() if value)
    if given:
        raise ValueError(f"it must name a bucket where {given[0]} is set")
    return url


def split_bucket_url(url: str) -> tuple[str, str] | None:
    """The bucket and the key prefix in an s3:// URL; None for any other URL."""
    parts = urlsplit(url)
    return (parts.netloc, parts.path.strip("/")) if parts.scheme == "s3" else None
