"""What a bucket is told beside its files: whose pages may reach it (CORS), and what it clears away by itself."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from app.adapters.s3_client import Access, code_of, make_client, reaching
from app.domain.ports import INCOMING, StorageUnavailableError

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import CORSRuleOutputTypeDef, CORSRuleTypeDef, LifecycleRuleOutputTypeDef

CORS_RULE, INCOMING_RULE, PARTS_RULE = "brightlist", "brightlist-incoming", "brightlist-parts"
METHODS = ["GET", "HEAD", "PUT"]
SENT_HEADERS = ["content-type"]
SHOWN_HEADERS = ["ETag"]
PREFLIGHT_SECONDS = 3600
"""For so long a browser need not ask again whether it may."""
REFUSED_TO_US = frozenset({"AccessDenied", "403", "SignatureDoesNotMatch", "InvalidAccessKeyId"})
NONE_YET = frozenset({"NoSuchCORSConfiguration", "NoSuchLifecycleConfiguration"})


class UnknownToServerError(Exception):
    """The server knows no such rules; the text is its own word for it."""


class BucketRules:
    """The CORS rules and the lifecycle of a bucket. What others wrote there stays."""

    def __init__(self, access: Access, prefix: str, incoming_kept: timedelta, parts_kept: timedelta) -> None:
        self._client, self._bucket = make_client(access), access.bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self._days = math.ceil(incoming_kept / timedelta(days=1)), math.ceil(parts_kept / timedelta(days=1))

    def allow(self, origin: str) -> None:
        """Let pages of this origin send files to the bucket and get them from there.

        Raises UnknownToServerError, StorageUnavailableError.
        """
        others = [
            rule for rule in self.cors() if rule.get("ID") != CORS_RULE and list(rule["AllowedOrigins"]) != [origin]
        ]
        mine: CORSRuleTypeDef = {
            "ID": CORS_RULE,
            "AllowedOrigins": [origin],
            "AllowedMethods": METHODS,
            "AllowedHeaders": SENT_HEADERS,
            "ExposeHeaders": SHOWN_HEADERS,
            "MaxAgeSeconds": PREFLIGHT_SECONDS,
        }
        rules = {"CORSRules": [*others, mine]}
        self._put(lambda: self._client.put_bucket_cors(Bucket=self._bucket, CORSConfiguration=cast(Any, rules)))

    def clear_away(self) -> None:
        """Let the bucket give up uploads in parts, and remove what came and was never looked at, as a net.

        Raises UnknownToServerError, StorageUnavailableError.
        """
        mine = self._own_lifecycle()
        ids = {rule["ID"] for rule in mine}
        rules = {"Rules": [*(rule for rule in self.lifecycle() if rule.get("ID") not in ids), *mine]}
        self._put(
            lambda: self._client.put_bucket_lifecycle_configuration(
                Bucket=self._bucket, LifecycleConfiguration=cast(Any, rules)
            )
        )

    def cors(self) -> Sequence["CORSRuleOutputTypeDef"]:
        """The rules in force. Raises StorageUnavailableError."""
        with _none_yet(), reaching():
            return self._client.get_bucket_cors(Bucket=self._bucket).get("CORSRules", [])
        return []

    def lifecycle(self) -> Sequence["LifecycleRuleOutputTypeDef"]:
        """The rules in force. Raises StorageUnavailableError."""
        with _none_yet(), reaching():
            return self._client.get_bucket_lifecycle_configuration(Bucket=self._bucket).get("Rules", [])
        return []

    def lacking(self) -> list[str]:
        """Which of our lifecycle rules are not in force. Raises StorageUnavailableError."""
        found = {rule.get("ID"): rule for rule in self.lifecycle() if rule["Status"] == "Enabled"}
        return [rule["ID"] for rule in self._own_lifecycle() if rule["ID"] not in found]

    def hasty(self) -> list[str]:
        """The lifecycle rules that remove files before we do. Raises StorageUnavailableError."""
        return [
            rule.get("ID", "without a name")
            for rule in self.lifecycle()
            if rule["Status"] == "Enabled" and "Expiration" in rule and self._removes_ours(rule)
        ]

    def keeps_versions(self) -> bool:
        """Whether what is removed stays as a version. Raises StorageUnavailableError."""
        with reaching():
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
            with reaching():
                act()
        except StorageUnavailableError as refused:
            code = code_of(refused)
            if code is None or code in REFUSED_TO_US:
                raise
            raise UnknownToServerError(code) from refused


@contextmanager
def _none_yet() -> Iterator[None]:
    """That there are no rules is no fault."""
    try:
        yield
    except StorageUnavailableError as refused:
        if code_of(refused) not in NONE_YET:
            raise
