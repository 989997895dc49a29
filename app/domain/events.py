"""The names of all events, and the one builder of their payload; with sample values for documentation."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from app.domain.api_types import iso, number
from app.domain.metadata import SAMPLE_EXTERNAL_ID, SAMPLE_METADATA
from engine.types.enhancements import Enhancement, PhotoType


class EventName(StrEnum):
    """The events that webhooks receive, and the test event, which a customer sends by hand."""

    JOB_CREATED = "job.created"
    JOB_PROCESSING = "job.processing"
    JOB_COMPLETED = "job.completed"
    JOB_APPROVED = "job.approved"
    JOB_DELIVERED = "job.delivered"
    JOB_UNDELIVERABLE = "job.undeliverable"
    JOB_FAILED = "job.failed"
    JOB_CANCELLED = "job.cancelled"
    PHOTO_COMPLETED = "photo.completed"
    PHOTO_REVISED = "photo.revised"
    VARIANT_READY = "variant.ready"
    PACK_READY = "pack.ready"
    CREDITS_LOW = "credits.low"
    WEBHOOK_TEST = "webhook.test"


OPT_IN = frozenset(
    {
        EventName.JOB_CANCELLED,
        EventName.PHOTO_COMPLETED,
        EventName.VARIANT_READY,
        EventName.PACK_READY,
        EventName.CREDITS_LOW,
    }
)
"""Events that a webhook receives only if it names them. A webhook that names no event does not receive them."""
USUAL_EVENTS = tuple(name for name in EventName if name not in OPT_IN)
"""The events that a webhook receives if it names none."""


@dataclass(frozen=True, slots=True)
class JobFacts:
    """What an event reports about its job, in its state after the change."""

    job_id: str
    status: str
    account_id: str
    address: str
    credit_cost: Decimal
    interior_count: int
    exterior_count: int
    engine_version: str
    """The engine version of the picture that the event is about; for other events, the version of the job's
    pictures.
    """
    external_id: str | None = None
    metadata: Mapping[str, str] | None = None
    livemode: bool = True


@dataclass(frozen=True, slots=True)
class RevisionFacts:
    """What an event reports about a round that has ended."""

    image_id: str
    revision_id: str
    round: int
    outcome: str

    def fields(self) -> dict[str, Any]:
        """As fields of the event's data."""
        return {
            "imageId": self.image_id,
            "revisionId": self.revision_id,
            "round": self.round,
            "outcome": self.outcome,
        }


@dataclass(frozen=True, slots=True)
class CancelFacts:
    """What an event reports about the cancellation of a job: how many photos were cancelled, and the credits that
    were refunded for them.
    """

    photos_cancelled: int
    credits_refunded: Decimal

    def fields(self) -> dict[str, Any]:
        """As fields of the event's data."""
        return {"photosCancelled": self.photos_cancelled, "creditsRefunded": number(self.credits_refunded)}


@dataclass(frozen=True, slots=True)
class DonePhotoFacts:
    """What an event reports about a photo whose work is done; `has_picture`: whether it gave a picture, which
    review may still reject.
    """

    photo_id: str
    image_id: str
    photo_type: PhotoType
    index: int
    has_picture: bool

    def fields(self) -> dict[str, Any]:
        """As fields of the event's data."""
        place = {"photoType": self.photo_type, "photoIndex": self.index}
        return {"photoId": self.photo_id, "imageId": self.image_id, **place, "hasPicture": self.has_picture}


@dataclass(frozen=True, slots=True)
class VariantFacts:
    """What an event reports about a variant that can be downloaded: its result, and the steps that it has."""

    image_id: str
    enhancements: Sequence[Enhancement]

    def fields(self) -> dict[str, Any]:
        """As fields of the event's data."""
        return {"imageId": self.image_id, "enhancements": list(self.enhancements)}


@dataclass(frozen=True, slots=True)
class PackFacts:
    """What an event reports about a pack that can be downloaded: its listing service."""

    pack_id: str
    mls: str

    def fields(self) -> dict[str, Any]:
        """As fields of the event's data."""
        return {"packId": self.pack_id, "mls": self.mls}


