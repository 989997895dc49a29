"""Photos of decided orders that could not be done: what of them can be ordered again once it is shown."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.domain.declines import Decline, find_payable
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
    decided = (photo.decided for photo in photos if not photo.from_imagery)
    return find_payable([each for each in decided if each is not None], paid)


def find(session: Session, job: Job, photo_id: str) -> Decline | None:
    """What can be ordered again of one photo of the job, in two queries; None where there is nothing."""
    photos = select(Photo).where(Photo.job_id == job.id).options(joinedload(Photo.result))
    refunded = refunds.sum_by_cause(session, job.id).get(property_refund_cause(job.id), Decimal(0))
    return find_all(job, session.scalars(photos).all(), refunded).get(photo_id)
