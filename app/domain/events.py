"""The names of all events, and the one builder of their payload; with sample values for documentation."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from app.domain.api_types import iso, number
from app.domain.metadata import SAMPLE_EXTERNAL_ID, SAMPLE_METADATA


class EventName(StrEnum):
    """The events of jobs and photos that webhooks receive, and the test event, which a customer sends by hand."""

    JOB_CREATED = "job.created"
    JOB_PROCESSING = "job.processing"
    JOB_COMPLETED = "job.completed"
    JOB_APPROVED = "job.approved"
    JOB_DELIVERED = "job.delivered"
    JOB_UNDELIVERABLE = "job.undeliverable"
    JOB_FAILED = "job.failed"
    JOB_CANCELLED = "job.cancelled"
    PHOTO_REVISED = "photo.revised"
    WEBHOOK_TEST = "webhook.test"


OPT_IN = frozenset({EventName.JOB_CANCELLED})
"""Events that are sent only to webhooks which name them: a webhook for all events does not receive them."""
EVERY_EVENT = tuple(name for name in EventName if name not in OPT_IN)
"""The events of a webhook that names none."""


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
    """The version of the release that writes the event."""
    external_id: str | None = None
    metadata: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class RevisionFacts:
    """What an event reports about a round that has ended."""

    image_id: str
    revision_id: str
    round: int
    outcome: str


@dataclass(frozen=True, slots=True)
class CancelFacts:
    """What an event reports about the cancellation of a job: how many photos were cancelled, and the credits that
    were refunded for them.
    """

    photos_cancelled: int
    credits_refunded: Decimal


SAMPLE_JOB = "job_7Qm2ZcW9sXk4NfTb1LhPve"
SAMPLE_EVENT = "evt_2Nw7QcXz5RtLb9KmVf0HsY"
SAMPLE_ADDRESS = "12 Garden Lane, Springfield, IL 62704"
SAMPLE_ENGINE_VERSION = "0.1.0+3f9a2c1b"
SAMPLE_CANCEL = CancelFacts(2, Decimal("2.5"))
SAMPLE_REVISION = RevisionFacts("img_1GvJd8MkUs3XrPa6ZyOe5N", "rev_8Tq2LmXw9RtB7Hc0ZsVyKd", 1, "revised")


def sample_facts(account_id: str, status: str, engine_version: str = SAMPLE_ENGINE_VERSION) -> JobFacts:
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
    )


def encode(body: dict[str, Any]) -> str:
    """The body as JSON text. It is stored, so that every attempt and redelivery sends the same bytes (UTF-8)."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def payload(
    name: EventName, job: JobFacts, now: datetime, about: RevisionFacts | CancelFacts | None = None
) -> dict[str, Any]:
    """The body of an event; `about` is a round for PHOTO_REVISED, a cancellation for JOB_CANCELLED, else None."""
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
    if isinstance(about, RevisionFacts):
        data |= {"imageId": about.image_id, "revisionId": about.revision_id}
        data |= {"round": about.round, "outcome": about.outcome}
    if isinstance(about, CancelFacts):
        data["photosCancelled"] = about.photos_cancelled
        data["creditsRefunded"] = number(about.credits_refunded)
    return {"event": name.value, "timestamp": iso(now), "data": data}
