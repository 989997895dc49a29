"""Refunds: which credits are refunded when a job, a photo or a step of it has no usable result."""

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
from app.services.billing import budgets, credits
from app.services.billing.credits import Movement
from engine.types.enhancements import Enhancement, PhotoType, in_pipeline_order
from engine.types.report import StepOutcome, Verdict

MAX_REASON = 500
"""The maximum length of the reason in a ledger line, in characters."""
_SMALLEST_AMOUNT = Decimal("0.01")
"""Amounts of credits have two decimals."""


def pay(session: Session, job: Job, movements: Sequence[Movement], now: datetime) -> None:
    """Add these refunds of a locked job to the balance, and to the budget of the key that ordered it. A second
    refund for a cause raises IntegrityError.
    """
    if movements:
        credits.credit(session, job.account_id, movements, now)
        job.credits_refunded += total(movements)
        if job.key_id is not None:
            budgets.give_back(session, job.key_id, job.created_at, total(movements))


def total(movements: Sequence[Movement]) -> Decimal:
    """The sum of the movements, in credits."""
    return sum((movement.amount for movement in movements), Decimal(0))


def list_for_job(job: Job, reason: str) -> list[Movement]:
    """The refund for a job without any usable result: all credits that were charged and not refunded yet."""
    return _drop_empty([_make_refund(job, _unrefunded_of_job(job), ledger.job_refund_cause(job.id), reason)])


def list_for_undelivered(job: Job, photos: Sequence[Photo]) -> list[Movement]:
    """The refunds for everything that was not delivered of a job with at least one approved picture. Cancelled
    photos are left out, because they were refunded when they were cancelled.

    For a rejected photo: the credits charged for it alone. For an approved photo: the price of each step that was
    declined, or that a reviewer left out or refunded; for a renovation that was done, the price of each declined
    change. The price per property is calculated again for the enhancements that were delivered on at least one
    exterior photo; the difference is refunded.
    """
    exterior = [photo for photo in photos if photo.type is PhotoType.EXTERIOR]
    approved = sum(_get_result(photo).verdict is Verdict.APPROVED for photo in exterior)
    share = _divide(_price_delivered(job, exterior), approved, ROUND_DOWN)
    property_refund = _make_property_refund(job, exterior)
    return _drop_empty(
        [*(movement for photo in photos for movement in _list_photo_refunds(job, photo, share)), property_refund]
    )


def list_for_cancelled(job: Job, cancelled: Sequence[Photo], others: Sequence[Photo]) -> list[Movement]:
    """The refunds of a locked job for photos that are cancelled while work on the `others` continues: the credits
    charged for each cancelled photo alone, and the amount by which the price per property falls without the
    cancelled exterior photos.
    """
    alone = [_make_cancelled_refund(job, each) for each in cancelled]
    due = _price_ordered(job, others)
    charged = credits_(job.property_credits)
    text = f"exterior photos were cancelled. Charged: {charged}; the others alone: {credits_(due)}."
    cause = ledger.cancelled_property_refund_cause(job.id)
    return _drop_empty([*alone, _make_refund(job, job.property_credits - due, cause, text)])


def _make_cancelled_refund(job: Job, photo: Photo) -> Movement:
    cause = ledger.photo_refund_cause(photo.id)
    return _make_refund(job, photo.image_credits, cause, f"{photo.file_name} was cancelled.")


def list_for_omitted_steps(
    session: Session, job: Job, photo: Photo, steps: Iterable[Enhancement], reason: str
) -> list[Movement]:
    """The refunds of a locked job for steps that were left out when a photo's picture was made again: for each
    step, the credits that were paid for it and not refunded yet.
    """
    refunded, changes = sum_by_cause(session, job.id), len(photo.edit_request.changes)
    if ledger.photo_refund_cause(photo.id) in refunded:
        return []
    movements = []
    for step in steps:
        cause = ledger.step_refund_cause(photo.id, step)
        if cause not in refunded:
            left = step_price(step, changes) - _sum_of_parts(cause, refunded)
            text = f"{ENTRIES[step].label} left out on {photo.file_name}. {reason}"
            movements.append(_make_refund(job, min(left, _unrefunded_of_job(job)), cause, text))
    return _drop_empty(movements)


