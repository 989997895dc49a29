"""Refunds: what is refunded when part or all of a job gave nothing usable."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import ROUND_DOWN, ROUND_UP, Decimal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.amounts import credits_
from app.domain.catalog import ENTRIES
from app.domain.pricing import price_outside, step_price
from app.models import Job, LedgerLine, Photo, Result
from app.services.billing import credits
from app.services.billing.credits import Movement
from engine.types.enhancements import Enhancement, PhotoType, in_pipeline_order
from engine.types.report import StepOutcome, Verdict

MAX_REASON = 500
HUNDREDTH = Decimal("0.01")


def pay(session: Session, job: Job, movements: Sequence[Movement], now: datetime) -> None:
    """Make these movements of a locked job, each cause once."""
    if movements:
        credits.credit(session, job.account_id, movements, now)
        job.credits_refunded += total(movements)


def total(movements: Sequence[Movement]) -> Decimal:
    """How many credits they come to."""
    return sum((movement.amount for movement in movements), Decimal(0))


def list_held(job: Job, reason: str) -> list[Movement]:
    """What is refunded of a job that gave nothing usable: all that it still holds."""
    return _paid([_back(job, _held(job), ledger.job_refund_cause(job.id), reason)])


def list_unusable(job: Job, photos: Sequence[Photo]) -> list[Movement]:
    """What is refunded of a job with at least one approved picture, because it was not delivered.

    Of a rejected photo that are its own credits, of an approved one those of its declined steps, of those that a
    reviewer left out or refunds, and of a renovation that was done those of its declined changes. Of the price per
    property stays what the effects cost that were delivered on at least one exterior photo.
    """
    outside = [photo for photo in photos if photo.type is PhotoType.EXTERIOR]
    approved = sum(_result(photo).verdict is Verdict.APPROVED for photo in outside)
    property_line = _of_property(job, outside)
    share = _share(job.property_credits - property_line.amount, approved, ROUND_DOWN)
    return _paid([*(movement for photo in photos for movement in _of_photo(job, photo, share)), property_line])


def list_steps(
    session: Session, job: Job, photo: Photo, steps: Iterable[Enhancement], reason: str
) -> list[Movement]:
    """What is refunded of a locked job for steps that a photo's picture is without now: what was paid
    for each and was not refunded yet.
    """
    back, changes = list_refunded(session, job.id), len(photo.edit_request.changes)
    if ledger.photo_refund_cause(photo.id) in back:
        return []
    movements = []
    for step in steps:
        cause = ledger.step_refund_cause(photo.id, step)
        if cause not in back:
            left = step_price(step, changes) - _sum_below(cause, back)
            text = f"{ENTRIES[step].label} left out on {photo.file_name}. {reason}"
            movements.append(_back(job, min(left, _held(job)), cause, text))
    return _paid(movements)


def list_photo(session: Session, job: Job, photo: Photo, reason: str) -> list[Movement]:
    """What is refunded of a locked job for all of a photo that was charged: what was paid for it alone and was not
    refunded yet and, outside, its even share of the price per property.
    """
    back, cause = list_refunded(session, job.id), ledger.photo_refund_cause(photo.id)
    left = _left_of(session, job, photo, back)
    return _paid([_back(job, left, cause, f"{photo.file_name} was not right. {reason}")])


def list_step(session: Session, job: Job, photo: Photo, step: Enhancement, reason: str) -> list[Movement]:
    """What is refunded of a locked job for one step of a photo that keeps it: what was paid for it and was not
    refunded yet, outside with the step's even share of the photo's; never more than the photo still holds.
    """
    back, cause = list_refunded(session, job.id), ledger.step_refund_cause(photo.id, step)
    if cause in back:
        return []
    share = _property_share(session, job, photo, back, ROUND_DOWN)
    left = _step_worth(photo, step, share) - _sum_below(cause, back)
    text = f"{ENTRIES[step].label} on {photo.file_name} was not right. {reason}"
    return _paid([_back(job, min(left, _left_of(session, job, photo, back)), cause, text)])


def is_charged(job: Job, photo: Photo, step: Enhancement) -> bool:
    """Whether a step of a photo cost anything that could be refunded."""
    return _step_worth(photo, step, job.property_credits) > 0


def _step_worth(photo: Photo, step: Enhancement, share: Decimal) -> Decimal:
    """What was paid for a step of a photo, with its part of the photo's `share` of the price per property."""
    price = step_price(step, len(photo.edit_request.changes))
    if photo.type is not PhotoType.EXTERIOR:
        return price
    return price + _share(share, len(photo.edit_request.steps), ROUND_DOWN)