Facts = RevisionFacts | CancelFacts | DonePhotoFacts | VariantFacts | PackFacts


@dataclass(frozen=True, slots=True)
class BalanceFacts:
    """What CREDITS_LOW reports: the balance, in credits, after it fell below the limit that the account chose."""

    account_id: str
    balance: Decimal
    limit: Decimal
    livemode: bool = True


SAMPLE_ACCOUNT = "acc_3Tz8FhUe5SgIw1Pr7BnCxM"
SAMPLE_JOB = "job_7Qm2ZcW9sXk4NfTb1LhPve"
SAMPLE_EVENT = "evt_2Nw7QcXz5RtLb9KmVf0HsY"
SAMPLE_ADDRESS = "12 Garden Lane, Springfield, IL 62704"
SAMPLE_ENGINE_VERSION = "0.1.0+3f9a2c1b"
SAMPLE_CANCEL = CancelFacts(2, Decimal("2.5"))
SAMPLE_IMAGE = "img_1GvJd8MkUs3XrPa6ZyOe5N"
SAMPLE_REVISION = RevisionFacts(SAMPLE_IMAGE, "rev_8Tq2LmXw9RtB7Hc0ZsVyKd", 1, "revised")

SAMPLE_PHOTO = DonePhotoFacts("pho_9aRt5KbYw2VdEj8uGxM3Qc", SAMPLE_IMAGE, PhotoType.INTERIOR, 0, has_picture=True)
SAMPLE_VARIANT = VariantFacts(SAMPLE_IMAGE, (Enhancement.HDR,))
SAMPLE_BALANCE = BalanceFacts(SAMPLE_ACCOUNT, Decimal("4.5"), Decimal(5))
SAMPLE_PACK = PackFacts("pck_5Nq2LmXw9RtB7Hc0ZsVyKd", "crmls")


def sample_facts(
    account_id: str, status: str, engine_version: str = SAMPLE_ENGINE_VERSION, *, livemode: bool = True
) -> JobFacts:
    """The facts of an invented job, for test events and documentation."""
    return JobFacts(
        job_id=SAMPLE_JOB,
        status=status,
        account_id=account_id,
        address=SAMPLE_ADDRESS,
        credit_cost=Decimal("2.5"),
        interior_count=1,
        exterior_count=1,
        engine_version=engine_version,
        external_id=SAMPLE_EXTERNAL_ID,
        metadata=SAMPLE_METADATA,
        livemode=livemode,
    )


def encode(body: dict[str, Any]) -> str:
    """The body as JSON text. It is stored, so that every attempt and redelivery sends the same bytes (UTF-8)."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def payload(name: EventName, job: JobFacts, now: datetime, about: Facts | None = None) -> dict[str, Any]:
    """The body of an event about a job; `about`: what the event reports beside the job; None for a move of the
    job.
    """
    data: dict[str, Any] = {
        "jobId": job.job_id,
        "status": job.status,
        "profileId": job.account_id,
        "address": job.address,
        "creditCost": number(job.credit_cost),
        "photoCount": {"interior": job.interior_count, "exterior": job.exterior_count},
        "timestamp": iso(now),
        "engineVersion": job.engine_version,
    }
    if job.external_id is not None:
        data["externalId"] = job.external_id
    if job.metadata:
        data["metadata"] = dict(job.metadata)
    if about is not None:
        data |= about.fields()
    return _write_envelope(name, now, data, livemode=job.livemode)


def balance_payload(facts: BalanceFacts, now: datetime) -> dict[str, Any]:
    """The body of CREDITS_LOW, the only event that is not about a job."""
    data = {
        "profileId": facts.account_id,
        "credits": number(facts.balance),
        "threshold": number(facts.limit),
        "timestamp": iso(now),
    }
    return _write_envelope(EventName.CREDITS_LOW, now, data, livemode=facts.livemode)


def _write_envelope(name: EventName, now: datetime, data: dict[str, Any], *, livemode: bool) -> dict[str, Any]:
    return {"event": name.value, "timestamp": iso(now), "livemode": livemode, "data": data}
