"""Finds what can be ordered again for photos of decided orders that could not be done as ordered."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from app.domain.declines import (
    DecidedPhoto,
    Decline,
    find_payable,
    list_paid_steps,
    list_together,
    sum_property_paid,
)
from app.domain.declines import find_free_parts as list_free_parts
from app.domain.lifecycle import DOWNLOADABLE, Status
from app.models import Job, Photo
from app.services.billing import refunds
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.outlook import HintPart

_DECIDED = DOWNLOADABLE | {Status.UNDELIVERABLE}


def find_all(job: Job, photos: Sequence[Photo], refunded: Mapping[str, Decimal]) -> Mapping[str, Decline]:
    """What can be ordered again for the job's photos at the price that was refunded, by photo id. `photos`: all
    photos of the job, loaded with their results. `refunded`: the refunded amounts of the job, by cause.
    """
    if job.status not in _DECIDED or job.expired_at is not None:
        return {}
    return find_payable(_list_decided(photos), _sum_paid(job, photos, refunded))


def find_free_parts(job: Job, photos: Sequence[Photo], refunded: Mapping[str, Decimal]) -> Mapping[str, HintPart]:
    """The parts that the customer can show of the job's photos to get steps without another charge, by photo id.
    The arguments are as in find_all().
    """
    if job.status not in DOWNLOADABLE or job.expired_at is not None:
        return {}
    return list_free_parts(_list_decided(photos), _sum_paid(job, photos, refunded))


def find_help(session: Session, job: Job, photo_id: str) -> tuple[Decline | None, HintPart | None]:
    """Find for one photo of the job what can be ordered again, and the part that the customer can show to get steps
    without another charge; each is None if there is nothing. Takes two queries.
    """
    facts = (job, *_read(session, job))
    return find_all(*facts).get(photo_id), find_free_parts(*facts).get(photo_id)


def find_together(session: Session, job: Job, photo_id: str) -> Mapping[str, Decline]:
    """Find everything that is ordered again when the declined steps of one photo of the job are ordered again, by
    photo id, that photo first. Empty if the photo lacks nothing that can be shown. Takes two queries.
    """
    photos, refunded = _read(session, job)
    payable = find_all(job, photos, refunded)
    if photo_id not in payable:
        return {}
    return {each: payable[each] for each in list_together(payable, _list_decided(photos), photo_id)}


def find_paid_steps(session: Session, job: Job, photo_id: str) -> Sequence[Enhancement]:
    """The steps that one photo of the job lacks and that may be done without another charge. Takes two queries."""
    photos, refunded = _read(session, job)
    return list_paid_steps(_list_decided(photos), photo_id, _sum_paid(job, photos, refunded))


def _sum_paid(job: Job, photos: Sequence[Photo], refunded: Mapping[str, Decimal]) -> Decimal:
    if job.status is Status.UNDELIVERABLE:
        return Decimal(0)
    alone = {photo.id: photo.image_credits for photo in photos if photo.type is PhotoType.EXTERIOR}
    return sum_property_paid(job.id, job.property_credits, alone, refunded)


def _read(session: Session, job: Job) -> tuple[Sequence[Photo], Mapping[str, Decimal]]:
    """The photos of the job, and its refunded amounts by cause."""
    query = select(Photo).where(Photo.job_id == job.id).options(joinedload(Photo.result))
    photos = session.scalars(query.order_by(Photo.type, Photo.index)).all()
    return photos, refunds.sum_by_cause(session, job.id)


def _list_decided(photos: Sequence[Photo]) -> list[DecidedPhoto]:
    decided = (photo.decided for photo in photos if not photo.from_imagery)
    return [each for each in decided if each is not None]
