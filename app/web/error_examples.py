"""An example of every refusal that the API can answer, for the documentation."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal

from app.domain import budget_errors, client_token_errors, errors, sandbox_errors
from app.domain.budgets import KeyBudget
from app.domain.errors import Refusal
from app.domain.events import SAMPLE_JOB
from app.domain.field_errors import FaultCode
from app.domain.lifecycle import Status
from app.domain.limits import TEST_PHOTOS_IN_WORK
from app.web.fault_messages import MESSAGES

SAMPLE_REQUEST = "req_0b6c1f4e8d2a4c7f9e3b5a1d7c8f2e60"
"""The request id in all examples."""

_EXAMPLES: tuple[Refusal, ...] = (
    errors.InvalidRequest({"interiorFiles[2].filePath": MESSAGES[FaultCode.NOT_UPLOADED]}),
    errors.NotReady(Status.PROCESSING, "Ask for the job's status, and download once it is approved."),
    errors.ChecksumMismatch("Content-MD5", sent="XrY7u+Ae7tCTyyK7j1rNww==", computed="sQqNsWTgdUEFt6mb5y4/5Q=="),
    errors.Unauthorized("Send the header Authorization: Bearer <API key>."),
    client_token_errors.ClientTokenExpired(),
    errors.InsufficientCredits(required=Decimal("3.5"), current=Decimal("1")),
    budget_errors.BudgetExceeded(
        Decimal("3.5"), KeyBudget(Decimal(50), Decimal(48), datetime(2026, 12, 1, tzinfo=UTC))
    ),
    budget_errors.BudgetRequired(),
    budget_errors.PriceTooHigh(Decimal("3.5"), Decimal(3)),
    errors.Forbidden("This API key lacks the scope orders:write."),
    errors.Suspended(),
    client_token_errors.OriginNotAllowed("https://crm.example.com"),
    client_token_errors.TooManyFiles(max_files=20, files=18, requested=3),
    errors.LinkForged("The signature of this URL is not valid."),
    errors.NotFound(),
    errors.MethodNotAllowed(),
    errors.TimedOut(),
    errors.Conflict("This upload session was used for a different order.", jobId=SAMPLE_JOB),
    errors.InFlight("The first request with this Idempotency-Key is still being answered."),
    errors.LinkExpired("This URL has expired; ask for a new one."),
    errors.RetentionEnded("The results of this job are no longer kept."),
    errors.TooLarge("A JSON body may have at most 1 MB."),
    errors.UploadQuotaExceeded(held_bytes=1_990_000_000, limit_bytes=2_000_000_000, requested_bytes=24_000_000),
    errors.UnsupportedMedia("This is no photo in a format that is accepted."),
    errors.IdempotencyMismatch("This Idempotency-Key was used for another request."),
    errors.RateLimited("writes", 120, 12),
    errors.OpenSessionsExceeded(open_sessions=200, limit=200),
    errors.OutlooksExceeded(limit=50),
    sandbox_errors.SandboxFull(photos=103, limit=TEST_PHOTOS_IN_WORK, per_day=False),
    errors.AddressBeingChecked(),
    errors.InternalError(),
    errors.Unavailable(),
)
EXAMPLES: Mapping[type[Refusal], Refusal] = {type(each): each for each in _EXAMPLES}
"""By kind."""
