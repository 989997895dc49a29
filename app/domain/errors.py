"""All refusals of the service. Each has a stable code; web/errors.py maps it to an HTTP status.

Refusal
├── InvalidRequest        details: the request's own field path -> message
│   └── InvalidFields     faults as values; the caller puts them in words
├── ChecksumMismatch      details: header, sent, computed
├── StalePage             a form made for another sign-in, or for none
├── Unauthorized          the key is missing, malformed, unknown, revoked or expired
│   └── ClientTokenExpired    a client token past its time
├── Forbidden             the key lacks the scope
│   ├── Suspended         the account may do nothing for now
│   ├── OriginNotAllowed  a page whose origin the key of its client token does not list
│   ├── TooManyFiles      details: maxFiles, files, requested
│   ├── NotAMember        the user belongs to no account
│   └── NotPermitted      the role of the member does not allow it
├── NotFound              unknown, another account's, deleted or expired; the caller cannot see which
├── Conflict              the request conflicts with an earlier one
│   └── InFlight          the first request with this Idempotency-Key is still being answered
├── IdempotencyMismatch   the Idempotency-Key was used for another request
├── InsufficientCredits   details: required, current, shortfall
├── BudgetExceeded, BudgetRequired, PriceTooHigh    in budget_errors.py
├── NotReady              the job has no downloads yet; carries its status
├── MethodNotAllowed      the path exists, but not for this method
├── TimedOut              the body did not arrive in time
├── TooLarge              a file or body over its limit
│   ├── UploadQuotaExceeded   details: heldBytes, requestedBytes, limitBytes
│   └── KeepQuotaExceeded     details: keptBytes, requestedBytes, limitBytes
├── UnsupportedMedia      not a picture format we take, judged by content
├── RateLimited           too many requests in one minute; has Retry-After
│   ├── OpenSessionsExceeded  details: openSessions, limit
│   ├── OutlooksExceeded  details: limit
│   ├── SandboxFull       details: photos, limit
│   └── AddressBeingChecked   another address of the account is being looked up
├── Unavailable           the store or the database is unreachable; has Retry-After
├── InternalError         a fault of ours; what it changed is unknown
├── LinkForged            a signed URL whose signature is not valid
├── LinkExpired           a signed URL that has expired
└── RetentionEnded        the files were removed, or the time limit for the request has passed
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, ClassVar, TypeVar

from app.domain.field_errors import Fault

Found = TypeVar("Found")


class Refusal(Exception):
    """The base class: a request is not carried out, and nothing was changed.

    `code` and `error` are for callers and stable; `message`, `details` and `extra` become fields of the answer. The
    documentation has a page for each code, made from the docstrings of its classes: the first paragraph says what
    happened, the other what the sender of the request can do about it, in CommonMark.
    """

    code: ClassVar[str] = "refused"
    error: ClassVar[str] = "Refused"
    for_programs: ClassVar[bool] = True
    """Whether the API answers with this refusal; False where only pages do."""
    retry_after_seconds: int | None = None
    """After how many seconds the same request may succeed; None where waiting does not help."""

    def __init__(self, message: str = "", *, details: Mapping[str, Any] | None = None, **extra: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        self.extra = extra

    @classmethod
    def meaning(cls) -> str:
        """What happened, on one line."""
        return _paragraphs(cls)[0]

    @classmethod
    def advice(cls) -> str:
        """What the sender of the request can do about it; empty where the documentation needs no advice."""
        return _paragraphs(cls)[1]


def _paragraphs(kind: type[Refusal]) -> tuple[str, str]:
    first, _, rest = (inspect.getdoc(kind) or "").partition("\n\n")
    return " ".join(first.split()), " ".join(rest.split())


class InvalidRequest(Refusal):
    """A field is missing or wrong; `details` names every fault at once.

    Correct every field that `details` names, and send the request again. Each name is the path of the field in
    your request, as `photoConfigs[2].enhancements`; `body` stands for the whole. Sent again unchanged, it is
    refused again.
    """

    code = "invalid_request"
    error = "Invalid request"

    def __init__(self, details: Mapping[str, str], message: str = "") -> None:
        super().__init__(message or "Correct the fields named in details and send it again.", details=details)


def collect_faults(faults: dict[str, str], read: Callable[[], Found]) -> Found | None:
    """The result of `read`; None where it raises InvalidRequest, whose details are added to `faults`."""
    try:
        return read()
    except InvalidRequest as refused:
        faults.update(refused.details or {})
        return None


class InvalidFields(InvalidRequest):
    """Fields are missing or wrong; `faults` has all faults, which the caller puts in words."""

    for_programs = False

    def __init__(self, faults: Iterable[Fault]) -> None:
        super().__init__({})
        self.details = None
        self.faults = tuple(faults)


class ChecksumMismatch(Refusal):
    """The bytes that came do not have the checksum that was sent with them; none of them were kept.

    Send the file again, to the same URL. If `computed` is the same again, the checksum is of another file, or of
    other bytes than those you send. `details` has both checksums in base64.
    """

    code = "checksum_mismatch"
    error = "Checksum mismatch"

    def __init__(self, header: str, sent: str, computed: str) -> None:
        super().__init__(
            f"The bytes that came do not have the checksum in {header}; nothing was kept. Send the file again.",
            details={"header": header, "sent": sent, "computed": computed},
        )


class StalePage(Refusal):
    """The form was made for another sign-in, or did not come from one of our pages."""

    code = "stale_page"
    error = "This page was open too long"
    for_programs = False

    def __init__(self) -> None:
        super().__init__("Nothing was changed. Go back, load the page again and send it again.")


class Unauthorized(Refusal):
    """No valid key came with the request.

    Send the header `Authorization: Bearer` with a key of yours. In place of a key that was revoked or has
    expired, create a new one.
    """

    code = "unauthorized"
    error = "Unauthorized"


class Forbidden(Refusal):
    """The key is valid but may not do this.

    Create a key with the scope that `message` names. Scopes of a key cannot be changed.
    """

    code = "forbidden"
    error = "Forbidden"


class Suspended(Forbidden):
    """Staff suspended the account: its keys and the sign-ins of its members are refused.

    Write to support. Until staff lift the suspension, every key of the account is refused.
    """

    error = "Account suspended"

    def __init__(self) -> None:
        super().__init__("This account is suspended; write to support.")


class NotAMember(Forbidden):
    """The user belongs to no account that they could act for."""

    for_programs = False

    def __init__(self) -> None:
        super().__init__("You do not belong to any account; write to support.")


class NotPermitted(Forbidden):
    """The member's role in the organization does not allow it."""

    error = "Your role does not allow this"
    for_programs = False