def list_for_photo(session: Session, job: Job, photo: Photo, reason: str) -> list[Movement]:
    """The refund of a locked job for a whole photo: the credits that were paid for it and not refunded yet. An
    exterior photo includes its share of the price per property, which is the same for each exterior photo.
    """
    refunded, cause = sum_by_cause(session, job.id), ledger.photo_refund_cause(photo.id)
    left = _unrefunded_of_photo(session, job, photo, refunded)
    return _drop_empty([_make_refund(job, left, cause, f"{photo.file_name} was not right. {reason}")])


def list_for_kept_step(session: Session, job: Job, photo: Photo, step: Enhancement, reason: str) -> list[Movement]:
    """The refund of a locked job for one step that stays in a photo's picture, but is not right.

    It is the credits that were paid for the step and not refunded yet. For an exterior photo, it includes the
    photo's share of the price per property, divided by the number of its steps. It is never more than what was paid
    for the photo and not refunded yet.
    """
    refunded, cause = sum_by_cause(session, job.id), ledger.step_refund_cause(photo.id, step)
    if cause in refunded:
        return []
    share = _property_share(session, job, photo, refunded, ROUND_DOWN)
    left = _sum_paid_for_step(photo, step, share) - _sum_of_parts(cause, refunded)
    text = f"{ENTRIES[step].label} on {photo.file_name} was not right. {reason}"
    return _drop_empty(
        [_make_refund(job, min(left, _unrefunded_of_photo(session, job, photo, refunded)), cause, text)]
    )


def is_charged(job: Job, photo: Photo, step: Enhancement) -> bool:
    """Whether the step of the photo had a price, which can be refunded."""
    return _sum_paid_for_step(photo, step, job.property_credits) > 0


def _sum_paid_for_step(photo: Photo, step: Enhancement, share: Decimal) -> Decimal:
    """The credits paid for a step of a photo. `share`: the photo's share of the price per property, of which an
    exterior photo's step gets an equal part.
    """
    price = step_price(step, len(photo.edit_request.changes))
    if photo.type is not PhotoType.EXTERIOR:
        return price
    return price + _divide(share, len(photo.edit_request.steps), ROUND_DOWN)


def _divide(amount: Decimal, count: int, rounding: str) -> Decimal:
    return (amount / max(count, 1)).quantize(_SMALLEST_AMOUNT, rounding)


def _property_share(
    session: Session, job: Job, photo: Photo, refunded: Mapping[str, Decimal], rounding: str
) -> Decimal:
    """The part of the price per property that was not refunded yet, divided by the number of approved exterior
    photos; zero for an interior photo.
    """
    if photo.type is not PhotoType.EXTERIOR:
        return Decimal(0)
    unrefunded = job.property_credits - ledger.sum_property_refunds(job.id, refunded)
    return _divide(unrefunded, _count_approved_exterior(session, job), rounding)


def _unrefunded_of_photo(session: Session, job: Job, photo: Photo, refunded: Mapping[str, Decimal]) -> Decimal:
    """The credits that were paid for a photo and not refunded yet, with its share of the price per property."""
    cause = ledger.photo_refund_cause(photo.id)
    if cause in refunded:
        return Decimal(0)
    left = (
        photo.image_credits
        - _sum_of_parts(cause, refunded)
        + _property_share(session, job, photo, refunded, ROUND_UP)
    )
    return min(left, _unrefunded_of_job(job))


def sum_by_cause(session: Session, job_id: str) -> dict[str, Decimal]:
    """The refunded amounts of a job, by cause."""
    lines = select(LedgerLine.cause, LedgerLine.amount)
    found = session.execute(lines.where(LedgerLine.job_id == job_id, LedgerLine.kind == ledger.LedgerKind.REFUND))
    return {line.cause: line.amount for line in found}


def _sum_of_parts(cause: str, refunded: Mapping[str, Decimal]) -> Decimal:
    """The sum of the refunds whose cause is a part of this one, for example for the changes of a step."""
    return sum((amount for each, amount in refunded.items() if each.startswith(f"{cause}:")), Decimal(0))


def _unrefunded_of_job(job: Job) -> Decimal:
    return job.credit_cost - job.credits_refunded


def _count_approved_exterior(session: Session, job: Job) -> int:
    approved = Photo.job_id == job.id, Photo.type == PhotoType.EXTERIOR, Result.verdict == Verdict.APPROVED
    return session.scalar(select(func.count()).select_from(Photo).join(Result).where(*approved)) or 0


