"""Refunds: what goes back when part or all of a job gave nothing usable."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.catalogue import ENTRIES, PhotoType
from app.domain.pricing import step_price
from app.domain.quality import QualityReport, Verdict
from app.models import Job, Photo, Result
from app.services.billing import credits
from app.services.billing.credits import Movement

MAX_REASON = 500


def refund_job(session: Session, job: Job, reason: str, now: datetime) -> None:
    """Give back all that a locked job still holds."""
    pay(session, job, list_held(job, reason), now)


def pay(session: Session, job: Job, movements: Sequence[Movement], now: datetime) -> None:
    """Make these movements of a locked job, each cause once."""
    if movements:
        credits.credit(session, job.account_id, movements, now)
        job.credits_refunded += total(movements)


def total(movements: Sequence[Movement]) -> Decimal:
    """How many credits they come to."""
    return sum((movement.amount for movement in movements), Decimal(0))


def list_held(job: Job, reason: str) -> list[Movement]:
    """What goes back of a job that gave nothing usable: all that it still holds."""
    held = job.credit_cost - job.credits_refunded
    return _paid([_back(job, held, ledger.job_refund_cause(job.id), reason)])


def list_unusable(job: Job, photos: Sequence[Photo]) -> list[Movement]:
    """What a job with at least one approved picture did not deliver and gives back.

    A rejected photo gives back its own credits, an approved one those of its declined steps, and of a renovation
    that was done those of its declined changes; the price per property goes back when no exterior photo was
    approved.
    """
    back = [movement for photo in photos for movement in _of_photo(job, photo)]
    outside = [photo for photo in photos if photo.type is PhotoType.EXTERIOR]
    if outside and not any(_result(photo).verdict is Verdict.APPROVED for photo in outside):
        cause = ledger.property_refund_cause(job.id)
        back.append(_back(job, job.property_credits, cause, "no exterior photo was deliverable."))
    return _paid(back)


def _of_photo(job: Job, photo: Photo) -> Iterator[Movement]:
    result = _result(photo)
    if result.verdict is Verdict.REJECTED:
        text = f"{photo.file_name} was not deliverable. {result.message}"
        yield _back(job, photo.image_credits, ledger.photo_refund_cause(photo.id), text)
        return
    changes = len(photo.edit_request.changes)
    for step in QualityReport.model_validate(result.report).steps:
        if not step.applied:
            cause = ledger.step_refund_cause(photo.id, step.enhancement)
            text = f"{ENTRIES[step.enhancement].label} declined on {photo.file_name}. {step.message}"
            yield _back(job, step_price(step.enhancement, changes), cause, text)
            continue
        # Each change was paid for by itself; what was never ordered gives nothing back.
        for change in {each.index: each for each in step.declined_changes if each.index < changes}.values():
            cause = ledger.change_refund_cause(photo.id, step.enhancement, change.index)
            label = f"{ENTRIES[step.enhancement].label}, {change.type}, declined on {photo.file_name}."
            yield _back(job, step_price(step.enhancement, 1), cause, f"{label} {change.message}")


def _result(photo: Photo) -> Result:
    if photo.result is None:
        raise LookupError(f"{photo.id} has no result")
    return photo.result


def _back(job: Job, amount: Decimal, cause: str, reason: str) -> Movement:
    text = f"Refund: {reason}"[:MAX_REASON]
    return Movement(amount, ledger.LedgerKind.REFUND, cause, text, job.id)


def _paid(movements: list[Movement]) -> list[Movement]:
    """Those that move anything."""
    return [movement for movement in movements if movement.amount > 0]