class NotFound(Refusal):
    """It does not exist, or this account may not see it.

    Check the id and its account: a key sees what belongs to its own account only. Pictures and jobs are removed
    when their time is over, and then they are not found either.
    """

    code = "not_found"
    error = "Not found"

    def __init__(self, message: str = "It does not exist, or is no longer kept.") -> None:
        super().__init__(message)


def require_found(found: Found | None) -> Found:
    """The argument, unless it is None. Raises NotFound where it is."""
    if found is None:
        raise NotFound
    return found


class Conflict(Refusal):
    """The request conflicts with an earlier one.

    Read `message`: it says what came first. `jobId`, where it is given, is the order that an upload session
    became. Do not send it again unchanged.
    """

    code = "conflict"
    error = "Conflict"


class InFlight(Conflict):
    """The first request with this Idempotency-Key is still being answered.

    Wait as long as `Retry-After` says, and send the same request again: it gets the answer of the first one.
    """

    retry_after_seconds = 1


class IdempotencyMismatch(Refusal):
    """The Idempotency-Key was used for another request.

    Use a new `Idempotency-Key` for each thing you want done, and the same one only to repeat the same request
    with the same body.
    """

    code = "idempotency_mismatch"
    error = "Idempotency key mismatch"


class InsufficientCredits(Refusal):
    """The balance is below the cost.

    Buy at least the credits in `shortfall`, and order again with the same upload session. To know the cost
    before, ask for the price first.
    """

    code = "insufficient_credits"
    error = "Insufficient credits"

    def __init__(self, required: Decimal, current: Decimal) -> None:
        amounts = {"required": required, "current": current, "shortfall": required - current}
        super().__init__("Buy the missing credits and order again; nothing was charged.", details=amounts)


class NotReady(Refusal):
    """The job has nothing to download in its present state.

    Ask for the job's status, or wait for the event `job.approved`. `status` says where the job stands; one that
    is undeliverable or failed will have no downloads.
    """

    code = "invalid_request"
    error = "Job is not ready for download"

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message, status=status)


class MethodNotAllowed(Refusal):
    """The path exists, but not for this method.

    Use one of the methods that the header `Allow` names.
    """

    code = "method_not_allowed"
    error = "Method not allowed"

    def __init__(self) -> None:
        super().__init__("The method is not allowed for the requested URL.")


class TimedOut(Refusal):
    """The body of the request did not arrive in time.

    Send it again, over a faster connection or in smaller parts. Nothing was changed.
    """

    code = "timeout"
    error = "Request timeout"

    def __init__(self) -> None:
        super().__init__("The server closed the network connection because the request took too long.")


class TooLarge(Refusal):
    """More bytes than allowed.

    Send less: `message` names the limit of this address.
    """

    code = "too_large"
    error = "Too large"


