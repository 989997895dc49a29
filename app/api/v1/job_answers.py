"""Models of the answers about whole jobs: an entry of the list, and a single job with everything that is known
about it.
"""

from pydantic import Field

from app.api.v1.answers import CreditsNumber, Moment, ProgressAnswer, UndeliverableAnswer
from app.api.v1.disclosure_answers import JobDisclosureAnswer, ListingAnswer
from app.api.v1.event_documents import PhotoCount
from app.api.v1.lists import ListAnswer
from app.api.v1.quote_answers import QuoteLineAnswer
from app.domain.api_types import WireAnswer
from app.domain.catalog import ServiceType
from app.domain.fields import Address, FileName, ImageId, Index, JobId, OwnId, OwnMetadata, PhotoId
from app.domain.ledger import CauseCode
from app.domain.lifecycle import Status
from app.domain.step_states import PhotoOutcome, StepState
from app.models import Job
from app.services.orders.job_details import MAX_QUEUE
from app.services.orders.job_list import ListedJob
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.report import Reason


class ListedJobAnswer(WireAnswer):
    """One job in a list."""

    job_id: JobId
    status: Status = Field(description="Where the job stands now.")
    progress: ProgressAnswer
    address: Address = Field(description="Of the property, as ordered.")
    service_type: ServiceType
    photo_count: PhotoCount
    credit_cost: CreditsNumber = Field(description="What was charged, in credits.")
    credits_refunded: CreditsNumber = Field(description="What of it was refunded.")
    created_at: Moment = Field(description="When the order was placed.")
    cancelled_at: Moment | None = Field(
        default=None, description="When you cancelled it or photos of it; absent where you did not."
    )
    expired_at: Moment | None = Field(
        default=None, description="When its photos and results were removed; absent while they are kept."
    )
    error: str | None = Field(default=None, description="Why it failed; only then.")
    undeliverable: UndeliverableAnswer | None = Field(
        default=None, description="Why nothing usable came out; only then."
    )
    external_id: OwnId = None
    metadata: OwnMetadata = None


class JobListAnswer(ListAnswer):
    """Jobs of the account."""

    jobs: list[ListedJobAnswer] = Field(
        description="The newest first. A page with a `nextCursor` may have fewer than `limit`, even none."
    )


class JobStepAnswer(WireAnswer):
    """The outcome of one ordered enhancement of a photo."""

    enhancement: Enhancement
    state: StepState = Field(
        description="`partly_done`: some changes of a renovation were declined, see the quality report; "
        "`declined`: it could not be done, `reason` says why; `left_out`: the picture was made again without it; "
        "`rejected`: the photo's whole result was; `failed`: its processing broke; `cancelled`: you cancelled the "
        "photo; `stopped`: the job ended before."
    )
    reason: Reason | None = Field(default=None, description="Why it was not done, for programs; only then.")
    message: str | None = Field(
        default=None, description="Why it was not done, or what it left undone, for people."
    )
    credit_cost: CreditsNumber | None = Field(
        default=None,
        description="Its price for this photo alone; outside, what is in the price per property is 0. Absent where "
        "prices have changed since the order.",
    )
    credits_refunded: CreditsNumber = Field(description="What was refunded for this step of this photo alone.")


class JobPhotoAnswer(WireAnswer):
    """One photo of a job."""

    photo_id: PhotoId
    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")
    file_name: FileName = Field(description="Your own name of it, or one of ours.")
    state: PhotoOutcome = Field(
        description="Until the whole job is decided `waiting`, `working` or `processed`; then `approved`, "
        "`rejected`, or `stopped` where the job ended before. `cancelled`, at once, where you cancelled it."
    )
    image_id: ImageId | None = Field(
        default=None, description="The result, as in the downloads; absent until the job is decided."
    )
    reason: Reason | None = Field(default=None, description="Why it was rejected, for programs; only then.")
    message: str | None = Field(default=None, description="Why it was rejected, for people; only then.")
    credit_cost: CreditsNumber = Field(description="Its price, without that per property.")
    credits_refunded: CreditsNumber = Field(description="What was refunded for this photo alone.")
    steps: list[JobStepAnswer] = Field(description="The ordered enhancements, in the sequence of the work.")


class RefundAnswer(WireAnswer):
    """One refund of a job."""

    amount: CreditsNumber = Field(description="In credits.")
    cause: CauseCode = Field(description="What was refunded, as in the ledger.")
    photo_id: PhotoId | None = Field(default=None, description="Where it is for one photo.")
    enhancement: Enhancement | None = Field(default=None, description="Where it is for one step of the photo.")
    reason: str = Field(description="Why, for people.")
    created_at: Moment


class JobLinksAnswer(WireAnswer):
    """Addresses with more about a job. All except `page` need a key."""

    status: str
    downloads: str
    quality: str
    recipes: str
    evidence: str
    shares: str
    packs: str
    page: str = Field(description="For people who are signed in.")


class JobAnswer(ListedJobAnswer):
    """One job with everything that is known about it."""

    listing: ListingAnswer
    disclosures: list[JobDisclosureAnswer] = Field(
        description="What must be disclosed about its photos where it is advertised."
    )
    estimated_ready_at: Moment | None = Field(
        default=None,
        description="When all its photos are usually processed, by similar orders; absent once they are, and where "
        "it is not known.",
    )
    queue_position: int | None = Field(
        default=None,
        description=f"How many jobs wait that were ordered before it, at most {MAX_QUEUE}; absent once it is "
        "processed. Accounts take turns, so it may begin before them.",
    )
    lines: list[QuoteLineAnswer] | None = Field(
        default=None,
        description="How `creditCost` came about; absent once the photos are removed, and where prices have "
        "changed since the order.",
    )
    refunds: list[RefundAnswer] = Field(description="The oldest first.")
    photos: list[JobPhotoAnswer] = Field(
        description="Every photo, at most 100: exterior first; none once they are removed."
    )
    links: JobLinksAnswer


def answer_undeliverable(job: Job | ListedJob) -> UndeliverableAnswer | None:
    """Why the job has no usable result; None unless its status is undeliverable."""
    if job.status is not Status.UNDELIVERABLE:
        return None
    return UndeliverableAnswer(
        code=job.undeliverable_code,
        reason=job.undeliverable_reason or "",
        credits_refunded=job.credits_refunded,
    )
