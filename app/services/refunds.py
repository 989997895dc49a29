"""Refunds: what goes back when part or all of a job gave nothing usable."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.catalogue import PhotoType
from app.domain.pricing import step_price
from app.domain.quality import QualityReport, Verdict
from app.models import Job, Photo, Result
from app.services import credits
from app.services.credits import Movement

MAX_REASON = 500


def everything(session: Session, job: Job, reason: str, now: datetime) -> None:
    """Give back all that a locked job still holds."""
    held = job.credit_cost - job.credits_refunded
    _refund(session, job, [_back(job, held, ledger.job_refund_cause(job.id), reason)], now)


def unusable_parts(session: Session, job: Job, photos: list[Photo], now: datetime) -> None:
    """Give back what a locked job with at least one approved picture did not deliver.

    A rejected photo gives back its own credits, an approved one those of its declined steps; the price
    per property goes back when no exterior photo was approved.
    """
    back = [movement for photo in photos for movement in _of_photo(job, photo)]
    outside = [photo for photo in photos if photo.type is PhotoType.EXTERIOR]
    if outside and not any(_result(photo).verdict is Verdict.APPROVED for photo in outside):
        cause = ledger.property_refund_cause(job.id)
        back.append(_back(job, job.property_credits, cause, "no exterior photo was deliverable."))
    _refund(session, job, back, now)


def _of_photo(job: Job, photo: Photo) -> Iterator[Movement]:
    result = _result(photo)
    if result.verdict is Verdict.REJECTED:
        text = f"{photo.file_name} was not deliverable. {result.message}"
        yield _back(job, photo.image_credits, ledger.photo_refund_cause(photo.id), text)
        return
    changes = len(photo.wish.get("changes", ()))
    for step in QualityReport.model_validate(result.report).steps:
        if not step.applied:
            cause = ledger.step_refund_cause(photo.id, step.enhancement)
            text = f"{step.enhancement} declined on {photo.file_name}. {step.message}"
            yield _back(job, step_price(step.enhancement, changes), cause, text)


def _result(photo: Photo) -> Result:
    if photo.result is None:
        raise LookupError(f"{photo.id} has no result")
    return photo.result


def _back(job: Job, amount: Decimal, cause: str, reason: str) -> Movement:
    text = f"Refund: {reason}"[:MAX_REASON]
    return Movement(amount, ledger.LedgerKind.REFUND, cause, text, job.id)


def _refund(session: Session, job: Job, movements: list[Movement], now: datetime) -> None:
    paid = [movement for movement in movements if movement.amount > 0]
    if paid:
        credits.credit(session, job.account_id, paid, now)
        job.credits_refunded += sum(movement.amount for movement in paid)
