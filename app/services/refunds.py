"""Refunds: what goes back when part or all of a job gave nothing usable."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.catalogue import PhotoType
from app.domain.pricing import step_price
from app.domain.quality import QualityReport, Verdict
from app.models import Job, Photo, Result
from app.services import credits


def everything(session: Session, job: Job, reason: str, now: datetime) -> None:
    """Give back all that a locked job still holds."""
    held = job.credit_cost - job.credits_refunded
    _refund(session, job, held, ledger.job_refund_cause(job.id), f"Refund: {reason}", now)


def unusable_parts(session: Session, job: Job, photos: list[Photo], now: datetime) -> None:
    """Give back what a locked job with at least one approved picture did not deliver.

    A rejected photo gives back its own credits, an approved one those of its declined steps; the price
    per property goes back when no exterior photo was approved.
    """
    for photo in photos:
        result = _result(photo)
        if result.verdict is Verdict.REJECTED:
            cause = ledger.photo_refund_cause(photo.id)
            text = f"Refund: {photo.file_name} was not deliverable. {result.message}"
            _refund(session, job, photo.image_credits, cause, text, now)
        else:
            _declined_steps(session, job, photo, result, now)
    outside = [photo for photo in photos if photo.type is PhotoType.EXTERIOR]
    if outside and not any(_result(photo).verdict is Verdict.APPROVED for photo in outside):
        cause = ledger.property_refund_cause(job.id)
        _refund(session, job, job.property_credits, cause, "Refund: no exterior photo was deliverable.", now)


def _declined_steps(session: Session, job: Job, photo: Photo, result: Result, now: datetime) -> None:
    changes = len(photo.wish.get("changes", ()))
    for step in QualityReport.model_validate(result.report).steps:
        if not step.applied:
            cause = ledger.step_refund_cause(photo.id, step.enhancement)
            text = f"Refund: {step.enhancement} declined on {photo.file_name}. {step.message}"
            _refund(session, job, step_price(step.enhancement, changes), cause, text, now)


def _result(photo: Photo) -> Result:
    if photo.result is None:
        raise LookupError(f"{photo.id} has no result")
    return photo.result


def _refund(session: Session, job: Job, amount: Decimal, cause: str, reason: str, now: datetime) -> None:
    if amount > 0:
        movement = credits.Movement(ledger.LedgerKind.REFUND, cause, reason[:500], job.id)
        credits.credit(session, job.account_id, amount, movement, now)
        job.credits_refunded += amount
