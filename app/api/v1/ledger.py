"""The ledger of the account: every movement of credits, with its cause as a code."""

from datetime import date
from typing import Annotated

from flask import Blueprint
from pydantic import Field

from app.api.v1.answers import CreditsNumber, Moment
from app.api.v1.lists import ListAnswer, ListQuery, make_cursor, read_cursor, read_query
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import Text, WireAnswer
from app.domain.events import SAMPLE_JOB
from app.domain.fields import JobId, PhotoId
from app.domain.ledger import CauseCode, LedgerKind, read_cause
from app.services.billing import ledger_pages
from app.services.billing.ledger_pages import FIRST_DAY, LAST_DAY, LedgerFilter, LedgerRow
from app.web.authentication import actor
from app.web.context import container
from engine.types.enhancements import Enhancement

blueprint = Blueprint("ledger_v1", __name__)
Day = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)]


class LedgerQuery(ListQuery):
    """The query of the ledger: the answer has the lines that meet all conditions."""

    kind: LedgerKind | None = Field(default=None, description="Only lines of this kind.")
    job_id: Text | None = Field(default=None, max_length=40, description="Only lines of this job.")
    since: Day | None = Field(default=None, description="The first day, in UTC.")
    until: Day | None = Field(default=None, description="The last day, in UTC.")


class LedgerLineAnswer(WireAnswer):
    """One movement of credits. A line never changes."""

    id: str = Field(description="Names the line; lines are in the order in which they were written.")
    amount: CreditsNumber = Field(description="Added to the balance; negative: taken from it.")
    balance_after: CreditsNumber = Field(description="The balance with this line.")
    kind: LedgerKind
    cause: CauseCode = Field(
        description="What it is for. Refunds: `job_refund` of all that was left of a job, `property_refund` of the "
        "price per property, `photo_refund`, `step_refund` of one enhancement of a photo, `change_refund` of one "
        "change of a renovation."
    )
    reason: str = Field(description="The same for people.")
    job_id: JobId | None = Field(default=None, description="Of an order and its refunds.")
    photo_id: PhotoId | None = Field(default=None, description="Where the refund is for one photo.")
    enhancement: Enhancement | None = Field(default=None, description="Where the refund is for one of its steps.")
    purchase_id: str | None = Field(default=None, description="Where credits were bought.")
    created_at: Moment


class LedgerAnswer(ListAnswer):
    """Lines of the ledger."""

    ledger: list[LedgerLineAnswer] = Field(description="The newest first.")


_EXAMPLE = {
    "ledger": [
        {
            "id": "4711",
            "amount": 0.5,
            "balanceAfter": 98,
            "kind": LedgerKind.REFUND,
            "cause": CauseCode.STEP_REFUND,
            "reason": "Refund: HDR declined on room.jpg. The exposure is balanced already.",
            "jobId": SAMPLE_JOB,
            "photoId": "pho_9aRt5KbYw2VdEj8uGxM3Qc",
            "enhancement": Enhancement.HDR,
            "createdAt": "2026-11-20T14:05:02.118Z",
        },
        {
            "id": "4708",
            "amount": -2.5,
            "balanceAfter": 97.5,
            "kind": LedgerKind.ORDER,
            "cause": CauseCode.ORDER,
            "reason": "Order: 12 Garden Lane, Springfield, IL 62704",
            "jobId": SAMPLE_JOB,
            "createdAt": "2026-11-20T14:03:27.512Z",
        },
    ],
    "nextCursor": "4708",
}


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/credits/ledger",
        scope=Scope.CREDITS_READ,
        summary="List the movements of credits",
        list_query=LedgerQuery,
        answer=LedgerAnswer,
        answer_example=_EXAMPLE,
        notes="`balanceAfter` of the newest line is the balance.",
    ),
)
def list_ledger() -> LedgerAnswer:
    """A page of the account's ledger, newest first."""
    wanted = read_query(LedgerQuery)
    cursor = read_cursor(wanted)
    after = int(cursor) if cursor else None
    which = LedgerFilter(wanted.kind, wanted.since, wanted.until, wanted.job_id or "")
    with container().database.read_session() as session:
        page = ledger_pages.read_page(session, actor().account_id, which, wanted.limit, after)
    return LedgerAnswer(
        ledger=[_answer(each) for each in page.rows],
        next_cursor=make_cursor(wanted, None if page.next is None else str(page.next)),
    )


def _answer(row: LedgerRow) -> LedgerLineAnswer:
    cause = read_cause(row.cause)
    return LedgerLineAnswer(
        id=str(row.line_id),
        amount=row.amount,
        balance_after=row.balance_after,
        kind=row.kind,
        cause=cause.code,
        reason=row.reason,
        job_id=row.job_id,
        photo_id=cause.photo_id,
        enhancement=cause.enhancement,
        purchase_id=row.purchase_id,
        created_at=row.created_at,
    )
