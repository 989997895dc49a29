"""What can go wrong: one exception for each group of refusals, and those of this package itself."""

from collections.abc import Mapping
from typing import Any


class BrightlistError(Exception):
    """The base class of all errors of this package. `may_try_again`: the same may succeed a little later."""

    may_try_again = False
    retry_after: float | None = None
    """Seconds that the service asks to wait before the same is sent again."""


class NotConfigured(BrightlistError):
    """The key or the URL of the service is not known."""


class NoAnswer(BrightlistError):
    """The service could not be reached, or the connection broke."""

    may_try_again = True


class UnexpectedAnswer(BrightlistError):
    """The answer is not one of this API: often the URL leads elsewhere."""


class InvalidSignature(BrightlistError):
    """A webhook was not sent by the service, was changed on its way, or is too old."""


class NotDecided(BrightlistError):
    """The time to wait is over, and the job is not decided yet."""


class DamagedDownload(BrightlistError):
    """A picture did not come as it is kept: another size or another digest."""

    may_try_again = True


class InvalidPhotos(BrightlistError):
    """The folder has no photos, or they do not say whether they show a room or the outside."""


class WrongChoice(BrightlistError):
    """No enhancement or preset is called so, or none was chosen."""


class ApiError(BrightlistError):
    """A refusal. Decide by `code`; `doc_url` says what to do about it. Codes of newer services come as they are."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.body = body
        self.code = str(body.get("code") or f"http_{status}")
        self.error = str(body.get("error") or f"HTTP {status}")
        self.message = str(body.get("message") or "")
        self.doc_url: str | None = body.get("docUrl")
        self.request_id: str | None = body.get("requestId")
        self.details: Mapping[str, Any] = body.get("details") or {}
        self.retry_after = retry_after
        # Of conflicts only the first request that is still in flight has a Retry-After.
        self.may_try_again = status in (408, 429) or status >= 500 or (status == 409 and retry_after is not None)
        super().__init__(self._describe())

    def _describe(self) -> str:
        lines = [f"{self.error}: {self.message}" if self.message else self.error]
        lines += [f"  {name}: {value}" for name, value in self.details.items()]
        lines += [f"  {self.doc_url}"] if self.doc_url else []
        return "\n".join(lines)


class InvalidRequest(ApiError):
    """A field is missing or wrong; `details` names each. Also where a job has nothing to download yet."""


class Unauthorized(ApiError):
    """No valid key."""


class InsufficientCredits(ApiError):
    """The balance is below the cost."""

    @property
    def shortfall(self) -> float:
        """How many credits are missing."""
        return float(self.details.get("shortfall", 0))


class Forbidden(ApiError):
    """The key may not do this."""


class NotFound(ApiError):
    """It does not exist, belongs to another account, or is no longer kept."""


class Conflict(ApiError):
    """The request conflicts with an earlier one; `job_id` is the order that an upload session became."""

    @property
    def job_id(self) -> str | None:
        """The job that is meant, where there is one."""
        return self.body.get("jobId")


class Gone(ApiError):
    """The URL has expired, or the files are no longer kept."""


class TooLarge(ApiError):
    """More bytes than allowed."""


class UnsupportedMedia(ApiError):
    """The file is not a photo that the service takes."""


class IdempotencyMismatch(ApiError):
    """The idempotency key was used for another request."""


class RateLimited(ApiError):
    """Too many requests; `retry_after` says when to go on."""


class ServerError(ApiError):
    """A fault of the service."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    402: InsufficientCredits,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: TooLarge,
    415: UnsupportedMedia,
    422: IdempotencyMismatch,
    429: RateLimited,
}


def refusal(status: int, body: Mapping[str, Any], retry_after: float | None = None) -> ApiError:
    """The exception for a refusal, by its status: codes may be new, statuses are those of HTTP."""
    kind = ServerError if status >= 500 else _BY_STATUS.get(status, ApiError)
    return kind(status, body, retry_after)