def _make_property_refund(job: Job, exterior: Sequence[Photo]) -> Movement:
    """The refund of a part of the price per property; its reason explains the calculation."""
    going_on = [photo for photo in exterior if not photo.is_cancelled]
    ordered, delivered = _list_ordered_outside(going_on), _list_delivered_outside(exterior)
    charged, due = _price_ordered(job, going_on), _price_delivered(job, exterior)
    text = "no exterior photo was deliverable."
    if delivered:
        undelivered = _join_labels(each for each in ordered if each not in delivered)
        text = (
            f"{undelivered} delivered on no exterior photo. Charged: {credits_(charged)}; "
            f"{_join_labels(delivered)} alone: {credits_(due)}."
        )
    return _make_refund(job, charged - due, ledger.property_refund_cause(job.id), text)


def _price_ordered(job: Job, photos: Sequence[Photo]) -> Decimal:
    """The job's price per property for the enhancements that were ordered for these photos."""
    return min(price_outside(_list_ordered_outside(photos)), job.property_credits)


def _price_delivered(job: Job, exterior: Sequence[Photo]) -> Decimal:
    """The job's price per property for the enhancements that were delivered for these photos."""
    return min(price_outside(_list_delivered_outside(exterior)), job.property_credits)


def _list_ordered_outside(photos: Sequence[Photo]) -> Sequence[Enhancement]:
    exterior = (photo for photo in photos if photo.type is PhotoType.EXTERIOR)
    return in_pipeline_order(step for photo in exterior for step in photo.edit_request.steps)


def _list_delivered_outside(exterior: Sequence[Photo]) -> Sequence[Enhancement]:
    return in_pipeline_order(step for photo in exterior for step in _list_delivered(_get_result(photo)))


def _join_labels(enhancements: Iterable[Enhancement]) -> str:
    return " and ".join(ENTRIES[each].label for each in enhancements)


def _list_delivered(result: Result) -> list[Enhancement]:
    if result.verdict is not Verdict.APPROVED:
        return []
    return [step.enhancement for step in result.report.steps if step.applied]


def _list_photo_refunds(job: Job, photo: Photo, share: Decimal) -> Iterator[Movement]:
    result = _get_result(photo)
    if photo.is_cancelled:
        return
    if result.verdict is Verdict.REJECTED:
        text = f"{photo.file_name} was not deliverable. {result.message}"
        yield _make_refund(job, photo.image_credits, ledger.photo_refund_cause(photo.id), text)
        return
    changes = len(photo.edit_request.changes)
    for step in result.report.steps:
        label, cause = ENTRIES[step.enhancement].label, ledger.step_refund_cause(photo.id, step.enhancement)
        if not step.applied:
            text = f"{label} declined on {photo.file_name}. {step.message}"
            yield _make_refund(job, step_price(step.enhancement, changes), cause, text)
        elif step.enhancement in (result.refunded_steps or ()):
            paid = _sum_paid_for_step(photo, step.enhancement, share)
            yield _make_refund(job, paid, cause, f"{label} on {photo.file_name} was not right, a reviewer found.")
        else:
            yield from _list_change_refunds(job, photo, step, changes)
    for left_out in result.picture.settings.left_out:
        text = f"{ENTRIES[left_out].label} left out on {photo.file_name}. A reviewer had it redone without."
        cause = ledger.step_refund_cause(photo.id, left_out)
        yield _make_refund(job, step_price(left_out, changes), cause, text)


def _list_change_refunds(job: Job, photo: Photo, step: StepOutcome, changes: int) -> Iterator[Movement]:
    # Each ordered change was paid separately. A change whose index is not in the order was not paid.
    for change in {each.index: each for each in step.declined_changes if each.index < changes}.values():
        cause = ledger.change_refund_cause(photo.id, step.enhancement, change.index)
        label = f"{ENTRIES[step.enhancement].label}, {change.type}, declined on {photo.file_name}."
        yield _make_refund(job, step_price(step.enhancement, 1), cause, f"{label} {change.message}")


def _get_result(photo: Photo) -> Result:
    if photo.result is None:
        raise LookupError(f"{photo.id} has no result")
    return photo.result


def _make_refund(job: Job, amount: Decimal, cause: str, reason: str) -> Movement:
    text = f"Refund: {reason}"[:MAX_REASON]
    return Movement(amount, ledger.LedgerKind.REFUND, cause, text, job.id)


def _drop_empty(movements: list[Movement]) -> list[Movement]:
    return [movement for movement in movements if movement.amount > 0]
