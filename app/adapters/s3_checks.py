"""Checks that a bucket does what the service needs, by trying it; the test files are removed afterwards."""

import os
import ssl
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException, HTTPMessage
from urllib.parse import urlsplit

from app.adapters.address_policy import target_of
from app.adapters.deadlines import Deadline
from app.adapters.outgoing_http import HttpAnswer, HttpRequest, read_first_bytes, send_to_host
from app.adapters.s3_client import code_of
from app.adapters.s3_setup import BucketRules
from app.adapters.storage_s3 import S3Storage
from app.domain.file_names import attachment
from app.domain.ports import INCOMING, UPLOAD_TYPE, StorageUnavailableError

DEADLINE_SECONDS = 20.0
CONTENT_BYTES = 4096
EXPIRED_AFTER_SECONDS = 2.5
"""When a URL that is valid for one second must have expired, even if the server rounds to whole seconds."""
VALID_SECONDS = 60
ADVICE: Mapping[str, str] = {
    "NoSuchBucket": "there is no such bucket: make it, private and without versions, or mend STORAGE_URL",
    "InvalidAccessKeyId": "the server does not know S3_ACCESS_KEY_ID",
    "SignatureDoesNotMatch": "S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID, or S3_REGION is another",
    "RequestTimeTooSkewed": "the clock of this machine is wrong: let it be set by NTP",
    "AuthorizationHeaderMalformed": "S3_REGION is not the bucket's region",
    "PermanentRedirect": "the bucket is in another region: set S3_REGION",
    "AccessDenied": "the key may not do this: docs/storage.md lists what it must be allowed",
    "403": "the key may not do this, or its secret is wrong: docs/storage.md lists what it must be allowed",
}


@dataclass(frozen=True, slots=True)
class BucketFinding:
    """The result of one check. `tried`: what was checked. `problem`: what is wrong and what to do; None if
    nothing.
    """

    tried: str
    problem: str | None = None


