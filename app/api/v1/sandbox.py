"""Operations for test keys only: move the clock of a test order, and refill the test credits."""

from contextlib import suppress

from flask import Blueprint
from pydantic import Field

from app.api.v1.answers import CreditsNumber, Moment
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import Conflict, NotFound
from app.domain.fields import JobId
from app.domain.lifecycle import Status
from app.domain.limits import TEST_CREDITS
from app.domain.ports import StorageUnavailableError
from app.domain.request_limits import Request
from app.domain.sandbox_clock import ClockMoment
from app.services import sandbox_clock, sandboxes
from app.services.billing import credits
from app.services.retention import expiry
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object, read_model
from app.web.context import container

blueprint = Blueprint("sandbox_v1", __name__)
_TEST_MODE = "The operation exists in test mode alone."


class ClockRequest(Request):
    """The moment to which the clock of a job is moved."""

    to: ClockMoment = Field(
        description="`review_end`: a slow review ends; `deadline`: the job fails because it took too long; "
        "`next_attempts`: deliveries that wait for another attempt are sent; `retention_end`: photos and results "
        "are removed, and links to them end.",
        examples=[ClockMoment.RETENTION_END],
    )


class ClockAnswer(WireAnswer):
    """The state of the job after its clock was moved."""

    job_id: JobId
    status: Status = Field(description="Where the job stands now.", examples=[Status.DELIVERED])
    expired_at: Moment | None = Field(
        default=None,
        description="When its photos and results were removed; absent while they are kept.",
        examples=["2026-11-20T14:03:27.512Z"],
    )


class TestCreditsAnswer(WireAnswer):
    """The balance after a refill."""

    credits: CreditsNumber = Field(description="The test credits.", examples=[1000])


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/test/jobs/{jobId}/clock",
        scope=Scope.ORDERS_WRITE,
        summary="Move the clock of a test job",
        body=ClockRequest,
        answer=ClockAnswer,
        refusals=(NotFound, Conflict),
        notes="Only with a test key (else 404). Moves the dates of this job alone, so that you need not wait; 409 "
        "where the job does not come to this moment.",
    ),
)
def move_clock(job_id: str) -> ClockAnswer:
    """Move the clock of one test job to the requested moment."""
    _require_test_mode()
    here, content = container(), json_object()
    wanted = read_model(ClockRequest, content)
    idempotency.begin({"job": job_id, **content})
    kept_for = here.sweep.kept_for
    with idempotency.effect() as made:
        job = sandbox_clock.move(made.session, actor().account_id, job_id, wanted.to, kept_for, here.clock())
        made.answer = answer = ClockAnswer(job_id=job.id, status=job.status, expired_at=job.expired_at)
    if answer.expired_at is not None:
        # Links to files end with the files. The sweep removes what the store cannot remove now.
        with suppress(StorageUnavailableError):
            expiry.purge(here.database, here.storage, job_id, here.clock)
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/test/credits",
        scope=Scope.ORDERS_WRITE,
        summary="Refill the test credits",
        answer=TestCreditsAnswer,
        refusals=(NotFound,),
        notes=f"Only with a test key (else 404). Takes no body, and brings the balance back to {TEST_CREDITS}.",
    ),
)
def refill_test_credits() -> TestCreditsAnswer:
    """Set the balance of test credits back to its initial amount."""
    _require_test_mode()
    idempotency.begin({})
    with idempotency.effect() as made:
        sandboxes.refill(made.session, actor().account_id, container().clock())
        balance = credits.balance(made.session, actor().account_id)
        made.answer = answer = TestCreditsAnswer(credits=balance)
    return answer


def _require_test_mode() -> None:
    """Raise NotFound for a live key."""
    if actor().livemode:
        raise NotFound(_TEST_MODE)