def _share(amount: Decimal, count: int, rounding: str) -> Decimal:
    return (amount / max(count, 1)).quantize(HUNDREDTH, rounding)


def _property_share(
    session: Session, job: Job, photo: Photo, back: Mapping[str, Decimal], rounding: str
) -> Decimal:
    """The photo's even share of what the job still holds of the price per property."""
    if photo.type is not PhotoType.EXTERIOR:
        return Decimal(0)
    held = job.property_credits - back.get(ledger.property_refund_cause(job.id), Decimal(0))
    return _share(held, _count_outside(session, job), rounding)


def _left_of(session: Session, job: Job, photo: Photo, back: Mapping[str, Decimal]) -> Decimal:
    """What a photo still holds of the job's price."""
    cause = ledger.photo_refund_cause(photo.id)
    if cause in back:
        return Decimal(0)
    left = photo.image_credits - _sum_below(cause, back) + _property_share(session, job, photo, back, ROUND_UP)
    return min(left, _held(job))


def list_refunded(session: Session, job_id: str) -> dict[str, Decimal]:
    """What went back of a job, by the causes."""
    lines = select(LedgerLine.cause, LedgerLine.amount)
    found = session.execute(lines.where(LedgerLine.job_id == job_id, LedgerLine.kind == ledger.LedgerKind.REFUND))
    return {line.cause: line.amount for line in found}


def _sum_below(cause: str, back: Mapping[str, Decimal]) -> Decimal:
    """What was refunded for parts of what this cause stands for."""
    return sum((amount for each, amount in back.items() if each.startswith(f"{cause}:")), Decimal(0))


def _held(job: Job) -> Decimal:
    return job.credit_cost - job.credits_refunded


def _count_outside(session: Session, job: Job) -> int:
    usable = Photo.job_id == job.id, Photo.type == PhotoType.EXTERIOR, Result.verdict == Verdict.APPROVED
    return session.scalar(select(func.count()).select_from(Photo).join(Result).where(*usable)) or 0


def _of_property(job: Job, outside: Sequence[Photo]) -> Movement:
    """What is refunded of the price per property, in words with the sum."""
    ordered = in_pipeline_order(step for photo in outside for step in photo.edit_request.steps)
    delivered = in_pipeline_order(step for photo in outside for step in _list_delivered(_result(photo)))
    due = min(price_outside(delivered), job.property_credits)
    text = "no exterior photo was deliverable."
    if delivered:
        missing, kept = _name(each for each in ordered if each not in delivered), _name(delivered)
        text = (
            f"{missing} delivered on no exterior photo. Charged: {credits_(job.property_credits)}; "
            f"{kept} alone: {credits_(due)}."
        )
    return _back(job, job.property_credits - due, ledger.property_refund_cause(job.id), text)


def _name(enhancements: Iterable[Enhancement]) -> str:
    return " and ".join(ENTRIES[each].label for each in enhancements)


def _list_delivered(result: Result) -> list[Enhancement]:
    if result.verdict is not Verdict.APPROVED:
        return []
    return [step.enhancement for step in result.report.steps if step.applied]


def _of_photo(job: Job, photo: Photo, share: Decimal) -> Iterator[Movement]:
    result = _result(photo)
    if result.verdict is Verdict.REJECTED:
        text = f"{photo.file_name} was not deliverable. {result.message}"
        yield _back(job, photo.image_credits, ledger.photo_refund_cause(photo.id), text)
        return
    changes = len(photo.edit_request.changes)
    for step in result.report.steps:
        label, cause = ENTRIES[step.enhancement].label, ledger.step_refund_cause(photo.id, step.enhancement)
        if not step.applied:
            text = f"{label} declined on {photo.file_name}. {step.message}"
            yield _back(job, step_price(step.enhancement, changes), cause, text)
        elif step.enhancement in (result.refunded_steps or ()):
            worth = _step_worth(photo, step.enhancement, share)
            yield _back(job, worth, cause, f"{label} on {photo.file_name} was not right, a reviewer found.")
        else:
            yield from _of_changes(job, photo, step, changes)
    for left_out in result.picture.settings.left_out:
        text = f"{ENTRIES[left_out].label} left out on {photo.file_name}. A reviewer had it redone without."
        cause = ledger.step_refund_cause(photo.id, left_out)
        yield _back(job, step_price(left_out, changes), cause, text)


def _of_changes(job: Job, photo: Photo, step: StepOutcome, changes: int) -> Iterator[Movement]:
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