class UploadQuotaExceeded(TooLarge):
    """The account has uploaded as much as it may without ordering it.

    Order what is uploaded, or wait: uploads that are not ordered are removed after a day. `details` has the
    bytes.
    """

    error = "No room for more uploads"

    def __init__(self, held_bytes: int, limit_bytes: int, requested_bytes: int) -> None:
        held, limit = (f"{size / 1_000_000:,.0f} MB" for size in (held_bytes, limit_bytes))
        super().__init__(
            f"Your uploads that are not ordered yet use {held} of {limit}. Place an order "
            "you have started, discard one or remove photos from it, then send this again. Uploads by programs "
            "that are not ordered are removed after a day.",
            details={"heldBytes": held_bytes, "requestedBytes": requested_bytes, "limitBytes": limit_bytes},
        )


class KeepQuotaExceeded(TooLarge):
    """The account keeps as much as it may of finished orders."""

    error = "No room to keep more photos"
    for_programs = False

    def __init__(self, kept_bytes: int, limit_bytes: int, requested_bytes: int) -> None:
        kept, limit, more = (f"{size / 1e9:,.2f} GB" for size in (kept_bytes, limit_bytes, requested_bytes))
        super().__init__(
            f"These photos need {more}, and you already keep {kept} of {limit}. Stop keeping another property, "
            "then try again.",
            details={"keptBytes": kept_bytes, "requestedBytes": requested_bytes, "limitBytes": limit_bytes},
        )


class UnsupportedMedia(Refusal):
    """Not one of the picture formats the service takes.

    Send a photo in one of the accepted formats. What counts is the content, not the name or the header.
    """

    code = "unsupported_media_type"
    error = "Unsupported media type"


class RateLimited(Refusal):
    """Too many requests in one minute; nothing was done. Retry-After says when to try again.

    Wait as long as `Retry-After` says, then send it again. The headers `RateLimit` of all answers say
    beforehand how much is left of the quota.
    """

    code = "rate_limited"
    error = "Too many requests"

    def __init__(self, quota: str, limit: int, retry_after_seconds: int) -> None:
        super().__init__(
            f"At most {limit} {quota} a minute are allowed; send it again in {retry_after_seconds} seconds."
        )
        self.retry_after_seconds = retry_after_seconds


class OutlooksExceeded(RateLimited):
    """So many photos of the account wait to be looked at that no other may be asked for now.

    Read the outlooks that you asked for, and ask for others when those are done.
    """

    error = "Too many photos at once"
    retry_after_seconds = 30

    def __init__(self, limit: int) -> None:
        Refusal.__init__(
            self,
            f"{limit} photos of yours wait to be looked at; ask again when they are.",
            details={"limit": limit},
        )


class OpenSessionsExceeded(RateLimited):
    """The account has as many upload sessions without an order as it may have, drafts included.

    Order from the upload sessions that you opened, or wait: those that are not ordered are removed after a day.
    """

    error = "Too many open orders"
    retry_after_seconds = 3600

    def __init__(self, open_sessions: int, limit: int) -> None:
        Refusal.__init__(
            self,
            f"You have {open_sessions} open orders and uploads; the limit is {limit}. Place or "
            "discard some of them first. Uploads by programs that are not ordered are removed after a day.",
            details={"openSessions": open_sessions, "limit": limit},
        )


class AddressBeingChecked(RateLimited):
    """The address of another receiver of the account is being checked; each account may check one at a time.

    Register receivers one after the other.
    """

    retry_after_seconds = 3

    def __init__(self) -> None:
        Refusal.__init__(self, "The address of another receiver is being checked; send it again in a few seconds.")


class Unavailable(Refusal):
    """The store or the database is unreachable, full or read-only; nothing was done. Retry-After: when to try
    again.

    Wait as long as `Retry-After` says, then send it again, a POST with the same `Idempotency-Key`.
    """

    code = "internal_error"
    error = "Unavailable for a moment"
    retry_after_seconds = 10

    def __init__(self) -> None:
        super().__init__("Part of the service is unavailable for a moment. Nothing was changed; send it again.")


class InternalError(Refusal):
    """A fault of ours, which we have recorded. Whether anything was changed is not known.

    Send it again, a POST with the same `Idempotency-Key`, and wait longer each time. If it happens again, send
    us the `requestId`.
    """

    code = "internal_error"
    error = "Internal error"

    def __init__(self) -> None:
        super().__init__(
            "Something went wrong on our side; try again, and send us the requestId if it happens again."
        )


class LinkForged(Refusal):
    """The signature of the URL is not valid.

    Use the URL exactly as it was answered, with its whole query string. Ask for a new one if it is damaged.
    """

    code = "forbidden"
    error = "Forbidden"


class LinkExpired(Refusal):
    """The URL has expired.

    Ask for a fresh URL: the operation that answered it gives one each time.
    """

    code = "expired"
    error = "Link expired"


class RetentionEnded(Refusal):
    """It belongs to the account, but its files were removed, or the time limit for the request has passed.

    It cannot be repeated: download results, and send back those that are not right, while they are kept.
    """

    code = "retention_ended"
    error = "Too late"