class BucketChecks:
    """The checks of one bucket.

    `storage` must be direct, so that its URLs are those of customers. `origin`: the origin of our pages, as
    browsers send it.
    """

    def __init__(self, storage: S3Storage, rules: BucketRules, origin: str) -> None:
        self._storage, self._rules, self._origin = storage, rules, origin
        self._folder = f"{INCOMING}check-{uuid.uuid4().hex}"
        self._content = os.urandom(CONTENT_BYTES)
        self._trust = ssl.create_default_context()

    def run(self, *, direct: bool) -> Iterator[BucketFinding]:
        """Run all checks in order; with `direct` also those for customers who access the bucket directly. Faults of
        the bucket or the network become findings, not exceptions.
        """
        expired = self._storage.upload_url(self._key("expired"), 1, CONTENT_BYTES)
        signed_at = time.monotonic()
        service_checks = (
            ("write, read, copy, list and delete files", self._check_files),
            ("keep no versions of removed files", self._check_versions),
            ("clear away what was left unfinished (lifecycle)", self._check_lifecycle),
        )
        customer_checks = (
            ("take a file by its URL, and give it by another", self._check_urls),
            (
                "refuse another length than the URL says",
                partial(self._check_refusal, self._content + b"x", UPLOAD_TYPE),
            ),
            ("refuse another type than the URL says", partial(self._check_refusal, self._content, "text/html")),
            ("refuse a forged URL", self._check_forged_url),
            ("refuse a URL whose time is over", partial(self._check_expired_url, expired, signed_at)),
            ("let our pages reach it (CORS)", self._check_cors),
        )
        try:
            for tried, act in (*service_checks, *(customer_checks if direct else ())):
                yield BucketFinding(tried, self._run_check(act))
        finally:
            self._run_check(lambda: self._storage.delete_prefix(f"{self._folder}/"))

    def _run_check(self, act: Callable[[], str | None]) -> str | None:
        try:
            return act()
        except StorageUnavailableError as error:
            return ADVICE.get(code_of(error) or "", str(error))
        except FileNotFoundError as error:
            return f"what was written is not there: {error}"
        except (OSError, HTTPException) as error:
            return f"customers' address of the store cannot be reached from here: {error}"

    def _key(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def _check_files(self) -> str | None:
        writing = self._storage.create(self._key("written"), CONTENT_BYTES)
        writing.write(self._content)
        stored = writing.publish()
        self._storage.copy(self._key("written"), self._key("copied"), stored.etag)
        with self._storage.open(self._key("copied")) as file:
            if file.read() != self._content:
                return "what was written is not what was read back"
        if len(list(self._storage.list_files(f"{self._folder}/"))) != 2:
            return "a listing does not show what was written: the sweep would not find it"
        self._storage.delete_prefix(f"{self._folder}/")
        return None if self._storage.stat(self._key("copied")) is None else "what was deleted is still there"

    def _check_versions(self) -> str | None:
        if not self._rules.keeps_versions():
            return None
        return "versions outlive what retention removes: suspend versioning for this bucket"

    def _check_lifecycle(self) -> str | None:
        if hasty := self._rules.list_hasty():
            return f"these lifecycle rules remove files before we do: {', '.join(hasty)}; take them out"
        if missing := self._rules.list_missing():
            return (
                f"{', '.join(missing)} not in force: run `flask storage setup`; until then the sweep alone does it"
            )
        return None

    def _check_urls(self) -> str | None:
        url = self._storage.upload_url(self._key("put"), VALID_SECONDS, CONTENT_BYTES)
        if self._origin.startswith("https:") and not url.startswith("https:"):
            return "pages of https may not reach a store of http: give it TLS, or set S3_PUBLIC_ENDPOINT"
        answer = self._ask("PUT", url, self._content)
        if answer.status != 200:
            return _describe("a right PUT", answer)
        disposition = attachment("front.jpg")
        answer = self._ask("GET", self._storage.download_url(self._key("put"), "front.jpg", VALID_SECONDS))
        if answer.status != 200 or answer.body != self._content:
            return _describe("a right GET", answer)
        if answer.headers.get("Content-Disposition") != disposition:
            return "downloads do not bear the name that their URL says"
        return None

    def _check_refusal(self, content: bytes, media_type: str) -> str | None:
        url = self._storage.upload_url(self._key("refused"), VALID_SECONDS, CONTENT_BYTES)
        return self._expect_refusal("PUT", url, content, media_type)

    def _check_forged_url(self) -> str | None:
        self._ask("PUT", self._storage.upload_url(self._key("put"), VALID_SECONDS), self._content)
        url = self._storage.download_url(self._key("put"), "front.jpg", VALID_SECONDS)
        return self._expect_refusal("GET", url[:-1] + ("0" if url[-1] != "0" else "1"))

    def _check_expired_url(self, url: str, signed_at: float) -> str | None:
        time.sleep(max(0.0, signed_at + EXPIRED_AFTER_SECONDS - time.monotonic()))
        return self._expect_refusal("PUT", url, self._content)

    def _expect_refusal(
        self, method: str, url: str, content: bytes = b"", media_type: str = UPLOAD_TYPE
    ) -> str | None:
        answer = self._ask(method, url, content, media_type)
        if answer.status in (400, 403):
            return None
        return f"it was answered HTTP {answer.status}: do not let customers reach this server themselves"

    def _check_cors(self) -> str | None:
        url = self._storage.upload_url(self._key("put"), VALID_SECONDS, CONTENT_BYTES)
        asked = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type"}
        preflight = self._ask("OPTIONS", url, extra={"Origin": self._origin, **asked})
        answer = self._ask("PUT", url, self._content, extra={"Origin": self._origin})
        allowed = (
            preflight.status < 300
            and self._allows_origin(preflight.headers)
            and self._allows_origin(answer.headers)
            and _lists(preflight.headers, "Access-Control-Allow-Methods", "put")
            and _lists(preflight.headers, "Access-Control-Allow-Headers", "content-type")
        )
        if not allowed:
            return (
                f"a browser on {self._origin} would be refused: run `flask storage setup`, or allow PUT, GET, HEAD "
                "and Content-Type for that origin where the server itself is configured"
            )
        if not _lists(answer.headers, "Access-Control-Expose-Headers", "etag"):
            return "the ETag is not shown to pages: expose it where the server's CORS is configured"
        return None

    def _allows_origin(self, headers: HTTPMessage) -> bool:
        return headers.get("Access-Control-Allow-Origin") in ("*", self._origin)

    def _ask(
        self,
        method: str,
        url: str,
        content: bytes = b"",
        media_type: str = UPLOAD_TYPE,
        extra: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        sent = {"Content-Length": str(len(content)), "Content-Type": media_type} if method == "PUT" else {}
        request = HttpRequest(method, target_of(url), {**sent, **(extra or {})}, content)
        with send_to_host(request, Deadline(DEADLINE_SECONDS), self._trust) as answer:
            return HttpAnswer(answer.status, answer.headers, read_first_bytes(answer))


def _lists(headers: HTTPMessage, header: str, name: str) -> bool:
    listed = [each.strip().lower() for each in headers.get(header, "").split(",")]
    return name in listed or "*" in listed


def _describe(request: str, answer: HttpAnswer) -> str:
    return f"{request} was answered HTTP {answer.status}: {answer.body[:200].decode(errors='replace')}"


def origin_of(base_url: str) -> str:
    """The scheme, host and port of a URL, as browsers send them in the Origin header."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"
