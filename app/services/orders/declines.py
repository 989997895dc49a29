"""Photos of decided orders that could not be done: what of them can be ordered again once it is shown."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.domain.declines import DecidedPhoto, Decline, find_payable, list_together
from app.domain.ledger import property_refund_cause
from app.domain.lifecycle import DOWNLOADABLE, Status
from app.models import Job, Photo
from app.services.billing import refunds

_DECIDED = DOWNLOADABLE | {Status.UNDELIVERABLE}


def find_all(job: Job, photos: Sequence[Photo], property_refunded: Decimal) -> Mapping[str, Decline]:
    """What can be ordered again of all `photos` of the job at the price that was refunded, by photo id. They are
    loaded with their results. `property_refunded`: what was refunded of the price for all exterior photos together.
    """
    if job.status not in _DECIDED or job.expired_at is not None:
        return {}
    paid = Decimal(0) if job.status is Status.UNDELIVERABLE else job.property_credits - property_refunded
    return find_payable(_list_decided(photos), paid)


def find(session: Session, job: Job, photo_id: str) -> Decline | None:
    """What can be ordered again of one photo of the job, in two queries; None where there is nothing."""
    return _read(session, job)[1].get(photo_id)


def find_together(session: Session, job: Job, photo_id: str) -> Mapping[str, Decline]:
    """What is ordered again together with what one photo of the job lacks, by photo id, that photo first; empty
    where it lacks nothing that can be shown. In two queries.
    """
    photos, payable = _read(session, job)
    if photo_id not in payable:
        return {}
    return {each: payable[each] for each in list_together(payable, _list_decided(photos), photo_id)}


def _read(session: Session, job: Job) -> tuple[Sequence[Photo], Mapping[str, Decline]]:
    query = select(Photo).where(Photo.job_id == job.id).options(joinedload(Photo.result))
    photos = session.scalars(query.order_by(Photo.type, Photo.index)).all()
    refunded = refunds.sum_by_cause(session, job.id).get(property_refund_cause(job.id), Decimal(0))
    return photos, find_all(job, photos, refunded)


def _list_decided(photos: Sequence[Photo]) -> list[DecidedPhoto]:
    decided = (photo.decided for photo in photos if not photo.from_imagery)
    return [each for each in decided if each is not None]
