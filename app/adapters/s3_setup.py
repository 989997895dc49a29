"""The rules of a bucket: which pages may access it (CORS), and what it removes by itself (lifecycle)."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from app.adapters.s3_client import Access, code_of, make_client, translating_errors
from app.domain.ports import INCOMING, StorageUnavailableError

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import CORSRuleOutputTypeDef, CORSRuleTypeDef, LifecycleRuleOutputTypeDef

CORS_RULE, UPLOADS_RULE = "brightlist", "brightlist-uploads"
INCOMING_RULE, PARTS_RULE = "brightlist-incoming", "brightlist-parts"
METHODS = ["GET", "HEAD", "PUT"]
SENT_HEADERS = ["content-type"]
UPLOAD_HEADERS = [*SENT_HEADERS, "content-md5"]
"""The headers that pages of customers may send: unlike ours, their scripts may send a checksum."""
SHOWN_HEADERS = ["ETag"]
PREFLIGHT_SECONDS = 3600
"""How long browsers may cache the answer to a preflight request."""
ACCESS_ERRORS = frozenset({"AccessDenied", "403", "SignatureDoesNotMatch", "InvalidAccessKeyId"})
NO_RULES_ERRORS = frozenset({"NoSuchCORSConfiguration", "NoSuchLifecycleConfiguration"})


class UnknownToServerError(Exception):
    """The server does not support these rules; the text is its error code."""


class BucketRules:
    """Reads and writes the CORS and lifecycle rules of a bucket. Rules that others wrote are kept."""

    def __init__(self, access: Access, prefix: str, incoming_kept: timedelta, parts_kept: timedelta) -> None:
        self._client, self._bucket = make_client(access), access.bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self._days = math.ceil(incoming_kept / timedelta(days=1)), math.ceil(parts_kept / timedelta(days=1))

    def allow_origin(self, origin: str) -> None:
        """Write a CORS rule that lets pages of this origin upload and download files.

        Raises UnknownToServerError, StorageUnavailableError.
        """
        self._write_cors(CORS_RULE, [origin], METHODS, SENT_HEADERS)

    def allow_uploads(self, origins: Sequence[str]) -> None:
        """Write a CORS rule that lets pages of these origins, of customers, upload files.

        Raises UnknownToServerError, StorageUnavailableError.
        """
        self._write_cors(UPLOADS_RULE, origins, ["PUT"], UPLOAD_HEADERS)

    def _write_cors(self, name: str, origins: Sequence[str], methods: list[str], headers: list[str]) -> None:
        others = [
            rule
            for rule in self.read_cors()
            if rule.get("ID") != name and list(rule["AllowedOrigins"]) != list(origins)
        ]
        mine: CORSRuleTypeDef = {
            "ID": name,
            "AllowedOrigins": [*origins],
            "AllowedMethods": methods,
            "AllowedHeaders": headers,
            "ExposeHeaders": SHOWN_HEADERS,
            "MaxAgeSeconds": PREFLIGHT_SECONDS,
        }
        rules = {"CORSRules": [*others, mine]}
        self._put(lambda: self._client.put_bucket_cors(Bucket=self._bucket, CORSConfiguration=cast(Any, rules)))

    def write_lifecycle(self) -> None:
        """Write lifecycle rules that make the bucket remove unfinished multipart uploads and uploaded files that
        the service never processed. The service removes them too; these rules are a safety net.

        Raises UnknownToServerError, StorageUnavailableError.
        """
        mine = self._own_lifecycle()
        ids = {rule["ID"] for rule in mine}
        rules = {"Rules": [*(rule for rule in self.read_lifecycle() if rule.get("ID") not in ids), *mine]}
        self._put(
            lambda: self._client.put_bucket_lifecycle_configuration(
                Bucket=self._bucket, LifecycleConfiguration=cast(Any, rules)
            )
        )

    def read_cors(self) -> Sequence["CORSRuleOutputTypeDef"]:
        """The CORS rules in force. Raises StorageUnavailableError."""
        with _ignore_missing_rules(), translating_errors():
            return self._client.get_bucket_cors(Bucket=self._bucket).get("CORSRules", [])
        return []

    def read_lifecycle(self) -> Sequence["LifecycleRuleOutputTypeDef"]:
        """The lifecycle rules in force. Raises StorageUnavailableError."""
        with _ignore_missing_rules(), translating_errors():
            return self._client.get_bucket_lifecycle_configuration(Bucket=self._bucket).get("Rules", [])
        return []

    def list_missing(self) -> list[str]:
        """The names of our lifecycle rules that are not in force. Raises StorageUnavailableError."""
        found = {rule.get("ID"): rule for rule in self.read_lifecycle() if rule["Status"] == "Enabled"}
        return [rule["ID"] for rule in self._own_lifecycle() if rule["ID"] not in found]

    def list_hasty(self) -> list[str]:
        """The names of lifecycle rules that remove our files too early. Raises StorageUnavailableError."""
        return [
            rule.get("ID", "without a name")
            for rule in self.read_lifecycle()
            if rule["Status"] == "Enabled" and "Expiration" in rule and self._removes_ours(rule)
        ]

    def keeps_versions(self) -> bool:
        """Whether the bucket keeps removed files as old versions. Raises StorageUnavailableError."""
        with translating_errors():
            return self._client.get_bucket_versioning(Bucket=self._bucket).get("Status") == "Enabled"

    def _own_lifecycle(self) -> list[dict[str, Any]]:
        incoming_days, parts_days = self._days
        return [
            {
                "ID": INCOMING_RULE,
                "Status": "Enabled",
                "Filter": {"Prefix": f"{self._prefix}{INCOMING}"},
                "Expiration": {"Days": incoming_days},
            },
            {
                "ID": PARTS_RULE,
                "Status": "Enabled",
                "Filter": {"Prefix": self._prefix},
                "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": parts_days},
            },
        ]

    def _removes_ours(self, rule: "LifecycleRuleOutputTypeDef") -> bool:
        chosen: Any = rule.get("Filter", {})
        place: str = chosen.get("And", chosen).get("Prefix", rule.get("Prefix", ""))
        if place.startswith(f"{self._prefix}{INCOMING}"):
            return rule["Expiration"].get("Days", 0) < self._days[0]
        return place.startswith(self._prefix) or self._prefix.startswith(place)

    def _put(self, act: Callable[[], object]) -> None:
        try:
            with translating_errors():
                act()
        except StorageUnavailableError as error:
            code = code_of(error)
            if code is None or code in ACCESS_ERRORS:
                raise
            raise UnknownToServerError(code) from error


@contextmanager
def _ignore_missing_rules() -> Iterator[None]:
    """Ignore the error by which a server says that there are no rules yet."""
    try:
        yield
    except StorageUnavailableError as error:
        if code_of(error) not in NO_RULES_ERRORS:
            raise
